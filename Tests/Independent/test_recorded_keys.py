#!/usr/bin/env python3
"""A Bundle's key stands for the same bytes in every version of the program: a ledger knows nothing else about them.

    python3 Tests/Independent/test_recorded_keys.py
    python3 Tests/Independent/test_recorded_keys.py --record    adds keys that are new, and changes none

`samples/keys.tsv` has a line for every key that a version has given to a sample's Bundle, with the SHA-256 of its
bytes. If the program writes other bytes under such a key, a user who has delivered it never gets what changed, neither
by `sync` nor by `--remap`: the mapping must get another `version` in `profiles/` (docs/formats.md, "Keys").
"""

import hashlib
import json
import sys
import unittest
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
RECORD = SAMPLES / "keys.tsv"


def written():
    """The digest of each Bundle of `samples/bundles`, by its key."""
    digests = {}
    for file in sorted((SAMPLES / "bundles").glob("*.ndjson")):
        for line in file.read_bytes().splitlines():
            digests.setdefault(json.loads(line)["identifier"]["value"], set()).add(hashlib.sha256(line).hexdigest())
    return digests


def recorded():
    return dict(line.split("\t") for line in RECORD.read_text().splitlines()) if RECORD.exists() else {}


class RecordedKeys(unittest.TestCase):
    def test_each_key_stands_for_one_content_in_all_samples(self):
        self.assertEqual({key: digests for key, digests in written().items() if len(digests) > 1}, {})

    def test_a_key_of_an_earlier_version_stands_for_the_same_bytes(self):
        known = recorded()
        changed = [key for key, digests in written().items() if key in known and {known[key]} != digests]
        self.assertEqual(changed, [], "these Bundles changed: give the files of profiles/ another version")

    def test_every_key_is_recorded(self):
        self.assertEqual(set(written()) - set(recorded()), set(), "add them with --record")


def record():
    keys = {key: digest for key, digests in written().items() for digest in digests} | recorded()
    RECORD.write_text("".join(f"{key}\t{digest}\n" for key, digest in sorted(keys.items())))


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        record()
    else:
        unittest.main()
