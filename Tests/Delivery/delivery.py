"""Runs the command as a user would, in a folder of its own."""

import atexit
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import LIMIT, PGHD, ROOT, until  # noqa: F401 (the tests have them from here)

# How often a test kills a run.
KILLS = int(os.environ.get("PGHD_KILLS", "20"))


def key_options(folder):
    """The options of a server that accepts only keys. What is still open is encrypted, with a passphrase in
    `folder`."""
    passphrase = folder / "passphrase"
    passphrase.write_text("correct horse battery staple\n")
    passphrase.chmod(0o600)
    return ["--api", "observations", "--passphrase-file", str(passphrase)]


def preloaded(name, folder):
    """The library built from NAME.c next to this file, which is loaded before the system's."""
    library = f"{folder}/{name}.so"
    # clang comes with Swift.
    compiler = os.environ.get("CC", "clang")
    source = Path(__file__).resolve().with_name(f"{name}.c")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


@functools.cache
def quick_derivation():
    """A library that makes deriving a key from a passphrase cost nothing while the tests run; other users may read
    it."""
    folder = tempfile.mkdtemp(prefix="pghd-derivation-")
    atexit.register(shutil.rmtree, folder)
    os.chmod(folder, 0o755)
    return preloaded("derivation", folder)


def awaits(process, number):
    """Whether a signal was sent to a process that has not taken it yet."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"ShdPnd:\s*(\w+)", status)[1], 16) >> (number - 1) & 1 == 1


class DeliveryTestCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="pghd-delivery-")
        self.folder = Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def until(self, condition, pause=0.01):
        """Waits until the condition holds, and returns what it gave."""
        return until(condition, pause)

    def interrupt(self, process):
        """Ctrl-C; returns once the command has been told."""
        process.send_signal(signal.SIGINT)
        self.until(lambda: not awaits(process.pid, signal.SIGINT))

    def environment(self):
        return {
            "HOME": str(self.folder / "home"), "PATH": os.environ["PATH"], "TZ": "UTC", "LD_PRELOAD": quick_derivation(),
        }

    def arguments(self, name, path, server, *more):
        patient = ["--patient", "p1"] if name in ("sync", "verify") and "--patient" not in more else []
        base = server if isinstance(server, str) else server.base
        return [
            PGHD, name, str(path), "--server", base, "--ledger", str(self.folder / "ledger"), *patient,
            "--retry-delay-milliseconds", "5", "--json", *more,
        ]

    def run_pghd(self, name, path, server, *more, **options):
        """The exit code, the report, and what was printed on standard error."""
        result = subprocess.run(
            self.arguments(name, path, server, *more), capture_output=True, env=self.environment(),
            **{"timeout": 3600, **options},
        )
        report = json.loads(result.stdout) if result.stdout.startswith(b"{") else None
        return result.returncode, report, result.stderr.decode()

    def sync(self, path, server, *more, code=0, **options):
        """The report of a run that must end with `code`."""
        found, report, said = self.run_pghd("sync", path, server, *more, **options)
        self.assertEqual(found, code, said)
        return report

    def convert(self, path, *more):
        target = self.folder / "bundles.ndjson"
        subprocess.run(
            [PGHD, "convert", str(path), "--patient", "p1", "-o", str(target), "--force", "--quiet", *more],
            check=True, env=self.environment(),
        )
        return target

    def resources(self, path, *more):
        """What the server must hold once `path` is delivered, from Python's own reading of the converted Bundles."""
        contents = []
        for line in self.convert(path, *more).read_text(encoding="utf-8").splitlines():
            for entry in json.loads(line)["entry"]:
                resource = dict(entry["resource"])
                resource.pop("id", None)
                contents.append((resource["resourceType"], json.dumps(resource, sort_keys=True)))
        return sorted(set(contents))

    def named_resources(self, path, *more):
        """The same in the form of `named`, including links within a Bundle; of a sample with several versions, the last
        one."""
        return named(dict(self.entries(path, *more)))

    def entries(self, path, *more):
        """What is converted: pairs of the name that others refer to it by, and the resource."""
        for line in self.convert(path, *more).read_text(encoding="utf-8").splitlines():
            for entry in json.loads(line)["entry"]:
                yield entry.get("fullUrl", entry["request"]["url"]), entry["resource"]


def named(resources):
    """Contents that don't depend on ids chosen by a server: every referenced resource is named by our identifier."""
    names = names_of(resources)
    return sorted(named_content(resource, names) for resource in resources.values())


def names_of(resources):
    return {
        name: f"{resource['resourceType']}/{resource['identifier'][0]['value']}"
        for name, resource in resources.items() if "identifier" in resource
    }


def named_content(resource, names):
    text = json.dumps({key: value for key, value in resource.items() if key != "id"}, sort_keys=True)
    text = re.sub(r'(?<="reference": ")[^"]+', lambda found: names.get(found[0], found[0]), text)
    return resource["resourceType"], text
