#!/usr/bin/env python3
"""How many Bundles are in flight at a server that says it is too busy.

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


if __name__ == "__main__":
    unittest.main()
