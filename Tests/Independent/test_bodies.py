#!/usr/bin/env python3
"""Writes Patients, VisionPrescriptions and electrocardiograms from docs/formats.md, and compares.

    python3 Tests/Independent/test_bodies.py

Numbers are compared as text. test_identity.py checks ids and digests.
"""

import json
import re
import sys
import unittest
from datetime import timedelta
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parent))
import pghd1
from electrocardiograms import MICROVOLTS, NUMBER, decimal, fields_of
from test_identity import Options, export_of, lines_of, snapshots

APPLE = "http://developer.apple.com/documentation/healthkit"
UCUM = "http://unitsofmeasure.org"
MDC = "urn:iso:std:iso:11073:10101"
CLASSIFICATION = "https://developer.apple.com/documentation/healthkit/hkelectrocardiogram/classification"
TZ_CODE = "http://hl7.org/fhir/StructureDefinition/tz-code"
ME = "HKCharacteristicTypeIdentifier"


def coding(system, code, display):
    return {"system": system, "code": code, "display": display}


def quantity(value, unit, code):
    return {"value": value, "unit": unit, "system": UCUM, "code": code}


def half_even(value, digits):
    return Context(prec=digits, rounding=ROUND_HALF_EVEN).create_decimal(value)


# --- Patient ------------------------------------------------------------------------


def patient(me):
    said = {"resourceType": "Patient", "id": "sample", "active": True}
    sex = (me.get(ME + "BiologicalSex") or b"").decode().removeprefix("HKBiologicalSex").lower()
    if sex in ("female", "male", "other"):
        said["gender"] = sex
    birth = me.get(ME + "DateOfBirth")
    if birth := pghd1.birth_date(birth or b""):
        said["birthDate"] = birth.decode()
    return said


# --- VisionPrescription -------------------------------------------------------------

MILLIMETRES = {"mm": 0, "cm": 1, "m": 3}
UNITS = {
    **dict.fromkeys(["sphere", "cylinder", "add"], {"D": 0}), "prismAmount": {"pD": 0},
    **dict.fromkeys(["axis", "prismAngle"], {"deg": 0, "°": 0, "rad": None}),
    **dict.fromkeys(["vertex", "farPD", "nearPD", "baseCurve", "diameter"], MILLIMETRES),
}  # fmt: skip


def moved(text, power):
    """A number in FHIR's unit: with its point moved, or radians as degrees."""
    if power is None:
        product = half_even(half_even(Decimal(text), 18) * Decimal("57.2957795130823209"), 18)
        return format(half_even(product, pghd1.digits_of(text.encode())).normalize(), "f")
    return text if power == 0 else format(Decimal(text).scaleb(power), "f")


def degrees(text):
    """The whole number, and whether it is what the text says except for rounding noise."""
    quiet = half_even(text, 5)
    whole = quiet.quantize(Decimal(1), rounding=ROUND_HALF_EVEN)
    return str(int(whole)), whole == quiet


def lens(element, product, brand, right):
    said = {}
    for name, units in UNITS.items():
        value, unit = ((element.get(key) or b"").decode() for key in (name, name + "Unit"))
        if value and unit in units and pghd1.number_of(value.encode()) is not None:
            said[name] = moved(value, units[unit])
    if "axis" in said and abs(int(degrees(said["axis"])[0])) >= 2**31:
        del said["axis"]
    eye = "right" if element.name == "RightEye" else "left"
    if eye == "left" and right and all(element.get(key) == right.get(key) for key in ("nearPD", "nearPDUnit")):
        said.pop("nearPD", None)
    power = said.pop("sphere", None) if product["code"] == "contact" else None
    parts, values = [], {name: said[name] for name in ("sphere", "cylinder") if name in said}
    if "axis" in said:
        values["axis"], is_whole = degrees(said["axis"])
        parts += [] if is_whole else [("axis", said["axis"], "°", "deg")]
    amount, angle = said.get("prismAmount"), said.get("prismAngle")
    if amount is None or Decimal(amount) != 0:
        whole, is_whole = degrees(angle) if angle else ("", False)
        across = ("in", "out") if eye == "right" else ("out", "in")
        base = {"0": across[0], "360": across[0], "90": "up", "180": across[1], "270": "down"}.get(whole)
        if amount and is_whole and base:
            values["prism"] = [{"amount": amount, "base": base}]
        else:
            parts += [("prismAmount", amount, "prism dioptres", "[p'diop]")] if amount else []
            parts += [("prismAngle", angle, "°", "deg")] if angle else []
    if "add" in said:
        values["add"] = said["add"]
    if power is not None:
        values["power"] = power
    for name, shown in [("baseCurve", "backCurve"), ("diameter", "diameter")]:
        if name in said:
            values[shown] = said[name]
    parts += [(name, said[name], "mm", "mm") for name in ("vertex", "farPD", "nearPD") if name in said]
    if not values and not parts:
        return None
    details = [{"url": name, "valueQuantity": quantity(*rest)} for name, *rest in parts]
    extension = [{"url": "http://pghd.invalid/StructureDefinition/healthkit-vision-lens", "extension": details}]
    return {
        **({"extension": extension} if details else {}), "product": {"coding": [product]}, "eye": eye, **values,
        **({"brand": brand.decode()} if brand else {}),
    }  # fmt: skip


