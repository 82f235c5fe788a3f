"""What one client sends may cost the server a bounded amount of memory, and never end it.

    .venv-server/bin/python Tests/Server/test_memory.py
"""

import concurrent.futures
import contextlib
import socket
import tempfile
import unittest

import requests

from server import FHIR_JSON, Server, observation, sign_in, transaction

PATIENCE = 120
# The most memory that the server may hold, in MB. It begins with about 40. A body that announces that it is too long is
# not read at all; others are read up to 16 MiB each, 128 MiB together; what is parsed takes about seven times the size
# of its text, 74 MB here.
WITHOUT_READING = 80
WITH_BODIES_READ = 40 + 128 + 80
WITH_BODIES_PARSED = 40 + 74 * 7 + 200


def peak(server):
    """The most memory that the server ever held, in MB."""
    with open(f"/proc/{server.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) // 1024


class MemoryTests(unittest.TestCase):
    """All tests use one server, so that memory that is not released adds up."""

    @classmethod
    def setUpClass(cls):
        # On disk, since this does not measure what is stored.
        folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="pghd-memory-"))
        cls.server = cls.enterClassContext(Server("--data", folder, "--auto-approve"))
        token = sign_in(cls.server, "user/*.cruds observations.write").token["access_token"]
        cls.headers = {**FHIR_JSON, "Authorization": f"Bearer {token}"}

    def send(self, head, parts):
        """Sends as much of a request as the server takes, by hand, and returns the status that it gave."""
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as connection:
            lines = [*head, f"Host: 127.0.0.1:{self.server.port}", *(f"{name}: {value}" for name, value in self.headers.items())]
            # It may answer and close before everything is sent.
            with contextlib.suppress(ConnectionError):
                connection.sendall("\r\n".join([*lines, "", ""]).encode())
                for part in parts:
                    connection.sendall(part)
            with contextlib.suppress(ConnectionError):
                return int(connection.recv(65536).split()[1])

    def post(self, body):
        return requests.post(self.server.fhir, data=body, headers=self.headers, timeout=PATIENCE)

    def assert_lives(self, most):
        """It answers the next client, and has held at most this many MB since it began."""
        answer = requests.get(f"{self.server.fhir}/metadata", timeout=PATIENCE)
        self.assertEqual((answer.status_code, answer.json()["resourceType"]), (200, "CapabilityStatement"))
        self.assertIsNone(self.server.process.poll())
        self.assertLessEqual(peak(self.server), most)

    def test_1_bodies_of_100_MB_are_refused(self):
        part = b" " * (1 << 20)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(
                lambda _: self.send(["POST /fhir HTTP/1.1", f"Content-Length: {100 << 20}"], [part] * 100), range(16)
            ))
        self.assertEqual(set(statuses) - {None}, {413})
        self.assert_lives(WITHOUT_READING)

    def test_2_bodies_of_100_MB_in_chunks_are_refused(self):
        part = b"%x\r\n%s\r\n" % (1 << 20, b" " * (1 << 20))
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(
                lambda _: self.send(["POST /fhir HTTP/1.1", "Transfer-Encoding: chunked"], [part] * 100), range(16)
            ))
        self.assertLessEqual({413}, set(statuses))
        self.assertLessEqual(set(statuses) - {None}, {413, 503})
        self.assert_lives(WITH_BODIES_READ)

    def test_3_two_hundred_that_send_too_slowly_are_let_go(self):
        with contextlib.ExitStack() as stack:
            connections = [
                stack.enter_context(socket.create_connection(("127.0.0.1", self.server.port), PATIENCE))
                for _ in range(200)
            ]
            for connection in connections:
                connection.sendall(b"POST /fhir HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            # Others are served meanwhile.
            self.assert_lives(WITH_BODIES_READ)
            for connection in connections:
                self.assertEqual(connection.recv(65536).split()[1], b"408")
        self.assert_lives(WITH_BODIES_READ)

    def test_4_deep_json_is_refused(self):
        for text in ["[" * (15 << 20), '{"a":' * 100_000 + "1" + "}" * 100_000, "[" * 100_000 + "]" * 100_000]:
            answer = self.post(text)
            self.assertEqual((answer.status_code, answer.json()["resourceType"]), (400, "OperationOutcome"))
        self.assert_lives(WITH_BODIES_READ)

    def test_5_sixteen_bundles_of_10_000_entries_at_once_are_taken_or_told_to_come_back(self):
        entries = [("PUT", f"Observation/m{n}", observation(f"m{n}")[:-1] + f',"id":"m{n}"}}') for n in range(10_000)]
        body = transaction(*entries)
        answer = self.post(body)
        self.assertEqual((answer.status_code, len(answer.json()["entry"])), (200, 10_000))
        self.assert_lives(WITH_BODIES_READ)
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            statuses = {answer.status_code for answer in pool.map(lambda _: self.post(body), range(16))}
        self.assertLessEqual(statuses, {200, 503})
        self.assert_lives(WITH_BODIES_PARSED)
        print(f"{len(body) >> 20} MB in 10,000 entries, sixteen times at once: {peak(self.server)} MB at most", flush=True)

    def test_6_of_large_answers_that_nobody_takes_some_are_refused(self):
        note = "x" * 1_000_000
        for number in range(15):
            resource = observation(f"n{number}")[:-1] + f',"id":"n{number}","note":[{{"text":"{note}"}}]}}'
            self.assertEqual(self.post(transaction(("PUT", f"Observation/n{number}", resource))).status_code, 200)
        ids = ",".join(f"n{number}" for number in range(15))
        authorization = f"Authorization: {self.headers['Authorization']}"
        read = '{"request":{"method":"GET","url":"Observation?_id=%s"}}' % ids
        bundle = f'{{"resourceType":"Bundle","type":"%s","entry":[{read}]}}'
        form = "Content-Type: application/x-www-form-urlencoded"
        asked = [
            (f"GET /fhir/Observation?_id={ids} HTTP/1.1", "", ""),
            ("POST /fhir/Observation/_search HTTP/1.1", form, f"_id={ids}"),
            ("POST /fhir HTTP/1.1", "Content-Type: application/fhir+json", bundle % "transaction"),
        ]
        for line, kind, body in asked:
            lines = [line, f"Host: 127.0.0.1:{self.server.port}", authorization, f"Content-Length: {len(body)}"]
            with self.subTest(line), contextlib.ExitStack() as stack:
                connections = [
                    stack.enter_context(socket.create_connection(("127.0.0.1", self.server.port), PATIENCE))
                    for _ in range(60)
                ]
                for connection in connections:
                    connection.sendall("\r\n".join([*lines, *filter(None, [kind]), "", body]).encode())
                statuses = [connection.recv(12).split()[1] for connection in connections]
                # Each entry of a batch gets its own status.
                answer = self.post(bundle % "batch").json()
                self.assertEqual(answer["entry"][0]["response"]["status"], "503 Service Unavailable")
                # A client that stores something and reads little is answered, whatever others hold.
                self.assertEqual(self.post(transaction(("POST", "Observation", observation("new")))).status_code, 200)
            self.assertEqual(set(statuses), {b"200", b"503"})
            self.assertLessEqual(statuses.count(b"200"), 128 // 15)
        self.assert_lives(WITH_BODIES_PARSED)


if __name__ == "__main__":
    unittest.main()
