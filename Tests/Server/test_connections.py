"""However many clients connect and say nothing, the server survives, and the next client is served.

    .venv-server/bin/python Tests/Server/test_connections.py
"""

import contextlib
import os
import resource
import socket
import tempfile
import time
import unittest
from pathlib import Path

import requests

from server import Server, until

PATIENCE = 60
MOST = 256


def files(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def holds(server, port):
    """Whether the server still holds its end of the connection from this port: one that it closed has no inode."""
    connections = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = [(int(fields[1].split(":")[1], 16), int(fields[2].split(":")[1], 16)) for fields in connections]
    return any(end == (server.port, port) and fields[9] != "0" for end, fields in zip(ends, connections))


class ConnectionTests(unittest.TestCase):
    def connect(self, server, stack, count):
        return [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) for _ in range(count)
        ]

    def assert_told(self, connection):
        """The client was told to come back later."""
        answer = b""
        while b"\r\n" not in answer and (part := connection.recv(65536)):
            answer += part
        self.assertEqual(answer.split(b"\r\n")[0], b"HTTP/1.1 503 Service Unavailable")

    def assert_lives(self, server):
        def is_healthy():
            self.assertIsNone(server.process.poll())
            return requests.get(f"{server.root}/health", timeout=PATIENCE).status_code == 200

        until(is_healthy, pause=0.1)

    def test_connections_beyond_the_limit_get_503_and_are_let_go_at_once(self):
        with Server("--memory") as server:
            with contextlib.ExitStack() as stack:
                self.connect(server, stack, MOST)
                for connection in self.connect(server, stack, 50):
                    self.assert_told(connection)
                # Their own ends are still open: the server holds none of them.
                self.assertLess(files(server), MOST + 40)
            self.assert_lives(server)

    def test_fifteen_hundred_silent_connections_do_not_end_a_server_with_1024_descriptors(self):
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
        with tempfile.TemporaryDirectory(prefix="pghd-connections-") as folder:
            with Server("--data", folder, "--auto-approve") as server:
                resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (1024, 1024))
                with contextlib.ExitStack() as stack:
                    self.connect(server, stack, 1500)
                    time.sleep(2)
                    self.assertLess(files(server), 1024 // 2)
                self.assert_lives(server)

    def test_connections_take_at_most_half_of_few_descriptors(self):
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, limits[1]))
        try:
            server = Server("--memory")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        with server, contextlib.ExitStack() as stack:
            self.connect(server, stack, 64)
            self.assert_told(*self.connect(server, stack, 1))

    def test_a_client_that_is_refused_sees_the_end_of_the_answer_at_once(self):
        with Server("--memory") as server, contextlib.ExitStack() as stack:
            for request in (b"GET /fhir//x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"nonsense\r\n\r\n"):
                (connection,) = self.connect(server, stack, 1)
                connection.sendall(request)
                while connection.recv(65536):
                    pass
                # What the client still sends is thrown away for five seconds: the server has not closed it yet.
                self.assertTrue(holds(server, connection.getsockname()[1]))


if __name__ == "__main__":
    unittest.main()
