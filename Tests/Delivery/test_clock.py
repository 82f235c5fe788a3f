#!/usr/bin/env python3
"""A clock that jumps while a delivery runs, or between two.

    python3 Tests/Delivery/test_clock.py

clock.c is loaded before the system's library and reports a wrong date, and nothing else that is wrong.
"""

import dataclasses
import datetime
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options, preloaded, quick_derivation
from exports import packed
from faults import soon, status
from scripted_server import LateIndex, ScriptedServer

DAY = 86_400
LOST = {"kind": "reset-after"}


class Clock(DeliveryTestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="pghd-clock-"))
        cls.library = preloaded("clock", folder)

    def setUp(self):
        super().setUp()
        self.dial = self.folder / "dial"
        self.asleep = self.folder / "asleep"
        self.lie = {
            "LD_PRELOAD": f"{self.library} {quick_derivation()}", "PGHD_TEST_CLOCK": str(self.dial),
            "PGHD_TEST_SLEEP": str(self.asleep),
        }
        self.set_clock(0)
        keys = key_options(self.folder)
        self.forms = [("PUT", []), ("conditional", ["--conditional"]), ("keys", keys)]
        samples = self.samples = exports.samples(200)
        self.path = exports.write(self.folder / "export.xml", samples)
        more = [exports.Sample("HeartRate", 60 * i + 31, "99", "count/min") for i in range(0, 200, 10)]
        newer = sorted(samples + more, key=lambda sample: (sample.kind, sample.start))
        self.newer = exports.write(self.folder / "newer.xml", newer, day=2)

    def environment(self):
        return super().environment() | self.lie

    def set_clock(self, seconds, dial=None):
        """From now on the date is wrong by this much."""
        dial = dial or self.dial
        new = dial.with_suffix(".new")
        new.write_text(f"{seconds:+d}")
        new.rename(dial)

    def options(self, name, form):
        return [*form, "--max-entries", "40", "--ledger", str(self.folder / f"ledger {name}")]

    def server(self, name):
        return ScriptedServer(honours_if_none_exist=name != "keys", delay=0.02)

    def assert_whole(self, server, count):
        self.assertEqual((len(server.ids()), set(server.ids().values())), (count, {1}))
        self.assertEqual(server.conflicting_keys, [])

    def kill_in_mid_run(self, server, more):
        server.gate, server.gate_behind = threading.Event(), 4
        process = subprocess.Popen(
            self.arguments("sync", self.path, server, *more), env=self.environment(),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.until(lambda: len(server.posts) >= 4 or process.poll() is not None)
        process.kill()
        process.wait()
        server.gate.set()
        # What was in flight is stored whatever happened to the run.
        self.until(lambda: not server.in_flight)
        server.gate = None

    def test_the_preloaded_library_changes_the_date(self):
        says = subprocess.run(["date", "+%s"], env=self.environment(), capture_output=True, check=True).stdout
        self.set_clock(3 * DAY)
        later = subprocess.run(["date", "+%s"], env=self.environment(), capture_output=True, check=True).stdout
        self.assertGreater(int(later) - int(says), 2 * DAY)

    def test_a_clock_that_jumps_during_a_run_changes_nothing(self):
        for name, form in self.forms:
            for jump in 2 * DAY, -400 * DAY:
                with self.subTest(name, jump=jump), self.server(name) as server:
                    self.set_clock(0)
                    more = self.options(f"{name}{jump}", form)
                    server.faults = [{}, {}, LOST, *status(503, 2), {}, LOST]
                    process = subprocess.Popen(
                        self.arguments("sync", self.path, server, *more), env=self.environment(),
                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                    )
                    self.until(lambda: len(server.posts) >= 3 or process.poll() is not None, pause=0.001)
                    self.set_clock(jump)
                    said = process.communicate(timeout=300)[1]
                    self.assertEqual(process.returncode, 0, said)
                    self.assert_whole(server, 300)
                    self.assertEqual(self.sync(self.path, server, *more)["requests"], {})
                    self.sync(self.newer, server, *more)
                    self.assert_whole(server, 320)

    def test_an_older_export_reverts_nothing_however_wrong_the_clock_is(self):
        for jump in 0, -5000 * DAY, 5000 * DAY:
            with self.subTest(jump=jump), self.server("PUT") as server:
                self.set_clock(jump)
                more = self.options(f"{jump}", [])
                changed = [dataclasses.replace(sample, note="later") for sample in exports.samples(200)[:10]]
                later = exports.write(self.folder / "later.xml", [*changed, *exports.samples(200)[10:]], day=3)
                self.sync(later, server, *more)
                for clock in jump, 0:
                    self.set_clock(clock)
                    report = self.sync(self.path, server, *more)
                    self.assertEqual((report["delivered"], report["outdated"]), (0, 10))

    def test_a_clock_that_jumps_between_a_kill_and_the_next_run_changes_nothing(self):
        for name, form in self.forms:
            for jump in 2 * DAY, -2 * DAY:
                with self.subTest(name, jump=jump), self.server(name) as server:
                    self.set_clock(0)
                    more = self.options(f"{name}{jump}", form)
                    self.kill_in_mid_run(server, more)
                    self.set_clock(jump)
                    self.sync(self.newer, server, *more)
                    self.assert_whole(server, 320)
                    self.assertEqual(self.sync(self.newer, server, *more)["requests"], {})

    def test_an_older_export_reverts_and_deletes_nothing_after_the_clock_was_set_back(self):
        samples = exports.samples(200)
        changed = [dataclasses.replace(sample, note="later") for sample in samples[:3]]
        extra = [exports.Sample("HeartRate", 10**6 + 60 * i, "71", "count/min") for i in range(4)]
        later = exports.write(self.folder / "later.xml", [*changed, *samples[3:], *extra], day=100)
        # Made after the older export and before the later one.
        between = int(datetime.datetime(2024, 5, 1).timestamp()) - int(datetime.datetime.now().timestamp())
        for name, form in self.forms:
            with self.subTest(name), self.server(name) as server:
                more = [*self.options(f"back {name}", form), "--delete"]
                self.set_clock(0)
                self.sync(later, server, *more)
                contents = server.contents()
                self.set_clock(between)
                report = self.sync(self.path, server, *more)
                found = [report[field] for field in ("delivered", "outdated", "deletionsOffered", "deletionsDone")]
                self.assertEqual((found, server.contents()), ([0, 3, None, 0], contents))

    def test_an_expired_key_is_not_reused_although_the_local_clock_stood_still(self):
        _, form = self.forms[2]
        with self.server("keys") as server:
            more = self.options("still", form)
            self.kill_in_mid_run(server, more)
            # Two days later, which a machine that was off and has no clock of its own does not know.
            server.clock_ahead = 2 * DAY
            server.answers.clear()
            # A run that can't find out what became of it leaves that to the next one.
            server.can_read = False
            report = self.sync(self.path, server, *more, code=3)
            self.assertGreater(report["uncertain"], 0)
            server.can_read = True
            self.sync(self.path, server, *more)
            self.assert_whole(server, 300)

    def test_an_open_bundle_is_judged_by_the_clocks_at_the_time_it_was_left(self):
        _, form = self.forms[2]
        with self.server("keys") as server:
            more = self.options("left", form)
            self.kill_in_mid_run(server, more)
            server.clock_ahead = 2 * DAY
            server.answers.clear()
            server.can_read = False
            # The second of these has heard from the first how far apart the clocks are by now.
            for _ in range(2):
                self.assertGreater(self.sync(self.path, server, *more, code=3)["uncertain"], 0)
            server.can_read = True
            self.sync(self.path, server, *more)
            self.assert_whole(server, 300)

    def test_a_server_that_was_set_back_is_noticed_even_if_the_clock_was_ahead(self):
        with self.server("conditional") as server:
            more = self.options("ahead", ["--conditional"])
            self.set_clock(400 * DAY)
            self.sync(self.path, server, *more)
            self.set_clock(0)
            time.sleep(1)
            server.clock_ahead = 3600
            newest = sorted(server.store.resources, key=lambda name: int(name.split("/")[1]))[-40:]
            for name in newest:
                del server.store.resources[name]
            said = self.run_pghd("sync", self.path, server, *more)[::2]
            self.assertEqual(said[0], 64, said)

    def test_an_expired_key_is_not_reused_after_the_machine_slept_during_the_run(self):
        _, form = self.forms[2]
        # What is lost on a reused connection is sent again at once.
        for fault, count in (LOST, 2), ({"kind": "late", "status": 504}, 1):
            with self.subTest(fault["kind"]), self.server("keys") as server:
                self.set_clock(0)
                self.set_clock(0, self.asleep)
                # A random time up to this: what was sent again in the moment below would rightly be stored twice.
                more = [*self.options(f"slept {fault['kind']}", form), "--retry-delay-milliseconds", "30000"]
                server.faults = [{}, {}, *(dict(fault) for _ in range(count))]
                process = subprocess.Popen(
                    self.arguments("sync", self.path, server, *more), env=self.environment(),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )
                self.until(lambda: len(server.posts) >= 2 + count or process.poll() is not None)
                time.sleep(0.3)
                server.delay = 0
                with server.lock:
                    for dial in self.dial, self.asleep:
                        self.set_clock(2 * DAY, dial)
                    server.answers.clear()
                process.wait(timeout=120)
                self.sync(self.path, server, *more)
                self.assert_whole(server, 300)

    def test_a_rebuild_remembers_how_far_apart_the_clocks_were(self):
        with self.server("conditional") as server:
            more = self.options("rebuilt", ["--conditional"])
            self.set_clock(400 * DAY)
            self.sync(self.path, server, *more)
            self.set_clock(0)
            code, _, said = self.run_pghd("verify", self.path, server, *more, "--rebuild")
            self.assertEqual(code, 0, said)
            # By the server's clock what came last came an hour ago: a search that does not find it tells that it is gone.
            server.clock_ahead = 3600
            for name in sorted(server.store.resources, key=lambda name: int(name.split("/")[1]))[-40:]:
                del server.store.resources[name]
            said = self.run_pghd("sync", self.path, server, *more)[::2]
            self.assertEqual(said[0], 64, said)

    def test_a_lagging_index_is_waited_for_after_the_clock_was_set_back(self):
        new = [exports.Sample("HeartRate", 10**6 + 60 * i, "71", "count/min") for i in range(9)]
        days = [self.samples, self.samples + new, self.samples + [dataclasses.replace(s, note="other") for s in new]]
        paths = [packed(exports.write(self.folder / f"{day}.xml", days[day], day=day + 1)) for day in range(3)]
        more = ["--conditional", "--retry-delay-milliseconds", "100", "--ledger", str(self.folder / "index")]
        with LateIndex(lag=4) as server:
            self.sync(paths[0], server, *more)
            time.sleep(4.1)
            self.sync(paths[1], server, *more)
            self.set_clock(-3600)
            self.sync(paths[2], server, *more)
            self.assertEqual(set(server.ids().values()), {1})

    def test_an_export_dated_by_a_fast_clock_does_not_outdate_later_exports_once_the_clock_is_right(self):
        samples = exports.samples(200)
        newer = [dataclasses.replace(samples[5], note="newer"), *samples[:5], *samples[6:]]
        for days, content in (300, samples), (0, newer):
            date = datetime.date.today() + datetime.timedelta(days=days)
            path = exports.write(self.folder / f"{days}.xml", content)
            path.write_text(path.read_text().replace('<ExportDate value="2024-04-02', f'<ExportDate value="{date}'))
        with self.server("PUT") as server:
            self.set_clock(400 * DAY)
            self.sync(self.folder / "300.xml", server, *self.options("ahead", []))
            self.set_clock(0)
            report = self.sync(self.folder / "0.xml", server, *self.options("ahead", []))
            self.assertEqual((report["delivered"], report["outdated"]), (1, 0))

    def test_a_retry_after_date_is_read_by_the_servers_clock(self):
        for jump in 2 * DAY, -2 * DAY:
            with self.subTest(jump=jump), self.server("PUT") as server:
                self.set_clock(jump)
                later = lambda: {"Retry-After": soon(2)}
                server.faults = [{"kind": "status", "status": 429, "seconds": 1, "headers": later}]
                more = self.options(f"date{jump}", ["--concurrency", "1", "--retry-delay-milliseconds", "100"])
                report = self.sync(self.path, server, *more)
                # By our own clock it would end at once, or not before the run gives up.
                self.assertEqual(report["requests"]["429"], 1)
                self.assert_whole(server, 300)


if __name__ == "__main__":
    unittest.main()
