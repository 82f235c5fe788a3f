#!/usr/bin/env python3
"""Plants one fault after another in sound documents and checks which judges refuse it.

A set of judges that finds nothing proves nothing until it has been seen to find something: `test_faults.py` is what
makes "0 errors" of validate.py worth reading.
"""

import contextlib
import copy
import gzip
import io
import json
import re
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path
from unittest import mock

import validate

if __name__ == "__main__":
    validate.use_environment()

import codes
import definitions
import profiles
import rules
from profile_tree import PROFILES, Library

BENCH = None


def setUpModule():
    global BENCH
    BENCH = validate.court()


# --- Sound documents ----------------------------------------------------------------

SYSTEM = "urn:uuid:5d0f3b0e-52a1-4a6c-9a8e-0c2f5a7b1d34"
APPLE = "http://developer.apple.com/documentation/healthkit"
TZ_CODE = "http://hl7.org/fhir/StructureDefinition/tz-code"
WATCH = "h00000000000000000000000000000a01"
APP = "h00000000000000000000000000000a02"


OTHER_WORDS = {
    "HKCorrelationTypeIdentifierBloodPressure",
    "HKQuantityTypeIdentifierOxygenSaturation",
    "HKQuantityTypeIdentifierStepCount",
}


def identifier(id_):
    return [{"system": SYSTEM, "value": id_}]


def device(id_, **members):
    return {
        "resourceType": "Device",
        "id": id_,
        "identifier": identifier(id_),
        "manufacturer": "Apple Inc.",
        "modelNumber": "Watch6,2",
        "deviceName": [{"name": "Watch", "type": "model-name"}],
        "version": [{"value": "10.4"}],
        "patient": {"reference": "Patient/p1"},
        **members,
    }


def observation(id_, loinc, display, apple, category="vital-signs", profile=None, **members):
    resource = {
        "resourceType": "Observation",
        "id": id_,
        "meta": {"profile": [f"http://hl7.org/fhir/StructureDefinition/{profile}"]},
        "extension": [
            {
                "url": "http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice",
                "valueReference": {"reference": f"Device/{APP}"},
            }
        ],
        "identifier": identifier(id_),
        "status": "final",
        "category": [
            {
                "coding": [
                    {
                        "system": "http://terminology.hl7.org/CodeSystem/observation-category",
                        "code": category,
                        "display": category.replace("-", " ").title(),
                    }
                ]
            }
        ],
        "code": concept(loinc, display, apple),
        "subject": {"reference": "Patient/p1"},
        "effectiveDateTime": "2024-01-01T08:00:00Z",
        "performer": [{"reference": "Patient/p1"}],
        "device": {"reference": f"Device/{WATCH}"},
        **members,
    }
    if profile is None:
        del resource["meta"]
    return resource


def concept(loinc, display, apple):
    codings = [{"system": "http://loinc.org", "code": loinc, "display": display}] if loinc else []
    # Only the LOINC display is given where Apple's name for the type differs.
    own = {} if apple in OTHER_WORDS else {"display": display}
    codings.append({"system": APPLE, "code": apple, **own})
    return {"coding": codings, "text": display}


def quantity(value, unit, code):
    return {"value": value, "unit": unit, "system": "http://unitsofmeasure.org", "code": code}


def heart_rate(id_="h0123456789abcdef0123456789abcdef", **members):
    return observation(
        id_,
        "8867-4",
        "Heart rate",
        "HKQuantityTypeIdentifierHeartRate",
        profile="heartrate",
        **{"valueQuantity": quantity(72, "beats/minute", "/min"), **members},
    )


def blood_pressure(id_="h0123456789abcdef0123456789abcde0"):
    panel = observation(
        id_,
        "85354-9",
        "Blood pressure panel with all children optional",
        "HKCorrelationTypeIdentifierBloodPressure",
        profile="bp",
    )
    panel["component"] = [
        {
            "code": concept("8480-6", "Systolic blood pressure", "HKQuantityTypeIdentifierBloodPressureSystolic"),
            "valueQuantity": quantity(121, "mmHg", "mm[Hg]"),
        },
        {
            "code": concept("8462-4", "Diastolic blood pressure", "HKQuantityTypeIdentifierBloodPressureDiastolic"),
            "valueQuantity": quantity(79, "mmHg", "mm[Hg]"),
        },
    ]
    return panel


def oxygen_saturation(id_="h0123456789abcdef0123456789abcde1"):
    saturation = observation(
        id_,
        "2708-6",
        "Oxygen saturation in Arterial blood",
        "HKQuantityTypeIdentifierOxygenSaturation",
        profile="oxygensat",
        valueQuantity=quantity(Decimal("97.50"), "%", "%"),
    )
    saturation["code"]["coding"].insert(
        1,
        {
            "system": "http://loinc.org",
            "code": "59408-5",
            "display": "Oxygen saturation in Arterial blood by Pulse oximetry",
        },
    )
    return saturation


def steps(id_="h0123456789abcdef0123456789abcde2"):
    count = observation(
        id_,
        "55423-8",
        "Number of steps",
        "HKQuantityTypeIdentifierStepCount",
        category="activity",
        effectivePeriod={"start": "2024-01-01T08:00:00Z", "end": "2024-01-01T08:10:00Z"},
        valueQuantity=quantity(812, "steps", "{steps}"),
    )
    del count["effectiveDateTime"]
    return count


