"""What is asked and reported before anything is sent: what the server supports, and what a run would do.

    python3 Tests/Delivery/test_dry_run.py
"""

import dataclasses
import subprocess
import unittest
from pathlib import Path

import exports
from delivery import DeliveryTestCase
from exports import packed
from scripted_server import ScriptedServer


class Capabilities(DeliveryTestCase):
    def server(self, **changes):
        server = ScriptedServer()
        statement = server.capabilities()
        rest = statement["rest"][0]
        for name, value in changes.items():
            if name == "interaction":
                rest["interaction"] = value
            else:
                for kind in rest["resource"]:
                    kind[name] = value
        server.capabilities = lambda: statement
        return server

    def test_on_a_server_that_chooses_ids_resources_are_created_by_identifier(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        with self.server(updateCreate=False) as server:
            code, _, said = self.run_pghd("sync", path, server)
            self.assertEqual(code, 0, said)
            self.assertIn("chooses ids itself: resources are created by identifier (--conditional)", said)
            self.assertTrue(all(not name.startswith("Observation/h") for name in server.store.resources))
            self.assertEqual(len(server.ids()), 30)
            self.assertEqual(self.sync(path, server)["requests"], {})

    def test_what_a_server_says_it_cannot_do_is_not_tried(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        bundles = self.convert(path)
        statement = "its CapabilityStatement says that it"
        for changes, command, more, words in [
            ({"interaction": [{"code": "batch"}]}, "sync", [], f"{statement} takes no transactions"),
            ({"conditionalCreate": False}, "sync", ["--conditional"], f"{statement} does not create by identifier"),
            ({"updateCreate": False, "conditionalCreate": False}, "sync", [], "nor lets clients choose ids"),
            ({"updateCreate": False}, "send", [], "does not let clients choose ids (expected one that does): convert"),
        ]:
            with self.subTest(changes=changes, command=command), self.server(**changes) as server:
                code, _, said = self.run_pghd(command, bundles if command == "send" else path, server, *more)
                self.assertEqual((code, server.posts), (6, []), said)
                self.assertIn(words, said)

    def test_a_server_without_a_capability_statement_is_delivered_to(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        with ScriptedServer() as server:
            server.capabilities = lambda: {"resourceType": "OperationOutcome"}
            self.sync(path, server)
            self.assertEqual(len(server.ids()), 30)


class DryRun(DeliveryTestCase):
    def test_a_dry_run_reports_what_the_run_then_does_and_changes_nothing(self):
        samples = exports.samples(200)
        first = packed(exports.write(self.folder / "first.xml", samples[:250]))
        # Twins in two Bundles, changes, additions and removals make counting hard.
        second = packed(exports.write(self.folder / "second.xml", samples[5:] + samples[20:30], 2))
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                for path in first, second, second:
                    state = self.state(more[-1])
                    told = self.sync(path, server, *more, "--dry-run")
                    self.assertEqual((told["dryRun"], told["requests"]), (True, {}))
                    self.assertEqual(self.state(more[-1]), state)
                    posts = len(server.posts)
                    done = self.sync(path, server, *more)
                    names = ["delivered", "replaced", "alreadyThere", "bundlesDelivered", "bytesSent", "deletionsOffered"]
                    self.assertEqual({n: told[n] for n in names}, {n: done[n] for n in names})
                    self.assertEqual(len(server.posts) - posts, told["bundlesDelivered"])

    def test_a_dry_run_counts_what_a_later_export_from_another_machine_brought_as_outdated(self):
        samples = exports.samples(60)
        older = packed(exports.write(self.folder / "older.xml", samples))
        changed = [dataclasses.replace(s, note="newer") if i < 2 else s for i, s in enumerate(samples)]
        newer = packed(exports.write(self.folder / "newer.xml", changed, day=5))
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                one, other = ([*form, "--ledger", str(self.folder / f"{name}{len(form)}")] for name in "ab")
                # One machine's export lacks the first two, which another machine delivers.
                part = packed(exports.write(self.folder / "part.xml", samples[2:], day=6))
                self.sync(part, server, *one)
                self.sync(newer, server, *other)
                told = self.sync(older, server, *one, "--dry-run")
                done = self.sync(older, server, *one)
                names = ["delivered", "replaced", "alreadyThere", "outdated", "bundlesDelivered", "bytesSent"]
                self.assertEqual({n: told[n] for n in names}, {n: done[n] for n in names})
                self.assertEqual((done["delivered"], done["outdated"]), (0, 2))

    def test_too_many_deletions_end_a_dry_run_as_they_end_the_run(self):
        samples = exports.samples(400)
        first = packed(exports.write(self.folder / "first.xml", samples))
        second = packed(exports.write(self.folder / "second.xml", samples[100:], 2))
        with ScriptedServer() as server:
            self.sync(first, server)
            state, posts = self.state(self.folder / "ledger"), len(server.posts)
            code, told, said = self.run_pghd("sync", second, server, "--delete", "--dry-run")
            self.assertEqual((code, told["deletionsOffered"], len(server.posts)), (64, 100, posts), said)
            self.assertIn("--delete: 100 resources would be marked as entered in error (expected at most 6)", said)
            self.assertEqual(self.state(self.folder / "ledger"), state)
            done = self.run_pghd("sync", second, server, "--delete")
            self.assertEqual((done[0], done[1]["deletionsOffered"], done[2]), (64, 100, said))
            for more, deleted in (["--dry-run"], 0), ([], 100):
                told = self.sync(second, server, "--delete", "--max-delete", "100", *more)
                self.assertEqual((told["deletionsOffered"], told["deletionsDone"]), (100, deleted))

    def test_the_expected_time_is_estimated_from_the_pace_of_the_last_run(self):
        path = exports.write(self.folder / "export.xml", exports.samples(200))
        with ScriptedServer() as server:
            told = self.sync(path, server, "--dry-run")
            self.assertEqual((told["delivered"], told["expectedSeconds"]), (302, None))
            self.sync(path, server)
            self.assertEqual(self.sync(path, server, "--dry-run")["expectedSeconds"], 0)
            newer = exports.write(self.folder / "newer.xml", exports.samples(2000))
            self.assertGreater(self.sync(newer, server, "--dry-run")["expectedSeconds"], 0)
            # Less than a second is rounded up: 0 means that there is nothing to send.
            more = exports.write(self.folder / "more.xml", [*exports.samples(200), *exports.samples(1, seed=7)])
            told = self.sync(more, server, "--dry-run")
            self.assertEqual((told["delivered"], told["expectedSeconds"]), (1, 1))

    def test_a_dry_run_that_stops_before_it_compares_prints_no_numbers(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        with ScriptedServer() as server:
            self.sync(path, server)
            arguments = self.arguments("sync", path, server, "--ledger", str(self.folder / "lost"), "--dry-run")
            arguments.remove("--json")
            result = subprocess.run(arguments, capture_output=True, text=True, env=self.environment(), timeout=60)
            self.assertEqual((result.returncode, result.stdout), (64, ""), result.stderr)
            self.assertRegex(result.stderr, r"\Apghd: .*/fhir: has 30 resources of this patient .*\n\Z")

    def test_only_the_owner_can_read_a_dry_runs_copy_of_the_ledger(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        # The umask does not do it for us.
        with ScriptedServer() as server:
            self.sync(path, server, umask=0)
            folder, answer, modes = self.folder / "ledger", server.handle_get, {}

            def look(request):
                for file in folder, *folder.iterdir():
                    modes[file.name.partition(".")[2]] = oct(file.stat().st_mode & 0o777)
                answer(request)

            server.handle_get = look
            self.sync(path, server, "--dry-run", umask=0)
            self.assertEqual(modes.pop(""), "0o700")
            self.assertIn("ledger.dry-run", modes)
            self.assertEqual(modes, dict.fromkeys(modes, "0o600"))

    def test_converted_bundles_can_be_sent_in_a_dry_run_too(self):
        path = self.convert(exports.write(self.folder / "export.xml", exports.samples(200)))
        with ScriptedServer() as server:
            code, told, said = self.run_pghd("send", path, server, "--dry-run")
            self.assertEqual((code, told["delivered"], server.posts), (0, 302, []), said)

    def state(self, folder):
        """The ledgers' bytes; the files that SQLite keeps next to them are empty between runs."""
        return {f.name: f.read_bytes() for f in Path(folder).glob("*") if f.suffix == ".ledger" or "dry-run" in f.name}


if __name__ == "__main__":
    unittest.main()
