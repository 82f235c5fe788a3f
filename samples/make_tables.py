#!/usr/bin/env python3
"""Writes the two samples that are tables: all-quantity-types.xml and all-category-types.xml.

    make_tables.py          writes them
    make_tables.py --check  says which is not as it would be written; exit code 1 then

Every type of profiles/ once for each of its units or values, at made-up times and with
made-up values; run again after profiles/ has gained a type, then record the snapshots.
"""

import json
import re
import sys
from datetime import datetime, timedelta
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent
PROFILES = SAMPLES.parent / "profiles"
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record)*)>
]>
<HealthData locale="en_IE">
 <ExportDate value="2024-07-01 08:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-02-29" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet" HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>
"""
ENUMERATIONS = "https://developer.apple.com/documentation/healthkit/"
FORMER_NAME = re.compile(r"The name before iOS (\d+)\.")


def concepts(kind):
    system = json.loads((PROFILES / "CodeSystem-healthkit.json").read_text())
    for concept in sorted(system["concept"], key=lambda concept: concept["code"]):
        properties = {}
        for entry in concept["property"]:
            value = next(entry[key] for key in entry if key.startswith("value"))
            properties.setdefault(entry["code"], []).append(value)
        if properties.get("kind") == [kind] or (kind == "category" and "alias-of" in properties):
            yield concept["code"], properties


def value_names():
    """The names of each enumeration's values, as the map of category values has them, and which iOS ended each."""
    names = {}
    map_ = json.loads((PROFILES / "ConceptMap-healthkit-category-values.json").read_text())
    for group in map_["group"]:
        if group["target"].startswith(ENUMERATIONS):
            for element in group["element"]:
                # A name may mean another number for a single type.
                targets = [target for target in element["target"] if "dependsOn" not in target]
                if targets:
                    former = FORMER_NAME.match(targets[0].get("comment", ""))
                    end = int(former[1]) if former else None
                    names.setdefault(group["target"], []).append((element["code"], end))
    return names


def record(type_, start, minutes, **attributes):
    """One record in Apple's order of attributes."""
    def date(moment):
        return moment.strftime("%Y-%m-%d %H:%M:%S +0100")
    attributes.update(startDate=date(start), endDate=date(start + timedelta(minutes=minutes)))
    order = ["unit", "startDate", "endDate", "value"]
    text = "".join(f' {name}="{attributes[name]}"' for name in order if attributes.get(name) is not None)
    return f' <Record type="{type_}" sourceName="Table" sourceVersion="1.0"{text}/>\n'


def whole(records):
    return HEAD + "".join(records) + "</HealthData>\n"


def quantities():
    start = datetime(2024, 6, 1, 6, 0, 0)
    for type_, properties in concepts("quantity"):
        for place, unit in enumerate(properties["unit"]):
            start += timedelta(minutes=7)
            unit = unit.replace("mmol/L", "mmol&lt;180.1558800000541&gt;/L")
            value = "0.97" if unit == "%" else f"{20 + place}.5"
            yield record(type_, start, place, unit=unit, value=value)


def categories():
    names = value_names()
    start = datetime(2024, 6, 2, 6, 0, 0)
    for type_, properties in concepts("category"):
        systems = properties.get("value-system", [])
        since = float(properties["since-ios"][0]) if "since-ios" in properties else 0
        # A type that came with a new name, or after it, was never written with the former one.
        values = [name for system in systems for name, end in names[system] if end is None or since < end]
        # Absent, a number in digits, and a name that no version has.
        for value in [*values, None, "1", "HKCategoryValueOfTomorrow"]:
            start += timedelta(minutes=7)
            yield record(type_, start, 0 if value is None else 5, value=value)


def main():
    samples = {"all-quantity-types.xml": whole(quantities()), "all-category-types.xml": whole(categories())}
    if sys.argv[1:] == ["--check"]:
        old = [name for name, contents in samples.items() if (SAMPLES / name).read_text() != contents]
        for name in old:
            print(f"samples/{name}: is not what make_tables.py writes: run it")
        sys.exit(bool(old))
    for name, contents in samples.items():
        (SAMPLES / name).write_text(contents)


main()
