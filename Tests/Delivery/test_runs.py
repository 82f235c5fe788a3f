#!/usr/bin/env python3
"""Runs that are killed, that meet each other, that bring another person's export, or that run out of space.

    python3 Tests/Delivery/test_runs.py
"""

import concurrent.futures
import dataclasses
import hmac
import os
import pathlib
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unittest
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import KILLS, DeliveryTestCase
from exports import packed
from scripted_server import ScriptedServer


class Killed(DeliveryTestCase):
    def test_sigkill_at_any_moment_loses_nothing_and_doubles_nothing(self):
        chance = random.Random(20)
        samples = exports.samples(1600)
        path = exports.write(self.folder / "export.xml", samples)
        for form in [], ["--conditional"]:
            whole = self.named_resources(path, *form)
            with ScriptedServer() as server:
                self.sync(path, server, *form, "--ledger", str(self.folder / "undisturbed"), "--max-entries", "40")
                bundles = len(server.posts)
            kills = KILLS // 2
            done = 0
            for number in range(kills):
                with self.subTest(number, form=form), ScriptedServer(delay=0.002) as server:
                    more = [*form, "--ledger", str(self.folder / f"l{number}{len(form)}"), "--max-entries", "40"]
                    for _ in range(2):
                        process = subprocess.Popen(
                            self.arguments("sync", path, server, *more), env=self.environment(),
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                        )
                        # After so many posts, however fast they come; with 0, as the run begins.
                        wanted = chance.randint(0, bundles)
                        self.until(lambda: len(server.posts) >= wanted or process.poll() is not None, pause=0.0005)
                        time.sleep(chance.uniform(0, 0.01 if wanted else 0.3))
                        process.kill()
                        process.wait()
                    done += 0 < len(server.store.resources) < len(whole)
                    self.sync(path, server, *more)
                    self.assertEqual(set(server.ids().values()), {1})
                    self.assertEqual(len(server.ids()), 2400)
                    self.assertEqual(set(server.store.versions.values()), {1}, "something was written twice")
                    self.assertEqual(server.conflicting_keys, [])
                    self.assertEqual(server.named_contents(), whole)
                    count = len(server.posts)
                    self.sync(path, server, *more)
                    self.assertEqual(len(server.posts), count)
            self.assertGreater(done, 0, "no run was killed in its middle")

    def test_a_newer_export_completes_what_a_killed_run_began(self):
        samples = exports.samples(2000)
        newer = [dataclasses.replace(s, note="newer") if i % 400 == 1 else s for i, s in enumerate(samples[40:])]
        newer += [exports.Sample("StepCount", 10**7 + 60 * i, str(i), "count") for i in range(25)]
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer(delay=0.01) as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}"), "--max-entries", "40"]
                path = exports.write(self.folder / "export.xml", samples)
                process = subprocess.Popen(
                    self.arguments("sync", path, server, *more), env=self.environment(),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )
                self.until(lambda: len(server.posts) >= 20)
                process.kill()
                process.wait()
                path = packed(exports.write(self.folder / "newer.xml", newer, day=2))
                self.sync(path, server, *more, "--delete", "--max-delete", "100")
                # Only what was deleted is there besides.
                wanted = self.named_resources(path, *form)
                self.assertEqual([one for one in server.named_contents() if "entered-in-error" not in one[1]], wanted)

    def test_ctrl_c_waits_for_answers_and_exits_130(self):
        path = exports.write(self.folder / "export.xml", exports.samples(3000))
        with ScriptedServer() as server:
            server.gate, server.gate_behind = threading.Event(), 10
            arguments = self.arguments("sync", path, server, "--max-entries", "40")
            process = subprocess.Popen(
                arguments, env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
            self.until(lambda: len(server.posts) >= 10)
            self.interrupt(process)
            server.gate.set()
            said = process.communicate(timeout=60)[1].decode()
            self.assertEqual(process.returncode, 130, said)
            self.assertLess(len(server.ids()), 4500)
            self.sync(path, server, "--max-entries", "40")
            self.assertEqual((len(server.ids()), set(server.store.versions.values())), (4500, {1}))


class Others(DeliveryTestCase):
    def test_a_second_process_is_told_that_another_run_is_at_work(self):
        path = exports.write(self.folder / "export.xml", exports.samples(200))
        with ScriptedServer() as server:
            server.gate = threading.Event()
            pool = concurrent.futures.ThreadPoolExecutor()
            self.addCleanup(pool.shutdown)
            self.addCleanup(server.gate.set)
            first = pool.submit(self.sync, path, server)
            self.until(lambda: server.in_flight)
            (ledger,) = (self.folder / "ledger").glob("*.ledger")
            for more in [], ["--dry-run"]:
                code, _, said = self.run_pghd("sync", path, server, *more)
                self.assertEqual(code, 3)
                self.assertIn(f"pghd: {ledger}: another run is at work", said)
            server.gate.set()
            self.assertEqual(first.result()["uncertain"], 0)
            self.assertEqual(server.named_contents(), self.named_resources(path))

    def test_nothing_is_sent_from_a_zip_that_was_damaged_on_its_way(self):
        whole = packed(exports.write(self.folder / "export.xml", exports.samples(2000)))
        damaged = self.folder / "damaged.zip"
        for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
            with self.subTest(method=method), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / f"ledger{method}")]
                with zipfile.ZipFile(damaged, "w", method) as archive:
                    archive.write(self.folder / "export.xml", "apple_health_export/export.xml")
                content = bytearray(damaged.read_bytes())
                # One digit of a heart rate, or one bit of the last kilobytes of the compressed data.
                place = content.index(b'value="', len(content) // 2) + 7 if method == zipfile.ZIP_STORED else -2000
                content[place] ^= 1
                damaged.write_bytes(content)
                code, _, said = self.run_pghd("sync", damaged, server, *ledger)
                self.assertEqual((code, server.posts), (2, []))
                self.assertIn("download or copy it again, and use nothing that was made of this one", said)
                self.sync(whole, server, *ledger)
                self.assertEqual(len(server.ids()), 3000)

    def test_another_persons_export_is_refused(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        other = exports.write(self.folder / "other.xml", exports.samples(20, seed=2), birth="1975-12-31")
        with ScriptedServer() as server:
            self.sync(path, server)
            contents = server.contents()
            self.sync(other, server, code=64)
            self.assertEqual(server.contents(), contents)
            self.sync(other, server, "--confirm-patient")
            self.assertGreater(len(server.contents()), len(contents))

    def test_an_export_of_which_the_server_took_nothing_settles_no_birth_date(self):
        wrong = exports.write(self.folder / "wrong.xml", exports.samples(20, seed=2), birth="1975-12-31")
        right = exports.write(self.folder / "right.xml", exports.samples(20))
        with ScriptedServer() as server:
            server.faults = [{"kind": "status", "status": 403}] * 9
            self.sync(wrong, server, code=4)
            server.faults = []
            self.assertEqual(self.sync(right, server)["delivered"], 32)
            self.sync(wrong, server, code=64)

    def test_an_export_that_lacks_most_of_what_was_delivered_is_reported(self):
        first, other = (
            packed(exports.write(self.folder / f"{seed}.xml", exports.samples(200, seed), day=seed)) for seed in (1, 2)
        )
        with ScriptedServer() as server:
            self.sync(first, server)
            code, report, said = self.run_pghd("sync", other, server)
            self.assertEqual((code, report["deletionsOffered"]), (0, 300))
            self.assertIn(
                ": 300 resources that were delivered before are not in this export, and 2 are: if it is another person's, "
                "or another phone's, it should not have been sent for this patient\n", said,
            )
            self.assertEqual(self.run_pghd("sync", other, server, "--quiet")[2], "")
            # With a new mapping everything is sent and nothing counts as already there: that does not say whose it is.
            said = self.run_pghd("sync", other, server, "--remap", "--time-zone", "Europe/Paris")[2]
            self.assertNotIn("are not in this export", said)

    def test_an_export_of_two_people_is_refused(self):
        path = pathlib.Path(exports.write(self.folder / "export.xml", exports.samples(20)))
        me = next(line for line in path.read_text().splitlines(True) if "<Me " in line)
        two = self.folder / "two.xml"
        two.write_text(path.read_text().replace(me, me + me.replace("1980-02-03", "1975-12-31")))
        with ScriptedServer() as server:
            self.sync(str(two), server, code=64)
            self.assertEqual(len(server.posts), 0)
            again = self.folder / "again.xml"
            again.write_text(path.read_text().replace(me, me + me))
            self.sync(str(again), server)

    def test_a_patient_on_the_server_with_another_birth_date_or_sex_stops_the_first_run(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        with ScriptedServer() as server:
            for patient, code in [
                ({"birthDate": "1975-12-31"}, 64), ({"gender": "male"}, 64), ({"birthDate": "1979"}, 64),
                ({"birthDate": "1980-03"}, 64), ({"birthDate": "1980-02-03", "gender": "female"}, 0),
            ]:
                server.store.put("Patient/p1", {"resourceType": "Patient", "id": "p1", **patient})
                self.sync(path, server, code=code)
                self.assertEqual(len(server.posts) > 0, code == 0)

    def test_a_patient_of_whom_the_server_knows_less_counts_as_the_same(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        for known in {"birthDate": "1980"}, {"birthDate": "1980-02"}, {"gender": "unknown"}:
            with self.subTest(known), ScriptedServer() as server:
                server.store.put("Patient/p1", {"resourceType": "Patient", "id": "p1", **known})
                self.sync(path, server, "--ledger", str(self.folder / "-".join(known.values())))

    def test_the_report_says_what_the_owner_was_compared_with(self):
        line = "owner      compared with nothing: the server shows no birth date or sex to compare with"
        for name, patient, export, found in [
            ("no Patient", None, {}, "nothing"), ("one that tells nothing", {}, {}, "nothing"),
            ("one whose sex is not known", {"gender": "unknown"}, {}, "nothing"),
            ("one that can't be read", {"birthDate": "1980"}, {}, "nothing"),
            ("one with a birth date", {"birthDate": "1980"}, {}, "patient"),
            ("one with a sex", {"gender": "female"}, {"birth": ""}, "patient"),
            ("one that tells what the export does not", {"gender": "male"}, {"sex": "HKBiologicalSexNotSet"}, "nothing"),
            ("an export that tells nothing", {}, {"birth": "", "sex": "HKBiologicalSexNotSet"}, None),
        ]:
            with self.subTest(name), ScriptedServer() as server:
                path = exports.write(self.folder / "export.xml", exports.samples(20), **export)
                if patient is not None:
                    server.store.put("Patient/p1", {"resourceType": "Patient", "id": "p1", **patient})
                server.can_read = name != "one that can't be read"
                ledger = ["--ledger", str(self.folder / name)]
                self.assertEqual(self.sync(path, server, *ledger)["ownerComparedWith"], found)
                self.assertEqual(self.sync(path, server, *ledger)["ownerComparedWith"], found and "exports")
                command = [part for part in self.arguments("sync", path, server) if part != "--json"]
                command[command.index("--ledger") + 1] = str(self.folder / f"{name} again")
                text = subprocess.run(command, check=True, capture_output=True, text=True, env=self.environment()).stderr
                self.assertEqual(line in text, found == "nothing", text)
                confirmed = ["--ledger", str(self.folder / f"{name} confirmed"), "--confirm-patient"]
                self.assertIsNone(self.sync(path, server, *confirmed)["ownerComparedWith"])

    def test_what_a_later_export_says_of_its_owner_is_remembered_with_what_earlier_ones_said(self):
        unset = "HKBiologicalSexNotSet"
        with ScriptedServer() as server:
            for count, options, code in [
                (1, {"sex": unset}, 0), (2, {}, 0), (3, {"sex": unset}, 0), (4, {"birth": ""}, 0),
                (5, {"sex": "HKBiologicalSexMale", "birth": ""}, 64), (6, {"sex": unset, "birth": "1980-02-04"}, 64),
                (7, {}, 0),
            ]:
                with self.subTest(options):
                    path = exports.write(self.folder / "export.xml", exports.samples(20 + count), **options)
                    self.sync(path, server, code=code)

    def test_with_an_identity_key_the_ledger_alone_does_not_reveal_whose_it_is(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        secret = self.folder / "id-key"
        secret.write_bytes(bytes(range(32)))
        secret.chmod(0o600)
        for name, options, key in ("plain", [], b""), ("keyed", ["--id-key", str(secret)], bytes(range(32))):
            with self.subTest(name), ScriptedServer() as server:
                self.sync(path, server, *options, "--ledger", str(self.folder / name))
                with sqlite3.connect(next((self.folder / name).glob("*.ledger"))) as database:
                    properties = dict(database.execute("SELECT name, value FROM properties"))
                for field, value in ("ownerBirthDate", "1980-02-03"), ("ownerGender", "female"):
                    message = f"{field}\x1f{value}".encode()
                    digest = hmac.new(key + properties["salt"].encode(), message, "sha256").hexdigest()
                    self.assertEqual(properties[field], digest)
                self.assertNotIn("owner", properties)

    def test_a_ledger_with_birth_date_and_sex_in_one_digest_still_recognizes_the_person(self):
        path = exports.write(self.folder / "export.xml", exports.samples(20))
        other = exports.write(self.folder / "other.xml", exports.samples(20), birth="1975-12-31")
        for birth, gender in ("1980-02-03", "female"), ("1980-02-03", ""), ("", "female"):
            with self.subTest(birth=birth, gender=gender), ScriptedServer() as server:
                folder = self.folder / f"ledger{birth}{gender}"
                self.sync(path, server, "--ledger", str(folder))
                with sqlite3.connect(next(folder.glob("*.ledger"))) as database:
                    salt, = database.execute("SELECT value FROM properties WHERE name = 'salt'").fetchone()
                    digest = hmac.new(salt.encode(), f"{birth}\x1f{gender}".encode(), "sha256").hexdigest()
                    database.execute("DELETE FROM properties WHERE name LIKE 'owner%'")
                    database.execute("INSERT INTO properties VALUES ('owner', ?)", [digest])
                self.sync(other, server, "--ledger", str(folder), code=64 if birth else 0)
                if birth:
                    self.sync(path, server, "--ledger", str(folder))
                    self.sync(other, server, "--ledger", str(folder), code=64)


class Deletions(DeliveryTestCase):
    def test_missing_samples_are_reported_marked_with_delete_and_sent_again_when_they_return(self):
        samples = exports.samples(400)
        fewer = samples[:30] + samples[35:]
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                whole = packed(exports.write(self.folder / "whole.xml", samples, day=1))
                less = packed(exports.write(self.folder / "less.xml", fewer, day=2))
                self.assertEqual(self.sync(whole, server, *more)["deletionsOffered"], 0)
                report = self.sync(less, server, *more)
                self.assertEqual((report["delivered"], report["deletionsOffered"], report["deletionsDone"]), (0, 5, 0))
                self.assertEqual(self.statuses(server), {"final": 600})
                report = self.sync(less, server, *more, "--delete")
                self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (5, 5))
                self.assertEqual(self.statuses(server), {"final": 595, "entered-in-error": 5})
                self.assertEqual(self.sync(less, server, *more, "--delete")["deletionsOffered"], 0)
                back = packed(exports.write(self.folder / "back.xml", samples, day=3))
                report = self.sync(back, server, *more)
                self.assertEqual((report["delivered"], report["replaced"]), (5, 5))
                self.assertEqual(server.named_contents(), self.named_resources(back, *form))

    def test_more_deletions_than_allowed_are_not_begun(self):
        samples = exports.samples(400)
        with ScriptedServer() as server:
            self.sync(packed(exports.write(self.folder / "a.xml", samples)), server)
            less = packed(exports.write(self.folder / "b.xml", samples[100:], day=2))
            self.sync(less, server, "--delete", code=64)
            self.assertEqual(self.statuses(server), {"final": 600})
            self.assertEqual(self.sync(less, server, "--delete", "--max-delete", "100")["deletionsDone"], 100)

    def test_a_single_deletion_is_allowed_however_few_samples_were_sent(self):
        samples = exports.samples(20)
        with ScriptedServer() as server:
            self.sync(packed(exports.write(self.folder / "a.xml", samples)), server)
            one = packed(exports.write(self.folder / "b.xml", samples[1:], day=2))
            self.assertEqual(self.sync(one, server, "--delete")["deletionsDone"], 1)
            two = packed(exports.write(self.folder / "c.xml", samples[3:], day=3))
            self.sync(two, server, "--delete", code=64)
            self.assertEqual(self.statuses(server), {"final": 29, "entered-in-error": 1})

    def test_a_run_that_cannot_know_what_is_gone_offers_no_deletion(self):
        samples = exports.samples(100)
        with ScriptedServer() as server:
            self.sync(packed(exports.write(self.folder / "a.xml", samples, day=5)), server)
            fewer = exports.write(self.folder / "b.xml", samples[5:], day=6)
            older = packed(exports.write(self.folder / "c.xml", samples[5:], day=2))
            cut = self.folder / "cut.xml"
            cut.write_text(fewer.read_text().replace("</HealthData>", ""))
            undated = self.folder / "undated.xml"
            undated.write_text(re.sub("<ExportDate.*\n", "", fewer.read_text()))
            for name, path, options, code in [
                ("bare XML", fewer, [], 0), ("some types", packed(fewer), ["--types", "HeartRate"], 0),
                ("a time", packed(fewer), ["--since", "2024-03-01"], 0), ("an older export", older, [], 0),
                ("a truncated export", packed(cut), [], 1), ("no date", packed(undated), [], 0),
            ]:
                with self.subTest(name):
                    found, report, said = self.run_pghd("sync", path, server, *options, "--delete")
                    self.assertEqual((found, report["deletionsOffered"], report["deletionsDone"]), (code, None, 0))
                    reason = "only a zip or folder in which nothing may be lost, no older than the last one, shows what is gone"
                    if options:
                        reason = "the samples were chosen by --types, --since or --until"
                    if name == "no date":
                        reason = "the export does not say when it was made, in an ExportDate"
                    self.assertEqual(said.count(f"pghd: --delete: nothing was deleted ({reason}): "), 1, said)
                    self.assertNotIn("--delete", self.run_pghd("sync", path, server, *options)[2])
            self.assertEqual(self.statuses(server), {"final": 150})

    def test_an_export_with_a_missing_or_damaged_file_offers_no_deletion(self):
        moment = 'creationDate="2024-03-02 10:00:00 +0100" startDate="2024-03-02 09:00:00 +0100" ' \
            'endDate="2024-03-02 10:00:00 +0100"'
        elements = (
            f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" {moment}>'
            f'<WorkoutRoute sourceName="Watch" {moment}><FileReference path="/workout-routes/r.gpx"/></WorkoutRoute>'
            '</Workout><ClinicalRecord type="Observation" identifier="c" sourceName="Clinic" sourceURL="https://c.example"'
            ' fhirVersion="4.0.1" receivedDate="2024-03-02 10:00:00 +0100" '
            'resourceFilePath="/clinical-records/c.json"/>'
        )
        files = {
            "workout-routes/r.gpx": '<gpx><trk><trkseg><trkpt lon="7.1" lat="51.1"/></trkseg></trk></gpx>',
            "clinical-records/c.json": '{"resourceType":"Observation","id":"c","status":"final","code":{"text":"x"}}',
        }

        def export(name, day, files):
            xml = exports.write(self.folder / f"{name}.xml", exports.samples(20), day=day)
            xml.write_text(xml.read_text().replace("</HealthData>", elements + "</HealthData>"))
            target = packed(xml)
            with zipfile.ZipFile(target, "a") as archive:
                for path, text in files.items():
                    archive.writestr(f"apple_health_export/{path}", text)
            return target

        route, record = files
        with ScriptedServer() as server:
            self.sync(export("a", 1, files), server, "--routes")
            whole = server.contents()
            files_lack = "files that the XML refers to are not in the export, or can't be read): use one that has them"
            damaged = "only a zip or folder in which nothing may be lost, no older than the last one, shows what is gone): use a new export"
            cases = [
                ("no route", {record: files[record]}, 0, files_lack), ("no record", {route: files[route]}, 0, files_lack),
                ("no track", {**files, route: "nothing"}, 1, files_lack),
                ("an empty track", {**files, route: ""}, 1, files_lack),
                ("a track that was cut", {**files, route: files[route][:-8]}, 1, files_lack),
                ("a record that was cut", {**files, record: files[record][:-8]}, 1, damaged),
            ]
            for day, (name, some, status, reason) in enumerate(cases, 2):
                with self.subTest(name):
                    path = export(name.replace(" ", ""), day, some)
                    code, report, said = self.run_pghd("sync", path, server, "--routes", "--delete")
                    self.assertEqual((code, report["deletionsOffered"], server.contents()), (status, None, whole))
                    self.assertIn(f"pghd: --delete: nothing was deleted ({reason}\n", said)
            self.assertEqual(self.sync(export("e", 9, files), server, "--routes")["deletionsOffered"], 0)

    def test_a_type_that_is_missing_entirely_is_reported_and_kept(self):
        samples = exports.samples(20)
        with ScriptedServer() as server:
            self.sync(packed(exports.write(self.folder / "a.xml", samples)), server)
            hearts = [s for s in samples if s.kind == "HeartRate"]
            path = packed(exports.write(self.folder / "b.xml", hearts, day=2))
            code, report, said = self.run_pghd("sync", path, server, "--delete", "--max-delete", "50")
            numbers = [report[f"deletions{what}"] for what in ("Offered", "Done", "Kept")]
            self.assertEqual((code, numbers), (0, [10, 0, 10]))
            self.assertIn(
                "pghd: --delete: 10 of 10 are left as they are (the export has nothing of their type, or the type is "
                "not known, so it may have been left out; a folder may lack an electrocardiogram; or somebody has amended "
                "them, or given them to another patient): give the options of the runs before, such as --summaries, or "
                "mark them on the server by hand and run 'pghd verify --rebuild'\n", said,
            )

    def test_an_older_export_reverts_nothing(self):
        samples = exports.samples(50)
        newer = [dataclasses.replace(samples[0], note="newer"), *samples[1:]]
        with ScriptedServer() as server:
            self.sync(exports.write(self.folder / "b.xml", newer, day=5), server)
            contents = server.contents()
            report = self.sync(exports.write(self.folder / "a.xml", samples, day=2), server)
            self.assertEqual((report["delivered"], server.contents()), (0, contents))
            self.assertEqual(self.sync(self.folder / "b.xml", server)["delivered"], 0)

    def statuses(self, server):
        counts = {}
        for resource in server.store.resources.values():
            if resource["resourceType"] == "Observation":
                counts[resource["status"]] = counts.get(resource["status"], 0) + 1
        return counts


class Ledger(DeliveryTestCase):
    def ledger(self):
        return max((self.folder / "ledger").glob("*.ledger"), key=lambda path: path.stat().st_mtime_ns)

    def test_nobody_else_can_read_a_ledger_and_it_holds_no_value(self):
        path = exports.write(self.folder / "export.xml", exports.samples(50) + [
            exports.Sample("BodyMass", 5, "71.2345", "kg", note="canary-note")
        ])
        with ScriptedServer() as server:
            self.sync(path, server)
        for file in (self.folder / "ledger").rglob("*"):
            self.assertEqual(file.stat().st_mode & 0o077, 0, file)
            data = file.read_bytes()
            for word in b"71.2345", b"canary", b"1980-02-03", b"Apple Watch", b"BodyMass":
                self.assertNotIn(word, data, file)
        database = sqlite3.connect(self.ledger())
        self.assertEqual(database.execute("PRAGMA user_version").fetchone(), (1,))
        self.assertEqual(database.execute("SELECT count(*) FROM members WHERE state = 1").fetchone(), (78,))
        self.assertEqual(database.execute("SELECT count(*) FROM intents").fetchone(), (0,))

    def test_a_damaged_ledger_is_put_aside(self):
        path = exports.write(self.folder / "export.xml", exports.samples(50))
        for number, damage in enumerate([b"no database at all" * 100, None, "DROP TABLE members"]):
            with self.subTest(number), ScriptedServer() as server:
                self.sync(path, server)
                ledger = self.ledger()
                if isinstance(damage, str):
                    with sqlite3.connect(ledger) as database:
                        database.execute(damage)
                    database.close()
                    damage = ledger.read_bytes()
                if damage is None:
                    data = bytearray(ledger.read_bytes())
                    data[4096:] = b"\x55" * (len(data) - 4096)
                    damage = bytes(data)
                for log in (self.folder / "ledger").glob("*-wal"):
                    log.unlink()
                ledger.write_bytes(damage)
                # The damage is noticed when the ledger is opened, or when the broken part is read.
                code, _, said = self.run_pghd("sync", path, server)
                if code == 3:
                    self.assertIn("put aside", said)
                    code, _, said = self.run_pghd("sync", path, server)
                self.assertEqual(code, 0, said)
                aside = [f.name for f in (self.folder / "ledger").glob("*.damaged*") if not f.name.endswith(("wal", "shm"))]
                self.assertEqual(len(aside), number + 1, sorted(f.name for f in (self.folder / "ledger").iterdir()))
                self.assertEqual(set(server.store.versions.values()), {1})

    def test_a_ledger_with_an_impossible_number_is_put_aside_and_no_row_is_shown(self):
        path = exports.write(self.folder / "export.xml", exports.samples(50))
        with ScriptedServer() as server:
            self.sync(path, server)
            ledger = self.ledger()
            with sqlite3.connect(ledger) as database:
                database.execute("UPDATE members SET type = 300")
            code, _, said = self.run_pghd("sync", path, server, "--dry-run")
            self.assertEqual(
                (code, said),
                (3, f"pghd: {ledger}: damaged (expected a database): run 'pghd verify --rebuild' with the same options, "
                    "then go on\n"),
            )
            self.assertEqual(sorted(file.name for file in ledger.parent.glob("*.dry-run*")), [])
            code, _, said = self.run_pghd("sync", path, server)
            self.assertEqual(
                (code, said),
                (3, f"pghd: {ledger}: damaged (expected a database), and put aside: run the command again, "
                    "it begins a new one\n"),
            )
            self.sync(path, server)
            self.assertEqual(set(server.store.versions.values()), {1})
            self.assertEqual(self.sync(path, server)["requests"], {})

    def test_where_a_damaged_ledger_was_put_is_reported_even_if_the_server_is_read_first(self):
        path = exports.write(self.folder / "export.xml", exports.samples(50))
        with ScriptedServer() as server:
            self.sync(path, server)
            ledger = self.ledger()
            ledger.write_bytes(b"no database at all" * 100)
            self.assertEqual(self.sync(path, server)["ledgerSetAside"], f"{ledger}.damaged")
            self.assertIsNone(self.sync(path, server)["ledgerSetAside"])

    def test_a_ledger_of_a_later_version_is_refused(self):
        path = exports.write(self.folder / "export.xml", exports.samples(5))
        with ScriptedServer() as server:
            self.sync(path, server)
            with sqlite3.connect(self.ledger()) as database:
                database.execute("PRAGMA user_version = 99")
            self.sync(path, server, code=64)

    def test_on_a_full_disk_nothing_is_sent_that_the_ledger_does_not_know_and_the_rest_follows_later(self):
        path = exports.write(self.folder / "export.xml", exports.samples(3000))
        disk = self.folder / "disk"
        disk.mkdir()
        # A file system of its own, which ends with the shell; a user other than root gets it in a user namespace.
        unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
        if subprocess.run([*unshare, "mount", "-t", "tmpfs", "disk", disk], capture_output=True).returncode != 0:
            self.skipTest("this container may not mount anything; the next test limits the files' size")
        script = """
            mount -t tmpfs -o size=400k,mode=700 disk "$1" || exit 99
            shift
            "$@"
            first=$?
            mount -o remount,size=64m "$(dirname "$LEDGER")" || exit 99
            [ $first = 2 ] && "$@"
        """
        for form in [], ["--conditional"]:
            with self.subTest(form=form), ScriptedServer() as server:
                ledger = disk / f"ledger{len(form)}"
                command = self.arguments("sync", path, server, *form, "--ledger", str(ledger), "--max-entries", "40")
                result = subprocess.run(
                    [*unshare, "sh", "-c", script, "sh", str(disk), *command], capture_output=True, timeout=600,
                    env=self.environment() | {"LEDGER": str(ledger)},
                )
                said = result.stderr.decode()
                self.assertEqual(result.returncode, 0, said)
                self.assertRegex(said, "cannot be read or written .*SQLite: .*full")
                self.assertEqual(list(disk.iterdir()), [])
                self.assertEqual(server.named_contents(), self.named_resources(path, *form))
                self.assertEqual(set(server.store.versions.values()), {1})
                self.assertEqual(server.conflicting_keys, [])

    def test_wherever_a_disk_fills_up_the_run_ends(self):
        samples = exports.samples(60)
        path = exports.write(self.folder / "export.xml", samples)
        changed = [dataclasses.replace(s, note="new") if i % 10 == 0 else s for i, s in enumerate(samples)]
        newer = exports.write(self.folder / "newer.xml", changed, day=5)
        disk = self.folder / "disk"
        disk.mkdir()
        unshare = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
        if subprocess.run([*unshare, "mount", "-t", "tmpfs", "disk", disk], capture_output=True).returncode != 0:
            self.skipTest("this container may not mount anything")
        # First the export, then a newer one with so much space that the log's pages fill it a few at a time.
        script = """
            disk=$1 first=$2 second=$3
            shift 3
            mount -t tmpfs -o size=8m,mode=700 disk "$disk" || exit 99
            "$@" "$first" >/dev/null || exit 98
            for left in 16 20 24 28 32 36 40 44; do
                dd if=/dev/zero of="$disk/fill" bs=4k 2>/dev/null
                truncate -s -${left}k "$disk/fill"
                timeout -s KILL 20 "$@" "$second" >/dev/null 2>&1
                echo $?
                rm "$disk/fill"
            done
        """
        with ScriptedServer() as server:
            program, name, _, *rest = self.arguments("sync", path, server, "--ledger", str(disk / "ledger"))
            result = subprocess.run(
                [*unshare, "sh", "-c", script, "sh", str(disk), str(path), str(newer), program, name, *rest],
                capture_output=True, timeout=600, env=self.environment(),
            )
            codes = result.stdout.decode().split()
            self.assertEqual((result.returncode, len(codes)), (0, 8), result.stderr)
            self.assertLessEqual(set(codes), {"0", "2"})
            self.assertIn("2", codes)

    def test_without_room_for_the_ledger_nothing_is_sent_that_it_does_not_know(self):
        path = exports.write(self.folder / "export.xml", exports.samples(3000))
        with ScriptedServer() as server:
            def limit():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

            code, report, said = self.run_pghd("sync", path, server, "--max-entries", "40", preexec_fn=limit)
            self.assertEqual(code, 2, said)
            self.assertIn("cannot be read or written", said)
            self.assertLess(len(server.ids()), 4500)
            self.sync(path, server, "--max-entries", "40")
            self.assertEqual((len(server.ids()), set(server.store.versions.values())), (4500, {1}))

    def test_nothing_is_sent_if_the_ledgers_folder_cannot_be_made(self):
        path = exports.write(self.folder / "export.xml", exports.samples(5))
        with ScriptedServer() as server:
            code, _, said = self.run_pghd("sync", path, server, "--ledger", "/proc/pghd")
            self.assertEqual((code, server.posts), (2, []), said)

    def test_nothing_is_sent_from_a_read_only_home(self):
        path = exports.write(self.folder / "export.xml", exports.samples(5))
        home = self.folder / "home"
        home.mkdir(0o555)
        self.folder.chmod(0o755)
        # Root may read everything.
        user = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        with ScriptedServer() as server:
            arguments = self.arguments("sync", path, server)
            place = arguments.index("--ledger")
            arguments[place:place + 2] = []
            result = subprocess.run(arguments, capture_output=True, env=self.environment(), **user)
            self.assertEqual((result.returncode, server.posts), (2, []), result.stderr)
            self.assertIn(b"cannot be read or written", result.stderr)
            self.assertEqual(list(home.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
