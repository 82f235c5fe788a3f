#!/usr/bin/env python3
"""Writes what the mapping reads of profiles/*.json into Swift source, so that the program contains it.

The folders below (guide/, examples/) describe for others what the program writes; the program does not read them.

There is a row for each thing, with cells between tabs: decoding the JSON took a third of the time of a small export,
and the rows are read in one millisecond. Run `make profiles` after an edit; a test decodes the JSON too, and fails
as long as the two differ.

    t	8867-4	Heart rate	equivalent          a target: code, display, equivalence, and what it depends on
"""

import hashlib
import json
import re
from pathlib import Path

PROFILES = Path(__file__).resolve().parent
TARGET = PROFILES.parent / "Sources/HealthKitMapping/Profiles/EmbeddedProfiles.swift"

HEADER = """\
// swift-format-ignore-file
// Made by profiles/embed.py from profiles/*.json: edit those and run `make profiles`.

/// What the mapping reads of the files of `profiles/`.
package enum EmbeddedProfiles {
    /// Each file's name, its SHA-256 in hex digits, and its rows (`ProfileRows`), by name.
    package static let files: [(name: String, digest: String, rows: StaticString)] = [
%s
    ]
}
"""


def row(kind: str, *cells: str | None) -> str:
    """A row. An absent cell is empty, or left out at the end; a cell that is there may not be empty."""
    texts = [cell or "" for cell in cells]
    if "" in cells or any(mark in text for text in texts for mark in "\t\r\n"):
        raise SystemExit(f"embed.py: {cells}: an empty text, a tab or a line break (expected none): rows can't hold it")
    return "\t".join([kind, *texts]).rstrip("\t")


def rows(resource: dict) -> list[str]:
    """The rows of a CodeSystem or ConceptMap."""
    lines = [row("r", resource["resourceType"], resource["version"], resource.get("url"))]
    for concept in resource.get("concept", []):
        lines.append(row("c", concept["code"], concept["display"]))
        for item in concept["property"]:
            lines.append(row("p", item["code"], item.get("valueCode"), item.get("valueString")))
    for group in resource.get("group", []):
        lines.append(row("g", group["source"], group["target"]))
        for element in group["element"]:
            lines.append(row("e", element["code"]))
            for target in element["target"]:
                needs = [text for item in target.get("dependsOn", []) for text in (item["system"], item["value"])]
                lines.append(row("t", target.get("code"), target.get("display"), target["equivalence"], *needs))
    return lines


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
    digests = {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    table = "\n".join(f'        ("{file.name}", "{digests[file]}", {swift_name(file)}),' for file in files)
    parts = [HEADER % table]
    for file in files:
        text = "\n".join(rows(json.loads(file.read_text(encoding="utf-8"))))
        parts.append(f"private let {swift_name(file)}: StaticString = {raw_string(text)}\n")
    TARGET.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
