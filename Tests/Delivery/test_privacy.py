#!/usr/bin/env python3
"""Canaries in an export, looked for in everything that a delivery prints or leaves behind.

    python3 Tests/Delivery/test_privacy.py

Value, note, names, birth date: as they are, in base64, percent-encoded, JSON-escaped, in hexadecimal, also within gzip.
Terminals must not show the id of a sample either, since its sample could be guessed from it.
"""

import base64
import gzip
import json
import re
import shutil
import subprocess
import sys
import threading
import unittest
import urllib.parse
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import PGHD, DeliveryTestCase, key_options
from scripted_server import ScriptedServer

CANARIES = ["71.2345", "Kanarie Ähre/7", "Canary’s Wrist", "Cänary Watch", "1961-11-23", "Canary diagnostics", "Kanarienvogel"]
LOST = {"kind": "reset-after"}
ID = re.compile(rb"h[0-9a-f]{32}")


def forms(text):
    """The forms in which a text may be written down."""
    data = text.encode()
    found = {data, data.hex().encode(), urllib.parse.quote(text).encode(), urllib.parse.quote_plus(text).encode(),
             json.dumps(text)[1:-1].encode(), text.replace("/", "\\/").encode(), data.decode().encode("utf-16-le")}
    for offset in range(3):
        coded = base64.b64encode(b"\0" * offset + data)
        # The characters that depend on the neighbours are left out.
        found.add(coded[-(-offset * 4 // 3):-4] if offset else coded[:-4])
    return found | {form.replace(b"+", b"-").replace(b"/", b"_") for form in found}


FORMS = {form: text for text in CANARIES for form in forms(text)}


def unpacked(data):
    """What gzip has packed there, as far as it is readable: ciphertext may begin as gzip does by chance."""
    reader, found = zlib.decompressobj(wbits=31), []
    try:
        for start in range(0, len(data), 64):
            found.append(reader.decompress(data[start:start + 64]))
    except zlib.error:
        pass
    return b"".join(found)


def layers(data):
    """The bytes, and what is packed in them."""
    yield data
    start = data.find(b"\x1f\x8b\x08")
    while start >= 0:
        yield unpacked(data[start:])
        start = data.find(b"\x1f\x8b\x08", start + 1)


def canaries(data):
    return sorted({text for layer in layers(data) for form, text in FORMS.items() if form in layer})


class Privacy(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.input = self.folder / "input"
        self.traces = self.folder / "traces"
        for name in "input", "traces/home", "traces/tmp":
            (self.folder / name).mkdir(parents=True)
        keys = key_options(self.input)
        self.forms = [("PUT", []), ("conditional", ["--conditional"]), ("keys", keys)]
        samples = exports.samples(300) + [exports.Sample("BodyMass", 5, "71.2345", "kg", note="Kanarie Ähre/7")]
        self.path = self.canary(exports.write(self.input / "export.xml", samples, birth="1961-11-23"))

    def canary(self, path):
        text = path.read_text().replace('sourceName="Watch"', 'sourceName="Canary’s Wrist"')
        path.write_text(text.replace("name:Apple Watch", "name:Cänary Watch"))
        return path

    def environment(self):
        return super().environment() | {
            "HOME": str(self.traces / "home"), "TMPDIR": str(self.traces / "tmp"), "LC_ALL": "C.UTF-8",
        }

    def run_loudly(self, server, *more, code=0):
        """What a run that ends with `code` prints with every option that makes it print more."""
        arguments = [a for a in self.arguments("sync", self.path, server, *more) if a not in ("--json",)]
        arguments[arguments.index("--ledger") + 1] = str(self.traces / "ledger")
        talk = b""
        for form in ["--verbose"], ["--json", "--verbose"]:
            outcome = subprocess.run([*arguments, *form], capture_output=True, env=self.environment(), timeout=300)
            talk += outcome.stdout + outcome.stderr
            self.assertNotEqual(talk, b"")
            self.assertEqual(outcome.returncode, code, talk)
        return talk

    def assert_nothing_told(self, talk):
        self.assertEqual(canaries(talk), [])
        self.assertEqual(ID.findall(talk), [])
        for path in self.traces.rglob("*"):
            self.assertEqual(canaries(str(path.relative_to(self.folder)).encode()), [], path)
            if path.is_file():
                self.assertEqual(canaries(path.read_bytes()), [], path)
                self.assertEqual(path.stat().st_mode & 0o077, 0, path)
        self.assertEqual(list((self.traces / "tmp").iterdir()), [])

    def test_the_canaries_are_found_where_they_are(self):
        bundles = self.convert(self.path).read_bytes()
        self.assertEqual(canaries(bundles), ["71.2345", "Canary’s Wrist", "Kanarie Ähre/7"])
        everything = ["1961-11-23", "71.2345", "Canary’s Wrist", "Cänary Watch", "Kanarie Ähre/7"]
        self.assertEqual(canaries(self.path.read_bytes()), everything)
        self.assertEqual(canaries(gzip.compress(bundles)), canaries(bundles))
        for offset in range(3):
            self.assertEqual(len(canaries(base64.b64encode(b"x" * offset + "; ".join(CANARIES).encode()))), len(CANARIES))

    def test_no_run_reveals_health_data_whatever_the_server_does_and_says(self):
        quote = json.dumps({"resourceType": "OperationOutcome", "issue": [{
            "severity": "71.2345", "code": "Kanarienvogel", "diagnostics": "Canary diagnostics 71.2345",
            "details": {"text": "Kanarie Ähre/7"}, "expression": ["Observation.where(value=71.2345)"],
        }], "text": {"status": "generated", "div": "<div>1961-11-23</div>"}}, ensure_ascii=False).encode()
        page = "<html>Canary’s Wrist: 71.2345 Canary diagnostics</html>".encode()
        for name, form in self.forms:
            for what, faults, code in [
                ("well", [], 0),
                ("refused", [{"kind": "status", "status": 422, "body": quote}] * 400, 6),
                ("refused within", [{"entries": {0: "422 71.2345"}}] * 400, 6),
                ("broken", [{"kind": "status", "status": 500, "body": page}] * 3, 0),
                ("not found", [{"kind": "status", "status": 404, "body": page}] * 80, 64),
                ("unauthorized", [{"kind": "status", "status": 401, "body": quote}] * 80, 4),
                ("elsewhere", [{"kind": "redirect", "to": "http://127.0.0.1:1/?value=71.2345"}] * 80, 3),
                ("a page", [{"kind": "late", "status": 504, "body": page}, {"kind": "page"}], 0),
            ]:
                with self.subTest(what, form=name), ScriptedServer(honours_if_none_exist=name != "keys") as server:
                    server.faults = [dict(fault) for fault in faults]
                    count = len(faults)
                    self.assert_nothing_told(self.run_loudly(server, *form, "--retry-for", "2", code=code))
                    self.assertLessEqual(len(server.faults), max(count - 2, 0), "the server did nothing wrong")
                    reasons = list(self.traces.rglob("*.quarantine/*"))
                    self.assertEqual(reasons != [], "refused" in what)
                    shutil.rmtree(self.traces / "ledger")

    def test_a_killed_run_leaves_nothing_readable(self):
        for name, form in self.forms:
            with self.subTest(name), ScriptedServer(honours_if_none_exist=name != "keys") as server:
                server.gate = threading.Event()
                arguments = self.arguments("sync", self.path, server, *form, "--max-entries", "40")
                arguments[arguments.index("--ledger") + 1] = str(self.traces / "ledger")
                process = subprocess.Popen(
                    arguments, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
                )
                self.until(lambda: server.in_flight or process.poll() is not None)
                process.kill()
                talk = process.communicate()[0]
                server.gate.set()
                logs = list((self.traces / "ledger").glob("*-wal"))
                self.assertTrue(any(log.stat().st_size for log in logs), "nothing is left to be looked into")
                self.assert_nothing_told(talk)

    def test_convert_and_inspect_do_not_even_load_what_could_reach_a_network(self):
        path = exports.write(self.folder / "export.xml", exports.samples(5))
        # The loader prints what it loads on standard error.
        environment = dict(self.environment(), LD_DEBUG="files")
        for command in ["inspect", str(path)], ["convert", str(path), "--patient", "p1", "-o", "/dev/null"]:
            with self.subTest(command[0]):
                result = subprocess.run([PGHD, *command], capture_output=True, env=environment, timeout=60)
                self.assertEqual(result.returncode, 0)
                self.assertIn(b"libxml2", result.stderr)
                self.assertNotIn(b"libcurl", result.stderr)
        with ScriptedServer() as server:
            result = subprocess.run(
                self.arguments("sync", path, server), capture_output=True, env=environment, timeout=60
            )
            self.assertIn(b"libcurl", result.stderr)

    def test_no_core_file_of_what_was_read_can_be_written(self):
        process = subprocess.Popen(
            [PGHD, "convert", "-", "--patient", "p1", "-o", "-", "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        with process:
            process.stdin.write(self.path.read_bytes().replace(b"</HealthData>", b""))
            process.stdin.flush()
            limits = Path(f"/proc/{process.pid}/limits")
            self.until(lambda: re.search(r"Max core file size +0 +0 ", limits.read_text()))
            process.stdin.close()
            process.stdout.read()

    def test_another_persons_export_is_refused_without_a_word_about_either_person(self):
        with ScriptedServer() as server:
            self.run_loudly(server)
            self.canary(exports.write(self.path, exports.samples(5), day=2, birth="1975-12-31"))
            arguments = self.arguments("sync", self.path, server)
            arguments[arguments.index("--ledger") + 1] = str(self.traces / "ledger")
            outcome = subprocess.run(arguments, capture_output=True, env=self.environment(), timeout=300)
            self.assertEqual(outcome.returncode, 64, outcome.stderr)
            self.assertNotIn(b"1975", outcome.stdout + outcome.stderr)
            self.assert_nothing_told(outcome.stdout + outcome.stderr)


if __name__ == "__main__":
    unittest.main()
