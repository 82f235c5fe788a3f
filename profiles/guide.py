#!/usr/bin/env python3
"""Writes the parts of the implementation guide that follow from something else.

    guide.py          writes them
    guide.py --check  says what differs from what would be written, and then exits with 1

The CodeSystems of Apple's enumerations and the ValueSets come from the ConceptMaps next to this
file; the examples come from samples/bundles, which the tests compare with what the command
writes; the ImplementationGuide comes from all of these. StructureDefinitions, NamingSystems and
CodeSystems of our own are written by hand. Needs nothing but Python.
"""

import json
import sys
from pathlib import Path
from uuid import UUID, uuid5

PROFILES = Path(__file__).resolve().parent
GUIDE, EXAMPLES = PROFILES / "guide", PROFILES / "examples"
SAMPLES = PROFILES.parent / "samples/bundles"

# The identifier of CodeSystem-healthkit.json: names made from it are the same for ever.
NAMESPACE = UUID("503235b8-c6e0-4f8c-a73d-03e42079147b")
APPLE = "http://developer.apple.com/documentation/healthkit"
ENUMERATIONS = "https://developer.apple.com/documentation/healthkit/hk"
UCUM = "http://unitsofmeasure.org"
HEAD = {"version": "1", "status": "active", "experimental": False, "publisher": "pghd"}
# A profile's example is looked for in these samples first, then in all by name, and in the one with everything last.
EXAMPLES_FROM, EXAMPLES_LAST = ("vital-signs", "sleep-across-dst", "blood-pressure", "devices", "time-zones"), "kitchen-sink"


def urn(name):
    return f"urn:uuid:{uuid5(NAMESPACE, name)}"


# --- JSON -------------------------------------------------------------------------


class Number(str):
    """A JSON number as it is written in the text."""


def parse(text):
    return json.loads(text, parse_float=Number, parse_int=Number)


def flat(value):
    """JSON on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)}: {flat(held)}" for key, held in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(flat, value)) + "]"
    return value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def laid_out(value, indent=0, lead=0):
    """JSON in lines of some 112 characters."""
    line = flat(value)
    if not isinstance(value, (dict, list)) or indent and lead + len(line) <= 112:
        return line
    space = " " * (indent + 2)
    if isinstance(value, list):
        inside = [space + laid_out(held, indent + 2, indent + 2) for held in value]
    else:
        inside = [
            f"{space}{json.dumps(key)}: {laid_out(held, indent + 2, indent + len(key) + 6)}"
            for key, held in value.items()
        ]
    opening, closing = "[]" if isinstance(value, list) else "{}"
    return opening + "\n" + ",\n".join(inside) + "\n" + " " * indent + closing


# --- Terminology ------------------------------------------------------------------


def concept_maps():
    return [parse(file.read_text(encoding="utf-8")) for file in sorted(PROFILES.glob("ConceptMap-*.json"))]


def targets(*maps):
    """code → display of all targets, by system, in the order of the files."""
    found = {}
    for concept_map in maps:
        for group in concept_map["group"]:
            for target in (target for element in group["element"] for target in element["target"]):
                if "code" in target:
                    known = found.setdefault(group["target"], {})
                    known[target["code"]] = known.get(target["code"]) or target.get("display")
    return found


def concepts(codes):
    return [{"code": code, "display": display} if display else {"code": code} for code, display in codes.items()]


# Those of electrocardiograms. No ConceptMap has their texts, since an export writes them in the phone's language.
CLASSIFICATIONS = {
    ENUMERATIONS + "electrocardiogram/classification": {
        "1": "sinus rhythm",
        "2": "atrial fibrillation",
        "3": "inconclusive low heart rate",
        "4": "inconclusive high heart rate",
        "5": "inconclusive poor reading",
        "6": "inconclusive other",
        "100": "unrecognized",
    }
}


def enumerations(maps):
    """A CodeSystem for each enumeration of Apple's: raw numbers, and the words of the cases."""
    for system, codes in sorted([*targets(*maps).items(), *CLASSIFICATIONS.items()]):
        if not system.startswith(ENUMERATIONS):
            continue
        name = system.removeprefix(APPLE.replace("http:", "https:") + "/").replace("/", "-")
        yield f"CodeSystem-{name}.json", {
            "resourceType": "CodeSystem",
            "id": name,
            "url": system,
            "identifier": [{"system": "urn:ietf:rfc:3986", "value": urn(f"CodeSystem/{name}")}],
            "name": name.replace("hk", "HK", 1).replace("-", ""),
            "title": f"Apple's enumeration {name}",
            **HEAD,
            "description": "Cases of one of Apple's enumerations that pghd writes: the code is the raw number, the"
            " display the words of its name. The system belongs to Apple, who publishes no FHIR CodeSystem.",
            "caseSensitive": True,
            "content": "fragment",
            "concept": concepts(dict(sorted(codes.items(), key=lambda pair: (len(pair[0]), pair[0])))),
        }


