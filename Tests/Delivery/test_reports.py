"""What a run writes about itself never hides how the run ended, and is never an earlier run's.

    python3 Tests/Delivery/test_reports.py
"""

import datetime
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import exports
from delivery import PGHD, ROOT, DeliveryTestCase
from scripted_server import ScriptedServer

UNWRITTEN = "pghd: /dev/full: cannot be written (No space left on device)"


class Unwritten(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.export = exports.write(self.folder / "export.xml", exports.samples(20))

    def refused(self, server):
        entries = [entry for line in self.convert(self.export).read_text().splitlines() for entry in json.loads(line)["entry"]]
        observations = [entry["resource"] for entry in entries if entry["resource"]["resourceType"] == "Observation"]
        server.refused_ids = {observations[0]["identifier"][0]["value"]}

    def test_refused_entries_are_mentioned_even_if_the_report_cannot_be_written(self):
        for name, path in [("sync", self.export), ("send", self.convert(self.export))]:
            with self.subTest(name), ScriptedServer() as server:
                self.refused(server)
                ledger = "--ledger", str(self.folder / name)
                code, report, said = self.run_pghd(name, path, server, *ledger, "--report", "/dev/full")
                self.assertEqual(code, 6, said)
                self.assertEqual(report["refused"], 1)
                self.assertIn("1 entry was refused", said)
                self.assertIn(UNWRITTEN, said)

    def test_refused_entries_are_mentioned_even_if_standard_output_cannot_be_written(self):
        for name, path in [("sync", self.export), ("send", self.convert(self.export))]:
            with self.subTest(name), ScriptedServer() as server, open("/dev/full", "w") as full:
                self.refused(server)
                result = subprocess.run(
                    self.arguments(name, path, server, "--ledger", str(self.folder / name)), stdout=full,
                    stderr=subprocess.PIPE, text=True, env=self.environment(),
                )
                self.assertEqual(result.returncode, 6, result.stderr)
                self.assertIn("1 entry was refused", result.stderr)
                self.assertIn("standard output: cannot be written", result.stderr)

    def test_what_stopped_a_run_is_mentioned_even_if_the_report_cannot_be_written(self):
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 500}] * 99
            code, _, said = self.run_pghd("sync", self.export, server, "--retry-for", "0", "--report", "/dev/full")
            self.assertEqual(code, 3, said)
            self.assertIn("answered 500", said)
            self.assertIn(UNWRITTEN, said)

    def test_a_difference_sets_the_exit_code_even_if_the_report_cannot_be_written(self):
        with ScriptedServer() as server:
            code, report, said = self.run_pghd("verify", self.export, server, "--quiet", "--report", "/dev/full")
            self.assertEqual(code, 1, said)
            self.assertIn(UNWRITTEN, said)
            self.assertFalse(report is None)

    def test_a_run_that_went_well_ends_with_2_if_the_report_cannot_be_written(self):
        with ScriptedServer() as server:
            code, report, said = self.run_pghd("sync", self.export, server, "--report", "/dev/full")
            self.assertEqual(code, 2, said)
            self.assertIn(UNWRITTEN, said)
            self.assertEqual(report["delivered"], len(server.contents()))


class Untaken(DeliveryTestCase):
    """A full pipe that nobody reads."""

    def full(self):
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        self.addCleanup(os.close, writing)
        os.set_blocking(writing, False)
        for size in 4096, 1:
            try:
                while True:
                    os.write(writing, b"x" * size)
            except BlockingIOError:
                pass
        os.set_blocking(writing, True)
        return writing

    def ended_or_idle(self, process):
        """Waits until a process has done nothing for seconds: its exit code, or None if it is waiting for somebody."""
        used = []

        def is_idle():
            fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            used.append(int(fields[11]) + int(fields[12]))
            return len(used) > 1 and used[-1] - used[-2] <= 2

        self.until(lambda: process.poll() is not None or is_idle(), pause=2.5)
        return process.returncode

    def test_a_run_that_is_told_to_end_does_not_wait_for_a_full_pipe(self):
        export = exports.write(self.folder / "export.xml", exports.samples(20))
        with ScriptedServer() as server:
            self.sync(export, server)
            bundles = self.convert(export)
            target = str(self.folder / "other.ndjson")
            convert = [PGHD, "convert", str(export), "--patient", "p1", "-o", target, "--json", "--force"]
            commands = [
                self.arguments("sync", export, server), self.arguments("send", bundles, server),
                self.arguments("verify", export, server), convert,
            ]
            for command in commands:
                # A report that can't be written is an error; what is only printed for people is not.
                for stream, code in ("stdout", 2), ("stderr", 0):
                    with self.subTest(command=command[1], stream=stream):
                        arguments = [text for text in command if stream == "stdout" or text != "--json"]
                        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: self.full()}
                        process = subprocess.Popen(arguments, env=self.environment(), **streams)
                        self.assertIsNone(self.ended_or_idle(process))
                        process.send_signal(signal.SIGTERM)
                        self.assertEqual(process.wait(timeout=10), code)
            # Its output was complete.
            self.assertEqual(Path(target).read_bytes(), bundles.read_bytes())

    def test_a_watch_that_is_told_to_end_waits_for_a_full_pipe_only_once(self):
        watched = self.folder / "exports"
        for number in range(300):
            (watched / f"no_id_{number}").mkdir(parents=True)
            (watched / f"no_id_{number}" / "export.zip").touch()
        with ScriptedServer() as server:
            process = subprocess.Popen(
                [PGHD, "watch", str(watched), "--server", server.base, "--ledger", str(self.folder / "ledger")],
                env=self.environment(), stdout=subprocess.DEVNULL, stderr=self.full(),
            )
            self.assertIsNone(self.ended_or_idle(process))
            process.send_signal(signal.SIGTERM)
            # Two seconds for each folder would be ten minutes.
            self.assertEqual(process.wait(timeout=120), 130)


