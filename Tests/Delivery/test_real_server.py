#!/usr/bin/env python3
"""Deliveries to a FHIR server not written by this project: sekmet-fhir, over SQLite.

    Tests/setup.sh .venv-fhir-server Tests/Delivery/requirements.txt
    python3 Tests/Delivery/test_real_server.py

What is on the server is counted by its own search, and compared sample by sample.
"""

import dataclasses
import datetime
import json
import os
import random
import subprocess
import sys
import unittest
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import PGHD, DeliveryTestCase
from exports import packed
from real_server import SEKMET, RealServer


class RealServerTests(DeliveryTestCase):
    def in_each_form(self, check):
        """Passes a new server and the options for it to `check`."""
        for form in [], ["--conditional"]:
            with self.subTest(form=form):
                folder = self.folder / f"server{len(form)}"
                folder.mkdir()
                with RealServer(folder) as server:
                    # Observations refer to it, and a sync creates no Patient.
                    server.put("Patient/p1", {"resourceType": "Patient", "id": "p1"})
                    check(server, [*form, "--ledger", str(folder / "ledger")])

    def test_each_step_leaves_the_server_with_exactly_what_it_should_hold(self):
        self.in_each_form(self.steps)

    def verified(self, path, server, more, offered=0, inError=0):
        """Read back, the server has all of the export and nothing else but what is offered for deletion."""
        code, report, said = self.run_pghd("verify", path, server, *more)
        self.assertEqual(code, 1 if offered else 0, said)
        self.assertEqual(report["same"], report["checked"])
        self.assertEqual((report["extra"], report["enteredInError"]), (offered, inError))

    def test_verify_finds_what_is_missing_changed_doubled_or_extra_and_after_a_rebuild_sync_repairs_it(self):
        samples = exports.samples(60)
        path = packed(exports.write(self.folder / "export.xml", samples))

        def check(server, more):
            self.sync(path, server, *more)
            missing, changed, doubled = list(server.all("Observation"))[:3]
            server.delete(f"Observation/{missing['id']}")
            server.put(f"Observation/{changed['id']}", dict(changed, status="amended"))
            server.put("Observation/twice", dict(doubled, id="twice"))
            ours = {r["id"]: "Observation/" + r["identifier"][0]["value"] for r in (missing, changed, doubled)}
            code, report, said = self.run_pghd("verify", path, server, *more, "--rebuild")
            self.assertEqual(code, 1, said)
            expected = [
                {"kind": "missing", "resource": ours[missing["id"]]},
                {"kind": "different", "resource": ours[changed["id"]], "elements": ["status"]},
                {"kind": "doubled", "resource": ours[doubled["id"]],
                 "copies": sorted([f"Observation/{doubled['id']}", "Observation/twice"])}
                if "--conditional" in more else {"kind": "extra", "resource": "Observation/twice"},
            ]
            self.assertEqual(report["findings"], expected)
            self.assertEqual(self.sync(path, server, *more)["delivered"], 2)
            self.assertEqual(self.sync(path, server, *more)["requests"], {})
            server.delete("Observation/twice")
            self.verified(path, server, more)

        self.in_each_form(check)

    def test_what_was_deleted_while_the_ledger_was_lost_is_marked_and_what_returns_is_sent_again(self):
        samples = exports.samples(60)
        # Made after the server's last change, which is now.
        day = (datetime.date.today() - datetime.date(2024, 4, 1)).days + 1
        whole, fewer = (
            packed(exports.write(self.folder / f"{len(some)}.xml", some, day)) for some in (samples, samples[5:])
        )

        def check(server, more):
            self.sync(whole, server, *more, "--ledger", str(self.folder / f"lost{len(more)}"))
            report = self.sync(fewer, server, *more, "--delete", "--max-delete", "5")
            self.assertEqual((report["delivered"], report["deletionsOffered"], report["deletionsDone"]), (0, 5, 5))
            self.assertEqual(server.count("Observation?status=entered-in-error"), 5)
            self.assertEqual(self.sync(whole, server, *more)["delivered"], 5)
            self.assertEqual(server.count("Observation?status=final"), 90)

        self.in_each_form(check)

    def steps(self, server, more):
        samples = exports.samples(600)
        changed = [dataclasses.replace(s, note="changed") if i in (7, 190, 620) else s for i, s in enumerate(samples)]
        new = [exports.Sample("HeartRate", 60 * 600 + 60 * i, "71", "count/min") for i in range(10)]
        newer = changed[:40] + changed[45:600] + new + changed[600:]
        shuffled = sorted(samples, key=lambda s: (s.kind, random.Random(s.start).random()))
        whole = packed(exports.write(self.folder / "whole.xml", samples))
        # Devices that go along with Bundles are not counted.
        steps = [
            # name, export, more options, delivered, offered, deleted, final, entered in error
            ("first", whole, [], 900 if "--conditional" in more else 902, 0, 0, 900, 0),
            ("again", whole, [], 0, 0, 0, 900, 0),
            ("summer", packed(exports.write(self.folder / "summer.xml", samples, 2, 2, 0x123)), [], 0, 0, 0, 900, 0),
            ("shuffled", packed(exports.write(self.folder / "shuffled.xml", shuffled, 3)), [], 0, 0, 0, 900, 0),
            ("newer", packed(exports.write(self.folder / "newer.xml", newer, 4)), [], 13, 5, 0, 910, 0),
            ("delete", self.folder / "newer.zip", ["--delete"], 0, 5, 5, 905, 5),
            ("once more", self.folder / "newer.zip", ["--delete"], 0, 0, 0, 905, 5),
        ]
        for name, path, options, delivered, offered, deleted, final, errors in steps:
            with self.subTest(step=name):
                report = self.sync(path, server, *more, *options)
                found = report["delivered"], report["deletionsOffered"], report["deletionsDone"], report["refused"]
                self.assertEqual(found, (delivered, offered, deleted, 0))
                if delivered == 0:
                    self.assertEqual(report["requests"], {})
                self.assertEqual(server.count("Observation?status=final"), final)
                self.assertEqual(server.count("Observation?status=entered-in-error"), errors)
                self.assertEqual(server.count("Device"), 2)
            self.verified(path, server, more, offered=offered - deleted, inError=errors)
        values = [r["identifier"][0]["value"] for r in server.all("Observation")]
        self.assertEqual(len(values), len(set(values)))
        expected = {
            e["resource"]["identifier"][0]["value"] if "identifier" in e["resource"] else e["resource"]["id"]
            for line in self.convert(self.folder / "newer.xml").read_text().splitlines()
            for e in json.loads(line)["entry"] if e["resource"]["resourceType"] == "Observation"
        }
        self.assertLessEqual(expected, set(values))

    def test_thirty_days_of_an_invented_person_arrive_once(self):
        path = self.folder / "export.zip"
        subprocess.run([PGHD, "generate", "-o", str(path), "--days", "30", "--quiet"], check=True,
                       env=self.environment())
        kinds = {}
        for line in self.convert(path).read_text().splitlines():
            for entry in json.loads(line)["entry"]:
                kinds.setdefault(entry["resource"]["resourceType"], set()).add(entry["resource"]["id"])
        with RealServer(self.folder) as server:
            server.put("Patient/p1", {"resourceType": "Patient", "id": "p1"})
            report = self.sync(path, server)
            self.assertEqual((report["refused"], report["uncertain"]), (0, 0))
            self.assertEqual({kind: server.count(kind) for kind in kinds}, {k: len(ids) for k, ids in kinds.items()})
            self.assertEqual(self.sync(path, server)["requests"], {})
            # This server keeps decimals as binary numbers, although FHIR wants their precision kept: verify counts
            # those that come back with other digits and still finds nothing wrong.
            report = self.folder / "verified.json"
            code, summary, said = self.run_pghd("verify", path, server, "--report", str(report))
            self.assertEqual((code, summary["extra"], summary["missing"], summary["different"]), (0, 0, 0, 0), said)
            sent = {
                f"{e['resource']['resourceType']}/{e['resource']['id']}": json.dumps(e["resource"])
                for line in self.convert(path).read_text().splitlines() for e in parse(line)["entry"]
            }
            found = {finding["resource"] for finding in json.loads(report.read_text())["findings"]}
            self.assertEqual(found, {name for name, text in sent.items() if REWRITTEN in text})
            self.assertEqual(summary["rounded"], len(found))


REWRITTEN = "digits that a binary number does not keep"


def parse(text):
    """Marks decimals that a binary number writes with other digits, such as 0.80, or any with eighteen digits."""
    def decimal(number):
        return number if Decimal(repr(float(number))).as_tuple() == Decimal(number).as_tuple() else REWRITTEN

    return json.loads(text, parse_float=decimal)


if __name__ == "__main__":
    if not os.access(SEKMET, os.X_OK):
        sys.exit("run 'Tests/setup.sh .venv-fhir-server Tests/Delivery/requirements.txt' first")
    unittest.main()
