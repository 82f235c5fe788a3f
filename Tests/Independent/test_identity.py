#!/usr/bin/env python3
"""Recomputes the ids, Devices, Bundles and keys of samples/bundles from docs/formats.md.

    python3 Tests/Independent/test_identity.py
"""

import copy
import json
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
import pghd1
from exports import SAMPLES
from electrocardiograms import electrocardiogram
from families import FAMILIES
from summaries import summaries

SUBJECT = "Patient/sample"
RESOURCE_SYSTEM = "urn:uuid:5c4f3f8e-6d0a-5b56-9d0b-5f8f6e4d7a10"
GATEWAY = "http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice"
BUNDLE_SYSTEM = "urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47"


def uuid_of(id_):
    digits = list(id_[1:])
    digits[12] = "8"
    digits[16] = "89ab"[int(digits[16], 16) & 3]
    text = "".join(digits)
    return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


class Options:
    """What the variant in a snapshot's name stands for (samples/README.md)."""

    def __init__(self, variant):
        words = variant.split("-") if variant else []
        self.conditional = "conditional" in words
        self.includes_patient = "patient" in words
        self.includes_routes = "routes" in words
        self.summarizes = "summed" in words
        self.zone = "Asia/Kathmandu" if "zoned" in words else None
        self.key = bytes(range(32)) if "keyed" in words else None
        self.limits = {"max_entries": 40, "max_bytes": 30000} if "small" in words else {}
        if "few" in words:
            self.limits = {"max_entries": 40}
        if "tiny" in words:
            self.limits = {"max_entries": 7 if self.conditional else 3}
        said = {"conditional": self.conditional, f"time-zone={self.zone}": self.zone}
        self.text = ";".join(text for text, is_said in said.items() if is_said)

    def converter(self, bundler, export):
        """A converter with these options, which it also passes to the export."""
        export.includes_patient, export.includes_routes = self.includes_patient, self.includes_routes
        export.summarizes, export.zone = self.summarizes, self.zone
        return pghd1.Converter(pghd1.Scheme(SUBJECT, self.key), bundler, FAMILIES, electrocardiogram, summaries)


def entry_texts(line):
    """The entries of a Bundle's line as they are, byte for byte."""
    decoder = json.JSONDecoder()
    place = line.index('"entry":[') + len('"entry":[')
    while line[place] != "]":
        _, end = decoder.raw_decode(line, place)
        yield line[place:end]
        place = end + (line[end] == ",")


def name_of(resource):
    """Type and id; a Patient has no identifier of ours."""
    type_ = resource["resourceType"]
    return type_, resource["id"] if type_ == "Patient" else resource["identifier"][0]["value"]


def bundler_of(lines, options):
    """A bundler that takes the sizes of entries from what was written."""
    texts = {}
    for line in lines:
        for text, entry in zip(entry_texts(line), json.loads(line)["entry"]):
            texts.setdefault(name_of(entry["resource"]), text)

    def size(resource):
        # An entry that is not found because its id is wrong gets some size; the ids are compared anyway.
        return len(texts.get((resource.type, resource.shown_id), " " * 1000).encode())

    return pghd1.Bundler(size, conditional=options.conditional, **options.limits)


def faults(snapshot, lines, export):
    """What in `lines` is not as the page says."""
    options = Options(snapshot.partition(".")[2])
    # Numbers stay the text that they are.
    bundles = [(json.loads(line, parse_int=str, parse_float=str), list(entry_texts(line))) for line in lines]
    bundler = bundler_of(lines, options)
    wanted = options.converter(bundler, export).convert(export)
    if len(wanted) != len(bundles):
        yield f"{len(bundles)} Bundles instead of {len(wanted)}"
    for number, (entries, (bundle, _)) in enumerate(zip(wanted, bundles), 1):
        where = f"{snapshot}.ndjson:{number}"
        found = [name_of(e["resource"]) for e in bundle["entry"]]
        if found != [(entry.type, entry.shown_id) for entry in entries]:
            yield f"{where}: entries differ: {found[:3]}… instead of {[(e.type, e.id) for e in entries][:3]}…"
        key = pghd1.key_of(entries, SUBJECT, options.text)
        if bundle["identifier"] != {"system": BUNDLE_SYSTEM, "value": key}:
            yield f"{where}: key {bundle['identifier']['value']} instead of {key}"
        if not lines[number - 1].startswith(pghd1.FRAME[: pghd1.FRAME.index("0" * 64)] + bundle["identifier"]["value"]):
            yield f"{where}: does not begin as a Bundle does"
        rows = {entry.id: entry for entry in entries}
        for entry in bundle["entry"]:
            yield from (f"{where}: {fault}" for fault in entry_faults(entry, rows, options))


