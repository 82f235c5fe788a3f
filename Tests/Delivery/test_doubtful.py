#!/usr/bin/env python3
"""Servers that report a fault for what they have stored, or fail for a moment at the search that would show it.

    python3 Tests/Delivery/test_doubtful.py
"""

import dataclasses
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
import walk
from delivery import DeliveryTestCase, key_options
from exports import packed
from scripted_server import LateIndex, ScriptedServer, outcome


class LateIndexTestCase(DeliveryTestCase):
    """An index that learns of a resource a moment after it is stored."""

    SMALL = ["--max-entries", "40"]
    DELAY = ["--retry-delay-milliseconds", "50"]  # two minutes are three seconds here, and ten are a quarter

    def setUp(self):
        super().setUp()
        self.conditional, self.keys = ["--conditional"], key_options(self.folder)

    def server(self, form, lag):
        return LateIndex(lag, honours_if_none_exist="--api" not in form)

    def options(self, form, name):
        return [*form, *self.DELAY, "--ledger", str(self.folder / f"ledger-{name}-{len(form)}")]

    def assert_once(self, server, count):
        self.assertEqual((len(server.ids()), set(server.ids().values())), (count, {1}))


class StoredAllTheSame(LateIndexTestCase):
    def setUp(self):
        super().setUp()
        rates = [exports.Sample("HeartRate", 60 * i, str(60 + i % 40), "count/min") for i in range(200)]
        self.path = packed(exports.write(self.folder / "export.xml", rates))

    def test_entries_reported_as_failed_are_sent_again_once_they_would_be_found(self):
        for form in self.conditional, self.keys:
            for status in 500, 504, "":
                with self.subTest(form=form[0], status=status), self.server(form, lag=0.15) as server:
                    # By then its Device is known, which Bundles would wait for.
                    server.faults = [{}] * 3 + [{"told": dict.fromkeys(range(1, 40), status)}]
                    self.sync(self.path, server, *self.options(form, status), *self.SMALL, "--concurrency", "1")
                    self.assert_once(server, 200)

    def test_a_bundle_reported_as_failed_is_sent_again_once_it_would_be_found(self):
        for status in 500, 503, 507:
            with self.subTest(status), self.server(self.conditional, lag=0.15) as server:
                server.faults = [{}, {}, {"kind": "late", "status": status}]
                self.sync(self.path, server, *self.options(self.conditional, status), *self.SMALL)
                self.assert_once(server, 200)

    def test_the_halves_of_a_bundle_reported_as_failed_wait_too(self):
        with self.server(self.conditional, lag=0.15) as server:
            server.faults = [{}, {}] + [{"kind": "status", "status": 500}] * 3 + [{"kind": "late", "status": 500}]
            self.sync(self.path, server, *self.options(self.conditional, "halves"), *self.SMALL, "--concurrency", "1")
            self.assert_once(server, 200)

    def test_the_halves_wait_while_other_bundles_are_taken(self):
        rates = [exports.Sample("HeartRate", 60 * i, str(60 + i % 40), "count/min") for i in range(6000)]
        path = packed(exports.write(self.folder / "more.xml", rates))

        class Server(LateIndex):
            """Fails at its hundredth Bundle three times, and then at its answer."""

            keys, victim, tries = set(), None, 0

            def answer_post(self, request, body, fault):
                key = request.headers["Idempotency-Key"]
                with self.lock:
                    self.keys.add(key)
                    if self.victim is None and len(self.keys) == 100:
                        self.victim = key
                    if key == self.victim:
                        self.tries += 1
                        fault = {"kind": "status" if self.tries < 4 else "late", "status": 500}
                super().answer_post(request, body, fault)

        with Server(0.15) as server:
            self.sync(path, server, *self.options(self.conditional, "others"), *self.SMALL)
            self.assert_once(server, 6000)
            self.assertEqual(server.tries, 4)


class OddSearches(LateIndexTestCase):
    def test_searches_that_fail_for_a_moment_do_not_end_the_wait_for_what_was_just_created(self):
        nutrients = "DietaryCaffeine", "DietaryZinc"
        foods = [walk.Food(600 * i, nutrients, tuple((nutrient, "") for nutrient in nutrients)) for i in range(5)]
        path = packed(exports.write(self.folder / "foods.xml", exports.samples(40) + foods))
        for form in self.conditional, self.keys:
            for status in 403, 404, 500:
                with self.subTest(form=form[0], status=status), self.server(form, lag=0.6) as server:
                    get, left = server.handle_get, [None] * 2

                    def odd(request, get=get, left=left, status=status, server=server):
                        if not server.posts or "identifier=" not in request.path or not left:
                            return get(request)
                        left.pop()
                        server.send(request, status, outcome("exception"))

                    server.handle_get = odd
                    self.sync(path, server, *self.options(form, f"foods{status}"), *self.SMALL)
                    self.assert_once(server, 60 + 15)
                    self.assertEqual(left, [])

    def test_one_odd_answer_does_not_make_a_key_only_server_count_as_empty(self):
        samples = exports.samples(40)
        first = packed(exports.write(self.folder / "first.xml", samples))
        more = [exports.Sample("BodyMass", 60 * i, "80", "kg") for i in range(4)]
        # All Bundles have other keys.
        changed = [dataclasses.replace(sample, note="B") for sample in samples]
        second = packed(exports.write(self.folder / "second.xml", changed + more, day=2))
        for status in 302, 403, 404, 451:
            with self.subTest(status), ScriptedServer(honours_if_none_exist=False) as server:
                options = self.options(self.keys, f"lost{status}")
                self.sync(first, server, *options, *self.SMALL)
                shutil.rmtree(options[-1])
                get, left = server.handle_get, [None]

                def odd(request, get=get, left=left, status=status, server=server):
                    if "_summary=count" not in request.path or not left:
                        return get(request)
                    left.pop()
                    server.send(request, status, b"", {"Location": "https://login.example.org/"})

                server.handle_get = odd
                self.sync(second, server, *options, *self.SMALL)
                self.assert_once(server, 64)
                self.assertEqual(left, [])


if __name__ == "__main__":
    unittest.main()
