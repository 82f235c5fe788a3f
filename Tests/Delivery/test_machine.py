"""What a machine lacks is reported as what it is, not as something else.

    python3 Tests/Delivery/test_machine.py
"""

import json
import os
import shutil
import signal
import subprocess
import unittest

import exports
from delivery import PGHD, DeliveryTestCase, key_options, preloaded, quick_derivation
from scripted_server import ScriptedServer


class Machine(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.export = exports.write(self.folder / "export.xml", exports.samples(60))

    def pghd(self, server, *more, prefix=(), name="sync", environment=None):
        result = subprocess.run(
            [*prefix, *self.arguments(name, self.export, server, *more)], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, env=self.environment() if environment is None else environment, start_new_session=True,
        )
        return result.returncode, result.stderr

    def without(self, folder, redirection=""):
        """What a command begins with that finds this folder empty."""
        script = f'mount -t tmpfs none {folder} && exec "$@" {redirection}'
        prefix = ["unshare", "-m", "sh", "-c", script, "-"]
        if not shutil.which("unshare") or subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
            self.skipTest(f"{folder} can't be hidden here")
        return prefix

    def test_a_system_without_certificates_is_reported(self):
        bare = self.without("/etc/ssl")
        with ScriptedServer() as server:
            base = server.base.replace("http:", "https:")
            code, said = self.pghd(base, prefix=bare)
            self.assertEqual(code, 64, said)
            self.assertNotIn("''", said)
            self.assertEqual(said, (
                f"pghd: {base.removesuffix('/fhir')}: its certificate can't be checked, since this system has none of any "
                "authority (expected those of the package ca-certificates): install it, or give your organisation's with "
                "--ca-file\n"
            ))
            missing = str(self.folder / "missing.pem")
            code, said = self.pghd(base, "--retry-for", "0", "--ca-file", missing)
            self.assertIn(f"--ca-file: '{missing}' can't be used", said)

    def test_a_system_without_proc_is_reported_instead_of_printing_help_and_succeeding(self):
        bare = self.without("/proc")
        with ScriptedServer() as server:
            code, said = self.pghd(server, prefix=bare)
            self.assertEqual(code, 2)
            self.assertEqual(
                said, "pghd: /proc/self/cmdline: can't be read (expected this run's arguments): mount /proc\n")
            self.assertEqual(server.posts, [])

    def test_without_dev_null_a_closed_standard_output_stays_an_error(self):
        bare = self.without("/dev", ">&-")
        with ScriptedServer() as server:
            code, said = self.pghd(server, prefix=bare)
            self.assertEqual((code, said), (
                2, "pghd: standard output: cannot be written (Bad file descriptor): give it another place\n"
            ))
            self.assertEqual([kind for kind, _ in server.contents()].count("Observation"), 90)

    def test_a_small_file_next_to_the_xml_needs_little_memory(self):
        folder = self.folder / "export"
        subprocess.run(
            [PGHD, "generate", "--days", "2", "--shape", "full", "-o", self.folder / "full.zip"], check=True,
            env=self.environment(), capture_output=True,
        )
        result = subprocess.run(
            ["prlimit", f"--as={300_000 * 1024}", PGHD, "convert", self.folder / "full.zip", "--patient", "p1", "--routes",
             "-o", folder], env=self.environment(), capture_output=True, text=True,
        )
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_watch_without_a_folder_for_ledgers_does_not_start(self):
        watched = self.folder / "exports"
        watched.mkdir()
        with ScriptedServer() as server:
            result = subprocess.run(
                [PGHD, "watch", watched, "--server", server.base, "--no-sign-in"], env={"PATH": os.environ["PATH"]},
                capture_output=True, text=True, timeout=60,
            )
        self.assertEqual((result.returncode, result.stderr), (
            64, "pghd: --ledger: missing, and HOME is not set (expected a folder): add --ledger DIR\n"
        ))

    def test_a_variable_that_is_not_utf_8_is_refused_and_leads_to_no_other_folder(self):
        folders = sorted(self.folder.iterdir())
        for name in ["HOME", "XDG_STATE_HOME", "PGHD_LEDGER"]:
            with self.subTest(name), ScriptedServer() as server:
                environment = {**self.environment(), name: bytes(self.folder) + b"/l\xff"}
                code, said = self.pghd(server, environment=environment)
                self.assertEqual(code, 64)
                self.assertEqual(said, (
                    f"pghd: {name}: not UTF-8 (expected a value that is): set another one, or rename the folder\n"
                ))
                self.assertEqual(server.posts, [])
        self.assertEqual(sorted(self.folder.iterdir()), folders)
        # A variable that is not read is left alone.
        result = subprocess.run(
            [PGHD, "status"], capture_output=True, env={**self.environment(), "XDG_MUSIC_DIR": b"M\xfcsik"})
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_link_to_a_name_that_is_not_utf_8_is_not_followed_to_another_file(self):
        there = bytes(self.folder) + b"/t\xff.ndjson"
        with open(there, "wb") as file:
            file.write(b"old")
        for place in ["-o", "--report"]:
            with self.subTest(place):
                link = self.folder / f"link{place}"
                link.symlink_to(os.fsdecode(there))
                output = [] if place == "-o" else ["-o", os.devnull]
                result = subprocess.run(
                    [PGHD, "convert", str(self.export), "--patient", "p", "--force", *output, place, str(link)],
                    capture_output=True, text=True, env=self.environment(),
                )
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("cannot be written", result.stderr)
        with open(there, "rb") as file:
            self.assertEqual(file.read(), b"old")
        self.assertEqual([name for name in os.listdir(bytes(self.folder)) if b"\xef\xbf\xbd" in name], [])

    def test_too_low_a_limit_on_open_files_is_reported_at_once(self):
        watched = self.folder / "exports"
        watched.mkdir()
        with ScriptedServer() as server:
            sync = self.arguments("sync", self.export, server)
            for arguments in [sync, [sync[0], "watch", str(watched), "--server", server.base, "--once"]]:
                with self.subTest(arguments[1]):
                    result = subprocess.run(
                        ["prlimit", "--nofile=16", *arguments], capture_output=True, text=True, env=self.environment(),
                    )
                    self.assertRegex(result.stderr, (
                        r"\Apghd: ulimit -n: 16 files may be open, \d are \(expected 24 more\): raise it, such as "
                        r"ulimit -n 1024\n\Z"
                    ))
                    self.assertEqual(result.returncode, 64)
            self.assertEqual(server.posts, [])

    def test_no_more_connections_are_opened_than_the_limit_on_open_files_allows(self):
        export = exports.write(self.folder / "large.xml", exports.samples(3000))
        options = "--max-entries", "32", "--concurrency", "64"
        with ScriptedServer(delay=0.05) as server:
            arguments = self.arguments("sync", export, server, *options)
            result = subprocess.run(
                ["prlimit", "--nofile=40", *arguments], capture_output=True, text=True, env=self.environment(),
            )
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stderr, "")
            self.assertEqual(set(json.loads(result.stdout)["requests"]), {"200"})

    def test_without_home_a_server_that_asks_for_no_sign_in_is_synced(self):
        environment = {name: value for name, value in self.environment().items() if name != "HOME"}
        with ScriptedServer() as server:
            code, said = self.pghd(server, environment=environment)
            self.assertEqual(code, 0, said)
            self.assertGreater(len(server.contents()), 60)

    def test_without_home_a_sign_in_that_is_needed_is_reported(self):
        environment = {name: value for name, value in self.environment().items() if name != "HOME"}
        with ScriptedServer(token="secret") as server:
            code, said = self.pghd(server, environment=environment)
            self.assertEqual(code, 4, said)
            missing = "pghd: --keystore: missing, and HOME is not set (expected a file): add --keystore FILE\n"
            self.assertEqual(said.splitlines(keepends=True)[1:], [missing])
            self.assertIn("the server wants a sign-in (401)", said)
        with ScriptedServer() as server:
            self.assertEqual(self.pghd(server, "--api", "observations", environment=environment), (64, missing))

    def test_no_entry_of_a_folder_is_read_past_its_end(self):
        library = preloaded("edge", self.folder)
        opener = self.folder / "bin/xdg-open"
        opener.parent.mkdir()
        opener.write_text(
            "#!/bin/sh\nexec env -u LD_PRELOAD python3 -c "
            "'import sys, urllib.request; urllib.request.urlopen(sys.argv[1])' \"$1\"\n"
        )
        opener.chmod(0o755)
        environment = self.environment() | {"LD_PRELOAD": f"{library} {quick_derivation()}"}
        environment["PATH"] = f"{opener.parent}:{environment['PATH']}"
        passphrase = key_options(self.folder)[2:]
        people = self.folder / "people"
        (people / "p1").mkdir(parents=True)
        shutil.copy(self.export, people / "p1")

        def run(*arguments):
            result = subprocess.run(
                [PGHD, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
            )
            self.assertEqual(result.returncode, 0, (arguments[0], result.stderr))

        run("convert", str(people / "p1"), "--patient", "p1", "-o", "/dev/null")
        with ScriptedServer() as server:
            run("watch", str(people), "--server", server.base, "--ledger", str(self.folder / "ledger"), "--once")
            self.assertGreater(len(server.contents()), 60)
        serve = subprocess.Popen(
            [PGHD, "serve", "--port", "0", "--auto-approve", "--memory", "--json"], stdout=subprocess.PIPE, text=True,
        )
        self.addCleanup(lambda: (serve.kill(), serve.communicate()))
        base = json.loads(serve.stdout.readline())["fhirBase"]
        run("login", "--server", base, "--client-id", "pghd", *passphrase)

    def test_a_crash_prints_nothing_that_was_in_memory(self):
        part = exports.write(self.folder / "large.xml", exports.samples(3000)).read_bytes()[:-100]
        self.assertGreater(len(part), 300_000)
        for crash in [signal.SIGSEGV, signal.SIGILL]:
            with self.subTest(crash):
                process = subprocess.Popen(
                    [PGHD, "convert", "-", "--patient", "p1", "-o", "/dev/null"], stdin=subprocess.PIPE,
                    stderr=subprocess.PIPE, env=self.environment() | {"SWIFT_BACKTRACE": "enable=yes"},
                )
                # More than a pipe holds: once it is written, the command is reading.
                process.stdin.write(part)
                process.stdin.flush()
                process.send_signal(crash)
                self.assertEqual(process.wait(timeout=120), -crash)
                self.assertEqual(process.stderr.read(), b"")
                process.stdin.close()
                process.stderr.close()


if __name__ == "__main__":
    unittest.main()
