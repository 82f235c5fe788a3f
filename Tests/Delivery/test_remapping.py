#!/usr/bin/env python3
"""Everything is sent once more with another mapping (--remap): the ledger records what the server has accepted.

    python3 Tests/Delivery/test_remapping.py

Another time zone stands for another mapping: it changes every resource's bytes.
"""

import dataclasses
import json
import sqlite3
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options
from exports import packed
from scripted_server import ScriptedServer

ANEW = ["--time-zone", "Europe/Paris"]
UNSET = {"birth": "", "sex": "HKBiologicalSexNotSet"}


class Remapping(DeliveryTestCase):
    def export(self, samples, day, **more):
        return packed(exports.write(self.folder / f"{day}.xml", samples, day=day, **more))

    def verify(self, path, server, *more):
        code, report, said = self.run_pghd("verify", path, server, *more)
        self.assertEqual((code, report["different"], report["missing"]), (0, 0, 0), said)

    def test_a_remapping_that_broke_off_goes_on_after_the_server_has_forgotten_its_keys(self):
        path = self.export(exports.samples(200), 1)
        options = [*key_options(self.folder), "--max-entries", "60"]
        with ScriptedServer(honours_if_none_exist=False) as server:
            self.sync(path, server, *options)
            server.faults = [{}] + [{"kind": "reset-before"}] * 40
            self.sync(path, server, *options, *ANEW, "--remap", "--retry-for", "0", code=3)
            server.faults = []
            server.answers.clear()
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            with sqlite3.connect(ledger) as database:
                self.assertGreater(database.execute("UPDATE intents SET began = began - 25 * 3600").rowcount, 0)
            self.sync(path, server, *options, *ANEW)
            self.verify(path, server, *options, *ANEW)
            self.assertEqual(set(server.ids().values()), {1})

    def test_what_is_left_open_after_a_rebuild_is_sent_again_too(self):
        path = self.export(exports.samples(200), 1)
        options = [*key_options(self.folder), "--max-entries", "60", "--concurrency", "1"]
        with ScriptedServer(honours_if_none_exist=False) as server:
            self.sync(path, server, *options)
            for name, resource in server.store.resources.items():
                if name.startswith("Observation"):
                    server.store.resources[name] = {**resource, "status": "amended"}
                    server.store.versions[name] += 1
            self.assertEqual(self.run_pghd("verify", path, server, *options, "--rebuild")[0], 1)
            server.faults = [{}] + [{"kind": "reset-before"}] * 40
            self.sync(path, server, *options, "--retry-for", "0", code=3)
            server.faults = []
            server.answers.clear()
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            with sqlite3.connect(ledger) as database:
                self.assertGreater(database.execute("UPDATE intents SET began = began - 25 * 3600").rowcount, 0)
            self.sync(path, server, *options)
            self.verify(path, server, *options)

    def test_an_older_version_does_not_come_back_if_the_newer_one_was_refused(self):
        samples = exports.samples(100)
        old, new = (
            self.export([dataclasses.replace(samples[0], note=note), *samples[1:]], day)
            for day, note in enumerate("ab", start=1)
        )
        gone = self.export(samples[1:], 3)
        with ScriptedServer() as server:
            self.sync(new, server)
            (name,) = {
                resource["identifier"][0]["value"] for resource in server.store.resources.values()
                if '"valueString": "b"' in json.dumps(resource)
            }
            server.refused_ids = {name}
            self.sync(new, server, *ANEW, "--remap", code=6)
            server.refused_ids = set()
            report = self.sync(old, server, *ANEW)
            self.assertEqual((report["delivered"], report["outdated"]), (0, 1))
            report = self.sync(gone, server, *ANEW, "--delete")
            self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (1, 1))

    def test_another_persons_export_is_refused_with_remap_too(self):
        mine = self.export(exports.samples(200), 1, **UNSET)
        other = self.export(exports.samples(200, seed=2), 2, **UNSET)
        with ScriptedServer() as server:
            self.sync(mine, server)
            contents = server.contents()
            for more in [], ANEW:
                code, _, said = self.run_pghd("sync", other, server, *more, "--remap")
                self.assertEqual((code, server.contents()), (64, contents), said)
                # Nor is anything of its options kept.
                self.sync(mine, server)
            # Nor once a remapping has begun: what it has not reached yet was delivered all the same.
            server.faults = [{"kind": "status", "status": 503}]
            self.sync(mine, server, *ANEW, "--remap", "--retry-for", "0", code=3)
            self.assertEqual(self.run_pghd("sync", other, server, *ANEW)[0], 64)
            # Nor after a rebuild, which finds everything that was left to be different.
            self.assertEqual(self.run_pghd("verify", mine, server, *ANEW, "--rebuild")[0], 1)
            self.assertEqual(self.run_pghd("sync", other, server, *ANEW)[0], 64)
            self.sync(mine, server, *ANEW)
            self.assertEqual(server.named_contents(), self.named_resources(mine, *ANEW))

    def test_remapping_a_part_does_not_hide_the_rest(self):
        samples = exports.samples(9000)
        path = self.export(samples[:9300], 1, **UNSET)
        with ScriptedServer() as server:
            self.sync(path, server)
            code, report, said = self.run_pghd("sync", path, server, *ANEW, "--remap", "--types", "StepCount")
            self.assertEqual((code, report["delivered"]), (0, report["replaced"]))
            self.assertIn("still as before --remap: 9000 of the resources; ", said)
            # It is the same person's: nothing is asked.
            self.assertEqual(self.sync(path, server, *ANEW)["replaced"], 9000)

    def test_the_device_of_a_twin_that_lost_is_not_missed(self):
        samples = exports.samples(40)
        winner = samples[0].xml(1, 0x283A9C0F0)
        path = exports.write(self.folder / "twins.xml", samples)
        loser = winner.replace('sourceVersion="10.1"', 'sourceVersion="9.9"')
        path.write_text(path.read_text().replace("</HealthData>", f"{loser}\n</HealthData>"))
        path = packed(path)
        for name, options in (("conditional", ["--conditional"]), ("key", key_options(self.folder))):
            with self.subTest(name), ScriptedServer() as server:
                more = [*options, "--max-entries", "20", "--ledger", str(self.folder / name)]
                self.sync(path, server, *more)
                self.assertEqual(self.sync(path, server, *more)["requests"], {})
                self.verify(path, server, *more)


if __name__ == "__main__":
    unittest.main()
