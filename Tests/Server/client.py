"""Runs `pghd` as a person who is signed in to a test's server."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import requests
from server import PGHD


class Client(unittest.TestCase):
    """A person with a home and a keystore of their own."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pghd-verify-")))
        passphrase = self.folder / "passphrase"
        passphrase.write_text("correct horse battery staple\n")
        passphrase.chmod(0o600)
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
            "PGHD_PASSPHRASE_FILE": str(passphrase),
        }
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]

    def sign_in(self, server, *more):
        with subprocess.Popen(
            [PGHD, "login", "--server", server.fhir, "--client-id", "pghd", "--no-browser", "--json", *more],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True,
        ) as login:
            url = next(line.strip() for line in login.stderr if line.strip().startswith("http"))
            self.assertEqual(requests.get(url, timeout=60).status_code, 200)
            said = login.stderr.read()
            self.assertEqual(login.wait(), 0, said)

    def generate(self, name, days):
        path = self.folder / name
        subprocess.run([PGHD, "generate", "-o", str(path), "--days", str(days), "--quiet"], check=True)
        return path

    def run_pghd(self, command, path, server, *more, code=0, patient=("--patient", "demo")):
        result = subprocess.run(
            [PGHD, command, str(path), *patient, "--server", server.fhir, "--json", *more],
            env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300,
        )
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stderr if code == 64 else json.loads(result.stdout)
