"""Renewals of a sign-in at the worst moments: `pghd serve` expires tokens and is slow or busy on request.

    .venv-server/bin/python Tests/Server/test_renewal.py
"""

import json
import signal
import subprocess
import time
import unittest

import requests
from client import Client
from server import PGHD, Server, until

LIFETIME = 2


class RenewalTests(Client):
    def start(self, lifetime):
        """Starts a server whose tokens live for so many seconds."""
        self.server = self.enterContext(
            Server("--memory", "--auto-approve", "--test", "--patient", "demo", "--token-lifetime", str(lifetime))
        )
        self.export = self.generate("export.zip", 1)

    def faults(self, method, **more):
        response = requests.request(
            method, f"{self.server.root}/test/faults", timeout=10,
            headers={"Authorization": f"Bearer {self.server.addresses['testToken']}"}, **more,
        )
        self.assertEqual(response.status_code, 200, response.text)
        return response.json()["counts"]

    def fail(self, *rules):
        self.faults("POST", json={"rules": rules})

    def renewals(self):
        return self.faults("GET")[0]

    def test_a_run_that_is_told_to_end_while_it_renews_the_token_keeps_the_sign_in(self):
        self.start(LIFETIME)
        bundles = self.folder / "bundles.ndjson"
        subprocess.run(
            [PGHD, "convert", str(self.export), "--patient", "demo", "-o", str(bundles), "--quiet"], check=True
        )
        whose = ["--patient", "demo"]
        for number, command in [
            (signal.SIGINT, ["sync", str(self.export), *whose]), (signal.SIGTERM, ["sync", str(self.export), *whose]),
            (signal.SIGTERM, ["verify", str(self.export), *whose]), (signal.SIGINT, ["send", str(bundles), "--ledger", str(self.folder)]),
        ]:  # fmt: skip
            with self.subTest(signal=number, command=command[0]):
                self.fail()
                self.sign_in(self.server)
                self.fail({"method": "POST", "path": "/auth/token", "delayMilliseconds": 2500})
                time.sleep(LIFETIME)
                with subprocess.Popen(
                    [PGHD, *command, "--server", self.server.fhir, "--quiet"],
                    env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                ) as run:
                    until(lambda: self.renewals() or run.poll() is not None, pause=0.05)
                    time.sleep(0.2)
                    run.send_signal(number)
                    said = run.stderr.read()
                    self.assertEqual(run.wait(), 130, said)
                # By now the server has issued another refresh token, whether or not a client waits for it.
                time.sleep(1.5)
                self.fail()
                self.run_pghd("sync", self.export, self.server)

    def test_a_login_that_is_told_to_end_once_it_is_kept_says_who_is_signed_in(self):
        clients = self.folder / "clients.json"
        clients.write_text('[{"client_id":"pghd"},{"client_id":"other"}]')
        self.server = self.enterContext(
            Server("--memory", "--auto-approve", "--test", "--patient", "demo", "--clients", str(clients))
        )
        self.sign_in(self.server)
        self.fail({"method": "POST", "path": "/auth/revoke", "delayMilliseconds": 2500})
        with subprocess.Popen(
            [PGHD, "login", "--server", self.server.fhir, "--client-id", "other", "--no-browser", "--json"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as login:
            url = next(line.strip() for line in login.stderr if line.strip().startswith("http"))
            self.assertEqual(requests.get(url, timeout=60).status_code, 200)
            # The former client's token is being given back.
            until(self.renewals, pause=0.05)
            login.send_signal(signal.SIGINT)
            report, said = login.stdout.read(), login.stderr.read()
            self.assertEqual((login.wait(), "could not be given back" in said), (0, False), said)
        self.assertEqual(json.loads(report)["clientId"], "other")

    def test_ctrl_c_while_a_token_is_renewed_says_what_is_waited_for(self):
        self.start(LIFETIME)
        self.sign_in(self.server)
        self.fail({"method": "POST", "path": "/auth/token", "delayMilliseconds": 5000})
        time.sleep(LIFETIME)
        with subprocess.Popen(
            [PGHD, "sync", str(self.export), "--server", self.server.fhir],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        ) as run:
            until(self.renewals, pause=0.05)
            run.send_signal(signal.SIGINT)
            said = run.stderr.read()
            self.assertEqual(run.wait(), 130, said)
        self.assertEqual(said.count("pghd: told to end: waits for the answers to requests in flight"), 1, said)

    def test_a_logout_while_a_run_is_at_work_is_told_as_one(self):
        self.start(LIFETIME)
        self.sign_in(self.server)
        self.fail({"method": "POST", "path": "/fhir", "delayMilliseconds": 1000})
        with subprocess.Popen(
            [PGHD, "sync", str(self.export), "--server", self.server.fhir, "--quiet"],
            env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        ) as run:
            until(lambda: self.renewals() or run.poll() is not None, pause=0.05)
            out = [PGHD, "logout", "--server", self.server.fhir]
            subprocess.run(out, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
            said = run.stderr.read()
            self.assertEqual(run.wait(), 4, said)
        self.assertIn(f"pghd: {self.server.fhir}: not signed in: run 'pghd login --server {self.server.fhir}'\n", said)

    def test_a_run_does_not_go_on_with_the_sign_in_of_somebody_else(self):
        self.start(LIFETIME)
        self.sign_in(self.server)
        bundles = self.folder / "bundles.ndjson"
        subprocess.run(
            [PGHD, "convert", str(self.export), "--patient", "demo", "-o", str(bundles), "--quiet"], check=True
        )
        for command in [["sync", str(self.export)], ["send", str(bundles), "--ledger", str(self.folder)]]:
            with self.subTest(command=command[0]):
                self.sign_in(self.server, "--scope", "openid patient/*.cruds offline_access")
                self.fail({"method": "POST", "path": "/fhir", "delayMilliseconds": 1000})
                with subprocess.Popen(
                    [PGHD, *command, "--server", self.server.fhir, "--quiet", "--concurrency", "1"],
                    env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                ) as run:
                    until(lambda: self.renewals() or run.poll() is not None, pause=0.05)
                    # A clinician's sign-in, which names no patient.
                    self.sign_in(self.server, "--scope", "openid user/*.cruds offline_access")
                    said = run.stderr.read()
                    self.assertEqual(run.wait(), 64, said)
                self.assertIn(
                    "somebody else has signed in meanwhile (expected the person and the patient that the run began with): sign "
                    "in as before and run the command again\n",
                    said,
                )
                self.fail()

    def test_a_sign_in_server_that_is_too_busy_to_renew_a_token_is_waited_for(self):
        # Longer than the run: the token that finally arrives has to last.
        self.start(10 * LIFETIME)
        self.sign_in(self.server)
        self.fail({"method": "POST", "path": "/auth/token", "requests": [1, 2, 3], "status": 503})
        time.sleep(10 * LIFETIME)
        report = self.run_pghd("sync", self.export, self.server, "--retry-delay-milliseconds", "50")
        self.assertGreater(report["delivered"], 500)
        self.assertEqual(self.renewals(), 4)


if __name__ == "__main__":
    unittest.main()
