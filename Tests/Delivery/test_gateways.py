#!/usr/bin/env python3
"""What stands in front of a server must not cost an entry: gateways, firewalls and proxies that answer in its place.

    python3 Tests/Delivery/test_gateways.py
"""

import json
import re
import subprocess
import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options
from exports import packed
from scripted_server import ScriptedServer, value

# nginx's, where it wants a client certificate.
PAGE = b"\r\n<HTML>\r\n<head><title>400 No required SSL certificate was sent</title></head></HTML>\r\n"


class Gateway(ScriptedServer):
    """Answers itself, with a page, what `blocks` (method, path, body) chooses; with a status of 0 it cuts the connection."""

    status = 400

    def blocks(self, method, path, body):
        return False

    def answer_post(self, request, body, fault):
        if not self.blocks("POST", request.path, body):
            return super().answer_post(request, body, fault)
        self.note(request.headers.get("Idempotency-Key"), body, self.status)
        return self.block(request)

    def handle_get(self, request):
        if self.blocks("GET", request.path, b""):
            return self.block(request)
        return super().handle_get(request)

    def block(self, request):
        if self.status == 0:
            return self.reset(request)
        return self.send(request, self.status, PAGE, {"Content-Type": "text/html"})


class GatewayTestCase(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.path = exports.write(self.folder / "export.xml", exports.samples(120))

    def quarantined(self):
        return [
            (member["id"], member["status"])
            for file in sorted((self.folder / "ledger").glob("*.quarantine/*")) for member in json.loads(file.read_text())["entries"]
        ]

    def intercepted(self, url, status=400):
        return (
            f"pghd: {url}: answered {status}, and not with FHIR (expected a FHIR server's answer): something in front of the "
            "server may block the request, want a client certificate, which pghd can't give, or speak https alone; ask its "
            "operator, and check --server\n"
        )


class Everything(GatewayTestCase):
    """All that is sent meets the gateway."""

    def test_a_server_that_is_never_reached_gets_no_bundle_in_a_dry_run_either(self):
        for options in [], ["--conditional"], ["--dry-run"]:
            with self.subTest(options), Gateway() as server:
                server.blocks = lambda method, path, body: True
                code, _, said = self.run_pghd("sync", self.path, server, *options)
                self.assertEqual((code, said), (6, self.intercepted(server.base)))
                self.assertEqual((server.posts, self.quarantined()), ([], []))

    def test_posts_that_never_reach_a_known_server_stop_the_run_at_the_first_and_nothing_counts_as_refused(self):
        for options, posts in ([], 1), (["--conditional"], 1), (key_options(self.folder), 1):
            with self.subTest(options), Gateway() as server:
                server.blocks = lambda method, path, body: not path.endswith("/metadata") and "_summary" not in path
                code, report, said = self.run_pghd(
                    "sync", self.path, server, *options, "--concurrency", "1", "--ledger", str(self.folder / f"l{len(options)}")
                )
                url = server.base + ("/api/v1/observations" if "--api" in options else "")
                self.assertEqual(code, 6, said)
                self.assertIn(self.intercepted(url), said)
                self.assertEqual((len(server.posts), report["refused"], self.quarantined()), (posts, 0, []))

    def test_a_gateway_that_begins_to_answer_in_mid_run_stops_it_and_the_next_run_sends_the_rest(self):
        for options in [], ["--conditional"]:
            with self.subTest(options), Gateway() as server:
                more = [*options, "--max-entries", "20", "--ledger", str(self.folder / f"l{len(options)}")]
                server.blocks = lambda method, path, body: len(server.posts) >= 3
                code, report, said = self.run_pghd("sync", self.path, server, *more)
                self.assertEqual(code, 6, said)
                self.assertIn(self.intercepted(server.base), said)
                self.assertEqual((report["refused"], self.quarantined()), (0, []))
                server.blocks = lambda method, path, body: False
                self.sync(self.path, server, *more)
                self.assertEqual(
                    server.named_contents() if options else server.contents(),
                    self.named_resources(self.path, *options) if options else self.resources(self.path),
                )


class One(GatewayTestCase):
    """A firewall lets one entry's bytes through in no Bundle, and all else."""

    def setUp(self):
        super().setUp()
        entries = [entry for line in self.convert(self.path).read_text().splitlines() for entry in json.loads(line)["entry"]]
        self.victim = next(entry for entry in entries if entry["resource"]["resourceType"] == "Observation")
        self.rest = sorted(
            (kind, text) for kind, text in self.resources(self.path) if value(self.victim) not in text
        )

    def test_an_entry_that_a_firewall_blocks_is_refused_alone_and_goes_once_it_is_let_through(self):
        for status in 400, 403, 0:
            with self.subTest(status), Gateway() as server:
                server.status = status
                server.blocks = lambda method, path, body: value(self.victim).encode() in body
                more = ["--ledger", str(self.folder / "ledger"), "--max-entries", "20", "--retry-for", "20"]
                report = self.sync(self.path, server, *more, code=6)
                self.assertEqual(report["refused"], 1)
                self.assertEqual(self.quarantined(), [("Observation/" + self.victim["resource"]["id"], status)])
                self.assertEqual(server.contents(), self.rest)
                server.blocks = lambda method, path, body: False
                report = self.sync(self.path, server, *more)
                self.assertEqual((report["delivered"], report["replaced"]), (1, 0))
                self.assertEqual((server.contents(), self.quarantined()), (self.resources(self.path), []))

    def test_a_proxy_that_restarts_while_others_pass_costs_no_entry(self):
        with Gateway() as server:
            server.status = 0
            tries = iter(range(4))
            server.blocks = lambda method, path, body: value(self.victim).encode() in body and next(tries, None) is not None
            report = self.sync(self.path, server, "--max-entries", "1")
            self.assertEqual((report["refused"], server.contents()), (0, self.resources(self.path)))
            self.assertEqual(sum(status == 0 for *_, status in server.posts), 4)

    def test_an_entry_whose_answers_are_all_lost_is_marked_once_it_has_left_the_export(self):
        class Losing(Gateway):
            """Stores a Bundle, and answers with a fault or not at all."""

            def answer_post(self, request, body, fault):
                if self.blocks("POST", request.path, body):
                    self.transaction(request, request.headers.get("Idempotency-Key"), body, fault)
                return super().answer_post(request, body, fault)

        samples = exports.samples(120)
        name = "Observation/" + self.victim["resource"]["id"]
        less = None
        for number in range(len(samples)):
            path = packed(exports.write(self.folder / "less.xml", samples[:number] + samples[number + 1 :], day=2))
            if value(self.victim) not in self.convert(path).read_text():
                less = path
                break
        whole = packed(self.path)
        for status in 0, 500:
            with self.subTest(status), Losing() as server:
                server.status = status
                server.blocks = lambda method, path, body: value(self.victim).encode() in body
                more = ["--ledger", str(self.folder / f"lost{status}"), "--max-entries", "20"]
                report = self.sync(whole, server, *more, "--retry-for", "20", code=6)
                self.assertEqual((report["refused"], report["uncertain"]), (1, 0))
                self.assertEqual(server.store.resources[name]["status"], "final")
                server.blocks = lambda method, path, body: False
                report = self.sync(less, server, *more, "--delete")
                self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (1, 1))
                self.assertEqual(server.store.resources[name]["status"], "entered-in-error")
                self.assertEqual(self.sync(less, server, *more, "--delete")["deletionsOffered"], 0)
                self.assertEqual(list((self.folder / f"lost{status}").glob("*.quarantine/*")), [])

    def test_a_firewall_that_blocks_the_first_bundle_of_a_run_leaves_the_advice_on_scopes(self):
        with Gateway() as server:
            server.status = 403
            server.blocks = lambda method, path, body: method == "POST"
            code, _, said = self.run_pghd("sync", self.path, server)
            self.assertEqual(code, 4, said)
            self.assertIn("this is not allowed (403, expected scopes to create and update)", said)
            self.assertEqual((len(server.posts), self.quarantined()), (1, []))


