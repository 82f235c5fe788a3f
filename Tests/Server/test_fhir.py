"""The FHIR base, used by fhirpy.

    .venv-server/bin/python Tests/Server/test_fhir.py
"""

import json
import unittest

from fhirpy import SyncFHIRClient

from server import FHIR_JSON, Server, observation, sign_in, transaction


class FHIRTests(unittest.TestCase):
    def setUp(self):
        self.server = Server("--memory", "--auto-approve")
        self.addCleanup(self.server.__exit__)
        self.http = sign_in(self.server, "user/*.cruds observations.write offline_access")
        self.client = SyncFHIRClient(
            self.server.fhir, authorization=f"Bearer {self.http.token['access_token']}"
        )

    def test_create_read_update_search_and_delete(self):
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

    def test_the_capability_statement_is_true(self):
        statement = self.http.get(f"{self.server.fhir}/metadata").json()
        for resource in statement["rest"][0]["resource"]:
            values = {"token": "a", "date": "2024", "reference": "Patient/demo"}
            for parameter in resource["searchParam"]:
                answer = self.http.get(
                    f"{self.server.fhir}/{resource['type']}",
                    params={parameter["name"]: values[parameter["type"]]},
                )
                self.assertEqual(answer.status_code, 200, (resource["type"], parameter, answer.text))


if __name__ == "__main__":
    unittest.main()
