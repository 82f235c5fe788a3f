#!/usr/bin/env python3
"""What goes wrong around a delivery must do no harm: a failed rebuild, a proxy's page, a wrong path.

    python3 Tests/Delivery/test_mishaps.py
"""

import copy
import dataclasses
import itertools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import PGHD, DeliveryTestCase, key_options, preloaded, quick_derivation
from exports import packed, sum_of, workout
from scripted_server import ScriptedServer, value

HEAD = '<HealthData locale="en_GB">\n<ExportDate value="2024-04-0{day} 08:00:00 +0000"/>\n'


class MishapTestCase(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.keys = key_options(self.folder)
        self.samples = exports.samples(40)

    def export(self, samples=None, name="export", **options):
        samples = self.samples if samples is None else samples
        return packed(exports.write(self.folder / f"{name}.xml", samples, **options))

    def elements(self, name, day, *elements):
        path = self.folder / f"{name}.xml"
        path.write_text(HEAD.format(day=day) + "".join(elements) + "</HealthData>\n")
        return packed(path)

    def ledgers(self, pattern="*.ledger*"):
        names = (file.name.split(".", 1)[1] for file in (self.folder / "ledger").glob(pattern))
        return sorted(name for name in names if not name.endswith(("-wal", "-shm")))

    def marked(self, server):
        return sorted(name for name, r in server.store.resources.items() if r.get("status") == "entered-in-error")


class Ledgers(MishapTestCase):
    def test_a_rebuild_that_cannot_take_the_ledgers_place_says_why_and_leaves_what_was_there(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            before = ledger.read_bytes()
            # Such as where the ledger is a volume of its own.
            strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=/^rename", "-e", "inject=/^rename:error=EBUSY"]
            arguments = self.arguments("verify", path, server, "--rebuild", "--quiet")
            result = subprocess.run([*strace, *arguments], capture_output=True, env=self.environment(), timeout=300)
            said = result.stderr.decode()
            self.assertEqual(
                (result.returncode, said),
                (2, f"pghd: {ledger}: cannot be read or written (Device or resource busy): make room, or make it writable, and "
                    "run the command again; another --ledger would know nothing of what was sent\n"),
            )
            self.assertEqual(ledger.read_bytes(), before)
            self.assertEqual([p for p in (self.folder / "ledger").iterdir() if "rebuild" in p.name], [])
            self.assertEqual(self.run_pghd("verify", path, server, "--rebuild")[0], 0)
            self.assertEqual(self.sync(path, server)["requests"], {})

    def test_a_failed_rebuild_leaves_the_damaged_ledger_in_place(self):
        path = self.export()
        with ScriptedServer(honours_if_none_exist=False) as server:
            self.sync(path, server, *self.keys)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            damage = b"no database" * 999
            ledger.write_bytes(damage)
            server.can_read = False
            code, _, said = self.run_pghd("verify", path, server, "--rebuild", *self.keys)
            self.assertEqual((code, self.ledgers()), (4, ["ledger"]), said)
            self.assertEqual(ledger.read_bytes(), damage)
            # The server has forgotten its keys: what would be sent now would be there twice.
            server.answers = {}
            posts = len(server.posts)
            self.assertEqual(self.run_pghd("sync", path, server, *self.keys)[0], 3)
            self.assertEqual(len(server.posts), posts)
            server.can_read = True
            self.assertEqual(self.run_pghd("verify", path, server, "--rebuild", *self.keys)[0], 0)
            self.assertEqual(self.ledgers(), ["ledger", "ledger.damaged"])
            self.assertEqual(self.sync(path, server, *self.keys)["requests"], {})

    def test_a_dry_run_leaves_no_copy_of_a_ledger_that_it_cannot_use(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            with sqlite3.connect(ledger) as database:
                database.execute("PRAGMA user_version = 99")
            code, _, said = self.run_pghd("sync", path, server, "--dry-run")
            self.assertEqual(code, 64, said)
            self.assertEqual(said.split(":")[1].strip(), str(ledger))
            self.assertEqual(self.ledgers(), ["ledger"])

    def test_what_a_killed_run_left_next_to_the_ledger_is_removed(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            for suffix in ".dry-run", ".rebuild":
                Path(f"{ledger}{suffix}").write_bytes(b"x" * 1000)
            self.sync(path, server)
            self.assertEqual(self.ledgers(), ["ledger"])

    def test_impossible_numbers_in_a_ledger_count_as_damage(self):
        path = self.export()
        for number, change in enumerate([
            "UPDATE keys SET number = 9223372036854775807 WHERE rowid = 1",
            "UPDATE keys SET number = 9223372036854775806 WHERE rowid = 1",
            "UPDATE keys SET memberCount = -1, liveCount = -1",
        ]):
            with self.subTest(change), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{number}")]
                self.sync(path, server, *more)
                (ledger,) = (self.folder / f"ledger{number}").glob("*.ledger")
                with sqlite3.connect(ledger) as database:
                    database.execute(change)
                code, _, said = self.run_pghd("sync", path, server, *more)
                self.assertEqual((code, said.split(": ")[2]), (3, "damaged (expected a database), and put aside"), said)

    def test_a_ledger_that_breaks_a_rule_of_its_own_or_of_sqlites_is_put_aside(self):
        path = self.export()

        def an_index_that_does_not_match(data):
            (key,), = sqlite3.connect(ledger).execute("SELECT key FROM keys WHERE number = 2")
            # The table is written before its index.
            data[data.index(key.encode()) + 5] ^= 1

        def a_later_sqlites_file(data):
            data[18] = 3

        for number, damage in enumerate([
            an_index_that_does_not_match, a_later_sqlites_file,
            "UPDATE properties SET value = 'x' WHERE name = 'scheme'",
            "UPDATE properties SET value = 'x' WHERE name = 'identityKey'",
            "INSERT INTO properties VALUES ('form', '-1')",
        ]):
            with self.subTest(damage), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{number}")]
                self.sync(path, server, *more)
                (ledger,) = (self.folder / f"ledger{number}").glob("*.ledger")
                if isinstance(damage, str):
                    with sqlite3.connect(ledger) as database:
                        database.execute(damage)
                    database.close()
                else:
                    data = bytearray(ledger.read_bytes())
                    damage(data)
                    ledger.write_bytes(data)
                code, _, said = self.run_pghd("sync", path, server, *more)
                self.assertEqual((code, said.split(": ")[2]), (3, "damaged (expected a database), and put aside"), said)
                self.sync(path, server, *more)
                self.assertEqual(set(server.store.versions.values()), {1})
                self.assertEqual(self.sync(path, server, *more)["requests"], {})

    def test_a_file_in_place_of_the_quarantine_is_named(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            quarantine = ledger.with_suffix(".quarantine")
            quarantine.write_text("")
            first = self.convert(path).read_text().splitlines()[1]
            server.refused_ids = {json.loads(first)["entry"][0]["resource"]["identifier"][0]["value"]}
            server.store.resources.clear()
            ledger.unlink()
            code, _, said = self.run_pghd("sync", path, server)
            self.assertEqual(code, 2, said)
            self.assertIn(f"pghd: {quarantine}: cannot be read or written (a file lies in the folder's place): ", said)

    def test_a_time_that_no_clock_has_shown_is_one_of_long_ago(self):
        path = self.export()
        for number, time in enumerate([2**63 - 1, 4 * 10**11 + 1]):
            with self.subTest(time), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{number}")]
                self.sync(path, server, *more)
                (ledger,) = (self.folder / f"ledger{number}").glob("*.ledger")
                with sqlite3.connect(ledger) as database:
                    database.execute("UPDATE properties SET value = 400000000000 WHERE name = 'serverOffset'")
                    ((recent,),) = database.execute("SELECT value FROM properties WHERE name = 'recent'")
                    noted = f"{time}{recent[recent.index(','):]}"
                    database.execute("UPDATE properties SET value = ? WHERE name = 'recent'", (noted,))
                self.assertEqual(self.sync(path, server, *more)["requests"], {})

    def test_an_empty_path_to_the_ledger_is_refused(self):
        code, _, said = self.run_pghd("sync", self.export(), "http://127.0.0.1:9/fhir", "--ledger", "")
        self.assertEqual(code, 64)
        self.assertIn("--ledger: empty (expected a folder): name one, or leave it out", said)


class Page(ScriptedServer):
    """A proxy stands in front of it and has lost the server that it stands for."""

    lost = False

    def handle_get(self, request):
        if self.lost:
            return self.send(request, 404, b"<html>no such site</html>", {"Content-Type": "text/html"})
        return super().handle_get(request)


class Servers(MishapTestCase):
    def test_a_404_with_a_web_page_does_not_mean_that_a_resource_is_gone(self):
        path = self.export()
        with Page() as server:
            self.sync(path, server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            before = ledger.read_bytes()
            server.lost = True
            code, _, said = self.run_pghd("verify", path, server, "--rebuild")
            self.assertEqual(code, 6, said)
            self.assertIn("/Device: answered 404 to a read (expected resources, or an OperationOutcome): ", said)
            self.assertEqual(ledger.read_bytes(), before)
            server.lost = False
            self.assertEqual(self.sync(path, server)["requests"], {})

    def test_if_a_next_link_is_not_a_url_extra_resources_are_not_counted(self):
        path = self.export()
        for link in "?page=\t2", "?page=é":
            with self.subTest(link), ScriptedServer() as server:
                search = server.search
                more = ["--ledger", str(self.folder / f"ledger{len(link)}{link[-1]}")]
                self.sync(path, server, *more)
                name = next(name for name in server.store.resources if name.startswith("Observation/"))
                other = copy.deepcopy(server.store.resources[name])
                other["identifier"][0]["value"] = "h" + "5" * 32
                server.store.put("Observation/h" + "5" * 32, other)

                def linked(kind, query, search=search, link=link, base=server.base):
                    page = search(kind, query)
                    if "_elements" in query:
                        page["link"] = [{"relation": "next", "url": f"{base}/{kind}{link}"}]
                    return page

                server.search, server.page_size = linked, 20
                code, report, said = self.run_pghd("verify", path, server, *more)
                self.assertEqual((code, report["missing"], report["extra"]), (0, 0, None), said)

    def test_an_error_that_no_later_try_mends_is_reported_at_once(self):
        path = self.export()
        with ScriptedServer() as server:
            base = server.base.replace("http://", "https://")
            code, _, said = self.run_pghd("sync", path, base, "--ca-file", str(self.folder / "none.pem"))
            self.assertEqual((code, "trying for" in said), (64, False), said)

    def test_a_missing_export_is_reported_before_a_server_is_waited_for(self):
        for command in "sync", "verify":
            code, _, said = self.run_pghd(command, self.folder / "none.zip", "http://127.0.0.1:9/fhir")
            self.assertEqual((code, "trying for" in said), (2, False), said)

    def test_one_refused_bundle_does_not_stop_a_run_to_a_key_only_server(self):
        path = self.export(exports.samples(400))
        with ScriptedServer(honours_if_none_exist=False) as server:
            lines = self.convert(path, "--conditional").read_text().splitlines()
            bundles = [json.loads(line)["entry"] for line in lines]
            largest = max(bundles, key=len)
            self.assertGreater(len(largest) * 20, 600)
            server.refused_ids = {value(largest[-1])}
            report = self.sync(path, server, *self.keys, code=6)
            count = len([entry for entry in largest if entry["resource"]["resourceType"] == "Observation"])
            self.assertEqual((len(server.ids()), report["refused"]), (600 - count, count))

    def test_an_empty_ledger_and_a_key_only_server_that_cannot_be_searched_give_a_warning(self):
        with ScriptedServer(honours_if_none_exist=False) as server:
            server.has_search = False
            said = self.run_pghd("sync", self.export(), server, *self.keys)[2]
            self.assertEqual(
                said,
                f"pghd: {server.base}: can't be searched, and the ledger knows nothing: what was delivered before, from "
                "another machine, to another address or with a ledger that is lost, is stored a second time\n",
            )
            self.assertEqual(self.run_pghd("sync", self.export(), server, *self.keys)[2], "")

    def test_an_empty_ledger_gives_a_warning_if_an_older_version_could_come_back(self):
        for reads, searches in (False, True), (True, False):
            with self.subTest(reads=reads), ScriptedServer() as server:
                server.can_read, server.has_search = reads, searches
                more = ["--ledger", str(self.folder / f"ledger{reads}")]
                code, _, said = self.run_pghd("sync", self.export(), server, *more)
                self.assertEqual(
                    (code, len(server.ids()), said),
                    (
                        0, 60,
                        f"pghd: {server.base}: can't be searched, and the ledger knows nothing: what was delivered before from "
                        "a later export, from another machine or with a ledger that is lost, may be replaced by an older "
                        "version\n",
                    ),
                )

    def test_what_only_an_older_export_holds_waits_until_a_key_only_server_can_be_read(self):
        newer, older = self.export(self.samples[:40], "newer", day=5), self.export(self.samples, "older", day=2)
        with ScriptedServer(honours_if_none_exist=False) as server:
            self.sync(newer, server, *self.keys)
            posts = len(server.posts)
            server.can_read = False
            code, report, said = self.run_pghd("sync", older, server, *self.keys)
            # Another machine may have delivered it: it would be there twice.
            self.assertEqual((code, report["delivered"], len(server.posts)), (4, 0, posts), said)
            server.can_read = True
            self.assertEqual(self.sync(older, server, *self.keys)["delivered"], 20)
            self.assertEqual((len(server.ids()), set(server.ids().values())), (60, {1}))

    def test_nothing_is_sent_while_a_gateway_cannot_reach_its_server(self):
        for status in 502, 504:
            with self.subTest(status), Proxied() as server:
                server.instead = [("_summary=count", status, b"<html>Bad Gateway</html>", "text/html")]
                more = ["--ledger", str(self.folder / f"ledger{status}")]
                self.assertEqual(self.run_pghd("sync", self.export(), server, *more, "--retry-for", "1")[0], 3)
                self.assertEqual(server.posts, [])
                server.instead = []
                self.sync(self.export(), server, *more)
                self.assertEqual(len(server.ids()), 60)

    def test_without_home_a_missing_ledger_folder_is_reported_before_the_server_is_asked(self):
        outcome = subprocess.run(
            [PGHD, "sync", self.export(), "--patient", "p1", "--server", "http://127.0.0.1:9/fhir", "--no-sign-in"],
            capture_output=True, text=True, env={"PATH": os.environ["PATH"]}, timeout=60,
        )
        self.assertEqual(outcome.returncode, 64, outcome.stderr)
        self.assertEqual([line[:40] for line in outcome.stderr.splitlines()][:1], ["pghd: --ledger: missing, and HOME is not"])

    def test_a_garbled_answer_does_not_mean_that_a_server_cannot_be_searched(self):
        # Everything would be stored once more: the server's keys are forgotten, and the ledger is lost.
        page = b"<html>One moment, please</html>"
        for name, status, body in ("page", 200, page), ("empty", 200, b""), ("cut", 200, b'{"resourceType":"Bun'), ("404", 404, page):
            with self.subTest(name), Proxied(honours_if_none_exist=False) as server:
                more = [*key_options(self.folder), "--ledger", str(self.folder / name)]
                self.sync(self.export(), server, *more)
                server.answers.clear()
                server.instead, server.instead_count = [("_summary=count", status, body, "text/html")], 2
                more[-1] += "-lost"
                code, report, said = self.run_pghd("sync", self.export(), server, *more)
                self.assertEqual((code, report["delivered"]), (0, 0), said)
                self.assertIn("has 60 resources of this patient that the ledger does not know: reads them first", said)
                self.assertEqual(set(server.ids().values()), {1})

    def test_the_ledger_of_another_patient_is_refused(self):
        folder = self.folder / "ledger"
        with ScriptedServer() as server:
            self.sync(self.export(), server)
            (mine,) = folder.glob("*.ledger")
            self.assertEqual(self.run_pghd("sync", self.export(), server, "--patient", "p2")[0], 0)
            (other,) = set(folder.glob("*.ledger")) - {mine}
            other.write_bytes(mine.read_bytes())
            sentence = (
                f"pghd: {other}: holds another server's or patient's ledger (expected that of --server and --patient): "
                "put it back where it was, or move it away\n"
            )
            for name, *more in (["sync", "--delete"], ["verify", "--rebuild"]):
                code, _, said = self.run_pghd(name, self.export(), server, "--patient", "p2", *more)
                self.assertEqual((code, said), (64, sentence))
                self.assertEqual(other.read_bytes(), mine.read_bytes())
            command = [PGHD, "status", "--server", server.base, "--patient", "p2", "--ledger", str(folder), "--json"]
            status = subprocess.run(command, capture_output=True, text=True, env=self.environment(), stdin=subprocess.DEVNULL)
            self.assertEqual((status.returncode, status.stderr), (2, sentence))
            self.assertEqual(
                json.loads(status.stdout)[0]["ledger"], {"patient": "p2", "file": str(other), "state": "misplaced"}
            )


class Stops(MishapTestCase):
    @unittest.skipUnless(os.geteuid() == 0, "needs root, to make a namespace")
    def test_a_second_signal_also_ends_the_first_process_of_a_container(self):
        # The system's default action at a signal spares that process.
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 503, "sleep": 90}]
            container = subprocess.Popen(
                ["unshare", "--pid", "--fork", "--mount-proc", *self.arguments("sync", self.export(), server)],
                env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            self.until(lambda: server.in_flight)
            (inner,) = Path(f"/proc/{container.pid}/task/{container.pid}/children").read_text().split()
            os.kill(int(inner), signal.SIGTERM)
            time.sleep(3)
            self.assertIsNone(container.poll())
            os.kill(int(inner), signal.SIGTERM)
            self.assertEqual(container.wait(timeout=60), 128 + signal.SIGTERM)

    def held(self, path, server):
        """A sync whose posts wait at the server's gate; its standard error can be read."""
        server.gate = threading.Event()
        process = subprocess.Popen(
            self.arguments("sync", path, server), env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True,
        )
        self.until(lambda: server.in_flight)
        return process

    def test_a_ledger_or_lock_that_is_moved_during_a_run_is_reported(self):
        path, ledger = self.export(), self.folder / "ledger"
        for away in ledger, ledger / "lock":
            with self.subTest(away.name), ScriptedServer() as server:
                process = self.held(path, server)
                place = away if away == ledger else next(ledger.glob("*.lock"))
                place.rename(self.folder / "elsewhere")
                server.gate.set()
                said = process.communicate(timeout=300)[1]
                self.assertEqual(process.returncode, 2)
                self.assertIn(".ledger: was moved or removed while the run was at work (expected it where it was)", said)
                (self.folder / "elsewhere").rename(place)
                self.assertEqual(self.sync(path, server)["delivered"], 0)
                shutil.rmtree(ledger)

    def test_a_ledger_that_is_replaced_by_a_copy_during_a_run_is_reported(self):
        path, copy = self.export(), self.folder / "copy"
        with ScriptedServer() as server:
            process = self.held(path, server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            shutil.copy(ledger, copy)
            copy.rename(ledger)
            server.gate.set()
            said = process.communicate(timeout=300)[1]
            self.assertEqual(process.returncode, 2)
            self.assertIn(f"pghd: {ledger}: was moved or removed while the run was at work", said)

    def test_a_bundle_that_is_refused_during_a_stop_is_not_counted_as_refused(self):
        path = self.export()
        for status in 413, 422:
            with self.subTest(status), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{status}")]
                server.faults, server.gate = [{"kind": "status", "status": status}], threading.Event()
                process = subprocess.Popen(
                    self.arguments("sync", path, server, *more), env=self.environment(), stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
                self.until(lambda: server.in_flight)
                self.interrupt(process)
                server.gate.set()
                report = json.loads(process.communicate(timeout=300)[0])
                self.assertEqual((process.returncode, report["refused"]), (130, 0))
                self.assertEqual(list((self.folder / f"ledger{status}").glob("*.quarantine")), [])
                self.assertEqual(self.sync(path, server, *more)["refused"], 0)
                self.assertEqual(len(server.ids()), 60)

    def test_a_bundle_that_may_be_stored_stays_open_if_it_is_refused_after_a_stop(self):
        changed = [dataclasses.replace(sample, note="newer") for sample in self.samples[:6]] + self.samples[6:]
        days = self.samples, changed, self.samples
        first, newer, again = (self.export(held, name=f"{day}", day=day) for day, held in enumerate(days, 1))
        with ScriptedServer() as server:
            self.sync(first, server)
            stored = server.named_contents()
            # All is stored and the answer lost; then it is refused as a whole, once the run was told to end.
            server.faults = [{"kind": "reset-after"}, {"kind": "status", "status": 422}]
            again_posted, opens = threading.Event(), threading.Event()
            server.begun, server.gate, server.gate_behind = itertools.count(), HeldGate(again_posted, opens), 1
            process = subprocess.Popen(
                self.arguments("sync", newer, server), env=self.environment(), stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            self.until(lambda: again_posted.is_set())
            self.interrupt(process)
            opens.set()
            self.assertEqual(process.wait(timeout=300), 130)
            self.assertNotEqual(server.named_contents(), stored)
            self.sync(again, server)
            self.assertEqual(server.named_contents(), stored)


class Answers(MishapTestCase):
    def test_an_answer_that_is_too_large_ends_the_run_at_once_and_is_not_a_refusal(self):
        path = self.export()
        for options in [], ["--conditional"], self.keys:
            with self.subTest(options[:1]), ScriptedServer() as server:
                more = [*options, "--ledger", str(self.folder / f"ledger{len(options)}"), "--concurrency", "1"]
                server.faults = [{"kind": "huge"}] * 20
                report = self.sync(path, server, *more, code=3)
                self.assertEqual((len(server.posts), report["refused"], report["uncertain"] > 0), (1, 0, True))
                server.faults = []
                self.assertEqual(self.sync(path, server, *more)["uncertain"], 0)
                self.assertEqual((len(server.ids()), set(server.ids().values())), (60, {1}))

    def test_a_ledger_that_another_program_has_locked_is_waited_for(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            other = sqlite3.connect(ledger, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            process = subprocess.Popen(
                self.arguments("sync", self.export([*self.samples, *exports.samples(3, seed=7)], "new", day=2), server),
                env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            time.sleep(2)
            other.execute("COMMIT")
            other.close()
            self.assertEqual(process.wait(timeout=120), 0)


class Overwritten(MishapTestCase):
    def test_a_zip_that_is_overwritten_while_it_is_read_yields_nothing_made_up(self):
        """One export's first bytes followed by another's inflate to text that neither holds."""
        old = exports.samples(20000, seed=3)
        new = [sample for sample in old if sample.start // 60 % 9]
        whole = [self.export(old, "old"), self.export(new, "new", day=2)]
        known = {content for path in whole for content in self.named_resources(path)}
        path = self.folder / "export.zip"
        shutil.copy(whole[0], path)
        with ScriptedServer() as server:
            server.delay = 0.05
            process = subprocess.Popen(
                self.arguments("sync", path, server, "--concurrency", "1"), env=self.environment(),
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            )
            self.until(lambda: len(server.posts) >= 14)
            # In place, as cp does.
            shutil.copy(whole[1], path)
            server.delay = 0
            said = process.communicate(timeout=300)[1]
            self.assertEqual(process.returncode, 1, said)
            self.assertIn("the file was written to while it was read", said)
            self.assertLessEqual(set(server.named_contents()), known)
            self.sync(path, server)
            self.assertLessEqual(set(self.named_resources(path)), set(server.named_contents()))
            self.assertLessEqual(set(server.named_contents()), known)


class Disk(MishapTestCase):
    """disk.c is loaded before the system's library: what can't be read for a moment is not damaged."""

    @classmethod
    def setUpClass(cls):
        cls.library = preloaded("disk", cls.enterClassContext(tempfile.TemporaryDirectory(prefix="pghd-disk-")))

    def setUp(self):
        super().setUp()
        self.dial = self.folder / "dial"
        self.zip = self.export(exports.samples(13000))
        self.xml = self.zip.with_suffix(".xml")
        heart = self.folder / "unpacked" / "electrocardiograms" / "ecg.csv"
        heart.parent.mkdir(parents=True)
        shutil.copy(self.xml, self.folder / "unpacked")
        rows = "Name,\nDate of Birth,\nRecorded Date,2024-03-01 09:31:02 +0000\nSample Rate,512 hertz\n\n"
        heart.write_text(rows + "12.345\n" * 120000)
        self.exports = (self.zip, self.zip), (self.xml, self.xml), (self.folder / "unpacked", heart)

    def environment(self):
        return super().environment() | {
            "LD_PRELOAD": f"{self.library} {quick_derivation()}", "PGHD_TEST_DISK": str(self.dial),
        }

    def test_convert_writes_nothing_of_an_export_that_could_not_be_read_to_its_end(self):
        for path, failing in self.exports:
            with self.subTest(path.name):
                self.dial.unlink(missing_ok=True)
                target = self.convert(path)
                whole = target.read_bytes()
                self.dial.write_text(failing.name)
                command = [PGHD, "convert", path, "--patient", "p1", "-o", target, "--force", "--quiet"]
                result = subprocess.run(command, capture_output=True, env=self.environment(), text=True)
                said = (
                    f"pghd: {path}: reading failed with system error 5, Input/output error (expected a readable file): "
                    "check the disk and try again\n"
                )
                self.assertEqual((result.returncode, result.stderr), (2, said))
                self.assertEqual(target.read_bytes(), whole)

    def test_after_a_failed_read_a_sync_ends_with_2_and_the_next_one_sends_everything(self):
        for path, failing in self.exports:
            with self.subTest(path.name), ScriptedServer() as server:
                self.dial.write_text(failing.name)
                code, report, said = self.run_pghd("sync", path, server)
                self.assertEqual(code, 2, said)
                self.assertIn("reading failed with system error 5", said)
                self.dial.unlink()
                self.sync(path, server)
                self.assertEqual(server.named_contents(), self.named_resources(path))
                shutil.rmtree(self.folder / "ledger")

    def test_an_export_of_unknown_samples_that_cannot_be_read_is_reported_and_not_sent(self):
        mine = self.folder / "mine.xml"
        exports.write(mine, exports.samples(200, seed=2), birth="")
        exports.write(self.xml, exports.samples(4000), day=2, birth="")
        with ScriptedServer() as server:
            self.sync(mine, server)
            posts = len(server.posts)
            self.dial.write_text(self.xml.name)
            code, _, said = self.run_pghd("sync", self.xml, server)
            self.assertEqual((code, len(server.posts)), (2, posts), said)
            self.assertIn("reading failed with system error 5", said)
            self.dial.unlink()
            self.assertEqual(self.run_pghd("sync", self.xml, server)[0], 64)


class Deletions(MishapTestCase):
    def test_what_is_stored_with_a_link_to_a_refused_member_is_not_offered_for_deletion(self):
        path = self.elements("walk", 2, workout(45, sum_of("StepCount", 102), sum_of("FlightsClimbed", 3)))
        for form in ["--conditional"], self.keys:
            for refused in range(3):
                with self.subTest(form=form[0], refused=refused), ScriptedServer(
                    honours_if_none_exist="--api" not in form
                ) as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{refused}")]
                    server.faults = [{"entries": {refused: 422}}]
                    report = self.sync(path, server, *more, "--delete", "--max-delete", "9", code=6)
                    self.assertEqual((report["deletionsOffered"], self.marked(server)), (0, []))

    def test_a_version_that_once_lost_and_is_now_alone_is_not_offered_for_deletion(self):
        def steps(count, note):
            return (
                '<Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" '
                f'startDate="2024-03-01 08:00:00 +0000" endDate="2024-03-01 08:10:00 +0000" value="{count}">'
                f'<MetadataEntry key="note" value="{note}"/></Record>\n'
            )

        both = self.elements("both", 1, steps(10, "a"), steps(10, "b"))
        for note in "a", "b":
            alone = self.elements(f"alone{note}", 2, steps(10, note))
            with self.subTest(note), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{note}")]
                self.sync(both, server, *more)
                report = self.sync(alone, server, *more, "--delete", "--max-delete", "0")
                self.assertEqual((report["deletionsOffered"], self.marked(server)), (0, []))
                (stored,) = [r for name, r in server.store.resources.items() if name.startswith("Observation/")]
                self.assertIn(f'"{note}"', json.dumps(stored))

    def test_an_older_export_reverts_nothing_after_a_run_with_too_many_deletions(self):
        def noted(note):
            return [dataclasses.replace(self.samples[5], note=note), *self.samples[6:]]

        first = self.export([*self.samples[:5], *noted("1")], "first", day=1)
        second = self.export([*self.samples[:5], *noted("2")], "second", day=2)
        third = self.export(noted("3"), "third", day=3)
        with ScriptedServer() as server:
            self.sync(first, server)
            code, _, said = self.run_pghd("sync", third, server, "--delete", "--max-delete", "1")
            self.assertEqual(code, 64, said)
            report = self.sync(second, server)
            self.assertEqual((report["delivered"], report["outdated"]), (0, 1))
            self.assertIn('"3"', "".join(text for _, text in server.contents()))

class Proxies(MishapTestCase):
    """What stands in front of a server answers in its place."""

    pages = [
        ("text/plain", b"404 page not found\n"), ("application/json", b'{"message":"no Route matched"}'),
        ("text/html", b"<html>Not found</html>"), ("application/fhir+json", b""),
    ]

    def test_a_proxys_404_does_not_count_as_a_deletion(self):
        for number, (kind, body) in enumerate(self.pages):
            with self.subTest(kind), Proxied() as server:
                more = ["--ledger", str(self.folder / f"ledger{number}"), "--delete", "--max-delete", "9"]
                self.sync(self.export(), server, *more)
                later = self.export(self.samples[3:], name="later", day=2)
                server.instead = [("/Observation/", 404, body, kind)]
                report = self.sync(later, server, *more, code=6)
                self.assertEqual((report["deletionsDone"], report["deletionsRefused"]), (0, 3))
                server.instead = []
                self.assertEqual(self.sync(later, server, *more)["deletionsDone"], 3)
                self.assertEqual(len(self.marked(server)), 3)

    def test_a_proxys_404_does_not_make_a_later_run_send_everything_again(self):
        for number, (kind, body) in enumerate(self.pages):
            with self.subTest(kind), Proxied() as server:
                more = ["--ledger", str(self.folder / f"ledger{number}")]
                self.sync(self.export(), server, *more)
                server.takes_lists = False
                server.instead = [("/Observation", 404, body, kind)]
                self.run_pghd("verify", self.export(), server, "--rebuild", *more)
                server.instead = []
                self.assertEqual(self.sync(self.export(), server, *more)["requests"], {})

    def test_nothing_is_sent_for_a_patient_that_could_not_be_read(self):
        odd = [(404, body, kind) for kind, body in self.pages]
        said_of = "answered {} to a read (expected resources, or an Operation"
        odd = [(*answer, 6, said_of.format(answer[0])) for answer in [*odd, (200, b"<html>Sign in</html>", "text/html")]]
        odd.append((302, b"", "text/html", 3, "the server redirects"))
        for number, (*answer, expected, words) in enumerate(odd):
            with self.subTest(answer), Proxied() as server:
                server.store.put("Patient/p1", {"resourceType": "Patient", "gender": "male", "birthDate": "1955-01-01"})
                server.instead = [("/Patient/p1", *answer)]
                more = ["--ledger", str(self.folder / f"ledger{number}")]
                code, _, said = self.run_pghd("sync", self.export(), server, *more)
                self.assertEqual((code, server.posts), (expected, []), said)
                self.assertIn(f"/Patient: {words}", said)
                server.instead = []
                self.assertEqual(self.run_pghd("sync", self.export(), server, *more)[0], 64)

    def test_a_server_that_answers_with_a_bare_404_is_searched(self):
        for number, (kind, body) in enumerate(self.pages):
            with self.subTest(kind), Proxied() as server:
                more = ["--ledger", str(self.folder / f"ledger{number}")]
                # It has no such Patient.
                server.instead = [(f"/{name}/", 404, body, kind) for name in ("Patient", "Observation", "Device")]
                self.sync(self.export(), server, *more)
                self.assertEqual(self.run_pghd("verify", self.export(), server, *more)[0], 0)
                server.store.resources.clear()
                server.store.names.clear()
                self.assertEqual(self.run_pghd("sync", self.export(), server, *more)[0], 64)

    def test_a_search_that_counts_one_match_but_returns_none_does_not_mean_that_it_is_gone(self):
        page = json.dumps({"resourceType": "Bundle", "type": "searchset", "total": 1}).encode()
        later = self.export(self.samples[3:], name="later", day=2)
        for number, (kind, body) in enumerate(self.pages):
            with self.subTest(kind), Proxied() as server:
                more = ["--ledger", str(self.folder / f"ledger{number}"), "--delete", "--max-delete", "9"]
                self.sync(self.export(), server, *more)
                server.instead = [("/Observation/", 404, body, kind), ("_id=", 200, page, "application/fhir+json")]
                report = self.sync(later, server, *more, code=6)
                self.assertEqual((report["deletionsDone"], report["deletionsRefused"]), (0, 3))
                server.instead = []
                self.assertEqual(self.sync(later, server, *more)["deletionsDone"], 3)

    def test_a_patient_that_may_not_be_read_is_compared_as_soon_as_it_may_be(self):
        for number, form in enumerate([[], self.keys]):
            with self.subTest(form), Proxied(honours_if_none_exist=not form) as server:
                server.store.put("Patient/p1", {"resourceType": "Patient", "gender": "male", "birthDate": "1955-01-01"})
                server.instead = [("/Patient/p1", 403 if not form else 404, b"{}", "application/json")]
                more = [*form, "--ledger", str(self.folder / f"ledger{number}")]
                self.sync(self.export(), server, *more)
                self.sync(self.export(), server, *more)
                server.instead = []
                code, _, said = self.run_pghd("sync", self.export(), server, *more)
                self.assertEqual(code, 64, said)
                self.assertIn("differs from that of the server's Patient", said)

    def test_a_sex_that_an_export_lacks_is_compared_as_soon_as_a_later_one_gives_it(self):
        with Proxied() as server:
            server.store.put("Patient/p1", {"resourceType": "Patient", "gender": "male", "birthDate": "1980-02-03"})
            server.instead = [("/Patient/p1", 403, b"{}", "application/json")]
            self.sync(self.export(), server)
            server.instead = []
            self.sync(self.export(name="less", sex="HKBiologicalSexNotSet"), server)
            code, _, said = self.run_pghd("sync", self.export(), server)
            self.assertEqual(code, 64, said)
            self.assertIn("differs from that of the server's Patient", said)

    def test_a_key_only_server_in_trouble_is_not_taken_for_one_that_cannot_be_searched(self):
        with Proxied(honours_if_none_exist=False) as server:
            self.sync(self.export(), server, *self.keys)
            shutil.rmtree(self.folder / "ledger")
            # A day later the server has forgotten its keys.
            server.answers = {}
            page = 502, b"<html>Bad Gateway</html>", "text/html"
            server.instead = [("_summary=count", *page)]
            posts = len(server.posts)
            self.assertEqual(self.run_pghd("sync", self.export(), server, *self.keys, "--retry-for", "1")[0], 3)
            self.assertEqual(len(server.posts), posts)
            server.instead = []
            self.sync(self.export(), server, *self.keys)
            self.assertEqual(set(server.ids().values()), {1})


class Refusals(MishapTestCase):
    def test_a_key_only_server_that_refuses_most_bundles_stops_the_run(self):
        class Refusing(ScriptedServer):
            def answer_post(self, request, body, fault):
                fault = {"kind": "status", "status": 422} if len(self.posts) >= 20 else fault
                return super().answer_post(request, body, fault)

        with Refusing(honours_if_none_exist=False) as server:
            path = self.export(exports.samples(9000))
            report = self.sync(path, server, *self.keys, "--concurrency", "1", code=6)
            # Ten in a row are more than a twentieth.
            self.assertEqual(report["bundlesDelivered"], 20)
            self.assertEqual(len(server.posts), 30)

    def test_a_rebuild_keeps_the_quarantine_file_of_what_is_still_refused(self):
        path = self.export()
        with ScriptedServer() as server:
            ids = [r["identifier"][0]["value"] for _, r in self.entries(path) if r["resourceType"] == "Observation"]
            server.refused_ids = {ids[3]}
            self.sync(path, server, code=6)
            (file,) = (self.folder / "ledger").glob("*.quarantine/*")
            self.run_pghd("verify", path, server, "--rebuild")
            self.sync(path, server, "--types", "FlightsClimbed")
            self.assertEqual(list((self.folder / "ledger").glob("*.quarantine/*")), [file])
            server.refused_ids = set()
            self.sync(path, server)
            self.assertEqual(list((self.folder / "ledger").glob("*.quarantine/*")), [])


class HeldGate:
    """A gate that tells when a post has come to it."""

    def __init__(self, reached, opens):
        self.reached, self.opens = reached, opens

    def wait(self, seconds):
        self.reached.set()
        self.opens.wait(seconds)


class Proxied(ScriptedServer):
    """A server behind a proxy that itself answers reads with one of these in their path."""

    instead = []
    # How often; None means always.
    instead_count = None

    def handle_get(self, request):
        for part, status, body, kind in self.instead:
            if part in request.path and self.instead_count != 0:
                if self.instead_count:
                    self.instead_count -= 1
                return self.send(request, status, body, {"Content-Type": kind})
        return super().handle_get(request)


if __name__ == "__main__":
    unittest.main()