def electrocardiogram(id_="h0123456789abcdef0123456789abcde3"):
    lead = {
        "origin": quantity(0, "uV", "uV"),
        "period": Decimal("1.953125"),
        "factor": Decimal("0.001"),
        "dimensions": 1,
        "data": "-265868 -12 0 87 1024",
    }
    return observation(
        id_,
        None,
        "Electrocardiogram",
        "HKElectrocardiogram",
        category="procedure",
        component=[{"code": concept(None, "Lead I", "HKElectrocardiogram.Lead"), "valueSampledData": lead}],
    )


def entry(resource):
    return {
        "resource": resource,
        "request": {"method": "PUT", "url": f"{resource['resourceType']}/{resource['id']}"},
    }


def conditional(resource, uuid):
    """The entry for a server that chooses ids itself."""
    resource = copy.deepcopy(resource)
    named = resource["identifier"][0]
    del resource["id"]
    return {
        "fullUrl": uuid,
        "resource": resource,
        "request": {
            "method": "POST",
            "url": resource["resourceType"],
            "ifNoneExist": f"identifier={named['system']}|{named['value']}",
        },
    }


def bundle(*entries, number=0):
    return {
        "resourceType": "Bundle",
        "identifier": {"system": SYSTEM, "value": f"{number:064x}"},
        "type": "transaction",
        "entry": list(entries),
    }


def sound(*resources):
    """What the converter writes: the Devices, and after them what was measured."""
    return [
        bundle(entry(device(WATCH)), entry(device(APP, modelNumber="Heart")), number=1),
        bundle(*map(entry, resources or (heart_rate(), steps())), number=2),
    ]


def sound_conditional():
    watch, app, rate = (f"urn:uuid:00000000-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))
    measured = heart_rate()
    measured["device"]["reference"] = watch
    measured["extension"][0]["valueReference"]["reference"] = app
    return [
        bundle(
            conditional(device(WATCH), watch),
            conditional(device(APP, modelNumber="Heart"), app),
            conditional(measured, rate),
        )
    ]


def patient():
    return {
        "resourceType": "Patient",
        "id": "p1",
        "identifier": identifier("p1"),
        "gender": "female",
        "birthDate": "1980-02-29",
    }


def document_reference():
    return {
        "resourceType": "DocumentReference",
        "id": "h0123456789abcdef0123456789abcde4",
        "meta": {"source": "https://ehr.example.org/fhir/Condition/1"},
        "identifier": identifier("h0123456789abcdef0123456789abcde4"),
        "status": "current",
        "subject": {"reference": "Patient/p1"},
        "content": [{"attachment": {"contentType": "application/fhir+json", "data": "e30="}}],
    }


def concept_map():
    return {
        "resourceType": "ConceptMap",
        "id": "units",
        "url": "https://pghd.example.org/ConceptMap/units",
        "status": "active",
        "group": [
            {
                "source": APPLE,
                "target": "http://unitsofmeasure.org",
                "element": [{"code": "count/min", "target": [{"code": "/min", "equivalence": "equal"}]}],
            }
        ],
    }


def text(document):
    """JSON on one line whose decimals keep their digits."""
    mark = "\ue000"
    marked = json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=lambda d: f"{mark}{d}{mark}")
    return marked.replace(f'"{mark}', "").replace(f'{mark}"', "")


def lines(documents):
    return [document if isinstance(document, str) else text(document) for document in documents]


# --- Tests --------------------------------------------------------------------------


