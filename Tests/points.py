#!/usr/bin/env python3
"""Says how many of the points S1 to S42 of sign-in and keystore are tested.

A point is tested by each test whose name begins with its number; for the others, SECURITY.md
says why they don't apply. If a point is in neither place, this exits with 1.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
POINTS = range(1, 43)
SWIFT = re.compile(r"func `((?:S\d+ )+)")
PYTHON = re.compile(r"def test_((?:S\d+_)+)")


def numbers(text):
    return {int(number) for number in re.findall(r"S(\d+)", text)}


def tested():
    points = {}
    for suffix, pattern in ((".swift", SWIFT), (".py", PYTHON)):
        for file in sorted((ROOT / "Tests").rglob("*" + suffix)):
            for names in pattern.findall(file.read_text()):
                for number in numbers(names):
                    points[number] = points.get(number, 0) + 1
    return points


def explained():
    """The points of the first table: the second adds to what tests show."""
    rows, found = (ROOT / "SECURITY.md").read_text().splitlines(), set()
    for row in rows[rows.index("| point | why |") :]:
        if not row.startswith("|"):
            break
        found |= numbers(row.split("|")[1])
    return found


def main():
    tests, reasons = tested(), explained()
    missing = [number for number in POINTS if number not in tests and number not in reasons]
    print(
        f"sign-in and keystore: {len([number for number in POINTS if number in tests])} of {len(POINTS)} points "
        f"are tested, by {sum(tests.values())} tests; "
        f"{len(reasons - tests.keys())} of them SECURITY.md explains instead"
    )
    for number in missing:
        print(f"S{number}: neither tested nor explained: name a test after it, or add a line to SECURITY.md")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
