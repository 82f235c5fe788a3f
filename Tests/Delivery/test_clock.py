#!/usr/bin/env python3
"""A clock that jumps while a delivery is at work, or between two.

    python3 Tests/Delivery/test_clock.py

clock.c stands in front of the system's library and lies about the date, and about that alone.
"""

import dataclasses
import datetime
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options, preloaded
from scripted_server import ScriptedServer
from test_faults import soon, status

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
        self.lie = {"LD_PRELOAD": self.library, "PGHD_TEST_CLOCK": str(self.dial)}
        self.set_clock(0)
        keys = key_options(self.folder)
        self.forms = [("PUT", []), ("conditional", ["--conditional"]), ("keys", keys)]
        samples = exports.samples(200)
        self.path = exports.write(self.folder / "export.xml", samples)
        more = [exports.Sample("HeartRate", 60 * i + 31, "99", "count/min") for i in range(0, 200, 10)]
        newer = sorted(samples + more, key=lambda sample: (sample.kind, sample.start))
        self.newer = exports.write(self.folder / "newer.xml", newer, day=2)

    def environment(self):
        return super().environment() | self.lie

    def set_clock(self, seconds):
        """From now on the date is wrong by that much."""
        new = self.dial.with_suffix(".new")
        new.write_text(f"{seconds:+d}")
        new.rename(self.dial)

    def options(self, name, form):
        return [*form, "--max-entries", "40", "--ledger", str(self.folder / f"ledger {name}")]

    def server(self, name):
        return ScriptedServer(honours_if_none_exist=name != "keys", delay=0.02)

    def assert_whole(self, server, count):
        self.assertEqual((len(server.ids()), set(server.ids().values())), (count, {1}))
        self.assertEqual(server.conflicting_keys, [])

    def test_the_lie_is_believed(self):
        says = subprocess.run(["date", "+%s"], env=self.environment(), capture_output=True, check=True).stdout
        self.set_clock(3 * DAY)
        later = subprocess.run(["date", "+%s"], env=self.environment(), capture_output=True, check=True).stdout
        self.assertGreater(int(later) - int(says), 2 * DAY)

    def test_in_mid_run_it_changes_nothing(self):
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
                    while len(server.posts) < 3 and process.poll() is None:
                        pass
                    self.set_clock(jump)
                    said = process.communicate(timeout=300)[1]
                    self.assertEqual(process.returncode, 0, said)
                    self.assert_whole(server, 300)
                    self.assertEqual(self.sync(self.path, server, *more)["requests"], {})
                    self.sync(self.newer, server, *more)
                    self.assert_whole(server, 320)

    def test_an_older_export_is_one_however_wrong_the_clock_was(self):
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

    def test_between_a_kill_and_the_next_run_it_changes_nothing(self):
        for name, form in self.forms:
            for jump in 2 * DAY, -2 * DAY:
                with self.subTest(name, jump=jump), self.server(name) as server:
                    self.set_clock(0)
                    more = self.options(f"{name}{jump}", form)
                    process = subprocess.Popen(
                        self.arguments("sync", self.path, server, *more), env=self.environment(),
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    )
                    while len(server.posts) < 4 and process.poll() is None:
                        pass
                    process.kill()
                    process.wait()
                    self.set_clock(jump)
                    self.sync(self.newer, server, *more)
                    self.assert_whole(server, 320)
                    self.assertEqual(self.sync(self.newer, server, *more)["requests"], {})

    def test_an_export_of_the_day_that_it_told_freezes_nothing_once_it_is_right(self):
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

    def test_a_retry_after_date_is_read_by_the_clock_of_who_wrote_it(self):
        for jump in 2 * DAY, -2 * DAY:
            with self.subTest(jump=jump), self.server("PUT") as server:
                self.set_clock(jump)
                server.faults = status(429, Retry_After=soon())
                report = self.sync(self.path, server, *self.options(f"date{jump}", []))
                # By our own clock it would be over at once, or not before the run gives up.
                self.assertEqual(report["requests"]["429"], 1)
                self.assert_whole(server, 300)


if __name__ == "__main__":
    unittest.main()
