#!/usr/bin/env python3
"""Servers that answer rightly, wrongly or partly, as real ones do: nothing else is changed, lost or doubled by it.

    python3 Tests/Delivery/test_odd_servers.py
"""

import copy
import dataclasses
import datetime
import json
import re
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import ROOT, DeliveryTestCase, key_options, named
from exports import packed
from scripted_server import FOREIGN, OddServer, ScriptedServer, outcome

FORMS = [], ["--conditional"]


class Deletions(DeliveryTestCase):
    """Three of 60 samples are missing from the newer export."""

    def setUp(self):
        super().setUp()
        self.samples = exports.samples(60)
        self.whole = packed(exports.write(self.folder / "whole.xml", self.samples))
        self.less = packed(exports.write(self.folder / "less.xml", self.samples[3:], day=2))

    def delete(self, server, *more, code=0):
        report = self.sync(self.less, server, "--delete", "--max-delete", "5", *more, code=code)
        return [report[name] for name in ("deletionsOffered", "deletionsDone", "deletionsRefused")]

    def test_somebody_elses_resources_in_a_search_result_are_not_marked(self):
        with OddServer() as server:
            server.store.put("Observation/1", FOREIGN)
            self.sync(self.whole, server, "--conditional")
            server.ignores_identifiers = True
            self.assertEqual(self.delete(server, "--conditional", code=0), [3, 3, 0])
            self.assertEqual(len(server.marked()), 3)
            self.assertEqual(server.store.resources["Observation/1"]["status"], "final")

    def test_a_deletion_is_refused_if_its_search_finds_only_somebody_elses_resource(self):
        with OddServer() as server:
            self.sync(self.whole, server, "--conditional")
            gone = self.identifiers(self.whole) - self.identifiers(self.less)
            self.assertEqual(len(gone), 3)
            server.hidden = gone
            self.assertEqual(self.delete(server, "--conditional", code=6), [3, 0, 3])
            self.assertEqual(server.marked(), [])
            server.hidden = set()
            self.assertEqual(self.delete(server, "--conditional"), [3, 3, 0])

    def test_a_resource_that_became_somebody_elses_under_our_id_is_not_marked(self):
        with OddServer() as server:
            self.sync(self.whole, server)
            names = sorted(f"Observation/{gone}" for gone in self.identifiers(self.whole) - self.identifiers(self.less))
            ours = {name: server.store.resources[name] for name in names}
            system = ours[names[0]]["identifier"][0]["system"]
            # The clinic's, the clinic's with our value, and another of ours.
            others = ("urn:clinic", "77"), ("urn:clinic", names[1].split("/")[1]), (system, "h" + "5" * 32)
            for (name, resource), (system, value) in zip(ours.items(), others):
                server.store.put(name, dict(resource, identifier=[{"system": system, "value": value}]))
            before = server.contents()
            self.assertEqual(self.delete(server, code=6), [3, 0, 3])
            self.assertEqual(server.contents(), before)
            for name, resource in ours.items():
                server.store.put(name, resource)
            self.assertEqual(self.delete(server), [3, 3, 0])
            self.assertEqual(server.marked(), names)

    def gone(self, server):
        """The names of the three that the newer export does not hold."""
        values = self.identifiers(self.whole) - self.identifiers(self.less)
        return sorted(
            name for name, resource in server.store.resources.items()
            if name.startswith("Observation/") and resource["identifier"][0]["value"] in values
        )

    def test_what_was_amended_or_moved_to_another_patient_is_not_marked(self):
        for form in FORMS:
            with self.subTest(form=form), OddServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                server.store.put("Patient/p1", {"resourceType": "Patient", "id": "p1"})
                self.sync(self.whole, server, *more)
                names = self.gone(server)
                changes = {"subject": {"reference": "Patient/p2"}}, {"status": "amended"}, {"note": [{"text": "seen"}]}
                for name, change in zip(names, changes):
                    server.store.put(name, dict(server.store.resources[name], **change))
                report = self.sync(self.less, server, "--delete", "--max-delete", "5", *more)
                self.assertEqual([report[f"deletions{name}"] for name in ("Offered", "Done", "Kept")], [3, 1, 2])
                self.assertEqual(server.marked(), names[2:])
                # Neither holds up others in the next run.
                self.assertEqual(self.delete(server, *more), [0, 0, 0])
                self.assertEqual(server.marked(), names[2:])

    def test_resources_are_marked_on_a_server_that_has_the_patient_under_another_id(self):
        for form in FORMS:
            with self.subTest(form=form), OddServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(self.whole, server, *more)
                for name in self.gone(server):
                    moved = dict(server.store.resources[name], subject={"reference": "Patient/internal-77"})
                    server.store.put(name, moved)
                self.assertEqual(self.delete(server, *more), [3, 3, 0])

    def test_an_amended_copy_does_not_keep_ours_from_being_marked(self):
        with OddServer() as server:
            self.sync(self.whole, server, "--conditional")
            first = self.gone(server)[0]
            server.store.put("Observation/0", dict(server.store.resources[first], status="amended"))
            self.assertEqual(self.delete(server, "--conditional"), [3, 3, 0])
            self.assertEqual(len(server.marked()), 3)

    def test_copies_on_later_pages_are_marked_too(self):
        with OddServer() as server:
            self.sync(self.whole, server, "--conditional")
            first = self.gone(server)[0]
            server.store.put("Observation/twice", copy.deepcopy(server.store.resources[first]))
            server.page_size = 1
            self.assertEqual(self.delete(server, "--conditional"), [3, 3, 0])
            self.assertEqual(server.marked(), self.gone(server))
            self.assertEqual(len(server.marked()), 4)

    def test_a_resource_of_which_only_one_of_two_copies_was_marked_becomes_uncertain(self):
        with OddServer() as server:
            self.sync(self.whole, server, "--conditional")
            first = self.gone(server)[0]
            server.store.put("Observation/twice", copy.deepcopy(server.store.resources[first]))
            put = server.handle_put

            def refusing(request):
                if not request.path.endswith("/twice"):
                    return put(request)
                request.rfile.read(int(request.headers["Content-Length"]))
                return server.send(request, 422, b"")

            server.handle_put = refusing
            self.assertEqual(self.delete(server, "--conditional", code=6), [3, 2, 1])
            self.assertIn(first, server.marked())
            # Somebody has removed the other copy, and the sample is back.
            del server.store.resources["Observation/twice"]
            back = packed(exports.write(self.folder / "back.xml", self.samples, day=3))
            self.assertEqual(self.sync(back, server, "--conditional")["delivered"], 3)
            self.assertEqual(server.marked(), [])

    def identifiers(self, path):
        lines = self.convert(path).read_text(encoding="utf-8").splitlines()
        return {entry["resource"]["identifier"][0]["value"] for line in lines for entry in json.loads(line)["entry"]}

    def test_if_nothing_may_be_read_no_deletion_counts_as_done(self):
        for form in FORMS:
            with self.subTest(form=form), OddServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(self.whole, server, *more)
                server.can_read = False
                self.assertEqual(self.delete(server, *more, code=4), [3, 0, 0])
                server.can_read = True
                for status in 400, 406, 501:
                    server.read_status = status
                    self.assertEqual(self.delete(server, *more, code=6), [3, 0, 3])
                server.read_status = None
                self.assertEqual(self.delete(server, *more), [3, 3, 0])
                self.assertEqual(len(server.marked()), 3)
                self.assertEqual(self.delete(server, *more), [0, 0, 0])

    def test_what_somebody_changes_during_a_deletion_stays_as_they_wrote_it(self):
        for sends_etag in True, False:
            with self.subTest(sends_etag=sends_etag), OddServer() as server:
                server.sends_etag = sends_etag
                more = ["--ledger", str(self.folder / f"ledger{sends_etag}")]
                self.sync(self.whole, server, *more)

                def note(name):
                    if name.startswith("Observation/"):
                        changed = dict(server.store.resources[name], note=[{"text": "by the clinic"}])
                        server.store.put(name, changed)

                server.between = note
                code, report, said = self.run_pghd("sync", self.less, server, "--delete", "--max-delete", "5", *more)
                self.assertEqual((code, report["deletionsDone"], report["deletionsRefused"]), (6, 0, 3))
                self.assertIn("3 of 3 deletions were refused", said)
                self.assertEqual(server.marked(), [])


