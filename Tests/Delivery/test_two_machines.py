#!/usr/bin/env python3
"""One patient, one server, and two machines that do not know of each other: two ledgers.

    python3 Tests/Delivery/test_two_machines.py
"""

import dataclasses
import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase
from scripted_server import ScriptedServer
from test_runs import packed


class TwoMachines(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        samples = exports.samples(400)
        changed = [dataclasses.replace(s, note="changed") if i in (7, 190, 420) else s for i, s in enumerate(samples)]
        new = [exports.Sample("HeartRate", 60 * 400 + 60 * i, "71", "count/min") for i in range(10)]
        self.old = packed(exports.write(self.folder / "old.xml", samples))
        self.new = packed(exports.write(self.folder / "new.xml", changed[:400] + new + changed[400:], day=2))
        fewer = changed[:30] + changed[35:400] + new + changed[400:]
        self.fewer = packed(exports.write(self.folder / "fewer.xml", fewer, day=3))

    def machine(self, name, form):
        return [*form, "--ledger", str(self.folder / f"{name}{len(form)}")]

    def assert_once(self, server, count):
        self.assertEqual((len(server.ids()), set(server.ids().values())), (count, {1}))
        self.assertEqual(set(server.ids("Device").values()), {1})
        self.assertEqual(server.conflicting_keys, [])

    def test_at_the_same_time_both_bring_everything_once(self):
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer(delay=0.01) as server:
                runs = [
                    threading.Thread(
                        target=self.sync, args=(self.old, server, *self.machine(name, form), "--max-entries", "40")
                    )
                    for name in ("one", "other")
                ]
                for run in runs:
                    run.start()
                for run in runs:
                    run.join()
                self.assert_once(server, 600)
                self.assertEqual(set(server.store.versions.values()), {1})
                for name in "one", "other":
                    report = self.sync(self.old, server, *self.machine(name, form), "--max-entries", "40")
                    self.assertEqual(report["requests"], {})

    def test_in_turn_each_brings_what_it_knows_and_nothing_is_doubled(self):
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                one, other = self.machine("a", form), self.machine("b", form)
                self.sync(self.old, server, *one)
                self.sync(self.old, server, *other)
                self.assert_once(server, 600)
                self.assertEqual(set(server.store.versions.values()), {1})
                self.assertEqual(self.sync(self.new, server, *other)["delivered"], 13)
                newer = server.contents()
                # What it has brought itself it does not bring again, though the other's is newer.
                self.assertEqual(self.sync(self.old, server, *one)["requests"], {})
                self.assertEqual(server.contents(), newer)
                self.sync(self.new, server, *one)
                self.assertEqual(server.contents(), newer)
                self.assert_once(server, 610)
                for machine in one, other:
                    self.assertEqual(self.sync(self.new, server, *machine)["requests"], {})

    def test_what_one_has_deleted_the_other_finds_deleted(self):
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                one, other = self.machine("c", form), self.machine("d", form)
                for machine in one, other:
                    self.sync(self.new, server, *machine)
                for machine in one, other:
                    report = self.sync(self.fewer, server, *machine, "--delete")
                    self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (5, 5))
                    wrong = [n for n, r in server.store.resources.items() if r.get("status") == "entered-in-error"]
                    self.assertEqual([server.store.versions[name] for name in wrong], [2] * 5)
                    self.assertEqual(self.sync(self.fewer, server, *machine, "--delete")["deletionsOffered"], 0)


if __name__ == "__main__":
    unittest.main()
