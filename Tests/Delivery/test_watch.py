"""`pghd watch`: an export put into a patient's folder is synced once it is complete, whatever happens meanwhile.

    python3 Tests/Delivery/test_watch.py
"""

import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
import unittest
import zipfile
from pathlib import Path

import exports
from delivery import PGHD, ROOT, DeliveryTestCase, preloaded, quick_derivation
from exports import packed
from scripted_server import ScriptedServer


class WatchTestCase(DeliveryTestCase):
    def setUp(self):
        super().setUp()
        self.watched = self.folder / "exports"
        (self.watched / "p1").mkdir(parents=True)

    def start(self, server, *more, stdout=subprocess.DEVNULL, command=(PGHD,)):
        base = server if isinstance(server, str) else server and server.base
        process = subprocess.Popen(
            [*command, "watch", str(self.watched), *(["--server", base] if base else []), "--ledger", str(self.folder / "ledger"),
             "--settling-milliseconds", "300", "--try-again-after", "1", "--retry-delay-milliseconds", "5", *more],
            stdout=stdout, stderr=subprocess.PIPE, text=True, env=self.environment(),
        )
        self.said = []
        reader = threading.Thread(target=lambda: self.said.extend(iter(process.stderr.readline, "")), daemon=True)
        reader.start()

        def end():
            process.kill()
            process.wait()
            reader.join()
            process.stderr.close()

        self.addCleanup(end)
        return process

    def until(self, condition, **options):
        try:
            return super().until(condition, **options)
        except AssertionError as failure:
            self.fail(f"{failure}\n\n{''.join(self.said)}")

    def begun(self):
        return sum("begins" in line for line in self.said)

    def delivered(self):
        """How many runs have reported what they delivered."""
        return sum(bool(re.search("delivered +[1-9]", line)) for line in self.said)

    def turns(self):
        """The patients whose exports were begun, in order."""
        return [line.split("/")[-2] for line in self.said if "begins" in line]

    def ended(self):
        return [line for line in self.said if ": ended with" in line]

    def endings(self):
        """How the runs ended that did not sync their export, in order."""
        return ["ended" + line.rpartition(": ended")[2] for line in self.ended()]

    def write(self, count, patient="p1", name="export.xml"):
        (self.watched / patient).mkdir(exist_ok=True)
        # As a careful program does: written next to it, then renamed.
        part = exports.write(self.watched / patient / f".{name}", exports.samples(count))
        os.rename(part, self.watched / patient / name)


def values(text):
    """The JSON values in `text`, one after another."""
    found, place = [], 0
    while text[place:].strip():
        place += len(text[place:]) - len(text[place:].lstrip())
        value, place = json.JSONDecoder().raw_decode(text, place)
        found.append(value)
    return found


class Refusing:
    """Makes a server refuse one of the patient's resources meanwhile."""

    def __init__(self, server, test):
        bundles = test.convert(test.watched / "p1" / "export.xml").read_text().splitlines()
        entries = [entry["resource"] for line in bundles for entry in json.loads(line)["entry"]]
        observations = [resource for resource in entries if resource["resourceType"] == "Observation"]
        self.server, self.refused = server, {observations[0]["identifier"][0]["value"]}

    def __enter__(self):
        self.server.refused_ids = self.refused

    def __exit__(self, *_):
        self.server.refused_ids = set()


class Failing(ScriptedServer):
    """Answers a Bundle of a patient whose id begins with `bad` with this status."""

    def __init__(self, status):
        super().__init__()
        self.status = status

    def answer_post(self, request, body, fault):
        is_bad = b"Patient/bad" in body
        return super().answer_post(request, body, {"kind": "status", "status": self.status} if is_bad else fault)