class Refusals(DeliveryTestCase):
    def test_what_was_refused_before_does_not_hold_back_new_samples(self):
        samples = exports.samples(600)
        first = packed(exports.write(self.folder / "first.xml", samples))
        new = [exports.Sample("HeartRate", 60 * 700 + 60 * i, "71", "count/min") for i in range(8)]
        second = packed(exports.write(self.folder / "second.xml", samples[:600] + new + samples[600:], day=2))
        lines = self.convert(first).read_text(encoding="utf-8").splitlines()
        ids = [e["resource"]["id"] for line in lines for e in json.loads(line)["entry"]]
        with OddServer() as server:
            server.refused_ids = set(ids[50:800:60])
            self.assertEqual(len(server.refused_ids), 13)
            self.assertEqual(self.sync(first, server, code=6)["refused"], 13)
            report = self.sync(second, server, code=6)
            self.assertEqual((report["delivered"], report["refused"]), (8, 13))
            server.refused_ids = set()
            self.assertEqual(self.sync(second, server)["delivered"], 13)

    def test_the_run_after_one_stopped_by_refusals_tries_them_all_again_and_goes_on(self):
        path = packed(exports.write(self.folder / "export.xml", exports.samples(600)))
        options = ["--max-entries", "40", "--concurrency", "1"]
        with OddServer() as server:
            ids = [resource["id"] for _, resource in self.entries(path) if resource["resourceType"] == "Observation"]
            server.refused_ids = set(ids[:60])
            code, report, said = self.run_pghd("sync", path, server, *options)
            self.assertEqual((code, "stopped once the server had refused" in said), (6, True), said)
            self.assertLess(report["refused"], 60)
            # More than a twentieth, but most of them were refused before.
            self.assertEqual(self.sync(path, server, *options, code=6)["refused"], 60)
            self.assertEqual(set(server.ids()), set(ids[60:]))

    def test_a_hundred_new_refusals_stop_a_run_of_any_size(self):
        path = packed(exports.write(self.folder / "export.xml", exports.samples(3000)))
        with OddServer() as server:
            ids = [resource["id"] for _, resource in self.entries(path) if resource["resourceType"] == "Observation"]
            server.refused_ids = set(ids[25::33])
            self.assertEqual((len(ids), len(server.refused_ids)), (4500, 136))
            # One after another, so that the run sees each refusal before the next.
            report = self.sync(path, server, "--max-entries", "40", "--concurrency", "1", code=6)
            self.assertEqual(report["refused"], 100)

    def test_ten_or_more_new_refusals_stop_a_run_if_they_are_more_than_a_twentieth(self):
        samples = exports.samples(198)
        path = packed(exports.write(self.folder / "export.xml", samples[:198] + samples[198:228]))
        # Two Devices, 198 heart rates and 30 step counts.
        sizes = [2, 44, 125, 29, 30]
        for name, turn, refused, turns in [
            ("9 of 46", 1, 9, 5), ("10 of 46", 1, 10, 2), ("10 of 200", 3, 10, 5), ("11 of 200", 3, 11, 4),
        ]:
            with self.subTest(name), OddServer() as server:
                server.faults = [{}] * turn + [{"entries": dict.fromkeys(range(refused), 422)}]
                more = ["--concurrency", "1", "--ledger", str(self.folder / name)]
                report = self.sync(path, server, *more, code=6)
                self.assertEqual([count for _, count, _ in server.posts], sizes[:turns])
                self.assertEqual((report["refused"], report["delivered"]), (refused, sum(sizes[:turns]) - refused))

    def test_entries_that_a_server_is_too_busy_for_are_not_refused(self):
        path = packed(exports.write(self.folder / "export.xml", exports.samples(40)))
        for status in 429, 503:
            with self.subTest(status=status), OddServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{status}")]
                server.faults = [{"entries": {0: status}} for _ in range(10)]
                report = self.sync(path, server, *more)
                self.assertEqual((report["refused"], report["uncertain"]), (0, 0))
                self.assertEqual(set(server.ids().values()), {1})
                self.assertEqual(len(server.ids()), 60)

    def test_an_entry_that_a_server_stays_too_busy_for_is_left_for_the_next_run(self):
        path = packed(exports.write(self.folder / "export.xml", exports.samples(40)))
        with OddServer() as server:
            server.faults = [{"entries": {0: 429}, "seconds": 60}]
            report = self.sync(path, server, "--retry-for", "1", code=3)
            self.assertEqual(report["refused"], 0)
            self.assertGreater(report["uncertain"], 0)
            server.faults = []
            self.sync(path, server)
            self.assertEqual(len(server.ids()), 60)