def entry_faults(entry, rows, options):
    """What is wrong in one entry, as far as names are concerned."""
    resource = entry["resource"]
    type_ = resource["resourceType"]
    id_ = name_of(resource)[1]
    if type_ == "Patient":
        if entry["request"] != {"method": "PUT", "url": SUBJECT, "ifNoneMatch": "*"} or "identifier" in resource:
            yield "wrong Patient"
        return

    def reference(device):
        return "urn:uuid:" + uuid_of(device.id) if options.conditional else "Device/" + device.id

    if resource["identifier"][0]["system"] != RESOURCE_SYSTEM:
        yield "wrong identifier system"
    if options.conditional:
        expected = {"method": "POST", "url": type_, "ifNoneExist": f"identifier={RESOURCE_SYSTEM}|{id_}"}
        if "id" in resource or entry.get("fullUrl") != "urn:uuid:" + uuid_of(id_):
            yield f"{id_}: wrong fullUrl, or an id"
    else:
        expected = {"method": "PUT", "url": f"{type_}/{id_}"}
        if resource.get("id") != id_ or "fullUrl" in entry:
            yield f"{id_}: id is not the identifier, or there is a fullUrl"
    if entry["request"] != expected:
        yield f"{id_}: wrong request"
    if type_ not in ("Observation", "DocumentReference"):
        if resource["patient"] != {"reference": SUBJECT}:
            yield f"{id_}: wrong patient"
        return
    row = rows.get(id_)
    if not row:
        yield f"{id_}: no record has this id"
        return
    if resource["subject"] != {"reference": SUBJECT}:
        yield f"{id_}: wrong subject"
    if type_ == "DocumentReference":
        if [author["reference"] for author in resource.get("author", [])] != [reference(d) for d in row.devices]:
            yield f"{id_}: wrong author"
        related = resource.get("context", {}).get("related", [])
        if [panel["identifier"]["value"] for panel in related] != ([row.panel] if row.panel else []):
            yield f"{id_}: wrong workout"
        return
    if row.status is not None and resource["status"] != row.status:
        yield f"{id_}: wrong status"
    if row.value is not None and resource["valueQuantity"]["value"] != row.value:
        yield f"{id_}: wrong value"
    device = resource.get("device", {}).get("reference")
    if device != (reference(row.device) if row.device else None):
        yield f"{id_}: wrong device"
    extensions = {e["url"]: e for e in resource.get("extension", [])}
    gateway = extensions.get(GATEWAY, {}).get("valueReference", {}).get("reference")
    if gateway != (reference(row.gateway) if row.gateway else None):
        yield f"{id_}: wrong gateway device"
    prefix = "urn:uuid:" if options.conditional else "Observation/"
    members = [prefix + (uuid_of(member) if options.conditional else member) for member in row.members]
    if [member["reference"] for member in resource.get("hasMember", [])] != members:
        yield f"{id_}: wrong members"
    if options.conditional and not {member for member in row.members} <= rows.keys():
        yield f"{id_}: a member is not in the Bundle"
    if row.components is not None:
        found = [component.get("valueQuantity", {}).get("value") for component in resource["component"]]
        if found != row.components or [c["code"]["coding"][0]["code"] for c in resource["component"]] != ["8480-6", "8462-4"]:
            yield f"{id_}: wrong components"
        for component in resource["component"]:
            quantity = component.get("valueQuantity", {"unit": "mmHg", "code": "mm[Hg]"})
            if (quantity["unit"], quantity["code"]) != ("mmHg", "mm[Hg]"):
                yield f"{id_}: wrong unit"
            if ("valueQuantity" in component) == ("dataAbsentReason" in component):
                yield f"{id_}: a component without a value or a reason"


def snapshots():
    return sorted(path.name.removesuffix(".ndjson") for path in (SAMPLES / "bundles").glob("*.ndjson"))


def lines_of(snapshot):
    # Not splitlines(): names may contain U+2028.
    return (SAMPLES / "bundles" / f"{snapshot}.ndjson").read_text().split("\n")[:-1]


