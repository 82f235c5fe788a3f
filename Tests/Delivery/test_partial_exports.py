#!/usr/bin/env python3
"""What an export that is damaged, cut, filtered or interrupted must not do to what a server has.

    python3 Tests/Delivery/test_partial_exports.py
"""

import dataclasses
import json
import shutil
import subprocess
import sys
import threading
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase
from exports import packed
from scripted_server import ScriptedServer

SAMPLE = (
    '<Record type="HKQuantityTypeIdentifierBloodPressure{}" sourceName="Cuff" unit="mmHg" value="{}" '
    'creationDate="{date}" startDate="{date}" endDate="{date}"/>'
)
FRAME = '<Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" creationDate="{date}" ' \
    'startDate="{date}" endDate="{date}">{}</Correlation>'


class PartialExports(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.samples = exports.samples(60)
        self.old = packed(exports.write(self.folder / "old.xml", self.samples))
        changed = [dataclasses.replace(s, note="newer") if i % 10 == 0 else s for i, s in enumerate(self.samples)]
        self.xml = exports.write(self.folder / "new.xml", changed, day=5)
        self.new = packed(self.xml)

    def variant(self, name, old, new, source=None):
        """The newer export with one text replaced by another."""
        text = (source or self.xml).read_text()
        self.assertIn(old, text)
        path = self.folder / f"{name}.xml"
        path.write_text(text.replace(old, new, 1))
        return packed(path)

    def newer(self, server):
        return sorted(n for n, r in server.store.resources.items() if "newer" in json.dumps(r))

    def test_an_older_export_reverts_nothing_that_came_with_a_part_of_a_newer_one(self):
        bad = SAMPLE.format("Systolic", "1", date="no date")
        parts = [
            ("filtered", self.new, ["--types", "HeartRate"], 0), ("since", self.new, ["--since", "2000-01-01"], 0),
            ("bare", self.xml, [], 0), ("cut", self.variant("cut", "</HealthData>", ""), [], 1),
            ("damaged", self.variant("damaged", "</HealthData>", bad + "</HealthData>"), [], 1),
        ]
        for form in [], ["--conditional"]:
            for name, path, more, code in parts:
                with self.subTest(name, form=form), ScriptedServer() as server:
                    ledger = ["--ledger", str(self.folder / f"{name}{len(form)}"), *form]
                    self.sync(path, server, *ledger, *more, code=code)
                    newer = self.newer(server)
                    self.assertEqual(len(newer), 6 if more[:1] == ["--types"] else 9)
                    report = self.sync(self.old, server, *ledger)
                    self.assertEqual((report["outdated"], report["deletionsOffered"]), (len(newer), None))
                    self.assertEqual((self.newer(server), len(server.ids())), (newer, 90))
                    # The patient's own whole export still counts.
                    self.assertEqual(self.sync(self.new, server, *ledger)["deletionsOffered"], 0)
                    self.assertEqual((len(self.newer(server)), set(server.ids().values())), (9, {1}))

    def test_faults_that_phones_make_in_every_export_and_that_lose_nothing_do_not_hold_back_deletions(self):
        sum_of = '<WorkoutStatistics type="HKQuantityTypeIdentifierStepCount" startDate="{0}" startDate="{1}" sum="1" unit="count"/>'
        begin, end = "2024-03-01 08:00:00 +0000", "2024-03-01 09:00:00 +0000"
        run = f'sourceName="W" startDate="{begin}" endDate="{end}"'
        faults = {
            "control byte": f'<Record type="HKQuantityTypeIdentifierBodyMass" sourceName="W\x0bX" unit="kg" value="70" '
            f'startDate="{begin}" endDate="{begin}"/>',
            "doubled start": f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" {run}>{sum_of.format(begin, end)}</Workout>',
            "end before start": f'<Record type="HKQuantityTypeIdentifierBodyMass" sourceName="W" unit="kg" value="71" '
            f'startDate="{end}" endDate="{begin}"/>',
        }
        for name, fault in faults.items():
            for number, form in enumerate([[], ["--conditional"]]):
                with self.subTest(name, form=form), ScriptedServer() as server:
                    more = [*form, "--ledger", str(self.folder / f"{name}{number}")]
                    first, second = (
                        self.variant(day, "</HealthData>", fault + "</HealthData>", source)
                        for day, source in [
                            ("first", self.xml),
                            ("second", exports.write(self.folder / "fewer.xml", self.samples[1:], day=9)),
                        ]
                    )
                    self.sync(first, server, *more, code=1)
                    report = self.sync(second, server, *more, "--delete", code=1)
                    self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (1, 1))
                    # In a file that may have been copied wrongly any byte may be wrong.
                    bare = self.folder / "unpacked" / name
                    bare.mkdir(parents=True, exist_ok=True)
                    with zipfile.ZipFile(second) as archive:
                        archive.extractall(bare)
                    offered = self.sync(bare, server, *more, code=1)["deletionsOffered"]
                    self.assertEqual(offered, None if name == "control byte" else 0)

    def test_what_comes_into_a_folder_while_it_is_read_does_not_count_as_gone(self):
        # As while an archive is being unpacked.
        ecgs = self.folder / "unpacked" / "electrocardiograms"
        ecgs.mkdir(parents=True)
        late = ecgs / "ecg_3.csv"
        rows = (
            "Name,\nDate of Birth,\nRecorded Date,2024-03-0{} 09:31:02 +0000\nClassification,Sinus Rhythm\n"
            "Sample Rate,512 hertz\n\n12\n13\n"
        )

        class Server(ScriptedServer):
            comes = False

            def answer_post(self, request, body, fault):
                if self.comes:
                    late.write_text(rows.format(3))
                return super().answer_post(request, body, fault)

        def write(samples, day):
            exports.write(ecgs.parent / "export.xml", samples, day=day)

        write(self.samples, 1)
        for number in 1, 2, 3:
            (ecgs / f"ecg_{number}.csv").write_text(rows.format(number))
        with Server() as server:
            self.sync(ecgs.parent, server)
            late.unlink()
            # More than a run reads ahead.
            write(self.samples + [exports.Sample("BodyMass", i * 60, "70", "kg") for i in range(6000)], 2)
            server.comes = True
            code, report, said = self.run_pghd("sync", ecgs.parent, server, "--delete")
            self.assertEqual((code, report["deletionsOffered"], report["deletionsDone"]), (1, None, 0), said)
            self.assertIn("files of the folder changed while it was read", said)
            sent = [r for r in server.store.resources.values() if "Electrocardiogram" in json.dumps(r)]
            self.assertEqual([r["status"] for r in sent], ["final"] * 3)
            self.assertEqual(self.sync(ecgs.parent, server, "--delete")["deletionsOffered"], 0)
            # What is missing may have been left out.
            late.unlink()
            self.assertEqual(self.sync(ecgs.parent, server, "--delete")["deletionsKept"], 1)

    def test_a_forbidden_character_for_which_something_was_left_out_holds_back_deletions(self):
        step = SAMPLE.format("Systolic", "1", date="2024-03-01 08:00:00 +0000")
        for name, broken in {
            "a reference that is no character": step.replace('"Cuff"', '"&#' + "0" * 40 + '11;"'),
            "an element's name": step.replace("<Record", "<Reco\x0brd"),
            "an attribute's name": step.replace("value=", "va\x0blue="),
        }.items():
            with self.subTest(name), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / name)]
                self.sync(self.variant("good", "</HealthData>", step + "</HealthData>"), server, *more)
                later = exports.write(self.folder / "later.xml", self.samples[1:], day=9)
                path = self.variant("broken", "</HealthData>", broken + "</HealthData>", later)
                report = self.sync(path, server, *more, "--delete", code=1)
                self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (None, 0))

    def test_an_older_export_reverts_nothing_that_came_before_an_interruption(self):
        with ScriptedServer() as server:
            server.gate, server.gate_behind = threading.Event(), 4
            arguments = self.arguments("sync", self.new, server, "--concurrency", "1", "--max-entries", "10")
            run = subprocess.Popen(arguments, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.until(lambda: len(server.posts) >= 4)
            self.interrupt(run)
            server.gate.set()
            run.communicate(timeout=300)
            self.assertEqual(run.returncode, 130)
            newer = self.newer(server)
            self.assertGreater(len(newer), 0)
            self.assertEqual(self.sync(self.old, server)["outdated"], len(newer))
            self.assertEqual((self.newer(server), len(server.ids())), (newer, 90))

    def test_an_export_of_which_nothing_arrived_does_not_make_others_older_ones(self):
        later = packed(exports.write(self.folder / "later.xml", exports.samples(60, seed=2), day=9))
        with ScriptedServer() as server:
            self.sync(self.old, server)
            server.faults = [{"kind": "status", "status": 429} for _ in range(99)]
            self.assertEqual(self.sync(later, server, "--retry-for", "0", code=3)["uncertain"], 0)
            server.faults = []
            report = self.sync(self.new, server)
            self.assertEqual((report["delivered"], report["outdated"], report["deletionsOffered"]), (9, 0, 0))

    def test_a_dry_run_does_not_make_other_exports_older_ones(self):
        with ScriptedServer() as server:
            self.sync(self.new, server, "--dry-run")
            self.assertEqual(self.sync(self.old, server)["delivered"], 92)
            self.assertEqual(self.sync(self.new, server)["delivered"], 9)

    def test_daily_totals_are_not_made_from_an_export_that_lost_elements(self):
        samples = [exports.Sample("StepCount", 600 * i, "100", "count") for i in range(300)]
        whole = packed(exports.write(self.folder / "whole.xml", samples))
        later = exports.write(self.folder / "later.xml", samples, day=3)
        lines = later.read_text().splitlines(keepends=True)
        cut = self.folder / "cut.xml"
        cut.write_text("".join(lines[:100]))
        for name, path in [
            ("cut", cut), ("cut zip", packed(cut)),
            ("lost", self.variant("lost", 'value="100"', 'value="100" value="100"', later)),
        ]:
            with self.subTest(name), ScriptedServer() as server:
                options = ["--summaries", "--time-zone", "UTC", "--ledger", str(self.folder / name)]
                self.assertFalse(self.sync(whole, server, *options)["leavesOutSummaries"])
                before = server.contents()
                report = self.sync(path, server, *options, code=1)
                self.assertEqual((report["leavesOutSummaries"], report["delivered"]), (True, 0))
                self.assertEqual(server.contents(), before)

    def pressures(self, name, day, end, count=4):
        dates = [f"2024-03-0{n + 1} 07:00:00 +0100" for n in range(count)]
        samples = [SAMPLE.format(kind, value, date=date) for kind, value in (("Systolic", 120), ("Diastolic", 80))
                   for date in dates]
        pairs = [samples[n] + samples[n + count] for n in range(count)]
        panels = [FRAME.format(pair, date=date) for pair, date in zip(pairs, dates)]
        text = f'<HealthData locale="en_GB">\n<ExportDate value="2024-04-0{day} 08:00:00 +0000"/>\n'
        path = self.folder / f"{name}.xml"
        path.write_text(text + "\n".join(samples) + "\n" + end("\n".join(panels)))
        return packed(path)

    def codes(self, server):
        observations = [r for r in server.store.resources.values() if r["resourceType"] == "Observation"]
        return sorted((r["code"]["coding"][-1]["code"].removeprefix("HK"), r["status"]) for r in observations)

    def test_a_blood_pressure_whose_panel_was_cut_off_is_not_stored_twice(self):
        cut = self.pressures("cut", 1, lambda panels: "")
        whole = self.pressures("whole", 2, lambda panels: panels + "</HealthData>\n")
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / f"pressure{len(form)}"), *form]
                report = self.sync(cut, server, *ledger, code=1)
                self.assertEqual((report["withoutPanel"], report["delivered"]), (8, 0))
                self.assertEqual(self.sync(whole, server, *ledger)["withoutPanel"], 0)
                self.assertEqual(self.codes(server), [("CorrelationTypeIdentifierBloodPressure", "final")] * 4)

    def test_a_blood_pressure_whose_panel_was_broken_is_not_stored_twice(self):
        broken = '<Correlation type="a" type="b"'
        damaged = self.pressures(
            "broken", 1, lambda panels: panels.replace("<Correlation", broken, 1) + "</HealthData>\n"
        )
        whole = self.pressures("whole", 2, lambda panels: panels + "</HealthData>\n")
        with ScriptedServer() as server:
            report = self.sync(damaged, server, code=1)
            self.assertEqual((report["withoutPanel"], report["delivered"]), (2, 4))
            self.sync(whole, server)
            self.assertEqual(self.codes(server), [("CorrelationTypeIdentifierBloodPressure", "final")] * 4)

    def test_values_that_are_in_panels_now_are_offered_for_deletion_and_marked(self):
        alone = self.pressures("alone", 1, lambda panels: "</HealthData>\n")
        whole = self.pressures("whole", 2, lambda panels: panels + "</HealthData>\n")
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / f"pressure{len(form)}"), *form]
                self.assertEqual(self.sync(alone, server, *ledger)["withoutPanel"], 0)
                self.assertEqual(len(self.codes(server)), 8)
                report = self.sync(whole, server, *ledger, "--delete", "--max-delete", "9")
                self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (8, 8))
                values = [(f"QuantityTypeIdentifierBloodPressure{kind}", "entered-in-error")
                          for kind in ("Diastolic", "Systolic") for _ in range(4)]
                panels = [("CorrelationTypeIdentifierBloodPressure", "final")] * 4
                self.assertEqual(self.codes(server), sorted(values + panels))

    def unpacked_with_two_electrocardiograms(self):
        """The folder of an export, and the folder of its electrocardiograms."""
        export = self.folder / "apple_health_export"
        heart = export / "electrocardiograms"
        heart.mkdir(parents=True)
        exports.write(export / "export.xml", self.samples)
        rows = "Name,\nDate of Birth,\nRecorded Date,2024-03-0{} 09:31:02 +0000\nSample Rate,512 hertz\n\n12\n13\n"
        for number in (1, 2):
            (heart / f"ecg_{number}.csv").write_text(rows.format(number))
        return export, heart

    def test_an_electrocardiogram_not_downloaded_or_in_a_deeper_folder_is_not_deleted(self):
        export, heart = self.unpacked_with_two_electrocardiograms()
        with ScriptedServer() as server:
            self.sync(export, server)
            whole = server.named_contents()
            exports.write(export / "export.xml", self.samples, day=2)
            (heart / "2024").mkdir()
            (heart / "ecg_1.csv").rename(heart / "2024" / "ecg_1.csv")
            (heart / "ecg_2.csv").rename(heart / ".ecg_2.csv.icloud")
            report = self.sync(export, server, "--delete", code=1)
            self.assertEqual(report.get("deletionsOffered"), None)
            self.assertEqual(report["malformationCounts"], {"unreadableFile": 1})
            self.assertEqual(server.named_contents(), whole)

    def test_an_electrocardiogram_that_a_folder_lacks_stays_and_one_that_a_zip_lacks_is_deleted(self):
        """An export does not list them: a folder may have been copied without one, or with half of one."""
        export, heart = self.unpacked_with_two_electrocardiograms()
        with ScriptedServer() as server:
            self.sync(export, server)
            whole = server.named_contents()
            (heart / "ecg_2.csv").unlink()
            exports.write(export / "export.xml", self.samples, day=2)
            for path, done in (export, 0), (shutil.make_archive(export, "zip", self.folder, export.name), 1):
                report = self.sync(path, server, "--delete")
                counts = [report[name] for name in ("deletionsOffered", "deletionsDone", "deletionsKept")]
                self.assertEqual(counts, [1, done, 1 - done])
                self.assertEqual(server.named_contents() == whole, done == 0)


if __name__ == "__main__":
    unittest.main()
