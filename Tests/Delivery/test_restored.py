#!/usr/bin/env python3
"""Servers that were set back to an older state, have lost something, or remember what they no longer have.

    python3 Tests/Delivery/test_restored.py
"""

import copy
import dataclasses
import functools
import re
import sqlite3
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options
from exports import packed
from scripted_server import ScriptedServer

KITCHEN_SINK = Path(__file__).resolve().parents[2] / "samples" / "kitchen-sink"


def kind(text):
    """The number by which the ledger knows a kind: FNV-1a, signed."""
    mix = lambda number, byte: (number ^ byte) * 0x100_0000_01B3 % 2**64
    number = functools.reduce(mix, text.encode(), 0xCBF2_9CE4_8422_2325)
    return number - 2**64 if number >> 63 else number


class RebuiltKinds(DeliveryTestCase):
    """The kind of samples a resource was made of, by which --delete knows what an export may have left out."""

    def kinds(self, folder):
        (path,) = folder.glob("*.ledger")
        with sqlite3.connect(path) as database:
            # Devices and Patients have no kind in an export, and a rebuild does not look for those that no entry refers
            # to.
            rows = database.execute("SELECT high, low, type, kind FROM members WHERE type NOT IN (1, 2)").fetchall()
        database.close()
        return {(high, low): (type, kind) for high, low, type, kind in rows}

    def test_a_rebuild_gives_each_resource_the_kind_it_was_delivered_as(self):
        clinical_record = 3, kind("ClinicalRecord")
        nothing = packed(exports.write(self.folder / "nothing.xml", [], day=365 * 10))
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                delivered, rebuilt = (self.folder / f"{name}{len(form)}" for name in ("delivered", "rebuilt"))
                options = ["--summaries", "--routes", *form, "--ledger"]
                self.run_pghd("sync", KITCHEN_SINK, server, *options, str(delivered))
                known = self.kinds(delivered)
                self.assertGreater(len(set(known.values())), 50)
                # The provider chooses what a clinical record says it is: its kind can't be known, and it stays.
                known = {id: (row[0], 0) if row == clinical_record else row for id, row in known.items()}
                self.run_pghd("verify", nothing, server, *options, str(rebuilt), "--rebuild")
                self.assertEqual(self.kinds(rebuilt), known)


