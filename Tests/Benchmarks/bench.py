"""make bench: pghd against `xmllint --sax --noout` on the same files, in turns.

Ratios are taken within one round and their median is reported, since machines are noisy;
a ratio of 2 means twice as fast as xmllint reads. Output goes to /dev/null.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def run(command):
    """Runs a command; answers its wall-clock seconds and its peak resident bytes."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit("bench: failed: " + " ".join(command))
    return seconds, usage.ru_maxrss * 1024


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--command", required=True)
    arguments.add_argument("--size", default="100MB")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--folder", help="where the files go (default: a temporary folder)")
    options = arguments.parse_args()
    pghd = os.path.abspath(options.command)
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        print(f"xmllint --sax --noout = 1.00; {options.size}, {options.rounds} rounds in turns, medians, {cores} cores\n")
        print("| file | what | times xmllint | records/s | bytes a record | peak MB |")
        print("|---|---|---|---|---|---|")
        for shape in ("apple", "plain"):
            measure(pghd, shape, options, folder, cores)


def measure(pghd, shape, options, folder, cores):
    xml = os.path.join(folder, shape + ".xml")
    archive = os.path.join(folder, shape + ".zip")
    generate = [pghd, "generate", "--shape", shape, "--size", options.size, "--quiet", "--force", "-o"]
    subprocess.run(generate + [xml], check=True)
    subprocess.run(generate + [archive], check=True)
    report_file = os.path.join(folder, "report.json")
    convert = [pghd, "convert", "--patient", "bench", "--quiet", "-o", "/dev/null"]
    subprocess.run(convert + ["--report", report_file, xml], check=True)
    with open(report_file) as file:
        report = json.load(file)
    records = sum(report["records"].values())
    size = os.path.getsize(xml)
    jobs = {
        f"convert, {cores} threads": convert + ["--threads", str(cores), xml],
        "convert, 1 thread": convert + ["--threads", "1", xml],
        f"convert the zip, {cores} threads": convert + ["--threads", str(cores), archive],
        "convert, libxml2 alone": convert + ["--parser", "libxml2", xml],
        "convert --gzip": convert + ["--gzip", xml],
        "inspect": [pghd, "inspect", xml],
        "generate": generate + ["/dev/null"],
    }
    base = ["xmllint", "--sax", "--noout", xml]
    ratios = {name: [] for name in jobs}
    seconds = {name: [] for name in jobs}
    peaks = {name: 0 for name in jobs}
    for _ in range(options.rounds):
        reference, _ = run(base)
        for name, command in jobs.items():
            taken, peak = run(command)
            ratios[name].append(reference / taken)
            seconds[name].append(taken)
            peaks[name] = max(peaks[name], peak)
    for name in jobs:
        rate = records / statistics.median(seconds[name])
        print(
            f"| {shape} | {name} | {statistics.median(ratios[name]):.2f} "
            f"({min(ratios[name]):.2f} to {max(ratios[name]):.2f}) | {rate:,.0f} | {size / records:.0f} "
            f"| {peaks[name] / 1e6:.0f} |",
            flush=True)


main()
