#!/usr/bin/env python3
"""What a second run sends: only what is new or changed.

    python3 Tests/Delivery/test_sync.py
"""

import collections
import dataclasses
import json
import random
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, named
from scripted_server import ScriptedServer, value


class Sync(DeliveryTestCase):
    def test_a_server_that_cannot_be_reached_is_reported_once_before_the_run_gives_up(self):
        path = exports.write(self.folder / "export.xml", exports.samples(4))
        with ScriptedServer() as server:
            base = server.base
        origin = base.removesuffix("/fhir")
        last = (
            f"pghd: {origin}: no connection (expected a server that listens there): "
            "check the address, the network and the proxy\n"
        )
        notice = f"pghd: {base}: no connection yet (nobody listens there): trying for 5 s (--retry-for)\n"
        for command in "sync", "verify":
            for options, expected in ([], notice + last), (["--quiet"], last):
                with self.subTest(command=command, options=options):
                    code, _, said = self.run_pghd(command, path, base, "--retry-for", "5", *options)
                    self.assertEqual((code, said), (3, expected))

    def test_a_second_run_sends_nothing(self):
        path = exports.write(self.folder / "export.xml", exports.samples(400))
        with ScriptedServer() as server:
            report = self.sync(path, server)
            self.assertEqual(server.contents(), self.resources(path))
            self.assertEqual((report["delivered"], report["replaced"]), (len(server.contents()), 0))
            count = len(server.posts)
            report = self.sync(path, server)
            self.assertEqual(len(server.posts), count)
            self.assertEqual((report["delivered"], report["requests"]), (0, {}))
            self.assertEqual(report["alreadyThere"], len(server.contents()))

    def test_samples_left_out_for_another_with_the_same_id_are_reported(self):
        sample = exports.samples(1)[0]
        others = [dataclasses.replace(sample, note=note) for note in ("at rest", "walking", "on a bicycle")]
        path = exports.write(self.folder / "export.xml", others)
        with ScriptedServer() as server:
            arguments = [text for text in self.arguments("sync", path, server) if text != "--json"]
            said = subprocess.run(arguments, capture_output=True, text=True, check=True, env=self.environment()).stderr
            line = "  duplicates  2 samples left out: another has the same id and says something else, and no version tells which is newer"
            self.assertIn(line, said.split("\n"))

    def test_another_offset_other_pointers_or_another_order_send_nothing(self):
        samples = exports.samples(400)
        shuffled = [s for s in samples if s.kind == "HeartRate"]
        random.Random(3).shuffle(shuffled)
        shuffled += [s for s in samples if s.kind != "HeartRate"]
        rewritten = [
            exports.write(self.folder / "summer.xml", samples, day=2, offset=2, pointer=0x1234),
            exports.write(self.folder / "shuffled.xml", shuffled, day=3),
        ]
        with ScriptedServer() as server:
            self.sync(exports.write(self.folder / "export.xml", samples), server)
            count = len(server.posts)
            for path in rewritten:
                with self.subTest(path.name):
                    self.assertEqual(self.sync(path, server)["delivered"], 0)
                    self.assertEqual(len(server.posts), count)

    def test_ten_new_and_three_changed_samples_are_thirteen_entries(self):
        samples = exports.samples(400)
        changed = [dataclasses.replace(s, note="changed") if i in (7, 190, 420) else s for i, s in enumerate(samples)]
        new = [exports.Sample("HeartRate", 60 * 400 + 60 * i, "71", "count/min") for i in range(10)]
        for form in [], ["--conditional"]:
            with self.subTest(form), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(exports.write(self.folder / "a.xml", samples), server, *form, *ledger)
                before = len(server.posts)
                path = exports.write(self.folder / "b.xml", changed[:400] + new + changed[400:], day=2)
                report = self.sync(path, server, *form, *ledger)
                self.assertEqual((report["delivered"], report["replaced"]), (13, 3))
                if not form:
                    self.assertEqual(sum(count for _, count, _ in server.posts[before:]), 13)
                    self.assertEqual(server.contents(), self.resources(path))
                self.assertEqual(set(server.ids().values()), {1})
                self.assertEqual(len(server.ids()), 610)
                self.assertEqual(self.sync(path, server, *form, *ledger)["requests"], {})

    def test_a_sample_that_changes_and_changes_back_is_sent_each_time(self):
        samples = exports.samples(100)
        other = [dataclasses.replace(samples[3], note="other"), *samples[:3], *samples[4:]]
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / f"turns{len(form)}")]
                for day, some in enumerate([samples, other, samples, other], start=1):
                    path = exports.write(self.folder / "export.xml", some, day=day)
                    report = self.sync(path, server, *form, *ledger)
                    if day > 1:
                        self.assertEqual((report["delivered"], report["replaced"]), (1, 1))
                    self.assertEqual(server.named_contents(), self.named_resources(path, *form))

    def test_sync_does_not_send_what_send_delivered(self):
        path = exports.write(self.folder / "export.xml", exports.samples(200))
        with ScriptedServer() as server:
            for expected in (302, 0):
                code, report, said = self.run_pghd("send", self.convert(path), server)
                self.assertEqual((code, report["delivered"]), (0, expected), said)
            self.assertEqual(server.contents(), self.resources(path))
            count = len(server.posts)
            self.assertEqual(self.sync(path, server)["delivered"], 0)
            self.assertEqual(len(server.posts), count)

    def test_send_does_not_send_a_file_with_twins_again(self):
        samples = exports.samples(200)
        hearts = samples[:200]
        twin = dataclasses.replace(hearts[0], note="twin")
        path = exports.write(self.folder / "export.xml", [*hearts[:100], *samples[200:], *hearts[100:], twin])
        with ScriptedServer() as server:
            code, report, said = self.run_pghd("send", self.convert(path), server)
            self.assertEqual((code, report["delivered"]), (0, 303), said)
            for _ in range(3):
                code, report, said = self.run_pghd("send", self.convert(path), server)
                self.assertEqual((code, report["requests"]), (0, {}), said)
            self.assertEqual(server.named_contents(), self.named_resources(path))

    def test_the_same_twin_wins_in_either_order_and_is_not_sent_again(self):
        samples = exports.samples(200)
        # After a cut, so that they are in two Bundles.
        twin = dataclasses.replace(samples[0], note="twin")
        heart = [s for s in samples if s.kind == "HeartRate"]
        some = [*heart[:100], *samples[200:], *heart[100:], twin]
        found = []
        for number, order in enumerate([some, [twin, *some[1:-1], some[0]]]):
            with self.subTest(number), ScriptedServer() as server:
                path = exports.write(self.folder / "export.xml", order)
                ledger = ["--ledger", str(self.folder / f"ledger{number}")]
                self.sync(path, server, *ledger)
                stored = server.contents()
                self.assertEqual(self.sync(path, server, *ledger)["delivered"], 0)
                self.assertEqual(self.sync(path, server, *ledger)["delivered"], 0)
                self.assertEqual(server.contents(), stored)
                found.append(stored)
        self.assertEqual(*found)

    def test_a_sample_that_is_refused_while_its_copy_waits_is_sent_in_the_next_run(self):
        samples = exports.samples(200)
        heart = [s for s in samples if s.kind == "HeartRate"]
        path = exports.write(self.folder / "export.xml", [*heart[:100], *samples[200:], *heart[100:], heart[0]])
        for form in [], ["--conditional"]:
            with self.subTest(form), ScriptedServer(delay=0.05) as server:
                counts = collections.Counter(
                    value(entry)
                    for line in self.convert(path, *form).read_text(encoding="utf-8").splitlines()
                    for entry in json.loads(line)["entry"] if entry["resource"]["resourceType"] == "Observation"
                )
                ((twice, count),) = counts.most_common(1)
                self.assertEqual((count, counts.most_common(2)[1][1]), (2, 1), "no sample stands in two Bundles")
                server.refused_ids = {twice}
                ledger = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                # A Bundle with links waits for the first one, and tries the copy together with what it belongs to.
                self.assertEqual(self.sync(path, server, *form, *ledger, code=6)["refused"], 2 if form else 1)
                server.refused_ids = set()
                self.assertEqual(self.sync(path, server, *form, *ledger)["delivered"], 1)
                self.assertEqual(
                    named(server.store.resources) if form else server.contents(),
                    self.named_resources(path, *form) if form else self.resources(path),
                )
                count = len(server.posts)
                self.assertEqual(self.sync(path, server, *form, *ledger)["delivered"], 0)
                self.assertEqual(len(server.posts), count)

    def test_a_run_with_nothing_new_leaves_the_ledger_as_it_is(self):
        samples = exports.samples(200)
        heart = [s for s in samples if s.kind == "HeartRate"]
        twin = dataclasses.replace(heart[0], note="twin")
        path = exports.write(self.folder / "export.xml", [*heart[:100], *samples[200:], *heart[100:], twin])
        with ScriptedServer() as server:
            self.sync(path, server)
            self.sync(path, server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            written = ledger.stat().st_mtime_ns
            self.assertEqual(self.sync(path, server)["delivered"], 0)
            self.assertEqual(ledger.stat().st_mtime_ns, written)

    def test_another_identity_key_or_mapping_stops_the_run_before_anything_is_sent(self):
        path = exports.write(self.folder / "export.xml", exports.samples(10))
        key = self.folder / "key"
        key.write_bytes(b"k" * 32)
        key.chmod(0o600)
        with ScriptedServer() as server:
            self.sync(path, server)
            count = len(server.posts)
            self.sync(path, server, "--id-key", str(key), code=64)
            self.sync(path, server, "--time-zone", "Europe/Paris", code=64)
            self.assertEqual(len(server.posts), count)
            report = self.sync(path, server, "--time-zone", "Europe/Paris", "--remap")
            self.assertEqual(report["delivered"], len(server.contents()))


if __name__ == "__main__":
    unittest.main()
