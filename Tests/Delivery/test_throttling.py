#!/usr/bin/env python3
"""What a server that says it is too busy gets, and how many Bundles at once.

    python3 Tests/Delivery/test_throttling.py
"""

import sys
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase
from scripted_server import ScriptedServer


class HoldingServer(ScriptedServer):
    """Holds the answer to new Bundle number n (from 0) until `wanted[n]` Bundles are in flight.

    A client that sends fewer waits in vain; one that sends more is noticed. Each new Bundle in `busy` gets 429.
    """

    def __init__(self, wanted, busy):
        super().__init__()
        self.wanted = wanted
        self.busy = busy
        self.keys = []
        self.most_in_flight = []  # for each new Bundle, from when it comes until it is answered
        self.change = threading.Condition()
        self.open = set()

    def answer_post(self, request, body, fault):
        key = request.headers["Idempotency-Key"]
        with self.change:
            number = len(self.keys)
            is_new = key not in self.keys
            if is_new:
                self.keys.append(key)
                self.most_in_flight.append(0)
            self.open.add(number if is_new else key)
            for other in self.open:
                if isinstance(other, int):
                    self.most_in_flight[other] = max(self.most_in_flight[other], len(self.open))
            self.change.notify_all()
            if is_new:
                wanted = self.wanted.get(number, 1)
                self.change.wait_for(lambda: self.most_in_flight[number] >= wanted, timeout=20)
        # So that a client that sends too many is noticed, too.
        time.sleep(0.005)
        with self.change:
            # Before the answer: the next Bundle may come as soon as the answer is there.
            self.open.remove(number if is_new else key)
        if is_new and number in self.busy:
            fault = {"kind": "status", "status": 429}
        super().answer_post(request, body, fault)


class Throttling(DeliveryTestCase):
    def test_a_busy_server_gets_fewer_bundles_at_once_and_one_more_after_32_answers(self):
        path = exports.write(self.folder / "export.xml", exports.samples(80))
        # Devices are sent alone. The eight Bundles after them are in flight together, and each gets 429: from then on
        # one at a time, except for those that had begun. Bundle 20, which is alone, gets another 429: its second try
        # and 31 more make the 32 answers.
        wanted = {**dict.fromkeys(range(1, 9), 8), 52: 2}
        with HoldingServer(wanted, busy={*range(1, 9), 20}) as server:
            report = self.sync(path, server, "--max-entries", "2", "--concurrency", "8")
            most = server.most_in_flight
            self.assertEqual((report["requests"], len(most)), ({"200": 61, "429": 9}, 61))
            self.assertEqual((most[:9], most[16:52]), ([1, *[8] * 8], [1] * 36))
            self.assertEqual((most[52], max(most[52:])), (2, 2))
            self.assertEqual(server.contents(), self.resources(path))

    def test_a_wait_that_is_too_long_ends_the_run_and_refuses_nothing(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))

        class Server(ScriptedServer):
            """Fails four times at the fourth Bundle, and then asks for a day."""

            tries = 0

            def next_fault(self):
                if len(self.posts) > 2 and self.tries < 5:
                    self.tries += 1
                    busy = {"kind": "status", "status": 503, "headers": {"Retry-After": "86400"}}
                    return {"kind": "status", "status": 500} if self.tries < 5 else busy
                return {}

        more = "--max-entries", "1", "--concurrency", "1", "--retry-delay-milliseconds", "20", "--retry-for", "30"
        for form in [], ["--conditional"]:
            with self.subTest(form), Server() as server:
                options = [*form, *more, "--ledger", str(self.folder / f"ledger{len(form)}")]
                code, report, said = self.run_pghd("sync", path, server, *options)
                self.assertEqual((code, report["refused"]), (3, 0), said)
                self.assertIn("answered 503 and asks to wait 86400 s", said)
                self.sync(path, server, *options)
                self.assertEqual((len(server.ids()), set(server.ids().values())), (30, {1}))

    def test_a_server_that_took_nothing_yet_may_still_take_ids_of_ours(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        with ScriptedServer() as server:
            capabilities = server.capabilities
            statement = capabilities()
            for kind in statement["rest"][0]["resource"]:
                kind["updateCreate"] = False
            server.capabilities = lambda: statement
            server.faults = [{"kind": "status", "status": 429}] * 9
            self.sync(path, server, "--retry-for", "0", code=3)
            server.capabilities, server.faults = capabilities, []
            code, _, said = self.run_pghd("sync", path, server)
            self.assertEqual((code, said), (0, ""))
            self.assertEqual(server.contents(), self.resources(path))

    def test_a_send_that_came_to_nothing_keeps_the_form_of_its_bundles(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        bundles = self.convert(path, "--conditional")
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 429}] * 9
            code, _, said = self.run_pghd("send", bundles, server, "--retry-for", "0")
            self.assertEqual(code, 3, said)
            server.faults = []
            self.sync(path, server)
            self.assertEqual((len(server.ids()), set(server.ids().values())), (30, {1}))


if __name__ == "__main__":
    unittest.main()
