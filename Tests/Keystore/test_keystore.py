#!/usr/bin/env python3
"""Runs `pghd keystore` as a person at a terminal and a service would, and kills it.

    python3 Tests/Keystore/test_keystore.py
"""

import fcntl
import os
import pty
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import PGHD, ROOT

SAMPLE = ROOT / "Tests/CredentialStoreTests/Keystores/version-1.keystore"
OLD, NEW = "correct horse battery staple", "canary-new-passphrase"


class Place:
    """A folder with a keystore whose passphrase is OLD."""

    def __init__(self, test):
        self.folder = Path(test.enterContext(tempfile.TemporaryDirectory(prefix="pghd-keystore-")))
        (self.folder / "pghd").mkdir(mode=0o700)
        self.keystore = self.folder / "pghd/keystore"
        shutil.copyfile(SAMPLE, self.keystore)
        self.keystore.chmod(0o600)
        self.old = self.passphrase_file("old", OLD)
        self.new = self.passphrase_file("new", NEW)

    def passphrase_file(self, name, text):
        path = self.folder / name
        path.write_text(text + "\n")
        path.chmod(0o600)
        return str(path)

    @property
    def command(self):
        return [PGHD, "keystore", "passphrase", "--keystore", str(self.keystore)]

    def change(self, old, new, **options):
        """Changes the passphrase with files."""
        arguments = [*self.command, "--passphrase-file", old, "--new-passphrase-file", new]
        return subprocess.run(arguments, capture_output=True, text=True, timeout=120, **options)

    def opens_with(self, passphrase):
        return self.change(passphrase, passphrase).returncode == 0


class Terminal:
    """A command at a terminal of its own."""

    def __init__(self, test, arguments):
        self.master, slave = pty.openpty()
        self.slave = slave
        test.addCleanup(os.close, self.master)
        test.addCleanup(os.close, slave)
        self.settings = termios.tcgetattr(slave)
        self.shown = ""

        def become_leader():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            preexec_fn=become_leader, env=os.environ | {"SWIFT_BACKTRACE": "enable=yes"},
        )
        test.addCleanup(self.process.stderr.close)
        test.addCleanup(self.process.kill)

    def expect(self, text):
        """Waits until `text` is shown."""
        limit = time.monotonic() + 60
        while text not in self.shown:
            assert time.monotonic() < limit, f"{text!r} is not in {self.shown!r}"
            if select.select([self.master], [], [], 0.1)[0]:
                self.shown += os.read(self.master, 4096).decode()
        self.shown = self.shown.split(text, 1)[1]

    def has_echo(self):
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        """The exit status, and everything shown since."""
        status = self.process.wait(60)
        while select.select([self.master], [], [], 0)[0]:
            self.shown += os.read(self.master, 4096).decode()
        return status, self.process.stderr.read().decode()


