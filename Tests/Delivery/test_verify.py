#!/usr/bin/env python3
"""What the server has of an export, read back: what is missing, different, doubled or too much.

    python3 Tests/Delivery/test_verify.py

And what follows from it: a ledger rebuilt from the server, and a sync that notices a server that was set back.
"""

import copy
import dataclasses
import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import PGHD, DeliveryTestCase, key_options
from exports import packed
from scripted_server import ScriptedServer

CLEAN = {"missing": 0, "different": 0, "doubled": 0, "extra": 0}
FORMS = [], ["--conditional"]


class VerifyTestCase(DeliveryTestCase):
    def verify(self, path, server, *more, code=0):
        """The report of a comparison that must end with `code`."""
        found, report, said = self.run_pghd("verify", path, server, *more)
        self.assertEqual(found, code, said)
        return report

    def found(self, report):
        """What is wrong; also checks that everything counted is named."""
        kinds = [finding["kind"] for finding in report["findings"]]
        for kind in CLEAN:
            if report[kind] is not None:
                self.assertEqual(kinds.count(kind), report[kind])
        self.assertEqual(
            report["checked"],
            report["same"] + report["rounded"] + report["missing"] + report["different"] + report["doubled"],
        )
        return {kind: report[kind] for kind in CLEAN}

    def export(self, samples=None, name="export", **options):
        samples = exports.samples(200) if samples is None else samples
        return packed(exports.write(self.folder / f"{name}.xml", samples, **options))

    def name(self, server, number=0, kind="Observation"):
        return sorted(name for name in server.store.resources if name.startswith(kind + "/"))[number]

    def state(self):
        with sqlite3.connect(self.ledgers()[0]) as database:
            members = database.execute("SELECT high, low, type, kind, state, digest, rank FROM members ORDER BY 1, 2")
            keys = database.execute("SELECT key, kind, memberCount, liveCount FROM keys ORDER BY 1")
            names = "'server', 'patient', 'scheme', 'identityKey', 'mapping', 'exportDate'"
            properties = database.execute(f"SELECT name, value FROM properties WHERE name IN ({names}) ORDER BY 1")
            return members.fetchall(), keys.fetchall(), properties.fetchall()

    def ledgers(self, pattern="*.ledger"):
        return sorted((self.folder / "ledger").glob(pattern))


