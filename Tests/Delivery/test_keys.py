#!/usr/bin/env python3
"""A server that knows a Bundle by its Idempotency-Key only, and assigns ids of its own.

    python3 Tests/Delivery/test_keys.py

It stores again whatever it has not seen under the same key: `ifNoneExist` means nothing to it.
"""

import dataclasses
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from cases import KeyOnlyTestCase
from delivery import KILLS
from exports import packed


class KeyOnlyServer(KeyOnlyTestCase):
    def test_a_limit_that_a_refusal_names_is_kept_and_nothing_is_stored_twice(self):
        with self.server() as server:
            server.entry_limit = 25
            server.limit_text = "Bundle has too many entries (max {})"
            self.sync(self.path, server, *self.options, "--concurrency", "1")
            self.assert_whole(server)
            self.assertEqual(len([code for _, _, code in server.posts if code != 200]), 1)

    def test_a_passphrase_read_once_serves_both_the_sign_in_and_the_bundles_on_their_way(self):
        with self.server() as server:
            self.sync(self.path, server, *self.options)
            reading, writing = os.pipe()
            os.write(writing, (self.folder / "passphrase").read_bytes())
            os.close(writing)
            options = [word for word in self.options if "passphrase" not in word]
            path = exports.write(self.folder / "more.xml", exports.samples(201), day=2)
            report = self.sync(
                packed(path), server, *options, "--passphrase-fd", str(reading), pass_fds=[reading],
                start_new_session=True,
            )
            os.close(reading)
            self.assertGreater(report["delivered"], 0)

    def test_a_second_run_sends_nothing_and_changes_replace_what_is_there(self):
        with self.server() as server:
            self.sync(self.path, server, *self.options)
            self.assert_whole(server)
            count = len(server.posts)
            self.assertEqual(self.sync(self.path, server, *self.options)["requests"], {})
            changed = [dataclasses.replace(s, note="new") if i in (3, 90, 250) else s
                       for i, s in enumerate(self.samples)]
            path = exports.write(self.folder / "changed.xml", changed, day=2)
            self.assertEqual(self.sync(path, server, *self.options)["delivered"], 3)
            self.assertGreater(len(server.posts), count)
            self.assert_whole(server)

    def test_a_bundle_whose_answer_was_lost_is_sent_again_under_the_same_key(self):
        for faults in [{"kind": "reset-after"}] * 3, [{"kind": "half"}], [{"kind": "empty"}], [{"kind": "reset-before"}]:
            with self.subTest(faults), self.server() as server:
                server.faults = list(faults)
                self.sync(self.path, server, *self.options)
                self.assert_whole(server)

    def test_a_refused_bundle_is_never_split(self):
        path = exports.write(self.folder / "long.xml", exports.samples(1200))
        with self.server() as server:
            server.faults = [{}] * 30 + [{"kind": "status", "status": 422}]
            report = self.sync(path, server, *self.options, "--concurrency", "1", code=6)
            refused = report["refused"]
            self.assertGreater(refused, 1)
            self.assertEqual([count for _, count, status in server.posts if status == 422][0], refused + 2)
            self.assertEqual(len(server.ids()), 1800 - refused)

    def test_what_was_refused_is_sent_under_another_key_in_the_next_run(self):
        with self.server() as server:
            server.keeps_refusals = True
            server.refused_ids = set(self.first_values())
            for _ in range(2):
                self.assertGreater(self.sync(self.path, server, *self.options, code=6)["refused"], 0)
            server.refused_ids = set()
            self.sync(self.path, server, *self.options)
            self.assert_whole(server)
            count = len(server.posts)
            self.sync(self.path, server, *self.options)
            self.assertEqual(len(server.posts), count)

    def first_values(self):
        """The values of one Observation's identifier."""
        for line in self.convert(self.path).read_text(encoding="utf-8").splitlines():
            for entry in json.loads(line)["entry"]:
                if entry["resource"]["resourceType"] == "Observation":
                    return [entry["resource"]["identifier"][0]["value"]]

    def test_what_a_busy_server_puts_off_is_sent_under_another_key_each_time(self):
        with self.server() as server:
            server.faults = [{}, *[{"entries": dict.fromkeys(range(50), "429 Too Many")}] * 4]
            self.sync(self.path, server, *self.options, "--retry-for", "5")
            self.assert_whole(server)

    def test_an_entry_that_is_stored_but_reported_as_failed_is_not_stored_twice(self):
        for status in "500", "409", "":
            with self.subTest(status), self.server() as server:
                server.faults = [{}, {"told": dict.fromkeys(range(50), status)}]
                self.sync(self.path, server, *self.options, "--ledger", str(self.folder / f"ledger{status}"))
                self.assert_whole(server)

    def test_a_newer_export_stores_nothing_twice_after_one_entry_was_throttled(self):
        older, newer = (
            exports.write(self.folder / f"{count}.xml", self.samples[:count], day=count) for count in (6, 7)
        )
        for number in range(4):
            with self.subTest(number), self.server() as server:
                more = [*self.options, "--ledger", str(self.folder / f"ledger{number}")]
                server.faults = [{"entries": {number: 429}}, *[{"kind": "status", "status": 403}] * 20]
                self.sync(older, server, *more, code=4)
                server.faults = []
                self.sync(newer, server, *more)
                self.assert_whole(server, 7)

    def test_a_newer_export_stores_nothing_twice_after_a_doubtful_bundle_was_split(self):
        first, older, newer = (
            exports.write(self.folder / f"{count}.xml", self.samples[:count], day=count) for count in (3, 9, 10)
        )
        with self.server() as server:
            # An empty ledger would make the run read the server first.
            self.sync(first, server, *self.options)
            told = {"told": dict.fromkeys(range(50), "500")}
            server.faults = [told, {"kind": "status", "status": 413}, *[{"kind": "status", "status": 403}] * 20]
            self.sync(older, server, *self.options, code=4)
            server.faults = []
            self.sync(newer, server, *self.options)
            self.assert_whole(server, 10)

    def test_an_update_whose_answer_was_lost_is_settled_before_it_is_changed_back(self):
        changed = [dataclasses.replace(self.samples[0], note="b"), *self.samples[1:]]
        newer = exports.write(self.folder / "newer.xml", changed, day=2)
        again = exports.write(self.folder / "again.xml", self.samples, day=3)
        for kind in "reset-after", "reset-before":
            with self.subTest(kind), self.server() as server:
                more = [*self.options, "--ledger", str(self.folder / kind)]
                self.sync(self.path, server, *more)
                stored = set(server.named_contents())
                server.faults = [{"kind": kind}] * 5
                self.sync(newer, server, *more, "--retry-for", "0", code=3)
                server.faults = []
                # First what is open is settled, by reading what is there; then it is changed back.
                self.assertEqual(self.sync(again, server, *more)["delivered"], 2)
                # Except Devices, which each Bundle creates for itself.
                self.assertEqual(set(server.named_contents()), stored)
                self.assert_whole(server)

    def test_sigkill_at_any_moment_loses_nothing_and_doubles_nothing_even_with_a_newer_export(self):
        chance = random.Random(5)
        # One more sample for every Bundle, so that each has another key.
        newer = sorted(
            self.samples + [exports.Sample("HeartRate", 60 * i + 31, "99", "count/min") for i in range(0, 200, 10)],
            key=lambda sample: (sample.kind, sample.start),
        )
        newer = exports.write(self.folder / "newer.xml", newer, day=2)
        done = 0
        for number in range(KILLS):
            path, count = (newer, 320) if number % 2 else (self.path, 300)
            with self.subTest(number), self.server(delay=0.01) as server:
                more = [*self.options, "--ledger", str(self.folder / f"ledger{number}")]
                process = subprocess.Popen(
                    self.arguments("sync", self.path, server, *more), env=self.environment(),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )
                wanted = chance.randint(0, 9)
                self.until(lambda: len(server.posts) >= wanted or process.poll() is not None, pause=0.0005)
                time.sleep(chance.uniform(0, 0.01))
                process.kill()
                process.wait()
                done += 0 < len(server.ids()) < 300
                before = len(server.ids())
                report = self.sync(path, server, *more)
                self.assert_whole(server, count)
                # What the killed run left open is counted once, as delivered or as already there.
                self.assertEqual(report["delivered"] + report["alreadyThere"], count)
                self.assertGreaterEqual(report["delivered"], count - before)
                posts = len(server.posts)
                self.sync(path, server, *more)
                self.assertEqual(len(server.posts), posts)
        self.assertGreater(done, 0, "no run was killed in its middle")

    def interrupted(self, server, seconds=-25 * 3600, kind="reset-after"):
        """A run whose last answers are lost; what the ledger notes of their start is then moved by `seconds`."""
        server.faults = [{}] * 2 + [{"kind": kind}, {"kind": "reset-before"}] * 100
        self.sync(self.path, server, *self.options, "--retry-for", "0", "--concurrency", "2", code=3)
        ledger = next((self.folder / "ledger").glob("*.ledger"))
        with sqlite3.connect(ledger) as database:
            bodies = [body for (body,) in database.execute("SELECT body FROM intents")]
            self.assertGreater(len(bodies), 0)
            self.assertFalse(any(b"resourceType" in body for body in bodies), "a body lies open in the ledger")
            database.execute("UPDATE intents SET began = began + ?", (seconds,))
        server.faults = []
        server.answers = {}

    def test_instead_of_using_a_key_that_the_server_has_forgotten_the_run_reads_the_server(self):
        # After a clock was set back, nobody knows how long ago a noted time that lies in the future was.
        for seconds, more in (-25 * 3600, []), (3600, []), (-7 * 3600, ["--key-lifetime", "6"]):
            with self.subTest(seconds=seconds), self.server() as server:
                self.interrupted(server, seconds)
                self.sync(self.path, server, *self.options, *more)
                self.assert_whole(server)
            shutil.rmtree(self.folder / "ledger")

    def test_a_key_of_unknown_age_is_not_used_again_if_the_server_cannot_be_read(self):
        with self.server() as server:
            # Nobody knows how long ago a clock that was set back has said that it would be.
            self.interrupted(server, 3600)
            server.can_search = False
            self.assertGreater(self.sync(self.path, server, *self.options, code=3)["uncertain"], 0)
            self.assertEqual(set(server.ids().values()), {1})

    def test_a_key_is_not_used_beyond_its_lifetime_however_long_the_server_is_busy(self):
        with self.server() as server:
            # What is there is looked for; what isn't may only be sent under its key.
            self.interrupted(server, 0, "reset-before")
            stored, ledger = server.contents(), next((self.folder / "ledger").glob("*.ledger"))
            with sqlite3.connect(ledger) as database:
                database.execute("UPDATE intents SET began = ?", (int(time.time()) - 24 * 3600 + 8,))
            # By the time that Retry-After asks for, the server has forgotten all keys.
            server.faults = [{"kind": "status", "status": 503, "headers": {"Retry-After": "10"}}] * 2
            posts = len(server.posts)
            self.sync(self.path, server, *self.options, code=3)
            self.assertLessEqual(len(server.posts) - posts, 2)
            self.assertEqual(server.contents(), stored)
            time.sleep(9)
            server.faults = []
            self.sync(self.path, server, *self.options)
            self.assert_whole(server)

    def test_while_the_server_is_away_open_bundles_stay_open_and_the_run_stops(self):
        with self.server() as server:
            self.interrupted(server)
            asked, answer = [], server.handle_get

            def fail(request):
                # Except for its clock.
                if request.path != "/fhir/metadata":
                    asked.append(request.path)
                server.send(request, 503, b"")

            server.handle_get = fail
            code, report, said = self.run_pghd("sync", self.path, server, *self.options, "--retry-for", "0")
            # Each of the resources would take as long as --retry-for says.
            self.assertEqual((code, report, len(asked)), (3, None, 1), said)
            server.handle_get = answer
            self.sync(self.path, server, *self.options)
            self.assert_whole(server)

    def test_what_is_open_stays_known_to_a_rebuilt_ledger(self):
        fewer = exports.write(self.folder / "fewer.xml", self.samples[:3], day=2)
        again = exports.write(self.folder / "again.xml", self.samples, day=3)
        with self.server() as server:
            self.interrupted(server)
            # So that it can't say what else it has of ours besides the export.
            server.knows_systems = False
            code, report, said = self.run_pghd("verify", fewer, server, *self.options, "--rebuild")
            self.assertIn(code, (0, 1), said)
            self.assertIsNone(report["extra"])
            self.sync(again, server, *self.options)
            self.assert_whole(server)

    def test_what_cannot_be_found_out_is_reported_as_uncertain_and_left_alone(self):
        with self.server() as server:
            self.interrupted(server)
            server.can_search = False
            for _ in range(2):
                report = self.sync(self.path, server, *self.options, code=3)
                self.assertGreater(report["uncertain"], 0)
                self.assertEqual(set(server.ids().values()), {1})
            server.can_search = True
            self.sync(self.path, server, *self.options)
            self.assert_whole(server)


if __name__ == "__main__":
    unittest.main()