class TerminalTests(unittest.TestCase):
    def setUp(self):
        self.place = Place(self)

    def test_S32_a_passphrase_is_asked_for_at_the_terminal_without_echo(self):
        terminal = Terminal(self, self.place.command)
        terminal.expect("Passphrase of the keystore: ")
        self.assertFalse(terminal.has_echo())
        terminal.type(OLD + "\n")
        terminal.expect("New passphrase for the keystore: ")
        terminal.type(NEW + "\n")
        terminal.expect("The same again: ")
        terminal.type(NEW + "\n")
        status, errors = terminal.end()
        self.assertEqual(errors, f"pghd: the passphrase of {self.place.keystore} is changed\n")
        self.assertEqual(status, 0)
        # Nothing that was typed was shown.
        self.assertEqual(terminal.shown.strip(), "")
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.settings)
        self.assertTrue(self.place.opens_with(self.place.new))

    def test_S32_two_new_passphrases_that_differ_change_nothing(self):
        before = self.place.keystore.read_bytes()
        terminal = Terminal(self, self.place.command)
        terminal.expect("Passphrase of the keystore: ")
        terminal.type(OLD + "\n")
        terminal.expect("New passphrase for the keystore: ")
        terminal.type(NEW + "\n")
        terminal.expect("The same again: ")
        terminal.type(NEW + "x\n")
        status, errors = terminal.end()
        self.assertEqual(errors, "pghd: passphrase: typed differently (expected the same twice): run the command again\n")
        self.assertEqual(status, 5)
        self.assertEqual(self.place.keystore.read_bytes(), before)

    def test_S32_an_empty_line_and_the_end_of_input_are_refused(self):
        for typed in ["\n", "\x04"]:
            terminal = Terminal(self, self.place.command)
            terminal.expect("Passphrase of the keystore: ")
            terminal.type(typed)
            status, errors = terminal.end()
            self.assertEqual(errors, "pghd: passphrase: empty (expected at least one character): give one\n")
            self.assertEqual(status, 5)

    def test_S32_a_signal_restores_the_terminals_echo(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]:
            terminal = Terminal(self, self.place.command)
            terminal.expect("Passphrase of the keystore: ")
            self.assertFalse(terminal.has_echo())
            terminal.type("half a pass")
            if number == signal.SIGINT:
                terminal.type("\x03")
            else:
                terminal.process.send_signal(number)
            status, errors = terminal.end()
            self.assertEqual(errors, "")
            # pghd has no handler for SIGQUIT.
            self.assertEqual(status, -signal.SIGQUIT if number == signal.SIGQUIT else 130)
            self.assertEqual(termios.tcgetattr(terminal.slave), terminal.settings)

    def test_S32_stopping_restores_the_echo_and_continuing_asks_again(self):
        terminal = Terminal(self, [sys.executable, "-c", SHELL, "foreground", *self.place.command])
        terminal.expect("Passphrase of the keystore: ")
        terminal.type("half a pass\x1a")
        terminal.expect("stopped")
        self.assertTrue(terminal.has_echo())
        terminal.type("go\n")
        terminal.expect("Passphrase of the keystore: ")
        self.assertFalse(terminal.has_echo())
        terminal.type("\x04")
        status, errors = terminal.end()
        self.assertIn("passphrase: empty", errors)
        self.assertEqual(status, 5)

    def test_S32_a_background_job_leaves_the_terminal_to_the_shell_until_it_is_in_the_foreground(self):
        terminal = Terminal(self, [sys.executable, "-c", SHELL, "background", *self.place.command])
        terminal.expect("stopped")
        self.assertTrue(terminal.has_echo())
        self.assertNotIn("Passphrase", terminal.shown)
        terminal.type("a line for the shell\n")
        terminal.expect("the shell has read: a line for the shell")
        terminal.expect("Passphrase of the keystore: ")
        self.assertFalse(terminal.has_echo())
        terminal.type("\x04")
        status, errors = terminal.end()
        self.assertIn("passphrase: empty", errors)
        self.assertEqual(status, 5)
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.settings)


# A shell in a few lines: it runs a job, in the foreground or not, that is stopped once; what is typed then is for the
# shell.
SHELL = """
import os, signal, subprocess, sys
terminal = os.open("/dev/tty", os.O_RDWR)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
def job():
    os.setpgid(0, 0)
    if sys.argv[1] == "foreground":
        os.tcsetpgrp(terminal, os.getpid())
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
process = subprocess.Popen(sys.argv[2:], preexec_fn=job)
_, status = os.waitpid(process.pid, os.WUNTRACED)
assert os.WIFSTOPPED(status), status
os.tcsetpgrp(terminal, os.getpgrp())
os.write(terminal, b"stopped\\n")
os.write(terminal, b"the shell has read: " + os.read(terminal, 100))
os.tcsetpgrp(terminal, process.pid)
os.kill(process.pid, signal.SIGCONT)
sys.exit(process.wait())
"""


