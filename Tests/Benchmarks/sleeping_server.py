"""A FHIR base that takes every transaction and sleeps before it answers: what a delivery alone can do.

    python3 Tests/Benchmarks/sleeping_server.py 0.005    prints its port, and at SIGTERM what it has had

It stores nothing. Written on asyncio's protocols, since it must cost less than the client it measures.
"""

import asyncio
import re
import signal
import sys

LENGTH = re.compile(rb"content-length: *(\d+)", re.I)
ENTRY = b'{"response":{"status":"201 Created"}}'


class Connection(asyncio.Protocol):
    requests = 0
    body_bytes = 0

    def __init__(self, delay):
        self.delay = delay

    def connection_made(self, transport):
        self.transport = transport
        self.loop = asyncio.get_running_loop()
        self.head = b""
        self.missing = 0
        self.entries = 0
        self.tail = b""

    def data_received(self, data):
        while data:
            if self.missing == 0:
                self.head += data
                end = self.head.find(b"\r\n\r\n")
                if end < 0:
                    return
                head, data = self.head[:end], self.head[end + 4 :]
                self.head = b""
                if b"100-continue" in head:
                    self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                length = LENGTH.search(head)
                self.missing = int(length.group(1)) if length else 0
                self.is_post = head.startswith(b"POST")
                self.entries, self.tail = 0, b""
                if self.missing == 0:
                    self.answer()
                    continue
            part, data = data[: self.missing], data[self.missing :]
            self.missing -= len(part)
            Connection.body_bytes += len(part)
            # An entry's request may lie over the border of two parts.
            mark = b'"request":{'
            self.entries += (self.tail + part).count(mark)
            self.tail = part[-len(mark) + 1 :]
            if self.missing == 0:
                self.answer()

    def answer(self):
        if not self.is_post:
            self.send(b"404 Not Found", b"{}")
            return
        Connection.requests += 1
        body = b'{"resourceType":"Bundle","type":"transaction-response","entry":[%s]}' % b",".join([ENTRY] * self.entries)
        self.loop.call_later(self.delay, self.send, b"200 OK", body)

    def send(self, status, body):
        self.transport.write(
            b"HTTP/1.1 %s\r\nContent-Type: application/fhir+json\r\nContent-Length: %d\r\n\r\n%s"
            % (status, len(body), body)
        )


async def main(delay):
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(delay), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    stop = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    await stop.wait()
    print(Connection.requests, Connection.body_bytes, flush=True)


asyncio.run(main(float(sys.argv[1])))