def vision_prescription(element, id_):
    kinds = {"glasses": ("lens", "Lens"), "contacts": ("contact", "Contact Lens")}
    kind = kinds.get(element.get("type").decode().removeprefix("HKVisionPrescriptionType").lower())
    if not kind:
        return None
    product = coding("http://terminology.hl7.org/CodeSystem/ex-visionprescriptionproduct", *kind)
    zone = pghd1.metadata_entry(element.record()["metadata"], b"HKTimeZone")

    def written(attribute):
        moment = pghd1.EPOCH + timedelta(seconds=pghd1.seconds(element.get(attribute)))
        if zone:
            return moment.astimezone(ZoneInfo(zone.decode())).isoformat()
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def time(name):
        tagged = {"_" + name: {"extension": [{"url": TZ_CODE, "valueCode": zone.decode()}]}} if zone else {}
        return {name: written("dateIssued"), **tagged}

    eyes = [child for child in element.children if child.name in ("RightEye", "LeftEye")]
    eyes = list({pghd1.canonical(eye): eye for eye in eyes}.values())
    eyes.sort(key=pghd1.canonical, reverse=True)
    right = next((eye for eye in eyes if eye.name == "RightEye"), None)
    lenses = [lens(eye, product, element.get("brand"), right) for eye in eyes]
    absent = {"url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason", "valueCode": "unknown"}
    said = {
        "resourceType": "VisionPrescription", "id": id_, "status": "active", **time("created"),
        "patient": {"reference": "Patient/sample"}, **time("dateWritten"), "prescriber": {"extension": [absent]},
        "lensSpecification": [lens for lens in lenses if lens],
    }  # fmt: skip
    if element.get("expirationDate"):
        details = [{"url": "expirationDate", "valueDateTime": written("expirationDate")}]
        said["extension"] = [{"url": "http://pghd.invalid/StructureDefinition/healthkit-vision-prescription", "extension": details}]
    return said


# --- Electrocardiograms -------------------------------------------------------------

KNOWN = {  # some of the texts that the program knows
    "Sinus Rhythm": ("1", "sinus rhythm"), "Sinusrhythmus": ("1", "sinus rhythm"), "窦性心律": ("1", "sinus rhythm"),
    "竇性心律": ("1", "sinus rhythm"), "心房細動": ("2", "atrial fibrillation"),
    "Uneindeutig": ("6", "inconclusive other"), "Rythme sinusal": ("1", "sinus rhythm"), "동리듬": ("1", "sinus rhythm"),
}  # fmt: skip


def electrocardiogram(data):
    """The period and the components of one."""
    lines = [line for line in re.split("\r\n|\r|\n", data.decode("utf-8-sig")) if line.strip(" \t,;")]
    first = next(place for place, line in enumerate(lines) if NUMBER.fullmatch(line.strip(" \t,;")))
    rows = [fields_of(line)[1] for line in lines[:first]]
    date = next(place for place, value in enumerate(rows) if pghd1.seconds(value.encode()) is not None)
    classification, symptoms, _, _, rate, lead, unit = rows[date + 1 :]
    assert unit in MICROVOLTS
    samples = [decimal(line.strip(" \t,;")) for line in lines[first:]]
    rate = decimal(NUMBER.match(rate)[0])
    places = max(-sample.as_tuple().exponent for sample in samples)

    milliseconds = round(Fraction(len(samples) * 1000) / Fraction(rate))
    begin = pghd1.EPOCH + timedelta(seconds=pghd1.seconds(rows[date].encode()))
    end = begin + timedelta(milliseconds=milliseconds)
    fraction = f".{milliseconds % 1000:03}" if milliseconds % 1000 else ""
    same = ".000" if fraction and milliseconds < 1000 else ""
    period = {"start": begin.strftime("%Y-%m-%dT%H:%M:%S") + same + "Z", "end": end.strftime("%Y-%m-%dT%H:%M:%S") + fraction + "Z"}

    def component(name, display, key, value):
        return {"code": {"coding": [coding(APPLE, "HKElectrocardiogram." + name, display)]}, key: value}

    known = {"coding": [coding(CLASSIFICATION, *KNOWN[classification])]} if classification in KNOWN else {}
    components = []
    if classification:
        said = {**known, "text": classification}
        components.append(component("Classification", "Classification", "valueCodeableConcept", said))
    if symptoms:
        components.append(component("Symptoms", "Symptoms", "valueCodeableConcept", {"text": symptoms}))
    hertz = quantity(format(rate, "f"), "Hz", "Hz")
    components.append(component("SamplingFrequency", "Sampling frequency", "valueQuantity", hertz))
    count = quantity(str(len(samples)), "measurements", "1")
    components.append(
        component("NumberOfVoltageMeasurements", "Number of voltage measurements", "valueQuantity", count)
    )
    step = Context(prec=15, rounding=ROUND_HALF_EVEN).divide(Decimal(1000), rate)
    is_first = re.search("(?<![A-Za-z])I$", lead)
    mdc = ("131329", "MDC_ECG_ELEC_POTL_I") if is_first else ("131328", "MDC_ECG_ELEC_POTL")
    sampled = {
        "origin": quantity("0", "µV", "uV"), "period": pghd1.plain(Fraction(step)).decode(),
        **({"factor": format(Decimal(1).scaleb(-places), "f")} if places else {}), "dimensions": "1",
        "data": " ".join(str(int(sample.scaleb(places))) for sample in samples),
    }  # fmt: skip
    code = {"coding": [coding(MDC, *mdc)], "text": "Lead I" if is_first else lead or "Lead"}
    return period, [*components, {"code": code, "valueSampledData": sampled}]