class SourceTests(unittest.TestCase):
    def setUp(self):
        self.place = Place(self)

    def run_command(self, *arguments, environment={}, **options):
        """Without a terminal, as a service does."""
        base = {"PATH": os.environ["PATH"], "HOME": str(self.place.folder), "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            [*self.place.command, *arguments], env=base | environment, capture_output=True, text=True, timeout=120,
            start_new_session=True, **options,
        )

    def test_S32_without_a_terminal_the_other_sources_are_named(self):
        outcome = self.run_command()
        self.assertEqual(
            outcome.stderr,
            "pghd: passphrase: no terminal to ask at (expected one, or another source): add --passphrase-file FILE "
            "or --passphrase-fd N, or load the systemd credential pghd.passphrase\n",
        )
        self.assertEqual(outcome.returncode, 5)

    def test_S32_messages_about_a_new_passphrase_name_its_own_options(self):
        for more, said in [
            ([], "passphrase: no terminal to ask at (expected one, or another source): add --new-passphrase-file FILE or "
                 "--new-passphrase-fd N"),
            (["--new-passphrase-file", "nofile"],
             "nofile: can't be opened, No such file or directory (expected a file with the passphrase): "
             "check --new-passphrase-file"),
        ]:
            outcome = self.run_command("--passphrase-file", self.place.old, *more)
            self.assertEqual((outcome.stderr, outcome.returncode), (f"pghd: {said}\n", 5))

    def test_S32_one_descriptor_gives_both_passphrases_line_by_line(self):
        reading, writing = os.pipe()
        os.write(writing, f"{OLD}\n{NEW}\n".encode())
        os.close(writing)
        number = str(reading)
        outcome = self.run_command("--passphrase-fd", number, "--new-passphrase-fd", number, pass_fds=[reading])
        os.close(reading)
        self.assertEqual((outcome.returncode, outcome.stdout), (0, ""))
        self.assertTrue(self.place.opens_with(self.place.new))

    def test_S32_a_systemd_credential_is_found(self):
        folder = self.place.folder / "credentials"
        folder.mkdir(mode=0o700)
        (folder / "pghd.passphrase").write_text(OLD)
        (folder / "pghd.passphrase").chmod(0o440)
        environment = {"CREDENTIALS_DIRECTORY": str(folder)}
        outcome = self.run_command("--new-passphrase-file", self.place.new, environment=environment)
        self.assertEqual((outcome.returncode, outcome.stdout), (0, ""))

    def test_S32_the_environment_may_name_a_file_but_not_the_passphrase(self):
        named = {"PGHD_PASSPHRASE_FILE": self.place.old}
        self.assertEqual(self.run_command("--new-passphrase-file", self.place.new, environment=named).returncode, 0)
        given = {"PGHD_PASSPHRASE": NEW}
        self.assertEqual(self.run_command("--new-passphrase-file", self.place.new, environment=given).returncode, 5)

    def test_S32_a_passphrase_as_an_argument_is_refused_and_not_repeated(self):
        for arguments in [["--passphrase", NEW], [f"--passphrase={NEW}"], [NEW]]:
            outcome = self.run_command(*arguments)
            self.assertEqual(outcome.returncode, 64)
            self.assertEqual(outcome.stdout, "")
            self.assertNotIn(NEW, outcome.stderr)

    def test_S21_no_message_holds_a_passphrase(self):
        wrong = self.place.passphrase_file("wrong", "canary-wrong-passphrase")
        outcome = self.place.change(wrong, self.place.new)
        self.assertEqual(
            outcome.stderr,
            f"pghd: {self.place.keystore}: wrong passphrase (expected the one it was made with): type it again, "
            "or check --passphrase-file; only where it is lost for good, remove the file and sign in again\n",
        )
        self.assertEqual((outcome.returncode, outcome.stdout), (5, ""))


