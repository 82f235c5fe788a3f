#!/usr/bin/env python3
"""What other users of a machine have put in the way: they get no patient's data and keep nobody from his own.

    python3 Tests/Delivery/test_other_users.py    as root, which becomes two others
"""

import json
import os
import stat
import subprocess
import unittest
from pathlib import Path

import exports
from delivery import PGHD, DeliveryTestCase
from scripted_server import ScriptedServer

ALICE, BOB = 60001, 60002


@unittest.skipUnless(os.geteuid() == 0, "needs root, to become others")
class OtherUsers(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.export = exports.write(self.folder / "export.xml", exports.samples(20))
        self.export.chmod(0o644)
        for name, user in (("home", BOB), ("ledger", BOB)):
            (self.folder / name).mkdir(exist_ok=True)
            os.chown(self.folder / name, user, user)
        self.passphrase = self.folder / "home/passphrase"
        self.passphrase.write_text("correct horse battery staple\n")
        self.passphrase.chmod(0o600)
        os.chown(self.passphrase, BOB, BOB)

    def bob(self, *arguments, code):
        """What a run as Bob printed on standard error and on standard output."""
        result = subprocess.run(
            [PGHD, *arguments], capture_output=True, text=True, env=self.environment(), timeout=120, user=BOB, group=BOB,
            extra_groups=[], stdin=subprocess.DEVNULL, cwd=self.folder,
        )
        self.assertEqual(result.returncode, code, result.stderr)
        return result.stderr, result.stdout

    def sync(self, server, *more, code=0):
        arguments = self.arguments("sync", self.export, server, *more)[1:]
        return self.bob(*arguments, code=code)

    def forget(self, server, *more, code):
        said, printed = self.bob(
            "logout", "--server", server.base, "--forget", "--ledger", str(self.folder / "ledger"), "--passphrase-file",
            str(self.passphrase), "--json", *more, code=code,
        )
        return said, json.loads(printed) if printed else None

    def test_no_core_dump_can_be_made_of_any_command(self):
        # Not even by a program that the system pipes it to, to which the limit on file size does not apply: in /proc,
        # what may be dumped belongs to its user.
        for arguments in (
            ["convert", "-", "--patient", "p1", "-o", "-"],
            ["serve", "--port", "0"],
        ):
            with self.subTest(arguments[0]):
                process = subprocess.Popen(
                    [PGHD, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                    env=self.environment(), user=BOB, group=BOB, extra_groups=[], cwd=self.folder,
                )
                try:
                    # It has begun once it waits for its input or has said where it listens.
                    if arguments[0] == "serve":
                        process.stderr.readline()
                    else:
                        self.until(lambda: "State:\tS" in Path(f"/proc/{process.pid}/status").read_text())
                    self.assertEqual(os.stat(f"/proc/{process.pid}/mem").st_uid, 0)
                    limits = Path(f"/proc/{process.pid}/limits").read_text()
                    self.assertRegex(limits, "Max core file size +0 +0 ")
                finally:
                    process.kill()
                    process.communicate()

    def test_a_ledger_that_another_user_has_made_is_not_used(self):
        with ScriptedServer() as server:
            self.sync(server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            for suffix in (".ledger", ".lock"):
                for path in (self.folder / "ledger").iterdir():
                    path.unlink()
                path = ledger.with_suffix(suffix)
                path.touch()
                path.chmod(0o666)
                os.chown(path, ALICE, ALICE)
                said, _ = self.sync(server, code=2)
                self.assertIn(
                    f"pghd: {path}: cannot be read or written (it belongs to another user): make room, or make it writable", said
                )
                self.assertEqual(path.read_bytes(), b"")

    def test_a_log_that_another_user_has_put_next_to_a_ledger_is_not_read(self):
        with ScriptedServer() as server:
            self.sync(server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            for suffix in ("-wal", "-shm", "-journal"):
                path = Path(f"{ledger}{suffix}")
                path.touch()
                path.chmod(0o666)
                os.chown(path, ALICE, ALICE)
                said, _ = self.sync(server, code=2)
                self.assertIn(f"pghd: {path}: cannot be read or written (it belongs to another user)", said)
                path.unlink()

    def test_a_folder_that_others_may_write_to_is_refused(self):
        folder = self.folder / "ledger"
        with ScriptedServer() as server:
            for mode, owner, group, code in [
                (0o1777, BOB, BOB, 2), (0o777, BOB, BOB, 2), (0o775, BOB, ALICE, 0), (0o2770, BOB, BOB, 0), (0o755, BOB, BOB, 0),
                (0o775, ALICE, ALICE, 2), (0o775, 0, ALICE, 2), (0o775, 0, BOB, 0),
            ]:  # fmt: skip
                os.chown(folder, owner, group)
                folder.chmod(mode)
                said, _ = self.sync(server, code=code)
                told = f"pghd: {folder}: others than you may write to it (expected a folder that you alone can change"
                self.assertEqual(told in said, code == 2, said)
                # A group's bit is removed where he is allowed to remove it.
                self.assertEqual(folder.stat().st_mode & 0o020, mode & 0o020 if owner != BOB or code else 0)

    def test_forget_removes_the_other_ledgers_if_one_cannot_be_opened(self):
        with ScriptedServer() as server:
            for patient in ("p1", "p2", "p3"):
                self.sync(server, "--patient", patient)
            first, *others = sorted((self.folder / "ledger").glob("*.ledger"))
            for path in (first, first.with_suffix(".lock")):
                os.chown(path, ALICE, ALICE)
            _, report = self.forget(server, code=2)
            self.assertEqual(report["ledgers"]["unreadable"], [str(first)])
            gone = [str(path.with_suffix(suffix)) for path in others for suffix in (".ledger", ".lock")]
            self.assertEqual(sorted(report["ledgers"]["removed"]), gone)
            self.assertEqual(list((self.folder / "ledger").glob("*.ledger")), [first])

    def test_a_folder_that_cannot_be_listed_is_not_called_empty(self):
        with ScriptedServer() as server:
            self.sync(server)
            parent = self.folder / "state"
            parent.mkdir()
            (self.folder / "ledger").rename(parent / "ledger")
            parent.chmod(0o700)
            (self.folder / "ledger").symlink_to(parent / "ledger")
            for more in ([], ["--patient", "p1"]):
                said, _ = self.forget(server, *more, code=2)
                self.assertIn(f"{self.folder}/ledger: cannot be listed (expected a folder of ledgers that is open to you)", said)
            said, _ = self.bob("status", "--patients", "--ledger", str(self.folder / "ledger"), code=2)
            self.assertIn("cannot be listed", said)

    def test_a_run_of_an_ordinary_user_writes_nothing_to_the_systems_log(self):
        with ScriptedServer() as server:
            traced = subprocess.run(
                ["strace", "-f", "-qq", "-e", "trace=connect", *self.arguments("sync", self.export, server)],
                capture_output=True, text=True, env=self.environment(), timeout=120, user=BOB, group=BOB, extra_groups=[],
            )
            self.assertEqual((traced.returncode, "connect(" in traced.stderr), (0, True), traced.stderr)
            self.assertNotIn("/dev/log", traced.stderr)

    def test_a_pipe_that_another_user_has_put_in_place_of_the_output_gets_nothing(self):
        shared = self.folder / "shared"
        shared.mkdir()
        shared.chmod(0o1777)
        pipe = shared / "bundles.ndjson"
        os.mkfifo(pipe)
        pipe.chmod(0o666)
        os.chown(pipe, ALICE, ALICE)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            said, _ = self.bob("convert", str(self.export), "--patient", "p1", "-o", str(pipe), code=2)
            self.assertIn(f"{pipe}: cannot be written (Permission denied", said)
            self.assertEqual(os.read(reader, 1), b"")
            # His own pipe is not somebody else's.
            os.chown(pipe, BOB, BOB)
            self.bob("convert", str(self.export), "--patient", "p1", "-o", str(pipe), "--quiet", code=0)
            self.assertTrue(os.read(reader, 1 << 16).startswith(b'{"resourceType":"Bundle"'))
        finally:
            os.close(reader)
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))


if __name__ == "__main__":
    unittest.main()