def children(process):
    """The processes that a watch's main thread has started and that are still there."""
    return [int(word) for word in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


@contextlib.contextmanager
def stopped(process):
    """Keeps a watch from looking between two steps."""
    process.send_signal(signal.SIGSTOP)
    yield
    process.send_signal(signal.SIGCONT)


class Away(ScriptedServer):
    """A server that is too busy until it is set to be back."""

    is_away = True

    def answer_post(self, request, body, fault):
        return super().answer_post(request, body, {"kind": "status", "status": 503} if self.is_away else fault)


class Watch(WatchTestCase):
    def test_each_patients_export_is_sent_for_that_patient(self):
        with ScriptedServer() as server:
            self.start(server)
            self.write(20)
            self.write(10, patient="p2")
            self.until(lambda: sum("delivered" in line for line in self.said) == 2)
            subjects = {r["subject"]["reference"] for r in server.store.resources.values() if "subject" in r}
            self.assertEqual(subjects, {"Patient/p1", "Patient/p2"})

    def test_a_synced_export_is_left_alone_until_it_is_replaced(self):
        with ScriptedServer() as server:
            self.start(server)
            self.write(20)
            self.until(lambda: self.delivered() == 1)
            time.sleep(1)
            self.assertEqual(self.begun(), 1)
            known = len(server.ids())
            self.write(22)
            self.until(lambda: len(server.ids()) > known)
            self.until(lambda: self.begun() == 2)

    def test_changes_in_quick_succession_lead_to_one_run(self):
        def look():
            # A file outside the patients' folders is reported once, by the look that has seen everything before it.
            stray = self.watched / f"stray{len(self.said)}.xml"
            stray.touch()
            self.until(lambda: any(f"/{stray.name}: lies in no patient's folder" in line for line in self.said))

        with ScriptedServer() as server:
            self.start(server, "--settling-milliseconds", "2000")
            self.write(10)
            look()
            # Longer than a single one would have to lie there.
            for count in range(11, 41):
                time.sleep(0.1)
                self.write(count)
            self.assertEqual(self.begun(), 0, "one that had not settled was synced")
            self.until(lambda: self.delivered() == 1)
            look()
            self.assertEqual((self.begun(), len(server.ids())), (1, 40 + 20))

    def test_an_export_that_is_replaced_during_a_run_is_synced_once_it_was_seen(self):
        goes_on = threading.Event()

        class Server(ScriptedServer):
            def answer_post(self, request, body, fault):
                goes_on.wait(60)
                return super().answer_post(request, body, fault)

        # After a look that takes so long both are run before the next one.
        for number in range(3000):
            (self.watched / f"z{number}").mkdir()
        self.write(20)
        self.write(10, patient="p2")
        with Server() as server:
            self.start(server, "--settling-milliseconds", "0")
            self.until(lambda: server.in_flight)
            self.write(22)
            self.write(12, patient="p2")
            goes_on.set()
            self.until(lambda: self.delivered() == 3)
            # The second patient's file is no longer what the first look saw: that one's turn is over.
            self.assertEqual(self.turns(), ["p1", "p1", "p2"])
            # The first one's steps were others before.
            self.assertEqual(len(server.ids()), 22 + 10 + 11 + 12 + 6)

    def test_an_export_that_grew_during_its_run_is_synced_again_even_if_its_times_are_the_same(self):
        class Server(ScriptedServer):
            pause = 0.2

            def answer_post(self, request, body, fault):
                time.sleep(self.pause)
                return super().answer_post(request, body, fault)

        # More than the posts in flight hold: the first half has been read by the time that so many are answered.
        self.write(12_000)
        path = self.watched / "p1" / "export.xml"
        data, times = path.read_bytes(), path.stat()
        with Server() as server:
            server.gate, server.gate_behind = threading.Event(), 32
            self.start(server)
            # Until then it has read ahead as far as it may, so that it meets the new end only after the gate.
            self.until(lambda: len(server.posts) >= 8)
            # In one step: rewritten, it would be empty for a moment, and the run might find its end there.
            os.truncate(path, len(data) // 2)
            self.until(lambda: len(server.posts) == 32)
            time.sleep(1)
            path.write_bytes(data)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            self.assertEqual(self.ended(), [])
            server.pause = 0
            server.gate.set()
            self.until(lambda: self.delivered() == 2)
            self.assertEqual(self.endings(), ["ended with 1: it is tried again later\n"])
            self.assertEqual((len(server.ids()), set(server.ids().values())), (18_000, {1}))

    def test_an_unfinished_copy_is_not_synced_before_its_end(self):
        whole = exports.write(self.folder / "whole.xml", exports.samples(40)).read_bytes()
        archive = self.folder / "whole.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("apple_health_export/export.xml", whole)
        # The file continues after what looks like its end.
        outer = self.folder / "outer.zip"
        with zipfile.ZipFile(outer, "w") as file:
            file.write(archive, "apple_health_export/former.zip")
            file.writestr("apple_health_export/export.xml", whole)
        for name, data in [
            ("export.xml", whole), ("export.zip", archive.read_bytes()), ("outer.zip", outer.read_bytes()),
        ]:
            with self.subTest(name), ScriptedServer() as server:
                process = self.start(server)
                target = self.watched / "p1" / name
                target.write_bytes(data[: len(data) // 2])
                self.until(lambda: any("has no end yet" in line for line in self.said))
                self.assertEqual((self.begun(), server.posts), (0, []))
                with target.open("ab") as file:
                    file.write(data[len(data) // 2 :])
                self.until(lambda: any("delivered" in line for line in self.said))
                process.terminate()
                self.assertEqual(process.wait(timeout=30), 130)
                target.unlink()

    def test_a_copy_that_pauses_again_and_again_is_mentioned_once(self):
        data = exports.write(self.folder / "whole.xml", exports.samples(40)).read_bytes()
        with ScriptedServer() as server:
            process = self.start(server)
            for part in range(1, 5):
                (self.watched / "p1" / "export.xml").write_bytes(data[: len(data) * part // 5])
                # Several times as long as a file must be still.
                time.sleep(1.5)
            (self.watched / "p1" / "export.xml").write_bytes(data)
            self.until(lambda: any("delivered" in line for line in self.said))
            self.assertEqual(sum("has no end yet" in line for line in self.said), 1, self.said)
            # It was whole in between.
            (self.watched / "p1" / "export.xml").write_bytes(data[: len(data) // 2])
            self.until(lambda: sum("has no end yet" in line for line in self.said) == 2)
            process.terminate()
            self.assertEqual(process.wait(timeout=30), 130)

    def test_the_newest_export_has_the_last_word_even_if_an_older_one_is_synced_after_it(self):
        older = exports.samples(20)
        with Away() as server:
            self.start(server, "--delete", "--max-delete", "2", "--retry-for", "0")
            os.rename(packed(exports.write(self.folder / "a.xml", older)), self.watched / "p1" / "a.zip")
            self.until(lambda: self.endings() or None)
            server.is_away = False
            newer = packed(exports.write(self.folder / "b.xml", older[2:], day=2))
            os.rename(newer, self.watched / "p1" / "b.zip")
            # The older one waits by now, and comes after the newer one.
            self.until(lambda: self.delivered() >= 2)
            marked = lambda: [r for r in server.store.resources.values() if r.get("status") == "entered-in-error"]
            self.until(lambda: len(marked()) == 2)
            self.assertEqual(len(server.ids()), 30)
            exported = [line.split(":")[1].split("/")[-1] for line in self.said if "begins" in line]
            self.assertEqual(exported[-3:], ["b.zip", "a.zip", "b.zip"])

    def test_bytes_after_an_exports_end_do_not_hide_the_end(self):
        whole = exports.write(self.folder / "whole.xml", exports.samples(10)).read_text()
        archive = self.folder / "whole.zip"
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("apple_health_export/export.xml", whole)
        for name, data, more in [
            ("export.xml", whole.replace("</HealthData>", "</HealthData >") + "<!-- a > b --> <?x y?>\n", []),
            ("export.zip", archive.read_bytes() + bytes(1000), []),
            ("export.zip", archive.read_bytes() + bytes(1000), ["--once"]),
        ]:
            with self.subTest(name, more=more), ScriptedServer() as server:
                target = self.watched / "p1" / name
                target.write_bytes(data if isinstance(data, bytes) else data.encode())
                process = self.start(server, *more)
                self.until(lambda: self.delivered() == 1)
                self.assertEqual(any("has no end yet" in line for line in self.said), name == "export.zip" and not more)
                if not more:
                    process.terminate()
                self.assertEqual(process.wait(timeout=30), 0 if more else 130)
                target.unlink()

    def test_nothing_is_sent_from_a_copy_that_has_paused(self):
        whole = exports.write(self.folder / "whole.xml", exports.samples(400)).read_text()
        inner, outer, cut = (self.folder / f"{name}.zip" for name in ("inner", "outer", "cut"))
        with zipfile.ZipFile(inner, "w") as file:
            file.writestr("apple_health_export/export.xml", whole)
        with zipfile.ZipFile(outer, "w") as file:
            file.write(inner, "apple_health_export/former.zip")
            file.writestr("apple_health_export/export.xml", whole)
        # What looks like an end is at the end of it, or there is no end at all.
        end = outer.read_bytes().rindex(b"PK\3\4")
        for name, data, sentence in [
            ("export.zip", outer.read_bytes()[:end], "ended with 2"), ("export.zip", inner.read_bytes()[:-60], "ended with 2"),
            ("export.xml", whole[: len(whole) // 2].encode(), "has no end yet"),
            # Whatever its name.
            ("export.zip", whole[: len(whole) // 2].encode(), "has no end yet (expected </HealthData>)"),
        ]:
            with self.subTest(name, length=len(data)), ScriptedServer() as server:
                target = self.watched / "p1" / name
                target.write_bytes(data)
                self.start(server)
                self.until(lambda: any(sentence in line for line in self.said))
                self.assertEqual(self.start(server, "--once").wait(timeout=60), 1)
                self.until(lambda: any(sentence in line for line in self.said))
                self.assertEqual(server.posts, [])
                target.unlink()

    def test_a_server_that_is_away_is_tried_again(self):
        with ScriptedServer() as server:
            base = server.base
        self.start(base, "--retry-for", "0")
        self.write(20)
        self.until(lambda: sum("it is tried again later" in line for line in self.said) >= 2)

    def test_a_keystore_that_cannot_be_opened_is_tried_again(self):
        keystore = self.folder / "private" / "keystore"
        keystore.parent.mkdir(mode=0o700)
        keystore.write_bytes(b"no keystore")
        keystore.chmod(0o600)
        with ScriptedServer() as server:
            process = self.start(server, "--keystore", str(keystore))
            self.write(20)
            self.until(lambda: sum("ended with 5: it is tried again later" in line for line in self.said) >= 2)
            self.assertIsNone(process.poll())
            keystore.unlink()
            self.until(lambda: any("delivered" in line for line in self.said))

    def test_a_ledger_that_cannot_be_written_is_tried_again(self):
        # A file where the folder should be; no folder keeps root out.
        ledger = self.folder / "ledger"
        ledger.write_text("in the way")
        with ScriptedServer() as server:
            self.start(server)
            self.write(20)
            self.until(lambda: sum("ended with 2: it is tried again later" in line for line in self.said) >= 2)
            ledger.unlink()
            self.until(lambda: any("delivered" in line for line in self.said))

    def test_what_cannot_be_synced_is_reported_and_the_others_are_synced(self):
        with ScriptedServer() as server:
            self.start(server)
            (self.watched / "p1" / "broken.zip").write_bytes(b"PK\5\6" + bytes(18))
            (self.watched / "no id!").mkdir()
            (self.watched / "no id!" / "export.zip").write_bytes(b"")
            (self.watched / "p1" / "notes.txt").write_text("not an export")
            os.symlink("/etc/passwd", self.watched / "p1" / "link.xml")
            self.write(20, patient="p3")
            self.until(lambda: any("delivered" in line for line in self.said))
            self.until(lambda: any("broken.zip: ended with 2" in line for line in self.said))
            self.assertTrue(any("no id!: not a FHIR id" in line for line in self.said), self.said)
            self.until(lambda: any("link.xml: a link is not followed" in line for line in self.said))
            self.assertFalse(any("notes.txt" in line for line in self.said), self.said)

    def test_a_link_that_replaces_an_export_as_its_run_begins_sends_nothing_of_another_patient(self):
        # By somebody who may write into this folder and read none of the others.
        mine, link = self.watched / "p1" / "export.xml", self.watched / "p1" / ".link"
        other = exports.write(self.folder / "other.xml", [exports.Sample("BodyMass", 60, "70", "kg")])
        link.symlink_to(other)
        with ScriptedServer() as server:
            # The run lives long enough to be noticed.
            server.read_delay = 2
            self.start(server)
            self.write(20)

            def runs(process):
                try:
                    words = (process / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    return False
                return b"sync" in words and bytes(mine) in words

            self.until(lambda: any(runs(process) for process in Path("/proc").glob("[0-9]*")), pause=0)
            os.rename(link, mine)
            server.read_delay = 0
            self.until(lambda: self.delivered() == 1)
            self.until(lambda: any("export.xml: a link is not followed" in line for line in self.said))
            sent = json.dumps(list(server.store.resources.values()))
            self.assertEqual((sent.count('"HKQuantityTypeIdentifierHeartRate"'), "BodyMass" in sent), (20, False))

    def test_an_export_that_is_removed_before_its_turn_is_not_mentioned(self):
        class Server(ScriptedServer):
            def answer_post(self, request, body, fault):
                gone.unlink(missing_ok=True)
                return super().answer_post(request, body, fault)

        self.write(10)
        self.write(10, "p2")
        gone = self.watched / "p2" / "export.xml"
        with Server() as server:
            self.assertEqual(self.start(server, "--once").wait(timeout=60), 0)
            self.until(lambda: self.delivered() == 1)
            self.assertEqual([line for line in self.said if "p2" in line], [])

    def test_a_pipe_that_replaces_an_export_holds_back_no_other(self):
        # The place of an export that can't be read, while the watch finds out why.
        broken = self.folder / "broken.zip"
        with zipfile.ZipFile(broken, "w") as file:
            file.writestr("readme.txt", "no export")
        target, pipe = self.watched / "p1" / "export.zip", self.watched / "p1" / ".pipe"
        os.mkfifo(pipe)
        with ScriptedServer() as server:
            process = self.start(server)
            os.rename(broken, target)
            self.until(lambda: self.begun() == 1)
            os.rename(pipe, target)
            self.until(lambda: self.endings() != [])
            self.write(10, "p2")
            self.until(lambda: self.delivered() == 1)
            process.terminate()
            self.assertEqual(process.wait(timeout=30), 130)

    def test_the_open_export_is_compared_and_not_the_file_that_has_its_name_by_now(self):
        # An empty ledger is filled by comparing the server with the export: with the one that is sent.
        theirs = exports.write(self.folder / "theirs.xml", exports.samples(20, seed=5))
        mine = exports.write(self.folder / "mine.xml", exports.samples(20))
        with ScriptedServer() as server:
            self.sync(mine, server, "--ledger", str(self.folder / "first"))
            posts = len(server.posts)
            for name in mine, self.folder / "gone.xml":
                with self.subTest(name.name), theirs.open() as held:
                    more = [f"--watched-by={os.getpid()}", "--ledger", str(self.folder / name.stem)]
                    code, _, said = self.run_pghd("sync", name, server, *more, stdin=held)
                    self.assertEqual((code, len(server.posts)), (64, posts), said)
                    self.assertIn("none is in the export", said)

    def test_any_patient_id_can_be_the_name_of_a_folder(self):
        with ScriptedServer() as server:
            self.start(server)
            names = "-p2", "--delete", "-", "--"
            for count, name in enumerate(names):
                self.write(10 + count, patient=name)
            self.until(lambda: sum("delivered" in line for line in self.said) == len(names))
            subjects = {r["subject"]["reference"] for r in server.store.resources.values() if "subject" in r}
            self.assertEqual(subjects, {f"Patient/{name}" for name in names})

    def test_a_name_that_is_not_utf_8_is_reported_once_and_the_others_are_synced(self):
        folder = os.fsencode(self.watched)
        os.mkdir(folder + b"/p\xff")
        data = exports.write(self.folder / "other.xml", exports.samples(10)).read_bytes()
        with open(folder + b"/p1/\xe4.xml", "wb") as file:
            file.write(data)
        with ScriptedServer() as server:
            self.start(server)
            self.write(20)
            self.until(lambda: any("delivered" in line for line in self.said))
            time.sleep(1)
            said = [line for line in self.said if "the name is not UTF-8" in line]
            self.assertEqual(sorted(said), sorted(
                f"pghd: {self.watched}/{name}: the name is not UTF-8 (expected one that is): rename it\n"
                for name in ("p\ufffd", "p1/\ufffd.xml")
            ))

    def test_names_that_look_the_same_are_each_reported_once(self):
        folder = os.fsencode(self.watched)
        (self.watched / "\ufffd.xml").write_text("")
        with open(folder + b"/\xe4.xml", "wb"):
            pass
        with ScriptedServer() as server:
            self.start(server)
            self.until(lambda: len(self.said) >= 2)
            time.sleep(1)
            self.assertEqual(len(self.said), 2, self.said)

    def test_a_name_with_a_line_feed_is_printed_on_one_line(self):
        (self.watched / "no\nid").mkdir()
        (self.watched / "no\nid" / "export.zip").write_bytes(b"")
        (self.watched / "p1" / "a\nb.zip").write_bytes(b"PK\5\6" + bytes(18))
        with ScriptedServer() as server:
            self.start(server)
            self.until(lambda: any("p1/a?b.zip: ended with 2" in line for line in self.said))
            self.assertTrue(any("/no?id: not a FHIR id" in line for line in self.said), self.said)
            self.assertTrue(all(line.startswith("pghd: ") for line in self.said), self.said)

    def test_without_a_server_a_watch_does_not_start(self):
        process = self.start(None)
        self.write(20)
        self.assertEqual(process.wait(timeout=60), 64)
        self.until(lambda: any(line.startswith("pghd: --server is missing") for line in self.said))
        self.assertEqual(self.begun(), 0)

    def test_a_file_that_is_not_an_export_is_reported_once_until_it_is_replaced(self):
        whole = exports.write(self.folder / "whole.xml", exports.samples(10))
        with zipfile.ZipFile(self.folder / "whole.zip", "w") as file:
            file.write(whole, "apple_health_export/export.xml")
        archive = (self.folder / "whole.zip").read_bytes()
        with zipfile.ZipFile(self.folder / "other.zip", "w") as file:
            file.writestr("readme.txt", "no export")
        for data, words in [
            ((self.folder / "other.zip").read_bytes(), "ended with 2: it is tried again when the file changes"),
            (archive.replace(b'count/min', b'count/max', 1), "ended with 2: it is tried again when the file changes"),
            (b"", "has no end yet"), (archive[:-30], "has no end yet"), (b"no zip" * 99, "has no end yet"),
        ]:
            with self.subTest(words, length=len(data)), ScriptedServer() as server:
                target = self.watched / "p1" / "export.zip"
                target.write_bytes(data)
                process = self.start(server)
                self.until(lambda: any(words in line for line in self.said))
                time.sleep(3)
                self.assertEqual(sum(words in line for line in self.said), 1, self.said)
                target.write_bytes(archive)
                self.until(lambda: any("delivered" in line for line in self.said))
                process.terminate()
                self.assertEqual(process.wait(timeout=30), 130)
                target.write_bytes(data)
                self.assertEqual(self.start(server, "--once").wait(timeout=60), 1)

    def test_a_watch_that_is_told_to_end_ends_its_current_run_too(self):
        with ScriptedServer() as server:
            process = self.start(server, "--max-entries", "32")
            self.write(3000)
            self.until(lambda: len(server.posts) > 2)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=60), 130)
            known = len(server.posts)
            time.sleep(0.5)
            self.assertEqual(len(server.posts), known, "a run goes on without its watch")

    def test_the_current_run_ends_by_itself_if_all_processes_are_told_to_end(self):
        with ScriptedServer(delay=0.5) as server:
            process = self.start(server, "--max-entries", "32")
            self.write(3000)
            self.until(lambda: len(server.posts) > 2)
            # As systemd does without KillMode=mixed: the run gets its signal before the watch passes it on.
            (run,) = children(process)
            for pid in [run, process.pid]:
                os.kill(pid, signal.SIGTERM)
            self.assertEqual(process.wait(timeout=60), 130)
            self.until(lambda: any("interrupted" in line for line in self.said))
            self.assertFalse([line for line in self.said if "killed" in line])

    def test_a_second_signal_ends_the_current_run_too(self):
        gate = threading.Event()

        class Server(ScriptedServer):
            def answer_post(self, request, body, fault):
                gate.wait(300)
                return super().answer_post(request, body, fault)

        self.write(20)
        with Server() as server:
            process = self.start(server)
            self.until(lambda: server.in_flight)
            (run,) = children(process)
            process.send_signal(signal.SIGINT)
            # Within a second it would be the same request.
            time.sleep(1.5)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), -signal.SIGINT)
            # It has a session of its own and no terminal to signal it.
            self.until(lambda: not Path(f"/proc/{run}").exists())
            gate.set()

    def test_a_run_ends_if_its_watch_is_killed_as_the_run_begins(self):
        self.write(400)
        with ScriptedServer(delay=2) as server:
            process = self.start(server, "--max-entries", "20", "--concurrency", "1")
            run, *_ = self.until(lambda: children(process), pause=0)
            process.kill()
            self.until(lambda: not Path(f"/proc/{run}").exists())
            # All of them would have taken a minute.
            self.assertLess(len(server.posts), 15)

    def test_once_ends_by_itself(self):
        with ScriptedServer() as server:
            self.write(20)
            self.assertEqual(self.start(server, "--once").wait(timeout=60), 0)
            self.assertEqual(len(server.ids()), 30)
        shutil.rmtree(self.folder / "ledger")
        self.assertEqual(self.start(server.base, "--once", "--retry-for", "0").wait(timeout=60), 3)

    def test_once_ends_with_3_if_another_program_goes_on_writing_to_an_export(self):
        with ScriptedServer() as server:
            self.write(20)
            (self.watched / "p2").mkdir()
            growing = self.watched / "p2" / "export.zip"
            growing.write_bytes(b"PK")
            watch = self.start(server, "--once")
            while watch.poll() is None:
                with growing.open("ab") as file:
                    file.write(b"PK")
                time.sleep(0.05)
            self.assertEqual(watch.wait(), 3, self.said)
            self.assertEqual(len(server.ids()), 30)
            self.assertIn(
                f"pghd: {growing}: another program is still at work on it (expected a file that stays as it is): it is left to "
                "the next watch\n",
                self.said,
            )

    def test_once_ends_with_1_if_an_export_is_left_alone_because_of_where_it_is(self):
        data = exports.write(self.folder / "whole.xml", exports.samples(10)).read_bytes()
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "export.xml").write_bytes(data)
        for name, isLink, words in [
            (b"p_1/export.xml", False, "p_1: not a FHIR id"),
            (b"p\xff/export.xml", False, "p\ufffd: the name is not UTF-8"),
            (b"p_1/apple_health_export/export.xml", False, "p_1: not a FHIR id"),
            (b"p1/\xe4.XML", False, "p1/\ufffd.XML: the name is not UTF-8"),
            (b"p1/2024-05/export.zip", False, "p1/2024-05: holds an export in a folder of its own"),
            ("p1/unpacked/Экспорт.xml".encode(), False, "p1/unpacked: an unpacked export is not taken"),
            (b"p1/export.xml", elsewhere / "export.xml", "p1/export.xml: a link is not followed"),
            (b"p2", elsewhere, "p2: a link is not followed"),
            (b"p1/sent/apple_health_export/export.xml", False, "p1/sent: an unpacked export is not taken"),
        ]:
            with self.subTest(words), ScriptedServer() as server:
                target = os.path.join(os.fsencode(self.watched), name)
                folder = os.path.dirname(target)
                os.makedirs(folder, exist_ok=True)
                if isLink:
                    os.symlink(isLink, target)
                else:
                    with open(target, "wb") as file:
                        file.write(data)
                self.assertEqual(self.start(server, "--once").wait(timeout=60), 1)
                self.until(lambda: any(words in line for line in self.said))
                self.assertEqual(server.posts, [])
                os.unlink(target)
                while folder not in (os.fsencode(self.watched), os.fsencode(self.watched) + b"/p1"):
                    os.rmdir(folder)
                    folder = os.path.dirname(folder)
                self.assertEqual(self.start(server, "--once").wait(timeout=60), 0)

    def test_the_systems_own_folders_are_not_mentioned(self):
        (self.watched / "lost+found").mkdir()
        (self.watched / "System Volume Information").mkdir()
        (self.watched / "System Volume Information" / "log").mkdir()
        with ScriptedServer() as server:
            self.write(10)
            self.assertEqual(self.start(server, "--once", "--quiet").wait(timeout=60), 0)
        self.assertEqual(self.said, [])

    def test_once_ends_with_3_if_a_patients_folder_is_a_link_that_leads_nowhere(self):
        os.symlink("/nowhere/p2", self.watched / "p2")
        with ScriptedServer() as server:
            self.assertEqual(self.start(server, "--once").wait(timeout=60), 3)
            self.until(lambda: any("p2: can't be read: No such file or directory" in line for line in self.said))

    def test_what_is_not_an_export_deeper_in_a_patients_folder_is_silently_left_alone(self):
        for path in "p1/old/photos/meta.xml", "p1/2024/03/export.zip", "p1/2024/apple_health_export/readme.txt":
            target = self.watched / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("")
        with ScriptedServer() as server:
            self.assertEqual(self.start(server, "--once").wait(timeout=60), 0)
            self.assertEqual(self.said, [])

    def test_a_link_to_an_export_in_the_same_folder_is_not_mentioned_and_extensions_may_be_in_any_case(self):
        self.write(20, name="Export.Xml")
        os.symlink("Export.Xml", self.watched / "p1" / "latest.xml")
        os.symlink("/nowhere", self.watched / "p1" / "notes")
        with ScriptedServer() as server:
            self.assertEqual(self.start(server, "--once").wait(timeout=60), 0)
            self.assertEqual(len(server.ids()), 30)
            self.assertFalse(any("link" in line for line in self.said), self.said)

    def test_once_ends_with_1_if_one_export_waits_for_a_person_even_if_another_waits_for_the_server(self):
        class Server(ScriptedServer):
            def answer_post(self, request, body, fault):
                is_second = b"Patient/p2" in body
                return super().answer_post(request, body, {"kind": "status", "status": 500} if is_second else fault)

        damaged = exports.write(self.folder / "whole.xml", exports.samples(10)).read_text()
        damaged = damaged.replace('value="', 'value="1" value="', 1)
        for path, data, words in [
            ("stray.xml", "", "stray.xml: lies in no patient's folder"),
            ("p1/apple_health_export/export.xml", "", "p1/apple_health_export: an unpacked export is not taken"),
            ("p1/export.xml", damaged, "ended with 1: it may want another file: it is left to the next watch"),
            ("p1/export.xml", "<nothing></HealthData>", "ended with 2: it may want another file: it is left to the next watch"),
            ("p1/export.xml", "<HealthData>", "has no end yet"),
        ]:
            with self.subTest(words), Server() as server:
                target = self.watched / path
                target.parent.mkdir(exist_ok=True)
                target.write_text(data)
                self.assertEqual(self.start(server, "--once").wait(timeout=60), 1)
                self.until(lambda: any(words in line for line in self.said))
                self.write(10, patient="p2")
                # One waits for the server, the other for a person.
                self.assertEqual(self.start(server, "--once", "--retry-for", "0").wait(timeout=60), 1)
                target.unlink()
                self.assertEqual(self.start(server, "--once", "--retry-for", "0").wait(timeout=60), 3)
                shutil.rmtree(self.watched / "p2")
                shutil.rmtree(self.folder / "ledger", ignore_errors=True)
        self.assertEqual(self.start(server, "--once").wait(timeout=60), 0)

    def test_once_ends_with_1_if_the_server_refuses_or_a_decision_is_needed(self):
        self.write(20)
        with ScriptedServer() as server:
            with Refusing(server, self):
                self.assertEqual(self.start(server, "--once").wait(timeout=60), 1)
                self.until(lambda: any("ended with 6: it is left to the next watch" in line for line in self.said))
            self.assertEqual(self.start(server, "--once").wait(timeout=60), 0)
            # With another key the ids differ.
            key = self.folder / "key"
            process = self.start(server, "--once", "--id-key", str(key))
            self.assertEqual(process.wait(timeout=60), 1)
            self.until(lambda: any("ended with 64: it is left to the next watch" in line for line in self.said))

    def test_what_may_not_be_the_files_fault_is_tried_again_after_longer_and_longer_waits(self):
        self.write(20)
        with ScriptedServer() as server, Refusing(server, self):
            self.start(server, "--rarely-after", "1")
            self.until(lambda: len(self.endings()) >= 3)
            self.assertEqual(self.endings()[:3], [
                f"ended with 6: it is tried again in {seconds} s, or when the file changes\n" for seconds in [1, 2, 4]
            ])

    def test_a_refused_export_is_tried_again_in_an_hour_or_when_the_file_changes(self):
        self.write(20)
        with ScriptedServer() as server:
            with Refusing(server, self):
                self.start(server)
                self.until(lambda: self.endings())
            self.assertEqual(self.endings(), ["ended with 6: it is tried again in an hour, or when the file changes\n"])
            self.write(21)
            self.until(lambda: any("delivered" in line for line in self.said[self.said.index(self.ended()[0]) :]))
            self.assertEqual(len(self.endings()), 1)

    def test_a_key_file_and_a_mapping_that_are_missing_for_a_moment_are_waited_for(self):
        self.write(20)
        key, profiles = self.folder / "key", self.folder / "profiles"
        with ScriptedServer() as server:
            self.start(server, "--rarely-after", "1", "--id-key", str(key), "--profiles", str(profiles))
            for number, make in enumerate([lambda: shutil.copytree(ROOT / "profiles", profiles), lambda: self.make_key(key)]):
                self.until(lambda: len(self.endings()) > number)
                again = (
                    f"ended with 64: it is tried again in {1 << number} s, or when the file changes; if it needs an option, run "
                    "'pghd sync' by hand for this patient\n"
                )
                self.assertEqual(self.endings()[number], again)
                make()
            self.until(lambda: any("delivered" in line for line in self.said))

    def make_key(self, path):
        path.write_bytes(os.urandom(32).hex().encode())
        path.chmod(0o600)

    def test_only_the_first_patient_waits_in_full_for_a_server_that_is_away(self):
        def patience():
            return [line.split("trying for ")[1] for line in self.said if "trying for" in line]

        for name in ["p1", "p2", "p3"]:
            self.write(10, patient=name)
        with Away() as server:
            process = self.start(server, "--retry-for", "7", "--try-again-after", "2")
            self.until(lambda: len(patience()) >= 4)
            # The first waits as long as it was told to; the others wait less, and so does the first in its second turn.
            self.assertEqual(patience()[:4], ["7 s (--retry-for)\n"] + ["5 s\n"] * 3)
            server.is_away = False
            self.until(lambda: self.delivered() == 3)
            known = len(patience())
            server.is_away = True
            self.write(12, patient="p4")
            self.until(lambda: len(patience()) > known)
            self.assertEqual(patience()[known], "7 s (--retry-for)\n")
            process.terminate()
            self.assertEqual(process.wait(timeout=60), 130)

    def test_a_patient_whose_data_the_server_fails_at_does_not_make_others_wait_for_long(self):
        for age, name in enumerate(["bad1", "good1", "bad2", "good2"]):
            self.write(10, patient=name)
            os.utime(self.watched / name / "export.xml", (time.time() - 300 + age,) * 2)
        with Failing(500) as server:
            self.start(server, "--retry-for", "7")
            self.until(lambda: self.delivered() == 2 and sum("trying for" in line for line in self.said) >= 3)
            said = [line.split("trying for ")[1] for line in self.said if "trying for" in line]
            # Each good one was synced in between, and the first bad one gets a second turn.
            self.assertEqual(said[:3], ["7 s (--retry-for)\n", "5 s\n", "5 s\n"])

    def test_a_busy_server_is_waited_for_in_full_even_if_it_fails_at_one_patients_data(self):
        class Server(ScriptedServer):
            is_away = True

            def answer_post(self, request, body, fault):
                status = 500 if b"Patient/bad" in body else 503 if self.is_away else None
                return super().answer_post(request, body, {"kind": "status", "status": status} if status else fault)

        for age, name in enumerate(["bad", "good1", "good2"]):
            self.write(10, patient=name)
            os.utime(self.watched / name / "export.xml", (time.time() - 300 + age,) * 2)
        with Server() as server:
            self.start(server, "--retry-for", "7")
            self.until(lambda: sum("trying for" in line for line in self.said) >= 2)
            said = [line.split("trying for ")[1] for line in self.said if "trying for" in line]
            self.assertEqual(said[:2], ["7 s (--retry-for)\n"] * 2)
            server.is_away = False
            self.until(lambda: self.delivered() == 2)

    def test_ledgers_in_use_say_nothing_about_the_server(self):
        names = ["p1", "p2", "p3"]
        for age, name in enumerate(names):
            self.write(10, patient=name)
            os.utime(self.watched / name / "export.xml", (time.time() - 300 + age,) * 2)
        with Away() as server, contextlib.ExitStack() as locked:
            server.is_away = False
            for name in names[:2]:
                self.sync(self.watched / name / "export.xml", server, "--patient", name)
            for lock in (self.folder / "ledger").glob("*.lock"):
                fcntl.flock(locked.enter_context(lock.open()), fcntl.LOCK_EX)
            server.is_away = True
            self.assertEqual(self.start(server, "--once", "--retry-for", "7").wait(timeout=120), 3)
            self.until(lambda: len(self.ended()) == 3)
            said = [line.split("trying for ")[1] for line in self.said if "trying for" in line]
            self.assertEqual(said, ["7 s (--retry-for)\n"])

    def test_a_run_that_asks_no_server_says_nothing_about_one_that_is_away(self):
        self.write(10, patient="p1")
        (self.watched / "p2").mkdir()
        with zipfile.ZipFile(self.watched / "p2" / "export.zip", "w") as file:
            file.writestr("readme.txt", "no export")
        self.write(10, patient="p3")
        for age, path in zip([300, 200, 100], sorted(self.watched.glob("p*/export*"))):
            os.utime(path, (time.time() - age,) * 2)
        with ScriptedServer() as server:
            base = server.base
        self.assertEqual(self.start(base, "--once", "--retry-for", "7").wait(timeout=120), 1)
        self.until(lambda: sum("ended with" in line for line in self.said) == 3)
        said = [line.split("trying for ")[1] for line in self.said if "trying for" in line]
        self.assertEqual(said, ["7 s (--retry-for)\n", "5 s\n"])

    def test_a_watched_folder_that_is_away_for_a_while_is_looked_at_again(self):
        self.write(10)
        with ScriptedServer() as server:
            process = self.start(server)
            self.until(lambda: server.contents())
            away = self.watched.with_name("away")
            self.watched.rename(away)
            reason = "can't be read: No such file or directory"
            self.until(lambda: any(reason in line for line in self.said))
            away.rename(self.watched)
            self.write(10, patient="p2")
            self.until(lambda: self.delivered() == 2)
            self.assertIsNone(process.poll())
            said = f"pghd: {self.watched}: {reason} (expected what was there before): mount it again, or check the path; "
            self.assertEqual([line for line in self.said if reason in line], [said + "it is tried again\n"])
            self.assertEqual(self.turns(), ["p1", "p2"])

    def test_a_watched_folder_that_is_empty_for_a_while_counts_as_away(self):
        self.write(10)
        self.write(10, patient="p2")
        with ScriptedServer() as server:
            self.start(server)
            self.until(lambda: self.delivered() == 2)
            # As when a disk was mounted on it.
            away = self.watched.with_name("away")
            self.watched.rename(away)
            self.watched.mkdir()
            self.until(lambda: any("holds nothing" in line for line in self.said))
            self.watched.rmdir()
            away.rename(self.watched)
            self.write(10, patient="p3")
            self.until(lambda: self.delivered() == 3)
            said = "holds nothing (expected a folder for each patient): check the path, and that what belongs there is mounted"
            self.assertIn(f"pghd: {self.watched}: {said}\n", self.said)
            # What was there before is unchanged.
            self.assertEqual(sorted(self.turns()), ["p1", "p2", "p3"])

    def test_a_watched_folder_that_is_exchanged_while_it_is_read_counts_as_away(self):
        self.write(10)
        self.write(10, patient="p2")
        dial, away = self.folder / "dial", self.watched.with_name("exports.away")
        library = preloaded("exchange", self.folder)
        with ScriptedServer() as server:
            self.start(server, command=["env", f"LD_PRELOAD={library} {quick_derivation()}", f"PGHD_TEST_EXCHANGE={dial}", PGHD])
            self.until(lambda: self.delivered() == 2)
            # Written at once, for the watch reads it as soon as it is there.
            dial.with_suffix(".part").write_text(str(self.watched))
            dial.with_suffix(".part").rename(dial)
            self.until(lambda: any("holds nothing" in line for line in self.said))
            self.watched.rmdir()
            away.rename(self.watched)
            self.write(10, patient="p3")
            self.until(lambda: self.delivered() == 3)
            self.assertEqual(sorted(self.turns()), ["p1", "p2", "p3"])

    def test_once_ends_with_2_if_the_watched_folder_is_empty(self):
        shutil.rmtree(self.watched / "p1")
        with ScriptedServer() as server:
            self.assertEqual(self.start(server, "--once").wait(timeout=60), 2)
            self.until(lambda: any("holds nothing (expected a folder for each patient)" in line for line in self.said))
            # A patient may still be added.
            process = self.start(server)
            self.until(lambda: any("holds nothing" in line for line in self.said))
            self.write(10)
            self.until(lambda: self.delivered() == 1)
            self.assertIsNone(process.poll())

    def test_what_is_known_of_a_patients_folder_is_kept_while_it_is_away(self):
        for name in ["p1", "p2"]:
            self.write(10, patient=name)
        with ScriptedServer() as server:
            process = self.start(server)
            self.until(lambda: self.delivered() == 2)
            # In its place a link that leads nowhere, as to a disk that is not there.
            folder, away = self.watched / "p1", self.folder / "p1"
            with stopped(process):
                folder.rename(away)
                folder.symlink_to(self.folder / "disk")
            self.until(lambda: any(f"{folder}: can't be read" in line for line in self.said))
            with stopped(process):
                folder.unlink()
                away.rename(folder)
            self.write(10, patient="p3")
            self.until(lambda: self.delivered() == 3)
            self.assertEqual(sorted(self.turns()), ["p1", "p2", "p3"])

    def test_a_new_export_does_not_wait_for_all_those_that_were_there(self):
        old = [f"p{number}" for number in range(1, 9)]
        for number, name in enumerate(old):
            self.write(10, patient=name)
            os.utime(self.watched / name / "export.xml", (time.time() - 300 + number,) * 2)
        with ScriptedServer(delay=0.5) as server:
            self.start(server)
            self.until(lambda: self.turns())
            self.write(10, patient="new")
            self.until(lambda: self.delivered() == 9)
            self.assertEqual([name for name in self.turns() if name != "new"], old)
            self.assertNotEqual(self.turns()[-1], "new")

    def test_a_killed_run_is_reported_with_its_signal(self):
        self.write(10)
        with ScriptedServer(delay=5) as server:
            process = self.start(server)
            self.until(lambda: server.in_flight)
            server.delay = 0
            (run,) = children(process)
            os.kill(run, signal.SIGKILL)
            self.until(lambda: any("the run was killed (signal 9): it is tried again later" in line for line in self.said))
            self.until(lambda: any("delivered" in line for line in self.said))

    def test_what_holds_back_several_patients_holds_back_all_until_one_succeeds(self):
        names = [f"p{number}" for number in range(1, 9)]
        for age, name in enumerate(names):
            self.write(10, patient=name)
            os.utime(self.watched / name / "export.xml", (time.time() - 300 + age,) * 2)
        who = f"pghd: {self.watched}: exports of 5 patients in a row"
        cause = f"{who} could not be synced, for a reason that is not their own: "
        left = f"{who} and of another one could not be synced, for a reason that is not their own: 2 others are left"
        with Away() as server:
            self.assertEqual(self.start(server, "--once", "--retry-for", "0").wait(timeout=120), 3)
            self.until(lambda: f"{left} to the next watch\n" in self.said)
            self.assertEqual(self.turns()[:5], names[:5])
            self.assertEqual(len(self.turns()), 6)
            self.start(server, "--retry-for", "0")
            self.until(lambda: cause + "all wait for 1 s, then one is tried\n" in self.said)
            self.until(lambda: len(self.turns()) >= 7)
            self.assertEqual(self.turns()[:7], names[:7])
            server.is_away = False
            self.until(lambda: self.delivered() == 8)
            self.assertEqual(sum(cause in line for line in self.said), 1)

    def test_exports_that_ask_no_server_do_not_decide_whether_all_are_held_back(self):
        class Back(Away):
            def answer_post(self, request, body, fault):
                self.is_away = len(self.posts) < 5
                return super().answer_post(request, body, fault)

        names = [f"p{number}" for number in range(1, 10)]
        for age, name in enumerate(names):
            self.write(10, patient=name)
            os.utime(self.watched / name / "export.xml", (time.time() - 300 + age,) * 2)
        # An unfinished copy, and a file that is not an export: both are newer than those for which the server was away.
        (self.watched / "p9" / "export.xml").write_text("<HealthData>")
        (self.watched / "p8" / "export.xml").rename(self.watched / "p8" / "export.zip")
        (self.watched / "p8" / "export.zip").write_bytes(b"PK\5\6" + bytes(18))
        with Away() as server:
            code = self.start(server, "--once", "--retry-for", "0").wait(timeout=120)
            cause = "of 5 patients in a row and of another one could not be synced, for a reason that is not their own"
            self.until(lambda: any(cause in line for line in self.said))
            self.assertEqual(self.turns()[:5], names[:5])
            # Whichever of the four came first, one of the two that need a server has been reported.
            tried = {name for name in names[5:] if any(f"/{name}/" in line for line in self.said)}
            self.assertEqual(len(tried & {"p6", "p7"}), 1)
            self.assertEqual(code, 1 if tried & {"p8", "p9"} else 3)
            left = 4 - len(tried)
            self.assertTrue(any(f": {left} other{'s are' if left > 1 else ' is'} left" in line for line in self.said), self.said)
        shutil.rmtree(self.folder / "ledger")
        with Back() as server:
            self.assertEqual(self.start(server, "--once", "--retry-for", "0").wait(timeout=120), 1)
            self.until(lambda: self.delivered() == 2)
            self.assertEqual(self.turns()[:5], names[:5])
            self.assertEqual(sorted(self.turns()[5:]), ["p6", "p7", "p8"])
        for name in ("p6", "p7"):
            (self.watched / name / "export.xml").unlink()
        with Away() as server:
            self.assertEqual(self.start(server, "--once", "--retry-for", "0").wait(timeout=120), 1)
            self.assertFalse(any("left to the next watch" in line and "in a row" in line for line in self.said), self.said)

    def test_several_patients_whom_a_gateway_drops_each_night_hold_back_no_others(self):
        names = [f"bad{number}" for number in range(1, 6)] + ["good1", "good2", "good3"]
        for age, name in enumerate(names):
            self.write(10, patient=name)
            os.utime(self.watched / name / "export.xml", (time.time() - 300 + age,) * 2)
        with Failing(504) as server:
            self.assertEqual(self.start(server, "--once", "--retry-for", "0").wait(timeout=120), 3)
            self.until(lambda: self.delivered() == 3)
            self.assertEqual(self.turns()[:5], names[:5])
            self.assertEqual(sorted(self.turns()[5:]), names[5:])
            self.assertEqual([line for line in self.said if "in a row" in line], [])

    def test_patients_whom_a_gateway_drops_hold_back_no_others_for_good_even_if_the_newest_is_one(self):
        names = [f"bad{number}" for number in range(1, 6)] + ["good1", "good2", "bad6"]
        for age, name in enumerate(names):
            self.write(10, patient=name)
            os.utime(self.watched / name / "export.xml", (time.time() - 300 + age,) * 2)
        with Failing(504) as server:
            # Which one is tried is drawn each night: two times out of three it is a good one.
            for _ in range(30):
                self.assertEqual(self.start(server, "--once", "--retry-for", "0").wait(timeout=120), 3)
                self.until(lambda: self.delivered() == 2 or any("left to the next watch" in line for line in self.said))
                if self.delivered() == 2:
                    break
            self.assertEqual(self.delivered(), 2)

    def test_an_export_that_fails_again_and_again_holds_back_no_others(self):
        with Failing(500) as server:
            self.start(server, "--retry-for", "0")
            for number in range(1, 7):
                self.write(10 + number, patient="bad")
                self.until(lambda: len(self.ended()) >= number)
            self.write(10, patient="good")
            self.until(lambda: self.delivered() == 1)
            self.assertEqual([line for line in self.said if "in a row" in line], [])

    def test_patients_whose_own_data_cannot_be_delivered_hold_back_no_others(self):
        names = [f"bad{number}" for number in range(1, 6)] + ["good1", "good2"]
        for age, name in enumerate(names):
            self.write(10, patient=name)
            os.utime(self.watched / name / "export.xml", (time.time() - 300 + age,) * 2)
        for status, code in (403, 4), (500, 3):
            with self.subTest(status), Failing(status) as server:
                self.assertEqual(self.start(server, "--once", "--retry-for", "0").wait(timeout=120), 3)
                self.until(lambda: self.delivered() == 2)
                self.assertEqual(self.turns(), names)
                self.assertEqual(self.endings(), [f"ended with {code}: it is left to the next watch\n"] * 5)
                shutil.rmtree(self.folder / "ledger")

    def test_a_server_that_limits_the_rate_is_waited_for_even_if_it_was_away(self):
        class Limiting(Away):
            has_asked = False

            def answer_post(self, request, body, fault):
                if self.is_away or self.has_asked:
                    return super().answer_post(request, body, fault)
                self.has_asked = True
                return self.send(request, 429, b"{}", {"Retry-After": "6"})

        self.write(10)
        with Limiting() as server:
            self.start(server, "--retry-for", "12")
            self.until(lambda: any("ended with 3" in line for line in self.said))
            server.is_away = False
            self.until(lambda: self.delivered() == 1)
            self.assertEqual((server.has_asked, len(self.turns())), (True, 2))

    def test_a_retry_for_that_is_already_short_is_not_changed(self):
        for name in ["p1", "p2"]:
            self.write(10, patient=name)
        with ScriptedServer() as server:
            base = server.base
        process = self.start(base, "--once", "--retry-for", "1")
        self.assertEqual(process.wait(timeout=60), 3)
        self.until(lambda: sum("ended with 3" in line for line in self.said) == 2)
        said = [line.split("trying for ")[1] for line in self.said if "trying for" in line]
        self.assertEqual(said, ["1 s (--retry-for)\n"] * 2)

    def test_quiet_prints_nothing_but_errors(self):
        self.write(20)
        with ScriptedServer() as server:
            self.assertEqual(self.start(server, "--once", "--quiet").wait(timeout=60), 0)
            self.assertEqual(self.said, [])
            self.write(10, patient="p2")
        code = self.start(server.base, "--once", "-q", "--retry-for", "0").wait(timeout=60)
        self.assertEqual(code, 3, self.said)
        self.until(lambda: sum("ended with 3" in line for line in self.said) == 2)
        self.assertEqual([line for line in self.said if "begins" in line], [])

    def test_once_tries_each_export_once_if_the_server_is_away(self):
        # Each run is longer than the wait after it: the first ones are due again before the last has had its turn.
        names = ["p1", "p2", "p3", "p4"]
        for name in names:
            self.write(10, patient=name)
        with ScriptedServer() as server:
            base = server.base
        self.assertEqual(self.start(base, "--once", "--retry-for", "2").wait(timeout=120), 3)
        self.until(lambda: sum("it is left to the next watch" in line for line in self.said) == 4)
        self.assertEqual(self.turns(), names)

    def test_exports_that_fail_do_not_take_the_turns_of_others(self):
        names = ["bad1", "bad2", "good"]
        for age, name in zip([300, 200, 100], names):
            self.write(10, patient=name)
            past = time.time() - age
            os.utime(self.watched / name / "export.xml", (past, past))
        with Failing(500) as server:
            self.start(server, "--retry-for", "2")
            self.until(lambda: "good" in self.turns())
            self.assertEqual(self.turns()[:3], names)
            # Those that are tried again take turns too.
            self.until(lambda: len(self.turns()) >= 5)
            self.assertEqual(self.turns()[3:5], ["bad1", "bad2"])

    def test_what_cannot_be_read_is_reported_once_and_synced_as_soon_as_it_can_be(self):
        if os.geteuid() == 0 and not shutil.which("setpriv"):
            self.skipTest("root is kept out of nothing, and setpriv, with which it is somebody else, is not there")
        command = self.folder / "pghd"
        try:
            os.link(PGHD, command)
        except OSError:
            shutil.copy(PGHD, command)
        home = self.folder / "home"
        home.mkdir()
        prefix = []
        if os.geteuid() == 0:
            prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            os.chown(home, 65534, 65534)
        self.folder.chmod(0o755)
        for name in ["open", "closed", "file"]:
            self.write(10, patient=name)
        closed, file = self.watched / "closed", self.watched / "file" / "export.xml"
        closed.chmod(0)
        file.chmod(0)
        self.addCleanup(closed.chmod, 0o755)
        sentence = (
            "can't be read: Permission denied (expected what the watch's user may read): change its owner or its "
            "permissions; it is tried again\n"
        )

        def unreadable():
            return sorted(line for line in self.said if "can't be read" in line)

        with ScriptedServer() as server:
            options = "--ledger", str(home / "ledger")
            process = self.start(server, "--once", *options, command=[*prefix, str(command)])
            self.assertEqual(process.wait(timeout=60), 3, self.said)
            self.until(lambda: len(unreadable()) == 2)
            self.assertEqual(unreadable(), [f"pghd: {closed}: {sentence}", f"pghd: {file}: {sentence}"])
            self.assertEqual(self.turns(), ["open"])
            self.start(server, *options, command=[*prefix, str(command)])
            self.until(lambda: "open" in self.turns() and len(unreadable()) == 2)
            closed.chmod(0o755)
            file.chmod(0o644)
            self.until(lambda: sum("delivered" in line for line in self.said) == 3)
            self.assertEqual(len(unreadable()), 2, self.said)
            subjects = {r["subject"]["reference"] for r in server.store.resources.values() if "subject" in r}
            self.assertEqual(subjects, {"Patient/open", "Patient/closed", "Patient/file"})

    def test_an_export_on_a_failing_disk_is_tried_again(self):
        library = preloaded("disk", self.folder)
        dial = self.folder / "dial"
        xml = exports.write(self.folder / "export.xml", exports.samples(20000))
        for name, path in ("p1", xml), ("p2", packed(xml)):
            (self.watched / name).mkdir(exist_ok=True)
            shutil.move(path, self.watched / name / f"disk{path.suffix}")
        for name, suffix in ("p1", ".xml"), ("p2", ".zip"):
            with self.subTest(suffix), ScriptedServer() as server:
                dial.write_text(suffix)
                (self.watched / ("p2" if name == "p1" else "p1")).rename(self.folder / "aside")
                process = self.start(
                    server, "--ledger", str(self.folder / name),
                    command=["env", f"LD_PRELOAD={library} {quick_derivation()}", f"PGHD_TEST_DISK={dial}", PGHD],
                )
                self.until(lambda: self.ended())
                self.assertEqual(self.endings()[0], "ended with 2: it is tried again later\n", self.said)
                dial.unlink()
                self.until(lambda: self.delivered() == 1)
                process.terminate()
                process.wait(timeout=60)
                (self.folder / "aside").rename(self.watched / ("p2" if name == "p1" else "p1"))

    def test_unfinished_copies_are_passed_over_without_another_look_at_the_folder(self):
        for number in range(100):
            (self.watched / "p1" / f"{number}.xml").write_text("<HealthData>")
        trace = self.folder / "trace"
        command = "strace", "-f", "-e", "trace=openat", "-o", str(trace), PGHD
        process = self.start("http://127.0.0.1:9/fhir", "--once", command=command)
        self.assertEqual(process.wait(timeout=120), 1)
        self.until(lambda: sum("has no end yet" in line for line in self.said) == 100)
        looks = [line for line in trace.read_text().splitlines() if f'"{self.watched}", ' in line]
        self.assertLess(len(looks), 20, looks[-1:])

    def test_standard_output_holds_nothing_but_a_line_of_json_for_each_run(self):
        self.write(20)
        self.write(10, patient="p2")
        with ScriptedServer() as server, (self.folder / "out.json").open("w+") as out:
            self.assertEqual(self.start(server, "--once", "--json", stdout=out).wait(timeout=60), 0)
            out.seek(0)
            # Each stands on a line of its own, for logs that are read by lines.
            reports = [json.loads(line) for line in out]
            self.assertEqual(sum(report["delivered"] for report in reports), len(server.store.resources))
        # Which export the report belongs to; sync's own JSON is about the one that it was given.
        names = sorted(list(report.items())[:3] for report in reports)
        self.assertEqual(names, [
            [("patient", "p1"), ("file", "export.xml"), ("exitCode", 0)],
            [("patient", "p2"), ("file", "export.xml"), ("exitCode", 0)],
        ])
        with ScriptedServer() as server:
            report = self.sync(self.watched / "p1" / "export.xml", server)
            self.assertFalse({"patient", "file", "exitCode"} & set(report))
            # The rest is what sync reports.
            self.assertEqual(list(reports[0])[3:], list(report))

    def test_each_run_has_one_json_value_however_it_ended(self):
        self.write(10, patient="p2")
        self.write(20)
        os.rename(self.watched / "p1" / "export.xml", self.watched / "p1" / 'a"b\n.xml')

        def found(server, code):
            with (self.folder / "out.json").open("w+") as out:
                process = self.start(server, "--once", "--json", "--retry-for", "0", stdout=out)
                self.assertEqual(process.wait(timeout=60), code)
                out.seek(0)
                return sorted(list(value.items()) for value in values(out.read()))

        with ScriptedServer() as server:
            base = server.base
        self.assertEqual(found(base, 3), [
            [("patient", "p1"), ("file", 'a"b\n.xml'), ("exitCode", 3)],
            [("patient", "p2"), ("file", "export.xml"), ("exitCode", 3)],
        ])
        shutil.rmtree(self.watched / "p1")
        (self.watched / "p2" / "export.xml").unlink()
        (self.watched / "p2" / "broken.zip").write_bytes(b"PK\5\6" + bytes(18))
        with ScriptedServer() as server:
            self.assertEqual(found(server, 1), [[("patient", "p2"), ("file", "broken.zip"), ("exitCode", 2)]])

    def test_a_run_that_stops_early_reports_its_numbers_and_how_it_ended(self):
        self.write(20)
        with ScriptedServer() as server, (self.folder / "out.json").open("w+") as out:
            server.faults = [{"kind": "status", "status": 500}] * 99
            process = self.start(server, "--once", "--json", "--retry-for", "0", stdout=out)
            self.assertEqual(process.wait(timeout=60), 3)
            out.seek(0)
            report, = values(out.read())
        self.assertEqual(list(report)[:4], ["patient", "file", "exitCode", "bundles"])
        self.assertEqual((report["exitCode"], report["delivered"]), (3, 0))

    def test_a_run_whose_json_cannot_be_written_is_left_to_the_next_watch(self):
        self.write(10)
        with ScriptedServer() as server, open("/dev/full", "w") as full:
            process = self.start(server, "--once", "--json", stdout=full)
            self.assertEqual(process.wait(timeout=60), 3)
            self.until(lambda: any("ended with 2: it is left to the next watch" in line for line in self.said))
            self.assertTrue(any("standard output: cannot be written" in line for line in self.said), self.said)

    def test_json_that_a_full_disk_has_cut_off_leaves_the_next_line_whole(self):
        self.write(10)
        room, out = self.folder / "room", self.folder / "out.json"
        room.write_text("100")
        full = ("env", f"LD_PRELOAD={preloaded('disk', self.folder)}", f"PGHD_TEST_FULL={room}", PGHD)
        with ScriptedServer() as server, out.open("w") as writing:
            process = self.start(server, "--json", stdout=writing, command=full)
            self.until(lambda: any("standard output: cannot be written" in line for line in self.said))
            self.assertEqual(out.stat().st_size, 100)
            room.unlink()
            self.until(lambda: out.read_text().count("\n") == 2)
            process.terminate()
            self.assertEqual(process.wait(timeout=60), 130)
        cut, whole = out.read_text().splitlines()
        self.assertTrue(whole.startswith(cut[:40]))
        self.assertEqual(json.loads(whole)["exitCode"], 0)

    def test_a_watch_ends_if_nobody_reads_its_json_any_more(self):
        for name in ["p1", "p2"]:
            self.write(10, patient=name)
        reading, writing = os.pipe()
        os.close(reading)
        with ScriptedServer() as server:
            process = self.start(server, "--json", stdout=writing)
            os.close(writing)
            self.assertEqual(process.wait(timeout=60), 141)
            self.assertEqual(self.turns(), ["p1"])

    def test_an_export_outside_the_patients_folders_is_reported_once_and_left_alone(self):
        self.write(20)
        part = exports.write(self.folder / "whole.xml", exports.samples(10))
        shutil.copy(part, self.watched / "stray.xml")
        (self.watched / "export.zip").write_bytes(b"PK")
        (self.watched / ".part.zip").write_bytes(b"PK")
        (self.watched / "notes.txt").write_text("no export")
        (self.watched / "folder.zip").mkdir()
        with ScriptedServer() as server:
            self.start(server)
            self.until(lambda: any("delivered" in line for line in self.said))
            time.sleep(1)
            said = sorted(line for line in self.said if "patient's folder" in line)
            self.assertEqual(said, [
                f"pghd: {self.watched}/{name}: lies in no patient's folder (expected DIR/<patient-id>/{name}): move it "
                "there\n" for name in ("export.zip", "stray.xml")
            ])
            self.assertEqual(self.begun(), 1)

    def test_wrong_options_are_refused_at_once(self):
        for options, words in [
            (["--patient", "p1"], "--patient: not with watch (the folder's name is the patient): leave it out"),
            (["--nonsense"], "--nonsense"),
            (["--concurrency", "99"], "--concurrency: 99 is out of range"),
            (["--since", "soon"], "--since: 'soon' is not a time"), (["--types", "Foo"], "--types: 'Foo' is not a type"),
            (["--since", "2024-02-01", "--until", "2024-01-01"], "--until: not after --since"),
            (["--conditional", "--include-patient"], "--include-patient: can't be joined with --conditional"),
            (["--ledger", str(self.watched)], "lies in the watched folder"),
            (["--ledger", str(self.watched / "p1")], "lies in the watched folder"),
            (["extra.zip"], "'extra.zip': unexpected (expected options of sync alone, since exports lie in the folder)"),
        ]:
            with self.subTest(options):
                process = self.start("http://127.0.0.1:9/fhir", *options)
                self.assertEqual(process.wait(timeout=300), 64)
                self.until(lambda: any(words in line for line in self.said))

    def test_a_report_in_the_watched_folder_is_refused(self):
        self.write(10)
        export = self.watched / "p1" / "export.xml"
        content = export.read_bytes()
        (self.folder / "link").symlink_to(self.watched)
        (self.folder / "report.json").symlink_to(export)
        for report in [
            export, self.watched / "report.json", self.folder / "link" / "p1" / "export.xml", self.watched / "p9" / "a.xml",
            self.folder / "report.json", self.watched / ".." / "exports" / "p1" / "export.xml",
        ]:
            with self.subTest(report), ScriptedServer() as server:
                process = self.start(server, "--once", "--force", "--report", str(report))
                self.assertEqual(process.wait(timeout=60), 64)
                self.until(lambda: any("lies in the watched folder" in line for line in self.said))
                self.assertEqual(export.read_bytes(), content)
        with ScriptedServer() as server:
            report = self.folder / "exports.json"
            self.assertEqual(self.start(server, "--once", "--force", "--report", str(report)).wait(timeout=60), 0)
            self.assertEqual(json.loads(report.read_text())["patient"], "p1")

    def test_the_systemd_unit_is_not_restarted_with_a_wrong_option(self):
        lines = (ROOT / "docs" / "pghd-watch.service").read_text().splitlines()
        settings = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
        self.assertEqual((settings["Restart"], settings["RestartPreventExitStatus"]), ("on-failure", "64"))

    def test_for_options_before_the_folder_the_message_says_where_they_belong(self):
        server = "--server", "http://127.0.0.1:9/fhir"
        folder = str(self.watched)
        for arguments in [[*server, folder], ["--json", folder, *server], ["--once", *server, folder], ["-q", folder]]:
            with self.subTest(arguments):
                result = subprocess.run(
                    [PGHD, "watch", *arguments], capture_output=True, text=True, env=self.environment(), timeout=60,
                )
                name = next(word for word in arguments if word != "--once")
                self.assertEqual(result.stderr, (
                    f"pghd: {name}: stands before the folder (expected pghd watch DIR, then options of sync): move it "
                    "after DIR\n"
                ))
                self.assertEqual(result.returncode, 64)
        self.assertEqual(subprocess.run(
            [PGHD, "watch", "--once", "--try-again-after", "5", "--", folder, *server], env=self.environment(), timeout=60,
        ).returncode, 0)


if __name__ == "__main__":
    unittest.main()