class Faults(DeliveryTestCase):
    """A server that answers one resource with 500 each time and accepts all others."""

    def setUp(self):
        super().setUp()
        self.path = packed(exports.write(self.folder / "export.xml", exports.samples(600)))
        ids = [r["identifier"][0]["value"] for _, r in self.entries(self.path) if r["resourceType"] == "Observation"]
        # In the middle, and in the last Bundle, while no other one is in flight.
        self.places = [ids[300]], [ids[-1]]

    def test_an_entry_that_always_fails_is_refused_even_with_no_time_for_retries(self):
        path = packed(exports.write(self.folder / "export.xml", exports.samples(40)))
        with OddServer() as server:
            # The first of each Bundle: a Device, a heart rate and a step count.
            server.faults = [{"entries": {0: 500}, "seconds": 60}]
            report = self.sync(path, server, "--retry-for", "0", code=6)
            self.assertEqual((report["refused"], report["uncertain"]), (3, 0))
            server.faults = []
            self.assertEqual(self.sync(path, server)["delivered"], 3)
            self.assertEqual(len(server.ids()), 60)

    def test_a_resource_that_the_server_fails_at_is_refused_alone_and_all_others_arrive(self):
        for number, (form, poison) in enumerate((form, poison) for form in FORMS for poison in self.places):
            with self.subTest(form=form, poison=poison), OddServer() as server:
                server.crashes_at = set(poison)
                more = [*form, "--ledger", str(self.folder / f"ledger{number}"), "--retry-for", "1"]
                report = self.sync(self.path, server, *more, code=6)
                self.assertEqual((report["refused"], report["uncertain"]), (len(poison), 0))
                self.assertEqual((len(server.ids()), set(server.ids().values())), (900 - len(poison), {1}))
                # A resource alone is tried again, but not for long.
                again = self.sync(self.path, server, *more, code=6)
                self.assertEqual((again["delivered"], again["refused"]), (0, len(poison)))
                server.crashes_at = set()
                self.assertEqual(self.sync(self.path, server, *more)["delivered"], len(poison))
                self.assertEqual((len(server.ids()), set(server.ids().values())), (900, {1}))

    def test_a_resource_that_always_conflicts_is_refused_alone_without_long_waits_for_the_rest(self):
        with OddServer() as server:
            server.conflicts_at = set(self.places[0])
            report = self.sync(self.path, server, code=6)
            self.assertEqual((report["refused"], report["uncertain"]), (1, 0))
            self.assertEqual((len(server.ids()), set(server.ids().values())), (899, {1}))
            # As often for the whole Bundle and for the last entry, and once for each half in between.
            self.assertLess(sum(status == 409 for _, _, status in server.posts), 2 * 6 + 12)

    def test_errors_of_a_server_in_trouble_are_not_refusals(self):
        for form in FORMS:
            for options in [], ["--concurrency", "1"]:
                with self.subTest(form=form, options=options), OddServer() as server:
                    more = [*form, *options, "--ledger", str(self.folder / f"ledger{len(form)}{len(options)}")]
                    server.faults = [{}, {}] + [{"kind": "status", "status": 500}] * 10_000
                    server.fails_once_posted = True
                    report = self.sync(self.path, server, *more, "--retry-for", "1", code=3)
                    self.assertEqual(report["refused"], 0)
                    server.faults, server.fails_once_posted = [], False
                    self.sync(self.path, server, *more)
                    self.assertEqual((len(server.ids()), set(server.ids().values())), (900, {1}))