class RestoredServer(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.samples = exports.samples(400)
        self.path = packed(exports.write(self.folder / "export.xml", self.samples))
        self.forms = [], ["--conditional"], key_options(self.folder)

    def key_only(self, form):
        return ScriptedServer(honours_if_none_exist="--api" not in form)

    def ledger(self, form):
        return [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]

    def age(self, form):
        """Makes the last run one of yesterday: a search may not find yet what has just been stored."""
        for path in (self.folder / f"ledger{len(form)}").glob("*.ledger"):
            with sqlite3.connect(path) as database:
                text = "UPDATE properties SET value = '1' || substr(value, instr(value, ',')) WHERE name = 'recent'"
                self.assertEqual(database.execute(text).rowcount, 1)
            database.close()

    def test_a_server_restored_to_the_night_before_is_noticed_in_every_run(self):
        new = [exports.Sample("HeartRate", 10**6 + 60 * i, "71", "count/min") for i in range(4)]
        newer = packed(exports.write(self.folder / "newer.xml", self.samples + new, day=2))
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                options = self.ledger(form)
                self.sync(self.path, server, *options)
                backup = copy.deepcopy(server.store)
                self.assertEqual(self.sync(newer, server, *options)["delivered"], 4)
                self.assertEqual(self.sync(newer, server, *options)["requests"], {})
                self.age(form)
                server.store = backup
                for _ in range(2):
                    code, _, said = self.run_pghd("sync", newer, server, *options)
                    self.assertEqual(code, 64, said)
                    # The fourth may be among those chosen at random.
                    self.assertRegex(said, "[34] of 32 delivered resources that were looked for are gone")
                # The server may still have its keys: what it has lost is sent all the same.
                self.assertEqual(self.run_pghd("verify", newer, server, *options, "--rebuild")[1]["missing"], 4)
                self.assertEqual(self.sync(newer, server, *options)["delivered"], 4)
                self.assertEqual((len(server.ids()), set(server.ids().values())), (604, {1}))
                self.assertEqual(self.run_pghd("verify", newer, server, *options)[0], 0)

    def test_each_run_looks_for_the_latest_and_for_others_chosen_at_random(self):
        form = self.forms[0]
        with self.key_only(form) as server:
            options = self.ledger(form)
            self.sync(self.path, server, *options)
            self.age(form)
            looked_for = []
            for _ in range(6):
                server.reads.clear()
                self.assertEqual(self.sync(self.path, server, *options)["requests"], {})
                looked_for.append(set(re.findall("h[0-9a-f]{32}", " ".join(server.reads))))
            self.assertEqual({len(ids) for ids in looked_for}, {32})
            # The latest each time, of the other some 570 hardly ever the same.
            self.assertGreater(len(set.union(*looked_for)), 64)

    def test_what_a_backup_from_before_a_deletion_brings_back_is_deleted_after_a_rebuild(self):
        newer, newest = (
            packed(exports.write(self.folder / f"{day}.xml", self.samples[3:], day=day)) for day in (2, 3)
        )
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                options = self.ledger(form)
                self.sync(self.path, server, *options)
                backup = copy.deepcopy(server.store)
                self.age(form)
                self.assertEqual(self.sync(newer, server, *options, "--delete")["deletionsDone"], 3)
                server.store = backup
                self.assertEqual(self.run_pghd("verify", newer, server, *options, "--rebuild")[1]["extra"], 3)
                self.assertEqual(self.sync(newer, server, *options, "--delete")["deletionsDone"], 3)
                self.assertEqual(self.sync(newest, server, *options, "--delete")["deletionsOffered"], 0)
                self.assertEqual(self.run_pghd("verify", newest, server, *options)[1]["extra"], 0)

    def test_an_older_export_reverts_nothing_that_comes_back_after_a_rebuild(self):
        corrected = [dataclasses.replace(s, note="corrected") if i < 5 else s for i, s in enumerate(self.samples)]
        newer = packed(exports.write(self.folder / "newer.xml", corrected, day=3))
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                options = self.ledger(form)
                self.sync(newer, server, *options)
                whole = copy.deepcopy(server.store)
                is_corrected = lambda resource: "corrected" in str(resource)
                server.store.resources = {n: r for n, r in server.store.resources.items() if not is_corrected(r)}
                self.assertEqual(self.run_pghd("verify", newer, server, *options, "--rebuild")[1]["missing"], 5)
                server.store = whole
                report = self.sync(self.path, server, *options)
                self.assertEqual((report["delivered"], report["outdated"]), (0, 5))
                self.assertEqual(sum(map(is_corrected, server.store.resources.values())), 5)

    def test_what_was_deleted_is_not_offered_again_after_a_rebuild_with_an_older_export(self):
        older = packed(exports.write(self.folder / "older.xml", self.samples))
        newer = packed(exports.write(self.folder / "newer.xml", self.samples[1:], day=4))
        again = packed(exports.write(self.folder / "again.xml", self.samples, day=5))
        for form, purges in [(form, purges) for form in self.forms for purges in (False, True)]:
            with self.subTest(form=form, purges=purges), self.key_only(form) as server:
                options = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{purges}")]
                self.sync(older, server, *options)
                self.assertEqual(self.sync(newer, server, *options, "--delete")["deletionsDone"], 1)
                (name,) = (n for n, r in server.store.resources.items() if r.get("status") == "entered-in-error")
                if purges:
                    del server.store.resources[name]
                field = "missing" if purges else "different"
                self.assertEqual(self.run_pghd("verify", older, server, *options, "--rebuild")[1][field], 1)
                self.assertEqual(self.sync(older, server, *options)["delivered"], 0)
                report = self.sync(newer, server, *options)
                self.assertEqual((report["deletionsOffered"], report["delivered"]), (0, 0))
                # Where a later export has it, it is back.
                self.assertEqual(self.run_pghd("verify", again, server, *options, "--rebuild")[1][field], 1)
                self.assertEqual(self.sync(again, server, *options)["delivered"], 1)
                self.assertEqual(self.run_pghd("verify", again, server, *options)[0], 0)

    def test_what_somebody_has_deleted_on_the_server_is_reported_and_not_sent_again(self):
        few = packed(exports.write(self.folder / "few.xml", self.samples[:20]))
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                options = self.ledger(form)
                self.sync(few, server, *options)
                # Not the last of them, which a server that was set back would lack.
                name = sorted(server.store.resources, key=lambda n: str(server.store.resources[n]))[3]
                self.assertTrue(name.startswith("Observation/"))
                del server.store.resources[name]
                self.age(form)
                code, report, said = self.run_pghd("sync", few, server, *options)
                self.assertEqual((code, report["requests"]), (0, {}), said)
                self.assertIn("no longer has 1 of 22 resources that were looked for", said)
                self.assertEqual(self.sync(few, server, *options)["requests"], {})
                self.assertEqual(len(server.ids()), 19)

    def test_resources_that_are_deleted_on_the_server_one_by_one_stop_no_run(self):
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                options = self.ledger(form)
                self.sync(self.path, server, *options, "--concurrency", "1")
                for _ in range(3):
                    # The last that it still has: together they would be what a server lacks that was set back.
                    del server.store.resources[[n for n in server.store.resources if n.startswith("Observation/")][-1]]
                    self.age(form)
                    code, report, said = self.run_pghd("sync", self.path, server, *options)
                    self.assertEqual((code, report and report["requests"]), (0, {}), said)

    def test_deleting_the_only_new_resource_of_a_night_on_the_server_stops_no_run(self):
        one = packed(exports.write(self.folder / "one.xml", [*self.samples, exports.Sample("BodyMass", 9, "70", "kg")], day=2))
        for form in self.forms[:2]:
            with self.subTest(form=form), self.key_only(form) as server:
                options = self.ledger(form)
                self.sync(self.path, server, *options)
                # The ledger of a version that recorded nothing of this.
                for path in (self.folder / f"ledger{len(form)}").glob("*.ledger"):
                    with sqlite3.connect(path) as database:
                        database.execute("DELETE FROM properties WHERE name = 'recent'")
                    database.close()
                self.assertEqual(self.sync(one, server, *options)["delivered"], 1)
                self.age(form)
                (name,) = [n for n, r in server.store.resources.items() if "BodyMass" in str(r)]
                del server.store.resources[name]
                self.assertEqual(self.sync(one, server, *options)["requests"], {})

    def test_what_was_sent_last_is_known_even_if_its_answer_was_lost(self):
        new = [exports.Sample("HeartRate", 10**6 + 60 * i, "71", "count/min") for i in range(4)]
        newer = packed(exports.write(self.folder / "newer.xml", self.samples + new, day=2))
        for form in self.forms[:2]:
            with self.subTest(form=form), self.key_only(form) as server:
                options = self.ledger(form)
                self.sync(self.path, server, *options)
                backup = copy.deepcopy(server.store)
                server.faults = [{"kind": "reset-after"}]
                self.sync(newer, server, *options)
                self.age(form)
                server.store = backup
                self.assertEqual(self.run_pghd("sync", newer, server, *options)[0], 64)

    def test_a_rebuild_remembers_what_was_sent_last_and_a_second_one_what_is_absent(self):
        few = packed(exports.write(self.folder / "few.xml", self.samples[:20]))
        form = self.forms[2]
        with self.key_only(form) as server:
            options = self.ledger(form)
            self.sync(self.path, server, *options)
            server.store.resources = {n: r for n, r in server.store.resources.items() if "Observation/" not in n}
            for path in self.path, few:
                self.assertEqual(self.run_pghd("verify", path, server, *options, "--rebuild")[0], 1)
            self.assertEqual(self.sync(self.path, server, *options)["delivered"], 600)
            self.assertEqual((len(server.ids()), set(server.ids().values())), (600, {1}))

    def test_what_comes_back_after_a_rebuild_is_not_stored_twice_whether_or_not_it_can_be_read(self):
        form = self.forms[2]
        for can_read in True, False:
            with self.subTest(can_read=can_read), self.key_only(form) as server:
                options = self.ledger(form)[:-1] + [str(self.folder / f"ledger-{can_read}")]
                self.sync(self.path, server, *options)
                whole = copy.deepcopy(server.store)
                for name in [n for n in server.store.resources if "Observation/" in n]:
                    del server.store.resources[name]
                self.assertEqual(self.run_pghd("verify", self.path, server, *options, "--rebuild")[0], 1)
                server.store, server.can_read = whole, can_read
                self.sync(self.path, server, *options)
                self.assertEqual((len(server.ids()), set(server.ids().values())), (600, {1}))

    def test_what_a_server_lost_is_sent_again_even_if_it_remembers_the_keys(self):
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                server.remembers_all_keys = True
                options = self.ledger(form)
                self.sync(self.path, server, *options)
                for name in [n for n in server.store.resources if n.startswith("Observation/")]:
                    del server.store.resources[name]
                self.assertEqual(self.run_pghd("sync", self.path, server, *options)[0], 64)
                self.assertEqual(self.run_pghd("verify", self.path, server, *options, "--rebuild")[0], 1)
                self.assertEqual(self.sync(self.path, server, *options)["delivered"], 600)
                self.assertEqual((len(server.ids()), set(server.ids().values())), (600, {1}))
                self.assertEqual(self.sync(self.path, server, *options)["requests"], {})

    def test_what_a_server_lost_is_sent_again_even_if_nothing_may_be_read(self):
        for form in self.forms[:2]:
            with self.subTest(form=form), self.key_only(form) as server:
                options = self.ledger(form)
                self.sync(self.path, server, *options)
                for name in [n for n in server.store.resources if n.startswith("Observation/")]:
                    del server.store.resources[name]
                self.assertEqual(self.run_pghd("verify", self.path, server, *options, "--rebuild")[0], 1)
                server.can_read = False
                self.assertEqual(self.sync(self.path, server, *options)["delivered"], 600)
                self.assertEqual((len(server.ids()), set(server.ids().values())), (600, {1}))

    def test_what_was_changed_on_the_server_is_put_right_each_time(self):
        form = self.forms[2]
        with self.key_only(form) as server:
            options = self.ledger(form)
            self.sync(self.path, server, *options)
            name = next(n for n in server.store.resources if n.startswith("Observation/"))
            for _ in range(2):
                server.store.resources[name] = {**server.store.resources[name], "status": "amended"}
                self.assertEqual(self.run_pghd("verify", self.path, server, *options, "--rebuild")[1]["different"], 1)
                self.assertEqual(self.sync(self.path, server, *options)["delivered"], 1)
                self.assertEqual(server.store.resources[name]["status"], "final")

    def test_a_mapping_that_comes_back_is_stored_and_not_only_reported_as_delivered(self):
        few = packed(exports.write(self.folder / "few.xml", self.samples[:20]))
        zones = [("Europe/Paris", "+01:00"), ("America/New_York", "-05:00")]
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                server.remembers_all_keys = True
                options = self.ledger(form)
                for zone, offset in zones + zones:
                    self.sync(few, server, *options, "--remap", "--time-zone", zone)
                    times = [r["effectiveDateTime"] for r in server.store.resources.values() if "effectiveDateTime" in r]
                    self.assertEqual([t[-6:] for t in times], [offset] * 20)
                self.assertEqual(self.run_pghd("verify", few, server, *options, "--time-zone", zone)[0], 0)

    def test_a_rebuild_remembers_that_the_patient_was_not_compared(self):
        more = packed(exports.write(self.folder / "more.xml", exports.samples(410), day=4))
        for rebuilds in False, True:
            with self.subTest(rebuilds=rebuilds), ScriptedServer() as server:
                options = ["--ledger", str(self.folder / f"ledger{rebuilds}")]
                system = [{"system": "urn:oid:1.2.3", "value": "1"}]
                other = {"resourceType": "Patient", "birthDate": "1955-05-05", "gender": "male", "identifier": system}
                server.store.put("Patient/p1", other)
                answer = server.handle_get
                server.handle_get = lambda request: (
                    server.send(request, 403, b"{}") if "/Patient/" in request.path else answer(request)
                )
                self.sync(self.path, server, *options)
                if rebuilds:
                    self.assertEqual(self.run_pghd("verify", self.path, server, *options, "--rebuild")[0], 0)
                server.handle_get = answer
                code, _, said = self.run_pghd("sync", more, server, *options)
                self.assertEqual((code, len(server.ids())), (64, 600), said)


if __name__ == "__main__":
    unittest.main()
