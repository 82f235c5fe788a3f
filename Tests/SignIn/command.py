"""The real `pghd`, with a home, a keystore and a passphrase of its own."""

import json
import os
import re
import selectors
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import PGHD
from rigs import CLIENT, PATIENCE, SCOPES

TESTS = Path(PGHD).with_name("pghdPackageTests.xctest")
PASSPHRASE = "canary correct horse battery staple"


class Home:
    """A person's machine."""

    def __init__(self, test, front):
        self.test = test
        self.front = front
        self.folder = Path(test.enterContext(tempfile.TemporaryDirectory(prefix="pghd-home-")))
        self.passphrase = self.folder / "passphrase"
        self.passphrase.write_text(PASSPHRASE + "\n")
        self.passphrase.chmod(0o600)
        self.keystore = self.folder / ".local/share/pghd/keystore"
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
            "PGHD_PASSPHRASE_FILE": str(self.passphrase),
        }
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]

    def run(self, *arguments):
        outcome = subprocess.run(
            [PGHD, *arguments], env=self.environment, cwd=self.folder, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=PATIENCE,
        )
        return outcome

    def login(self, *arguments, scopes=SCOPES, client=CLIENT):
        """A login that waits for its person; it prints `url` or `user_code`."""
        return Login(self, [
            "login", "--server", self.front.server, "--client-id", client, "--scope", " ".join(scopes), "--json",
            *arguments,
        ])

    def sign_in(self, browser):
        """A login that succeeds."""
        login = self.login("--no-browser")
        browser.sign_in(login.url)
        outcome = login.end()
        self.test.assertEqual(outcome.returncode, 0, outcome.stderr)
        return json.loads(outcome.stdout)

    def renew(self, *, rejecting=False):
        """A process that asks for a token as a delivery does, and replaces it if it is told that the token was refused.

        Returns the running process and the file that holds the header, or in the end the error.
        """
        self.count = getattr(self, "count", 0) + 1
        output = self.folder / f"renewal-{self.count}.json"
        environment = self.environment | {
            "PGHD_RENEWAL_SERVER": self.front.server, "PGHD_RENEWAL_KEYSTORE": str(self.keystore),
            "PGHD_RENEWAL_OUTPUT": str(output), "PGHD_RENEWAL_REJECTING": "1" if rejecting else "",
        }
        process = subprocess.Popen(
            [TESTS, "--filter", "RenewalProcess", "--testing-library", "swift-testing"],
            env=environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )
        return process, output

    def renewed(self, **options):
        """What one such process got."""
        process, output = self.renew(**options)
        return self.outcome(process, output)

    def outcome(self, process, output):
        text, _ = process.communicate(timeout=2 * PATIENCE)
        self.test.assertEqual(process.returncode, 0, text)
        return json.loads(output.read_text())


class Login:
    """A `pghd login` that runs."""

    def __init__(self, home, arguments):
        self.process = subprocess.Popen(
            [PGHD, *arguments], env=home.environment, cwd=home.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        home.test.addCleanup(self.kill)
        self.talk = ""

    def kill(self):
        self.process.kill()
        self.process.wait()
        for pipe in [self.process.stdout, self.process.stderr]:
            pipe.close()

    def wait_for(self, pattern):
        """What the pattern finds in the output, once it is there."""
        limit = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stderr, selectors.EVENT_READ)
            while not (found := re.search(pattern, self.talk)):
                assert time.monotonic() < limit, f"{pattern} is not in {self.talk!r}"
                if selector.select(1):
                    part = os.read(self.process.stderr.fileno(), 65536).decode()
                    assert part, f"{pattern} is not in {self.talk!r}, and the command has ended"
                    self.talk += part
        return found[1]

    @property
    def url(self):
        return self.wait_for(r"\n  (http\S+)\n")

    @property
    def user_code(self):
        return self.wait_for(r"type in this code:\n\n  (\S+)\n")

    def end(self, seconds=PATIENCE):
        output, talk = self.process.communicate(timeout=seconds)
        return subprocess.CompletedProcess(self.process.args, self.process.returncode, output, self.talk + talk)
