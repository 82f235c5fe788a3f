"""What an electrocardiogram's file is mapped to, by docs/formats.md."""

import hashlib
import re
import unicodedata
from decimal import Decimal

import pghd1
from pghd1 import Mapped, seconds

NUMBER = re.compile(r"[-+\u2212]?\d{1,9}(?:[.,]\d{1,9})?")
MICROVOLTS = ("\u00b5V", "\u03bcV", "uV")


def fields_of(line):
    """Label and value of a row; further separators belong to the value."""
    match = re.match(r'\s*("(?:[^"]|"")*"?|[^,;\t]*)[^,;\t]*(?:[,;\t](.*))?', line, re.S)
    return [clean(unquoted(part or "")) for part in match.groups()]


def unquoted(text):
    match = re.match(r' *"((?:[^"]|"")*)', text, re.S)
    return match[1].replace('""', '"') if match else text


def clean(text):
    """Text with plain spaces and none at its ends."""
    return "".join(" " if c.isspace() or unicodedata.category(c) == "Cc" else c for c in text).strip(" ")


def decimal(text):
    return Decimal(text.replace(",", ".").replace("\u2212", "-"))


def electrocardiogram(scheme, data):
    lines = [line for line in re.split("\r\n|\r|\n", data.decode("utf-8-sig")) if line.strip(" \t,;")]
    first = next(place for place, line in enumerate(lines) if NUMBER.fullmatch(line.strip(" \t,;")))
    rows = [fields_of(line)[1] for line in lines[:first]]
    date = next(place for place, value in enumerate(rows) if seconds(value.encode()) is not None)
    classification, symptoms, software, device, rate, lead, unit = rows[date + 1 :]
    recorded = seconds(rows[date].encode())
    samples = [decimal(line.strip(" \t,;")) for line in lines[first:]]
    written = max(-sample.as_tuple().exponent for sample in samples)

    least = next(places for places in range(10) if all(sample.scaleb(places) % 1 == 0 for sample in samples))
    text = " ".join([str(least), *(str(int(sample.scaleb(least))) for sample in samples)])
    tail = [str(recorded).encode(), b"", hashlib.sha256(text.encode()).hexdigest().encode()]
    digest = scheme.named(b"Electrocardiogram", b"HKElectrocardiogram", b"", pghd1.SEPARATOR.join(tail))

    is_first_lead = re.search("(?<![A-Za-z])I$", lead)
    said = [
        "Electrocardiogram", classification, symptoms, software, device,
        format(decimal(NUMBER.match(rate)[0]), "f"), "Lead I" if is_first_lead else lead or "Lead",
        "uV" if unit in MICROVOLTS else unit, str(written),
    ]  # fmt: skip
    row = pghd1.Resource(
        "Observation", "h" + digest[:16].hex(), scheme.fields_digest([field.encode() for field in said])
    )
    row.group = b"HKElectrocardiogram"
    is_hardware = re.fullmatch("[A-Za-z]+[0-9]+,[0-9]+", device)
    hardware, name = (device, "") if is_hardware else ("", device)
    described = ["", "", hardware, software if device else "", "", "", "", name]
    if any(described):
        row.device = scheme.device(b"HKDevice", [field.encode() for field in described])
    return Mapped(units=[[row]])
