#!/usr/bin/env python3
"""Judges FHIR R4 documents by four foreign validators and our own rules.

    validate.py [--json] [--verbose] [--quick] PATH...

A PATH is NDJSON (a Bundle or a resource a line), one JSON document, either of them
gzipped, or a folder of such. Every fault is a line `file:line entry judge: message`,
at most twenty of a file; what validators say is cut short and its digits are masked,
since some repeat values, unless --verbose is given.

Exit codes: 0 no fault, 1 faults, 2 could not judge.
"""

import argparse
import gzip
import json
import os
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import definitions
import rules

SHOWN = 20


class Fault(NamedTuple):
    file: str
    line: int
    entry: int | None
    judge: str
    path: str
    message: str


class CannotJudge(Exception):
    pass


# --- What is to be judged -----------------------------------------------------------


def files(paths):
    """The files to judge; those of a folder in the order of their names."""
    for path in map(Path, paths):
        if not path.exists():
            raise CannotJudge(f"there is no {path}")
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if re.search(r"\.(nd)?json(\.gz)?$", p.name))
            # The manifest of a Bulk Data export is not a resource.
            yield from (p for p in inside if p.name != "manifest.json")
        else:
            yield path


def documents(path):
    """(line, whether the file has one document a line, text) of each document in a file."""
    opener = gzip.open if path.name.endswith(".gz") else open
    with opener(path, "rb") as stream:
        first = stream.readline()
        while first and not first.strip():
            first = stream.readline()
        by_line = ".ndjson" in path.name or (first.rstrip().endswith(b"}") and bool(stream.peek(1).strip()))
        stream.seek(0)
        if not by_line:
            yield 1, False, stream.read()
            return
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield number, True, line


# --- Judging ------------------------------------------------------------------------


class Court:
    """All judges together, and what they have to know across documents."""

    def __init__(self, judges, extensions):
        self.judges = judges
        self._extensions = extensions
        self._across = rules.References(ordered=False)

    def judge(self, path):
        """The faults of one file, and what was in it."""
        content, faults = Counter(), []
        in_file, subject = rules.References(ordered=True), rules.Subject()
        for line, by_line, raw in documents(path):
            tree, found = self._read(raw)
            if tree is not None:
                bundled = tree["resourceType"] == "Bundle"
                content["Bundle"] += bundled
                content.update(str(part.get("resourceType")) for _, part in rules.resources(tree))
                references = in_file if bundled and by_line else self._across
                found += self._ask("rules", self._own(tree))
                found += self._ask("rules", self._findings(references.add(tree, (path, line))))
                found += self._ask("rules", self._findings(subject.add(tree)))
                for judge in self.judges:
                    found += self._ask(judge.name, judge.judge(raw.decode("utf-8"), tree))
            faults += [Fault(str(path), line, *fault) for fault in found]
        return +content, faults

    def rest(self):
        """References that led nowhere in everything that was judged."""
        for (path, line), finding in self._across.rest():
            for entry, place, message in self._findings([finding]):
                yield Fault(str(path), line, entry, "rules", place, message)

    def _read(self, raw):
        try:
            tree, findings = rules.parse(raw.decode("utf-8"))
        except UnicodeDecodeError:
            return None, [(None, "rules", "", "json: is not UTF-8")]
        except (json.JSONDecodeError, RecursionError):
            return None, [(None, "rules", "", "json: is not JSON")]
        if not isinstance(tree, dict) or rules.text_of(tree.get("resourceType")) is None:
            return None, [(None, "rules", "", "json: is no FHIR resource")]
        return tree, list(self._ask("rules", self._findings(findings)))

    def _own(self, tree):
        if tree["resourceType"] == "Bundle":
            yield from self._findings(rules.resource(rules.shell(tree)))
            yield from self._findings(rules.transaction(tree))
        for entry, resource in rules.resources(tree):
            yield from self._findings(rules.resource(resource, entry, self._extensions))

    @staticmethod
    def _findings(findings):
        for finding in findings:
            yield finding.entry, finding.path, f"{finding.rule}: {finding.message}"

    @staticmethod
    def _ask(name, verdict):
        try:
            for entry, path, message in verdict:
                yield entry, name, path, message
        except Exception as error:  # A judge that crashes has not passed the document.
            yield None, name, "", f"failed with {type(error).__name__}"


