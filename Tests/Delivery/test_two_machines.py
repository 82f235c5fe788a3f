#!/usr/bin/env python3
"""One patient, one server, and two machines that do not know of each other: two ledgers.

    python3 Tests/Delivery/test_two_machines.py

A machine whose ledger knows nothing reads the server first, where that has resources of the patient:
what was changed there after its export was made stays as it is.
"""

import concurrent.futures
import dataclasses
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options
from exports import packed
from scripted_server import ScriptedServer

SAMPLE = Path(__file__).resolve().parents[2] / "samples/vision-prescriptions.xml"


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
        self.fewest = packed(exports.write(self.folder / "fewest.xml", fewer, day=61))
        # Made after the time that the server gives as its resources' last change.
        self.newest, self.last = (
            packed(exports.write(self.folder / f"{day}.xml", changed[:400] + new + changed[400:], day=day))
            for day in (60, 62)
        )
        # What the newer one no longer holds, in addition to what it holds in other versions.
        gone = [exports.Sample("HeartRate", 60 * i + 17, "64", "count/min") for i in range(4)]
        self.older = packed(exports.write(self.folder / "older.xml", samples[:400] + gone + samples[400:]))
        keys = key_options(self.folder)
        self.forms = [], ["--conditional"], keys

    def machine(self, name, form):
        return [*form, "--ledger", str(self.folder / f"{name}{len(form)}")]

    def assert_once(self, server, count):
        self.assertEqual((len(server.ids()), set(server.ids().values())), (count, {1}))
        self.assertEqual(set(server.ids("Device").values()), {1})
        self.assertEqual(server.conflicting_keys, [])

    def test_what_the_other_machine_sent_is_not_stored_twice_by_a_key_only_server(self):
        form = self.forms[2]
        for export, later in (self.new, False), (self.new, True), (self.newest, True):
            with self.subTest(export=export, later=later), ScriptedServer(honours_if_none_exist=False) as server:
                name = f"{export}{later}".replace("/", "")
                first, second = (self.machine(f"{number}{name}", form) for number in (1, 2))
                for machine in first, second:
                    self.sync(self.old, server, *machine)
                self.sync(export, server, *first)
                count = len(server.ids())
                contents = set(server.named_contents())
                if later:
                    # It has forgotten its keys.
                    server.answers.clear()
                self.sync(export, server, *second)
                self.assertEqual((len(server.ids()), set(server.ids().values())), (count, {1}))
                # A Device is sent along with each Bundle, and is the same each time.
                self.assertEqual(set(server.named_contents()), contents)
                for machine in first, second:
                    self.assertEqual(self.sync(export, server, *machine)["requests"], {})

    def test_two_machines_at_the_same_time_store_everything_once(self):
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer(delay=0.01) as server:
                with concurrent.futures.ThreadPoolExecutor() as pool:
                    run = lambda name: self.sync(self.old, server, *self.machine(name, form), "--max-entries", "40")
                    reports = list(pool.map(run, ("one", "other")))
                self.assertEqual([(r["refused"], r["uncertain"]) for r in reports], [(0, 0), (0, 0)])
                self.assert_once(server, 600)
                self.assertEqual(set(server.store.versions.values()), {1})
                for name in "one", "other":
                    report = self.sync(self.old, server, *self.machine(name, form), "--max-entries", "40")
                    self.assertEqual(report["requests"], {})

    def test_two_machines_in_turn_send_what_each_knows_and_store_nothing_twice(self):
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                one, other = self.machine("a", form), self.machine("b", form)
                self.sync(self.old, server, *one)
                self.sync(self.old, server, *other)
                self.assert_once(server, 600)
                self.assertEqual(set(server.store.versions.values()), {1})
                self.assertEqual(self.sync(self.new, server, *other)["delivered"], 13)
                newer = server.contents()
                # What this machine has delivered itself it does not send again, though the other's version is newer.
                self.assertEqual(self.sync(self.old, server, *one)["requests"], {})
                self.assertEqual(server.contents(), newer)
                self.sync(self.new, server, *one)
                self.assertEqual(server.contents(), newer)
                self.assert_once(server, 610)
                for machine in one, other:
                    self.assertEqual(self.sync(self.new, server, *machine)["requests"], {})

    def test_what_one_machine_has_deleted_the_other_finds_deleted(self):
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

    def key_only(self, form):
        """The server for a form: one that knows only keys does not honour ifNoneExist."""
        return ScriptedServer(honours_if_none_exist="--api" not in form)

    def notes(self, server):
        return sum('"changed"' in str(r).replace("'", '"') for r in server.store.resources.values())

    def test_an_older_export_on_a_second_machine_reverts_nothing_and_sends_what_was_never_there(self):
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                self.sync(self.new, server, *self.machine("e", form))
                self.assertEqual((len(server.ids()), self.notes(server)), (610, 3))
                before = dict(server.store.resources)
                for delivered in 4, 0:
                    report = self.sync(self.older, server, *self.machine("f", form))
                    self.assertEqual((report["delivered"], report["deletionsOffered"]), (delivered, None))
                    self.assertEqual((len(server.ids()), set(server.ids().values())), (614, {1}))
                    self.assertEqual({n: server.store.resources[n] for n in before}, before)
                # An export made after the server's last change counts again.
                self.assertEqual(self.sync(self.newest, server, *self.machine("f", form))["deletionsOffered"], 4)
                self.assertEqual((len(server.ids()), self.notes(server)), (614, 3))
                self.assertEqual(self.sync(self.newest, server, *self.machine("f", form))["requests"], {})

    def test_what_another_machine_sent_stays_when_an_older_export_follows(self):
        for form in self.forms[:2]:
            with self.subTest(form=form), self.key_only(form) as server:
                server.last_updated = "2024-04-03T09:00:00Z"
                # One sends a part of the newer export, the other all of it.
                self.sync(self.new, server, *self.machine("o", form), "--types", "HeartRate")
                self.sync(self.new, server, *self.machine("p", form))
                before = dict(server.store.resources)
                report = self.sync(self.older, server, *self.machine("o", form))
                self.assertEqual((report["delivered"], self.notes(server)), (4, 3))
                self.assertEqual({n: server.store.resources[n] for n in before}, before)

    def test_a_rebuild_from_an_empty_server_does_not_keep_the_next_sync_from_reading_it(self):
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                server.last_updated = "2024-04-03T09:00:00Z"
                report = self.run_pghd("verify", self.old, server, *self.machine("q", form), "--rebuild")[1]
                self.assertEqual((report["rebuilt"], report["same"]), (0, 0))
                self.sync(self.new, server, *self.machine("r", form))
                report = self.sync(self.old, server, *self.machine("q", form))
                self.assertEqual((report["delivered"], report["outdated"]), (0, 3))
                self.assertEqual((len(server.ids()), self.notes(server)), (610, 3))
                self.assertEqual(set(server.ids().values()), {1})

    def test_a_newer_export_on_a_second_machine_sends_what_is_new_or_changed_and_doubles_nothing(self):
        for form in self.forms:
            for told in "2024-05-01T00:00:00Z", "2024-05-01T09:30:10.123+02:00":
                with self.subTest(form=form, told=told), self.key_only(form) as server:
                    server.last_updated = told
                    self.sync(self.old, server, *self.machine("g" + told, form))
                    report = self.sync(self.newest, server, *self.machine("h" + told, form))
                    self.assertEqual(report["delivered"], 13)
                    self.assertEqual((len(server.ids()), set(server.ids().values())), (610, {1}))
                    self.assertEqual(self.notes(server), 3)
                    if not form:
                        self.assertEqual(server.contents(), self.resources(self.newest))
                    self.assertEqual(self.sync(self.newest, server, *self.machine("h" + told, form))["requests"], {})

    def test_what_an_older_export_does_not_hold_is_not_stored_twice_once_a_newer_one_sends_it(self):
        for form in self.forms:
            for told in "2024-05-01T00:00:00Z", None:
                for path in self.old, self.old.with_suffix(".xml"):
                    with self.subTest(form=form, told=told, path=path.name), self.key_only(form) as server:
                        server.last_updated = told
                        self.sync(self.new, server, *self.machine(f"x{told}{path.name}", form))
                        stored = server.named_contents()
                        machine = self.machine(f"y{told}{path.name}", form)
                        # What it does not hold says nothing: as far as anybody knows, that is younger than the export.
                        report = self.sync(path, server, *machine, "--delete")
                        self.assertEqual((report["delivered"], report["deletionsOffered"]), (0, None))
                        self.assertEqual(server.named_contents(), stored)
                        self.sync(self.newest, server, *machine)
                        self.assertEqual((len(server.ids()), set(server.ids().values())), (610, {1}))

    def test_what_was_deleted_while_the_ledger_was_lost_is_offered_and_deleted(self):
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                self.sync(self.newest, server, *self.machine("r", form))
                machine = self.machine("s", form)
                report = self.sync(self.fewest, server, *machine)
                self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (5, 0))
                report = self.sync(self.fewest, server, *machine, "--delete")
                self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (5, 5))
                # A machine that loses the ledger again finds them deleted.
                report = self.sync(self.fewest, server, *self.machine("t", form), "--delete")
                self.assertEqual((report["deletionsOffered"], report["delivered"]), (0, 0))
                report = self.sync(self.last, server, *self.machine("t", form))
                self.assertEqual((report["delivered"], set(server.ids().values())), (5, {1}))
                wrong = [r for r in server.store.resources.values() if r.get("status") == "entered-in-error"]
                self.assertEqual(wrong, [])

    def test_a_workout_that_is_gone_is_deleted_as_a_whole_and_a_daily_summary_is_kept(self):
        def export(day, workouts):
            path = exports.write(self.folder / f"workouts{day}.xml", exports.samples(40), day=day)
            elements = [
                f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" '
                f'sourceName="Watch" startDate="2024-03-{n:02} 09:00:00 +0100" endDate="2024-03-{n:02} 09:30:00 +0100">'
                f'<WorkoutStatistics type="HKQuantityTypeIdentifierStepCount" startDate="2024-03-{n:02} 09:00:00 +0100" '
                f'endDate="2024-03-{n:02} 09:30:00 +0100" sum="3000" unit="count"/></Workout>'
                for n in workouts
            ]
            path.write_text(path.read_text().replace("</HealthData>", "".join(elements) + "</HealthData>"))
            return packed(path)

        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                self.sync(export(60, (10, 11)), server, *self.machine("u", form), "--summaries")
                path = export(61, (11,))
                report = self.sync(path, server, *self.machine("v", form), "--delete", "--max-delete", "50")
                workout = [r for r in server.store.resources.values() if "2024-03-10T" in str(r.get("effectivePeriod"))]
                self.assertGreater(len(workout), 2)
                self.assertEqual({r["status"] for r in workout}, {"entered-in-error"})
                self.assertEqual(report["deletionsDone"], len(workout))
                # A day of steps was summed up, which this run was not asked to do.
                self.assertGreater(report["deletionsOffered"], len(workout))
                statuses = [r["status"] for r in server.store.resources.values() if r["resourceType"] == "Observation"]
                self.assertEqual(statuses.count("entered-in-error"), len(workout))

    def test_a_server_that_does_not_say_when_it_changed_something_keeps_what_it_has(self):
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                server.last_updated = None
                self.sync(self.old, server, *self.machine("i", form))
                self.assertEqual(self.sync(self.newest, server, *self.machine("j", form))["delivered"], 10)
                self.assertEqual((len(server.ids()), self.notes(server)), (610, 0))

    def test_a_lastUpdated_in_the_year_1_counts_as_none(self):
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                server.last_updated = "0001-01-01T00:00:00Z"
                self.sync(self.old, server, *self.machine("i", form))
                self.assertEqual(self.sync(self.newest, server, *self.machine("j", form))["delivered"], 10)
                self.assertEqual((len(server.ids()), self.notes(server)), (610, 0))

    def test_a_server_that_fails_for_a_while_is_not_taken_for_an_empty_one(self):
        for form in self.forms:
            for status in 500, 502:
                with self.subTest(form=form, status=status), self.key_only(form) as server:
                    self.sync(self.new, server, *self.machine(f"m{status}", form))
                    before, answer, failures = server.contents(), server.handle_get, [status] * 3

                    def fail(request):
                        if "_summary=count" in request.path and failures:
                            return server.send(request, failures.pop(), b"<html>Bad Gateway</html>")
                        return answer(request)

                    server.handle_get = fail
                    report = self.sync(self.old, server, *self.machine(f"n{status}", form))
                    self.assertEqual((report["outdated"], server.contents()), (3, before))

    def test_a_server_that_fails_only_at_the_search_for_our_identifiers_gets_the_export(self):
        for form in self.forms[:2]:
            with self.subTest(form=form), self.key_only(form) as server:
                answer = server.handle_get
                server.handle_get = lambda request: (
                    server.send(request, 500, b"{}") if "%7C&patient=" in request.path else answer(request)
                )
                self.sync(self.old, server, *self.machine("q", form))
                self.assert_once(server, 600)

    def test_what_another_machine_sends_between_a_rebuild_and_a_run_is_not_stored_twice(self):
        form = self.forms[2]
        with self.key_only(form) as server:
            one, other = self.machine("three", form), self.machine("four", form)
            self.sync(self.old, server, *one)
            self.assertEqual(self.run_pghd("verify", self.new, server, *other, "--rebuild")[1]["missing"], 10)
            self.sync(self.new, server, *one)
            self.sync(self.new, server, *other)
            self.assertEqual((len(server.ids()), set(server.ids().values())), (610, {1}))

    def test_filling_an_empty_ledger_at_a_key_only_server_waits_for_the_count(self):
        form = self.forms[2]
        with self.key_only(form) as server:
            self.sync(self.new, server, *self.machine("w", form))
            answer, counts = server.handle_get, []

            def fail(request):
                if "Observation?" in request.path and "_summary=count" in request.path:
                    counts.append(request.path)
                    # The first asks for what the empty ledger does not know.
                    if 1 < len(counts) < 8:
                        return server.send(request, 502, b"<html>Bad Gateway</html>")
                return answer(request)

            server.handle_get = fail
            self.sync(self.old, server, *self.machine("z", form))
            self.sync(self.newest, server, *self.machine("z", form))
            self.assertEqual((len(server.ids()), set(server.ids().values())), (610, {1}))

    def test_a_key_only_server_that_ignores_systems_or_identifiers_is_not_filled_a_second_time(self):
        form = self.forms[2]
        other = {
            "resourceType": "Observation", "status": "final", "subject": {"reference": "Patient/p1"},
            "code": {"text": "of somebody else"}, "identifier": [{"system": "urn:oid:1.2.3", "value": "7"}],
        }
        for name in "systems", "identifiers":
            with self.subTest(name), self.key_only(form) as server:
                server.store.put("Observation/0", other)
                self.sync(self.old, server, *self.machine(f"one{name}", form))
                search = server.search
                if name == "systems":
                    server.knows_systems = False
                else:
                    rest = lambda query: {name: texts for name, texts in query.items() if name != "identifier"}
                    server.search = lambda kind, query: search(kind, rest(query))
                    server.next_links = None
                code, _, said = self.run_pghd("sync", self.new, server, *self.machine(f"two{name}", form))
                self.assertEqual((code, len(server.ids()), set(server.ids().values())), (6, 601, {1}), said)
                reason = "its list of this patient's resources can't be read to its end"
                self.assertIn(reason if name == "systems" else "/Observation: answered 200 to a read", said)

    def test_the_same_export_on_a_second_machine_posts_nothing(self):
        for form in self.forms:
            with self.subTest(form=form), self.key_only(form) as server:
                self.sync(self.old, server, *self.machine("k", form))
                count = len(server.posts)
                code, report, said = self.run_pghd("sync", self.old, server, *self.machine("l", form))
                self.assertEqual((code, report["requests"], len(server.posts)), (0, {}, count), said)
                self.assertIn("has 600 resources of this patient that the ledger does not know: reads them first", said)

    def test_nothing_is_sent_if_the_server_cannot_be_compared_with_the_whole_export(self):
        with ScriptedServer() as server:
            self.sync(self.new, server, *self.machine("m", []))
            posts, contents = len(server.posts), server.contents()
            for more in ["--types", "HeartRate"], ["--since", "2024-03-01"], ["--dry-run"]:
                with self.subTest(more):
                    code, _, said = self.run_pghd("sync", self.old, server, *self.machine("n", []), *more)
                    self.assertEqual((code, len(server.posts), server.contents()), (64, posts, contents))
                    self.assertRegex(said, r"has 610 resources of this patient .*run 'pghd verify --rebuild'")

    def test_one_electrocardiogram_is_not_enough_to_fill_an_empty_ledger(self):
        heart = Path(__file__).resolve().parents[2] / "samples/electrocardiograms/english.csv"
        with ScriptedServer() as server:
            self.sync(self.new, server, *self.machine("m", []))
            self.sync(heart, server, *self.machine("m", []))
            posts, contents = len(server.posts), server.contents()
            code, _, said = self.run_pghd("sync", heart, server, *self.machine("n", []))
            self.assertEqual((code, len(server.posts), server.contents()), (64, posts, contents), said)
            self.assertRegex(said, r"has 611 resources of this patient .*run 'pghd verify --rebuild'")
            for path in heart, "-":
                with heart.open() as rows:
                    code, _, said = self.run_pghd("verify", path, server, "--rebuild", *self.machine("n", []), stdin=rows)
                self.assertEqual((code, "one electrocardiogram is not an export" in said), (64, True), said)
            self.assertEqual(self.sync(self.new, server, *self.machine("n", []))["delivered"], 0)
            # A pipe is read once: for a whole export, nothing has to be read first to learn what it is.
            with (self.folder / "new.xml").open() as xml:
                code, report, said = self.run_pghd("verify", "-", server, "--rebuild", *self.machine("o", []), stdin=xml)
            self.assertEqual((code, report and report["missing"], report and report["rebuilt"]), (0, 0, 612), said)

    def test_a_patient_of_whom_the_server_has_only_prescriptions_is_not_a_new_one(self):
        text = SAMPLE.read_text(encoding="utf-8")
        later = text.replace('<ExportDate value="2024', '<ExportDate value="2025')
        later = later.replace('expirationDate="2026-06-16', 'expirationDate="2027-06-16')
        new = self.folder / "prescriptions.xml"
        new.write_text(later, encoding="utf-8")
        self.assertNotEqual(later, text)
        more = self.folder / "more.xml"
        rate = exports.Sample("HeartRate", 0, "71", "count/min").xml(1, 1)
        more.write_text(later.replace("</HealthData>", rate + "\n</HealthData>"), encoding="utf-8")
        for form in self.forms:
            with self.subTest(form), ScriptedServer(honours_if_none_exist=form != self.forms[2]) as server:
                server.last_updated = "2025-12-01T00:00:00Z"
                self.sync(new, server, *self.machine("one", form))
                kinds = ("Observation", "VisionPrescription")
                there = [server.contents(), [server.ids(kind) for kind in kinds]]
                self.assertEqual((there[1][0], len(there[1][1])), ({}, 2))
                # The server has forgotten its keys.
                server.answers.clear()
                self.sync(SAMPLE, server, *self.machine("other", form))
                self.assertEqual([server.contents(), [server.ids(kind) for kind in kinds]], there)
                # What the server has of them shows that the export is this patient's, though it has none of the
                # Observations.
                server.answers.clear()
                self.sync(more, server, *self.machine("third", form))
                self.assertEqual((list(server.ids().values()), server.ids(kinds[1])), ([1], there[1][1]))

    def test_a_server_that_cannot_be_searched_is_taken_for_a_new_one(self):
        with ScriptedServer() as server:
            server.can_search = False
            for name in "o", "p":
                self.sync(self.old, server, *self.machine(name, []))
                self.assert_once(server, 600)
                self.assertEqual(set(server.store.versions.values()), {1})


if __name__ == "__main__":
    unittest.main()
