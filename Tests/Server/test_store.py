"""What `pghd serve --data` does if another process holds its database, a later version wrote it or a row of it is damaged,
and who may read it.

    .venv-server/bin/python Tests/Server/test_store.py
"""

import shutil
import sqlite3
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

import requests
from server import FHIR_JSON, PGHD, Server, observation, sign_in, until

SAMPLE = {"id": "a", "startDate": "2024-01-15T10:30:00Z", "endDate": "2024-01-15T10:31:00Z", "count": 45}


def may_trace():
    """Whether strace is installed and allowed to trace a process."""
    return shutil.which("strace") and not subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode


class StoreTests(unittest.TestCase):
    def setUp(self):
        self.data = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pghd-store-"))) / "data"
        self.data.mkdir(mode=0o755)

    def post(self, server, name):
        body = {"samples": [{**SAMPLE, "id": name}]}
        return requests.post(f"{server.root}/steps", json=body, timeout=40).status_code

    def lock(self, seconds):
        """Holds the database's lock in a thread for a while, or until the returned event is set."""
        holds, ends = threading.Event(), threading.Event()

        def hold():
            database = sqlite3.connect(self.data / "server.db", isolation_level=None)
            database.execute("BEGIN IMMEDIATE")
            holds.set()
            ends.wait(seconds)
            database.execute("ROLLBACK")
            database.close()

        thread = threading.Thread(target=hold)
        thread.start()
        self.addCleanup(thread.join)
        until(lambda: holds.is_set())
        return ends

    def test_a_lock_is_waited_for_and_one_that_stays_is_an_error(self):
        with Server("--data", str(self.data)) as server:
            self.lock(1.5)
            self.assertEqual(self.post(server, "a"), 200)
            ends = self.lock(300)
            self.assertEqual(self.post(server, "b"), 500)
            ends.set()
        self.assertEqual(server.process.returncode, 0)

    def test_a_second_server_is_refused(self):
        with Server("--data", str(self.data)):
            second = subprocess.run(
                [PGHD, "serve", "--data", str(self.data), "--port", "0"], capture_output=True, text=True, timeout=30
            )
        self.assertEqual(second.returncode, 2)
        self.assertRegex(second.stderr, r"^pghd: .*: another server uses it \(expected none\): end that one, or use it\n$")

    @unittest.skipUnless(may_trace(), "strace is not installed, or not allowed here")
    def test_a_file_system_without_locks_is_not_reported_as_a_second_server(self):
        messages = {
            "ENOLCK": ": the data can't be kept there, no lock, No locks available (expected",
            "EAGAIN": ": another server uses it (expected",
        }
        for error, message in messages.items():
            refused = subprocess.run(
                ["strace", "-f", "-o", "/dev/null", "-e", "trace=flock", "-e", f"inject=flock:error={error}", PGHD, "serve",
                 "--data", str(self.data), "--port", "0"],
                capture_output=True, text=True, timeout=60,
            )
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn(message, refused.stderr)

    def test_a_database_of_a_later_version_is_refused(self):
        with Server("--data", str(self.data)):
            pass
        database = sqlite3.connect(self.data / "server.db", isolation_level=None)
        database.execute("INSERT INTO grdb_migrations VALUES ('later')")
        database.close()
        refused = subprocess.run(
            [PGHD, "serve", "--data", str(self.data), "--port", "0"], capture_output=True, text=True, timeout=30
        )
        self.assertEqual(
            (refused.returncode, refused.stderr, refused.stdout),
            (
                2,
                f"pghd: {self.data}/server.db: written by a later pghd (expected this one or an earlier one): use that one, "
                "or choose another folder\n",
                "",
            ),
        )

    def test_a_damaged_row_costs_only_the_requests_that_need_it(self):
        changes = {
            "body": "x''", "version": "9223372036854775807", "updated": "-1", "patient": "x'ff'", "low": "0",
        }
        with Server("--data", str(self.data), "--auto-approve") as server:
            headers = {**FHIR_JSON, "Authorization": f"Bearer {sign_in(server, 'user/*.cruds').token['access_token']}"}
            address = f"{server.fhir}/Observation"
            for name in changes:
                body = observation(name)[:-1] + f',"id":"{name}"}}'
                self.assertEqual(requests.put(f"{address}/{name}", body, headers=headers, timeout=40).status_code, 201)
            database = sqlite3.connect(self.data / "server.db", isolation_level=None)
            for name, value in changes.items():
                database.execute(f"UPDATE resource SET {name} = {value} WHERE id = '{name}'")
            answers = {name: requests.get(f"{address}/{name}", headers=headers, timeout=40) for name in changes}
            self.assertEqual(
                {name: answer.status_code for name, answer in answers.items()},
                {"body": 500, "version": 500, "updated": 500, "patient": 500, "low": 200},
            )
            self.assertEqual(requests.get(address, headers=headers, timeout=40).status_code, 500)
            self.assertEqual(answers["body"].json()["resourceType"], "OperationOutcome")
            database.execute("UPDATE resource SET id = x'ff' WHERE id = 'low'")
            condition = {"If-None-Exist": "identifier=urn:example:ids|low"}
            again = requests.post(address, observation("low"), headers={**headers, **condition}, timeout=40)
            self.assertEqual(again.status_code, 500)
            database.execute("UPDATE resource SET id = 'low' WHERE id = x'ff'")
            database.execute("UPDATE credential SET expires = -1")
            self.assertEqual(requests.get(f"{address}/low", headers=headers, timeout=40).status_code, 500)
            database.close()
            self.assertEqual(requests.get(f"{server.fhir}/metadata", timeout=40).status_code, 200)

    def test_only_the_owner_can_read_the_files(self):
        with Server("--data", str(self.data)) as server:
            self.post(server, "a")
            modes = {path.name: path.stat().st_mode & 0o777 for path in self.data.iterdir()}
        self.assertEqual(set(modes.values()), {0o600}, modes)
        self.assertIn("server.db-wal", modes)


if __name__ == "__main__":
    unittest.main()
