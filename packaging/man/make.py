#!/usr/bin/env python3
"""Writes the manual pages in this folder from what the command itself says of its commands and options.

    packaging/man/make.py .build-install/release/pghd            writes pghd.1, pghd-convert.1 and so on
    packaging/man/make.py .build-install/release/pghd --check    says which are old, and exits with 1

Source of the form: man(7).
"""

import json
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
HEAD = '.\\" Made by packaging/man/make.py from the command\'s own help: edit that, and run `make man`.\n'


def main() -> None:
    command, *options = sys.argv[1:]
    dump = subprocess.run([command, "--experimental-dump-help"], check=True, capture_output=True).stdout
    pages = {f"{'-'.join(names)}.1": page(names, node) for names, node in commands(json.loads(dump)["command"])}
    there = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.1")}
    if options == ["--check"]:
        old = sorted(name for name in {*pages, *there} if pages.get(name) != there.get(name))
        sys.exit(f"packaging/man: old: {', '.join(old)}: run `make man`" if old else 0)
    for name in there.keys() - pages.keys():
        (FOLDER / name).unlink()
    for name, text in pages.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def commands(node: dict, above: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], dict]]:
    """Every command with the names that lead to it; `help` says what these pages say."""
    names = (*above, node["commandName"])
    below = [found for child in children(node) for found in commands(child, names)]
    return [(names, node), *below]


def children(node: dict) -> list[dict]:
    return [child for child in node.get("subcommands", []) if child["shouldDisplay"] and child["commandName"] != "help"]


def shown(arguments: list[dict]) -> list[dict]:
    """What --help shows; a flag and its opposite, which follow each other, are one."""
    items = [item for item in arguments if item["shouldDisplay"]]
    flags = {item["preferredName"]["name"] for item in items if item["kind"] == "flag"}
    opposites = {name for name in flags if name.startswith("no-") and name.removeprefix("no-") in flags}
    return [
        {**item, "hasOpposite": "no-" + item.get("preferredName", {}).get("name", "") in opposites}
        for item in items
        if item.get("preferredName", {}).get("name") not in opposites
    ]


def page(names: tuple[str, ...], node: dict) -> str:
    title, arguments = "-".join(names), shown(node["arguments"])
    lines = [f".TH {title.upper()} 1 \"\" pghd \"pghd manual\"", ".nh", ".SH NAME", f"{title} \\- {text(node['abstract'])}"]
    lines += [".SH SYNOPSIS", f".B {text(' '.join(names))}"]
    if children(node):
        lines += [".I command", "[options]"]
    else:
        lines += ["[options]", *(place(item) for item in arguments if item["kind"] == "positional")]
    discussion, sections = split(node.get("discussion", ""))
    lines += [".SH DESCRIPTION", *discussion]
    if children(node):
        lines.append(".SH COMMANDS")
        for child in children(node):
            lines += [".TP", f".BR {'-'.join((*names, child['commandName']))} (1)", text(child["abstract"])]
    section = None
    for item in arguments:
        own = item.get("sectionTitle") or ("Arguments" if item["kind"] == "positional" else "Options")
        if own != section:
            lines.append(f".SH {text(own.upper())}")
            section = own
        lines += option(item)
    lines += sections
    others = ["pghd", *(f"pghd-{name}" for name in names[1:2] if len(names) > 2)] if len(names) > 1 else []
    if others:
        lines += [".SH SEE ALSO", ",\n".join(f".BR {name} (1)" for name in others)]
    return HEAD + "\n".join(lines) + "\n"


def place(item: dict) -> str:
    name = f"\\fI{text(item['valueName'])}\\fR" + (" ..." if item["isRepeating"] else "")
    return f"[{name}]" if item["isOptional"] else name


def option(item: dict) -> list[str]:
    """An option with what it takes, what it is for, and its default and values, as --help shows them."""
    value = f" \\fI{text(item['valueName'])}\\fR"
    if item["kind"] == "positional":
        head = value.strip()
    else:
        names = [("-" if name["kind"] == "short" else "--") + name["name"] for name in item["names"]]
        if item.get("hasOpposite"):
            names.append("--no-" + item["preferredName"]["name"])
        head = ", ".join(f"\\fB{text(name)}\\fR" for name in names) + (value if item["kind"] == "option" else "")
    notes = []
    if item.get("allValues"):
        notes.append("values: " + ", ".join(item["allValues"]))
    if item.get("defaultValue"):
        notes.append(f"default: {item['defaultValue']}")
    note = f" ({'; '.join(notes)})" if notes else ""
    return [".TP", head, text(item.get("abstract", "") + note)]


def split(discussion: str) -> tuple[list[str], list[str]]:
    """The description and the sections after it: a line of capitals is a heading, an indented line is kept as it is."""
    lines: list[str] = []
    sections: list[str] = []
    target, isLiteral = lines, False
    for line in discussion.split("\n"):
        if isLiteral and not line.startswith("  "):
            target.append(".EE")
            isLiteral = False
        if not line:
            continue
        if re.fullmatch(r"[A-Z ]+", line):
            target = sections
            target.append(f".SH {line}")
        elif line.startswith("  "):
            if not isLiteral:
                target += [".PP"] * (not target[-1:] or not target[-1].startswith(".SH")) + [".EX"]
            isLiteral = True
            target.append(text(line))
        else:
            target += [".PP"] * bool(target and not target[-1].startswith(".SH")) + [text(line)]
    if isLiteral:
        target.append(".EE")
    return lines, sections


def text(words: str) -> str:
    """Plain text for roff: escapes backslashes, typed hyphens, and what would be a request at the start of a line."""
    words = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("~", "\\(ti").replace("…", "...")
    return "\\&" + words if words.startswith((".", "\\(aq")) else words


if __name__ == "__main__":
    main()