def court(quick=False):
    """Raises CannotJudge where the validators are not installed."""
    try:
        import judges

        return Court(judges.everyone(quick), definitions.extensions())
    except (ImportError, FileNotFoundError) as error:
        raise CannotJudge("the validators are not installed, run 'make validators'") from error


# --- Telling ------------------------------------------------------------------------


def message(fault, verbose):
    """What a judge said, on one line; our own rules name no value, others may."""
    text = " ".join(fault.message.split())
    return text if verbose or fault.judge == "rules" else re.sub(r"[0-9]", "#", text)[:60]


def told(fault, verbose):
    place = "" if fault.entry is None else f" entry {fault.entry}"
    path = f"{fault.path}: " if fault.path else ""
    return f"{fault.file}:{fault.line}{place} {fault.judge}: {path}{message(fault, verbose)}"


def counted(count, noun):
    return f"{count:,} {noun if count == 1 else noun + 's'}"


def summary(name, content, faults):
    resources = sum(count for kind, count in content.items() if kind != "Bundle")
    line = f"{name}: {counted(resources, 'resource')} in {counted(content['Bundle'], 'Bundle')}, "
    by_judge = ", ".join(f"{judge} {count}" for judge, count in Counter(f.judge for f in faults).most_common())
    return line + counted(len(faults), "error") + (f" ({by_judge})" if faults else "")


def as_json(results, seconds, verbose):
    def fault(one):
        return {
            "line": one.line,
            "entry": one.entry,
            "judge": one.judge,
            "path": one.path,
            "message": message(one, verbose),
        }

    everything = sum((content for content, _ in results.values()), Counter())
    return {
        "resources": dict(sorted(everything.items())),
        "errors": sum(len(faults) for _, faults in results.values()),
        "seconds": round(seconds, 1),
        "files": [
            {
                "file": name,
                "resources": dict(sorted(content.items())),
                "errors": dict(Counter(f.judge for f in faults).most_common()),
                "faults": [fault(one) for one in faults],
            }
            for name, (content, faults) in results.items()
        ],
    }


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="validate.py", description=__doc__.split("\n", 1)[0])
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--json", action="store_true", help="write one JSON object instead of lines")
    parser.add_argument("--verbose", action="store_true", help="show messages whole, values included")
    parser.add_argument("--quick", action="store_true", help="leave out fhircraft, which takes 20 s to start")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        wanted = list(files(options.paths))
        bench = court(options.quick)
        results = {}
        for path in wanted:
            results[str(path)] = bench.judge(path)
        for fault in bench.rest():
            results[fault.file][1].append(fault)
    except (CannotJudge, OSError, EOFError) as error:
        print(f"validate.py: {error}", file=sys.stderr)
        return 2
    if not any(content for content, _ in results.values()) and not any(faults for _, faults in results.values()):
        print("validate.py: there was nothing to judge", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(as_json(results, time.monotonic() - started, options.verbose), indent=1))
    else:
        for name, (content, faults) in results.items():
            print(summary(name, content, faults))
            for fault in faults[:SHOWN]:
                print("  " + told(fault, options.verbose))
            if len(faults) > SHOWN:
                print(f"  … and {len(faults) - SHOWN:,} more")
    return 1 if any(faults for _, faults in results.values()) else 0


def use_environment():
    """Continues in the environment that `make validators` made, whichever Python was started."""
    venv = Path(__file__).resolve().parents[2] / ".venv"
    python = venv / "bin" / "python"
    if python.exists() and Path(sys.prefix).resolve() != venv.resolve():
        os.execv(python, [str(python), *sys.argv])


if __name__ == "__main__":
    use_environment()
    sys.exit(main())