class Origin(DeliveryTestCase):
    def test_a_report_says_when_the_run_started_and_with_which_version(self):
        export = exports.write(self.folder / "export.xml", exports.samples(20))
        version = subprocess.run([PGHD, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        bundles = self.convert(export)
        with ScriptedServer() as server:
            for name, path in ("sync", export), ("verify", export), ("send", bundles):
                begun = int(time.time())
                code, report, said = self.run_pghd(name, path, server)
                self.assertEqual((code, report["version"]), (0, version), said)
                started = datetime.datetime.fromisoformat(report["started"].replace("Z", "+00:00")).timestamp()
                self.assertTrue(begun <= started <= time.time(), report["started"])
                self.assertEqual("mappingVersion" in report, name != "send")

    def test_a_runs_time_is_counted_from_before_the_server_is_asked_anything(self):
        class Slow(ScriptedServer):
            answered = 0

            def handle_get(self, request):
                if request.path.endswith("/metadata"):
                    time.sleep(2.5)
                    self.answered = time.time()
                super().handle_get(request)

        export = exports.write(self.folder / "export.xml", exports.samples(20))
        bundles = self.convert(export)
        with Slow() as server:
            # The third fills an empty ledger first.
            for name, path, ledger in [
                ("send", bundles, "one"), ("sync", export, "one"), ("sync", export, "other"), ("verify", export, "one"),
            ]:
                with self.subTest(name, ledger=ledger):
                    code, report, said = self.run_pghd(name, path, server, "--ledger", str(self.folder / ledger))
                    self.assertEqual(code, 0, said)
                    self.assertGreaterEqual(report["seconds"], 2.5)
                    started = datetime.datetime.fromisoformat(report["started"].replace("Z", "+00:00")).timestamp()
                    self.assertLess(started, server.answered - 2)


class Stopped(DeliveryTestCase):
    """A run that is stopped before the first Bundle has no numbers to report."""

    def test_a_run_that_is_stopped_before_the_first_bundle_writes_no_report(self):
        class Closed(ScriptedServer):
            is_closed = False

            def handle_get(self, request):
                if self.is_closed and not request.path.endswith("/metadata"):
                    return self.send(request, 401, b"{}")
                super().handle_get(request)

        export = exports.write(self.folder / "export.xml", exports.samples(20))
        file = self.folder / "report.json"
        with Closed() as server:
            self.sync(export, server)
            for is_closed, more, expected in [
                # An empty ledger, and a server that has something.
                (False, ["--ledger", str(self.folder / "other"), "--dry-run"], 64), (True, [], 4), (True, ["--dry-run"], 4),
            ]:
                with self.subTest(more, is_closed=is_closed):
                    server.is_closed = is_closed
                    code, report, said = self.run_pghd("sync", export, server, *more, "--report", str(file))
                    self.assertEqual((code, report, file.exists()), (expected, None, False), said)

    def test_a_run_that_is_stopped_early_still_reports_where_a_damaged_ledger_was_put(self):
        class Away(ScriptedServer):
            is_away = False

            def handle_get(self, request):
                if self.is_away and not request.path.endswith("/metadata"):
                    return self.send(request, 503, b"")
                super().handle_get(request)

        export = exports.write(self.folder / "export.xml", exports.samples(20))
        with Away() as server:
            self.sync(export, server)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            ledger.write_bytes(b"no database at all" * 100)
            server.is_away = True
            code, report, said = self.run_pghd("sync", export, server, "--retry-for", "0")
            self.assertEqual((code, report["bundles"], report["ledgerSetAside"]), (3, 0, f"{ledger}.damaged"), said)


class Earlier(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.export = exports.write(self.folder / "export.xml", exports.samples(20))
        self.report = self.folder / "report.json"
        with ScriptedServer() as server:
            self.base = server.base
            self.sync(self.export, server, "--report", str(self.report))
        self.assertTrue(json.loads(self.report.read_text())["complete"])

    def test_a_failed_run_leaves_no_earlier_runs_report(self):
        bundles = self.convert(self.export)
        content = self.report.read_bytes()
        for name, path in [("sync", self.export), ("send", bundles), ("verify", self.export)]:
            with self.subTest(name):
                self.report.write_bytes(content)
                options = "--retry-for", "0", "--report", str(self.report), "--force"
                code, _, said = self.run_pghd(name, path, self.base, *options)
                self.assertEqual(code, 3, said)
                self.assertFalse(self.report.exists(), "an earlier run's report stands")

    def test_an_export_that_cannot_be_read_leaves_no_earlier_runs_report(self):
        empty = self.folder / "empty.xml"
        empty.write_bytes(b"")
        for name in "sync", "verify":
            for path in empty, self.folder / "nowhere.zip":
                with self.subTest(name, path=path.name):
                    self.report.write_text("{}")
                    code, _, said = self.run_pghd(name, path, self.base, "--report", str(self.report), "--force")
                    self.assertEqual(code, 2, said)
                    self.assertFalse(self.report.exists(), "an earlier run's report stands")

    def test_a_missing_header_file_leaves_no_earlier_runs_report(self):
        bundles = self.convert(self.export)
        for name, path in [("sync", self.export), ("send", bundles), ("verify", self.export)]:
            with self.subTest(name):
                self.report.write_text("{}")
                options = "--header-file", str(self.folder / "nowhere"), "--report", str(self.report), "--force"
                code, _, said = self.run_pghd(name, path, self.base, *options)
                self.assertEqual(code, 4, said)
                self.assertFalse(self.report.exists(), "an earlier run's report stands")

    def test_a_dash_is_refused_as_the_name_of_a_report(self):
        for name in "sync", "verify", "send":
            with self.subTest(name):
                code, _, said = self.run_pghd(name, self.export, self.base, "--report", "-", cwd=self.folder)
                self.assertEqual(
                    (code, said), (64, "pghd: --report: - is not a file (expected a name): use --json for standard output\n")
                )

    def test_a_locked_keystore_leaves_no_earlier_runs_report(self):
        keystore = self.folder / "private" / "keystore"
        keystore.parent.mkdir(mode=0o700)
        keystore.write_bytes(b"no keystore")
        keystore.chmod(0o600)
        arguments = self.arguments("sync", self.export, self.base, "--report", str(self.report), "--force")
        place = arguments.index("--patient")
        for found in [arguments, arguments[:place] + arguments[place + 2 :]]:
            with self.subTest(found):
                self.report.write_text("{}")
                result = subprocess.run(
                    [*found, "--keystore", str(keystore)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                    env=self.environment(), start_new_session=True,
                )
                self.assertEqual(result.returncode, 5, result.stderr)
                self.assertFalse(self.report.exists(), "an earlier run's report stands")

    def test_wrong_usage_leaves_an_earlier_runs_report_as_it_is(self):
        content = self.report.read_bytes()
        for options in [["--max-delete", "-1"], ["--time-zone", "Nowhere/Here"], ["--server", "ftp://127.0.0.1/"]]:
            with self.subTest(options):
                code, _, said = self.run_pghd(
                    "sync", self.export, self.base, "--report", str(self.report), "--force", *options
                )
                self.assertEqual(code, 64, said)
                self.assertEqual(self.report.read_bytes(), content)

    def test_a_link_to_a_report_is_kept(self):
        link = self.folder / "latest.json"
        link.symlink_to(self.report)
        options = "--retry-for", "0", "--report", str(link), "--force"
        code, _, said = self.run_pghd("sync", self.export, self.base, *options)
        self.assertEqual(code, 3, said)
        self.assertTrue(link.is_symlink())
        self.assertFalse(self.report.exists(), "an earlier run's report stands")
        with ScriptedServer() as server:
            self.sync(self.export, server, *options)
        self.assertTrue(link.is_symlink())
        self.assertTrue(json.loads(self.report.read_text())["complete"])


class Summary(DeliveryTestCase):
    def test_the_summary_shows_how_long_answers_took_and_how_long_until_an_outcome_was_known(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 503}]
            arguments = [word for word in self.arguments("sync", path, server) if word != "--json"]
            result = subprocess.run(arguments, capture_output=True, text=True, env=self.environment())
            delivered = len(server.contents())
            again = subprocess.run(arguments, capture_output=True, text=True, env=self.environment())
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line.split(maxsplit=1) for line in result.stderr.splitlines()[1:]]
        found = {name: re.sub(r"[\d,.]+ (ms|s|resources?)\b", r"N \1", text) for name, text in lines}
        self.assertEqual(lines[0], ["delivered", f"{delivered} resources"])
        self.assertEqual(found["took"], "N s, N resources a second")
        self.assertEqual(found["answers"], "N ms median, N ms 99th percentile; with repeats N ms, N ms")
        # Nothing was sent, so nothing was answered.
        self.assertNotIn("answers", again.stderr)


class Used(DeliveryTestCase):
    """What a run reads is never overwritten, with or without --force."""

    def convert(self, *arguments):
        return subprocess.run(
            [PGHD, "convert", *map(str, arguments), "--patient", "p1", "--force"], capture_output=True, text=True,
            env=self.environment(),
        )

    def test_settings_mappings_and_files_of_an_unpacked_export_are_not_overwritten(self):
        folder = self.folder / "un" / "apple_health_export"
        folder.mkdir(parents=True)
        exports.write(folder / "export.xml", exports.samples(20))
        profiles = self.folder / "profiles"
        shutil.copytree(ROOT / "profiles", profiles, ignore=shutil.ignore_patterns("guide"))
        settings = self.folder / "home" / ".config" / "pghd" / "config.json"
        kept = [
            settings, profiles / "ConceptMap-healthkit-types.json", folder / "electrocardiograms" / "ecg.csv",
            folder / "workout-routes" / "route.gpx", folder / "clinical-records" / "lab.json",
        ]
        for path in kept:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.write_text("{}")
        contents = [path.read_bytes() for path in kept]
        for path in kept:
            for option in "-o", "--report":
                with self.subTest(path.name, option=option):
                    other = ["-o", "-"] if option == "--report" else []
                    result = self.convert(self.folder / "un", "--profiles", profiles, option, path, *other)
                    self.assertEqual(
                        (result.returncode, result.stderr),
                        (64, f"pghd: {option}: '{path}' is used already (expected another file): choose another name\n"),
                    )
            code, _, said = self.run_pghd(
                "sync", self.folder / "un", "http://127.0.0.1:9/fhir", "--profiles", str(profiles), "--report", str(path), "-f"
            )
            self.assertEqual((code, said[:15]), (64, "pghd: --report:"), said)
        self.assertEqual([path.read_bytes() for path in kept], contents)
        # What an earlier run has written there may be replaced; these files are damaged, which exit code 1 says.
        target = self.folder / "un" / "bundles.ndjson"
        for _ in range(2):
            self.assertEqual(self.convert(self.folder / "un", "-o", target).returncode, 1)

    def test_a_file_name_that_is_not_utf_8_is_refused(self):
        exports.write(self.folder / "export.xml", exports.samples(20))
        for arguments in [[b"m\xe9decin.xml"], [b"export.xml", b"-o", b"o\xff.ndjson"]]:
            result = subprocess.run(
                [PGHD, "convert", *arguments, "--patient", "p1"], capture_output=True, env=self.environment(), cwd=self.folder
            )
            self.assertEqual(result.returncode, 64, result.stderr)
            self.assertIn(b": not UTF-8 (expected a name or an option that is): rename the file\n", result.stderr)
        self.assertEqual([path.name for path in self.folder.glob("*.ndjson")], [])

    def test_a_named_keystore_that_does_not_exist_is_reported(self):
        class Closed(ScriptedServer):
            def handle_get(self, request):
                return self.send(request, 401, b"{}")

        export = exports.write(self.folder / "export.xml", exports.samples(20))
        with Closed() as server:
            for more, is_told in [([], False), (["--keystore", "nowhere"], True)]:
                code, _, said = self.run_pghd("sync", export, server, *more)
                self.assertEqual(code, 4, said)
                told = "pghd: --keystore: 'nowhere' is not there (expected the keystore of a sign-in): check the path"
                self.assertEqual(told in said, is_told, said)

    def test_a_sign_in_that_is_told_to_make_names_the_keystore_and_certificates_of_the_run(self):
        class Closed(ScriptedServer):
            def handle_get(self, request):
                return self.send(request, 401, b"{}")

        export = exports.write(self.folder / "export.xml", exports.samples(20))
        authorities = self.folder / "ca.pem"
        authorities.write_text("")
        with Closed() as server:
            code, _, said = self.run_pghd("sync", export, server, "--keystore", "my keys", "--ca-file", authorities)
            self.assertEqual(code, 4, said)
            self.assertIn(
                f"run 'pghd login --server {server.base} --client-id ID --ca-file {authorities} --keystore FILE', with the ID",
                said,
            )


if __name__ == "__main__":
    unittest.main()
