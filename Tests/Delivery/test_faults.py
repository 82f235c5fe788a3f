#!/usr/bin/env python3
"""The fault matrix: what a server does wrong, and what it must hold in the end, to the last resource.

    python3 Tests/Delivery/test_faults.py

Each row is a server that misbehaves at its first requests, the exit code of the run that meets it, and the exit code of
the next run, when the server works again. After the first run if its code is 0, and after the second in any case, the
server must hold exactly what it should, to the last element: nothing lost, nothing twice, no key ever used for two
bodies.
"""

import itertools
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import PGHD, DeliveryTestCase, key_options
from exports import RUN, packed
from faults import MATRIX, soon, status
from scripted_server import ScriptedServer


class FaultMatrix(DeliveryTestCase):
    def test_whatever_the_server_does_nothing_is_lost_or_stored_twice(self):
        path = exports.write(self.folder / "export.xml", exports.samples(300))
        for form in [], ["--conditional"]:
            whole = self.named_resources(path, *form)
            for number, (name, faults, code, options) in enumerate(MATRIX):
                with self.subTest(name, form=form), ScriptedServer() as server:
                    ledger = ["--ledger", str(self.folder / f"{number}{len(form)}")]
                    server.faults = [dict(fault) for fault in faults]
                    first = self.sync(path, server, *form, *ledger, *options, code=code)
                    if code == 0:
                        self.assert_whole(server, whole)
                        self.assertEqual(first["uncertain"], 0)
                    server.faults = []
                    count = len(server.posts)
                    second = self.sync(path, server, *form, *ledger)
                    self.assert_whole(server, whole)
                    if code == 0:
                        self.assertEqual(len(server.posts), count, "the second run has posted something")
                    self.assertEqual(second["refused"], 0)

    def test_nothing_is_posted_before_the_time_that_the_server_asked_for(self):
        path = exports.write(self.folder / "export.xml", exports.samples(300))
        forms = lambda: {"Retry-After": "4"}, lambda: {"Retry-After": soon(3)}
        for number, (code, headers) in enumerate(itertools.product((429, 503), forms)):
            with self.subTest(code, number=number), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"asked{number}"), "--retry-delay-milliseconds", "100"]
                # Whoever comes sooner meets the same answer.
                server.faults = [{"kind": "status", "status": code, "seconds": 1.5, "headers": headers}]
                report = self.sync(path, server, *more, "--concurrency", "2", "--max-entries", "40")
                # Two were on their way.
                self.assertLessEqual(report["requests"][str(code)], 2)
                self.assertEqual(server.faults, [])
                self.assert_whole(server, self.named_resources(path, "--max-entries", "40"))

    def test_no_redirect_of_a_post_to_another_server_is_followed(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        for code in 301, 302, 303, 307, 308:
            with self.subTest(code), ScriptedServer() as server, ScriptedServer() as trap:
                server.faults = [{"kind": "redirect", "status": code, "to": trap.base}] * 20
                self.sync(path, server, "--ledger", str(self.folder / f"ledger{code}"), code=3)
                self.assertEqual((trap.posts, trap.searches, trap.contents()), ([], [], []))

    def test_an_entry_that_is_sent_again_takes_the_entries_linked_to_it_along(self):
        path = exports.write(self.folder / "export.xml", [])
        path.write_text(path.read_text().replace("</HealthData>", RUN + "</HealthData>"))
        (line,) = [line for line in self.convert(path, "--conditional").read_text().splitlines() if "hasMember" in line]
        for number in range(len(json.loads(line)["entry"])):
            with self.subTest(number), ScriptedServer() as server:
                server.faults = [{"entries": {number: "503 Busy"}}]
                ledger = ["--ledger", str(self.folder / f"ledger{number}")]
                report = self.sync(path, server, "--conditional", *ledger)
                self.assertEqual((report["refused"], report["uncertain"]), (0, 0))
                links = set(self.references(server)) - {"Patient/p1"}
                self.assertLessEqual(links, set(server.store.resources))
                self.assertEqual(set(server.ids().values()), {1})
                self.assertEqual(self.sync(path, server, "--conditional", *ledger)["requests"], {})

    def references(self, server):
        return re.findall(r'"reference": "([^"]+)"', json.dumps(list(server.store.resources.values())))

    def assert_whole(self, server, whole):
        self.assertEqual(set(server.store.versions.values()), {1}, "something was written twice")
        self.assertEqual(server.conflicting_keys, [])
        self.assertEqual(server.named_contents(), whole)
        self.assertEqual((len(server.ids()), set(server.ids().values())), (450, {1}))


class ToldToEnd(DeliveryTestCase):
    """The run's usual wait is that for a server: a request to end must not wait for it."""

    def test_a_run_that_waits_for_the_server_ends_when_it_is_told_to(self):
        path = exports.write(self.folder / "export.xml", exports.samples(300))
        for name in "sync", "verify":
            with self.subTest(name), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / name)]
                if name == "verify":
                    self.sync(path, server, *more)
                asked = []

                def busy(request):
                    asked.append(request.path)
                    server.send(request, 503, b"", {"Retry-After": "300"})

                server.handle_post = server.handle_get = busy
                process = subprocess.Popen(
                    self.arguments(name, path, server, *more, "--retry-for", "3600"),
                    env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                )
                self.until(lambda: asked or process.poll() is not None)
                self.interrupt(process)
                said = process.communicate(timeout=60)[1].decode()
                self.assertEqual(process.returncode, 130, said)


