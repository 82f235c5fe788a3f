#!/usr/bin/env python3
"""`send`: files of Bundles, which hold neither dates nor digests, alone and together with `sync`.

    python3 Tests/Delivery/test_send.py
"""

import dataclasses
import datetime
import fcntl
import gzip
import json
import os
import pty
import random
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import PGHD, DeliveryTestCase, key_options
from exports import packed
from scripted_server import OddServer, Refusal, ScriptedServer

FORMS = [], ["--conditional"]


class Send(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.samples = exports.samples(200)
        self.count = 0

    def version(self, note, *others):
        """An export with the first sample in this version and with others of it far after it."""
        self.count += 1
        first, *twins = [dataclasses.replace(self.samples[0], note=text) for text in (note, *others)]
        samples = [first, *self.samples[1:200], *twins, *self.samples[200:]]
        return packed(exports.write(self.folder / f"export{self.count}.xml", samples, day=self.count))

    def bundles(self, form, *notes):
        return [self.convert(self.version(note), *form).read_bytes() for note in notes]

    def send(self, server, *contents, code=0, more=()):
        path = self.folder / "sent.ndjson"
        path.write_bytes(b"".join(contents))
        found, report, said = self.run_pghd("send", path, server, *more)
        self.assertEqual(found, code, said)
        return report

    def notes(self, server):
        self.assertEqual(set(server.ids().values()), {1})
        text = json.dumps(list(server.store.resources.values()))
        return [note for note in "abcd" if f'"valueString": "{note}"' in text]

    def test_forms_are_never_mixed_in_one_ledger(self):
        """Whoever filled it: otherwise the next run is refused in either form, or stores everything a second time."""
        export = self.version("a")
        plain, keyed = (self.bundles(form, "a")[0] for form in FORMS)
        for filled in "sync", "send":
            with self.subTest(filled), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / filled)]
                if filled == "sync":
                    self.sync(export, server, *more)
                else:
                    self.send(server, plain, more=more)
                posts, there = len(server.posts), dict(server.store.resources)
                path = self.folder / "keyed.ndjson"
                path.write_bytes(keyed)
                for arguments in [("send", path), ("send", path, "--dry-run"), ("sync", export, "--conditional")]:
                    code, _, said = self.run_pghd(arguments[0], arguments[1], server, *arguments[2:], *more)
                    self.assertEqual(code, 64, said)
                    self.assertIn("the ledger's resources have ids chosen by pghd (expected ", said)
                self.assertEqual((len(server.posts), server.store.resources), (posts, there))
                self.assertEqual(self.sync(export, server, *more)["delivered"], 0)
                # Told to, it still creates nothing that is already there under an id of ours.
                self.sync(export, server, "--conditional", "--remap", *more)
                self.assertEqual(set(server.ids().values()), {1})
                self.assertEqual(self.sync(export, server, "--conditional", *more)["requests"], {})
                self.send(server, keyed, more=more)

    def test_a_key_only_server_gets_no_bundles_with_ids(self):
        with ScriptedServer() as server:
            path = self.folder / "plain.ndjson"
            path.write_bytes(self.bundles([], "a")[0])
            code, _, said = self.run_pghd("send", path, server, *key_options(self.folder))
            self.assertEqual((code, len(server.posts)), (64, 0), said)
            self.assertIn("--api observations: the Bundles give ids, and this server gives its own", said)

    def test_an_empty_file_is_nothing_to_send_and_an_empty_pipe_is_an_error(self):
        path = self.folder / "empty.ndjson"
        path.write_bytes(b"")
        with ScriptedServer() as server:
            begun = int(time.time())
            code, report, said = self.run_pghd("send", path, server)
            self.assertEqual((code, report["delivered"], report["requests"]), (0, 0, {}), said)
            started = datetime.datetime.fromisoformat(report["started"].replace("Z", "+00:00")).timestamp()
            self.assertTrue(begun <= started <= time.time(), report["started"])
            self.assertGreater(report["seconds"], 0)
            self.assertEqual(said, f"pghd: {path}: holds no Bundle: there is nothing to send\n")
            code, _, said = self.run_pghd("send", "-", server, stdin=subprocess.DEVNULL)
            self.assertEqual(
                (code, said),
                (2, "pghd: standard input: no Bundle (expected one a line): see what 'pghd convert' said; where it wrote "
                    "none, there is nothing to send\n"),
            )

    def test_the_later_of_two_versions_in_one_file_stays(self):
        for form in FORMS:
            a, b = self.bundles(form, "a", "b")
            for concurrency in "1", "8":
                with self.subTest(form=form, concurrency=concurrency), ScriptedServer() as server:
                    more = ["--ledger", str(self.folder / f"{concurrency}{len(form)}"), "--concurrency", concurrency]
                    self.send(server, a, b, more=more)
                    self.assertEqual(self.notes(server), ["b"])
                    posts = len(server.posts)
                    self.assertEqual(self.send(server, a, b, more=more)["delivered"], 0)
                    self.assertEqual(len(server.posts), posts)
                    # Whatever the ledger has met before.
                    for contents, note in ([b, a], "a"), ([a, b], "b"), ([a, b, a], "a"), ([b], "b"):
                        self.send(server, *contents, more=more)
                        self.assertEqual(self.notes(server), [note])
                    # The later one is no longer in any file.
                    self.send(server, a, b, more=more)
                    self.assertEqual(self.send(server, a, more=more)["delivered"], 1)
                    self.assertEqual(self.notes(server), ["a"])

    def test_a_run_says_if_a_pipe_has_to_be_sent_once_more(self):
        """Only at its end is it known that the former winner is no longer there; a file is read twice."""
        for form in FORMS:
            a, b = self.bundles(form, "a", "b")
            with self.subTest(form=form), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{len(form)}"), "--quiet"]
                self.send(server, a, b, more=more)
                code, report, said = self.run_pghd("send", "-", server, *more, input=a)
                self.assertEqual((code, report["delivered"], self.notes(server)), (3, 0, ["b"]))
                self.assertEqual(
                    said,
                    f"pghd: {server.base}: has 1 resource in another version than the input, which only its end "
                    "shows (expected the input's): run the command again with the same input\n",
                )
                code, report, said = self.run_pghd("send", "-", server, *more, input=a)
                self.assertEqual((code, report["delivered"], said, self.notes(server)), (0, 1, "", ["a"]))

    def test_the_first_of_two_versions_is_not_sent_again_with_a_third_one(self):
        for form in FORMS:
            a, b, c = self.bundles(form, "a", "b", "c")
            with self.subTest(form=form), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                self.send(server, a, b, more=more)
                self.assertEqual(self.send(server, a, c, more=more)["delivered"], 1)
                self.assertEqual(self.notes(server), ["c"])
                self.assertEqual(self.send(server, a, c, more=more)["delivered"], 0)

    def test_a_later_line_replaces_what_sync_has_delivered(self):
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                path = self.version("a")
                self.sync(path, server, *form, *more)
                a, (b,) = self.convert(path, *form).read_bytes(), self.bundles(form, "b")
                for _ in range(3):
                    report = self.send(server, a, b, more=more)
                    self.assertEqual(self.notes(server), ["b"])
                # By then it knows the bytes of both.
                self.assertEqual(report["delivered"], 0)

    def test_sync_sends_what_has_changed_since_send_and_keeps_its_own_rule_for_twins(self):
        for form in FORMS:
            for notes in "ab", "ba":
                with self.subTest(form=form, notes=notes), ScriptedServer() as server, ScriptedServer() as clean:
                    more = [*form, "--ledger", str(self.folder / f"ledger{notes}{len(form)}")]
                    first, twins = self.version(notes[0]), self.version(*notes)
                    self.sync(twins, clean, *form, "--ledger", str(self.folder / f"clean{notes}{len(form)}"))
                    self.send(server, self.convert(first, *form).read_bytes(), more=more[-2:])
                    self.sync(twins, server, *more)
                    self.assertEqual(self.notes(server), self.notes(clean))
                    self.assertEqual(self.sync(twins, server, *more)["delivered"], 0)
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"changed{len(form)}")]
                path = self.version("a")
                self.send(server, self.convert(path, *form).read_bytes(), more=more[-2:])
                self.assertEqual(self.sync(path, server, *more)["delivered"], 0)
                self.assertEqual(self.sync(self.version("b"), server, *more)["delivered"], 1)

    def test_a_file_that_breaks_off_says_nothing_about_what_would_follow(self):
        for form in FORMS:
            a, b = self.bundles(form, "a", "b")
            with self.subTest(form=form), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                self.send(server, a, b, more=more)
                for _ in range(2):
                    self.send(server, a, b[:3000], code=2, more=more)
                    self.assertEqual(self.notes(server), ["b"])

    def test_a_dry_run_counts_what_the_second_reading_would_send(self):
        a, b = self.bundles([], "a", "b")
        with ScriptedServer() as server:
            self.send(server, a, b)
            dry = self.send(server, a, more=["--dry-run"])
            report = self.send(server, a)
            self.assertEqual((dry["delivered"], report["delivered"]), (1, 1))

    def test_what_is_already_there_is_counted_as_when_it_was_delivered(self):
        for form in FORMS:
            (a,) = self.bundles(form, "a")
            with self.subTest(form=form), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                delivered = self.send(server, a, more=more)["delivered"]
                report = self.send(server, a, more=more)
                self.assertEqual((report["delivered"], report["alreadyThere"]), (0, delivered))

    def test_with_no_sign_in_the_keystore_is_not_opened(self):
        (a,) = self.bundles([], "a")
        with ScriptedServer() as server:
            # The keystore of some other sign-in: nobody is asked for a passphrase where there is no terminal.
            keystore = self.folder / "home" / ".local" / "share" / "pghd" / "keystore"
            keystore.parent.mkdir(parents=True, mode=0o700)
            keystore.write_bytes(b"of somebody else")
            keystore.chmod(0o600)
            self.send(server, a, code=5)
            report = self.send(server, a, more=["--no-sign-in"])
            self.assertGreater(report["delivered"], 0)
            self.assertEqual(list(report)[:5], ["bundles", "seconds", "peakMemoryBytes", "started", "version"])

    def test_what_was_taken_out_of_a_bundle_by_hand_is_sent_with_the_whole_file(self):
        for form in FORMS:
            path = packed(exports.write(self.folder / "export.xml", exports.samples(20)))
            whole = self.convert(path, *form).read_bytes()
            half = []
            for line in whole.splitlines():
                bundle = json.loads(line)
                bundle["entry"] = bundle["entry"][: -len(bundle["entry"]) // 2]
                half.append(json.dumps(bundle, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
            with self.subTest(form=form), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                self.send(server, b"".join(half), more=more)
                self.assertLess(len(server.ids()), 30)
                self.send(server, whole, more=more)
                self.assertEqual(len(server.ids()), 30)
                for again in b"".join(half), whole:
                    self.assertEqual(self.send(server, again, more=more)["requests"], {})

    def test_what_was_edited_in_a_bundle_by_hand_is_sent_again_and_only_once(self):
        for form in FORMS:
            path = packed(exports.write(self.folder / "export.xml", exports.samples(20)))
            whole = self.convert(path, *form).read_bytes()
            edited = whole.replace(b'"code":"/min"', b'"code":"{beats}/min"', 1)
            self.assertNotEqual(edited, whole)
            with self.subTest(form=form), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                delivered = self.send(server, whole, more=more)["delivered"]
                there = dict(server.ids())
                for contents in edited, whole:
                    self.assertEqual(self.send(server, contents, more=[*more, "--dry-run"])["delivered"], 1)
                    report = self.send(server, contents, more=more)
                    self.assertEqual((report["delivered"], report["alreadyThere"]), (1, delivered - 1))
                    self.assertEqual(server.ids(), there)
                    text = json.dumps(list(server.store.resources.values()), separators=(",", ":"))
                    self.assertEqual('"code":"{beats}/min"' in text, contents == edited)
                    self.assertEqual(self.send(server, contents, more=more)["requests"], {})

    def test_a_refused_patient_is_sent_again_and_an_existing_one_is_left_as_it_is(self):
        path = packed(exports.write(self.folder / "export.xml", exports.samples(5)))
        bundles = self.convert(path, "--include-patient").read_bytes()

        class Server(OddServer):
            refuses_patients = True

            def store_entry(self, entry, links):
                if self.refuses_patients and entry["resource"]["resourceType"] == "Patient":
                    raise Refusal(422)
                return super().store_entry(entry, links)

        with Server() as server:
            for _ in range(2):
                self.assertEqual(self.send(server, bundles, code=6)["refused"], 1)
            server.refuses_patients = False
            self.assertEqual(self.send(server, bundles)["delivered"], 1)
            self.assertIn("Patient/p1", server.store.resources)
            self.assertEqual(self.send(server, bundles)["requests"], {})
        with OddServer() as server:
            server.keeps_patients = True
            patient = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Invented"}]}
            server.store.put("Patient/p1", patient)
            more = ["--ledger", str(self.folder / "kept")]
            self.assertEqual(self.send(server, bundles, more=more)["refused"], 0)
            self.assertEqual(server.store.resources["Patient/p1"], patient)
            self.assertEqual(self.send(server, bundles, more=more)["requests"], {})

    def test_a_line_that_never_ends_is_not_a_bundle(self):
        zeros = subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE)
        with ScriptedServer() as server:
            code, _, said = self.run_pghd("send", "-", server, stdin=zeros.stdout)
        zeros.stdout.close()
        zeros.wait()
        self.assertEqual(
            (code, said),
            (
                2,
                "pghd: standard input: line 1: no Bundle of 'pghd convert' (expected one a line, with its key, of nothing but what "
                "that writes of one patient): convert the export again\n",
            ),
        )

    def test_what_is_not_a_bundle_is_reported_as_what_it_is(self):
        export = exports.write(self.folder / "export.xml", self.samples)
        bulk = self.folder / "bulk"
        subprocess.run(
            [PGHD, "convert", str(export), "--patient", "p1", "--format", "resources", "-o", f"{bulk}/", "--quiet"],
            check=True, env=self.environment(),
        )
        whole = ": an export (expected Bundles of 'pghd convert'): give what it wrote, or use 'pghd sync'\n"
        alone = (
            ": line 1: a resource alone (expected a Bundle with its key, a line each): convert the export again, without "
            "--format resources\n"
        )
        with ScriptedServer() as server:
            for path, said in (export, whole), (packed(export), whole), (bulk / "Observation.ndjson", alone):
                with self.subTest(path.name):
                    self.assertEqual(self.run_pghd("send", path, server), (2, None, f"pghd: {path}{said}"))

    def test_only_a_missing_patient_is_named_as_the_reason_for_refusals(self):
        for has_patient, words in (False, "has no Patient/p1 (expected the patient whose data this is)"), (
            True, ".quarantine for its reasons",
        ):
            with self.subTest(words), ScriptedServer() as server:
                if has_patient:
                    server.store.put("Patient/p1", {"resourceType": "Patient"})
                server.faults = [{"kind": "status", "status": 422}] * 1000
                path = self.folder / "sent.ndjson"
                path.write_bytes(self.bundles([], "a")[0])
                code, _, said = self.run_pghd("send", path, server)
                self.assertEqual(code, 6, said)
                self.assertIn(words, said)

    def test_bundles_of_one_form_are_refused_after_those_of_the_other(self):
        plain, conditional = self.bundles([], "a")[0], self.bundles(["--conditional"], "a")[0]
        for name, contents in ("plain", [plain, conditional]), ("conditional", [conditional, plain]):
            with self.subTest(first=name), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / name)]
                self.send(server, *contents, code=2, more=more)
                self.assertEqual(len(server.ids()), 300)
                self.notes(server)
        with ScriptedServer() as server:
            self.send(server, conditional)
            stored = server.contents()
            self.send(server, plain, code=64)
            # It finds out by itself which kind of ids is there.
            self.assertEqual(self.sync(self.version("a"), server)["delivered"], 0)
            self.assertEqual(server.contents(), stored)

    def test_an_interrupted_run_still_reports_its_numbers(self):
        path = self.convert(self.version("a"))
        with ScriptedServer() as server:
            server.gate = threading.Event()
            process = subprocess.Popen(
                self.arguments("send", path, server), env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
            self.until(lambda: server.in_flight)
            self.interrupt(process)
            server.gate.set()
            written, said = process.communicate(timeout=300)
            self.assertEqual((process.returncode, json.loads(written)["refused"]), (130, 0))
            self.assertEqual(said, b"pghd: interrupted: run the command again, nothing is sent twice\n")

    def test_a_run_that_is_told_to_end_says_what_it_waits_for(self):
        path = self.convert(self.version("a"))
        for more in [], ["--quiet"]:
            with self.subTest(more), ScriptedServer(delay=6) as server:
                process = subprocess.Popen(
                    self.arguments("send", path, server, *more), env=self.environment(), stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
                self.until(lambda: server.in_flight)
                process.send_signal(signal.SIGINT)
                said = process.communicate(timeout=300)[1].decode()
                waits = (
                    "pghd: told to end: waits for the answers to requests in flight (once more ends at once, and the next run "
                    "settles what became of them)\n"
                )
                ends = "pghd: interrupted: run the command again, nothing is sent twice\n"
                self.assertEqual((process.returncode, said), (130, ends if more else waits + ends))

    def test_after_ctrl_c_a_run_waits_for_nothing_more_from_a_pipe(self):
        lines = self.convert(self.version("a")).read_bytes()
        with ScriptedServer() as server:
            process = subprocess.Popen(
                self.arguments("send", "-", server), env=self.environment(), stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            )
            # A part of another one, and then nothing.
            process.stdin.write(lines + lines[:100])
            process.stdin.flush()
            self.until(lambda: server.posts)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 130)
            process.stdin.close()
            self.assertEqual(
                process.stderr.read(), b"pghd: interrupted: run the command again, nothing is sent twice\n"
            )
            process.stderr.close()

    def on_terminal(self, path, server, *more, stdin=subprocess.DEVNULL, **variables):
        """What a terminal of 100 columns shows of a run over `path`."""
        terminal, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        self.count += 1
        process = subprocess.Popen(
            [PGHD, "send", str(path), "--server", server.base, "--ledger", str(self.folder / f"terminal{self.count}"),
             "--concurrency", "1", *more],
            env={**self.environment(), "TERM": "xterm", "LC_ALL": "C.UTF-8", **variables}, stdin=stdin,
            stdout=subprocess.DEVNULL, stderr=end,
        )
        os.close(end)
        text = b""
        while True:
            try:
                text += os.read(terminal, 4096)
            except OSError:  # Everything that was open at the other end is closed.
                break
        os.close(terminal)
        self.assertEqual(process.wait(), 0, text)
        return text.decode()

    def test_a_terminal_shows_the_progress(self):
        bundles = self.convert(self.version("a"), "--max-entries", "20")
        line = r"\r\x1b\[K\[\x1b\[32m█*\x1b\[0m░*\]  +\d+ %  \d+ of \d+ MB"
        with ScriptedServer(delay=0.2) as server:
            self.assertRegex(text := self.on_terminal(bundles, server), line)
            # The progress line is erased before the summary.
            self.assertIn(f"\r\x1b[K{bundles} → ", text)
            with bundles.open("rb") as file:
                self.assertRegex(self.on_terminal("-", server, stdin=file), line)
            server.delay = 0.05
            for path, stdin, options, variables in [
                (bundles, None, ["--quiet"], {}), (bundles, None, ["--json"], {}), (bundles, None, [], {"TERM": "dumb"}),
            ]:
                with self.subTest(options=options, variables=variables):
                    text = self.on_terminal(path, server, *options, stdin=stdin, **variables)
                    self.assertNotIn("\x1b", text)
            # Nobody knows how much comes from a pipe.
            server.delay = 0.2
            again = self.convert(self.version("b"), "--max-entries", "20")
            cat = subprocess.Popen(["cat", str(again)], stdout=subprocess.PIPE)
            self.assertRegex(self.on_terminal("-", server, stdin=cat.stdout), r"\r\x1b\[K\d+ MB")
            cat.stdout.close()
            self.assertEqual(cat.wait(), 0)


class Packed(DeliveryTestCase):
    """What `convert` writes with --gzip and --split is sent as it is; both Python's gzip and pghd's own are used."""

    def setUp(self):
        super().setUp()
        self.path = exports.write(self.folder / "export.xml", exports.samples(300))
        self.whole = self.named_resources(self.path)
        self.plain = self.convert(self.path, "--max-entries", "20")
        self.count = 0

    def converted(self, name, *more):
        self.count += 1
        target = self.folder / f"{self.count} {name}"
        output = f"{target}/" if "--split" in more else target
        command = [PGHD, "convert", str(self.path), "--patient", "p1", "--max-entries", "20", "-o", output, "--quiet"]
        subprocess.run([*command, *more], check=True, env=self.environment())
        return target

    def send_all(self, path, **options):
        self.count += 1
        with ScriptedServer() as server:
            ledger = ["--ledger", str(self.folder / f"ledger {self.count}")]
            code, report, said = self.run_pghd("send", path, server, *ledger, **options)
            if code == 0 and "stdin" not in options:
                self.assertEqual(self.run_pghd("send", self.plain, server, *ledger)[1]["delivered"], 0)
            if server.posts:
                self.assertEqual(set(server.ids().values()), {1})
            return code, len(server.posts), server.named_contents(), said

    def test_everything_is_sent_once_however_it_is_packed_or_split(self):
        text = self.plain.read_bytes()
        lines = text.splitlines(keepends=True)
        members = self.folder / "members.gz"
        members.write_bytes(b"".join(gzip.compress(line) for line in [b"", *lines, b""]))
        named = self.folder / "named"
        with named.open("wb") as file, gzip.GzipFile("bundles.ndjson", "wb", 9, file, 1e9) as packer:
            packer.write(text)
        stored = self.folder / "stored.gz"
        stored.write_bytes(gzip.compress(text, 0))
        for path in [
            self.converted("bundles.ndjson.gz", "--gzip"), self.converted("split", "--split"),
            self.converted("split", "--split", "--gzip"), members, named, stored,
        ]:
            with self.subTest(path.name):
                code, posts, contents, said = self.send_all(path)
                self.assertEqual((code, posts), (0, len(lines)), said)
                self.assertEqual(contents, self.whole)

    def test_packed_bundles_can_come_through_a_pipe(self):
        path = self.converted("bundles.ndjson.gz", "--gzip")
        # In pieces that end anywhere.
        script = "import sys, time\nfor byte in open(sys.argv[1], 'rb').read(64): sys.stdout.buffer.write(bytes([byte])); " \
            "sys.stdout.flush(); time.sleep(0.002)\nsys.stdout.buffer.write(open(sys.argv[1], 'rb').read()[64:])"
        slow = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE)
        code, posts, contents, said = self.send_all("-", stdin=slow.stdout)
        slow.stdout.close()
        self.assertEqual((code, contents, slow.wait()), (0, self.whole, 0), said)

    def test_nothing_is_sent_from_gzip_that_is_damaged_or_cut_off(self):
        chance = random.Random(7)
        bytes_ = self.converted("bundles.ndjson.gz", "--gzip").read_bytes()
        path = self.folder / "damaged.gz"
        said_of_it = "its gzip is damaged, or cut off (expected all of it): copy it again, or convert the export again"
        cut = [bytes_[:count] for count in (0, 1, 2, 18, len(bytes_) // 2, len(bytes_) - 8, len(bytes_) - 1)]
        # Most of the first ten bytes are a time and a system, which are not checked.
        places = [chance.randrange(10, len(bytes_)) for _ in range(12)]
        changed = [bytes_[:place] + bytes([bytes_[place] ^ 1 << place % 8]) + bytes_[place + 1 :] for place in places]
        for text in [*cut, *changed, bytes_ + b"more"]:
            path.write_bytes(text)
            code, posts, _, said = self.send_all(path)
            self.assertEqual((code, posts, said), (2, 0, f"pghd: {path}: {said_of_it}\n"))
            # Standard input that is a file can be read twice.
            with path.open("rb") as file:
                code, posts, _, said = self.send_all("-", stdin=file)
            # One byte is not recognized as gzip where no name says so.
            if len(text) > 1:
                self.assertEqual((code, posts, said), (2, 0, f"pghd: standard input: {said_of_it}\n"))

    def test_a_file_on_standard_input_is_sent_from_its_current_position(self):
        path = self.folder / "two.ndjson"
        path.write_bytes(b"not a Bundle\n" + self.plain.read_bytes())
        with path.open("rb", buffering=0) as file:
            file.seek(len(b"not a Bundle\n"))
            code, _, contents, said = self.send_all("-", stdin=file)
        self.assertEqual((code, contents), (0, self.whole), said)

    def test_a_run_says_that_what_came_through_a_pipe_damaged_may_be_wrong(self):
        lines = self.plain.read_bytes().splitlines(keepends=True)
        cat = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        cat.stdin.write(b"".join(gzip.compress(line) for line in lines)[:-1])
        cat.stdin.close()
        code, posts, _, said = self.send_all("-", stdin=cat.stdout)
        cat.stdout.close()
        self.assertEqual((code, cat.wait()), (2, 0))
        self.assertGreater(posts, 0)
        self.assertEqual(
            said, "pghd: standard input: its gzip is damaged, or cut off (expected all of it), and what was sent of it may "
            "be wrong: send it once more from a file that is whole, which takes its place\n",
        )

    def test_a_named_pipe_is_opened_once(self):
        path = self.folder / "pipe"
        os.mkfifo(path)
        for text in self.plain.read_bytes(), gzip.compress(self.plain.read_bytes()):
            writer = threading.Thread(target=path.write_bytes, args=[text])
            writer.start()
            code, _, contents, said = self.send_all(path, timeout=60)
            writer.join()
            self.assertEqual((code, contents), (0, self.whole), said)

    def test_nothing_is_sent_from_a_folder_in_which_a_bundle_is_missing_or_incomplete(self):
        for more in [], ["--gzip"]:
            folder = self.converted("split", "--split", *more)
            names = json.loads((folder / "manifest.json").read_bytes())["bundles"]
            whole = {name: (folder / name).read_bytes() for name in names}
            pack = gzip.compress if more else bytes
            for name in names[0], names[-1]:
                path, other = folder / name, whole[names[1]]
                twice = whole[name] + whole[name]
                foreign = f"{path}: not the Bundle of its name, alone and whole (expected what 'pghd convert --split' wrote): "
                damaged = f"{path}: its gzip is damaged"
                for content, message in [
                    (None, f"{path}: cannot be read (No such file or directory, expected what"), (b"", damaged if more else foreign),
                    (pack(b""), foreign), (pack(b"\n"), foreign), (other, foreign), (twice, foreign),
                    (whole[name][:-30], damaged if more else f"{path}: line 1: no Bundle"),
                    ("folder", "Is a directory" if name == names[0] else foreign),
                ]:
                    with self.subTest(more=more, name=name, content=content and content[:9]):
                        path.unlink()
                        if content == "folder":
                            path.mkdir()
                        elif content is not None:
                            path.write_bytes(content)
                        code, posts, _, said = self.send_all(folder)
                        self.assertEqual((code, posts), (2, 0), said)
                        self.assertIn(message, said)
                        if content == "folder":
                            path.rmdir()
                        path.write_bytes(whole[name])
            self.assertEqual(self.send_all(folder)[0], 0)

    def test_a_folder_that_is_being_written_is_not_sent(self):
        folder = self.converted("split", "--split")
        held = os.open(folder, os.O_RDONLY)
        self.addCleanup(os.close, held)
        fcntl.flock(held, fcntl.LOCK_EX)
        code, posts, _, said = self.send_all(folder)
        self.assertEqual((code, posts), (3, 0))
        self.assertEqual(said, f"pghd: {folder}: a run is writing it (expected none): wait for it to end\n")
        # Others may read it.
        fcntl.flock(held, fcntl.LOCK_SH)
        self.assertEqual(self.send_all(folder)[0], 0)

    def test_a_report_never_overwrites_what_is_sent(self):
        folder = self.converted("split", "--split")
        names = json.loads((folder / "manifest.json").read_bytes())["bundles"]
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        for name in "manifest.json", names[0], names[-1], "0" * 64 + ".json.gz":
            with ScriptedServer() as server:
                code, _, said = self.run_pghd("send", folder, server, "--report", str(folder / name), "--force")
                self.assertEqual((code, len(server.posts)), (64, 0), said)
                convert = [PGHD, "convert", str(self.path), "--patient", "p1", "-o", f"{folder}/", "--split", "--force"]
                found = subprocess.run([*convert, "--report", str(folder / name)], capture_output=True, env=self.environment())
                self.assertEqual(found.returncode, 64, found.stderr)
        self.assertEqual({path.name: path.read_bytes() for path in folder.iterdir()}, before)


class Folders(DeliveryTestCase):
    def test_a_folder_is_refused_and_closed_once(self):
        trace = self.folder / "trace"
        with ScriptedServer() as server:
            command = self.arguments("send", self.folder, server)
            run = subprocess.run(
                ["strace", "-f", "-e", "trace=close", "-o", str(trace), *command], capture_output=True,
                env=self.environment(), timeout=120,
            )
        self.assertEqual(run.returncode, 2, run.stderr)
        closes = trace.read_text()
        self.assertIn("close(", closes)
        self.assertNotIn("EBADF", closes)


if __name__ == "__main__":
    unittest.main()
