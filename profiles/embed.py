#!/usr/bin/env python3
"""Writes profiles/*.json into Swift source, so that the program carries them inside.

What lies deeper (guide/, examples/) tells others what is written; the program does not read it.

SwiftPM's `.embedInCode` turns a file into an array literal that takes a minute
to compile; one raw string a file takes a second. Run by `make profiles` after
an edit; a test fails as long as the two differ.
"""

import re
from pathlib import Path

PROFILES = Path(__file__).resolve().parent
TARGET = PROFILES.parent / "Sources/HealthKitMapping/Profiles/EmbeddedProfiles.swift"

HEADER = """\
// swift-format-ignore-file
// Made by profiles/embed.py from profiles/*.json: edit those and run `make profiles`.

/// The files of `profiles/`, byte for byte.
package enum EmbeddedProfiles {
    /// Each file's name and text, by name.
    package static let files: [(name: String, text: StaticString)] = [
%s
    ]
}
"""


def swift_name(file: Path) -> str:
    """`ConceptMap-healthkit-units.json` becomes `conceptMapHealthkitUnits`."""
    words = re.split(r"\W+", file.stem)
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name[:1].lower() + name[1:]


def raw_string(text: str) -> str:
    """A Swift raw string literal of exactly this text."""
    hashes = "#"
    while '"""' + hashes in text or "\\" + hashes in text:
        hashes += "#"
    return f'{hashes}"""\n{text}\n"""{hashes}'


def main() -> None:
    files = sorted([*PROFILES.glob("CodeSystem-*.json"), *PROFILES.glob("ConceptMap-*.json")])
    table = "\n".join(f'        ("{file.name}", {swift_name(file)}),' for file in files)
    parts = [HEADER % table]
    for file in files:
        text = file.read_text(encoding="utf-8")
        parts.append(f"private let {swift_name(file)}: StaticString = {raw_string(text)}\n")
    TARGET.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
