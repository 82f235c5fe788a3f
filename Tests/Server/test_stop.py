"""What a server that stops answers its clients, and how long others can keep it from stopping or from answering.

    .venv-server/bin/python Tests/Server/test_stop.py
"""

import contextlib
import json
import signal
import socket
import threading
import time
import unittest

import requests

from server import FHIR_JSON, Server, observation, sign_in, transaction, until

PATIENCE = 60
# How long to wait for what nobody may hold up: far more than it takes on a busy machine, and far less than one client
# could keep others waiting.
SOON = 30


class StopTests(unittest.TestCase):
    def start(self):
        server = self.enterContext(Server("--memory", "--auto-approve", "--test"))
        token = sign_in(server, "user/*.cruds observations.write").token["access_token"]
        self.headers = {**FHIR_JSON, "Authorization": f"Bearer {token}"}
        return server

    def head(self, server, *lines):
        headers = [f"{name}: {value}" for name, value in self.headers.items()]
        return "\r\n".join(["POST /fhir HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *headers, *lines, "", ""]).encode()

    def connect(self, server):
        return self.enterContext(socket.create_connection(("127.0.0.1", server.port), PATIENCE))

    def stop(self, server, number=signal.SIGTERM):
        """Stops it; nobody may keep it from stopping."""
        server.process.send_signal(number)
        self.assertEqual(server.process.wait(SOON), 0)

    def status(self, connection):
        """The status of the answer; `None` where the connection was cut."""
        with contextlib.suppress(ConnectionError):
            if answer := connection.recv(65536):
                return int(answer.split()[1])
        return None

    def send_tiny_chunks(self, server, count):
        """Sends one-byte chunks without a pause and without a valid token, until the server closes the connection or
        the test ends."""
        def send():
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
                connection.sendall(self.head(server, "Transfer-Encoding: chunked"))
                while not ends.is_set():
                    connection.sendall(b"1\r\na\r\n" * 5000)

        ends = threading.Event()
        threads = [threading.Thread(target=send) for _ in range(count)]
        for thread in threads:
            thread.start()
            self.addCleanup(thread.join)
        self.addCleanup(ends.set)
        time.sleep(0.5)

    def test_clients_that_send_one_byte_chunks_do_not_keep_others_waiting(self):
        server = self.start()
        self.send_tiny_chunks(server, 4)
        self.assertEqual(requests.get(f"{server.root}/health", timeout=SOON).status_code, 200)

    def test_clients_that_send_one_byte_chunks_do_not_keep_the_server_from_stopping(self):
        server = self.start()
        self.send_tiny_chunks(server, 4)
        self.stop(server)

    def test_a_request_whose_body_was_half_sent_may_be_sent_again(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            for framing, body in (("Content-Length: 100000", b"{"), ("Transfer-Encoding: chunked", b"32\r\n{")):
                server = self.start()
                connections = [self.connect(server) for _ in range(8)]
                for connection in connections:
                    connection.sendall(self.head(server, framing) + body)
                time.sleep(0.3)
                self.stop(server, number)
                # 400 would be final.
                self.assertLessEqual({self.status(connection) for connection in connections}, {None, 503}, framing)

    def test_a_request_that_was_not_begun_may_be_sent_again(self):
        server = self.start()
        rules = {"rules": [{"path": "/fhir", "delayMilliseconds": 300_000}]}
        token = server.addresses["testToken"]
        asked = requests.post(f"{server.root}/test/faults", json=rules, headers={"Authorization": f"Bearer {token}"})
        self.assertEqual(asked.status_code, 200)
        body = transaction(("POST", "Observation", observation("a"))).encode()
        connection = self.connect(server)
        connection.sendall(self.head(server, f"Content-Length: {len(body)}") + body)

        def is_begun():
            faults = f"{server.root}/test/faults"
            answer = requests.get(faults, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)
            return answer.json()["counts"] == [1]

        until(is_begun, pause=0.05)
        self.stop(server)
        answer = connection.recv(65536).decode()
        self.assertEqual(answer.split()[1], "503")
        self.assertIn("Retry-After: 1\r\n", answer)

    def fill(self, server, count):
        """Stores this many resources, so that counting them takes a while."""
        for begin in range(0, count, 5000):
            entries = [("POST", "Observation", observation(f"{begin + n}")) for n in range(5000)]
            answer = requests.post(server.fhir, data=transaction(*entries), headers=self.headers, timeout=PATIENCE)
            self.assertEqual(answer.status_code, 200)

    def long_batch(self, server):
        """Starts a thread that posts a long batch; returns it and the list that gets the response."""
        entry = {"request": {"method": "GET", "url": "Observation?code=8867-4&_summary=count"}}
        body = json.dumps({"resourceType": "Bundle", "type": "batch", "entry": [entry] * 10_000})
        answers = []

        def post():
            answers.append(requests.post(server.fhir, data=body, headers=self.headers, timeout=10 * PATIENCE))

        thread = threading.Thread(target=post)
        thread.start()
        self.addCleanup(thread.join)
        time.sleep(1)
        self.assertEqual(answers, [])
        return thread, answers

    def test_a_long_batch_keeps_neither_others_waiting_nor_the_server_from_stopping(self):
        server = self.start()
        self.fill(server, 10_000)
        thread, answers = self.long_batch(server)
        for method, body in (("GET", None), ("POST", observation("new"))):
            answer = requests.request(
                method, f"{server.fhir}/Observation?_count=1" if body is None else f"{server.fhir}/Observation",
                data=body, headers=self.headers, timeout=SOON,
            )
            self.assertIn(answer.status_code, (200, 201))
        self.assertEqual(answers, [])
        self.stop(server)
        thread.join()
        statuses = [entry["response"]["status"] for entry in answers[0].json()["entry"]]
        self.assertEqual((answers[0].status_code, len(statuses)), (200, 10_000))
        # Some were answered; the others may be asked again.
        self.assertEqual({statuses[0], statuses[-1]}, {"200 OK", "503 Service Unavailable"})


if __name__ == "__main__":
    unittest.main()