def value_set(name, title, description, include, copyright=None):
    return f"ValueSet-{name}.json", {
        "resourceType": "ValueSet",
        "id": f"pghd-{name}",
        "url": urn(f"ValueSet/{name}"),
        "name": "HealthKit" + "".join(word.capitalize() for word in name.split("-")),
        "title": title,
        **HEAD,
        "description": description,
        **({"copyright": copyright} if copyright else {}),
        "compose": {"include": include},
    }


def value_sets(maps):
    by_id = {concept_map["id"]: concept_map for concept_map in maps}
    for kind in ("quantity", "category"):
        yield value_set(
            f"{kind}-types",
            f"HealthKit {kind} types",
            f"Apple's identifiers of {kind} types.",
            [{"system": APPLE, "filter": [{"property": "kind", "op": "=", "value": kind}]}],
        )
    # Without displays: a unit's name depends on what is measured, and none is UCUM's own.
    units = dict.fromkeys(targets(by_id["healthkit-units"])[UCUM])
    yield value_set(
        "units",
        "Units of HealthKit quantities",
        "The UCUM codes that HealthKit's units become (ConceptMap healthkit-units).",
        [{"system": UCUM, "concept": concepts(units)}],
        by_id["healthkit-units"]["copyright"],
    )
    values = targets(by_id["healthkit-category-values"])
    yield value_set(
        "category-values",
        "Values of HealthKit categories",
        "The codes that values of category samples become (ConceptMap healthkit-category-values).",
        [
            {"system": system} if system.startswith(ENUMERATIONS) else {"system": system, "concept": concepts(codes)}
            for system, codes in sorted(values.items())
        ],
        by_id["healthkit-category-values"]["copyright"],
    )
    yield value_set(
        "sleep-values",
        "Stages of sleep",
        "In bed, awake, and the stages of sleep that Apple tells apart.",
        [{"system": ENUMERATIONS + "categoryvaluesleepanalysis"}],
    )


# --- Examples ---------------------------------------------------------------------


def sample_resources():
    """Every resource of the samples by type and id, those from the best samples first."""
    files = sorted(file for file in SAMPLES.glob("*.ndjson") if "conditional" not in file.name)
    best = [f"{name}.ndjson" for name in EXAMPLES_FROM]
    # What a sample gives without options comes before what it gives with options.
    files.sort(
        key=lambda file: (
            best.index(file.name) if file.name in best else len(best),
            file.name.startswith(EXAMPLES_LAST),
            file.name.count("."),
        )
    )
    found = {}
    for file in files:
        for line in file.read_text(encoding="utf-8").strip().split("\n"):
            for entry in parse(line).get("entry", []):
                found.setdefault(entry["request"]["url"], entry["resource"])
    return found


def score(resource):
    """How much an example shows: standard codes, a value, a device."""
    codings = resource.get("code", {}).get("coding", [])
    value = any(key.startswith("value") and key != "valueString" for key in resource)
    return (len(codings) > 1) + value + ("device" in resource) + ("version" in resource) + ("modelNumber" in resource)


def claim(resource):
    """Our profile, which is the last one; a Patient claims none."""
    return resource.get("meta", {}).get("profile", [None])[-1]


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("reference"), str):
            yield value["reference"]
        for held in value.values():
            yield from references(held)
    elif isinstance(value, list):
        for held in value:
            yield from references(held)