def path_of(snapshot):
    """The sample that a snapshot belongs to."""
    name = snapshot.partition(".")[0]
    if name.startswith("electrocardiogram-"):
        return SAMPLES / "electrocardiograms" / f"{name.partition('-')[2]}.csv"
    folder = SAMPLES / name
    return folder if folder.is_dir() else SAMPLES / f"{name}.xml"


def export_of(snapshot):
    return exports.read(path_of(snapshot))


class Samples(unittest.TestCase):
    def test_each_sample_has_the_ids_bundles_and_keys_of_the_page(self):
        self.assertGreater(len(snapshots()), 30)
        for snapshot in snapshots():
            with self.subTest(snapshot):
                self.assertEqual([], list(faults(snapshot, lines_of(snapshot), export_of(snapshot))))

    def test_ids_are_unique_across_types(self):
        seen = {}
        for sample in SAMPLES.glob("*.xml"):
            for record in exports.read(sample).records:
                row = pghd1.Scheme(SUBJECT).observation(record)
                if row:
                    for resource in [row, *row.devices]:
                        kind = (resource.type, resource.group.replace(b"Environmental", b""))
                        self.assertEqual(seen.setdefault(resource.id, kind), kind)

    def test_samples_of_the_same_data_have_the_same_ids(self):
        def ids(name):
            rows = [pghd1.Scheme(SUBJECT).observation(record) for record in exports.read(SAMPLES / name).records]
            return [row.id for row in rows]

        for one, two in [
            ("kilograms.xml", "pounds.xml"),
            ("summer-export.xml", "winter-export.xml"),
            ("renamed-phone-before.xml", "renamed-phone-after.xml"),
        ]:
            self.assertEqual(ids(one), ids(two))
            self.assertEqual(len(set(ids(one))), len(ids(one)))


class TestOfTheTest(unittest.TestCase):
    """The comparison must notice what it is there to notice."""

    def faults_after(self, change, snapshot="two-sources"):
        lines = lines_of(snapshot)
        export = copy.deepcopy(export_of(snapshot))
        lines, export = change(lines, export)
        return list(faults(snapshot, lines, export))

    def test_an_unchanged_snapshot_has_no_fault(self):
        self.assertEqual([], self.faults_after(lambda lines, export: (lines, export)))

    def test_a_changed_digit_of_any_id_or_key_is_noticed(self):
        lines = lines_of("two-sources")
        places = [(n, m.start(1)) for n, line in enumerate(lines) for m in re.finditer(r"\b([0-9a-f]{64}|h[0-9a-f]{32})\b", line)]
        self.assertGreater(len(places), 50)
        for number, place in places:
            place += 20
            digit = "0" if lines[number][place] != "0" else "1"
            changed = lines[number][:place] + digit + lines[number][place + 1 :]
            found = self.faults_after(lambda lines, export: ([*lines[:number], changed, *lines[number + 1 :]], export))
            self.assertTrue(found, f"line {number + 1}, column {place + 1}")

    def test_a_changed_record_is_noticed(self):
        for field, value in [
            ("value", b"999"), ("startDate", b"2024-06-04 09:59:59 +0100"), ("sourceVersion", b"18"),
            ("unit", b"count/min"), ("type", b"HKQuantityTypeIdentifierPushCount"), ("sourceName", b"Other"),
            ("device", b"<<HKDevice: 0x1>, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,5>"),
            ("metadata", [(b"key", b"value")]),
        ]:
            def change(lines, export):
                export.records[0][field] = value
                return lines, export

            self.assertTrue(self.faults_after(change), field)

    def test_a_changed_beat_electrocardiogram_summary_and_route_are_noticed(self):
        def beat(lines, export):
            record = next(record for record in export.records if "beats" in record)
            rate, time = record["beats"][1]
            record["beats"][1] = (rate, time.replace(b"20", b"21"))
            return lines, export

        def sample(lines, export):
            export.electrocardiograms[0] = export.electrocardiograms[0].replace(b"-265,868", b"-265,869")
            return lines, export

        def symptom(lines, export):
            export.electrocardiograms[0] = export.electrocardiograms[0].replace(b"Sinusrhythmus", b"Anderes")
            return lines, export

        def exported(lines, export):
            export.date = export.date.replace(b"2024-06-16", b"2024-06-17")
            return lines, export

        def location(lines, export):
            for workout in export.items:
                for route in workout.named("WorkoutRoute") if not isinstance(workout, dict) else ():
                    for place in route.named("Location")[:1]:
                        place.attributes["altitude"] += b"1"
            return lines, export

        def ring(lines, export):
            for item in export.items:
                if not isinstance(item, dict) and item.get("activeEnergyBurned"):
                    item.attributes["activeEnergyBurned"] += b"1"
            return lines, export

        def file(lines, export):
            export.folder = None
            return lines, export

        for snapshot, change in [
            ("kitchen-sink.patient-routes-summed", file), ("kitchen-sink.patient-routes-summed", location),
            ("heart-beats", beat), ("electrocardiogram-german", sample), ("electrocardiogram-german", symptom),
            ("summaries.summed", exported), ("workouts.routes", location), ("activity-rings", ring),
        ]:
            self.assertEqual([], self.faults_after(lambda lines, export: (lines, export), snapshot))
            self.assertTrue(self.faults_after(change, snapshot), (snapshot, change.__name__))

    def test_each_changed_value_of_a_daily_summary_is_noticed(self):
        snapshot = "summaries.summed"
        lines = lines_of(snapshot)
        summaries = [n for n, line in enumerate(lines) if '"code":"summary"' in line]
        self.assertGreater(len(summaries), 4)
        for number in summaries:
            for place in re.finditer(r'"valueQuantity":{"value":([0-9.]+)(?=[^}]*}(?:,"component"|}))', lines[number]):
                if lines[number].rfind('"component"', 0, place.start()) > lines[number].rfind('"identifier"', 0, place.start()):
                    continue  # stages of sleep are in the digest only
                changed = lines[number][: place.start(1)] + "9" + lines[number][place.start(1) :]
                found = self.faults_after(
                    lambda lines, export: ([*lines[:number], changed, *lines[number + 1 :]], export), snapshot
                )
                self.assertTrue(found, f"line {number + 1}, column {place.start(1) + 1}")

    def test_a_lost_bundle_and_a_lost_entry_are_noticed(self):
        self.assertTrue(self.faults_after(lambda lines, export: (lines[:-1], export), "bundle-cuts"))
        def lose(lines, export):
            bundle = json.loads(lines[-1])
            del bundle["entry"][3]
            return [*lines[:-1], json.dumps(bundle, separators=(",", ":"), ensure_ascii=False)], export

        self.assertTrue(self.faults_after(lose, "bundle-cuts"))

    def test_a_changed_order_of_entries_is_noticed(self):
        def swap(lines, export):
            bundle = json.loads(lines[-1])
            bundle["entry"].reverse()
            return [*lines[:-1], json.dumps(bundle, separators=(",", ":"), ensure_ascii=False)], export

        self.assertTrue(self.faults_after(swap))


