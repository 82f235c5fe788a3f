#!/usr/bin/env python3
"""Bodies sent with gzip: to a server that says it accepts them, or where the user asked for it.

    python3 Tests/Delivery/test_gzip.py
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options
from scripted_server import ScriptedServer


class Gzip(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.path = exports.write(self.folder / "export.xml", exports.samples(400))
        keys = key_options(self.folder)
        self.forms = [], ["--conditional"], keys

    def ledger(self, name):
        return ["--max-entries", "40", "--ledger", str(self.folder / f"ledger {name}")]

    def server(self, form):
        return ScriptedServer(honours_if_none_exist="--api" not in form)

    def assert_whole(self, server, form):
        # Each Bundle creates its Devices again at a server that knows only keys.
        whole = self.named_resources(self.path, *(["--conditional"] if "--api" in form else form))
        self.assertEqual(sorted(set(server.named_contents())), whole)
        self.assertEqual(set(server.ids().values()), {1})
        self.assertEqual(server.conflicting_keys, [])

    def test_a_server_that_announces_gzip_gets_packed_bodies_and_any_other_gets_plain_ones(self):
        for form in self.forms[:2]:
            sizes = {}
            for announces in False, True:
                with self.subTest(form=form, announces=announces), self.server(form) as server:
                    server.announces_gzip = announces
                    report = self.sync(self.path, server, *form, *self.ledger(f"{announces}{len(form)}"))
                    self.assertEqual(server.packed, len(server.posts) if announces else 0)
                    self.assert_whole(server, form)
                    sizes[announces] = report["bytesSent"]
            self.assertLess(5 * sizes[True], sizes[False])

    def test_with_gzip_bodies_everything_is_packed_and_arrives_once_whatever_the_server_does(self):
        faults = [{}, {"kind": "reset-after"}, {"kind": "half"}, {"kind": "empty"}, {"kind": "status", "status": 503}]
        for form in self.forms:
            with self.subTest(form=form), self.server(form) as server:
                server.faults = list(faults)
                self.sync(self.path, server, *form, *self.ledger(f"asked{len(form)}"), "--gzip-bodies")
                self.assertEqual(server.packed, len(server.posts))
                self.assert_whole(server, form)
                # The same Bundles without gzip count as the same.
                self.assertEqual(self.sync(self.path, server, *form, *self.ledger(f"asked{len(form)}"))["requests"], {})

    def test_a_server_that_cannot_read_gzip_gets_plain_bodies_and_refuses_nothing(self):
        for form in self.forms:
            for refusal in 400, 415:
                with self.subTest(form=form, refusal=refusal), self.server(form) as server:
                    server.announces_gzip, server.gzip_refusal = True, refusal
                    more = [*form, *self.ledger(f"{refusal}{len(form)}"), "--gzip-bodies"]
                    report = self.sync(self.path, server, *more)
                    self.assertEqual((report["refused"], report["uncertain"]), (0, 0))
                    self.assertEqual(report["requests"][str(refusal)], 1, "it was tried again and again")
                    self.assert_whole(server, form)

    def test_bundles_that_send_posts_are_packed_too(self):
        with ScriptedServer() as server:
            server.announces_gzip = True
            code, _, said = self.run_pghd("send", self.convert(self.path), server)
            self.assertEqual((code, server.packed), (0, len(server.posts)), said)
            self.assert_whole(server, [])


if __name__ == "__main__":
    unittest.main()
