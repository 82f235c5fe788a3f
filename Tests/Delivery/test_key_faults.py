#!/usr/bin/env python3
"""What can go wrong at a server that knows a Bundle by its Idempotency-Key only, without anything being doubled.

    python3 Tests/Delivery/test_key_faults.py [KeyFaults]

`KeyFaults` alone leaves out the whole matrix of test_faults.py, which takes some minutes here: each run opens a
keystore, which is slow on purpose.

Where an answer was lost, the same bytes have to be sent under the same key, whatever happened after it and whatever the
next export holds; where a version returns, its key must be new to the server.
"""

import dataclasses
import json
import sqlite3
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from cases import KeyOnlyTestCase
from exports import RUN, packed
from faults import MATRIX, status
from scripted_server import ScriptedServer

LOST = {"kind": "reset-after"}
# Statuses of a server that may have stored everything.
LATE = 408, 409, 500, 504


class KeyFaultsTestCase(KeyOnlyTestCase):
    def setUp(self):
        super().setUp()
        # One more sample for every Bundle, so that each has another key.
        more = [exports.Sample("HeartRate", 60 * i + 31, "99", "count/min") for i in range(0, 200, 10)]
        newer = sorted(self.samples + more, key=lambda sample: (sample.kind, sample.start))
        self.newer = exports.write(self.folder / "newer.xml", newer, day=2)

    def ledger(self, name):
        return ["--ledger", str(self.folder / f"ledger {name}")]


class Matrix(KeyFaultsTestCase):
    def test_whatever_the_server_does_a_newer_export_loses_nothing_and_stores_nothing_twice(self):
        whole = self.named_resources(self.newer, "--conditional")
        for name, faults, code, options in MATRIX:
            with self.subTest(name), self.server() as server:
                more = [*self.options, *self.ledger(name), *options]
                server.faults = [dict(fault) for fault in faults]
                found, _, said = self.run_pghd("sync", self.path, server, *more)
                self.assertEqual(found, code, said)
                server.faults = []
                report = self.sync(self.newer, server, *self.options, *self.ledger(name))
                self.assertEqual((report["refused"], report["uncertain"]), (0, 0))
                self.assert_whole(server, 320)
                # Each Bundle creates its Devices again.
                self.assertEqual(sorted(set(server.named_contents())), whole)
                self.assertEqual(self.sync(self.newer, server, *self.options, *self.ledger(name))["requests"], {})


