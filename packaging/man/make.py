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
ROOT = FOLDER.parent.parent
# Pages that a reader of another looks for next, besides those above it.
RELATED = {
    "convert": ["send", "sync"], "generate": ["convert", "serve"], "inspect": ["convert"],
    "login": ["logout", "status", "keystore"], "logout": ["login", "status"], "send": ["convert", "sync"],
    "serve": ["generate"], "status": ["login", "sync"], "sync": ["login", "status", "verify", "watch"],
    "types": ["convert"], "verify": ["sync"], "watch": ["sync", "status"],
}
# What one page says for all of them; the settings come from docs/sign-in.md.
ENVIRONMENT = {
    "https_proxy, HTTPS_PROXY, http_proxy, all_proxy, ALL_PROXY": "The proxy: the first two for https addresses, the third for "
    "http ones, the last two for both. This machine itself is always reached without one.",
    "no_proxy, NO_PROXY": "The hosts that are reached without a proxy.",
    "HOME": "The home folder, which ~/ in options and settings stands for.",
    "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME": "The folders of settings, keystore and ledgers, if they begin with /.",
    "CREDENTIALS_DIRECTORY": "Where systemd puts the credential pghd.passphrase: the passphrase, if no option or setting "
    "names a file.",
    "TERM, NO_COLOR": "With TERM=dumb there is no line of progress, with NO_COLOR it has no colour.",
    "LC_ALL, LC_CTYPE, LANG": "Whether the terminal's encoding is UTF-8.",
}
FILES = {
    "~/.config/pghd/config.json": "Settings for every run, an object of strings; $XDG_CONFIG_HOME/pghd/config.json.",
    "~/.local/share/pghd/keystore": "Sign-ins and keys, encrypted; $XDG_DATA_HOME/pghd/keystore, or --keystore.",
    "~/.local/state/pghd/*.ledger": "What was sent to a server for a patient; in $XDG_STATE_HOME/pghd, or in --ledger.",
    "~/.local/state/pghd/*.quarantine/": "Why the server refused entries.",
}
HEAD = '.\\" Made by packaging/man/make.py from the command\'s own help: edit that, and run `make man`.\n'


def main() -> None:
    command, *options = sys.argv[1:]
    dump = said(command, "--experimental-dump-help")
    version = said(command, "--version").strip()
    found = commands(json.loads(dump)["command"])
    titles = ["-".join(names) for names, _ in found]
    pages = {f"{title}.1": page(names, node, version, titles) for title, (names, node) in zip(titles, found)}
    there = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.1")}
    if options == ["--check"]:
        old = sorted(name for name in {*pages, *there} if pages.get(name) != there.get(name))
        sys.exit(f"packaging/man: old: {', '.join(old)}: run `make man`" if old else 0)
    for name in there.keys() - pages.keys():
        (FOLDER / name).unlink()
    for name, text in pages.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def released(version: str) -> str:
    """The day of a release, by its heading in the changelog; none before it."""
    heading = rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$"
    found = re.search(heading, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else ""


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


def page(names: tuple[str, ...], node: dict, version: str, titles: list[str]) -> str:
    title, arguments = "-".join(names), shown(node["arguments"])
    lines = [
        f".TH {title.upper()} 1 \"{released(version)}\" \"pghd {version}\" \"pghd manual\"", ".nh", ".SH NAME",
        f"{title} \\- {text(node['abstract'])}",
    ]
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
    groups: dict[str, list[str]] = {}
    for item in arguments:
        own = item.get("sectionTitle") or ("Arguments" if item["kind"] == "positional" else "Options")
        groups.setdefault(own, []).extend(option(item))
    for group, items in groups.items():
        lines += [f".SH {text(group.upper())}", *items]
    lines += sections
    if len(names) == 1:
        lines += [".SH ENVIRONMENT", *described({**settings(), **ENVIRONMENT}), ".SH FILES", *described(FILES)]
        others = titles[1:]
    else:
        others = ["pghd", *(f"pghd-{name}" for name in names[1:2] if len(names) > 2)]
        others += [f"pghd-{name}" for name in RELATED.get(names[1], []) if len(names) == 2]
    lines.append(".SH SEE ALSO")
    lines.append("\n".join(f".BR {name} (1)," for name in others).removesuffix(","))
    return HEAD + "\n".join(lines) + "\n"


def settings() -> dict[str, str]:
    """The variables in the place of options, with what the table in docs/sign-in.md says of them."""
    row = re.compile(r"^\| `(--[a-z-]+)` \| `(PGHD_[A-Z_]+)` \| `\w+` \| (.*) \|$", re.MULTILINE)
    rows = row.findall((ROOT / "docs/sign-in.md").read_text(encoding="utf-8"))
    return {variable: f"As {name}: {meaning.replace('`', '')}." for name, variable, meaning in rows}


def described(items: dict[str, str]) -> list[str]:
    return [line for names, words in items.items() for line in (".TP", f".B {text(names)}", text(words))]


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