class Refusals(DeliveryTestCase):
    """An entry that the server does not want costs that entry alone."""

    def setUp(self):
        super().setUp()
        self.path = exports.write(self.folder / "export.xml", exports.samples(300))
        lines = self.convert(self.path).read_text().splitlines()
        self.ids = [e["resource"]["id"] for line in lines for e in json.loads(line)["entry"]]
        self.samples = [i for line in lines[1:] for i in [e["resource"]["id"] for e in json.loads(line)["entry"]]]

    def test_a_bundle_that_is_refused_once_as_a_whole_is_delivered_in_parts(self):
        for number, refusal in enumerate([400, 409, 412, 422]):
            for form in [], ["--conditional"]:
                with self.subTest(refusal, form=form), ScriptedServer() as server:
                    server.faults = [{}, {}, *status(refusal, 6 if refusal == 409 else 1)]
                    options = [*form, "--ledger", str(self.folder / f"once{number}{len(form)}"), "--concurrency", "1"]
                    self.assertEqual(self.sync(self.path, server, *options)["refused"], 0)
                    self.assertEqual(server.named_contents(), self.named_resources(self.path, *form))
                    self.assertEqual(self.sync(self.path, server, *options)["requests"], {})

    def test_bad_entries_are_put_aside_and_the_rest_is_delivered(self):
        bad = {self.samples[40], self.samples[170]}
        for number, (refusal, form) in enumerate([(422, []), (400, []), (412, []), (422, ["--conditional"])]):
            with self.subTest(refusal, form=form), ScriptedServer() as server:
                server.refused_ids = set(bad)
                server.faults = [{"refusal": refusal}] * 200
                options = [*form, "--ledger", str(self.folder / f"ledger{number}")]
                report = self.sync(self.path, server, *options, code=6)
                self.assertEqual(report["refused"], 2)
                self.assertEqual(set(self.samples) - set(server.ids()), bad)
                self.assertEqual(self.quarantine(f"ledger{number}"), {(f"Observation/{i}", refusal) for i in bad})
                count = len(server.posts)
                self.sync(self.path, server, *options, code=6)
                self.assertLessEqual(len(server.posts) - count, 4, "more was posted than what was refused")
                server.refused_ids = set()
                self.assertEqual(self.sync(self.path, server, *options)["delivered"], 2)
                self.assertEqual(set(server.ids().values()), {1})

    def test_a_bad_entry_in_a_200_is_put_aside(self):
        with ScriptedServer() as server:
            server.faults = [{}, {"entries": {3: "422 Unprocessable"}}]
            code, report, said = self.run_pghd("sync", self.path, server, "--concurrency", "1", "--quiet")
            self.assertEqual((code, report["refused"], len(server.ids())), (6, 1, 449))
            (folder,) = (self.folder / "ledger").glob("*.quarantine")
            self.assertEqual(report["quarantine"], str(folder))
            self.assertEqual(
                said, f"pghd: {server.base}: 1 entry was refused (expected none): see {folder} for its reasons\n"
            )
            self.assertEqual(len(self.quarantine("ledger")), 1)
            self.assertEqual(self.sync(self.path, server)["delivered"], 1)

    def test_the_quarantine_shows_what_is_refused_now(self):
        for number, options in enumerate([[], ["--conditional"], key_options(self.folder)]):
            with self.subTest(options), ScriptedServer() as server:
                more = [*options, "--max-entries", "40", "--ledger", str(self.folder / f"aside{number}")]
                far, near, other = self.ids[3], self.ids[4], self.ids[300]
                server.refused_ids = {far, near, other}
                for _ in range(3):
                    self.sync(self.path, server, *more, code=6)
                    refused = {name for name, _ in self.quarantine(f"aside{number}")}
                    self.assertLessEqual({f"Observation/{i}" for i in server.refused_ids}, refused)
                count = len(self.files(f"aside{number}"))
                self.assertLessEqual(count, 3, "nights have left files")
                server.refused_ids = {near}
                self.sync(self.path, server, *more, code=6)
                refused = {name for name, _ in self.quarantine(f"aside{number}")}
                self.assertIn(f"Observation/{near}", refused)
                self.assertNotIn(f"Observation/{other}", refused)
                # A server that knows only keys refuses a Bundle as a whole.
                self.assertEqual(len(refused) == 1, "observations" not in options)
                # A run that sends only a part keeps the file.
                few = exports.write(self.folder / "few.xml", exports.samples(3))
                self.sync(few, server, *more, "--since", "2024-03-01")
                self.assertEqual(len(self.files(f"aside{number}")), 1)
                server.refused_ids = set()
                self.sync(self.path, server, *more)
                self.assertEqual(self.files(f"aside{number}"), [])

    def test_a_refused_entry_that_occurs_twice_is_not_left_out_of_the_next_run(self):
        samples = exports.samples(300)
        path = exports.write(self.folder / "twice.xml", [*samples[:300], samples[0], *samples[300:]])
        # It is in two Bundles.
        options = ["--max-entries", "40", "--concurrency", "1"]
        names = [resource["id"] for _, resource in self.entries(path, *options[:2])]
        (bad,) = {name for name in names if names.count(name) > 1}
        with ScriptedServer() as server:
            server.refused_ids = {bad}
            self.sync(path, server, *options, code=6)
            server.refused_ids = set()
            # The first of them is still on its way when the second one comes.
            server.delay = 0.5
            server.faults = [{"entries": {0: 422}}]
            report = self.sync(path, server, *options, code=6)
            self.assertEqual((report["refused"], report["delivered"]), (1, 1))
            self.assertEqual(set(server.ids()), set(self.samples))

    def test_a_quarantine_file_is_removed_once_the_export_no_longer_holds_its_entry(self):
        samples = exports.samples(6)
        first, fewer, again = (
            packed(exports.write(self.folder / f"{day}.xml", held, day=day))
            for day, held in enumerate([samples, samples[1:], samples])
        )
        (bad,) = set(self.identifiers(first)) - set(self.identifiers(fewer))
        for number, options in enumerate([[], ["--conditional"], key_options(self.folder)]):
            with self.subTest(options), ScriptedServer() as server:
                # A server that knows only keys refuses a Bundle as a whole: each holds one sample and its Device.
                more = [*options, "--ledger", str(self.folder / f"left{number}"), "--max-entries", "2"]
                server.refused_ids = {bad}
                self.sync(first, server, *more, code=6)
                rest = ["--since", "2024-03-02"]
                for export, settings, there in (first, rest, 1), (fewer, ["--dry-run"], 1), (fewer, [], 0):
                    self.sync(export, server, *more, *settings)
                    self.assertEqual(len(self.files(f"left{number}")), there, settings)
                self.assertEqual(self.refused_count(f"left{number}"), 0)
                self.assertEqual(self.sync(fewer, server, *more)["requests"], {})
                server.refused_ids = set()
                self.assertEqual(self.sync(again, server, *more)["delivered"], 1)
                self.assertEqual(self.sync(again, server, *more)["requests"], {})
                self.assertEqual(set(server.ids().values()), {1})
                self.assertEqual(set(server.ids()), set(self.identifiers(first)))

    def test_a_foreign_file_in_the_quarantine_folder_stays(self):
        with ScriptedServer() as server:
            server.refused_ids = {self.samples[40]}
            self.sync(self.path, server, code=6)
            (ours,) = self.files("ledger")
            (entry,) = json.loads(ours.read_text())["entries"]
            foreign = {**entry, "id": "Observation/of-the-clinic"}
            others = {"nothing.json": [{"status": 422}], "others.json": [entry, foreign]}
            for name, entries in others.items():
                (ours.parent / name).write_text(json.dumps({"entries": entries}))
            server.refused_ids = set()
            self.sync(self.path, server)
            self.assertEqual([path.name for path in self.files("ledger")], sorted(others))

    def identifiers(self, path):
        return [resource["identifier"][0]["value"] for _, resource in self.entries(path)
                if resource["resourceType"] == "Observation"]

    def refused_count(self, folder):
        command = [PGHD, "status", "--patients", "--json", "--ledger", str(self.folder / folder)]
        (found,) = json.loads(subprocess.run(command, env=self.environment(), capture_output=True, check=True).stdout)
        return found["ledger"]["refused"]

    def test_a_run_stops_if_the_server_refuses_everything(self):
        with ScriptedServer() as server:
            server.refused_ids = set(self.ids)
            report = self.sync(self.path, server, code=6)
            self.assertLess(report["refused"], 150)
            self.assertEqual(server.ids(), {})

    def test_a_servers_limit_on_the_size_of_bundles_is_learnt(self):
        named = "The number of entries in the bundle exceeded the configured limit of {}."
        for number, limits in enumerate([
            {"byte_limit": 20_000}, {"entry_limit": 25}, {"entry_limit": 25, "limit_text": named},
        ]):
            with self.subTest(limits), ScriptedServer() as server:
                for name, limit in limits.items():
                    setattr(server, name, limit)
                options = ["--ledger", str(self.folder / f"ledger{number}"), "--concurrency", "1"]
                self.sync(self.path, server, *options)
                self.assertEqual(set(server.ids()), set(self.samples))
                refused = [count for _, count, code in server.posts if code != 200]
                if "byte_limit" in limits:
                    self.assertLess(len(refused), 6, "the limit was met again and again")
                if "limit_text" in limits:
                    self.assertEqual(len(refused), 1, "the limit that was named was met again")
                count = len(server.posts)
                self.sync(self.path, server, *options)
                self.assertEqual(len(server.posts), count)

    def files(self, ledger):
        return sorted((self.folder / ledger).glob("*.quarantine/*"))

    def quarantine(self, ledger):
        entries = set()
        for path in self.files(ledger):
            text = path.read_text()
            self.assertNotIn("CANARY", text)
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
            entries |= {(entry["id"], entry["status"]) for entry in json.loads(text)["entries"]}
        return entries


if __name__ == "__main__":
    unittest.main()
