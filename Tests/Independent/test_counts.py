#!/usr/bin/env python3
"""Counts what samples/*.xml hold with Python's own XML parser, and compares with the committed counts.

    python3 Tests/Independent/test_counts.py

Well-formed samples are read by expat, damaged ones by a scan of their lines; `exports.py` says how.
"""

import copy
import json
import re
import sys
import unittest
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import pghd1
from exports import SAMPLES
from families import FAMILIES
from test_identity import Options, SUBJECT, bundler_of, export_of, lines_of, name_of, path_of, snapshots

ELEMENTS = set(
    "ExportDate Me Record Correlation Workout ActivitySummary ClinicalRecord Audiogram VisionPrescription MetadataEntry"
    " HeartRateVariabilityMetadataList InstantaneousBeatsPerMinute WorkoutEvent WorkoutStatistics WorkoutActivity"
    " WorkoutRoute FileReference Location SensitivityPoint Prescription RightEye LeftEye Attachment StateOfMind".split()
)
# Samples of which something can't be used.
FAULTY = {"unknown-things", "activity-rings"}
# Written as they are: all others are counted as left out.
CONVERTED = {"Record", "ExportDate", "Correlation", *FAMILIES}


def reportable(name, names=None):
    """Names are reported if they are Apple's; others could hold anything."""
    if names is not None:
        return name if name in names else "other"
    return name if re.fullmatch(r"HK[A-Za-z0-9]{0,98}", name) else "other"


def counts_of(export, converter):
    """What the file holds, in the words of the report."""
    records = [*export.records, *export.nested]
    # A record without a type is counted as "other".
    types = Counter(reportable(r["type"].decode()) if r.get("type") else "other" for r in records)
    elements = Counter()
    for name, count in export.elements.items():
        elements[reportable(name, ELEMENTS)] += count
    left_out = Counter()
    for name, count in export.top.items():
        if name not in CONVERTED:
            left_out[reportable(name, ELEMENTS)] += count
    for name, count in export.unread.items():
        left_out[reportable(name, ELEMENTS)] += count
    left_out += converter.left_out
    return {
        "complete": export.is_complete,
        "records": dict(types),
        "nestedRecords": len(export.nested),
        "filteredRecords": 0,
        "elements": dict(elements),
        "unmappedElements": dict(left_out),
        "unmappedAttributes": export.unknown_attributes,
        "inPanels": converter.in_panels,
        "withoutPanel": len(converter.cut),
        "leavesOutSummaries": converter.leaves_out_summaries,
        "writtenEarly": 0,
        "files": dict(converter.read),
        "missingFiles": dict(converter.missing),
        "unreadFiles": dict(Counter(export.beside) - converter.read),
    }


def bundle_counts(lines):
    """What the Bundles hold, counted in their text."""
    resources, duplicates = Counter(), 0
    for line in lines:
        ids = set()
        for entry in json.loads(line)["entry"]:
            resource = entry["resource"]
            resources[resource["resourceType"]] += 1
            duplicates += name_of(resource) in ids
            ids.add(name_of(resource))
    return resources, duplicates


def faults(snapshot, lines, counts, export):
    """What in the committed counts differs from what was counted here."""
    options = Options(snapshot.partition(".")[2])
    found = {
        "complete": counts["complete"],
        "records": counts["records"],
        "nestedRecords": counts["nestedRecords"],
        "filteredRecords": counts["filteredRecords"],
        "elements": counts["elements"],
        "unmappedElements": counts["unmapped"]["elements"],
        "unmappedAttributes": sum(counts["unmapped"]["attributes"].values()),
        "inPanels": counts["inPanels"],
        "withoutPanel": counts["withoutPanel"],
        "leavesOutSummaries": counts["leavesOutSummaries"],
        "writtenEarly": counts["writtenEarly"],
        "files": counts["files"],
        "missingFiles": counts["missingFiles"],
        "unreadFiles": counts["unreadFiles"],
    }
    scheme = pghd1.Scheme(SUBJECT, options.key)
    converter = options.converter(bundler_of(lines, options), export)
    converter.convert(export)
    for name, wanted in counts_of(export, converter).items():
        if found[name] != wanted:
            yield f"{snapshot}: {name}: {found[name]} instead of {wanted}"
    resources, doubled = bundle_counts(lines)
    if doubled:
        yield f"{snapshot}: {doubled} entries stand twice in a Bundle"
    if counts["resources"] != dict(resources):
        yield f"{snapshot}: resources: {counts['resources']} instead of {dict(resources)}"
    if counts["bundles"] != len(lines):
        yield f"{snapshot}: bundles: {counts['bundles']} instead of {len(lines)}"
    if counts["entries"] != sum(resources.values()):
        yield f"{snapshot}: entries: {counts['entries']} instead of {sum(resources.values())}"
    if counts["bytesWritten"] != sum(len(line.encode()) + 1 for line in lines):
        yield f"{snapshot}: bytesWritten"

    # Every usable record is an Observation, or is in a panel, or lost against a twin in its Bundle.
    rows = [row for row in map(scheme.observation, export.records) if row]
    written = sum(resources.values()) - resources["Device"] + converter.in_panels + len(converter.cut)
    conflicts = converter.conflicts + converter.bundler.conflicts
    if counts["conflictingDuplicates"] != conflicts:
        yield f"{snapshot}: conflictingDuplicates: {counts['conflictingDuplicates']} instead of {conflicts}"
    if counts["duplicates"] != converter.resources - written:
        yield f"{snapshot}: duplicates: {counts['duplicates']} instead of {converter.resources - written}"
    ids = {name_of(e["resource"])[1] for line in lines for e in json.loads(line)["entry"]}
    # A nutrient covers the copy of itself in a panel, and is written.
    expected = {row.id for row in rows} - {id_ for id_ in converter.covered if id_ not in converter.written}
    expected -= converter.cut
    if not expected <= ids:
        yield f"{snapshot}: not every record is in a Bundle"

    unusable = len(export.records) - len(rows) + converter.unusable
    unusable += sum(pghd1.unusable(record) for record in export.nested)
    if counts["malformationCounts"].get("unusableRecord", 0) != unusable:
        yield f"{snapshot}: unusableRecord: not {unusable}"
    backwards = sum(
        pghd1.seconds(r.get("endDate")) < pghd1.seconds(r.get("startDate"))
        for r in export.records
        if scheme.observation(r)
    )
    backwards += converter.backwards
    if counts["malformationCounts"].get("endBeforeStart", 0) != backwards:
        yield f"{snapshot}: endBeforeStart: not {backwards}"
    if len(counts["malformations"]) != sum(counts["malformationCounts"].values()):
        yield f"{snapshot}: malformations and their counts differ"