class JudgesTestCase(unittest.TestCase):
    def faults(self, documents, name="bundles.ndjson"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text("\n".join(lines(documents)) + "\n", encoding="utf-8")
            bench = validate.Court(BENCH.judges, definitions.extensions())
            _, faults = bench.judge(path)
            return faults + list(bench.rest())

    def accepts(self, documents, name="bundles.ndjson"):
        faults = self.faults(documents, name)
        self.assertEqual([validate.told(fault, verbose=True) for fault in faults], [])

    def refuses(self, documents, *judges, name="bundles.ndjson"):
        """At least these judges refuse it."""
        refusing = {fault.judge for fault in self.faults(documents, name)}
        self.assertLessEqual(set(judges), refusing)


class SoundDocuments(JudgesTestCase):
    def test_put_entries(self):
        """A Bundle of PUT entries without fullUrl, after the Bundle of its Devices, passes."""
        self.accepts(sound())

    def test_conditional_entries(self):
        """A Bundle of conditional POST entries linked by urn:uuid passes."""
        self.accepts(sound_conditional())

    def test_conditional_update(self):
        """An entry that updates by identifier passes."""
        documents = sound()
        request = documents[1]["entry"][0]["request"]
        request["url"] = f"Observation?identifier={SYSTEM}|h0123456789abcdef0123456789abcdef"
        self.accepts(documents)

    def test_time_zone(self):
        """A date-time that names its time zone passes, in UTC or with the zone's offset."""
        for text in ("2024-01-01T08:00:00Z", "2024-07-01T08:00:00+02:00"):
            zone = {"extension": [{"url": TZ_CODE, "valueCode": "Europe/Paris"}]}
            self.accepts(sound(heart_rate(effectiveDateTime=text, _effectiveDateTime=zone)))

    def test_time_zone_in_a_period(self):
        """A period whose two ends name their time zone passes."""
        zone = {"extension": [{"url": TZ_CODE, "valueCode": "Asia/Kolkata"}]}
        resource = steps()
        resource["effectivePeriod"] |= {"_start": zone, "_end": zone}
        self.accepts(sound(resource))

    def test_every_kind_of_observation(self):
        """Panels, two LOINC codes, decimals and sampled data pass."""
        self.accepts(sound(blood_pressure(), oxygen_saturation(), electrocardiogram()))

    def test_every_vital_sign(self):
        """Every vital sign passes in every unit that R4 allows for it."""
        measured = []
        for name, sign in rules.VITAL_SIGNS.items():
            for unit in () if sign.parts else sign.units:
                id_ = f"h{len(measured):032x}"
                value = quantity(Decimal("36.60"), unit, unit)
                measured.append(observation(id_, sign.loinc, name, name, profile=name, valueQuantity=value))
                del measured[-1]["code"]["coding"][0]["display"]
        self.assertEqual(len(measured), 13)
        panel = observation("h1", "85353-1", "vitals", "vitals", profile="vitalspanel")
        panel["hasMember"] = [{"reference": f"Observation/{member['id']}"} for member in measured]
        del panel["code"]["coding"][0]["display"]
        self.accepts(sound(panel, *measured, blood_pressure()))

    def test_absent_value(self):
        """A vital sign that says why its value is absent passes."""
        resource = heart_rate()
        del resource["valueQuantity"]
        resource["dataAbsentReason"] = {
            "coding": [{"system": "http://terminology.hl7.org/CodeSystem/data-absent-reason", "code": "unknown"}]
        }
        self.accepts(sound(resource))

    def test_patient_and_document(self):
        """A Patient and a DocumentReference pass."""
        self.accepts(sound(patient(), document_reference()))

    def test_bulk_data(self):
        """Resources on lines of their own pass, in any order."""
        self.accepts([heart_rate(), device(WATCH), device(APP)], "resources.ndjson")

    def test_concept_map(self):
        """A ConceptMap as one indented JSON document passes."""
        self.accepts([json.dumps(concept_map(), indent=2)], "ConceptMap-units.json")


class VitalSigns(JudgesTestCase):
    def test_wrong_unit(self):
        """Heart rate in a unit that is not the profile's."""
        resource = heart_rate(valueQuantity=quantity(72, "Hz", "Hz"))
        self.refuses(sound(resource), "rules", "fhircraft")

    def test_unit_without_a_system(self):
        """A unit whose code is not said to be UCUM's."""
        resource = heart_rate()
        del resource["valueQuantity"]["system"]
        self.refuses(sound(resource), "rules")

    def test_missing_category(self):
        """A vital sign without a category."""
        resource = heart_rate()
        del resource["category"]
        self.refuses(sound(resource), "rules", "fhircraft")

    def test_wrong_category(self):
        """A vital sign in another category only."""
        resource = heart_rate()
        resource["category"][0]["coding"][0]["code"] = "activity"
        self.refuses(sound(resource), "rules")

    def test_wrong_loinc(self):
        """A LOINC code other than that of the claimed profile."""
        resource = heart_rate()
        resource["code"]["coding"][0]["code"] = "40443-4"
        self.refuses(sound(resource), "rules")

    def test_unclaimed_profile(self):
        """A vital sign's LOINC without a claim of its profile."""
        resource = heart_rate()
        del resource["meta"]
        self.refuses(sound(resource), "rules")

    def test_pulse_oximetry_alone(self):
        """Pulse oximetry without the second code that the profile wants."""
        resource = oxygen_saturation()
        del resource["code"]["coding"][0]
        self.refuses(sound(resource), "rules")

    def test_unknown_profile(self):
        """A claim of a profile that R4 does not have."""
        resource = steps()
        resource["meta"] = {"profile": ["http://hl7.org/fhir/StructureDefinition/stepcount"]}
        self.refuses(sound(resource), "rules")

    def test_missing_subject(self):
        """A vital sign without a subject."""
        resource = heart_rate()
        del resource["subject"]
        self.refuses(sound(resource), "rules", "fhircraft")

    def test_missing_time(self):
        """A vital sign without a time."""
        resource = heart_rate()
        del resource["effectiveDateTime"]
        self.refuses(sound(resource), "rules", "fhircraft")

    def test_missing_value(self):
        """A vital sign with neither a value nor a reason for its absence."""
        resource = heart_rate()
        del resource["valueQuantity"]
        self.refuses(sound(resource), "rules", "fhircraft")

    def test_value_of_another_type(self):
        """A vital sign whose value is text."""
        resource = heart_rate(valueString="seventy-two")
        del resource["valueQuantity"]
        self.refuses(sound(resource), "rules")

    def test_panel_without_a_component(self):
        """Blood pressure without its diastolic component."""
        resource = blood_pressure()
        del resource["component"][1]
        self.refuses(sound(resource), "rules")

    def test_unit_of_a_component(self):
        """Blood pressure with a component in kilopascals."""
        resource = blood_pressure()
        resource["component"][0]["valueQuantity"] = quantity(16, "kPa", "kPa")
        self.refuses(sound(resource), "rules")

    def test_coded_component(self):
        """A component that holds a code, which R4 allows in no vital sign."""
        resource = heart_rate()
        resource["component"] = [
            {
                "code": concept(None, "Motion context", "HKMetadataKeyHeartRateMotionContext"),
                "valueCodeableConcept": {"coding": [{"system": APPLE, "code": "1"}]},
            }
        ]
        self.refuses(sound(resource), "rules")


class Structure(JudgesTestCase):
    def test_missing_status(self):
        """An Observation without a status."""
        resource = steps()
        del resource["status"]
        self.refuses(sound(resource), "fhir.resources", "fhirkit", "pyrofile", "fhircraft")

    def test_status_that_does_not_exist(self):
        """A status that R4 does not list."""
        resource = steps()
        resource["status"] = "done"
        self.refuses(sound(resource), "pyrofile")

    def test_value_as_a_string(self):
        """A number in quotation marks."""
        resource = heart_rate(valueQuantity=quantity("72", "beats/minute", "/min"))
        self.refuses(sound(resource), "fhirkit")

    def test_two_values(self):
        """Two values in one Observation."""
        self.refuses(sound(heart_rate(valueString="72")), "fhir.resources", "fhirkit", "pyrofile", "fhircraft")

    def test_unknown_element(self):
        """An element that R4 does not have."""
        self.refuses(sound(heart_rate(motion="sedentary")), "fhir.resources", "fhirkit", "pyrofile", "fhircraft")

    def test_bad_id(self):
        """An id with a character that ids can't have."""
        self.refuses(sound(heart_rate("h_1")), "rules", "fhir.resources", "pyrofile")

    def test_empty_array(self):
        """An array with nothing in it."""
        self.refuses(sound(heart_rate(note=[])), "rules", "fhirkit", "pyrofile")

    def test_empty_string(self):
        """A string with nothing in it."""
        resource = device(WATCH, modelNumber="")
        self.refuses([bundle(entry(resource))], "rules", "fhir.resources", "fhirkit")

    def test_null(self):
        """A null."""
        self.refuses(sound(heart_rate(bodySite=None)), "rules")

    def test_member_twice(self):
        """An object with the same member twice."""
        text = lines(sound())[1].replace('"status":', '"status":"final","status":', 1)
        self.refuses([*sound()[:1], text], "rules")

    def test_too_many_digits(self):
        """A decimal of nineteen significant digits."""
        resource = heart_rate(valueQuantity=quantity(Decimal("72.00000000000000001"), "beats/minute", "/min"))
        self.refuses(sound(resource), "rules")

    def test_value_that_is_not_a_number(self):
        """NaN, which some writers of JSON let through."""
        text = lines(sound())[1].replace('"value":72', '"value":NaN', 1)
        self.refuses([*sound()[:1], text], "rules")

    def test_broken_line(self):
        """A line that is cut off."""
        self.refuses([*sound(), lines(sound())[1][:-1]], "rules")

    def test_sampled_data_of_another_form(self):
        """Sampled data separated by commas."""
        resource = electrocardiogram()
        resource["component"][0]["valueSampledData"]["data"] = "1,2,3"
        self.refuses(sound(resource), "rules")

    def test_unknown_extension(self):
        """An extension under HL7's address that R4 does not have."""
        resource = heart_rate(
            _effectiveDateTime={
                "extension": [{"url": TZ_CODE.replace("tz-code", "timezone"), "valueCode": "Europe/Paris"}]
            }
        )
        self.refuses(sound(resource), "rules")

    def test_extension_elsewhere(self):
        """An extension of Observation on a Device."""
        gateway = heart_rate()["extension"]
        self.refuses([*sound(), bundle(entry(device("h1", extension=gateway)))], "rules")

    def test_extension_of_another_type(self):
        """A time zone as a string where its extension has a code."""
        zone = {"extension": [{"url": TZ_CODE, "valueString": "Europe/Paris"}]}
        self.refuses(sound(heart_rate(_effectiveDateTime=zone)), "rules")


class Times(JudgesTestCase):
    def test_day_that_does_not_exist(self):
        """The thirtieth of February."""
        resource = heart_rate(effectiveDateTime="2024-02-30T08:00:00Z")
        self.refuses(sound(resource), "rules", "fhir.resources")

    def test_date_time_without_a_zone(self):
        """A date-time without a zone."""
        resource = heart_rate(effectiveDateTime="2024-01-01T08:00:00")
        self.refuses(sound(resource), "rules", "fhir.resources", "fhirkit", "pyrofile")

    def test_date_time_in_apples_own_form(self):
        """A date-time as Apple writes it."""
        resource = heart_rate(effectiveDateTime="2024-01-01 08:00:00 +0100")
        self.refuses(sound(resource), "rules", "fhirkit", "pyrofile")

    def test_reversed_period(self):
        """A period that ends before it starts."""
        resource = steps()
        resource["effectivePeriod"] = {"start": "2024-01-01T08:00:00Z", "end": "2024-01-01T07:59:59.9Z"}
        self.refuses(sound(resource), "rules", "fhircraft")

    def test_period_reversed_by_its_offsets(self):
        """A period that looks right until its offsets are taken into account."""
        resource = steps()
        resource["effectivePeriod"] = {"start": "2024-01-01T08:00:00Z", "end": "2024-01-01T08:30:00+01:00"}
        self.refuses(sound(resource), "rules")

    def test_zone_that_does_not_exist(self):
        """A time zone that does not exist."""
        zone = {"extension": [{"url": TZ_CODE, "valueCode": "Europe/Atlantis"}]}
        self.refuses(sound(heart_rate(_effectiveDateTime=zone)), "rules")

    def test_offset_of_another_season(self):
        """The summer offset in winter."""
        zone = {"extension": [{"url": TZ_CODE, "valueCode": "Europe/Paris"}]}
        resource = heart_rate(effectiveDateTime="2024-01-01T08:00:00+02:00", _effectiveDateTime=zone)
        self.refuses(sound(resource), "rules")


class Codes(JudgesTestCase):
    def test_loinc_check_digit(self):
        """A LOINC code with two digits swapped."""
        resource = steps()
        resource["code"]["coding"][0]["code"] = "55432-8"
        self.refuses(sound(resource), "rules")

    def test_unit_that_does_not_exist(self):
        """A unit that UCUM does not have."""
        resource = steps()
        resource["valueQuantity"] = quantity(812, "steps", "steps")
        self.refuses(sound(resource), "rules")

    def test_unit_in_a_concept_map(self):
        """A ConceptMap that leads to a unit that UCUM does not have."""
        resource = concept_map()
        resource["group"][0]["element"][0]["target"][0]["code"] = "bpm"
        self.refuses([resource], "rules", name="ConceptMap-units.json")

    def test_system_that_is_not_a_uri(self):
        """A code system whose name is not a URI."""
        resource = steps()
        resource["code"]["coding"][1]["system"] = "com.apple.health"
        self.refuses(sound(resource), "rules", "pyrofile")

    def test_loinc_check_digits_are_those_of_well_known_codes(self):
        """Check digits are those of well-known codes."""
        for code in ("8867-4", "9279-1", "2708-6", "59408-5", "8310-5", "29463-7", "39156-5", "85354-9", "LA6576-8"):
            self.assertIsNone(codes.loinc_fault(code), code)
        for code in ("8867-5", "88674", "8867-", "x", "12345678-1"):
            self.assertIsNotNone(codes.loinc_fault(code), code)

    def test_everyday_units_pass_and_colloquial_names_do_not(self):
        """Everyday units pass; their colloquial names don't."""
        units = "/min % kg/m2 mm[Hg] mL/(kg.min) mL/min/kg {steps} 1 10*3/uL kcal/(kg.h) [degF] uV dB %{fat} Cel ms"
        for unit in units.split():
            self.assertIsNone(codes.ucum_fault(unit), unit)
        for unit in "bpm lbs mmHg degC count count/min hertz Cal dBASPL kg/m² kcal/ (m {a m//s".split():
            self.assertIsNotNone(codes.ucum_fault(unit), unit)

    def test_most_units_that_r4_lists_pass(self):
        """Nine in ten of the units that R4 lists pass, the rest are laboratories' and surveyors'."""
        listed = definitions.unit_codes("ucum-common")
        passed = [unit for unit in listed if codes.ucum_fault(unit) is None]
        self.assertGreater(len(listed), 1_300)
        self.assertGreater(len(passed), len(listed) * 0.88)


class Transactions(JudgesTestCase):
    def test_entry_without_a_request(self):
        """An entry without a request."""
        documents = sound()
        del documents[1]["entry"][0]["request"]
        self.refuses(documents, "rules", "pyrofile")

    def test_method_that_does_not_exist(self):
        """A method that HTTP does not have."""
        documents = sound()
        documents[1]["entry"][0]["request"]["method"] = "UPSERT"
        self.refuses(documents, "rules", "pyrofile")

    def test_url_of_another_resource(self):
        """A PUT to the URL of another resource."""
        documents = sound()
        documents[1]["entry"][0]["request"]["url"] = "Observation/h1"
        self.refuses(documents, "rules")

    def test_same_put_twice(self):
        """Two entries that PUT the same resource."""
        self.refuses(sound(heart_rate(), heart_rate()), "rules")

    def test_same_full_url_twice(self):
        """Two entries with one fullUrl."""
        documents = sound_conditional()
        documents[0]["entry"][1]["fullUrl"] = documents[0]["entry"][0]["fullUrl"]
        self.refuses(documents, "rules", "pyrofile")

    def test_same_condition_twice(self):
        """Two entries that create the same resource."""
        documents = sound_conditional()
        again = copy.deepcopy(documents[0]["entry"][2])
        again["fullUrl"] = "urn:uuid:00000000-0000-4000-8000-000000000009"
        documents[0]["entry"].append(again)
        self.refuses(documents, "rules")

    def test_post_without_a_condition(self):
        """A POST that creates another resource each time it is sent."""
        documents = sound_conditional()
        del documents[0]["entry"][2]["request"]["ifNoneExist"]
        self.refuses(documents, "rules")

    def test_condition_of_another_resource(self):
        """A POST on the condition that another resource is not there."""
        documents = sound_conditional()
        documents[0]["entry"][2]["request"]["ifNoneExist"] = f"identifier={SYSTEM}|{WATCH}"
        self.refuses(documents, "rules")

    def test_full_url_that_is_not_a_uuid(self):
        """A urn:uuid that is not a UUID."""
        documents = sound_conditional()
        documents[0]["entry"][2]["fullUrl"] = "urn:uuid:h0123456789abcdef"
        self.refuses(documents, "rules")


class References(JudgesTestCase):
    def test_device_that_is_not_in_the_file(self):
        """A reference to a Device that is not in the file."""
        self.refuses(sound()[1:], "rules")

    def test_device_that_comes_too_late(self):
        """A Device in a Bundle after the one that refers to it."""
        self.refuses(sound()[::-1], "rules")

    def test_gateway_that_is_not_in_the_file(self):
        """A reference in an extension to a Device that is not in the file."""
        resource = heart_rate()
        resource["extension"][0]["valueReference"]["reference"] = "Device/h1"
        self.refuses(sound(resource), "rules")

    def test_member_that_is_not_in_the_file(self):
        """A panel with a member that is not in the file."""
        self.refuses(sound(heart_rate(hasMember=[{"reference": "Observation/h1"}])), "rules")

    def test_uuid_of_another_bundle(self):
        """A urn:uuid that is the fullUrl of no entry of the same Bundle."""
        documents = sound_conditional()
        documents = [bundle(*documents[0]["entry"][:2]), bundle(documents[0]["entry"][2])]
        self.refuses(documents, "rules")

    def test_device_missing_among_resources(self):
        """Resources on lines of their own, without the Device that they refer to."""
        self.refuses([heart_rate(), device(APP)], "rules", name="resources.ndjson")

    def test_another_patient(self):
        """A second patient in one file."""
        resource = heart_rate()
        resource["performer"][0]["reference"] = "Patient/p2"
        self.refuses(sound(resource), "rules")

    def test_device_without_a_patient(self):
        """A Device that names no patient."""
        resource = device(WATCH)
        del resource["patient"]
        self.refuses([bundle(entry(resource))], "rules")

    def test_text_that_is_not_a_reference(self):
        """A reference that is neither relative, absolute nor a URN."""
        resource = heart_rate()
        resource["subject"]["reference"] = "the patient"
        self.refuses(sound(resource), "pyrofile")


class Tables(unittest.TestCase):
    def test_vital_signs_are_those_of_r4(self):
        """Our table of vital signs says what R4's StructureDefinitions say."""
        for name, sign in rules.VITAL_SIGNS.items():
            elements = {e["id"]: e for e in definitions.vital_signs_profile(name)["snapshot"]["element"]}
            fixed = {e["id"]: e["fixedCode"] for e in elements.values() if "fixedCode" in e}
            self.assertIn(sign.loinc, [c for id_, c in fixed.items() if id_.startswith("Observation.code.")], name)
            parts = [c for id_, c in fixed.items() if ".component:" in id_ and ".code.coding:" in id_]
            self.assertEqual(sorted(parts), sorted(sign.parts), name)
            units = set()
            for element in elements.values():
                if not re.search(r"\bvalue(\[x\]:valueQuantity|Quantity|\[x\])\.code$", element["id"]):
                    continue
                if "fixedCode" in element:
                    units.add(element["fixedCode"])
                else:
                    bound = element["binding"]["valueSet"].split("|")[0]
                    units |= set(definitions.unit_codes(bound.rsplit("/", 1)[-1]))
            self.assertEqual(units, set(sign.units), name)
            self.assertEqual(elements["Observation.hasMember"]["min"], int(sign.members), name)
            value = elements.get("Observation.value[x]:valueQuantity", {"min": 0})
            self.assertEqual(value["min"], int(sign.measured), name)

    def test_component_units_are_those_of_r4(self):
        """The units of components are those of the ValueSet that R4 binds them to."""
        self.assertEqual(rules.COMPONENT_UNITS, set(definitions.unit_codes("ucum-vitals-common")))


class Command(unittest.TestCase):
    def run_on(self, documents, *options, name="bundles.ndjson"):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(validate, "court") as court:
            court.return_value = validate.Court(BENCH.judges, definitions.extensions())
            path = Path(folder) / name
            path.write_text("\n".join(lines(documents)), encoding="utf-8")
            output, errors = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                code = validate.main([*options, folder])
            return code, output.getvalue().replace(folder + "/", ""), errors.getvalue()

    def test_no_fault(self):
        """Sound files end with 0 and one line each."""
        code, output, _ = self.run_on(sound())
        self.assertEqual((code, output), (0, "bundles.ndjson: 4 resources in 2 Bundles, 0 errors\n"))

    def test_place_of_a_fault(self):
        """A fault ends with 1 and names file, line, entry, judge and place."""
        code, output, _ = self.run_on(sound(steps(), heart_rate(effectiveDateTime="2024-01-01T08:00:00")))
        self.assertEqual(code, 1)
        place = "bundles.ndjson:2 entry 1 rules: Observation.effectiveDateTime: time: is a date-time without a zone"
        self.assertIn(place, output)

    def test_many_faults(self):
        """Of many faults in a file twenty are shown and the rest are counted."""
        many = [heart_rate(f"h{number}", subject={"reference": "nobody"}) for number in range(30)]
        _, output, _ = self.run_on(sound(*many))
        self.assertEqual(output.count("\n"), 22)
        self.assertRegex(output, r"… and \d+ more")

    def test_values_are_masked(self):
        """What a judge repeats of a resource is masked, unless --verbose is given."""
        documents = sound(heart_rate(status="4711"))
        self.assertNotIn("4711", self.run_on(documents)[1])
        self.assertIn("4711", self.run_on(documents, "--verbose")[1])

    def test_a_bundle_in_each_file(self):
        """Bundles in files of their own may refer to each other whatever the files are called."""
        devices, measured = lines(sound())
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.json").write_text(measured, encoding="utf-8")
            (Path(folder) / "b.json.gz").write_bytes(gzip.compress(devices.encode()))
            (Path(folder) / "manifest.json").write_text('{"transactionTime": "2024-01-01T08:00:00Z"}')
            bench = validate.Court(BENCH.judges, definitions.extensions())
            faults = [fault for path in validate.files([folder]) for fault in bench.judge(path)[1]]
            self.assertEqual(faults + list(bench.rest()), [])

    def test_json(self):
        """Results can be had as JSON."""
        code, output, _ = self.run_on(sound(heart_rate(status="4711")), "--json")
        result = json.loads(output)
        self.assertEqual((code, result["errors"] > 0), (1, True))
        self.assertEqual(result["resources"], {"Bundle": 2, "Device": 2, "Observation": 1})
        self.assertEqual({fault["line"] for fault in result["files"][0]["faults"]}, {2})

    def test_nothing_to_judge(self):
        """A folder with nothing in it is not a success."""
        self.assertEqual(self.run_on([], name="notes.txt")[0], 2)

    def test_no_such_file(self):
        """A file that does not exist can't be judged."""
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(validate.main(["--quick", "/nonexistent/bundles.ndjson"]), 2)


class Claims(JudgesTestCase):
    """Resources as the converter writes them, each with one promise of its profile broken."""

    EXAMPLES = Path(__file__).parents[2] / "profiles" / "examples"

    def setUp(self):
        library = Library()
        self.names = {url: definition["name"] for url, definition in library.definitions.items()}
        self.documents = {}
        for file in sorted(self.EXAMPLES.glob("*.json")):
            resource = json.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
            self.documents[self.names[resource["meta"]["profile"][-1]]] = resource

    def told(self, resource):
        judge = next(judge for judge in BENCH.judges if judge.name == "profiles")
        tree, _ = rules.parse(text(resource))
        return [message for _, message in judge.faults(tree, must_claim=True)]

    def broken(self, name, change, *judges, says):
        """Sound before the change; afterwards refused by our judge for that reason, and by these others."""
        resource = copy.deepcopy(self.documents[name])
        self.assertEqual(self.told(resource), [])
        change(resource)
        messages = self.told(resource)
        self.assertTrue(any(says in message for message in messages), messages)
        self.refuses([resource], "profiles", *judges, name="resource.json")

    def test_every_example_claims(self):
        """Each example is sound to all judges."""
        for name, resource in self.documents.items():
            with self.subTest(name):
                self.assertEqual(self.told(resource), [])

    def test_no_claim(self):
        """A resource in a Bundle of ours that claims nothing of ours is refused."""
        resource = copy.deepcopy(self.documents["HealthKitQuantity"])
        resource["meta"]["profile"] = resource["meta"]["profile"][:-1]
        self.assertIn("claims no profile of ours", self.told(resource))
        transaction = bundle(entry(resource))
        self.assertNotIn("profiles", {fault.judge for fault in self.faults([transaction])})
        transaction["identifier"]["system"] = profiles.BUNDLES
        self.refuses([transaction], "profiles")

    def test_unknown_claim(self):
        """A claim of a profile that does not exist is refused."""
        url = "urn:uuid:00000000-0000-4000-8000-000000000001"
        change = lambda resource: resource["meta"]["profile"].append(url)
        self.broken("HealthKitQuantity", change, says="does not define")

    def test_wrong_claim(self):
        """A claim of another kind's profile is refused."""
        url = next(url for url, name in self.names.items() if name == "HealthKitMeasuringDevice")
        change = lambda resource: resource["meta"].update(profile=[url])
        self.broken("HealthKitQuantity", change, "pyrofile", says="another type")
        url = next(url for url, name in self.names.items() if name == "HealthKitSleep")
        self.broken("HealthKitQuantity", change, says="(HealthKitSleep)")

    def test_cardinality(self):
        """What is missing, or occurs too often, is refused."""
        self.broken("HealthKitQuantity", lambda r: r.pop("performer"), "pyrofile", says="at least 1")
        self.broken("HealthKitQuantity", lambda r: r["valueQuantity"].pop("value"), says="at least 1")
        self.broken("HealthKitBloodPressure", lambda r: r["component"].pop(), "pyrofile", says="at least 2")
        valueless = lambda r: [r["component"][0].pop(name) for name in list(r["component"][0]) if name.startswith("value")]
        self.broken("HealthKitAudiogram", valueless, says="at least 1")
        twice = lambda r: r["component"].append(r["component"][0])
        self.broken("HealthKitBloodPressure", twice, "pyrofile", says="at most 1")
        self.broken("HealthKitSource", lambda r: r.update(manufacturer="Apple Inc."), "pyrofile", says="at most 0")

    def test_slices(self):
        """A slice without its discriminating value counts as missing."""
        other = lambda r: r["identifier"][0].update(system="urn:uuid:00000000-0000-4000-8000-000000000001")
        self.broken("HealthKitQuantity", other, "pyrofile", says="at least 1")
        other = lambda r: r["code"]["coding"][-1].update(system="https://example.org")
        self.broken("HealthKitQuantity", other, says="at least 1")
        other = lambda r: r["component"][0]["code"]["coding"][0].update(code="8462-4")
        self.broken("HealthKitBloodPressure", other, says="at least 1")

    def test_fixed(self):
        """A value other than the fixed one is refused."""
        kilopascal = lambda r: r["component"][0]["valueQuantity"].update(code="kPa")
        self.broken("HealthKitBloodPressure", kilopascal, says="fixes")
        other = lambda r: r["code"]["coding"][-1].update(code="HKCategoryTypeIdentifierMindfulSession")
        self.broken("HealthKitSleep", other, says="fixes")

    def test_types(self):
        """A value of another type is refused."""

        def change(resource):
            del resource["valueQuantity"]
            resource["valueInteger"] = 72

        self.broken("HealthKitQuantity", change, says="is a Integer")

    def test_binding(self):
        """A code outside our ValueSet is refused."""
        self.broken("HealthKitQuantity", lambda r: r["valueQuantity"].update(code="[gr]"), says="ValueSet")
        lucid = lambda r: r["valueCodeableConcept"]["coding"][-1].update(code="6")
        self.broken("HealthKitSleep", lucid, says="ValueSet")
        self.broken("HealthKitCategory", lucid, says="ValueSet")

    def test_targets(self):
        """A reference to another type, or to a resource that claims another profile, is refused."""
        group = lambda r: r["subject"].update(reference="Group/g1")
        self.broken("HealthKitQuantity", group, says="another type")
        sleep, source = (copy.deepcopy(self.documents[name]) for name in ("HealthKitSleep", "HealthKitSource"))
        sleep["device"] = {"reference": f"Device/{source['id']}"}
        app = {"reference": f"Device/{source['id']}"}
        sleep["extension"][0]["valueReference"] = app
        self.refuses([bundle(entry(source), entry(sleep))], "profiles")
        del sleep["device"]
        self.accepts([bundle(entry(source), entry(sleep))])

    def test_invariants(self):
        """A rule that only FHIRPath can express is checked too."""
        self.broken("HealthKitQuantity", lambda r: r.pop("valueQuantity"), says="pghd-value")
        nothing = lambda r: (r.pop("valueQuantity", None), r.pop("dataAbsentReason", None))
        self.broken("HealthKitDailySummary", nothing, says="pghd-value")
        other = lambda r: r["valueQuantity"].update(system="https://example.org")
        self.broken("HealthKitQuantity", other, says="pghd-ucum")

    def test_identifier_system(self):
        """An identifier system that no NamingSystem names is refused."""
        other = {"system": "urn:uuid:00000000-0000-4000-8000-000000000001", "value": "1"}
        resource = copy.deepcopy(self.documents["HealthKitQuantity"])
        resource["identifier"].append(other)
        self.assertIn("has a system that no NamingSystem of profiles/ names", self.told(resource))

    def test_metadata(self):
        """Our extension is checked against its own definition."""
        resource = copy.deepcopy(self.documents["HealthKitQuantity"])
        entry_ = {
            "url": "http://pghd.invalid/StructureDefinition/healthkit-metadata-entry",
            "extension": [{"url": "key", "valueString": "HKIndoor"}, {"url": "value", "valueBoolean": True}],
        }
        resource.setdefault("extension", []).append(entry_)
        self.assertEqual(self.told(resource), [])
        del entry_["extension"][0]
        self.assertTrue(self.told(resource))


class Definitions(JudgesTestCase):
    """StructureDefinitions that say what their bases do not allow."""

    def broken(self, change, says, name="quantity"):
        file = PROFILES / "guide" / f"StructureDefinition-{name}.json"
        definition = json.loads(file.read_text(encoding="utf-8"))
        judge = next(judge for judge in BENCH.judges if judge.name == "profiles")
        told = lambda: [message for _, _, message in judge.judge(json.dumps(definition), definition)]
        self.assertEqual(told(), [])
        change(definition, {element["id"]: element for element in definition["differential"]["element"]})
        self.assertTrue(any(says in message for message in told()), told())
        self.refuses([definition], "profiles", name="definition.json")

    def test_elements(self):
        """An element that R4 does not have is refused, and so is another order."""
        added = {"id": "Observation.mood", "path": "Observation.mood"}
        self.broken(lambda d, e: d["differential"]["element"].append(added), "no element")
        last = {"id": "Observation.status", "path": "Observation.status"}
        self.broken(lambda d, e: d["differential"]["element"].append(last), "another order")

    def test_types(self):
        """A type that R4 does not allow is refused."""
        change = lambda d, e: e["Observation.effective[x]"]["type"].append({"code": "Quantity"})
        self.broken(change, "which R4 does not allow")

    def test_cardinality(self):
        """A cardinality that is wider than the base's is refused, whether R4's or ours."""
        change = lambda d, e: e["Observation.effective[x]"].update(max="*")
        self.broken(change, "more often than its base")
        self.broken(lambda d, e: e["Observation.hasMember"].update(min=2, max="1"), "must be there", "food-panel")
        subject = {"id": "Observation.subject", "path": "Observation.subject", "min": 0}
        self.broken(lambda d, e: d["differential"]["element"].insert(2, subject), "less often")

    def test_slices(self):
        """A slice without a name, or without a discriminator, is refused."""
        self.broken(lambda d, e: e["Observation.component:systolic"].pop("sliceName"), "sliceName", "blood-pressure")
        change = lambda d, e: e["Observation.component:systolic.code"].pop("patternCodeableConcept")
        self.broken(change, "discriminator", "blood-pressure")
        self.broken(lambda d, e: e["Observation.component"].pop("slicing"), "not sliced", "blood-pressure")

    def test_bindings(self):
        """A ValueSet that does not exist is refused, and so is a binding weaker than R4's."""
        key = "Observation.value[x]:valueQuantity.code"
        self.broken(lambda d, e: e[key]["binding"].update(valueSet="urn:uuid:1"), "nowhere")
        status = {"id": "Observation.status", "path": "Observation.status"}
        status["binding"] = {"strength": "example", "valueSet": "http://hl7.org/fhir/ValueSet/observation-status"}
        self.broken(lambda d, e: d["differential"]["element"].insert(1, status), "more weakly")


if __name__ == "__main__":
    unittest.main()
