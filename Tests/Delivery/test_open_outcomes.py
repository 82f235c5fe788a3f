#!/usr/bin/env python3
"""What a run left open or did not report, and then an export in which the sample is as it was before.

    python3 Tests/Delivery/test_open_outcomes.py
"""

import dataclasses
import json
import sys
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from cases import LaterExportsTestCase
from delivery import key_options
from scripted_server import ScriptedServer

FORMS = [], ["--conditional"], "key-only"


class DeafServer(ScriptedServer):
    """Stores what is put and gives no answer, or a proxy's timeout; or refuses it with 422."""

    answer = None

    def handle_put(self, request):
        if self.answer is None:
            return super().handle_put(request)
        body = json.loads(request.rfile.read(int(request.headers.get("Content-Length", 0))))
        if self.answer == 422:
            return self.send(request, 422, b"")
        with self.lock:
            self.store.put(urllib.parse.urlsplit(request.path).path.removeprefix("/fhir").strip("/"), body)
        if self.answer == "none":
            return self.reset(request)
        self.send(request, self.answer, b"")


class OpenOutcomes(LaterExportsTestCase):
    def setUp(self):
        super().setUp()
        self.samples = exports.samples(100)

    def each_form(self, body):
        """Calls `body` with a server of each form and with its options."""
        for number, form in enumerate(FORMS):
            options = key_options(self.folder) if form == "key-only" else form
            with self.subTest(form=form), DeafServer(honours_if_none_exist=form != "key-only") as server:
                self.count = 0
                body(server, [*options, "--ledger", str(self.folder / f"ledger{number}")])

    def in_error(self, server):
        return sum(resource.get("status") == "entered-in-error" for resource in server.store.resources.values())

    def test_a_deletion_whose_answer_was_lost_is_undone_once_the_sample_is_back(self):
        fewer = self.samples[:5] + self.samples[6:]

        def body(server, more):
            for answer in "none", 504:
                self.sync(self.export(self.samples), server, *more)
                server.answer = answer
                self.sync(self.export(fewer), server, *more, "--delete", "--retry-for", "0", code=3)
                self.assertEqual(self.in_error(server), 1)
                server.answer = None
                self.assertEqual(self.sync(self.export(self.samples), server, *more)["delivered"], 1)
                self.assertEqual(self.in_error(server), 0)
            # Missing again, it is offered again and deleted.
            report = self.sync(self.export(fewer), server, *more, "--delete")
            self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (1, 1))

        self.each_form(body)

    def test_a_refused_deletion_leaves_the_ledger_as_it_was(self):
        fewer = self.samples[:5] + self.samples[6:]

        def body(server, more):
            self.sync(self.export(self.samples), server, *more)
            server.answer = 422
            report = self.sync(self.export(fewer), server, *more, "--delete", code=6)
            self.assertEqual((report["deletionsDone"], report["deletionsRefused"]), (0, 1))
            server.answer = None
            # It is known to be there: nothing is sent again.
            self.assertEqual(self.sync(self.export(self.samples), server, *more)["delivered"], 0)

        self.each_form(body)

    def test_an_open_update_is_changed_back_by_an_export_with_the_earlier_version(self):
        alone = exports.Sample("BodyMass", 0, "82", "kg")
        before, after = ([*self.samples, dataclasses.replace(alone, note=note)] for note in ("A", "B"))

        def body(server, more):
            self.sync(self.export(before), server, *more)
            stored = set(server.named_contents())
            server.faults = [{"kind": "late", "status": 504}]
            self.sync(self.export(after), server, *more, "--retry-for", "0", code=3)
            server.faults = []
            report = self.sync(self.export(before), server, *more, "--delete", "--max-delete", "10")
            self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (0, 0))
            self.assertEqual(set(server.named_contents()), stored)

        self.each_form(body)

    def test_a_part_of_an_export_does_not_replace_a_later_version_whose_answer_was_lost(self):
        early = Versioned("BodyMass", 0, "71", "kg", note="1")
        late = Versioned("BodyMass", 30 * 86_400, "72", "kg", note="2")

        def body(server, more):
            self.sync(self.export(self.samples), server, *more)
            whole = self.export([*self.samples, early, late])
            server.faults = [{"kind": "late", "status": 504}]
            self.sync(whole, server, *more, "--retry-for", "0", code=3)
            server.faults = []
            for part in ["--until", "2024-03-05"], []:
                self.sync(whole, server, *more, *part)
                self.assertEqual(self.masses(server), [72])

        self.each_form(body)

    def test_after_send_has_delivered_the_latest_version_sync_sends_no_earlier_one(self):
        earlier, latest = (Versioned("BodyMass", 60 * n, str(70 + n), "kg", note=str(n)) for n in (2, 3))

        def body(server, more):
            self.sync(self.export([latest, *self.samples]), server, *more)
            # `send` reads the form from the Bundles; the server of observations accepts one form only.
            form = ["--conditional"] if {"--conditional", "--api"} & set(more) else []
            options = [option for option in more if option != "--conditional"]
            for version in earlier, latest:
                bundles = self.convert(self.export([version, *self.samples]), *form)
                code, _, said = self.run_pghd("send", bundles, server, *options)
                self.assertEqual(code, 0, said)
            for _ in range(2):
                self.sync(self.export([latest, *self.samples, earlier]), server, *more)
                self.assertEqual(self.masses(server), [73])

        self.each_form(body)

    def masses(self, server):
        resources = server.store.resources.values()
        return [r["valueQuantity"]["value"] for r in resources if "BodyMass" in json.dumps(r.get("code", ""))]


class Versioned(exports.Sample):
    """The same sample whatever its time; its note is its `SyncVersion`."""

    def xml(self, offset, pointer):
        record = exports.Sample(self.kind, self.start, self.value, self.unit).xml(offset, pointer)
        entries = {"HKMetadataKeySyncIdentifier": "m", "HKMetadataKeySyncVersion": self.note}
        children = "".join(f'<MetadataEntry key="{key}" value="{value}"/>' for key, value in entries.items())
        return record.removesuffix("/>") + f">{children}</Record>"


if __name__ == "__main__":
    unittest.main()
