"""make bench: pghd against `xmllint --sax --noout` on the same files, alternating.

Ratios are taken within one round and their median is reported, since machines are noisy; a ratio of 2 means twice as
fast as xmllint reads. Output is written to /dev/null. The cost of a stage is how much longer a run with it takes than
one without it, on one thread.
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
    """Runs a command; returns its wall-clock seconds and its peak resident bytes."""
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
    arguments.add_argument("--shapes", default="apple,plain,app", help="of generate, separated by commas")
    arguments.add_argument("--peaks", default="100MB,1GB", help="sizes whose peak is taken through a pipe, such as 10GB")
    arguments.add_argument("--folder", help="where the files go (default: a temporary folder)")
    options = arguments.parse_args()
    pghd = os.path.abspath(options.command)
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        print(f"xmllint --sax --noout = 1.00; {options.size}, {options.rounds} rounds in turns, medians, {cores} cores\n")
        print("| file | what | times xmllint | records/s | bytes a record | peak MB |")
        print("|---|---|---|---|---|---|")
        stages = [measure(pghd, shape, options, folder, cores) for shape in options.shapes.split(",")]
    print("\n| what one record costs on one thread, ns | " + " | ".join(options.shapes.split(",")) + " |")
    print("|---|" + "---|" * len(stages))
    for name in stages[0]:
        print(f"| {name} | " + " | ".join(f"{stage[name]:.0f}" for stage in stages) + " |")
    print("\n| peak of convert, fed by generate through a pipe | MB |")
    print("|---|---|")
    for shape in options.shapes.split(","):
        for size in options.peaks.split(","):
            print(f"| {shape}, {size} | {peak_through_pipe(pghd, shape, size):.1f} |", flush=True)


def peak_through_pipe(pghd, shape, size):
    """The peak of a conversion whose input is never stored, in MB of 1,048,576 bytes."""
    source = subprocess.Popen(
        [pghd, "generate", "--shape", shape, "--size", size, "--quiet", "-o", "-"], stdout=subprocess.PIPE)
    convert = subprocess.Popen(
        [pghd, "convert", "-", "--patient", "bench", "--quiet", "--force", "-o", "/dev/null"], stdin=source.stdout)
    source.stdout.close()
    _, status, usage = os.wait4(convert.pid, 0)
    if source.wait() != 0 or os.waitstatus_to_exitcode(status) != 0:
        sys.exit("bench: failed: generate | convert, " + size)
    return usage.ru_maxrss / 1024


def measure(pghd, shape, options, folder, cores):
    xml = os.path.join(folder, shape + ".xml")
    archive = os.path.join(folder, shape + ".zip")
    generate = [pghd, "generate", "--shape", shape, "--size", options.size, "--quiet", "--force", "-o"]
    subprocess.run(generate + [xml], check=True)
    subprocess.run(generate + [archive], check=True)
    report_file = os.path.join(folder, "report.json")
    convert = [pghd, "convert", "--patient", "bench", "--quiet", "--force", "-o", "/dev/null"]
    subprocess.run(convert + ["--report", report_file, xml], check=True)
    with open(report_file) as file:
        report = json.load(file)
    records = sum(report["records"].values())
    size = os.path.getsize(xml)
    alone = convert + ["--threads", "1"]
    jobs = {
        f"convert, {cores} threads": convert + ["--threads", str(cores), xml],
        "convert, 1 thread": alone + [xml],
        f"convert to a file, {cores} threads": convert[:-1] + [os.path.join(folder, "bundles.ndjson"), xml],
        f"convert the zip, {cores} threads": convert + ["--threads", str(cores), archive],
        "convert, libxml2 alone": convert + ["--parser", "libxml2", xml],
        "convert --gzip": convert + ["--gzip", xml],
        "inspect": [pghd, "inspect", xml],
        "inspect, 1 thread": [pghd, "inspect", "--threads", "1", xml],
        "generate": generate + ["/dev/null"],
    }
    # Measured by how much longer they take than the first.
    stages = {
        "inflating a zip and its checksum": alone + [archive],
        "libxml2 in place of the scanner": alone + ["--parser", "libxml2", xml],
        "gzip of what is written": alone + ["--gzip", xml],
    }
    base = ["xmllint", "--sax", "--noout", xml]
    ratios, seconds, peaks = ({name: [] for name in [*jobs, *stages]} for _ in range(3))
    for _ in range(options.rounds):
        reference, _ = run(base)
        for name, command in [*jobs.items(), *stages.items()]:
            taken, peak = run(command)
            ratios[name].append(reference / taken)
            seconds[name].append(taken)
            peaks[name].append(peak)
            if "to a file" in name:
                # What is written goes to the disk before the next one is measured.
                os.sync()
    for name in jobs:
        rate = records / statistics.median(seconds[name])
        print(
            f"| {shape} | {name} | {statistics.median(ratios[name]):.2f} "
            f"({min(ratios[name]):.2f} to {max(ratios[name]):.2f}) | {rate:,.0f} | {size / records:.0f} "
            f"| {statistics.median(peaks[name]) / (1 << 20):.1f} |",
            flush=True)
    costs = {name: statistics.median(taken) / records * 1e9 for name, taken in seconds.items()}
    reading, all_of_it = costs["inspect, 1 thread"], costs["convert, 1 thread"]
    return {
        "reading, scanning and counting (`inspect`)": reading,
        "mapping, ids and digests, Bundles and their keys": all_of_it - reading,
        **{name: costs[name] - all_of_it for name in stages},
    }


if __name__ == "__main__":
    main()
