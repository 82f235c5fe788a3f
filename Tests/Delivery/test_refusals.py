"""What a system at its limits refuses is reported as what it is, loses nothing, and makes nothing hang.

    python3 Tests/Delivery/test_refusals.py

refusals.c is loaded before the system's library and refuses threads, random bytes, reads and look-ups of names.
"""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import exports
from delivery import PGHD, DeliveryTestCase, key_options, preloaded, quick_derivation
from scripted_server import ScriptedServer

SAMPLE = Path(__file__).resolve().parents[1] / "CredentialStoreTests/Keystores/version-1.keystore"
PAGE = 4096


class Refusals(DeliveryTestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="pghd-refusals-"))
        cls.library = preloaded("refusals", folder)

    def setUp(self):
        super().setUp()
        self.export = exports.write(self.folder / "export.xml", exports.samples(300))

    def run_refused(self, arguments, **refused):
        refusals = {f"PGHD_TEST_{name.upper()}": str(value) for name, value in refused.items()}
        libraries = {"LD_PRELOAD": f"{self.library} {quick_derivation()}"}
        result = subprocess.run(
            arguments, env=self.environment() | libraries | refusals, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=60, start_new_session=True,
        )
        return result.returncode, result.stderr

    def sync(self, server, *more, name="sync", **refused):
        return self.run_refused(self.arguments(name, self.export, server, *more), **refused)

    def test_a_command_that_needs_threads_says_that_there_are_none(self):
        said = (
            "pghd: the system gives no thread (expected some ten): raise the limits of processes and memory (ulimit -u, -v)\n"
        )
        with ScriptedServer() as server:
            # With eight a sync would wait for ever.
            for count, arguments in (0, [PGHD, "status"]), (8, self.arguments("sync", self.export, server)):
                with self.subTest(arguments[1]):
                    self.assertEqual(self.run_refused(arguments, threads=count), (2, said))
            self.assertEqual(server.posts, [])

    def test_a_command_that_needs_no_threads_works_without_them(self):
        out = str(self.folder / "export.zip")
        self.assertEqual(self.run_refused([PGHD, "generate", "--days", "2", "-o", out, "-q"], threads=0), (0, ""))

    def test_random_bytes_come_from_the_system(self):
        with ScriptedServer() as server:
            self.assertEqual(self.sync(server, *key_options(self.folder), random=1), (0, ""))

    def check_reads(self, server, *options):
        """A read of the ledger that fails, once or each time, costs no more than the run."""
        self.assertEqual(self.sync(server, *options), (0, ""))
        (ledger,) = (self.folder / "ledger").glob("*.ledger")
        posts = len(server.posts)
        # Later reads happen while the run is at work; those that always fail, at the beginning of a table.
        runs = [("sync", (), {"read": number}) for number in (12, 16, 20, 24, 28)]
        runs += [("sync", (), {"byte": page * PAGE}) for page in (1, 2)]
        runs += [("verify", ("--rebuild",), {"byte": page * PAGE}) for page in (1, 2)]
        codes = {"read": set(), "byte": set()}
        for name, more, refused in runs:
            with self.subTest(name, **refused):
                code, said = self.sync(server, *options, *more, name=name, **refused)
                for kind in refused:
                    codes[kind].add(code)
                self.assertIn(code, (0, 2), said)
                self.assertEqual(list((self.folder / "ledger").glob("*.damaged*")), [])
        self.assertIn(2, codes["read"])
        self.assertIn(2, codes["byte"])
        self.assertEqual(self.sync(server, *options), (0, ""))
        self.assertEqual(len(server.posts), posts)

    def test_a_failed_read_of_a_ledger_is_not_taken_for_damage(self):
        with ScriptedServer() as server:
            self.check_reads(server)

    def test_a_failed_read_of_a_key_only_servers_ledger_is_not_taken_for_damage(self):
        with ScriptedServer() as server:
            self.check_reads(server, *key_options(self.folder))

    def test_a_look_up_of_a_name_that_never_returns_is_given_up(self):
        server = "https://fhir.example.org/r4"
        said = "pghd: https://fhir.example.org: no answer in time: try again later\n"
        self.assertEqual(self.sync(server, "--retry-for", "1", names=1), (3, said))

    def test_a_missing_passphrase_is_reported_with_a_hint_that_none_may_be_needed(self):
        keystore = self.folder / "keys/keystore"
        keystore.parent.mkdir(mode=0o700)
        shutil.copyfile(SAMPLE, keystore)
        keystore.chmod(0o600)
        options = "--keystore", str(keystore)
        with ScriptedServer() as server:
            for name in "sync", "verify":
                code, said = self.sync(server, *options, name=name)
                self.assertEqual((code, said.splitlines()[1:]), (5, [
                    "pghd: --no-sign-in: not given (expected where the server wants no sign-in): with it no passphrase is "
                    "needed"
                ]))
            # A key-only server's Bundles are kept encrypted, with a key that lies in the keystore.
            code, said = self.sync(server, *options, "--api", "observations")
            self.assertEqual((code, said.count("pghd: ")), (5, 1), said)
            self.assertEqual(self.sync(server, *options, "--no-sign-in"), (0, ""))

    def test_a_server_that_wants_a_sign_in_after_all_is_told_of_with_the_option_that_keeps_it_back(self):
        with ScriptedServer() as server:
            server.token = "some"
            code, said = self.sync(server, "--no-sign-in")
            self.assertEqual((code, said.splitlines()[1:]), (4, [
                "pghd: --no-sign-in: given (expected only where the server wants no sign-in): leave it out"
            ]))

    def test_options_that_name_no_folder_and_no_file_say_so(self):
        said = f"pghd: {self.export}: cannot be used (Not a directory, expected a folder): check --ledger\n"
        with ScriptedServer() as server:
            self.assertEqual(self.sync(server, "--ledger", str(self.export)), (2, said))
            code, said = self.sync(server, "--keystore", "")
            self.assertEqual(code, 64)
            self.assertIn("pghd: --keystore: empty (expected a file): name one, or leave it out\n", said)

    def test_a_failed_sign_in_leaves_no_keystore_that_has_to_be_opened(self):
        passphrase = key_options(self.folder)[2:]
        with ScriptedServer() as server:
            login = [PGHD, "login", "--server", server.base, "--client-id", "x", *passphrase]
            self.assertEqual(self.run_refused(login)[0], 4)
            self.assertEqual(self.sync(server), (0, ""))


if __name__ == "__main__":
    unittest.main()
