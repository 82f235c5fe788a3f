"""What a run writes of itself never hides how the run ended."""

import json
import subprocess
import unittest

import exports
from delivery import DeliveryTestCase
from scripted_server import ScriptedServer

UNWRITTEN = "pghd: /dev/full: cannot be written (No space left on device)"


class Unwritten(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.export = exports.write(self.folder / "export.xml", exports.samples(20))

    def refused(self, server):
        entries = [entry for line in self.convert(self.export).read_text().splitlines() for entry in json.loads(line)["entry"]]
        observations = [entry["resource"] for entry in entries if entry["resource"]["resourceType"] == "Observation"]
        server.refused_ids = {observations[0]["identifier"][0]["value"]}

    def test_refused_entries_are_said_with_a_report_that_can_not_be_written(self):
        for name, path in [("sync", self.export), ("send", self.convert(self.export))]:
            with self.subTest(name), ScriptedServer() as server:
                self.refused(server)
                ledger = "--ledger", str(self.folder / name)
                code, report, said = self.run_pghd(name, path, server, *ledger, "--report", "/dev/full")
                self.assertEqual(code, 6, said)
                self.assertEqual(report["refused"], 1)
                self.assertIn("1 entry was refused", said)
                self.assertIn(UNWRITTEN, said)

    def test_refused_entries_are_said_with_a_standard_output_that_can_not_be_written(self):
        for name, path in [("sync", self.export), ("send", self.convert(self.export))]:
            with self.subTest(name), ScriptedServer() as server, open("/dev/full", "w") as full:
                self.refused(server)
                result = subprocess.run(
                    self.arguments(name, path, server, "--ledger", str(self.folder / name)), stdout=full,
                    stderr=subprocess.PIPE, text=True, env=self.environment(),
                )
                self.assertEqual(result.returncode, 6, result.stderr)
                self.assertIn("1 entry was refused", result.stderr)
                self.assertIn("standard output: cannot be written", result.stderr)

    def test_what_stopped_a_run_is_said_with_a_report_that_can_not_be_written(self):
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 500}] * 99
            code, _, said = self.run_pghd("sync", self.export, server, "--retry-for", "0", "--report", "/dev/full")
            self.assertEqual(code, 3, said)
            self.assertIn("answered 500", said)
            self.assertIn(UNWRITTEN, said)

    def test_a_difference_is_said_with_a_report_that_can_not_be_written(self):
        with ScriptedServer() as server:
            code, report, said = self.run_pghd("verify", self.export, server, "--quiet", "--report", "/dev/full")
            self.assertEqual(code, 1, said)
            self.assertIn(UNWRITTEN, said)
            self.assertFalse(report is None)

    def test_a_run_that_went_well_ends_with_what_could_not_be_written(self):
        with ScriptedServer() as server:
            code, report, said = self.run_pghd("sync", self.export, server, "--report", "/dev/full")
            self.assertEqual(code, 2, said)
            self.assertIn(UNWRITTEN, said)
            self.assertEqual(report["delivered"], len(server.contents()))


if __name__ == "__main__":
    unittest.main()