class Comparison(VerifyTestCase):
    def test_what_sync_delivered_is_found_to_be_the_same_and_nothing_is_sent(self):
        path = self.export()
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(path, server, *more)
                posts, contents = len(server.posts), server.contents()
                files = sorted(path.name for path in (self.folder / f"ledger{len(form)}").iterdir())
                report = self.verify(path, server, *more)
                self.assertEqual(sorted(path.name for path in (self.folder / f"ledger{len(form)}").iterdir()), files)
                self.assertEqual(self.found(report), CLEAN)
                self.assertEqual((report["checked"], report["same"]), (302, 302))
                self.assertEqual((len(server.posts), server.contents()), (posts, contents))
                self.assertLess(report["reads"], 302 // 4, "resources were not read many at once")
                self.assertLess(max(len(f"{server.base}{path}") for path in server.reads), 2000)

    def test_every_kind_of_difference_is_named_and_nothing_else(self):
        path = self.export()
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(path, server, *more)
                store = server.store
                missing, changed, doubled, added = (self.name(server, number) for number in (3, 50, 120, 200))
                ours = {name: store.resources[name]["identifier"][0]["value"] for name in (missing, changed, doubled)}
                del store.resources[missing]
                store.resources[changed]["valueQuantity"]["value"] += 1
                store.resources[changed]["note"] = [{"text": "a canary of the clinic"}]
                store.put("Observation/twice", store.resources[doubled])
                extra = copy.deepcopy(store.resources[added])
                extra["identifier"][0]["value"] = "h" + "5" * 32
                store.put("Observation/h" + "5" * 32, extra)
                code, report, talk = self.run_pghd("verify", path, server, *more)
                self.assertEqual(code, 1, talk)
                self.assertEqual(self.found(report), {"missing": 1, "different": 1, "doubled": 1 if form else 0,
                                                      "extra": 1 if form else 2})
                expected = [
                    {"kind": "missing", "resource": f"Observation/{ours[missing]}"},
                    {"kind": "different", "resource": f"Observation/{ours[changed]}",
                     "elements": ["valueQuantity.value", "note"]},
                ]
                if form:
                    copies = sorted([doubled, "Observation/twice"])
                    expected.append(
                        {"kind": "doubled", "resource": f"Observation/{ours[doubled]}", "copies": copies}
                    )
                expected.append({"kind": "extra", "resource": "Observation/h" + "5" * 32})
                # Where the server uses our ids, a copy under another id is one too many.
                if not form:
                    expected.append({"kind": "extra", "resource": "Observation/twice"})
                self.assertEqual(report["findings"], expected)
                # With -q, only what is wrong is printed.
                arguments = [text for text in self.arguments("verify", path, server, *more, "-q") if text != "--json"]
                quiet = subprocess.run(arguments, capture_output=True, env=self.environment(), timeout=60)
                self.assertEqual((quiet.returncode, quiet.stdout), (1, b""))
                counts = "1 missing, 1 different, 1 doubled, 1 extra" if form else "1 missing, 1 different, 2 extra"
                said = f"pghd: {server.base}: {counts} (expected what the export holds): "
                self.assertEqual(quiet.stderr.decode(), f"{said}run again with --report FILE\n")
                # The same with --json.
                self.assertEqual(talk, f"{said}its 'findings' are the resources\n")

    def test_a_copy_is_extra_even_if_another_resource_was_moved_to_another_patient(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            server.store.put("Observation/twice", copy.deepcopy(server.store.resources[self.name(server, 5)]))
            moved = self.name(server, 9)
            server.store.put(moved, dict(server.store.resources[moved], subject={"reference": "Patient/p2"}))
            report = self.verify(path, server, code=1)
            self.assertEqual(self.found(report), {"missing": 0, "different": 1, "doubled": 0, "extra": 1})

    def test_the_same_value_in_another_identifier_system_is_not_a_copy(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server, "--conditional")
            name = self.name(server)
            foreign = copy.deepcopy(server.store.resources[name])
            foreign["identifier"][0]["system"] = "urn:oid:1.2.3"
            server.store.put("Observation/foreign", foreign)
            report = self.verify(path, server, "--conditional")
            self.assertEqual(self.found(report), CLEAN)
            searches = [urllib.parse.unquote(path) for path in server.searches]
            lists = [path for path in searches if f"{foreign['identifier'][0]['value']}," in path]
            self.assertEqual(len(lists), 1, "the list did not bring the other system's too")
            self.assertNotIn("|", lists[0])

    def test_a_device_that_nothing_refers_to_any_longer_is_not_extra(self):
        path = self.export()
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(path, server, *more)
                former = copy.deepcopy(server.store.resources[self.name(server, kind="Device")])
                former["identifier"][0]["value"] = "h" + "5" * 32
                server.store.put("Device/h" + "5" * 32, former)
                self.assertEqual(self.found(self.verify(path, server, *more)), CLEAN)

    def test_a_device_that_is_gone_is_reported_as_missing(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            name = self.name(server, kind="Device")
            del server.store.resources[name]
            report = self.verify(path, server, code=1)
            self.assertEqual(report["findings"], [{"kind": "missing", "resource": name}])

    def test_a_reference_that_leads_to_another_device_is_a_difference(self):
        path = self.export()
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(path, server, *more)
                observation = server.store.resources[self.name(server)]
                one, other = self.name(server, 0, "Device"), self.name(server, 1, "Device")
                found = observation["device"]["reference"]
                observation["device"]["reference"] = other if found == one else one
                report = self.verify(path, server, *more, code=1)
                self.assertEqual([f["elements"] for f in report["findings"]], [["device.reference"]])
                # A full URL with a version counts as the same.
                observation["device"]["reference"] = f"{server.base}/{found}/_history/1"
                self.verify(path, server, *more)

    def test_of_two_twins_the_stored_one_is_compared(self):
        samples = exports.samples(200)
        twin = dataclasses.replace(samples[0], note="twin")
        heart = [s for s in samples if s.kind == "HeartRate"]
        some = [*heart[:100], *samples[200:], *heart[100:], twin]
        for number, order in enumerate([some, [twin, *some[1:-1], some[0]]]):
            with self.subTest(number), ScriptedServer() as server:
                path = self.export(order, f"twins{number}")
                self.sync(path, server)
                self.assertEqual(self.found(self.verify(path, server)), CLEAN)
                self.verify(path, server, "--rebuild")
                self.assertEqual(self.sync(path, server)["requests"], {})
                self.assertEqual(self.sync(path, server)["requests"], {})

    def test_an_existing_patient_may_say_more_but_nothing_different(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server, "--include-patient")
            server.store.resources["Patient/p1"]["name"] = [{"text": "Invented Person"}]
            self.verify(path, server, "--include-patient")
            server.store.resources["Patient/p1"]["gender"] = "male"
            report = self.verify(path, server, "--include-patient", code=1)
            self.assertEqual([f["elements"] for f in report["findings"]], [["gender"]])

    def test_what_a_deletion_of_ours_marked_is_not_extra(self):
        samples = exports.samples(200)
        fewer = self.export(samples[5:], "fewer", day=2)
        with ScriptedServer() as server:
            self.sync(self.export(samples), server)
            report = self.verify(fewer, server, code=1)
            self.assertEqual((report["extra"], report["enteredInError"]), (5, 0))
            self.sync(fewer, server, "--delete", "--max-delete", "5")
            report = self.verify(fewer, server)
            self.assertEqual((report["extra"], report["enteredInError"]), (0, 5))

    def test_extra_resources_are_not_counted_where_they_cannot_be_known(self):
        samples = exports.samples(100)
        whole = self.export(samples)
        with ScriptedServer() as server:
            self.sync(whole, server)
            fewer = exports.write(self.folder / "fewer.xml", samples[5:], day=2)
            for path, options in (fewer, []), (whole, ["--types", "HeartRate"]), (whole, ["--since", "2024-03-01"]):
                with self.subTest(path=path.name, options=options):
                    self.assertIsNone(self.verify(path, server, *options)["extra"])
            server.knows_systems = False
            self.assertIsNone(self.verify(whole, server)["extra"])


class ShortPages(ScriptedServer):
    """A page has at most ten resources, and nothing says that there is another."""

    def search(self, kind, query):
        bundle = super().search(kind, query)
        bundle["entry"] = bundle["entry"][:10]
        bundle.pop("link", None)
        return bundle


class ShortLists(ScriptedServer):
    """Only the first ten of a list of values are used."""

    def search(self, kind, query):
        query = {name: [",".join(texts[0].split(",")[:10])] for name, texts in query.items()}
        return super().search(kind, query)


class Servers(VerifyTestCase):
    def test_what_a_list_leaves_out_is_not_missing(self):
        # Long enough for it to be believed that nothing is there.
        absent = [exports.Sample("HeartRate", 60 * number, "80", "count/min") for number in range(700)]
        there = [exports.Sample("HeartRate", 10**6 + 60 * number, "70", "count/min") for number in range(200)]
        first, whole = self.export(there, "first"), self.export([*absent, *there], "whole", day=2)
        for form in FORMS:
            for kind in ShortPages, ShortLists:
                for concurrency in "1", "8":
                    with self.subTest(form=form, kind=kind, concurrency=concurrency), kind() as server:
                        name = f"{kind.__name__}{len(form)}{concurrency}"
                        more = [*form, "--ledger", str(self.folder / name), "--concurrency", concurrency]
                        self.sync(first, server, *more)
                        self.assertEqual(self.verify(whole, server, *more, code=1)["missing"], 700)

    def test_an_estimated_count_is_not_taken_for_the_number_of_our_resources(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            search = server.search

            def estimated(kind, query):
                page = search(kind, query)
                return {**page, "total": 2 * page["total"]} if "_summary" in query else page

            server.search = estimated
            self.assertEqual(self.found(self.verify(path, server)), CLEAN)

    def test_a_resource_that_one_page_lists_twice_is_doubled(self):
        path = self.export()
        for form in FORMS:
            for change in {}, {"status": "amended"}:
                with self.subTest(form=form, change=change), ScriptedServer() as server:
                    more = [*form, "--ledger", str(self.folder / f"twice{len(form)}{len(change)}")]
                    self.sync(path, server, *more)
                    name = self.name(server, 7)
                    search = server.search

                    def twice(kind, query):
                        page = search(kind, query)
                        page["entry"] += [
                            {"resource": dict(entry["resource"], **change)} for entry in page["entry"]
                            if f"{kind}/{entry['resource']['id']}" == name
                        ]
                        return page

                    server.search = twice
                    report = self.verify(path, server, *more, code=1)
                    self.assertEqual(self.found(report), {**CLEAN, "doubled": 1})
                    self.assertEqual([finding["copies"] for finding in report["findings"]], [[name, name]])

    def test_a_resource_that_gives_an_element_twice_is_different(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            dumped = json.dumps
            name = self.name(server, 7)
            old = dumped(server.returned(name))
            new = old.replace('"status": "final"', '"status": "final", "status": "amended"')
            self.assertNotEqual(old, new)
            send = server.send
            server.send = lambda request, status, body, headers=None: send(
                request, status, body.replace(old.encode(), new.encode()), headers
            )
            report = self.verify(path, server, code=1)
            self.assertEqual(report["findings"], [{"kind": "different", "resource": name, "elements": ["status"]}])

    def test_a_count_that_is_too_low_is_not_called_a_search_that_does_not_work(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            search = server.search

            def low(kind, query):
                page = search(kind, query)
                return {**page, "total": max(page["total"] - 1, 0)} if "_summary" in query else page

            server.search = low
            arguments = [text for text in self.arguments("verify", path, server) if text != "--json"]
            ended = subprocess.run(arguments, capture_output=True, env=self.environment(), timeout=60)
            self.assertEqual(ended.returncode, 0)
            self.assertIn(
                "  extra      not counted: the server's count of them is lower than what it has shown\n", ended.stderr.decode()
            )

    def test_what_a_proxy_has_changed_on_the_way_is_read_all_the_same(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            send = server.send
            server.send = lambda request, status, body, headers=None: send(
                request, 203 if status == 200 else status, body, headers
            )
            self.assertEqual(self.found(self.verify(path, server)), CLEAN)

    def test_verify_copes_with_small_pages_with_no_lists_and_with_no_search(self):
        path = self.export()
        for form in FORMS:
            for name, value in ("page_size", 7), ("page_size", 1), ("takes_lists", False), ("has_search", False):
                with self.subTest(form=form, name=name, value=value), ScriptedServer() as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{name}{value}")]
                    self.sync(path, server, *more)
                    setattr(server, name, value)
                    del server.store.resources[self.name(server, 7)]
                    if form and not server.has_search:
                        code, _, said = self.run_pghd("verify", path, server, *more)
                        self.assertEqual(code, 6, said)
                        continue
                    report = self.verify(path, server, *more, code=1)
                    self.assertEqual(self.found(report), {**CLEAN, "missing": 1, "extra": 0 if server.has_search else None})

    def test_of_an_export_that_is_almost_all_missing_only_some_resources_are_read_alone(self):
        small = self.export(exports.samples(2))
        large = exports.write(self.folder / "large.xml", exports.samples(800, seed=7), day=2)
        for form in FORMS:
            for takes_lists in True, False:
                with self.subTest(form=form, takes_lists=takes_lists), ScriptedServer() as server:
                    server.takes_lists = takes_lists
                    more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{takes_lists}")]
                    self.sync(small, server, *more)
                    server.reads.clear()
                    report = self.verify(large, server, *more, code=1)
                    self.assertEqual(self.found(report)["missing"], 1200)
                    if takes_lists:
                        self.assertLess(len(server.reads), 400)
                    else:
                        self.assertGreater(len(server.reads), 1200)

    def test_pages_that_lead_in_circles_are_followed_for_one_round_at_most(self):
        path = self.export()
        for form in FORMS:
            for links, most in ("itself", 0), ("again", 1):
                with self.subTest(form=form, links=links), ScriptedServer() as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{links}")]
                    self.sync(path, server, *more)
                    reads = len(server.reads)
                    self.verify(path, server, *more)
                    once = len(server.reads) - reads
                    server.next_links = links
                    self.assertEqual(self.found(self.verify(path, server, *more)), CLEAN)
                    self.assertLessEqual(len(server.reads) - reads - once, once * (1 + most))

    def test_endless_pages_are_given_up_even_if_each_brings_something_new(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            name = self.name(server, 200)
            server.store.put("Observation/h" + "5" * 32, copy.deepcopy(server.store.resources[name]))
            server.next_links, server.page_size = "more", 1
            reads = len(server.reads)
            self.verify(path, server, code=1)
            self.assertLess(len(server.reads) - reads, 1500)

    def test_extra_resources_are_not_counted_if_a_list_goes_on_where_nobody_can_follow(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            more = copy.deepcopy(server.store.resources[self.name(server)])
            more["identifier"][0]["value"] = "h" + "5" * 32
            server.store.put("Observation/h" + "5" * 32, more)
            server.page_size = 100
            self.assertEqual(self.verify(path, server, code=1)["extra"], 1)
            # It is on the last page.
            server.next_links = "elsewhere"
            self.assertIsNone(self.verify(path, server)["extra"])

    def test_a_page_that_counts_another_copy_and_does_not_hold_it_does_not_prove_that_there_is_none(self):
        path = self.export()
        for size in 50, 20, 10, 1:
            with self.subTest(size=size), ScriptedServer() as server:
                more = ["--conditional", "--ledger", str(self.folder / f"ledger{size}")]
                self.sync(path, server, *more)
                doubled = self.name(server, 120)
                server.store.put("Observation/zz", dict(server.store.resources[doubled], status="amended"))
                server.next_links, server.page_size = "nowhere", size
                code, report, said = self.run_pghd("verify", path, server, *more)
                if size == 1:
                    self.assertEqual((code, report), (6, None), said)
                    self.assertRegex(said, r"/fhir/Observation.* answered 200 to a read")
                else:
                    self.assertEqual((code, self.found(report)["doubled"]), (1, 1), said)

    def test_extra_resources_are_not_counted_if_a_list_ends_before_its_total(self):
        path = self.export()
        for form in FORMS:
            for size in 1000, 100, 10:
                with self.subTest(form=form, size=size), ScriptedServer() as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{size}")]
                    self.sync(path, server, *more)
                    for number in range(5):
                        extra = copy.deepcopy(server.store.resources[self.name(server, number)])
                        extra["identifier"][0]["value"] = "h" + str(number) * 32
                        server.store.put("Observation/h" + str(number) * 32, extra)
                    self.assertEqual(self.verify(path, server, *more, code=1)["extra"], 5)
                    server.next_links, server.page_size = "nowhere", size
                    if size == 1000:
                        # One more than such a page would hold.
                        server.page_size = 200
                    self.assertIsNone(self.verify(path, server, *more)["extra"])

    def test_a_reference_that_leads_to_another_server_is_a_difference(self):
        path = self.export()
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(path, server, *more)
                one, other, third = (server.store.resources[self.name(server, number)] for number in (3, 4, 5))
                # The same under another name.
                one["subject"]["reference"] = f"{server.base}/Patient/p1"
                other["subject"]["reference"] = "https://other.example.org/fhir/Patient/p1"
                third["device"]["reference"] = "https://other.example.org/fhir/" + third["device"]["reference"]
                report = self.verify(path, server, *more, code=1)
                # A server that checks the patient does not count what belongs to another one.
                self.assertEqual(self.found(report), {**CLEAN, "different": 2, "extra": None})
                elements = sorted(element for finding in report["findings"] for element in finding["elements"])
                self.assertEqual(elements, ["device.reference", "subject.reference"])

    def test_if_a_server_ignores_the_patient_other_peoples_resources_are_neither_extra_nor_in_the_ledger(self):
        path = self.export()
        others = packed(exports.write(self.folder / "others.xml", exports.samples(100, seed=9)))
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(path, server, *more)
                base = ["--server", server.base, "--ledger", str(self.folder / "others"), "--no-sign-in", "--quiet"]
                subprocess.run(
                    [PGHD, "sync", str(others), "--patient", "p2", *form, *base], check=True, env=self.environment(),
                )
                server.ignored = ["patient"]
                self.assertEqual(self.verify(path, server, *more)["extra"], 0)
                self.assertEqual(self.verify(path, server, *more, "--rebuild")["extra"], 0)
                # A ledger that knows them marks them once they leave an export.
                later = packed(exports.write(self.folder / "later.xml", exports.samples(200), day=2))
                report = self.sync(later, server, *more, "--delete")
                self.assertEqual((report["deletionsOffered"], report["deletionsKept"]), (0, 0))

    def test_a_server_that_ignores_what_is_searched_for_is_not_read_for_ever(self):
        path = self.export()
        for form, name in ([], "_id"), (["--conditional"], "identifier"):
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(path, server, *more)
                server.ignored, server.page_size = [name], 10
                server.reads.clear()
                code, report, said = self.run_pghd("verify", path, server, *more)
                # Each can be read alone by its id.
                if form:
                    self.assertEqual((code, report), (6, None), said)
                    self.assertLess(len(server.reads), 50)
                else:
                    self.assertEqual((code, self.found(report)), (0, CLEAN), said)
                    self.assertLess(len(server.reads), 302 + 50)

    def test_a_page_of_others_that_goes_on_where_nobody_can_follow_does_not_prove_anything_missing(self):
        class Server(ScriptedServer):
            next_link = "https://elsewhere.example.org/pages/2"

            def search(self, kind, query):
                bundle = super().search(kind, query)
                if not bundle["entry"] and query.get("identifier", ["|"])[0].split("|")[-1]:
                    other = {"resourceType": kind, "id": "other", "identifier": [{"system": "urn:oid:1.2.3", "value": "1"}]}
                    bundle["entry"] = [{"resource": other}]
                    bundle["link"] = [{"relation": "next", "url": self.next_link}] if self.next_link else []
                return bundle

        path = self.export(exports.samples(20))
        with Server() as server:
            self.sync(path, server, "--conditional")
            del server.store.resources[self.name(server)]
            code, report, said = self.run_pghd("verify", path, server, "--conditional")
            self.assertEqual((code, report), (6, None), said)
            self.assertRegex(said, r"/fhir/Observation.* answered 200 to a read")
            # A page that is the last one proves it.
            server.next_link = None
            report = self.verify(path, server, "--conditional", code=1)
            self.assertEqual(self.found(report), {**CLEAN, "missing": 1})

    def test_a_server_that_fails_only_at_lists_is_read_one_resource_at_a_time(self):
        path = self.export()
        for form in FORMS:
            for status in 500, 504:
                with self.subTest(form=form, status=status), ScriptedServer() as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}{status}"), "--concurrency", "1"]
                    self.sync(path, server, *more)
                    server.list_status = status
                    server.searches.clear()
                    self.verify(path, server, *more)
                    lists = [search for search in server.searches if "," in urllib.parse.unquote(search)]
                    self.assertEqual(len(lists), 3)
                    self.assertEqual(self.sync(path, server, *more)["requests"], {})

    def test_a_server_that_may_not_be_read_is_an_error_and_not_a_loss(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            server.can_read = False
            code, _, said = self.run_pghd("verify", path, server)
            self.assertEqual(code, 4, said)
            self.assertRegex(said, r"answered 403 to a read .*: sign in with scopes")
            self.assertNotRegex(said, r"h[0-9a-f]{32}")

    def test_ctrl_c_ends_a_rebuild_with_130_and_leaves_the_ledger_as_it_was(self):
        path = self.export(exports.samples(2000))
        with ScriptedServer() as server:
            self.sync(path, server)
            before = self.state()
            server.read_delay = 0.2
            arguments = self.arguments("verify", path, server, "--rebuild", "--concurrency", "1")
            process = subprocess.Popen(
                arguments, env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
            count = len(server.reads)
            self.until(lambda: len(server.reads) >= count + 3)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=60)[1].decode()
            self.assertEqual(process.returncode, 130, said)
            self.assertEqual(self.state(), before)
            self.assertEqual(self.ledgers("*.rebuild*"), [])

    def test_ctrl_c_does_not_wait_for_an_answer(self):
        hangs, ends = threading.Event(), threading.Event()

        class Server(ScriptedServer):
            def handle_get(self, request):
                if "metadata" not in request.path:
                    hangs.set()
                    ends.wait()
                return super().handle_get(request)

        path = self.export(exports.samples(20))
        with Server() as server:
            self.addCleanup(ends.set)
            process = subprocess.Popen(
                self.arguments("verify", path, server), env=self.environment(), stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            self.until(lambda: hangs.is_set())
            process.send_signal(signal.SIGINT)
            # A read times out by itself only after a minute.
            said = process.communicate(timeout=45)[1].decode()
            ends.set()
            self.assertEqual(process.returncode, 130, said)


class Rebuild(VerifyTestCase):
    def test_a_rebuild_fills_an_empty_ledger_as_if_everything_had_been_delivered(self):
        path = self.export()
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                self.sync(path, server, *form)
                delivered = self.state()
                for file in self.ledgers("*"):
                    file.rmdir() if file.is_dir() else file.unlink()
                self.assertEqual(self.verify(path, server, *form, "--rebuild")["rebuilt"], 302)
                self.assertEqual(self.state(), delivered)
                self.assertEqual(self.sync(path, server, *form)["requests"], {})
                for file in self.ledgers("*"):
                    file.rmdir() if file.is_dir() else file.unlink()

    def test_after_a_rebuild_from_an_export_that_the_server_lacks_a_part_of_an_older_one_reverts_nothing(self):
        samples = exports.samples(20)
        older = self.export([dataclasses.replace(samples[0], note="older"), *samples[1:]], "older", day=45)
        newer = self.export([dataclasses.replace(samples[0], note="newer"), *samples[1:]], "newer", day=60)
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(newer, server, *more)
                server.last_updated = "2024-06-15T00:00:00Z"
                shutil.rmtree(more[-1])
                # As if a clinician had deleted it.
                lost = next(name for name, resource in server.store.resources.items() if name.startswith("Observation")
                            and "newer" not in json.dumps(resource))
                del server.store.resources[lost]
                self.verify(newer, server, *more, "--rebuild", code=1)
                report = self.sync(older, server, *more)
                self.assertEqual((report["delivered"], report["outdated"]), (1, 1))
                self.assertEqual(server.named_contents(), self.named_resources(newer, *form))

    def test_rounded_numbers_are_no_differences_and_nothing_is_sent_again(self):
        path = self.export([exports.Sample("BodyMass", 60 * i, "71.50", "kg") for i in range(9)])
        with ScriptedServer() as server:
            self.sync(path, server)
            resource = server.store.resources[self.name(server)]
            self.assertEqual(resource["valueQuantity"]["value"], 71.5)
            # Python has read 71.50 as a binary number, as such a server does, and writes 71.5.
            report = self.verify(path, server, "--rebuild")
            self.assertEqual((report["rounded"], report["same"], self.found(report)), (9, 2, CLEAN))  # two Devices
            self.assertEqual(self.sync(path, server)["requests"], {})

    def test_a_rebuild_with_an_older_equal_export_keeps_the_later_date(self):
        samples = exports.samples(20)
        older = self.export(samples, "older")
        changed = self.export([dataclasses.replace(samples[0], note="between"), *samples[1:]], "changed", day=5)
        # A day in the future counts as today.
        for day in 9, 20_000:
            later = self.export(samples, f"later{day}", day=day)
            for form in FORMS:
                with self.subTest(day=day, form=form), ScriptedServer() as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{day}{len(form)}")]
                    self.sync(older, server, *more)
                    # Nothing of it is sent: all that is known of it is that it was delivered.
                    self.assertEqual(self.sync(later, server, *more)["requests"], {})
                    self.assertEqual(self.found(self.verify(older, server, *more, "--rebuild")), CLEAN)
                    contents = server.contents()
                    report = self.sync(changed, server, *more)
                    self.assertEqual((report["delivered"], report["outdated"]), (0, 1))
                    self.assertEqual(server.contents(), contents)

    def test_an_export_that_the_server_has_only_in_part_does_not_count_as_delivered(self):
        samples = exports.samples(20)
        changed = [dataclasses.replace(samples[0], note="changed"), *samples[1:]]
        # The server says that it changed each resource on 1 May.
        first, between, last = (
            self.export(held, f"{day}", day=day) for held, day in ((samples, 20), (changed, 45), (changed, 60))
        )
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(first, server, *more)
                shutil.rmtree(self.folder / f"ledger{len(form)}")
                self.assertEqual(self.found(self.verify(last, server, *more, "--rebuild", code=1)), {**CLEAN, "different": 1})
                report = self.sync(between, server, *more)
                self.assertEqual((report["delivered"], report["outdated"]), (1, 0))
                self.assertEqual(server.named_contents(), self.named_resources(last, *form))

    def test_extra_resources_that_changed_before_the_export_do_not_set_its_date_back(self):
        samples, gone = exports.samples(20), [exports.Sample("HeartRate", 30, "64", "count/min")]
        first = self.export([*gone, *samples], "first", day=20)
        older = self.export([dataclasses.replace(samples[0], note="older"), *samples[1:]], "older", day=45)
        # The server says that it changed each resource on 1 May.
        newer = self.export(samples, "newer", day=60)
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(first, server, *more)
                shutil.rmtree(self.folder / f"ledger{len(form)}")
                self.assertEqual(self.found(self.verify(newer, server, *more, "--rebuild", code=1)), {**CLEAN, "extra": 1})
                contents = server.contents()
                report = self.sync(older, server, *more)
                self.assertEqual((report["delivered"], report["outdated"]), (0, 1))
                self.assertEqual(server.contents(), contents)

    def test_what_an_interrupted_run_sent_stays_newer_after_a_rebuild(self):
        samples = exports.samples(60)
        older = self.export(samples, "older")
        for day in 5, 20_000:
            newer = self.export([dataclasses.replace(s, note="newer") for s in samples], f"newer{day}", day=day)
            for form in FORMS:
                with self.subTest(day=day, form=form), ScriptedServer() as server:
                    more = [*form, "--ledger", str(self.folder / f"ledger{day}{len(form)}"), "--max-entries", "10"]
                    self.sync(older, server, *more)
                    server.faults = [{}, {}] + [{"kind": "status", "status": 403}] * 99
                    self.sync(newer, server, *more, "--concurrency", "1", code=4)
                    server.faults = []
                    contents = server.contents()
                    count = str(contents).count("newer")
                    self.assertTrue(0 < count < 90, count)
                    rebuild = [text for text in more if text not in ("--max-entries", "10")]
                    report = self.verify(newer, server, *rebuild, "--rebuild", code=1)
                    self.assertEqual(self.found(report), {**CLEAN, "different": 90 - count})
                    self.assertEqual(self.sync(older, server, *more)["delivered"], 0)
                    self.assertEqual(server.contents(), contents)

    def test_after_a_rebuild_from_rounded_numbers_an_older_export_reverts_nothing(self):
        samples = [exports.Sample("BodyMass", 60 * i, "71.50", "kg") for i in range(9)]
        older = self.export([dataclasses.replace(samples[0], note="older"), *samples[1:]], "older")
        newer = self.export(samples, "newer", day=5)
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(newer, server, *more)
                shutil.rmtree(self.folder / f"ledger{len(form)}")
                self.assertEqual(self.verify(newer, server, *more, "--rebuild")["rounded"], 9)
                contents = server.contents()
                report = self.sync(older, server, *more)
                self.assertEqual((report["delivered"], report["outdated"]), (0, 1))
                self.assertEqual(server.contents(), contents)

    def test_a_damaged_ledger_is_put_aside_and_rebuilt(self):
        path = self.export()
        for number in range(2):
            with self.subTest(number), ScriptedServer() as server:
                self.sync(path, server)
                ledger = max(self.ledgers(), key=lambda file: file.stat().st_mtime_ns)
                data = ledger.read_bytes()
                ledger.write_bytes(b"no database" * 999 if number == 0 else data[:4096] + b"\x55" * (len(data) - 4096))
                self.verify(path, server, "--rebuild")
                aside = [file for file in self.ledgers("*.damaged*") if not file.name.endswith(("wal", "shm"))]
                self.assertEqual(len(aside), number + 1)
                report = self.sync(path, server)
                self.assertEqual((report["requests"], report["alreadyThere"]), ({}, 302))

    def test_a_server_that_was_set_back_is_noticed_and_gets_exactly_what_it_lost(self):
        samples = exports.samples(20)
        more = samples + [exports.Sample("HeartRate", 10**6 + 60 * i, "71", "count/min") for i in range(40)]
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                options = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(self.export(samples, "a"), server, *options)
                backup = copy.deepcopy(server.store)
                newer = self.export(more, "b", day=2)
                self.sync(newer, server, *options)
                contents = server.contents()
                server.store = backup
                posts = len(server.posts)
                code, _, said = self.run_pghd("sync", newer, server, *options)
                self.assertEqual((code, len(server.posts)), (64, posts), said)
                self.assertRegex(said, r"of 32 delivered resources .* are gone .*run 'pghd verify --rebuild'")
                report = self.verify(newer, server, *options, "--rebuild", code=1)
                self.assertEqual(self.found(report), {**CLEAN, "missing": 40})
                self.assertEqual(self.sync(newer, server, *options)["delivered"], 40)
                self.assertEqual(set(server.ids().values()), {1})
                if not form:
                    self.assertEqual(server.contents(), contents)
                self.assertEqual(self.sync(newer, server, *options)["requests"], {})
                self.verify(newer, server, *options)

    def test_what_is_different_is_sent_again_after_a_rebuild_and_is_then_the_same(self):
        path = self.export()
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                options = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(path, server, *options)
                server.store.resources[self.name(server, 9)]["status"] = "amended"
                report = self.verify(path, server, *options, code=1)
                self.assertEqual([f["elements"] for f in report["findings"]], [["status"]])
                self.assertEqual(self.sync(path, server, *options)["requests"], {}, "somebody's change was overwritten")
                self.verify(path, server, *options, "--rebuild", code=1)
                self.assertEqual(self.sync(path, server, *options)["delivered"], 1)
                self.assertEqual(set(server.ids().values()), {1})
                self.verify(path, server, *options)

    def test_a_rebuild_keeps_what_was_deleted_and_what_the_export_no_longer_holds(self):
        samples = exports.samples(100)
        with ScriptedServer() as server:
            self.sync(self.export(samples), server)
            fewer = self.export(samples[2:], "fewer", day=2)
            self.sync(fewer, server, "--delete", "--max-delete", "2")
            least = self.export(samples[5:], "least", day=3)
            self.assertEqual(self.verify(least, server, "--rebuild", code=1)["extra"], 3)
            self.assertEqual(self.sync(least, server)["deletionsOffered"], 3)
            self.assertEqual(self.sync(self.export(samples, "back", day=4), server)["delivered"], 5)
            statuses = {resource.get("status") for name, resource in server.store.resources.items()
                        if name.startswith("Observation/")}
            self.assertEqual(statuses, {"final"})

    def test_what_was_marked_by_hand_counts_as_gone_after_a_rebuild(self):
        samples = exports.samples(20) + [exports.Sample("BodyMass", 500, "70", "kg")]
        without = self.export(samples[:-1], "without", day=2)
        with ScriptedServer() as server:
            self.sync(self.export(samples), server)
            # Nothing is deleted of a type of which the export has nothing.
            self.assertEqual(self.sync(without, server, "--delete")["deletionsKept"], 1)
            for name, resource in list(server.store.resources.items()):
                if "HKQuantityTypeIdentifierBodyMass" in json.dumps(resource):
                    server.store.put(name, resource | {"status": "entered-in-error"})
            self.assertEqual(self.verify(without, server, "--rebuild")["enteredInError"], 1)
            self.assertEqual(self.sync(without, server, "--delete")["deletionsOffered"], 0)
            self.assertEqual(self.sync(self.export(samples, "back", day=3), server)["delivered"], 1)

    def test_a_rebuild_from_a_part_of_an_export_leaves_the_ledger_as_it_was(self):
        path = self.export()
        cut = self.folder / "cut.xml"
        cut.write_text((self.folder / "export.xml").read_text()[:-20000])
        with ScriptedServer() as server:
            self.sync(path, server)
            before = self.state()
            for export, options, code in (cut, [], 1), (path, ["--types", "HeartRate"], 64):
                with self.subTest(export=export.name, options=options):
                    found, _, said = self.run_pghd("verify", export, server, "--rebuild", *options)
                    self.assertEqual(found, code, said)
                    self.assertEqual(self.state(), before)
                    self.assertEqual(self.ledgers("*.rebuild*"), [])

    def test_another_mapping_stops_a_rebuild(self):
        path = self.export()
        with ScriptedServer() as server:
            self.sync(path, server)
            before = self.state()
            code, _, said = self.run_pghd("verify", path, server, "--rebuild", "--time-zone", "Europe/Paris")
            self.assertEqual(code, 64, said)
            self.assertIn("give the options that sync was given", said)
            self.assertEqual(self.state(), before)

    def test_options_that_sync_was_not_given_are_mentioned_with_the_differences(self):
        path = self.export()
        key = self.folder / "key"
        key.write_bytes(bytes(range(32)))
        key.chmod(0o600)
        with ScriptedServer() as server:
            self.sync(path, server, "--time-zone", "Europe/Paris")
            mapping = dict(self.state()[2])["mapping"]
            for more, said in [
                ([], f"the ledger says mapping {mapping}, this is {mapping.partition(';')[0]}"),
                (["--time-zone", "Europe/Paris", "--id-key", str(key)],
                 "the ledger's ids were made with another --id-key, or with none"),
            ]:
                with self.subTest(more):
                    code, _, talk = self.run_pghd("verify", path, server, *more)
                    self.assertEqual(code, 1, talk)
                    said = f"what differs may come of other options than sync was given ({said}): give the same\n"
                    self.assertIn(f"pghd: {server.base}: {said}", talk)
            code, _, talk = self.run_pghd("verify", path, server, "--time-zone", "Europe/Paris")
            self.assertEqual((code, talk), (0, ""))

    def test_a_ledger_in_use_is_left_alone(self):
        path = self.export()
        with ScriptedServer() as server:
            server.faults = [{"sleep": 5}]
            with subprocess.Popen(self.arguments("sync", path, server), env=self.environment(),
                                  stdout=subprocess.DEVNULL) as first:
                self.until(lambda: server.in_flight)
                code, _, said = self.run_pghd("verify", path, server, "--rebuild")
                self.assertEqual(code, 3, said)
                self.assertEqual(first.wait(timeout=300), 0)


class KeyOnlyServer(VerifyTestCase):
    def setUp(self):
        super().setUp()
        self.options = key_options(self.folder)

    def test_at_a_key_only_server_a_damaged_ledger_stops_the_run_until_it_is_rebuilt(self):
        path = self.export()

        def break_row(ledger):
            with sqlite3.connect(ledger) as database:
                database.execute("UPDATE members SET type = 300")

        # The damage is noticed when the ledger is opened, or when the broken part is read.
        for number, damage in enumerate([lambda ledger: ledger.write_bytes(b"no database" * 999), break_row]):
            options = [*self.options, "--ledger", str(self.folder / f"damaged{number}")]
            with self.subTest(number), ScriptedServer() as server:
                self.sync(path, server, *options)
                (ledger,) = (self.folder / f"damaged{number}").glob("*.ledger")
                damage(ledger)
                posts = len(server.posts)
                for _ in range(2):
                    code, _, said = self.run_pghd("sync", path, server, *options)
                    self.assertEqual((code, len(server.posts)), (3, posts))
                    self.assertEqual(
                        said,
                        f"pghd: {ledger}: damaged (expected a database): run 'pghd verify --rebuild' with the same options, "
                        "then go on\n",
                    )
                self.verify(path, server, "--rebuild", *options)
                self.assertEqual(self.sync(path, server, *options)["requests"], {})

    def test_a_lost_ledger_is_rebuilt_and_nothing_is_stored_twice(self):
        path = self.export()
        with ScriptedServer(honours_if_none_exist=False) as server:
            self.sync(path, server, *self.options)
            for file in self.ledgers():
                file.unlink()
            self.assertEqual(self.found(self.verify(path, server, *self.options, "--rebuild")), CLEAN)
            self.assertEqual(self.sync(path, server, *self.options)["requests"], {})
            self.assertEqual(set(server.ids().values()), {1})

    def test_what_was_deleted_comes_back_each_time_even_after_a_rebuild(self):
        samples = exports.samples(20)
        with ScriptedServer(honours_if_none_exist=False) as server:
            self.sync(self.export(samples, "0"), server, *self.options)
            for day in 2, 5:
                fewer = self.export(samples[1:], f"{day}", day=day)
                self.sync(fewer, server, *self.options, "--delete", "--max-delete", "1")
                self.verify(fewer, server, *self.options, "--rebuild")
                again = self.export(samples, f"{day + 1}", day=day + 1)
                self.assertEqual(self.sync(again, server, *self.options)["delivered"], 1)
                stored = [value for name, value in server.store.resources.items() if name.startswith("Observation/")]
                self.assertEqual({resource["status"] for resource in stored}, {"final"})
            self.assertEqual((len(server.ids()), set(server.ids().values())), (30, {1}))

    def test_a_key_only_server_that_was_set_back_gets_exactly_what_it_lost(self):
        samples = exports.samples(20)
        more = samples + [exports.Sample("HeartRate", 10**6 + 60 * i, "71", "count/min") for i in range(40)]
        with ScriptedServer(honours_if_none_exist=False) as server:
            self.sync(self.export(samples, "a"), server, *self.options)
            backup = copy.deepcopy((server.store, server.answers))
            newer = self.export(more, "b", day=2)
            self.sync(newer, server, *self.options)
            server.store, server.answers = backup
            posts = len(server.posts)
            code, _, said = self.run_pghd("sync", newer, server, *self.options)
            self.assertEqual((code, len(server.posts)), (64, posts), said)
            report = self.verify(newer, server, *self.options, "--rebuild", code=1)
            self.assertEqual(self.found(report), {**CLEAN, "missing": 40})
            self.assertEqual(self.sync(newer, server, *self.options)["delivered"], 40)
            self.assertEqual((len(server.ids()), set(server.ids().values())), (70, {1}))
            self.assertEqual(self.sync(newer, server, *self.options)["requests"], {})
            self.verify(newer, server, *self.options)

    def test_a_key_only_server_that_cannot_be_read_does_not_stop_a_run_with_nothing_new(self):
        path = self.export()
        for name in "can_read", "can_search":
            with self.subTest(name), ScriptedServer(honours_if_none_exist=False) as server:
                self.sync(path, server, *self.options)
                setattr(server, name, False)
                self.assertEqual(self.sync(path, server, *self.options)["requests"], {})
                self.run_pghd("verify", path, server, *self.options)


class Privacy(VerifyTestCase):
    def test_no_value_is_in_the_summary_the_reports_or_the_ledger(self):
        samples = exports.samples(50) + [exports.Sample("BodyMass", 5, "71.2345", "kg", note="canary-note")]
        path = self.export(samples)
        report = self.folder / "report.json"
        with ScriptedServer() as server:
            self.sync(path, server)
            for name, resource in server.store.resources.items():
                if name.startswith("Observation/") and resource["valueQuantity"]["value"] == 71.2345:
                    resource["valueQuantity"] |= {"value": 98.7654, "canary key 98.7654": 1}
                    resource["performer"][0]["display"] = "canary-person"
            arguments = [a for a in self.arguments("verify", path, server, "--rebuild", "--report", str(report))
                         if a != "--json"]
            result = subprocess.run(arguments, capture_output=True, env=self.environment(), timeout=120)
        self.assertEqual(result.returncode, 1)
        said = result.stderr.decode()
        self.assertRegex(said, r"\ndifferent Observation/h[0-9a-f]{32}  .*valueQuantity\.value, valueQuantity\.\?")
        outputs = {"summary": result.stderr, "standard output": result.stdout, "report": report.read_bytes()}
        outputs |= {file.name: file.read_bytes() for file in self.ledgers("*") if file.is_file()}
        for name, data in outputs.items():
            for canary in b"71.2345", b"98.7654", b"canary", b"1980-02-03", b"Apple Watch":
                self.assertNotIn(canary, data, name)

    def test_the_terminal_lists_some_findings_and_the_report_all_of_them(self):
        path = self.export()
        report = self.folder / "report.json"
        with ScriptedServer() as server:
            self.sync(path, server)
            for number in range(50):
                del server.store.resources[self.name(server)]
            arguments = [a for a in self.arguments("verify", path, server, "--report", str(report)) if a != "--json"]
            said = subprocess.run(arguments, capture_output=True, env=self.environment(), timeout=120).stderr.decode()
        self.assertEqual(len(re.findall(r"^missing Observation/h[0-9a-f]{32}$", said, re.M)), 20)
        self.assertIn("and 30 more: --report FILE has them all", said)
        self.assertEqual(len(json.loads(report.read_text())["findings"]), 50)


if __name__ == "__main__":
    unittest.main()
