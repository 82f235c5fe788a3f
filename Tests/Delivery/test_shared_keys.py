#!/usr/bin/env python3
"""Two machines at a server that knows Bundles by their keys only: each must look for what the other has delivered.

    python3 Tests/Delivery/test_shared_keys.py

Such a server creates whatever comes under a key that it does not know. Only a search finds what the other machine
delivered in other Bundles.
"""

import dataclasses
import re
import sqlite3
import subprocess
import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options
from exports import packed, sum_of, workout
from scripted_server import ScriptedServer
from walk import Food

PRESCRIPTIONS = Path(__file__).resolve().parents[2] / "samples/vision-prescriptions.xml"
NOTHING_WRONG = {"missing": 0, "different": 0, "doubled": 0}
NOTHING_COMES = [{"kind": "reset-before"}] * 60


def rates(count, first=0):
    return [exports.Sample("HeartRate", 60 * (first + i), str(60 + i % 40), "count/min") for i in range(count)]


class TwoMachinesAtKeys(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.options = [*key_options(self.folder), "--max-entries", "40"]
        self.samples = rates(200)
        self.server = self.enterContext(ScriptedServer(honours_if_none_exist=False))
        # Its resources say when they last changed: before all exports but the first.
        self.server.last_updated = "2024-04-01T20:00:00Z"

    def export(self, name, samples, day, extra=""):
        path = exports.write(self.folder / f"{name}.xml", samples, day=day)
        if extra:
            path.write_text(path.read_text().replace("</HealthData>", f"{extra}\n</HealthData>"))
        return packed(path)

    def run_at(self, machine, path, *more, name="sync"):
        return self.run_pghd(name, path, self.server, *self.options, "--ledger", str(self.folder / machine), *more)

    def sync_at(self, machine, path, *more, code=0):
        found, report, said = self.run_at(machine, path, *more)
        self.assertEqual(found, code, said)
        return report

    def verify_at(self, machine, path, *more):
        return self.run_at(machine, path, *more, name="verify")

    def broken_off(self, machine, path):
        """A run of which nothing arrives, without anybody learning that."""
        self.server.faults = list(NOTHING_COMES)
        self.sync_at(machine, path, "--retry-for", "0", code=3)
        self.server.faults = []

    def let_a_day_go_by(self):
        """The server has forgotten its keys, and what is open is a day older."""
        with self.server.lock:
            self.server.answers.clear()
        for path in self.folder.glob("*/*.ledger"):
            with sqlite3.connect(path) as database:
                database.execute("UPDATE intents SET began = began - 25 * 3600")
            database.close()

    def assert_once(self, count, kind="Observation"):
        ids = self.server.ids(kind)
        self.assertEqual((len(ids), {i: n for i, n in ids.items() if n > 1}), (count, {}))
        self.assertEqual(self.server.conflicting_keys, [])

    def test_what_the_server_lost_does_not_hide_as_much_that_the_other_machine_sent(self):
        first = self.export("first", self.samples, 1)
        more = self.export("more", self.samples + rates(2, 300), 2)
        last = self.export("last", self.samples + rates(2, 300) + rates(3, 400), 3)
        for machine in "AB":
            self.sync_at(machine, first)
        resources = self.server.store.resources
        for name in [name for name in resources if name.startswith("Observation/")][20:22]:
            del resources[name]
        self.let_a_day_go_by()
        # Too few to be taken for a server that was set back, whichever are looked for.
        self.assertEqual(self.sync_at("B", more)["delivered"], 2)
        self.let_a_day_go_by()
        self.sync_at("A", last)
        self.assert_once(203)
        for machine in "AB":
            self.sync_at(machine, last)
            self.assertEqual(self.sync_at(machine, last)["requests"], {})
        self.assert_once(203)

    def test_resources_other_than_observations_are_not_stored_twice_either(self):
        prescriptions = re.findall(r"(?s) <VisionPrescription .*?</VisionPrescription>", PRESCRIPTIONS.read_text())
        first = self.export("first", self.samples, 1)
        more = self.export("more", self.samples, 2, prescriptions[0])
        for machine in "AB":
            self.sync_at(machine, first)
        self.let_a_day_go_by()
        self.assertEqual(self.sync_at("B", more)["delivered"], 1)
        self.let_a_day_go_by()
        self.sync_at("A", more)
        self.assert_once(1, "VisionPrescription")

    def test_what_a_killed_run_left_open_is_not_stored_twice_if_the_other_machine_sent_it_in_other_bundles(self):
        old = self.export("old", self.samples, 1)
        new = self.export("new", self.samples + [exports.Sample("HeartRate", 631, "99", "count/min")], 2)
        # All of what is open, or one less.
        fewer = self.export("fewer", self.samples[:60] + self.samples[61:] + rates(1, 500), 2)
        for number, other in enumerate((new, fewer)):
            with self.subTest(other=other):
                machine, second = f"A{number}", f"B{number}"
                self.server.store.resources.clear()
                self.server.store.names.clear()
                self.server.answers.clear()
                count = len(self.server.posts)
                self.server.gate, self.server.gate_behind = threading.Event(), count + 1
                arguments = self.arguments(
                    "sync", old, self.server, *self.options, "--ledger", str(self.folder / machine)
                )
                run = subprocess.Popen(
                    arguments, env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                self.until(lambda: len(self.server.posts) > count or run.poll() is not None)
                run.kill()
                self.assertLess(run.wait(), 0)
                self.server.gate.set()
                # What was in flight is stored whatever happened to the run.
                self.until(lambda: not self.server.in_flight)
                self.server.gate = None
                self.sync_at(second, other)
                there = len(self.server.ids())
                self.sync_at(machine, other)
                self.assert_once(there)
                changed = [dataclasses.replace(sample, note="changed") for sample in self.samples]
                later = self.export(f"later{number}", changed, 70)
                # An update would not reach a doubled resource.
                self.assertEqual(self.sync_at(machine, later)["refused"], 0)
                self.assertEqual(self.verify_at(machine, later)[1]["same"], 202)

    def test_an_older_version_from_the_other_machine_is_not_taken_for_what_was_left_open(self):
        changed = [
            dataclasses.replace(sample, note="changed") if number in (7, 90) else sample
            for number, sample in enumerate(self.samples)
        ]
        old, new = self.export("old", self.samples, 1), self.export("new", changed, 2)
        self.broken_off("A", new)
        self.sync_at("B", old)
        self.let_a_day_go_by()
        self.sync_at("A", new)
        self.assert_once(200)
        self.assertEqual(self.verify_at("A", new)[0], 0)

    def test_an_older_export_sends_what_never_arrived_and_what_links_to_it(self):
        outside = (("DietaryCaffeine", ""),)
        soup = Food(60 * 900, ("DietaryCaffeine",), outside)
        old = self.export("old", self.samples[:20] + [soup], 1)
        new = self.export("new", self.samples[:20] + [dataclasses.replace(soup, nutrients=())], 3)
        self.broken_off("A", new)
        self.let_a_day_go_by()
        report = self.sync_at("A", old)
        self.assertEqual((report["refused"], report["outdated"]), (0, 0))
        self.assertEqual(self.verify_at("A", old)[0], 0)

    def test_an_older_export_leaves_the_other_machines_later_version_that_new_samples_refer_to(self):
        few = self.samples[:20]
        plain = self.export("plain", few, 3)
        new = self.export("new", few, 4, workout(45, sum_of("StepCount", 102)))
        old = self.export("old", few, 2, workout(30, sum_of("StepCount", 101), sum_of("FlightsClimbed", 3)))
        self.sync_at("A", plain)
        self.sync_at("B", new)
        report = self.sync_at("A", old)
        self.assertGreater(report["delivered"], 0)
        found = self.verify_at("B", new)[1]
        self.assertEqual({kind: found[kind] for kind in ("missing", "different", "doubled")}, NOTHING_WRONG)

    def test_a_rebuild_with_an_old_export_keeps_what_the_other_machine_has_sent_since(self):
        changed = [
            dataclasses.replace(sample, note="changed") if number in (7, 90) else sample
            for number, sample in enumerate(self.samples)
        ]
        old, new = self.export("old", self.samples, 1), self.export("new", changed + rates(2, 300), 2)
        for machine in "AB":
            self.sync_at(machine, old)
        self.let_a_day_go_by()
        self.server.last_updated = "2024-04-02T20:00:00Z"
        self.sync_at("B", new)
        contents = self.server.named_contents()
        self.assertEqual(self.verify_at("A", old, "--rebuild")[0], 1)
        report = self.sync_at("A", old, "--delete")
        self.assertEqual((report["outdated"], report["requests"]), (2, {}))
        self.assertEqual(self.server.named_contents(), contents)

    def refuse(self, status, pattern):
        """The server gives this status to every address that matches the pattern."""
        answer = self.server.handle_get

        def get(request):
            if not re.search(pattern, request.path):
                return answer(request)
            self.server.send(request, status, b'{"resourceType":"OperationOutcome","issue":[]}')

        self.server.handle_get = get

    def test_a_server_that_counts_but_lets_nobody_look_for_single_resources_gets_what_is_new(self):
        first, more = self.export("first", self.samples, 1), self.export("more", self.samples + rates(3, 300), 2)
        for status in 400, 401, 403:
            with self.subTest(status):
                answer = self.server.handle_get
                self.server.store.resources.clear()
                self.server.answers.clear()
                self.sync_at(f"A{status}", first)
                self.refuse(status, "identifier=[^&]*h[0-9a-f]{32}")
                self.assertEqual(self.sync_at(f"A{status}", more)["delivered"], 3)
                self.server.handle_get = answer

    def test_what_was_found_missing_is_sent_even_if_nobody_may_read_any_more(self):
        self.broken_off("A", self.export("first", self.samples, 1))
        self.let_a_day_go_by()
        self.sync_at("A", self.export("other", rates(100, 1000), 1))
        self.refuse(401, "Observation|Patient")
        self.assertEqual(self.sync_at("A", self.export("all", self.samples + rates(100, 1000), 2))["delivered"], 200)
        self.assert_once(300)

    def test_looking_costs_one_read_for_fifty_resources_and_no_waiting(self):
        self.sync_at("A", self.export("first", self.samples, 1))
        more = self.export("more", self.samples + rates(1000, 300), 2)
        before = len(self.server.reads)
        self.sync_at("A", more)
        reads = self.server.reads[before:]
        self.assertLess(len(reads), 80)
        # After a wait it would be asked for the same once more.
        self.assertEqual(len(set(reads)), len(reads))
        self.assert_once(1200)

    def test_what_was_left_open_is_not_stored_twice_if_an_index_never_finds_a_part_of_it(self):
        path = self.export("first", rates(30), 1)
        self.server.faults = [{"kind": "reset-after"}] + NOTHING_COMES
        self.sync_at("A", path, "--retry-for", "0", code=3)
        self.server.faults = []
        find = self.server.search
        hidden = set(sorted(name for name in self.server.store.resources if name.startswith("Observation/"))[:15])

        def search(kind, query):
            resources = self.server.store.resources
            away = {name: resources.pop(name) for name in hidden if name in resources}
            try:
                return find(kind, query)
            finally:
                resources.update(away)

        self.server.search = search
        self.sync_at("A", path)
        self.server.search = find
        self.assert_once(30)

    def test_a_dry_run_over_what_was_left_open_counts_what_the_run_then_does(self):
        path = self.export("first", self.samples, 1)
        self.server.faults = [{}] + NOTHING_COMES
        self.sync_at("A", path, "--retry-for", "0", "--concurrency", "8", code=3)
        self.server.faults = []
        dry = self.sync_at("A", path, "--dry-run")
        real = self.sync_at("A", path)
        self.assertEqual(
            [dry[name] for name in ("delivered", "alreadyThere", "uncertain")],
            [real[name] for name in ("delivered", "alreadyThere", "uncertain")],
        )
        self.assert_once(200)


if __name__ == "__main__":
    unittest.main()