class Searches(GatewayTestCase):
    def test_a_gateways_page_for_a_while_does_not_mean_that_a_server_cannot_be_searched(self):
        for status in 400, 403:
            with self.subTest(status), Gateway(honours_if_none_exist=False) as server:
                more = [*key_options(self.folder), "--ledger", str(self.folder / f"ledger{status}")]
                self.sync(self.path, server, *more)
                server.answers.clear()
                server.status, pages = status, iter(range(3))
                server.blocks = lambda method, path, body: "identifier" in path and next(pages, None) is not None
                more[-1] += "-lost"
                code, report, said = self.run_pghd("sync", self.path, server, *more)
                self.assertEqual((code, report["delivered"]), (0, 0), said)
                self.assertIn("of this patient that the ledger does not know: reads them first", said)
                self.assertEqual(set(server.ids().values()), {1})


class Silence(GatewayTestCase):
    def test_a_server_that_stays_silent_after_a_post_is_reported_while_it_is_waited_for(self):
        with ScriptedServer() as server:
            server.gate = threading.Event()
            process = subprocess.Popen(
                self.arguments("sync", self.path, server), env=self.environment(), stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True,
            )
            said = process.stderr.readline()
            server.gate.set()
            rest = process.communicate(timeout=120)[1]
            self.assertRegex(said, rf"^pghd: {re.escape(server.base)}: has not answered for \d+ s: trying for 300 s\n$")
            self.assertEqual((process.returncode, rest), (0, ""))
            self.assertEqual(server.contents(), self.resources(self.path))


if __name__ == "__main__":
    unittest.main()