class ProcessTests(unittest.TestCase):
    def setUp(self):
        self.place = Place(self)

    def test_S30_a_change_killed_at_any_moment_leaves_the_old_keystore_or_the_new(self):
        place = self.place
        started = time.monotonic()
        self.assertEqual(place.change(place.old, place.new).returncode, 0)
        whole = time.monotonic() - started
        passphrases = [place.new, place.old]
        for _ in range(KILLS):
            current, next_ = passphrases
            process = subprocess.Popen(
                [*place.command, "--passphrase-file", current, "--new-passphrase-file", next_],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            time.sleep(random.uniform(whole * 0.7, whole * 1.1))
            process.kill()
            process.wait()
            if not place.opens_with(current):
                self.assertTrue(place.opens_with(next_), "neither the old nor the new keystore")
                passphrases.reverse()

    def test_of_two_new_keys_at_once_only_the_one_that_is_kept_is_printed(self):
        place = self.place
        login = [
            PGHD, "login", "--new-key", "--server", "http://127.0.0.1:9/fhir", "--keystore", str(place.keystore),
            "--passphrase-file", place.old,
        ]
        # Both have started and looked before one of them can store its key.
        with open(f"{place.keystore}.lock", "w") as lock:
            os.chmod(lock.name, 0o600)
            fcntl.flock(lock, fcntl.LOCK_EX)
            processes = [
                subprocess.Popen(login, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)
            ]
            time.sleep(6)
        outcomes = [(*process.communicate(timeout=120), process.returncode) for process in processes]
        (kept, _, code), (printed, said, other) = sorted(outcomes, key=lambda outcome: outcome[2])
        self.assertEqual((code, kept.count('"kid"'), printed, other), (0, 1, "", 64))
        self.assertEqual(
            said,
            "pghd: --new-key: there is a key for this server (expected none): add --force to replace it, then register "
            "the new one\n",
        )

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_S30_a_write_is_synced_before_it_replaces_the_keystore_and_the_folder_afterwards(self):
        place = self.place
        trace = place.folder / "trace"
        outcome = subprocess.run(
            ["strace", "-f", "-o", trace, "-e", "trace=openat,fsync,renameat,renameat2,rename", *place.command,
             "--passphrase-file", place.old, "--new-passphrase-file", place.new],
            capture_output=True, text=True, timeout=120,
        )
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        calls, begun = [], {}
        # A call that another thread's call interrupts is on two lines: it counts once it has ended.
        for line in trace.read_text().splitlines():
            thread, call = line.split(maxsplit=1)
            if call.endswith(" <unfinished ...>"):
                begun[thread] = call.removesuffix(" <unfinished ...>")
            else:
                calls.append(re.sub(r"^<\.\.\. \w+ resumed>", lambda _: begun.pop(thread), call.strip()))
        # A tracer other than root can't read the names from a process that may not be dumped.
        calls = [re.sub(r'"[^"]*"|0x[0-9a-f]+', "NAME", call) for call in calls]
        opened = next(i for i, call in enumerate(calls) if "O_EXCL" in call)
        folder, file = re.match(r"openat\((\d+), NAME, .*, 0600\) += (\d+)", calls[opened]).groups()
        after = [re.sub(r"\s+= 0$", "", call) for call in calls[opened + 1:]]
        self.assertEqual(
            [call for call in after if call.startswith(("fsync", "rename"))],
            [f"fsync({file})", f"renameat({folder}, NAME, {folder}, NAME)", f"fsync({folder})"],
        )

    def test_S34_no_core_is_dumped_while_a_secret_is_held(self):
        terminal = Terminal(self, self.place.command)
        terminal.expect("Passphrase of the keystore: ")
        process = Path(f"/proc/{terminal.process.pid}")
        limits = (process / "limits").read_text()
        self.assertRegex(limits, r"Max core file size +0 +0 ")
        # Not dumpable: in /proc it belongs to root, even if another user runs it.
        self.assertEqual((process / "environ").stat().st_uid, 0)
        terminal.type("\x04")
        terminal.end()

    def test_S34_a_crash_prints_nothing_that_was_in_memory(self):
        for number in [signal.SIGSEGV, signal.SIGABRT, signal.SIGILL, signal.SIGTRAP, signal.SIGBUS, signal.SIGFPE]:
            terminal = Terminal(self, self.place.command)
            terminal.expect("Passphrase of the keystore: ")
            terminal.type(OLD + "\n")
            terminal.expect("New passphrase for the keystore: ")
            terminal.process.send_signal(number)
            self.assertEqual(terminal.end(), (-number, ""))
        self.assertEqual([name.name for name in Path.cwd().glob("core*")], [])

    def test_S21_no_passphrase_is_in_the_arguments_or_the_environment_of_a_process(self):
        terminal = Terminal(self, self.place.command)
        terminal.expect("Passphrase of the keystore: ")
        terminal.type(OLD + "\n")
        terminal.expect("New passphrase for the keystore: ")
        process = Path(f"/proc/{terminal.process.pid}")
        self.assertNotIn(OLD.encode(), (process / "cmdline").read_bytes())
        # Only root may read the environment of a process that may not be dumped.
        if os.geteuid() == 0:
            self.assertNotIn(OLD.encode(), (process / "environ").read_bytes())
        self.assertEqual((process / f"task/{terminal.process.pid}/children").read_text(), "")
        terminal.type("\x04")
        terminal.end()


# KeystoreProcessTests kills a write 200 times; these kill the whole command.
KILLS = int(os.environ.get("PGHD_KILLS", "5"))

if __name__ == "__main__":
    # A child of nohup would ignore it, and pghd respects that on purpose.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    unittest.main()
