#!/usr/bin/env python3
"""An export without a birth date: what was delivered before shows whose it is.

    python3 Tests/Delivery/test_recognition.py
"""

import dataclasses
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options
from exports import packed
from scripted_server import ScriptedServer

UNSET = {"birth": "", "sex": "HKBiologicalSexNotSet"}
HOUR = (
    ' <Record type="HKCategoryTypeIdentifierAppleStandHour" sourceName="Watch" sourceVersion="10.1" '
    'creationDate="2024-03-01 {0:02}:58:00 +0100" startDate="2024-03-01 {0:02}:00:00 +0100" '
    'endDate="2024-03-01 {1:02}:00:00 +0100" value="HKCategoryValueAppleStandHourStood"/>'
)
SUMMARY = (
    ' <ActivitySummary dateComponents="2024-03-0{}" activeEnergyBurned="0" activeEnergyBurnedGoal="500" '
    'activeEnergyBurnedUnit="kcal" appleStandHours="12" appleStandHoursGoal="12"/>'
)


class Recognition(DeliveryTestCase):
    def export(self, samples, day, **more):
        """An export that says less of its owner than most do, with hours and rings as anybody may have them."""
        path = exports.write(self.folder / f"{day}.xml", samples, day=day, **{**UNSET, **more})
        text = path.read_text().replace("HKBloodTypeNotSet", "HKBloodTypeAPositive")
        rings = "\n".join(SUMMARY.format(number) for number in range(1, 8))
        hours = "\n".join(HOUR.format(number, number + 1) for number in range(8, 20))
        text = text.replace(" <Record", hours + "\n <Record", 1)
        path.write_text(text.replace("</HealthData>", rings + "\n</HealthData>"))
        return path

    def sentence(self, count):
        return (
            f"pghd: --patient p1: hardly any of the first {count} samples of this export was delivered before (expected "
            "some, as in every export of one person): nothing was sent; check --patient, or add --confirm-patient where it "
            "is the same person's, such as from a new phone\n"
        )

    def test_another_persons_export_is_refused_before_anything_is_sent(self):
        mine, other = self.export(exports.samples(200), 1), self.export(exports.samples(200, seed=2), 2)
        for name, options in (("fhir", []), ("conditional", ["--conditional"]), ("key", key_options(self.folder))):
            with self.subTest(name), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / name), *options]
                self.sync(mine, server, *more)
                contents, posts = server.contents(), len(server.posts)
                for path in (other, packed(other)):
                    for dry in ([], ["--dry-run"]):
                        code, _, said = self.run_pghd("sync", path, server, *more, *dry)
                        # Rings and a blood type have the same id, and here the same content.
                        self.assertEqual((code, said), (64, self.sentence(300)))
                self.assertEqual((server.contents(), len(server.posts)), (contents, posts))
                # The ledger is unchanged: the right export has nothing to send.
                self.assertEqual(self.sync(mine, server, *more)["delivered"], 0)
                self.assertEqual(self.sync(other, server, *more, "--confirm-patient")["delivered"], 300)

    def test_a_lost_ledger_is_not_rebuilt_from_another_persons_export(self):
        """Birth dates say nothing, since the server's Patient has none; hours and rings are there."""
        mine = self.export(exports.samples(200), 1, birth="1980-02-03")
        other = self.export(exports.samples(200, seed=2), 2, birth="1955-07-08")
        for name, options in (("fhir", []), ("conditional", ["--conditional"]), ("key", key_options(self.folder))):
            with self.subTest(name), ScriptedServer() as server:
                self.sync(mine, server, "--ledger", str(self.folder / name), *options)
                more = ["--ledger", str(self.folder / f"{name}2"), *options]
                contents, posts = server.contents(), len(server.posts)
                for command in ["sync"], ["verify", "--rebuild"], ["sync"]:
                    code, _, said = self.run_pghd(command[0], other, server, *command[1:], *more)
                    self.assertEqual(code, 64, said)
                    self.assertIn("that pghd made, of which only ", said)
                self.assertEqual((server.contents(), len(server.posts)), (contents, posts))
                self.assertEqual(self.sync(mine, server, *more)["requests"], {})
                self.assertEqual(self.sync(other, server, *more, "--confirm-patient")["delivered"], 300)

    def test_a_ledger_is_rebuilt_with_a_much_smaller_or_larger_export_of_the_same_person(self):
        samples = exports.samples(600)
        few, many = self.export(samples[:120], 1), self.export(samples, 70)
        for held, brought in (few, many), (many, few):
            with self.subTest(brought=brought.name), ScriptedServer() as server:
                first, second = (["--ledger", str(self.folder / f"{brought.name} {name}")] for name in ("first", "second"))
                self.sync(held, server, *first)
                code, _, said = self.run_pghd("sync", packed(brought), server, *second)
                self.assertEqual(code, 0, said)
                self.assertEqual(server.named_contents(), self.named_resources(many))

    def test_summaries_of_the_same_days_do_not_make_two_people_one(self):
        """A summary's id is its day: with few samples a day there are nearly as many summaries as samples."""
        def person(day, birth, second):
            samples = [exports.Sample("StepCount", 86400 * n + second, str(50 + n % 40), "count") for n in range(120)]
            return self.export(samples, day, birth=birth)

        mine, other = person(150, "1980-02-03", 3700), person(151, "1955-07-08", 3900)
        with ScriptedServer() as server:
            self.sync(mine, server, "--summaries", "--ledger", str(self.folder / "one"))
            contents = server.contents()
            more = ["--summaries", "--ledger", str(self.folder / "two")]
            for command in ["sync"], ["verify", "--rebuild"], ["sync"]:
                code, _, said = self.run_pghd(command[0], other, server, *command[1:], *more)
                self.assertEqual(code, 64, said)
            self.assertEqual(server.contents(), contents)
            self.assertEqual(self.sync(mine, server, *more)["requests"], {})

    def test_one_sample_that_two_people_share_by_chance_does_not_make_them_one(self):
        mine = exports.samples(200)
        with ScriptedServer() as server:
            self.sync(self.export(mine, 1), server)
            posts = len(server.posts)
            other = self.export(mine[:1] + exports.samples(200, seed=2), 2)
            code, _, said = self.run_pghd("sync", other, server)
            self.assertEqual((code, len(server.posts)), (64, posts), said)

    def test_an_existing_ledger_is_not_rebuilt_from_another_persons_export(self):
        mine, other = self.export(exports.samples(200), 1), self.export(exports.samples(200, seed=2), 2)
        with ScriptedServer() as server:
            self.sync(mine, server)
            ledger = next((self.folder / "ledger").glob("*.ledger"))
            before = ledger.read_bytes()
            code, _, said = self.run_pghd("verify", other, server, "--rebuild")
            self.assertEqual((code, "only 20 are in the export" in said), (64, True), said)
            self.assertEqual(ledger.read_bytes(), before)
            self.assertEqual(self.sync(mine, server)["requests"], {})
            self.assertEqual(self.run_pghd("verify", other, server, "--rebuild", "--confirm-patient")[0], 1)
            self.assertNotEqual(ledger.read_bytes(), before)

    def test_a_truncated_export_is_not_taken_for_a_small_one(self):
        mine, other = self.export(exports.samples(200), 1), self.export(exports.samples(200, seed=2), 2)
        lines = other.read_text().splitlines(keepends=True)
        records = [number for number, line in enumerate(lines) if "<Record" in line]
        other.write_text("".join(lines[:records[12 + 90]]))
        with ScriptedServer() as server:
            self.sync(mine, server)
            posts = len(server.posts)
            code, _, said = self.run_pghd("sync", other, server)
            self.assertEqual((code, said), (64, self.sentence(90)))
            self.assertEqual(len(server.posts), posts)
            self.assertEqual(self.sync(other, server, "--confirm-patient", code=1)["delivered"], 90)

    def test_a_complete_export_may_be_small_and_have_a_control_byte(self):
        small = self.export(exports.samples(20, seed=2), 2)
        small.write_bytes(small.read_bytes().replace(b'sourceName="', b'sourceName="\x0b'))
        with ScriptedServer() as server:
            self.sync(self.export(exports.samples(200), 1), server)
            self.assertEqual(self.sync(small, server, code=1)["refused"], 0)

    def test_a_long_export_is_not_read_to_its_end_to_see_whose_it_is(self):
        mine, other = self.export(exports.samples(100), 1), self.export(exports.samples(9000, seed=2), 2)
        with ScriptedServer() as server:
            self.sync(mine, server)
            posts = len(server.posts)
            code, _, said = self.run_pghd("sync", other, server)
            self.assertEqual((code, len(server.posts)), (64, posts))
            count = int(said.split("hardly any of the first ")[1].split()[0])
            self.assertTrue(4096 <= count < 4096 + 400, said)
            self.assertEqual(said, self.sentence(count))

    def test_exports_of_the_same_person_are_sent(self):
        mine = exports.samples(200)
        new = [exports.Sample("BodyMass", 90 * number, "70", "kg") for number in range(3000)]
        changed = [exports.Sample(s.kind, s.start, s.value, s.unit, note="new") for s in mine[1:]]
        cases = {
            "five samples in three thousand are known": (self.export(new + mine[:5], 2), [], 3000),
            "all but two have changed": (self.export(mine[:2] + changed[1:], 3), [], 298),
            "few are new, and none is known": (self.export(new[:90], 4), [], 90),
            "only a part is asked for": (self.export(new, 5), ["--types", "BodyMass"], 3000),
        }
        for name, (path, more, delivered) in cases.items():
            with self.subTest(name), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / name.replace(" ", "-"))]
                self.sync(self.export(mine, 1), server, *ledger)
                self.assertEqual(self.sync(path, server, *ledger, *more)["delivered"], delivered)

    def test_what_send_has_delivered_since_counts_as_the_same_persons(self):
        samples = exports.samples(200)
        newer = self.export([dataclasses.replace(sample, note="newer") for sample in samples], 2)
        with ScriptedServer() as server:
            self.sync(self.export(samples, 1), server)
            code, _, said = self.run_pghd("send", self.convert(newer), server)
            self.assertEqual(code, 0, said)
            self.sync(newer, server)
            self.assertEqual(server.named_contents(), self.named_resources(newer))

    def test_the_same_birth_date_identifies_a_person_and_the_same_sex_does_not(self):
        for more, code in (({"birth": "1980-02-03"}, 0), ({"sex": "HKBiologicalSexFemale"}, 64)):
            with self.subTest(more), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / str(code))]
                self.sync(self.export(exports.samples(200), 1, **more), server, *ledger)
                self.sync(self.export(exports.samples(200, seed=2), 2, **more), server, *ledger, code=code)

    def test_after_runs_of_parts_alone_nothing_has_to_be_known(self):
        with ScriptedServer() as server:
            self.sync(self.export(exports.samples(400), 1), server, "--types", "StepCount")
            self.assertEqual(self.sync(self.export(exports.samples(400)[:400], 2), server)["delivered"], 408 + 12)


if __name__ == "__main__":
    unittest.main()