class Answers(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.samples = exports.samples(40)
        self.path = packed(exports.write(self.folder / "export.xml", self.samples))

    def test_a_newer_version_replaces_the_one_from_another_machine(self):
        newer = [dataclasses.replace(self.samples[5], note="newer"), *self.samples[6:]]
        others = self.samples[10:]
        # Also where an answer was lost or reported errors: "already there" need not mean that it is ours.
        putting_off, failing = {1: "429 Too Many", 2: "500"}, dict.fromkeys(range(40), "500")
        for number, fault in enumerate([{}, {"kind": "reset-before"}, {"entries": putting_off}, {"entries": failing}]):
            with self.subTest(fault=fault), OddServer() as server:
                folders = [self.folder / f"{name}{number}" for name in ("one", "other")]
                one, other = (["--conditional", "--ledger", str(folder)] for folder in folders)
                self.sync(packed(exports.write(self.folder / "others.xml", others)), server, *other)
                self.sync(self.path, server, *one)
                later = packed(exports.write(self.folder / "later.xml", newer, day=2))
                server.faults = [fault]
                self.sync(later, server, *other)
                notes = [r for r in server.store.resources.values() if "newer" in json.dumps(r)]
                self.assertEqual(len(notes), 1)
                self.assertEqual(set(server.ids().values()), {1})
                self.assertEqual(self.sync(later, server, *other)["requests"], {})

    def test_a_redirect_of_a_read_is_reported_as_a_redirect(self):
        with OddServer() as server:
            server.moved = "https://fhir.example.org/fhir"
            code, _, said = self.run_pghd("verify", self.path, server, "--retry-for", "1")
            self.assertEqual(code, 3)
            self.assertIn(
                ": the server redirects to https://fhir.example.org (expected an answer): check --server; if it has moved, give "
                "its new base\n",
                said,
            )

    def test_a_list_is_read_in_smaller_pages_if_large_ones_are_refused(self):
        form = key_options(self.folder)
        with OddServer(honours_if_none_exist=False) as server:
            self.sync(self.path, server, *form)
            server.maximum_count = 100
            anew = [*form, "--ledger", str(self.folder / "anew")]
            code, report, said = self.run_pghd("verify", self.path, server, *anew, "--rebuild")
            self.assertEqual((code, report["rebuilt"]), (0, 62), said)
            self.assertEqual(self.sync(self.path, server, *anew)["requests"], {})

    def test_resources_on_a_server_that_does_not_count_are_noticed(self):
        changed = [dataclasses.replace(self.samples[5], note="older"), *self.samples[6:]]
        older = packed(exports.write(self.folder / "older.xml", changed, day=-1))
        for form in [*FORMS, key_options(self.folder)]:
            with self.subTest(form=form), OddServer(honours_if_none_exist="--api" not in form) as server:
                server.counts = False
                self.sync(self.path, server, *form, "--ledger", str(self.folder / f"ledger{len(form)}"))
                before = server.contents()
                anew = [*form, "--ledger", str(self.folder / f"anew{len(form)}")]
                code, _, said = self.run_pghd("sync", older, server, *anew)
                self.assertEqual((code, server.contents()), (0, before), said)
                self.assertIn("resources of this patient that the ledger does not know: reads them first", said)

    def lost(self, server, form, name):
        """That of a second machine, which marks what has left the export: three samples."""
        later = packed(exports.write(self.folder / "later.xml", self.samples[3:], day=9))
        more = [*form, "--ledger", str(self.folder / name), "--delete", "--max-delete", "3"]
        return self.run_pghd("sync", later, server, *more)

    def test_a_total_that_is_an_estimate_until_the_last_page_hides_nothing(self):
        for form in FORMS:
            for factor in 0.5, 0.9, 1.5:
                with self.subTest(form=form, factor=factor), OddServer() as server:
                    server.last_updated = "2024-04-01T00:00:00Z"
                    self.sync(self.path, server, *form, "--ledger", str(self.folder / f"ledger{len(form)}{factor}"))
                    server.counts, server.estimates, server.page_size = False, factor, 10
                    code, report, said = self.lost(server, form, f"anew{len(form)}{factor}")
                    self.assertEqual((code, report["deletionsDone"], len(server.marked())), (0, 3, 3), said)

    def test_a_list_that_ends_early_is_reported_if_a_ledger_is_made_from_it(self):
        for form in FORMS:
            with self.subTest(form=form), OddServer() as server:
                server.last_updated = "2024-04-01T00:00:00Z"
                self.sync(self.path, server, *form, "--ledger", str(self.folder / f"ledger{len(form)}"))
                server.page_size, server.last_page = 10, 20
                code, _, said = self.lost(server, form, f"anew{len(form)}")
                self.assertEqual(code, 0, said)
                self.assertIn("its list of what pghd has put there breaks off", said)

    def test_a_unit_that_is_too_large_for_one_transaction_is_reported(self):
        with OddServer() as server:
            server.entry_limit, server.limit_text = 3, "Bundle has too many entries (max {})"
            code, report, said = self.run_pghd("sync", ROOT / "samples" / "workouts.xml", server)
            self.assertEqual(code, 6, said)
            self.assertEqual(said.count("takes fewer entries in one transaction than the "), 1, said)

    def test_a_server_that_wants_versions_is_reported_once_something_was_refused(self):
        with OddServer() as server:
            said = self.run_pghd("sync", self.path, server)[2]
            self.assertEqual(said, "")
            capabilities = server.capabilities()
            for kind in capabilities["rest"][0]["resource"]:
                kind["versioning"] = "versioned-update"
            server.capabilities = lambda: capabilities
            code, report, said = self.run_pghd("sync", self.path, server)
            self.assertEqual((code, report["requests"], said), (0, {}, ""))
            changed = [dataclasses.replace(sample, note="changed") for sample in self.samples[:3]]
            server.refused_ids = set(server.ids())
            path = exports.write(self.folder / "changed.xml", changed + self.samples[3:], day=9)
            code, report, said = self.run_pghd("sync", path, server)
            self.assertEqual((code, report["refused"]), (6, 3))
            self.assertEqual(said.count("may take an update only with the version that it replaces"), 1, said)

    def test_an_entry_answered_with_304_counts_as_stored(self):
        with OddServer() as server:
            server.says_unchanged = True
            server.faults = [{"kind": "reset-after"}]
            report = self.sync(self.path, server)
            self.assertEqual(report["refused"], 0)
            self.assertEqual(self.sync(self.path, server)["requests"], {})

    def test_an_existing_patient_is_left_as_it_is_and_causes_no_refusal(self):
        with OddServer() as server:
            server.keeps_patients = True
            patient = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Invented"}]}
            server.store.put("Patient/p1", patient)
            report = self.sync(self.path, server, "--include-patient")
            self.assertEqual(report["refused"], 0)
            self.assertEqual(server.store.resources["Patient/p1"], patient)
            self.assertEqual(self.sync(self.path, server, "--include-patient")["requests"], {})

    def test_what_refers_to_the_patient_waits_until_a_server_has_created_it(self):
        class Server(OddServer):
            """Refuses what refers to a resource that it does not have, and takes its time for the Patient."""

            def transaction(self, request, key, body, fault):
                names = {entry["request"]["url"] for entry in json.loads(body)["entry"]}
                if "Patient/p1" in names:
                    time.sleep(0.3)
                with self.lock:
                    missing = set(re.findall(r'"reference":"((?:Patient|Device)/[^"]+)"', body.decode())) - names
                    if not missing <= self.store.resources.keys():
                        return 422, outcome("not-found")
                return super().transaction(request, key, body, fault)

        options = ["--include-patient", "--max-entries", "20"]
        bundles = self.convert(self.path, *options)
        for command, path, more in ("sync", self.path, options), ("send", bundles, []):
            with self.subTest(command), Server() as server:
                code, report, said = self.run_pghd(command, path, server, *more)
                self.assertEqual((code, report["refused"], said), (0, 0, ""))
                self.assertIn("Patient/p1", server.store.resources)
                self.assertEqual({status for *_, status in server.posts}, {200})

    def test_without_confirmation_nothing_is_sent_for_a_patient_that_was_deleted(self):
        for number, more in enumerate([(), ("--include-patient",)]):
            with self.subTest(more), OddServer() as server:
                ledger = ["--ledger", str(self.folder / f"deleted{number}")]
                if more:
                    # A patient whose birth date is known is not compared again; the Patient is read because one is to
                    # be sent.
                    self.sync(self.path, server, *ledger)
                server.deleted.add("Patient/p1")
                count = len(server.posts)
                code, _, said = self.run_pghd("sync", self.path, server, *more, *ledger)
                self.assertEqual(
                    (code, said.splitlines()[-1]),
                    (64, f"pghd: {server.base}: Patient/p1 was deleted there (410, expected one whose data may be stored): nothing "
                     "was sent; ask its operator, and add --confirm-patient if it is to be stored all the same"),
                )
                self.assertEqual(len(server.posts), count)
                self.sync(self.path, server, *more, "--confirm-patient", *ledger)
                self.assertGreater(len(server.posts), 0)

    def test_an_existing_patient_is_never_replaced(self):
        patient = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Invented"}]}
        # With what was known before, nothing need be compared again.
        for number, knows_owner in enumerate([False, True]):
            with self.subTest(knows_owner=knows_owner), OddServer() as server:
                ledger = ["--ledger", str(self.folder / f"ledger{number}")]
                if knows_owner:
                    self.sync(self.path, server, *ledger)
                server.store.put("Patient/p1", patient)
                dry = self.sync(self.path, server, "--include-patient", "--dry-run", *ledger)
                report = self.sync(self.path, server, "--include-patient", *ledger)
                self.assertEqual(dry["delivered"], report["delivered"])
                self.assertEqual(server.store.resources["Patient/p1"], patient)
                self.assertEqual(self.sync(self.path, server, "--include-patient", *ledger)["requests"], {})

    def test_a_server_that_does_not_let_the_patient_be_read_is_sent_no_patient(self):
        with OddServer() as server:
            server.can_read = False
            code, _, said = self.run_pghd("sync", self.path, server, "--include-patient")
            self.assertEqual(code, 4)
            self.assertEqual(
                said.splitlines()[-1],
                f"pghd: {server.base}: does not let Patient/p1 be read (expected to learn whether it is there, since many a "
                "server replaces it): sign in with scopes to read and create it, such as patient/Patient.crs, or send no "
                "Patient",
            )
            self.assertEqual(server.posts, [])

    def test_what_a_server_does_not_finish_in_its_time_is_sent_in_smaller_bundles(self):
        for number, (form, status) in enumerate((form, status) for form in FORMS for status in (408, 524)):
            with self.subTest(form=form, status=status), OddServer() as server:
                server.finishes, server.timeout_status = 12, status
                ledger = ["--ledger", str(self.folder / f"small{number}")]
                report = self.sync(self.path, server, *form, *ledger)
                self.assertEqual((report["refused"], report["uncertain"]), (0, 0))
                self.assertEqual(named(server.store.resources), self.named_resources(self.path, *form))
                self.assertEqual(self.sync(self.path, server, *form, *ledger)["requests"], {})

    def test_smaller_bundles_are_tried_even_if_contact_for_leaves_little_time(self):
        with OddServer() as server:
            server.finishes = 12
            server.faults = [{"sleep": 0.6}] * 3
            self.sync(self.path, server, "--conditional", "--contact-for", "1", "--concurrency", "1")
            self.assertEqual(named(server.store.resources), self.named_resources(self.path, "--conditional"))

    def test_if_a_bundle_cannot_be_split_the_message_suggests_smaller_ones(self):
        options = [*key_options(self.folder), "--retry-for", "0"]
        with OddServer() as server:
            server.finishes = 12
            code, _, said = self.run_pghd("sync", self.path, server, *options)
            self.assertEqual(code, 3)
            self.assertEqual(
                said.splitlines()[-1],
                f"pghd: {server.base}: answered 408 for 0 s (expected 200): run the command again later; what is on its way "
                "goes again as it is, what follows may be smaller (--max-entries 10)",
            )
            # What is in flight stays as it is until the server has handled it.
            smaller = [*options, "--max-entries", "10"]
            self.sync(self.path, server, *smaller, code=3)
            server.finishes = None
            self.sync(self.path, server, *smaller)
            self.assertEqual(set(server.ids().values()), {1})
            self.assertEqual(self.sync(self.path, server, *smaller)["requests"], {})

    def test_a_server_that_runs_a_transaction_with_links_as_a_batch_stops_the_run(self):
        with OddServer() as server:
            server.is_batch = True
            code, _, said = self.run_pghd("sync", self.path, server, "--conditional")
            self.assertEqual(code, 6)
            self.assertEqual(
                said.splitlines()[-1],
                f"pghd: {server.base}: ran a transaction as a batch (expected a transaction-response): links within the "
                "Bundle lead nowhere there; see 'pghd verify', and choose a server that takes transactions",
            )
        # Nothing refers to another resource by a link that holds only within the Bundle.
        with OddServer() as server:
            server.is_batch = True
            code, _, said = self.run_pghd("sync", self.path, server, "--ledger", str(self.folder / "put"))
            self.assertEqual(
                (code, said),
                (0, f"pghd: {server.base}: answers a transaction as a batch (batch-response, expected transaction-response): each "
                    "entry by itself, so a Bundle may be stored in part; pghd looks at each entry's answer\n"),
            )

    def test_a_server_that_contradicts_itself_is_mentioned_once(self):
        class Lenient(OddServer):
            """Refuses Bundles of more than five entries, without a reason that would hold for parts of them."""

            def transaction(self, request, key, body, fault):
                if len(json.loads(body)["entry"]) > 5:
                    return 422, outcome("processing")
                return super().transaction(request, key, body, fault)

        class Erroneous(OddServer):
            """Reports an error with each entry that it stores."""

            def transaction(self, request, key, body, fault):
                status, answer = super().transaction(request, key, body, fault)
                bundle = json.loads(answer)
                for entry in bundle["entry"]:
                    entry["response"]["outcome"] = json.loads(outcome("invalid"))
                return status, json.dumps(bundle).encode()

        path = exports.write(self.folder / "small.xml", exports.samples(30))
        for kind, words in (Lenient, "Bundles? and then took all that was in (it|them) in parts"), (
            Erroneous, "reports an error for an entry that it says it has stored",
        ):
            with self.subTest(words), kind() as server:
                code, report, said = self.run_pghd("sync", path, server, "--ledger", str(self.folder / kind.__name__))
                self.assertEqual((code, report["refused"]), (0, 0), said)
                self.assertEqual(len(re.findall(words, said)), 1, said)
                self.assertEqual(len(said.splitlines()), 1, said)
                self.assertEqual(server.contents(), self.resources(path))

    def test_a_server_that_puts_an_entry_off_stops_the_run(self):
        for form in FORMS:
            with self.subTest(form), OddServer() as server:
                server.faults = [{"entries": {1: 202}, "seconds": 60}]
                code, report, said = self.run_pghd("sync", self.path, server, *form, "--ledger", str(self.folder / f"l{len(form)}"))
                self.assertEqual((code, report["refused"]), (6, 0))
                self.assertIn("answered 202 and puts the Bundle off (expected a transaction-response)", said)
                server.faults = []
                self.sync(self.path, server, *form, "--ledger", str(self.folder / f"l{len(form)}"))

    def test_a_server_that_gives_other_ids_is_noticed_at_its_first_answer(self):
        with OddServer() as server:
            server.renames, server.locates = True, lambda name: f"{server.base}/{name}/_history/1"
            code, _, said = self.run_pghd("sync", self.path, server)
            self.assertEqual(code, 6)
            self.assertIn("its answer names other ids than it was sent", said)
            self.assertEqual(len(server.posts), 1)

    def test_answers_in_another_order_stop_the_run(self):
        class Server(OddServer):
            def transaction(self, request, key, body, fault):
                status, answer = super().transaction(request, key, body, fault)
                bundle = json.loads(answer)
                for number, (entry, sent) in enumerate(zip(bundle["entry"], json.loads(body)["entry"])):
                    url = sent["request"]["url"]
                    entry["response"]["location"] = url if "/" in url else f"{url}/{number}"
                bundle["entry"].reverse()
                return status, json.dumps(bundle).encode()

        # With ids chosen by the server, a Device and an Observation that have changed places are noticed.
        for form in [], ["--conditional"]:
            with self.subTest(form), Server() as server:
                more = [*form, "--ledger", str(self.folder / f"order{len(form)}")]
                code, _, said = self.run_pghd("sync", self.path, server, *more)
                self.assertEqual((code, len(server.posts)), (6, 1))
                self.assertEqual(
                    said.splitlines()[-1],
                    f"pghd: {server.base}: its answer has the entries in another order (expected that of the Bundle, as R4 "
                    "wants): see 'pghd verify', and choose a server that keeps it",
                )

    def test_a_server_that_answers_202_is_sent_only_one_bundle(self):
        with OddServer() as server:
            server.faults = [{"kind": "status", "status": 202, "body": b"", "headers": {"Content-Location": "/jobs/1"}}] * 9
            code, report, said = self.run_pghd("sync", self.path, server)
            self.assertEqual((code, len(server.posts)), (6, 1))
            self.assertGreater(report["uncertain"], 0)
            self.assertEqual(
                said.splitlines()[-1],
                f"pghd: {server.base}: answered 202 and puts the Bundle off (expected a transaction-response): choose an address "
                "that answers once it is done, and see 'pghd verify' for what was stored",
            )
            server.faults = []
            self.sync(self.path, server)
            self.assertEqual(set(server.ids().values()), {1})

    def test_a_redirected_capability_statement_is_reported_and_the_run_goes_on(self):
        class Server(OddServer):
            def handle_get(self, request):
                if request.path == "/fhir/metadata":
                    return self.send(request, 301, b"", {"Location": "/r4/metadata"})
                super().handle_get(request)

        with Server() as server:
            code, _, said = self.run_pghd("sync", self.path, server)
            self.assertEqual((code, set(server.ids().values())), (0, {1}))
            self.assertEqual(
                said,
                f"pghd: {server.base}: redirects /metadata (301), so that nobody knows what it can't do (expected its "
                "CapabilityStatement): give the address that it redirects to\n",
            )

    def test_an_answer_in_xml_is_reported_with_what_was_expected(self):
        class Server(OddServer):
            def handle_get(self, request):
                xml = b'<Bundle xmlns="http://hl7.org/fhir"/>'
                self.send(request, 200, xml, {"Content-Type": "application/fhir+xml"})

        with Server() as server:
            code, _, said = self.run_pghd("sync", self.path, server)
            self.assertEqual((code, server.posts), (64, []))
            self.assertEqual(
                said,
                f"pghd: {server.base}: answered 200 with something else than FHIR in JSON (expected a FHIR server that takes "
                "transactions and knows application/fhir+json): check --server\n",
            )

    def test_a_run_that_delivered_nothing_does_not_bind_the_next_one_to_its_form(self):
        with OddServer() as server:
            server.faults = [{"kind": "status", "status": 422}] * 400
            report = self.sync(self.path, server, code=6)
            self.assertEqual((report["delivered"], server.contents()), (0, []))
            server.faults = []
            self.sync(self.path, server, "--conditional")
            self.assertEqual(set(server.ids().values()), {1})
            # From now on there is something that another form could double.
            self.assertEqual(self.sync(self.path, server)["requests"], {})

    def test_a_location_of_any_form_that_names_no_other_id_is_accepted(self):
        for number, locate in enumerate([
            lambda name: name, lambda name: f"/{name}", lambda name: f"{name}/_history/3",
            lambda name: f"https://inner.example.org/r4/{name}/_history/1", lambda name: "", lambda name: "1",
            lambda name: f"{name}?_format=json", lambda name: f"{name}/_history/1#x",
            lambda name: f"https://inner.example.org/FHIR/R4/{name.split('/')[0]}",
        ]):
            with self.subTest(number), OddServer() as server:
                server.locates = locate
                self.sync(self.path, server, "--ledger", str(self.folder / f"ledger{number}"))
                self.assertEqual(len(server.ids()), 60)


class Beginnings(DeliveryTestCase):
    """What a run finds before it sends anything."""

    def setUp(self):
        super().setUp()
        self.samples = exports.samples(40)
        self.path = packed(exports.write(self.folder / "export.xml", self.samples))

    def test_what_was_deleted_on_purpose_does_not_count_as_lost(self):
        with OddServer() as server:
            self.sync(self.path, server)
            name = next(name for name in server.store.resources if name.startswith("Observation/"))
            del server.store.resources[name]
            server.deleted = {name}
            self.assertEqual(self.sync(self.path, server)["requests"], {})

    def test_without_a_sign_in_nothing_is_sent_to_a_server_that_wants_one(self):
        for form in FORMS:
            with self.subTest(form=form), OddServer() as server:
                answer = server.handle_get
                server.handle_get = lambda request: (
                    answer(request) if "/metadata" in request.path else server.send(request, 401, b"{}")
                )
                code, _, said = self.run_pghd("sync", self.path, server, *form)
                self.assertEqual((code, server.posts), (4, []), said)

    def test_without_a_sign_in_a_delivered_export_is_not_reported_as_already_there(self):
        for form in FORMS:
            for more in [], ["--delete"]:
                with self.subTest(form=form, more=more), OddServer() as server:
                    options = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{len(more)}")]
                    self.sync(self.path, server, *options)
                    posts = len(server.posts)
                    answer = server.handle_get
                    server.handle_get = lambda request: (
                        answer(request) if "/metadata" in request.path else server.send(request, 401, b"{}")
                    )
                    code, _, said = self.run_pghd("sync", self.path, server, *options, *more)
                    self.assertEqual((code, len(server.posts)), (4, posts), said)
                    self.assertIn("the server wants a sign-in (401): run 'pghd login --server", said)

    def test_a_403_from_something_in_front_of_the_server_is_reported_as_such(self):
        bearer = {"WWW-Authenticate": 'Bearer error="insufficient_scope"'}
        for body, headers, is_another in [
            (b"<html>403 Forbidden</html>", {"Content-Type": "text/html"}, True), (b'{"message": "no"}', {}, True),
            (outcome("forbidden"), {}, False), (b"", bearer, False),
        ]:
            with self.subTest(body=body), OddServer() as server:
                server.faults = [{"kind": "status", "status": 403, "body": body, "headers": headers}] * 20
                code, _, said = self.run_pghd("sync", self.path, server)
                self.assertEqual(code, 4, said)
                self.assertIn("this is not allowed (403, expected scopes to create and update): sign in with more", said)
                hint = "blocks the request: ask the operator, or try smaller Bundles, such as --max-bytes 100000\n"
                self.assertEqual(said.endswith(hint), is_another, said)

    def test_an_integration_server_that_wants_a_sign_in_for_reads_alone_is_reported(self):
        with ScriptedServer(honours_if_none_exist=False) as server:
            options = key_options(self.folder)
            self.sync(self.path, server, *options)
            answer = server.handle_get
            server.handle_get = lambda request: (
                answer(request) if "/metadata" in request.path else server.send(request, 401, b"{}")
            )
            code, report, said = self.run_pghd("sync", self.path, server, *options)
            self.assertEqual((code, report["delivered"]), (0, 0), said)
            self.assertIn("lets nobody read without a sign-in (401)", said)

    def test_a_lagging_index_is_waited_for(self):
        with OddServer() as server:
            self.sync(self.path, server, "--conditional")
            server.late_searches = 34
            self.assertEqual(self.sync(self.path, server, "--conditional")["requests"], {})

    def test_a_ledger_with_the_servers_ids_keeps_its_form(self):
        with OddServer() as server:
            self.sync(self.path, server, "--conditional")
            for more in [], ["--remap"]:
                report = self.sync(self.path, server, *more)
                self.assertEqual(set(server.ids().values()), {1})
            self.assertEqual(report["delivered"], 0)

    def test_a_server_that_has_the_samples_under_other_ids_is_not_filled_a_second_time(self):
        key = self.folder / "key"
        key.write_bytes(b"k" * 32)
        key.chmod(0o600)
        for number, form in enumerate([["--id-key", str(key)], ["--conditional"]]):
            with self.subTest(form=form), OddServer() as server:
                one, other = (["--ledger", str(self.folder / f"{name}{number}")] for name in ("one", "other"))
                self.sync(self.path, server, *form, *one)
                posts, contents = len(server.posts), server.contents()
                code, _, said = self.run_pghd("sync", self.path, server, *other)
                self.assertEqual(code, 64, said)
                self.assertIn("none is in the export", said)
                self.assertEqual((len(server.posts), server.contents()), (posts, contents))
                self.assertEqual(self.sync(self.path, server, *form, *one)["requests"], {})
                self.assertGreater(self.sync(self.path, server, *other, "--confirm-patient")["delivered"], 0)

    def test_a_server_that_gives_no_totals_is_read_too(self):
        newer = [dataclasses.replace(s, note="newer") if i in (3, 9) else s for i, s in enumerate(self.samples)]
        later = packed(exports.write(self.folder / "later.xml", newer, day=2))
        for form in FORMS:
            with self.subTest(form=form), OddServer() as server:
                server.tells_totals = False
                server.last_updated = "2024-04-03T09:00:00Z"
                one, other = ([*form, "--ledger", str(self.folder / f"{n}{len(form)}")] for n in ("one", "other"))
                self.sync(later, server, *one)
                contents = server.contents()
                report = self.sync(self.path, server, *other)
                self.assertEqual((server.contents(), report["outdated"]), (contents, 2))

    def test_what_a_later_page_holds_is_found_without_totals(self):
        path = packed(exports.write(self.folder / "few.xml", exports.samples(20)))
        with OddServer() as server:
            self.sync(path, server)
            more = dict(next(content for name, content in server.store.resources.items() if "Observation/" in name))
            more["identifier"] = [dict(more["identifier"][0], value="h" + "5" * 32)]
            server.store.put("Observation/h" + "5" * 32, more)
            # The first page holds as many as the export.
            server.tells_totals, server.page_size = False, 30
            code, report, said = self.run_pghd("verify", path, server)
            self.assertEqual((code, report["extra"]), (1, 1), said)

    def test_an_export_dated_in_the_future_does_not_outdate_later_ones(self):
        future = exports.write(self.folder / "future.xml", self.samples)
        future.write_text(future.read_text().replace('<ExportDate value="2024-04', '<ExportDate value="2094-04'))
        # A clock may be some hours ahead.
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=12)
        newer = [dataclasses.replace(self.samples[5], note="newer"), *self.samples[6:]]
        later = exports.write(self.folder / "later.xml", newer)
        later.write_text(re.sub("(<ExportDate value=)[^/]*", rf'\1"{soon:%Y-%m-%d %H:%M:%S} +0000"', later.read_text()))
        with OddServer() as server:
            self.sync(packed(future), server)
            report = self.sync(packed(later), server)
            self.assertEqual((report["delivered"], report["outdated"], report["deletionsOffered"]), (1, 0, 5))

    def test_of_two_exports_with_future_dates_the_earlier_one_is_the_older(self):
        samples = exports.samples(40)
        changed = [dataclasses.replace(samples[0], note="later"), *samples[1:]]
        later = packed(exports.write(self.folder / "later.xml", changed, day=20_010))
        older = packed(exports.write(self.folder / "older.xml", samples, day=20_000))
        for form in FORMS:
            with self.subTest(form=form), OddServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(later, server, *more)
                contents = server.contents()
                report = self.sync(older, server, *more)
                self.assertEqual((report["delivered"], report["outdated"]), (0, 1))
                self.assertEqual(server.contents(), contents)

    def test_the_report_of_an_older_export_counts_what_it_leaves_as_it_is(self):
        newer = [dataclasses.replace(self.samples[5], note="newer"), *self.samples[6:]]
        with OddServer() as server:
            self.sync(packed(exports.write(self.folder / "later.xml", newer, day=2)), server)
            report = self.sync(self.path, server)
            self.assertEqual((report["outdated"], report["delivered"]), (1, 5))


if __name__ == "__main__":
    unittest.main()
