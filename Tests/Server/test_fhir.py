"""The FHIR base, used through fhirpy.

    .venv-server/bin/python Tests/Server/test_fhir.py
"""

import json
import unittest

from fhirpy import SyncFHIRClient

from server import FHIR_JSON, Server, observation, sign_in, transaction

DEMO = {"reference": "Patient/demo"}

# The minimum content of each type.
CONTENTS = {
    "Device": {"patient": DEMO},
    "DocumentReference": {"status": "current", "subject": DEMO, "content": [{"attachment": {"title": "a"}}]},
    "Observation": {"status": "final", "code": {"text": "a"}, "subject": DEMO},
    "Patient": {},
    "VisionPrescription": {
        "status": "active", "created": "2024-05-01", "patient": DEMO, "dateWritten": "2024-05-01",
        "prescriber": {"display": "a"},
        "lensSpecification": [{"product": {"text": "lens"}, "eye": "right"}],
    },
}


class FHIRTests(unittest.TestCase):
    def setUp(self):
        self.server = Server("--memory", "--auto-approve")
        self.addCleanup(self.server.__exit__)
        self.http = sign_in(self.server, "user/*.cruds observations.write offline_access")
        self.client = SyncFHIRClient(
            self.server.fhir, authorization=f"Bearer {self.http.token['access_token']}"
        )

    def test_a_resource_can_be_created_read_updated_searched_for_and_deleted(self):
        patient = self.client.resource("Patient", id="p1", birthDate="1980-02-29")
        patient.save()
        created = self.client.resource("Observation", **json.loads(observation("a")))
        created.save()
        self.assertEqual(created["meta"]["versionId"], "1")
        read = self.client.reference("Observation", created.id).to_resource()
        self.assertEqual(read.serialize(), created.serialize())
        read["status"] = "amended"
        read.save()
        self.assertEqual(read["meta"]["versionId"], "2")
        found = self.client.resources("Observation").search(
            identifier="urn:example:ids|a", code="8867-4", date__ge="2024-05-01", date__lt="2024-05-02"
        )
        self.assertEqual([each.id for each in found.fetch_all()], [created.id])
        self.assertEqual(found.count(), 1)
        read.delete()
        self.assertEqual(found.count(), 0)

    def test_paging_follows_the_links_to_every_resource_once(self):
        entries = [("POST", "Observation", observation(str(number))) for number in range(55)]
        answer = self.http.post(self.server.fhir, data=transaction(*entries), headers=FHIR_JSON)
        self.assertEqual({entry["response"]["status"] for entry in answer.json()["entry"]}, {"201 Created"})
        found = self.client.resources("Observation").limit(10).fetch_all()
        values = [each["identifier"][0]["value"] for each in found]
        self.assertEqual(values, [str(number) for number in range(55)])

    def test_a_transaction_is_all_or_nothing(self):
        good, bad = observation("good"), observation("bad").replace('"status":"final",', "")
        answer = self.http.post(
            self.server.fhir,
            data=transaction(("POST", "Observation", good), ("POST", "Observation", bad)),
            headers=FHIR_JSON,
        )
        self.assertEqual(answer.status_code, 422)
        self.assertEqual(
            answer.json(),
            {
                "resourceType": "OperationOutcome",
                "issue": [
                    {
                        "severity": "error", "code": "required", "diagnostics": "status is missing",
                        "expression": ["Bundle.entry[1].resource.status"],
                    }
                ],
            },
        )
        self.assertEqual(self.client.resources("Observation").count(), 0)

    def test_numbers_come_back_as_they_were_written(self):
        for number, value in enumerate(["72.50", "0.1", "1e-7", "12345678901234567890.123456789", "-0"]):
            self.http.put(
                f"{self.server.fhir}/Observation/n{number}",
                data=observation("n", value)[:-1] + f',"id":"n{number}"}}',
                headers=FHIR_JSON,
            )
            self.assertIn(
                f'"value":{value},', self.http.get(f"{self.server.fhir}/Observation/n{number}").text
            )

    # By default an unknown parameter is ignored, and each search would be answered.
    def test_searches_take_the_parameters_that_the_capability_statement_lists_and_no_others(self):
        values = {"token": "a", "date": "2024", "reference": "Patient/demo"}
        kinds = {
            "_id": "token", "_lastUpdated": "date", "birthdate": "date", "category": "token", "code": "token",
            "date": "date", "datewritten": "date", "identifier": "token", "patient": "reference", "status": "token",
            "subject": "reference", "type": "token",
        }
        for resource in self.resources():
            listed = {each["name"]: each["type"] for each in resource["searchParam"]}
            self.assertEqual(listed, {name: kinds.get(name) for name in listed})
            taken = {
                name for name, kind in kinds.items()
                if self.status("GET", resource["type"], params={name: values[kind]}, Prefer="handling=strict") == 200
            }
            self.assertEqual(taken, set(listed), resource["type"])

    def test_the_interactions_that_the_capability_statement_lists_work_and_no_others(self):
        for resource in self.resources():
            kind = resource["type"]
            with self.subTest(kind):
                content = {"resourceType": kind, "id": "a", **CONTENTS[kind]}
                done = {
                    "update": self.status("PUT", f"{kind}/a", json=content),
                    "read": self.status("GET", f"{kind}/a"),
                    "vread": self.status("GET", f"{kind}/a/_history/1"),
                    "search-type": self.status("GET", kind),
                    "create": self.status("POST", kind, json=content),
                    "patch": self.status("PATCH", f"{kind}/a", json=[]),
                    "history-instance": self.status("GET", f"{kind}/a/_history"),
                    "history-type": self.status("GET", f"{kind}/_history"),
                    "delete": self.status("DELETE", f"{kind}/a"),
                }
                self.assertEqual(
                    {code for code, status in done.items() if status < 400},
                    {interaction["code"] for interaction in resource["interaction"]},
                    done,
                )
                self.assertEqual(self.status("GET", f"{kind}/a"), 410)

    def resources(self):
        resources = self.http.get(f"{self.server.fhir}/metadata").json()["rest"][0]["resource"]
        self.assertEqual({each["type"] for each in resources}, set(CONTENTS))
        return resources

    def status(self, method, path, json=None, params=None, **headers):
        headers = {**FHIR_JSON, **headers}
        return self.http.request(
            method, f"{self.server.fhir}/{path}", json=json, params=params, headers=headers
        ).status_code


if __name__ == "__main__":
    unittest.main()
