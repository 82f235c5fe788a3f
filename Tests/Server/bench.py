"""Measures pghd serve: Bundles per second and latency, durable, with 32 clients in 4 processes.

Usage: bench.py COMMAND [SECONDS]; run by Tests/Server's environment.
"""

import http.client
import multiprocessing
import os
import sys
import tempfile
import threading
import time

os.environ["PGHD"] = sys.argv[1]
from server import Server, observation, sign_in, transaction  # noqa: E402

PROCESSES, THREADS = 4, 8


def post(port, token, prefix, entries, seconds, latencies):
    """Posts Bundles over one connection and notes how long each took."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    headers = {"Content-Type": "application/fhir+json", "Authorization": f"Bearer {token}"}
    end, number = time.monotonic() + seconds, 0
    template = transaction(
        *[("PUT", f"Observation/ID-{e}", observation("ID")[:-1] + f',"id":"ID-{e}"}}') for e in range(entries)]
    )
    while time.monotonic() < end:
        body = template.replace("ID", f"{prefix}-{number}")
        start = time.monotonic()
        connection.request("POST", "/fhir", body, headers)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        latencies.append(time.monotonic() - start)
        number += 1


def run_process(port, token, process, entries, seconds, results):
    latencies = []
    threads = [
        threading.Thread(target=post, args=(port, token, f"p{process}t{each}", entries, seconds, latencies))
        for each in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.put(latencies)


def measure(entries, seconds):
    with tempfile.TemporaryDirectory() as folder, Server("--data", folder, "--auto-approve") as server:
        token = sign_in(server, "user/*.cruds").token["access_token"]
        results = multiprocessing.Queue()
        processes = [
            multiprocessing.Process(target=run_process, args=(server.port, token, each, entries, seconds, results))
            for each in range(PROCESSES)
        ]
        for process in processes:
            process.start()
        latencies = sorted(latency for _ in processes for latency in results.get())
        for process in processes:
            process.join()
        with open(f"/proc/{server.process.pid}/status") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    rate = len(latencies) / seconds
    p50, p99 = (latencies[int(len(latencies) * part)] * 1000 for part in (0.5, 0.99))
    print(
        f"{entries:4} entries: {rate:8,.0f} Bundles/s {rate * entries:9,.0f} resources/s"
        f"   p50 {p50:6.1f} ms   p99 {p99:6.1f} ms   {peak // 1024} MB",
        flush=True,
    )


if __name__ == "__main__":
    for entries in (1, 10, 100):
        measure(entries, float(sys.argv[2]) if len(sys.argv) > 2 else 5)