class KeyFaults(KeyFaultsTestCase):
    def test_a_refusal_says_nothing_about_an_earlier_try_whose_answer_was_lost(self):
        redirect = {"kind": "redirect", "to": "http://127.0.0.1:1/"}
        for name, faults, code in [
            ("401", [LOST, *status(401, 20)], 4), ("403", [LOST, *status(403, 20)], 4),
            ("404", [LOST, *status(404, 20)], 6), ("a redirect", [LOST, *[redirect] * 20], 3),
            ("409 for a while", [LOST, *status(409, 8)], 0), ("413", [LOST, *status(413)], 3),
            # 429 means that nothing is stored: the Bundle may be split.
            ("each of these, then 413", [f for late in LATE for f in ({"kind": "late", "status": late}, *status(413))], 3),
            ("429, then 413", [*status(429), *status(413)], 0),
        ]:
            with self.subTest(name), self.server() as server:
                more = [*self.options, *self.ledger(name), "--concurrency", "1"]
                server.faults = [{}, {}, *faults]
                report = self.sync(self.path, server, *more, code=code)
                self.assertEqual(report["uncertain"] > 0, code != 0)
                server.faults = []
                self.sync(self.newer, server, *more)
                self.assert_whole(server, 320)

    def test_a_503_may_come_from_a_gateway_whose_server_stored_the_bundle(self):
        with self.server() as server:
            server.faults = [{}, {}, {"kind": "late", "status": 503}, *status(403, 20)]
            report = self.sync(self.path, server, *self.options, "--concurrency", "1", code=4)
            self.assertGreater(report["uncertain"], 0)
            server.faults = []
            self.sync(self.newer, server, *self.options)
            self.assert_whole(server, 320)

    def test_a_version_that_returns_is_sent_under_a_key_that_the_server_has_not_seen(self):
        one = [self.samples[3]]
        for name, samples in ("one of many", self.samples), ("alone", one):
            other = [dataclasses.replace(s, note="other") if s == one[0] else s for s in samples]
            with self.subTest(name), self.server() as server:
                more = [*self.options, *self.ledger(name)]
                for day, some in enumerate([samples, other, samples, other, samples], start=1):
                    path = exports.write(self.folder / "turn.xml", some, day=day)
                    self.sync(path, server, *more)
                    self.assert_whole(server, len(samples))
                    notes = sum('"other"' in json.dumps(r) for r in server.store.resources.values())
                    self.assertEqual(notes, int(some is other))

    def test_a_deleted_sample_that_returns_is_final_again_each_time(self):
        with self.server() as server:
            for turn in range(4):
                path = exports.write(self.folder / "turn.xml", self.samples[turn % 2:], day=3 + turn)
                self.sync(packed(path), server, *self.options, "--delete")
                states = [r["status"] for r in server.store.resources.values() if r["resourceType"] == "Observation"]
                self.assertEqual(states.count("entered-in-error"), turn % 2)
                self.assert_whole(server, 300)

    def test_a_unit_with_one_changed_resource_is_not_stored_twice(self):
        changed = RUN.replace('average="141"', 'average="142"')
        energy = next(line for line in RUN.splitlines() if "ActiveEnergyBurned" in line)
        distance = energy.replace("ActiveEnergyBurned", "DistanceWalkingRunning").replace("kcal", "m")
        longer = RUN.replace(energy, f"{energy}\n{distance}")
        with self.server() as server:
            for day, text in enumerate([RUN, changed, RUN, longer, RUN], start=1):
                path = exports.write(self.folder / "turn.xml", [], day=day)
                path.write_text(path.read_text().replace("</HealthData>", text + "</HealthData>"))
                self.sync(path, server, *self.options)
                self.assertEqual(set(server.ids().values()), {1})
            self.assertEqual(self.sync(path, server, *self.options)["requests"], {})

    def test_a_unit_with_one_refused_resource_is_not_stored_twice(self):
        path = exports.write(self.folder / "run.xml", [])
        path.write_text(path.read_text().replace("</HealthData>", RUN + "</HealthData>"))
        with self.server() as server:
            server.faults = [{"entries": {1: "422 Unprocessable"}}]
            self.assertEqual(self.sync(path, server, *self.options, code=6)["refused"], 1)
            count = len(server.ids())
            self.sync(path, server, *self.options)
            self.assert_whole(server, count + 1)

    def test_what_found_no_server_to_connect_to_was_not_sent_and_is_not_uncertain(self):
        class Leaving(ScriptedServer):
            """Goes away after the first Bundle."""

            def handle_post(self, request):
                request.protocol_version = "HTTP/1.0"  # no connection is kept
                self.__exit__()
                super().handle_post(request)

        server = Leaving(honours_if_none_exist=False).__enter__()
        report = self.sync(self.path, server, *self.options, "--retry-for", "1", "--concurrency", "1", code=3)
        self.assertEqual((report["bundlesDelivered"], report["uncertain"]), (1, 0))
        self.assertGreater(report["requests"]["none"], 1)
        with sqlite3.connect(next((self.folder / "ledger").glob("*.ledger"))) as database:
            self.assertEqual(database.execute("SELECT count(*) FROM intents").fetchone(), (0,))

    def test_the_old_version_is_not_taken_for_an_update_whose_key_has_expired(self):
        other = [dataclasses.replace(s, note="other") if i == 3 else s for i, s in enumerate(self.samples)]
        path = exports.write(self.folder / "other.xml", other, day=2)
        for fault, arrives in ({"kind": "reset-before"}, 0), (LOST, 1):
            with self.subTest(fault), self.server() as server:
                more = [*self.options, *self.ledger(fault["kind"])]
                self.sync(self.path, server, *more)
                server.faults = [fault, *[{"kind": "reset-before"}] * 100]
                self.sync(path, server, *more, "--retry-for", "0", code=3)
                self.assertEqual(self.others(server), arrives)
                (ledger,) = (self.folder / f"ledger {fault['kind']}").glob("*.ledger")
                with sqlite3.connect(ledger) as database:
                    database.execute("UPDATE intents SET began = began - 25 * 3600")
                server.faults, server.answers = [], {}
                self.sync(path, server, *more)
                self.assertEqual(self.others(server), 1)
                self.assert_whole(server, 300)

    def test_what_is_uncertain_is_not_offered_for_deletion(self):
        other = [dataclasses.replace(s, note="other") if i == 3 else s for i, s in enumerate(self.samples)]
        first, second, third = (
            packed(exports.write(self.folder / f"{day}.xml", some, day=day))
            for day, some in enumerate([self.samples, other, other], start=1)
        )
        with self.server() as server:
            self.sync(first, server, *self.options)
            server.faults = [{"kind": "reset-before"}] * 100
            self.sync(second, server, *self.options, "--retry-for", "0", code=3)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            with sqlite3.connect(ledger) as database:
                database.execute("UPDATE intents SET began = began - 25 * 3600")
            server.faults, server.can_search = [], False
            report = self.sync(third, server, *self.options, code=3)
            self.assertEqual((report["uncertain"], report["deletionsOffered"]), (1, 0))

    def test_what_a_rebuild_has_not_found_is_not_offered_for_deletion(self):
        whole, less = (
            packed(exports.write(self.folder / f"{day}.xml", some, day=day))
            for day, some in enumerate([self.samples, self.samples[4:]], start=1)
        )
        with self.server() as server:
            self.sync(whole, server, *self.options)
            ids = [r["identifier"][0]["value"] for _, r in self.entries(whole) if r["resourceType"] == "Observation"]
            gone = set(ids) - {r["identifier"][0]["value"] for _, r in self.entries(less)}
            kept = min(gone)
            server.store.resources = {
                name: r for name, r in server.store.resources.items() if r["identifier"][0]["value"] not in gone - {kept}
            }
            report = self.run_pghd("verify", whole, server, *self.options, "--rebuild")[1]
            self.assertEqual((report["missing"], report["rebuilt"] > 0), (3, True))
            # It has one of the four that are missing from the export.
            report = self.sync(less, server, *self.options, "--delete")
            self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (1, 1))

    def test_the_same_export_from_two_machines_is_stored_once(self):
        with self.server() as server:
            for machine in "one", "other":
                self.sync(self.path, server, *self.options, *self.ledger(machine))
                self.assert_whole(server, 300)

    def others(self, server):
        return sum('"other"' in json.dumps(r) for r in server.store.resources.values())


if __name__ == "__main__":
    unittest.main()