# --- Comparing ----------------------------------------------------------------------


def faults(snapshot, lines):
    """What in the three kinds is not as the page says."""
    export, options = export_of(snapshot), Options(snapshot.partition(".")[2])
    resources = [
        entry["resource"] for line in lines for entry in json.loads(line, parse_int=str, parse_float=str)["entry"]
    ]
    elements = [element for element in export.items if not isinstance(element, dict)]
    wanted = [patient(element) for element in elements if element.name == "Me" and options.includes_patient]
    written = [resource for resource in resources if resource["resourceType"] == "Patient"]
    if wanted != written:
        yield f"{snapshot}: {written} instead of {wanted}"

    prescriptions = [element for element in elements if element.name == "VisionPrescription"]
    for resource in (r for r in resources if r["resourceType"] == "VisionPrescription"):
        shown = {key: value for key, value in resource.items() if key not in ("meta", "identifier")}
        if shown not in [vision_prescription(element, resource["id"]) for element in prescriptions]:
            yield f"{snapshot}: no element says {shown}"

    electrocardiograms = [r for r in resources if "valueSampledData" in r.get("component", [{}])[-1]]
    if len(electrocardiograms) != len(export.electrocardiograms):
        yield f"{snapshot}: {len(electrocardiograms)} electrocardiograms"
    bodies = [electrocardiogram(data) for data in export.electrocardiograms]
    for resource in electrocardiograms:
        body = resource["effectivePeriod"], resource["component"]
        if body not in bodies:
            yield f"{snapshot}: no file says {body}"


class Samples(unittest.TestCase):
    def test_each_sample_has_the_bodies_of_the_page(self):
        for snapshot in snapshots():
            if "conditional" not in snapshot:
                with self.subTest(snapshot):
                    self.assertEqual([], list(faults(snapshot, lines_of(snapshot))))

    def test_each_kind_of_body_is_in_a_sample(self):
        text = "".join(lines_of("kitchen-sink.patient-routes-summed"))
        for kind, count in [('"resourceType":"Patient"', 1), ('"resourceType":"VisionPrescription"', 2), ("valueSampledData", 6)]:
            self.assertEqual(text.count(kind), count)


class TestOfTheTest(unittest.TestCase):
    """The comparison must notice what it is there to notice."""

    def test_a_changed_text_or_number_is_noticed(self):
        snapshot = "kitchen-sink.patient-routes-summed"
        lines = lines_of(snapshot)
        for old, new in [
            ("1980-02-29", "1980-02-28"), ('"gender":"female"', '"gender":"male"'), ('"sphere":-1.25', '"sphere":-1.250'),
            ('"base":"out"', '"base":"in"'), ('"axis":92', '"axis":93'), ('"valueDateTime":"2027', '"valueDateTime":"2028'),
            ('"period":31.25', '"period":31.26'), ('"factor":0.001', '"factor":0.01'), ("03.125Z", "03.126Z"),
            ('"text":"동리듬"', '"text":"리듬"'), ('"value":36', '"value":37'), ("-265868", "-265869"),
        ]:  # fmt: skip
            changed = [line.replace(old, new) for line in lines]
            self.assertNotEqual(lines, changed, old)
            self.assertTrue(list(faults(snapshot, changed)), old)


if __name__ == "__main__":
    unittest.main()
