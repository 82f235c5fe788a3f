"""32 clients post at once and the server is killed meanwhile: what it acknowledged is there, once.

    .venv-server/bin/python Tests/Server/test_kill.py
"""

import concurrent.futures
import os
import tempfile
import threading
import time
import unittest

import requests

from server import FHIR_JSON, Server, observation, sign_in, transaction

CLIENTS = 32
SECONDS = float(os.environ.get("PGHD_LOAD_SECONDS", "4"))


def post_until_it_dies(url, token, client, dead):
    """Posts Bundles of four; returns the keys that were acknowledged and the one that was not."""
    acknowledged, number = [], 0
    with requests.Session() as http:
        while not dead.is_set():
            key = f"c{client}-{number}"
            entries = [("POST", "Observation", observation(f"{key}-{entry}")) for entry in range(4)]
            try:
                answer = http.post(
                    url, data=transaction(*entries), timeout=30,
                    headers={**FHIR_JSON, "Authorization": f"Bearer {token}", "Idempotency-Key": key},
                )
            except requests.RequestException:
                return acknowledged, key
            assert answer.status_code == 200, answer.text
            acknowledged.append(key)
            number += 1
    return acknowledged, None


class KillTests(unittest.TestCase):
    def test_each_acknowledged_bundle_is_there_once_after_a_kill(self):
        with tempfile.TemporaryDirectory() as folder:
            server = Server("--data", folder, "--auto-approve")
            token = sign_in(server).token["access_token"]
            url = f"{server.root}/api/v1/observations"
            dead = threading.Event()
            with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
                runs = [pool.submit(post_until_it_dies, url, token, client, dead) for client in range(CLIENTS)]
                time.sleep(SECONDS)
                server.kill()
                dead.set()
            outcomes = [run.result() for run in runs]
            acknowledged = {key for keys, _ in outcomes for key in keys}
            unknown = {key for _, key in outcomes if key}
            self.assertGreater(len(acknowledged), CLIENTS)
            with Server("--data", folder, "--auto-approve", port=server.port) as server:
                # The clients' retry: the same bytes and key again.
                for key in sorted(unknown) + sorted(acknowledged)[:50]:
                    entries = [("POST", "Observation", observation(f"{key}-{entry}")) for entry in range(4)]
                    answer = requests.post(
                        url, data=transaction(*entries),
                        headers={**FHIR_JSON, "Authorization": f"Bearer {token}", "Idempotency-Key": key},
                    )
                    self.assertEqual(answer.status_code, 200, answer.text)
                found, next_page = [], f"{server.fhir}/Observation?_count=1000"
                while next_page:
                    page = requests.get(next_page, headers={"Authorization": f"Bearer {token}"}).json()
                    found += [entry["resource"]["identifier"][0]["value"] for entry in page.get("entry", [])]
                    next_page = next((l["url"] for l in page["link"] if l["relation"] == "next"), None)
                expected = [f"{key}-{entry}" for key in acknowledged | unknown for entry in range(4)]
                self.assertEqual(sorted(found), sorted(expected))
            print(f"{len(acknowledged)} Bundles acknowledged in {SECONDS:g} s, {len(unknown)} in doubt", flush=True)


if __name__ == "__main__":
    unittest.main()
