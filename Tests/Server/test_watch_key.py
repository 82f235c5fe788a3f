#!/usr/bin/env python3
"""A watch derives its keystore's key once for all patients."""

import json
import subprocess
import unittest

from client import Client
from server import PGHD, Server

SCRYPT_BYTES = 128 << 20


def values(text):
    """The JSON values that follow each other."""
    while text := text.strip():
        value, end = json.JSONDecoder().raw_decode(text)
        text = text[end:]
        yield value


class WatchKey(Client):
    def run_values(self, *arguments):
        result = subprocess.run(
            [PGHD, *arguments], env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
            timeout=300,
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        return list(values(result.stdout))

    def test_the_first_run_derives_the_key_and_the_others_use_it(self):
        with Server("--memory") as server:
            port, base = server.port, server.fhir
        (keys,) = self.run_values("login", "--server", base, "--new-key")
        clients = self.folder / "clients.json"
        clients.write_text(json.dumps([{"client_id": "pipeline", "jwks": keys}]))
        export = self.generate("export.zip", 1).read_bytes()
        watched = self.folder / "watched"
        for name in "p1", "p2", "p3":
            (watched / name).mkdir(parents=True)
            (watched / name / "export.zip").write_bytes(export)
        with Server("--memory", "--clients", str(clients), port=port):
            self.run_values("login", "--server", base, "--backend", "--client-id", "pipeline", "--json")
            reports = self.run_values("watch", str(watched), "--server", base, "--once", "--json")
        self.assertEqual([(report["exitCode"], report["delivered"] > 0) for report in reports], [(0, True)] * 3)
        # Nothing else takes as much memory in such runs.
        derivations = [report["peakMemoryBytes"] > SCRYPT_BYTES for report in reports]
        self.assertEqual(derivations, [True, False, False])


if __name__ == "__main__":
    unittest.main()
