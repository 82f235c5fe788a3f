"""`pghd status --patient`: what is synced according to the ledger, which is read and left unchanged.

    python3 Tests/Delivery/test_status.py
"""

import datetime
import json
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

import exports
from delivery import PGHD, DeliveryTestCase
from scripted_server import ScriptedServer


class Status(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.export = exports.write(self.folder / "export.xml", exports.samples(20))

    def everybody(self, *more, code=0):
        """What is printed on both streams about all ledgers."""
        result = subprocess.run(
            [PGHD, "status", "--patients", "--ledger", str(self.folder / "ledger"), *more],
            capture_output=True, text=True, env=self.environment(), stdin=subprocess.DEVNULL,
        )
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout, result.stderr

    def status(self, server, *more, code=4, variables=None, patient="p1"):
        """What is printed on both streams; nobody is signed in."""
        base = ["--server", server.base] if server else []
        result = subprocess.run(
            [PGHD, "status", *base, "--patient", patient, "--ledger", str(self.folder / "ledger"), *more],
            capture_output=True, text=True, env={**self.environment(), **(variables or {})}, stdin=subprocess.DEVNULL,
        )
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout, result.stderr

    def ledger(self):
        return next((self.folder / "ledger").glob("*.ledger"))

    def files(self):
        """Every file in the ledgers' folder."""
        return sorted((path.name, path.stat().st_mtime_ns, path.read_bytes()) for path in (self.folder / "ledger").iterdir())

    def test_status_shows_what_a_run_has_synced_and_leaves_the_ledger_as_it_is(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            live = len(server.contents())
            before = self.files()
            printed, said = self.status(server)
            self.assertEqual((printed, said), (
                f"nobody is signed in to {server.base}\n"
                "\n"
                "Patient/p1\n"
                "  last export    2024-04-02T07:00:00Z\n"
                f"  on the server  {live} resources\n"
                "  refused        0 resources\n"
                "  uncertain      0 resources\n"
                f"  ledger         {self.ledger()}\n",
                "",
            ))
            printed, said = self.status(server, "--json")
            self.assertEqual((json.loads(printed), said), ([{
                "server": server.base, "signedIn": False,
                "ledger": {
                    "patient": "p1", "file": str(self.ledger()), "state": "readable", "exportDate": "2024-04-02T07:00:00Z",
                    "live": live, "refused": 0, "uncertain": 0, "enteredInError": 0, "openBundles": 0,
                },
            }], ""))
            self.assertEqual(self.files(), before)

    def test_a_keystore_that_stays_locked_does_not_keep_a_ledger_from_being_shown(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            keystore = self.folder / "home" / ".local" / "share" / "pghd" / "keystore"
            keystore.parent.mkdir(parents=True, mode=0o700)
            keystore.write_bytes(b"no keystore")
            keystore.chmod(0o600)
            printed, said = self.status(server, code=5)
            self.assertTrue(
                printed.startswith(f"{server.base}\n  signed in      not known\n\nPatient/p1\n  last export "), printed
            )
            self.assertTrue(said.startswith(f"pghd: {keystore}: "), said)
            (found,) = json.loads(self.status(server, "--json", code=5)[0])
            self.assertEqual((found["signedIn"], found["ledger"]["state"]), (None, "readable"))

    def test_an_export_dated_in_the_future_is_shown_with_the_day_it_was_delivered(self):
        ahead = exports.write(self.folder / "ahead.xml", exports.samples(20), day=25_567)
        with ScriptedServer() as server:
            before = int(time.time())
            self.sync(ahead, server)
            told = json.loads(self.status(server, "--json")[0])[0]["ledger"]["exportDate"]
            told = datetime.datetime.fromisoformat(told.replace("Z", "+00:00")).timestamp()
            self.assertTrue(before <= told <= time.time(), told)

    def test_refused_resources_are_counted(self):
        values = sorted(
            entry["resource"]["identifier"][0]["value"] for line in self.convert(self.export).read_text().splitlines()
            for entry in json.loads(line)["entry"] if entry["resource"]["resourceType"] == "Observation"
        )
        with ScriptedServer() as server:
            server.refused_ids = set(values[:3])
            self.sync(self.export, server, code=6)
            found = json.loads(self.status(server, "--json")[0])[0]["ledger"]
            self.assertEqual((found["live"], found["refused"]), (len(server.contents()), 3))
            self.assertIn("  refused        3 resources\n", self.status(server)[0])

    def test_each_state_of_a_resource_is_counted_under_its_own_name(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            live = len(server.contents())
            with sqlite3.connect(self.ledger()) as ledger:
                # States as docs/formats.md numbers them; what the server does not have (4) is not shown.
                members = ledger.execute("SELECT high, low FROM members ORDER BY high, low").fetchall()
                for state, member in zip([0, 0, 0, 2, 2, 3, 4, 4, 4, 4], members):
                    ledger.execute("UPDATE members SET state = ? WHERE high = ? AND low = ?", [state, *member])
            ledger.close()
            found = json.loads(self.status(server, "--json")[0])[0]["ledger"]
            self.assertEqual(
                [found[name] for name in ("live", "refused", "uncertain", "enteredInError", "openBundles")],
                [live - 10, 1, 3, 2, 0],
            )
            self.assertIn("  refused        1 resource\n  uncertain      3 resources\n", self.status(server)[0])

    def test_the_log_that_a_killed_run_left_is_read_and_stays(self):
        with ScriptedServer(delay=60) as server:
            process = subprocess.Popen(
                self.arguments("sync", self.export, server), env=self.environment(), stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            self.until(lambda: server.in_flight)
            # Also while a run is at work: stopped, so that it can't open another Bundle in between, and not in the
            # middle of a commit, which is in the log before others see it.
            seen = [None]

            def is_at_rest():
                seen.append(self.files())
                return seen[-1] == seen[-2]

            self.until(is_at_rest, pause=0.3)
            process.send_signal(signal.SIGSTOP)
            beside = json.loads(self.status(server, "--json")[0])[0]["ledger"]
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertTrue([name for name, _, _ in self.files() if name.endswith("-wal")])
            before = self.files()
            found = json.loads(self.status(server, "--json")[0])[0]["ledger"]
            self.assertEqual(self.files(), before)
            self.assertEqual(found, beside)
            self.assertNotIn("exportDate", found)
            self.assertGreaterEqual(found["openBundles"], 1)
            self.assertEqual(found["live"], 0)
            self.assertIn("  last export    none was sent to its end\n", self.status(server)[0])
            self.assertIn(f"  on the way     {found['openBundles']} Bundle", self.status(server)[0])

    def test_a_copy_without_the_index_of_its_log_is_reported_with_what_rebuilds_it(self):
        with ScriptedServer(delay=60) as server:
            process = subprocess.Popen(
                self.arguments("sync", self.export, server), env=self.environment(), stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            self.until(lambda: server.in_flight)
            process.send_signal(signal.SIGKILL)
            process.wait()
            ledger = self.ledger()
            ledger.with_name(ledger.name + "-shm").unlink()
            before = self.files()
            printed, said = self.status(server, code=2)
            self.assertEqual(self.files(), before)
            self.assertIn(f"  ledger         can't be used ({ledger})\n", printed)
            self.assertEqual(said, (
                f"pghd: {ledger}: a copy whose log has no index: run 'pghd sync' or 'pghd verify' once, "
                "which rebuilds it\n"
            ))
            server.delay = 0
            self.sync(self.export, server)
            self.assertEqual(json.loads(self.status(server, "--json")[0])[0]["ledger"]["live"], len(server.contents()))

    def test_a_missing_ledger_is_reported_and_none_is_made(self):
        with ScriptedServer() as server:
            printed, said = self.status(server)
            self.assertRegex(printed, r"\n  ledger         none: nothing was delivered from here \(.*/ledger/[0-9a-f]{32}\.ledger\)\n$")
            self.assertFalse((self.folder / "ledger").exists())
            found = json.loads(self.status(server, "--json")[0])[0]["ledger"]
            self.assertEqual((list(found), found["state"]), (["file", "patient", "state"], "none"))

    def test_a_damaged_ledger_is_reported_and_stays(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            ledger = self.ledger()
            whole = ledger.read_bytes()
            for content in [b"no database at all" * 99, whole[:4096] + bytes(4096) + whole[8192:], whole[:5000]]:
                with self.subTest(len(content)):
                    ledger.write_bytes(content)
                    before = self.files()
                    printed, said = self.status(server, code=2)
                    self.assertIn(f"  ledger         can't be used ({ledger})\n", printed)
                    self.assertEqual(said, (
                        f"pghd: {ledger}: damaged (expected a ledger): the next sync puts it aside and asks the "
                        "server; with --api observations run 'pghd verify --rebuild' with the same options first\n"
                    ))
                    self.assertEqual(json.loads(self.status(server, "--json", code=2)[0])[0]["ledger"]["state"], "damaged")
                    self.assertEqual(self.files(), before)

    def test_a_ledger_of_a_later_version_is_reported(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            database = sqlite3.connect(self.ledger())
            database.execute("PRAGMA user_version = 7")
            database.commit()
            database.close()
            _, said = self.status(server, code=2)
            self.assertEqual(said, f"pghd: {self.ledger()}: written by a later pghd (version 7): use that one\n")

    def test_server_and_ledger_may_come_from_the_environment(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            result = subprocess.run(
                [PGHD, "status", "--patient", "p1", "--json"], capture_output=True, text=True,
                env={**self.environment(), "PGHD_SERVER": server.base + "/", "PGHD_LEDGER": str(self.folder / "ledger")},
            )
            self.assertEqual(json.loads(result.stdout)[0]["ledger"]["state"], "readable", result.stderr)
            # Without a patient all sign-ins are shown, whatever the environment says.
            result = subprocess.run(
                [PGHD, "status"], capture_output=True, text=True, env={**self.environment(), "PGHD_SERVER": server.base},
            )
            self.assertEqual((result.stdout, result.returncode), ("nobody is signed in\n", 0))

    def test_a_ledger_folder_of_any_name_is_read(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            odd = self.folder / "a b?c#d%41ä"
            shutil.move(self.folder / "ledger", odd)
            printed, _ = self.status(server, "--json", "--ledger", str(odd))
            self.assertEqual(json.loads(printed)[0]["ledger"]["state"], "readable")

    def test_wrong_options_are_refused(self):
        for arguments, words in [
            (["--patient", "p1"], "--server is missing (expected the base URL of a FHIR server, at which --patient is)"),
            (["--ledger", "here"], "--ledger: nobody's (expected --patient or --patients too, whose ledgers are read): add one"),
            (["--patients", "--patient", "p1"], "--patients: with --patient (expected one of them): leave one out"),
            (["--patient", "no id!", "--server", "http://127.0.0.1:9/fhir"], "--patient"),
        ]:
            with self.subTest(arguments):
                result = subprocess.run([PGHD, "status", *arguments], capture_output=True, text=True, env=self.environment())
                self.assertEqual(result.returncode, 64, result.stderr)
                self.assertIn(words, result.stderr)

    def test_all_patients_are_shown_on_a_line_each_without_opening_the_keystore(self):
        with ScriptedServer() as server, ScriptedServer() as other:
            for patient in ("p1", "somebody.with-a-longer-id"):
                self.sync(self.export, server, "--patient", patient)
            self.sync(self.export, other, "--patient", "p2")
            before = self.files()
            table = (
                f"{server.base}\n"
                "  patient                    last export           on the server  refused  uncertain  on the way\n"
                "  p1                         2024-04-02T07:00:00Z             32        0          0           0\n"
                "  somebody.with-a-longer-id  2024-04-02T07:00:00Z             32        0          0           0\n"
            )
            self.assertEqual(self.everybody("--server", server.base), (table, ""))
            both = self.everybody()[0]
            self.assertIn(table, both)
            self.assertIn(f"{other.base}\n  patient  last export ", both)
            found = json.loads(self.everybody("--json", "--server", other.base)[0])
            self.assertEqual(found, [{
                "server": other.base, "signedIn": None, "ledger": json.loads(
                    self.status(other, "--json", patient="p2")[0]
                )[0]["ledger"],
            }])
            self.assertEqual(self.files(), before)

    def test_among_all_ledgers_one_that_cannot_be_read_is_named_and_the_others_are_shown(self):
        with ScriptedServer() as server:
            self.sync(self.export, server, "--patient", "p2")
            self.sync(self.export, server)
            damaged = self.folder / "ledger" / ("0" * 32 + ".ledger")
            self.ledger().rename(damaged)
            damaged.write_bytes(b"no database, and long enough to be taken for one of another kind" * 100)
            left = self.everybody(code=2)
            self.assertEqual(left[0].count("\n"), 3, left)
            self.assertTrue(left[1].startswith(f"pghd: {damaged}: damaged (expected a ledger): "), left)
            found = json.loads(self.everybody("--json", code=2)[0])
            self.assertEqual(found[0], {"signedIn": None, "ledger": {"file": str(damaged), "state": "damaged"}})
            self.assertEqual(len(found), 2)

    def test_a_path_that_is_not_a_ledger_folder_is_reported(self):
        path = self.folder / "ledger"
        path.write_text("no folder")
        said = f"pghd: {path}: cannot be listed (expected a folder of ledgers that is open to you): check --ledger\n"
        self.assertEqual(self.everybody(code=2), ("", said))

    def test_without_a_ledger_status_of_all_patients_says_that_nothing_is_synced(self):
        said = (
            f"pghd: {self.folder / 'ledger'}: holds no ledger (expected the folder that --ledger of a sync named): check the path\n"
        )
        self.assertEqual(self.everybody(), ("nothing is synced from here\n", said))
        self.assertEqual(self.everybody("--json"), ("[\n\n]\n", said))
        # Ledgers of another server are ledgers all the same.
        with ScriptedServer() as server:
            self.sync(exports.write(self.folder / "export.xml", exports.samples(3)), server)
        self.assertEqual(self.everybody("--server", "http://127.0.0.1:9"), ("nothing is synced from here\n", ""))


if __name__ == "__main__":
    unittest.main()
