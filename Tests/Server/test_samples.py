"""Every Bundle of samples/ is accepted, comes back as it was sent, and changes nothing when sent again.

    .venv-server/bin/python Tests/Server/test_samples.py
"""

import glob
import json
import os
import unittest

from server import FHIR_JSON, ROOT, Server, sign_in


def parse(text):
    """Numbers as their text: 72.50 is not 72.5."""
    return json.loads(text, parse_float=str, parse_int=str)


def without_server_marks(resource):
    """The resource without the elements that the server adds."""
    meta = {name: value for name, value in resource.get("meta", {}).items() if name not in ("versionId", "lastUpdated")}
    kept = {name: value for name, value in resource.items() if name != "meta"}
    return {**kept, "meta": meta} if meta else kept


class SampleTests(unittest.TestCase):
    def test_each_sample_is_stored_as_it_was_sent(self):
        paths = sorted(glob.glob(os.path.join(ROOT, "samples", "bundles", "*.ndjson")))
        self.assertGreater(len(paths), 30)
        for path in paths:
            with self.subTest(os.path.basename(path)), Server("--memory", "--auto-approve") as server:
                http = sign_in(server, "user/*.cruds")
                with open(path, "rb") as file:
                    bundles = file.read().splitlines()
                for bundle in bundles:
                    answer = http.post(server.fhir, data=bundle, headers=FHIR_JSON)
                    self.assertEqual(answer.status_code, 200, answer.text[:500])
                    self.assertEqual(len(answer.json()["entry"]), len(json.loads(bundle)["entry"]))
                for bundle in bundles:
                    again = http.post(server.fhir, data=bundle, headers=FHIR_JSON).json()["entry"]
                    self.assertEqual({entry["response"]["status"] for entry in again}, {"200 OK"})
                    for entry, answer in zip(parse(bundle)["entry"], again):
                        if entry["request"]["method"] != "PUT" or "?" in entry["request"]["url"]:
                            continue  # The server chose the id, and uses it in links
                        read = parse(http.get(f"{server.fhir}/{entry['request']['url']}").text)
                        self.assertEqual(without_server_marks(read), without_server_marks(entry["resource"]))


if __name__ == "__main__":
    unittest.main()
