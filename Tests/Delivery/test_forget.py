#!/usr/bin/env python3
"""`pghd logout --forget`: what is kept of one server is removed, what is kept of others stays.

    python3 Tests/Delivery/test_forget.py
"""

import fcntl
import json
import shutil
import subprocess
import sys
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import PGHD, DeliveryTestCase
from scripted_server import ScriptedServer


class Forget(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.variables = {}
        self.passphrase = self.folder / "passphrase"
        self.passphrase.write_text("correct horse battery staple\n")
        self.passphrase.chmod(0o600)
        self.export = exports.write(self.folder / "export.xml", exports.samples(20))

    def logout(self, server, *more, code=0):
        """What it printed on standard output and on standard error."""
        result = subprocess.run(
            [PGHD, "logout", "--server", server.base, "--passphrase-file", str(self.passphrase), *more],
            capture_output=True, env=self.environment() | self.variables, timeout=120, text=True,
        )
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stdout, result.stderr

    def forget(self, server, *more, code=0):
        printed, _ = self.logout(server, "--forget", "--ledger", str(self.folder / "ledger"), "--json", *more, code=code)
        return json.loads(printed)["ledgers"]

    def files(self):
        """Every file in the ledgers' folder with its bytes, except the log of a ledger with nothing in it."""
        files = [path for path in (self.folder / "ledger").rglob("*") if path.is_file()]
        logs = {path for path in files if path.name.endswith("-shm") or (path.name.endswith("-wal") and not path.stat().st_size)}
        return {str(path): path.read_bytes() for path in files if path not in logs}

    def ledger(self):
        (path,) = (self.folder / "ledger").glob("*.ledger")
        return path

    def test_the_servers_ledgers_are_removed_and_those_of_another_server_stay(self):
        with ScriptedServer() as server, ScriptedServer() as other:
            self.sync(self.export, other)
            kept = self.files()
            # Two patients, refused entries, and a damaged ledger that was put aside.
            server.refused_ids = {next(iter(other.ids()))}
            self.sync(self.export, server, code=6)
            (mine,) = [path for path in (self.folder / "ledger").glob("*.ledger") if str(path) not in kept]
            mine.write_bytes(b"no database at all" * 100)
            self.sync(self.export, server, code=6)
            self.sync(self.export, server, "--patient", "p2-canary")
            mine_all = {path for path in self.files() if path not in kept}
            kinds = {path.split("/")[-1].split(".", 1)[1] for path in mine_all if ".quarantine/" not in path}
            self.assertEqual(kinds, {"ledger", "lock", "ledger.damaged"})
            self.assertTrue(any(".quarantine/" in path for path in mine_all))

            printed, said = self.logout(server, "--forget", "--ledger", str(self.folder / "ledger"))
            self.assertIn("\n  ledgers        2 removed\n", printed)
            self.assertNotIn("canary", printed + said)
            self.assertEqual(self.files(), kept)
            self.assertEqual([path for path in (self.folder / "ledger").iterdir() if path.is_dir()], [])
            # The run to the other server knows what it had; the one to this server starts from nothing.
            passphrase = ["--passphrase-file", str(self.passphrase)]
            self.assertEqual(self.sync(self.export, other, *passphrase)["delivered"], 0)
            server.refused_ids = set()
            code, report, said = self.run_pghd("sync", self.export, server, *passphrase)
            self.assertEqual((code, report["delivered"]), (0, 1), said)
            self.assertIn("has 29 resources of this patient that the ledger does not know", said)

    def test_json_lists_each_removed_path(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            there = sorted(str(path) for path in (self.folder / "ledger").iterdir())
            self.assertEqual(self.forget(server), {"removed": there, "inUse": [], "unreadable": []})
            self.assertEqual(list((self.folder / "ledger").iterdir()), [])
            printed, said = self.logout(server, "--forget", "--ledger", str(self.folder / "ledger"), "--json", code=64)
            self.assertEqual(printed, "")
            self.assertIn(f"pghd: --server: nothing is kept of {server.base} (expected", said)

    def test_without_forget_the_ledgers_stay(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            there = self.files()
            printed, said = self.logout(server, "--json", code=64)
            self.assertEqual(printed, "")
            self.assertIn(f"pghd: --server: no sign-in is kept of {server.base} (expected", said)
            _, said = self.logout(server, "--patient", "p1", code=64)
            self.assertIn("pghd: --patient: nothing of one patient's is removed without --forget", said)
            _, said = self.logout(server, "--ledger", str(self.folder / "ledger"), code=64)
            self.assertIn("pghd: --ledger: nothing is removed there without --forget", said)
            self.assertEqual(self.files(), there)

    def test_a_ledger_that_a_run_is_using_is_left_and_reported(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            self.sync(self.export, server, "--patient", "p2")
            held, free = sorted((self.folder / "ledger").glob("*.ledger"))
            with open(held.with_suffix(".lock"), "rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                report = self.forget(server, code=3)
                self.assertEqual(report["inUse"], [str(held)])
                self.assertFalse(free.exists())
                printed, _ = self.logout(server, "--forget", "--ledger", str(self.folder / "ledger"), code=3)
                self.assertIn(f"  in use         {held}: another run is at work", printed)
            self.assertEqual(self.forget(server)["inUse"], [])
            self.assertEqual(self.files(), {})

    def test_what_a_killed_run_left_is_removed_too(self):
        path = exports.write(self.folder / "long.xml", exports.samples(2000))
        with ScriptedServer() as server:
            server.gate, server.gate_behind = threading.Event(), 20
            process = subprocess.Popen(
                self.arguments("sync", path, server, "--max-entries", "40"), env=self.environment(),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            self.until(lambda: len(server.posts) >= 20)
            process.kill()
            process.wait()
            server.gate.set()
            self.assertTrue(any(path.endswith("-wal") for path in self.files()))
            self.forget(server)
            self.assertEqual(list((self.folder / "ledger").iterdir()), [])

    def test_a_ledger_whose_other_files_cannot_be_removed_stays_for_the_next_time(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            ledger = self.ledger()
            quarantine = ledger.with_suffix(".quarantine")
            quarantine.mkdir()
            # Root may remove anything except a mount point.
            mounted = ["unshare", "-m", "sh", "-c", f'mount -t tmpfs none "{quarantine}" && exec "$@"', "-"]
            if not shutil.which("unshare") or subprocess.run([*mounted, "true"], capture_output=True).returncode != 0:
                self.skipTest("nothing can be mounted here")
            there = sorted(str(path) for path in (self.folder / "ledger").iterdir())
            result = subprocess.run(
                [*mounted, PGHD, "logout", "--server", server.base, "--passphrase-file", str(self.passphrase), "--forget",
                 "--ledger", str(self.folder / "ledger")], capture_output=True, env=self.environment(), text=True,
            )
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(f"pghd: {quarantine}: ", result.stderr)
            self.assertTrue(ledger.exists(), "nothing tells any longer whose the rest is")
            self.assertEqual(self.forget(server)["removed"], there)
            self.assertEqual(list((self.folder / "ledger").iterdir()), [])

    def test_forgetting_one_patient_keeps_the_others_and_needs_no_keystore(self):
        with ScriptedServer() as server, ScriptedServer() as other:
            for base, patient in (server, "p2"), (other, "p1"):
                self.sync(self.export, base, "--patient", patient)
            kept = self.files()
            server.refused_ids = {next(iter(other.ids()))}
            self.sync(self.export, server, code=6)
            mine = {path for path in self.files() if path not in kept}
            self.assertTrue(any(".quarantine/" in path for path in mine))
            arguments = ["--forget", "--patient", "p1", "--ledger", str(self.folder / "ledger")]
            (ledger,) = [Path(path) for path in mine if path.endswith(".ledger")]
            with open(ledger.with_suffix(".lock"), "rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                printed, _ = self.logout(server, *arguments, code=3)
                self.assertIn(f"  in use         {ledger}: another run is at work", printed)
            # Its name alone says whose it is.
            ledger.write_bytes(b"no database at all" * 100)
            printed, said = self.logout(server, *arguments)
            self.assertEqual((printed, said), (f"Patient/p1 at {server.base}\n  ledgers        1 removed\n", ""))
            self.assertEqual(self.files(), kept)
            self.assertFalse((self.folder / "home").exists(), "the keystore was not needed")
            printed, said = self.logout(server, *arguments, code=64)
            self.assertIn(f"pghd: --patient: nothing is kept of p1 at {server.base} in ", said)
            printed, _ = self.logout(server, "--forget", "--patient", "p2", *arguments[3:], "--json")
            found = json.loads(printed)
            self.assertEqual((found["server"], found["patient"]), (server.base, "p2"))
            self.assertEqual(len(found["ledgers"]["removed"]), 2)

    def test_forget_is_refused_if_only_a_setting_names_the_patient(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            there = self.files()
            for setting, origin in ("variable", "PGHD_PATIENT"), ("file", "config.json: patient"):
                with self.subTest(setting):
                    if setting == "variable":
                        self.variables = {"PGHD_PATIENT": "p2"}
                    else:
                        self.variables = {}
                        settings = self.folder / "home/.config/pghd/config.json"
                        settings.parent.mkdir(parents=True)
                        settings.write_text('{"patient": "p2"}')
                    _, said = self.logout(server, "--forget", "--ledger", str(self.folder / "ledger"), code=64)
                    self.assertIn(
                        f"pghd: --patient: not given, and {origin} names p2 (expected whose is removed): add --patient p2, "
                        "or unset it", said,
                    )
                    self.assertEqual(self.files(), there)

    def test_a_ledger_that_does_not_say_its_server_is_left_and_reported(self):
        with ScriptedServer() as server:
            self.sync(self.export, server)
            ledger = self.ledger()
            ledger.write_bytes(b"no database at all" * 100)
            there = self.files()
            self.assertEqual(self.forget(server, code=2), {"removed": [], "inUse": [], "unreadable": [str(ledger)]})
            # Put aside, and no run followed.
            aside = ledger.with_name(ledger.name + ".damaged")
            ledger.rename(aside)
            self.assertEqual(self.forget(server, code=2)["unreadable"], [str(aside)])
            self.assertEqual(sorted(self.files().values()), sorted(there.values()))


if __name__ == "__main__":
    unittest.main()
