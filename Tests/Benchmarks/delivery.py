"""What a delivery costs: prepared Bundles to a server that sleeps, an unchanged sync, and memory.

    python3 Tests/Benchmarks/delivery.py .build/release/pghd [rounds]

Prints a table of Markdown, medians of the rounds:
- Bundles per second that `send` delivers to a server that sleeps 5 ms for each, 8 posts in flight: 1,600 are possible.
  Alternating with it, a client that only posts (bare_client.c), for several sizes of Bundles: `convert` writes the
  largest by default.
- `sync` of an unchanged export against `convert` to /dev/null, in interleaved rounds: the ratio of each round,
  100 MB and 1 GB.
- Peak memory of a first `sync` and of one that finds nothing new, 100 MB and 1 GB.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
SLEEP_US, IN_FLIGHT = 5000, 8


class Server:
    def __init__(self, program, microseconds):
        self.process = subprocess.Popen([program, str(microseconds)], stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().strip()}"

    def stop(self):
        self.process.terminate()
        requests, size = self.process.communicate()[0].split()
        return int(requests), int(size)


def run(*command):
    """Runs a command; returns its seconds and its peak in MB."""
    begin = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[1]}: ended with {status} (expected 0): run it by hand")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


def main(pghd, rounds):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # clang comes with Swift.
        compiler = os.environ.get("CC", "clang")
        program = folder / "sleeping_server"
        subprocess.run([compiler, "-O2", "-o", program, HERE / "sleeping_server.c"], check=True)
        bare = folder / "bare_client"
        subprocess.run([compiler, "-O2", "-o", bare, HERE / "bare_client.c", "-lcurl"], check=True)
        for days in 40, 120, 240:
            run(pghd, "generate", "--days", days, "-o", folder / f"{days}.zip", "--quiet")
        print("| what | measured |\n|---|---|")
        # Each run takes some seconds; starting and ending it takes 60 ms.
        for days, entries in (40, 3), (120, 14), (240, 100), (240, 400):
            bundles = folder / f"{entries}.ndjson"
            export = folder / f"{days}.zip"
            run(pghd, "convert", export, "--patient", "p1", "--max-entries", entries, "-o", bundles, "--quiet")
            with bundles.open("rb") as lines:
                sizes = [len(line) for line in lines]
            rates, bare_rates, peaks = [], [], []
            for number in range(rounds):
                server = Server(program, SLEEP_US)
                seconds, _ = run(bare, server.url, bundles)
                server.stop()
                bare_rates.append(len(sizes) / seconds)
                server = Server(program, SLEEP_US)
                ledger = folder / f"ledger-{entries}-{number}"
                seconds, peak = run(pghd, "send", bundles, "--server", server.url, "--ledger", ledger, "--quiet")
                assert server.stop()[0] == len(sizes), "Bundles were sent twice or not at all"
                rates.append(len(sizes) / seconds)
                peaks.append(peak)
            rate, bare_rate = statistics.median(rates), statistics.median(bare_rates)
            print(
                f"| `send`, {len(sizes):,} Bundles of {sum(sizes) // len(sizes) // 1000} KB | {rate:,.0f} a second, "
                f"{rate / (IN_FLIGHT * 1e6 / SLEEP_US):.0%} of the possible, {rate / bare_rate:.0%} of a bare client; "
                f"{statistics.median(peaks):.0f} MB |"
            )
        first, unchanged = [], []
        for size in "100MB", "1GB":
            export = folder / f"{size}.xml"
            run(pghd, "generate", "--size", size, "-o", export, "--quiet")
            server = Server(program, 0)
            peaks, again_peaks, ratios = [], [], []
            for number in range(rounds):
                ledger = folder / f"ledger-{size}-{number}"
                sync = [pghd, "sync", export, "--patient", "p1", "--server", server.url, "--ledger", ledger, "--quiet"]
                # A first sync of 1 GB takes a minute.
                if number == 0 or size == "100MB":
                    peaks.append(run(*sync)[1])
                sync[8] = folder / f"ledger-{size}-0"
                again, peak = run(*sync)
                alone, _ = run(pghd, "convert", export, "--patient", "p1", "-o", "/dev/null", "--quiet")
                again_peaks.append(peak)
                ratios.append(again / alone)
            server.stop()
            export.unlink()
            first.append(f"{statistics.median(peaks):.0f} MB")
            unchanged.append(f"{statistics.median(again_peaks):.0f} MB")
            print(
                f"| `sync` of {size} unchanged, against `convert` to /dev/null | {statistics.median(ratios):.2f} times "
                f"({min(ratios):.2f} to {max(ratios):.2f}) |"
            )
        print(f"| peak of a first `sync`, 100 MB and 1 GB | {', '.join(first)} |")
        print(f"| peak of an unchanged `sync`, 100 MB and 1 GB | {', '.join(unchanged)} |")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5)
