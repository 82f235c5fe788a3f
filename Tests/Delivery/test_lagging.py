#!/usr/bin/env python3
"""Servers whose search finds what they have just stored only after a while.

    python3 Tests/Delivery/test_lagging.py
"""

import dataclasses
import itertools
import sqlite3
import subprocess
import sys
import time
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
import walk
from delivery import DeliveryTestCase, key_options
from exports import RUN, packed
from scripted_server import LateIndex, ScriptedServer, outcome


class LaggingServer(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.samples = exports.samples(400)
        self.path = packed(exports.write(self.folder / "export.xml", self.samples))
        self.forms = ["--conditional"], key_options(self.folder)

    def server(self, form):
        return ScriptedServer(honours_if_none_exist="--api" not in form)

    def ledger(self, form):
        return [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]

    def hide(self, server, names):
        """Lets no request find these until it is called with an empty set."""
        if not hasattr(server, "whole"):
            server.whole = (server.store.find, server.handle_get)
        find, get = server.whole
        if not names:
            server.handle_get = get
            return

        def handle(request):
            hidden = {name: server.store.resources.pop(name) for name in names}
            server.store.find = lambda key, query: [name for name in find(key, query) if name not in names]
            try:
                get(request)
            finally:
                server.store.resources.update(hidden)
                server.store.find = find

        server.handle_get = handle

    def test_what_was_just_stored_and_is_not_found_yet_does_not_stop_a_run(self):
        kinds = ("HeartRate", "71", "count/min"), ("StepCount", "7", "count"), ("BodyMass", "70", "kg"), \
            ("Height", "170", "cm")
        new = [exports.Sample(k, 10**6 + 60 * i, value, unit) for k, value, unit in kinds for i in range(4)]
        newer = packed(exports.write(self.folder / "newer.xml", self.samples + new, day=2))
        for form in self.forms:
            with self.subTest(form=form), self.server(form) as server:
                options = self.ledger(form)
                self.sync(self.path, server, *options)
                before = set(server.store.resources)
                self.assertEqual(self.sync(newer, server, *options)["delivered"], 16)
                self.hide(server, set(server.store.resources) - before)
                code, report, said = self.run_pghd("sync", newer, server, *options)
                self.assertEqual((code, report["requests"]), (0, {}))
                self.assertRegex(said, r"^pghd: .*: does not find yet what was sent before: trying for 0 s\n$")
                self.hide(server, set())
                # It reports older ones that are gone, and still looks for those that came last.
                server.store.resources = {n: r for n, r in server.store.resources.items() if n not in before}
                code, _, said = self.run_pghd("sync", newer, server, *options)
                self.assertEqual(code, 64, said)

    def test_a_run_waits_for_what_another_machine_just_stored_before_it_sends_it_from_an_older_export(self):
        new = exports.Sample("HeartRate", 10**6, "71", "count/min")
        whole = packed(exports.write(self.folder / "whole.xml", [*self.samples, new], day=2))
        later = packed(exports.write(self.folder / "later.xml", self.samples, day=3))
        form = self.forms[0]
        with self.server(form) as server:
            one, other = ([*form, "--ledger", str(self.folder / name)] for name in ("one", "other"))
            self.sync(later, server, *one)
            before = set(server.store.resources)
            self.assertEqual(self.sync(whole, server, *other)["delivered"], 1)
            (name,) = set(server.store.resources) - before
            ident = server.store.resources[name]["identifier"][0]["value"]
            search, late = server.search, []

            def find(kind, query):
                page = search(kind, query)
                # Twice the index does not know it yet.
                if ident in query.get("identifier", [""])[0] and len(late) < 2:
                    late.append(page.pop("entry"))
                    page["total"] = 0
                return page

            server.search = find
            report = self.sync(whole, server, *one)
            self.assertEqual((report["requests"], report["outdated"], [len(hidden) for hidden in late]), ({}, 1, [1, 1]))

    def test_a_deletion_of_what_is_not_found_yet_is_refused_and_carried_out_later(self):
        extra = [exports.Sample("HeartRate", 10**6 + 60 * i, "71", "count/min") for i in range(2)]
        more = packed(exports.write(self.folder / "more.xml", self.samples + extra, day=2))
        less = packed(exports.write(self.folder / "less.xml", self.samples, day=3))
        for form in self.forms:
            with self.subTest(form=form), self.server(form) as server:
                options = [*self.ledger(form), "--delete"]
                self.sync(self.path, server, *options)
                before = set(server.store.resources)
                self.sync(more, server, *options)
                self.hide(server, set(server.store.resources) - before)
                report = self.sync(less, server, *options, code=6)
                self.assertEqual((report["deletionsDone"], report["deletionsRefused"]), (0, 2))
                self.hide(server, set())
                self.assertEqual(self.sync(less, server, *options)["deletionsDone"], 2)
                self.assertEqual(self.run_pghd("verify", less, server, *self.ledger(form))[1]["extra"], 0)

    def test_a_bundle_without_an_answer_stays_known_after_a_rebuild_that_does_not_find_it(self):
        few = exports.samples(40)
        path = packed(exports.write(self.folder / "few.xml", few))
        new = [exports.Sample("StepCount", 60 * i + 31, "99", "count") for i in range(0, 40, 10)]
        newer = packed(exports.write(self.folder / "newer.xml", few + new, day=2))
        form = key_options(self.folder)
        with self.server(form) as server:
            options = self.ledger(form)
            server.faults = [{}, {"kind": "reset-after"}] + [{"kind": "status", "status": 403}] * 20
            self.sync(path, server, *options, "--concurrency", "1", code=4)
            server.faults = []
            hidden = {n: r for n, r in server.store.resources.items() if "StepCount" in str(r)}
            for name in hidden:
                del server.store.resources[name]
            self.assertEqual(self.run_pghd("verify", path, server, *options, "--rebuild")[1]["missing"], 20)
            server.store.resources.update(hidden)
            self.sync(newer, server, *options)
            self.assertEqual((len(server.ids()), set(server.ids().values())), (64, {1}))


class YoungServer(DeliveryTestCase):
    """Everything that it has was stored just now, and a search finds none of it yet."""

    def setUp(self):
        super().setUp()
        self.path = packed(exports.write(self.folder / "export.xml", exports.samples(400)))
        self.delay = ["--retry-delay-milliseconds", "100"]

    def hides(self, server, count):
        """Lets the next searches find nothing."""
        search, numbers = server.search, itertools.count()

        def late(kind, query):
            return search(kind, query) if next(numbers) >= count else \
                {"resourceType": "Bundle", "type": "searchset", "total": 0, "entry": []}

        server.search = late

    def filled(self):
        """A server of each form that was filled just now, with the options that it was filled with."""
        for form in ["--conditional"], key_options(self.folder):
            with ScriptedServer(honours_if_none_exist="--api" not in form) as server:
                options = [*form, "--ledger", str(self.folder / f"ledger{len(form)}"), *self.delay]
                self.sync(self.path, server, *options)
                self.hides(server, 32)
                yield server, options

    def test_a_second_run_waits_until_it_finds_what_the_first_one_sent(self):
        for server, options in self.filled():
            code, report, said = self.run_pghd("sync", self.path, server, *options)
            self.assertEqual((code, report["requests"]), (0, {}), said)

    def test_a_rebuild_waits_until_it_finds_what_was_sent_and_nothing_is_sent_again(self):
        for server, options in self.filled():
            code, report, said = self.run_pghd("verify", self.path, server, *options, "--rebuild")
            self.assertEqual((code, report["missing"]), (0, 0), said)
            self.assertRegex(said, r"does not find yet what was sent before: trying for \d s\n")
            self.assertEqual(self.sync(self.path, server, *options)["requests"], {})
            self.assertEqual((len(server.ids()), set(server.ids().values())), (600, {1}))

    def test_a_rebuild_does_not_wait_if_everything_is_found_at_once(self):
        for form in ["--conditional"], key_options(self.folder):
            with ScriptedServer(honours_if_none_exist="--api" not in form) as server:
                options = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(self.path, server, *options)
                # It would wait two minutes, and say so.
                self.assertEqual(self.run_pghd("verify", self.path, server, *options, "--rebuild")[::2], (0, ""))


class LateServer(DeliveryTestCase):
    """Its conditions are searches in an index that learns of a resource some time after it is stored."""

    LAG = 0.4
    DELAY = ["--retry-delay-milliseconds", "50"]  # such an index is waited for, for three seconds

    def setUp(self):
        super().setUp()
        self.samples = exports.samples(400)
        self.path = packed(exports.write(self.folder / "export.xml", self.samples))
        self.options = ["--conditional", "--max-entries", "40", *self.DELAY]

    def server(self, lag=LAG, form=()):
        return LateIndex(lag, honours_if_none_exist="--api" not in form)

    def forms(self):
        """The options of each form that searches the server before anything is written, each with its own ledger."""
        for form in ["--conditional"], key_options(self.folder):
            yield [*form, *self.DELAY, "--ledger", str(self.folder / f"ledger{len(form)}")]

    def assert_once(self, server, count=600):
        self.assertEqual((len(server.ids()), set(server.ids().values())), (count, {1}))
        if server.honours_if_none_exist:
            self.assertEqual(set(server.ids("Device").values()), {1})

    def test_a_device_that_many_bundles_carry_is_stored_once(self):
        with self.server() as server:
            # However long it may try.
            self.sync(self.path, server, *self.options, "--retry-for", str(2**63 - 1))
            self.assert_once(server)

    def test_a_bundle_without_an_answer_is_sent_again_only_once_it_would_be_found(self):
        faults = {"kind": "reset-after"}, {"kind": "late", "status": 504}, {"kind": "late", "status": 502}, {"kind": "empty"}
        for number, fault in enumerate(faults):
            with self.subTest(fault), self.server() as server:
                server.faults = [{}, {}, dict(fault), {}, dict(fault)]
                self.sync(self.path, server, *self.options, "--ledger", str(self.folder / f"ledger{number}"))
                self.assert_once(server)

    def test_a_run_that_may_not_read_waits_as_long_as_an_index_may_take(self):
        # A second Device first comes with a later Bundle.
        text = exports.write(self.folder / "two.xml", self.samples).read_text()
        lines = [line.replace("Watch6,2", "Phone1,1") if "StepCount" in line else line for line in text.splitlines()]
        (self.folder / "two.xml").write_text("\n".join(lines))
        for faults in [], [{}, {}, {"kind": "late", "status": 504}]:
            with self.subTest(faults), self.server() as server:
                server.can_read = False
                server.faults = faults
                path = self.folder / "two.xml"
                self.sync(path, server, *self.options, "--ledger", str(self.folder / f"ledger{len(faults)}"))
                self.assert_once(server)
                self.assertEqual(len(server.ids("Device")), 3)

    def test_a_run_that_may_not_read_devices_looks_for_the_rest(self):
        nutrients = "DietaryCaffeine", "DietaryZinc"
        foods = [walk.Food(600 * i, nutrients, tuple((name, "") for name in nutrients)) for i in range(5)]
        path = packed(exports.write(self.folder / "foods.xml", exports.samples(40) + foods))
        with self.server() as server:
            get = server.handle_get

            def closed(request):
                if "/Device" in request.path:
                    return server.send(request, 403, outcome("forbidden"))
                return get(request)

            server.handle_get = closed
            self.sync(path, server, "--conditional", *self.DELAY)
            self.assertEqual(set(server.ids().values()), {1})

    def test_a_throttled_search_does_not_hold_up_posts_for_longer_than_it_is_tried_itself(self):
        with self.server() as server:
            get, asked = server.handle_get, []

            def busy(request):
                if not server.posts or "identifier=" not in request.path:
                    return get(request)
                asked.append(request.path)
                server.send(request, 429, outcome("throttled"), {"Retry-After": "3600"})

            server.handle_get = busy
            self.sync(self.path, server, *self.options, "--retry-for", "2", timeout=120)
            self.assertEqual(len(server.ids()), 600)
            self.assertGreater(len(asked), 0)

    def test_a_run_after_a_killed_one_waits_for_what_that_one_sent(self):
        # The last try of a Bundle that was noted five minutes ago may have been just now.
        for age, reads in (0, True), (300, True), (0, False):
            with self.subTest(age, reads=reads), self.server(lag=1.5) as server:
                server.can_read = reads
                server.faults = [{}, {}, {}, {"kind": "late", "status": 504, "sleep": 0}] + [{"sleep": 60}] * 8
                folder = self.folder / f"ledger{age}{reads}"
                options = [*self.options, "--ledger", str(folder)]
                process = subprocess.Popen(
                    self.arguments("sync", self.path, server, *options), env=self.environment(),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )
                self.until(lambda: len(server.ids()) >= 100)
                process.kill()
                process.wait()
                with sqlite3.connect(next(folder.glob("*.ledger"))) as database:
                    self.assertGreater(database.execute("UPDATE intents SET began = began - ?", (age,)).rowcount, 0)
                server.faults = []
                self.sync(self.path, server, *options)
                self.assert_once(server)

    def test_documents_whose_answer_was_lost_also_wait_until_they_would_be_found(self):
        records = "".join(
            f'<ClinicalRecord type="Observation" identifier="c{i}" sourceName="Clinic" sourceURL="https://c.example/{i}" '
            'fhirVersion="4.0.1" receivedDate="2024-03-02 10:00:00 +0100" resourceFilePath="/clinical-records/c.json"/>\n'
            for i in range(6)
        )
        xml = exports.write(self.folder / "clinical.xml", [])
        xml.write_text(xml.read_text().replace("</HealthData>", records + "</HealthData>"))
        path = packed(xml)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("apple_health_export/clinical-records/c.json", '{"resourceType":"Observation"}')
        with self.server() as server:
            server.faults = [{"kind": "late", "status": 504}]
            self.sync(path, server, "--conditional", *self.DELAY)
            self.assertEqual((len(server.ids("DocumentReference")), set(server.ids("DocumentReference").values())), (6, {1}))

    def test_the_nutrients_of_a_food_wait_until_they_would_be_found(self):
        nutrients = "DietaryCaffeine", "DietaryZinc"
        foods = [walk.Food(600 * i, nutrients, tuple((nutrient, "") for nutrient in nutrients)) for i in range(5)]
        path = packed(exports.write(self.folder / "foods.xml", exports.samples(40) + foods))
        for options in self.forms():
            with self.subTest(options), self.server(form=options) as server:
                self.sync(path, server, *options)
                self.assert_once(server, 60 + 15)

    def test_another_version_waits_until_the_one_before_it_would_be_found(self):
        kinds = ("BodyMass", "80", "kg"), ("Height", "170", "cm")
        first, more = ([exports.Sample(k, 600 * i, value, unit) for i in range(8)] for k, value, unit in kinds)
        second = [dataclasses.replace(sample, note="B") for sample in first]
        path = packed(exports.write(self.folder / "versions.xml", [*exports.samples(40), *first, *more, *second]))
        for options in self.forms():
            with self.subTest(options), self.server(form=options) as server:
                self.sync(path, server, *options)
                self.assert_once(server, 60 + 16)

    def test_another_version_in_a_second_run_also_waits(self):
        samples = exports.samples(40)
        new = [exports.Sample("HeartRate", 10**6 + 60 * i, "71", "count/min") for i in range(9)]
        others = [dataclasses.replace(sample, note="B") for sample in new]
        days = [samples, samples + new, samples + others]
        paths = [packed(exports.write(self.folder / f"{d}.xml", days[d], day=d + 1)) for d in range(3)]
        for options in self.forms():
            with self.subTest(options), self.server(lag=1.5, form=options) as server:
                # Devices are there already and are not waited for.
                self.sync(paths[0], server, *options)
                time.sleep(1.5)
                self.assertEqual(self.sync(paths[1], server, *options)["delivered"], 9)
                self.assertEqual(self.sync(paths[2], server, *options)["replaced"], 9)
                self.assert_once(server, 69)

    def test_finding_another_version_of_a_changed_sample_does_not_end_the_wait_for_new_ones(self):
        older = packed(exports.write(self.folder / "older.xml", self.samples[::2]))
        both = [dataclasses.replace(s, note="B") if i % 2 == 0 else s for i, s in enumerate(self.samples)]
        newer = packed(exports.write(self.folder / "newer.xml", both, day=2))
        with self.server() as server:
            self.sync(older, server, *self.options)
            time.sleep(self.LAG)
            server.faults = [{"kind": "reset-after"}, {}] * 4
            self.sync(newer, server, *self.options, "--concurrency", "1")
            self.assert_once(server)

    def test_what_is_sent_again_because_an_entry_was_put_off_waits_until_it_would_be_found(self):
        paths = [exports.write(self.folder / f"{day}.xml", [], day=day) for day in (4, 5)]
        later = RUN.replace("2024-03-02", "2024-03-03")
        for path, runs in zip(paths, (RUN, RUN + later)):
            path.write_text(path.read_text().replace("</HealthData>", runs + "</HealthData>"))
        for number in range(2, 4):
            with self.subTest(number), self.server() as server:
                options = [*self.options, "--ledger", str(self.folder / f"ledger{number}")]
                self.sync(paths[0], server, *options)
                time.sleep(self.LAG)
                server.faults = [{"entries": {number: "503 Busy"}}]
                self.sync(paths[1], server, *options)
                self.assert_once(server, 14)

    def test_what_a_proxy_gave_up_on_is_sent_again_once_it_would_be_found(self):
        for status in 520, 524, 599:
            with self.subTest(status), self.server() as server:
                server.faults = [{}, {}, {"kind": "late", "status": status}]
                self.sync(self.path, server, *self.options, "--ledger", str(self.folder / f"ledger{status}"))
                self.assert_once(server)

    def test_the_halves_of_a_bundle_that_timed_out_also_wait(self):
        with self.server() as server:
            timeout = {"kind": "status", "status": 504}
            server.faults = [{}, {}, timeout, timeout, {"kind": "late", "status": 504}]
            self.sync(self.path, server, *self.options, "--concurrency", "1")
            self.assert_once(server)

    def test_a_failing_search_is_not_waited_for_each_time(self):
        first = [exports.Sample("BodyMass", 600 * i, "80", "kg") for i in range(8)]
        more = [exports.Sample("Height", 600 * i, "170", "cm") for i in range(8)]
        second = [dataclasses.replace(sample, note="B") for sample in first]
        path = packed(exports.write(self.folder / "versions.xml", [*first, *more, *second]))
        with self.server(lag=0) as server:
            search, count = server.search, []

            def failing(kind, query):
                if kind == "Observation":
                    count.append(query)
                    raise RuntimeError
                return search(kind, query)

            get = server.handle_get

            def handle(request):
                try:
                    get(request)
                except RuntimeError:
                    server.send(request, 500, b"")

            server.search, server.handle_get = failing, handle
            self.sync(path, server, *self.options, "--max-entries", "2", "--concurrency", "1", "--no-sign-in")
            self.assert_once(server, 16)
            # Those at the beginning, and those of the first Bundle that had something to wait for.
            self.assertLess(len(count), 20)

    def test_an_index_that_never_catches_up_is_not_waited_for_each_time(self):
        with self.server(lag=3600) as server:
            self.sync(self.path, server, *self.options)
            self.assertEqual(len(server.ids()), 600)
            # One wait takes thirteen of them, and seventeen posts would have waited.
            self.assertLess(len(server.searches), 40)


class ClosingServer(ScriptedServer):
    """It closes each connection a moment after its answer without saying so, mostly just when it is used again."""

    def handle_post(self, request):
        super().handle_post(request)
        time.sleep(0.003)
        request.close_connection = True

    def handle_get(self, request):
        super().handle_get(request)
        time.sleep(0.003)
        request.close_connection = True


class Closing(DeliveryTestCase):
    def test_after_a_lost_connection_conditional_bundles_use_no_connection_that_was_left_open(self):
        path = exports.write(self.folder / "export.xml", exports.samples(400))
        with ClosingServer() as server:
            report = self.sync(
                path, server, "--conditional", "--max-entries", "10", "--retry-delay-milliseconds", "50", "--concurrency", "2",
            )
            self.assertEqual((len(server.ids()), set(server.ids().values())), (600, {1}))
            # Each would be waited for as long as an index may lag.
            self.assertLessEqual(report["retried"], 4)


class RememberingServer(DeliveryTestCase):
    """Such as HAPI, which answers a search of the last minute with what it found then."""

    def test_what_a_search_found_a_minute_ago_is_not_taken_for_what_is_there_now(self):
        samples = exports.samples(40)
        path = packed(exports.write(self.folder / "export.xml", samples))
        new = [exports.Sample("StepCount", 60 * i + 31, "99", "count") for i in range(4)]
        newer = packed(exports.write(self.folder / "newer.xml", samples + new, day=2))
        for form in [], ["--conditional"], key_options(self.folder):
            with self.subTest(form=form), ScriptedServer(honours_if_none_exist="--api" not in form) as server:
                server.remembered = {}
                options = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                code, report, said = self.run_pghd("verify", path, server, *options)
                self.assertEqual((code, report["same"]), (1, 0), said)
                self.sync(path, server, *options)
                code, report, said = self.run_pghd("verify", path, server, *options)
                self.assertEqual((code, report["missing"]), (0, 0), said)
                # The ledger is lost: the server is asked what is there.
                anew = [*form, "--ledger", str(self.folder / f"anew{len(form)}")]
                if "--api" in form:
                    self.run_pghd("verify", newer, server, *anew, "--rebuild")
                self.sync(newer, server, *anew)
                self.assertEqual((len(server.ids()), set(server.ids().values())), (64, {1}))


if __name__ == "__main__":
    unittest.main()