def counts_file(snapshot):
    return json.loads((SAMPLES / "bundles" / f"{snapshot}.counts.json").read_text())


class Samples(unittest.TestCase):
    def test_each_sample_has_the_committed_counts(self):
        self.assertGreater(len(snapshots()), 30)
        for snapshot in snapshots():
            with self.subTest(snapshot):
                self.assertEqual(
                    [], list(faults(snapshot, lines_of(snapshot), counts_file(snapshot), export_of(snapshot)))
                )

    def test_exactly_the_damaged_samples_count_as_damaged(self):
        damaged = {p.stem for p in SAMPLES.glob("damaged-*.xml")}
        for snapshot in snapshots():
            counts = counts_file(snapshot)
            is_damaged = not counts["complete"] or bool(counts["malformationCounts"])
            # The DTD of iOS 16 is broken, its records are not; unknown-things holds a record without a type.
            expected = snapshot.partition(".")[0] in damaged - {"damaged-dtd"} or snapshot in FAULTY
            self.assertEqual(is_damaged, expected, snapshot)

    def test_the_line_of_each_malformation_is_that_of_its_byte(self):
        for snapshot in snapshots():
            path = path_of(snapshot)
            data = (path / "export.xml" if path.is_dir() else path).read_bytes()
            for fault in counts_file(snapshot)["malformations"]:
                self.assertLessEqual(fault["byte"], len(data))
                self.assertEqual(data[: fault["byte"]].count(b"\n") + 1, fault["line"], (snapshot, fault))


class TestOfTheTest(unittest.TestCase):
    """The comparison must notice what it is there to notice."""

    def test_any_changed_number_is_noticed(self):
        snapshot = "duplicates"
        text = (SAMPLES / "bundles" / f"{snapshot}.counts.json").read_text()
        lines, export = lines_of(snapshot), export_of(snapshot)
        self.assertEqual([], list(faults(snapshot, lines, json.loads(text), export)))
        places = [m for m in re.finditer(r": ([0-9]+)", text) if "bytesRead" not in text[m.start() - 12 : m.start()]]
        self.assertGreater(len(places), 10)
        for place in places:
            changed = text[: place.start(1)] + str(int(place[1]) + 1) + text[place.end(1) :]
            found = list(faults(snapshot, lines, json.loads(changed), export))
            self.assertTrue(found, text[place.start() - 30 : place.end()])

    def test_one_more_file_is_noticed(self):
        snapshot = "kitchen-sink.patient-routes-summed"
        lines, export = lines_of(snapshot), export_of(snapshot)
        self.assertEqual([], list(faults(snapshot, lines, counts_file(snapshot), export)))
        for key in ("files", "missingFiles", "unreadFiles"):
            kinds = list(counts_file(snapshot)[key])
            self.assertGreater(len(kinds), 1)
            for kind in kinds:
                counts = counts_file(snapshot)
                counts[key][kind] += 1
                self.assertTrue(list(faults(snapshot, lines, counts, export)), (key, kind))

    def test_one_more_or_one_less_record_is_noticed(self):
        snapshot = "two-sources"
        for change in [
            lambda export: export.items.pop(),
            lambda export: export.items.append(dict(export.records[0], value=b"1234")),
            lambda export: export.nested.append(export.records[0]),
            lambda export: export.items.append(export.records[0]),
        ]:
            export = copy.deepcopy(export_of(snapshot))
            change(export)
            self.assertTrue(list(faults(snapshot, lines_of(snapshot), counts_file(snapshot), export)))

    def test_an_entry_that_occurs_twice_is_noticed(self):
        snapshot = "two-sources"
        lines = lines_of(snapshot)
        bundle = json.loads(lines[-1])
        bundle["entry"].append(bundle["entry"][0])
        lines[-1] = json.dumps(bundle, separators=(",", ":"))
        found = list(faults(snapshot, lines, counts_file(snapshot), export_of(snapshot)))
        self.assertTrue(any("stand twice" in fault for fault in found))


if __name__ == "__main__":
    unittest.main()