def examples(definitions):
    """(file, resource, profile) of one example for each profile, and of everything that it refers to."""
    resources, written = sample_resources(), {}
    by_url = {definition["url"]: definition for definition in definitions}
    claimed = {}
    for name, resource in resources.items():
        claimed.setdefault(claim(resource), []).append(name)
    for definition in definitions:
        names = claimed.get(definition["url"])
        if names:
            written[max(names, key=lambda name: score(resources[name]))] = definition
    waiting = list(written)
    while waiting:
        for name in references(resources[waiting.pop()]):
            if name not in written and name in resources and claim(resources[name]) in by_url:
                written[name] = by_url[claim(resources[name])]
                waiting.append(name)
    for name, definition in sorted(written.items()):
        yield name.replace("/", "-") + ".json", resources[name], definition


# --- The guide --------------------------------------------------------------------


def implementation_guide(parts, shown):
    listed = []
    for part in sorted(parts, key=lambda part: (part["resourceType"], part["id"])):
        name = part.get("title") or part["name"]
        listed.append({"reference": {"reference": f"{part['resourceType']}/{part['id']}"}, "name": name})
    for _, resource, definition in shown:
        name = f"Example: {definition['title']}"
        reference = {"reference": f"{resource['resourceType']}/{resource['id']}"}
        listed.append({"reference": reference, "name": name, "exampleCanonical": definition["url"]})
    return {
        "resourceType": "ImplementationGuide",
        "id": "pghd",
        "url": urn("ImplementationGuide"),
        "name": "HealthKitExport",
        "title": "Apple Health exports in FHIR R4",
        **HEAD,
        "description": "What pghd makes of an Apple Health export: profiles of what it writes, the terminology, and an"
        " example of each (docs/profiles.md).",
        "packageId": "pghd",
        "license": "Apache-2.0",
        "fhirVersion": ["4.0.1"],
        # Workouts have its codes.
        "dependsOn": [
            {
                "uri": "http://hl7.org/fhir/us/physical-activity/ImplementationGuide/hl7.fhir.us.physical-activity",
                "packageId": "hl7.fhir.us.physical-activity",
                "version": "1.0.0",
            }
        ],
        "definition": {"resource": listed},
    }


def generated():
    """The text of each file that is written, and the files that are written by hand."""
    maps = concept_maps()
    files = {GUIDE / name: part for name, part in [*enumerations(maps), *value_sets(maps)]}
    by_hand = [*PROFILES.glob("*.json"), *GUIDE.glob("StructureDefinition-*.json"), *GUIDE.glob("NamingSystem-*.json")]
    # Systems of our own are not Apple's enumerations.
    systems = {file: parse(file.read_text(encoding="utf-8"))["url"] for file in GUIDE.glob("CodeSystem-*.json")}
    by_hand += [file for file, url in systems.items() if not url.startswith(ENUMERATIONS)]
    parts = [parse(file.read_text(encoding="utf-8")) for file in sorted(by_hand)] + list(files.values())
    shown = list(examples([part for part in parts if part["resourceType"] == "StructureDefinition"]))
    files |= {EXAMPLES / name: resource for name, resource, _ in shown}
    files[GUIDE / "ImplementationGuide-pghd.json"] = implementation_guide(parts, shown)
    return {file: laid_out(part) + "\n" for file, part in files.items()}, set(by_hand)


def main():
    texts, by_hand = generated()
    present = {*GUIDE.glob("*.json"), *EXAMPLES.glob("*.json")} - by_hand
    if "--check" in sys.argv[1:]:
        old = [file for file, text in texts.items() if not file.exists() or file.read_text(encoding="utf-8") != text]
        for file in sorted({*old, *(present - texts.keys())}):
            print(f"{file.relative_to(PROFILES.parent)}: is not what guide.py writes: run `make profiles`")
        sys.exit(bool(old or present - texts.keys()))
    for folder in (GUIDE, EXAMPLES):
        folder.mkdir(exist_ok=True)
    for file in present - texts.keys():
        file.unlink()
    for file, text in texts.items():
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