class Rules(unittest.TestCase):
    """Values from the page, so that the re-implementation itself is checked against it."""

    def test_numbers_have_the_canonical_form_of_the_page(self):
        for value, unit, wanted in [
            (b"72", b"count/min", b"72"), (b"81.25", b"kg", b"81200"), (b"179.126", b"lb", b"81200"),
            (b"98.6", b"degF", b"37"), (b"310.15", b"K", b"37"), (b"0.97", b"%", b"0.97"), (b"12345678", b"count", b"12300000"),
            (b"-0.0", b"count", b"0"), (b"5", b"furlong", b"5 furlong"), (b"5", None, b"5"), (b"seventy", b"kg", b"seventy"),
            (b"5.5", b"mmol<180.1558800000541>/L", b"99.1"), (b"36", b"km/hr", b"10"), (b"1e3", b"g", b"1000"),
        ]:
            record = {"value": value, **({"unit": unit} if unit else {})}
            self.assertEqual(pghd1.identity_value(record, b"Quantity"), wanted, (value, unit))

    def test_dates_are_read_as_the_page_says(self):
        self.assertEqual(pghd1.seconds(b"1970-01-01 00:00:00 +0000"), 0)
        self.assertEqual(pghd1.seconds(b"2024-03-31 01:59:59 +0100"), pghd1.seconds(b"2024-03-31 00:59:59 +0000"))
        self.assertEqual(pghd1.seconds(b"1969-12-31 23:59:59 +0000"), -1)
        for text in [b"2024-02-30 00:00:00 +0000", b"2024-01-01T00:00:00+0000", b"2024-01-01 24:00:00 +0000", None]:
            self.assertIsNone(pghd1.seconds(text))


if __name__ == "__main__":
    unittest.main()
