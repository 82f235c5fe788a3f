#!/usr/bin/env python3
"""Versions of one sample over days: twins that are gone, answers that were lost, what `send` did not say.

    python3 Tests/Delivery/test_versions.py
"""

import dataclasses
import itertools
import json
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from cases import LaterExportsTestCase
from delivery import DeliveryTestCase, key_options
from exports import packed
from scripted_server import ScriptedServer, outcome

FORMS = [], ["--conditional"]


class Phone(exports.Sample):
    """A sample of another Device."""

    def xml(self, offset, pointer):
        text = super().xml(offset, pointer).replace('sourceName="Watch"', 'sourceName="Phone"')
        return text.replace("name:Apple Watch", "name:iPhone").replace("model:Watch", "model:iPhone").replace(
            "Watch6,2", "iPhone15,2"
        )


class SlowServer(ScriptedServer):
    """A transaction looks for what is there, works for a while, then stores: what is created meanwhile is doubled."""

    def transaction(self, request, key, body, fault):
        entries = json.loads(body)["entry"]
        if self.entry_limit and len(entries) > self.entry_limit:
            return 400, outcome("too-costly", self.limit_text.format(self.entry_limit))
        with self.lock:
            found = [self.match(entry) for entry in entries]
            links = {
                entry["fullUrl"]: name or self.store.new_name(entry["resource"]["resourceType"])
                for entry, name in zip(entries, found)
            }
        time.sleep(0.05)
        answers = []
        with self.lock:
            for entry, name in zip(entries, found):
                if name and entry["request"]["method"] == "POST":
                    answers.append({"response": {"status": "200 OK"}})
                    continue
                text = json.dumps(entry["resource"])
                for link, target in links.items():
                    text = text.replace(f'"{link}"', f'"{target}"')
                answers.append({"response": {"status": f"{self.store.put(links[entry['fullUrl']], json.loads(text))} OK"}})
        return 200, json.dumps({"resourceType": "Bundle", "type": "transaction-response", "entry": answers}).encode()


class Versions(LaterExportsTestCase):
    def setUp(self):
        super().setUp()
        samples = exports.samples(200)
        self.hearts, self.steps = samples[:200], samples[200:]

    def noted(self, *notes):
        """The first heart rate in these versions: one before a cut, the others far after it."""
        first, *others = [dataclasses.replace(self.hearts[0], note=note) for note in notes]
        return [first, *self.hearts[1:100], *self.steps, *self.hearts[100:], *others]

    def apart(self, *notes):
        """The first heart rate in three versions, each in a Bundle of its own."""
        one, two, three = [dataclasses.replace(self.hearts[0], note=note) for note in notes]
        (hearts, steps), half = (self.hearts[1:], self.steps), len(self.steps) // 2
        return [one, *hearts[:60], *steps[:half], *hearts[60:120], two, *steps[half:], *hearts[120:], three]

    def assert_notes(self, server, expected):
        text = json.dumps(list(server.store.resources.values()))
        self.assertEqual([note for note in "abc" if f'"valueString": "{note}"' in text], list(expected))

    def test_a_version_that_lost_is_sent_once_the_one_that_won_is_gone(self):
        for form in FORMS:
            for left in "ab":
                with self.subTest(form=form, left=left), ScriptedServer() as server:
                    ledger = ["--ledger", str(self.folder / f"{left}{len(form)}")]
                    self.sync(self.export(self.noted("a", "b")), server, *form, *ledger)
                    self.assert_notes(server, "a")
                    path = self.export(self.noted(left))
                    self.assertEqual(self.sync(path, server, *form, *ledger)["delivered"], left == "b")
                    self.assert_notes(server, left)
                    count = len(server.posts)
                    self.sync(path, server, *form, *ledger)
                    self.assertEqual(len(server.posts), count)

    def test_a_version_that_lost_is_compared_with_the_one_that_takes_the_winners_place(self):
        for form in FORMS:
            for notes in itertools.permutations("abcd"):
                with self.subTest(form=form, notes=notes), ScriptedServer() as server:
                    more = [*form, "--ledger", str(self.folder / f"{''.join(notes)}{len(form)}")]
                    one, two, three, other = notes
                    for versions in (one, two, three), (one, other, three), (one, other, three):
                        path = self.export(self.apart(*versions))
                        report = self.sync(path, server, *more)
                        code, _, said = self.run_pghd("verify", path, server, *more)
                        self.assertEqual(code, 0, said)
                    self.assertEqual(report["delivered"], 0)

    def test_a_refused_twin_does_not_keep_later_versions_back(self):
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                usual = server.answer_post

                def refuse(request, body, fault):
                    if b'"valueString":"a"' in body:
                        return server.send(request, 422, outcome("invalid"))
                    return usual(request, body, fault)

                server.answer_post = refuse
                self.sync(self.export(self.noted("b", "a")), server, *form, *ledger, code=6)
                server.answer_post = usual
                for note in "c", "b":
                    self.sync(self.export(self.noted(note)), server, *form, *ledger)
                    self.assert_notes(server, note)

    def test_the_halves_of_a_doubtful_bundle_are_doubtful_too(self):
        for status in 413, 422:
            # Stored, and the answer lost; then split, and the run stops before the halves are sent.
            self.assert_may_be_stored({"kind": "reset-after"}, {"kind": "status", "status": status})

    def test_an_entry_that_is_reported_as_failed_is_doubtful(self):
        for status in "500", "504 Gateway Timeout", "":
            self.assert_may_be_stored({"told": dict.fromkeys(range(9), status)})

    def test_entries_that_are_sent_again_with_a_throttled_one_are_doubtful(self):
        self.assert_may_be_stored({"entries": {0: 429}})

    def test_a_bundle_that_may_be_stored_still_may_be_after_it_was_put_off(self):
        self.assert_may_be_stored({"kind": "reset-after"}, {"entries": {0: 429}})

    def assert_may_be_stored(self, *faults):
        """A newer version met these faults and the run stopped: when the one before is sent again, it stays."""
        for form in FORMS:
            with self.subTest(form=form, faults=faults), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / f"ledger{self.count}")]
                self.sync(self.export([*self.hearts, *self.steps]), server, *form, *ledger)
                stored = server.named_contents()
                new = [dataclasses.replace(sample, note="b") for sample in self.hearts[:6]]
                server.faults = [*faults, *[{"kind": "status", "status": 403}] * 20]
                self.sync(self.export([*new, *self.hearts[6:], *self.steps]), server, *form, *ledger, code=4)
                server.faults = []
                self.assertNotEqual(server.named_contents(), stored)
                self.sync(self.export([*self.hearts, *self.steps]), server, *form, *ledger)
                self.assertEqual(server.named_contents(), stored)

    def test_the_same_version_of_an_export_wins_whatever_was_sent_before(self):
        for form in FORMS:
            for notes in itertools.permutations("abc"):
                with self.subTest(form=form, notes=notes), ScriptedServer() as server, ScriptedServer() as clean:
                    name = f"{''.join(notes)}{len(form)}"
                    ledger = ["--ledger", str(self.folder / name)]
                    self.sync(self.export(self.noted(*notes[:2])), server, *form, *ledger)
                    path = self.export(self.noted(*notes[1:]))
                    self.sync(path, server, *form, *ledger)
                    self.sync(path, clean, *form, "--ledger", str(self.folder / f"clean{name}"))
                    self.assertEqual(server.named_contents(), clean.named_contents())
                    self.assertEqual(self.sync(path, server, *form, *ledger)["delivered"], 0)

    def test_two_versions_that_lost_and_come_again_with_a_third_give_the_right_one(self):
        # The greatest of the four is gone in the second export.
        for notes in itertools.permutations("abc"):
            with self.subTest(notes=notes), ScriptedServer() as server, ScriptedServer() as clean:
                ledger = ["--ledger", str(self.folder / "".join(notes))]
                self.sync(self.export(self.apart("d", *notes[:2])), server, *ledger)
                path = self.export(self.apart(*notes))
                self.sync(path, server, *ledger)
                self.sync(path, clean, "--ledger", str(self.folder / f"clean{''.join(notes)}"))
                self.assertEqual(server.named_contents(), clean.named_contents())

    def test_an_older_export_replaces_no_newer_version_whatever_came_between(self):
        for form in FORMS:
            for case in "twins", "refused", "lost", "rebuilt":
                for old, new in itertools.permutations("ab"):
                    with self.subTest(form=form, case=case, old=old), ScriptedServer() as server:
                        more = [*form, "--ledger", str(self.folder / f"{case}{old}{len(form)}")]
                        older = self.export(self.noted(old))
                        if case == "twins":
                            self.sync(self.export(self.noted(old, new)), server, *more)
                        else:
                            self.sync(older, server, *more)
                            self.sync(self.export(self.noted(new)), server, *more)
                        if case == "refused":
                            server.faults = [{"kind": "status", "status": 422}] * 9
                            self.sync(self.export(self.noted("c")), server, *more, code=6)
                        if case == "lost":
                            server.faults = [{"kind": "reset-after"}] * 9
                            self.sync(self.export(self.noted("c")), server, *more, "--retry-for", "0", code=3)
                        server.faults = []
                        stored = server.named_contents()
                        if case == "rebuilt":
                            self.run_pghd("verify", older, server, *more, "--rebuild")
                        report = self.sync(older, server, *more)
                        self.assertEqual((report["delivered"], server.named_contents()), (0, stored))

    def test_what_was_deleted_stays_deleted_after_a_rebuild_with_an_older_export(self):
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                more = [*form, "--ledger", str(self.folder / f"ledger{len(form)}")]
                older = self.export([*self.hearts, *self.steps])
                self.sync(older, server, *more)
                self.sync(self.export([*self.hearts[1:], *self.steps]), server, *more, "--delete")
                stored = server.named_contents()
                self.assertIn("entered-in-error", json.dumps(stored))
                self.run_pghd("verify", older, server, *more, "--rebuild")
                report = self.sync(older, server, *more)
                self.assertEqual((report["delivered"], server.named_contents()), (0, stored))

    def test_a_refused_device_is_sent_again_with_what_refers_to_it(self):
        with ScriptedServer() as server:
            server.faults = [{"entries": {0: "400 Bad"}}]
            path = self.export(self.hearts)
            # All that the first Bundle holds, except its other Device.
            self.assertEqual(self.sync(path, server, "--conditional", code=6)["refused"], server.posts[0][1] - 1)
            self.sync(path, server, "--conditional")
            self.assertEqual((len(server.ids("Device")), set(server.ids().values())), (2, {1}))
            self.assertEqual(self.run_pghd("verify", path, server, "--conditional")[0], 0)

    def test_what_a_refusal_left_in_an_older_version_is_deleted_once_it_is_gone(self):
        # Each the only sample of its Bundle.
        gone, new = exports.Sample("BodyMass", 0, "70", "kg"), exports.Sample("BodyMass", 86_400, "71", "kg")
        for form in FORMS:
            with self.subTest(form=form), ScriptedServer() as server:
                ledger = ["--ledger", str(self.folder / f"ledger{len(form)}")]
                self.sync(self.export([*self.hearts, gone]), server, *form, *ledger)
                stored = server.named_contents()
                server.faults = [{"kind": "status", "status": 422}] * 2
                changed = [*self.hearts, dataclasses.replace(gone, note="b")]
                self.sync(self.export(changed), server, *form, *ledger, code=6)
                self.assertEqual(server.named_contents(), stored)
                server.faults = []
                report = self.sync(self.export([*self.hearts, new]), server, *form, *ledger, "--delete")
                self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (1, 1))
                report = self.sync(self.export([*self.hearts, new]), server, *form, *ledger, "--delete")
                self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (0, 0))

    def test_what_was_gone_when_everything_was_remapped_is_offered_for_deletion(self):
        gone = exports.Sample("BodyMass", 0, "70", "kg")
        with ScriptedServer() as server:
            self.sync(self.export([*self.hearts, gone]), server)
            server.faults = [{"kind": "status", "status": 422}]
            self.sync(self.export([*self.hearts, dataclasses.replace(gone, note="b")]), server, code=6)
            server.faults = []
            path = self.export(self.hearts[:-3])
            report = self.sync(path, server, "--time-zone", "Europe/Paris", "--remap")
            self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (4, 0))

    def test_what_send_delivered_is_deleted_by_type_like_everything_else(self):
        for command in "sync", "send":
            with self.subTest(command), ScriptedServer() as server:
                more = ["--ledger", str(self.folder / command)]
                path = self.export([*self.hearts, *self.steps])
                first = path if command == "sync" else self.convert(path)
                self.assertEqual(self.run_pghd(command, first, server, *more)[0], 0)
                more += ["--delete", "--max-delete", "150"]
                # A type that is absent as a whole was left out; of a type that is there, what is missing is gone.
                report = self.sync(self.export(self.hearts[:-3]), server, *more)
                self.assertEqual((report["deletionsOffered"], report["deletionsDone"]), (len(self.steps) + 3, 3))

    def test_parts_of_a_bundle_that_carry_the_same_device_are_sent_one_after_the_other(self):
        phones = [Phone(s.kind, s.start, s.value, s.unit, s.note) for s in self.hearts[100:]]
        for limit in None, 25:
            with self.subTest(limit=limit), SlowServer() as server:
                server.entry_limit = limit
                server.limit_text = "Bundle has too many entries (max {})"
                ledger = ["--ledger", str(self.folder / f"ledger{limit}")]
                path = self.export([*self.hearts[:100], *self.steps, *phones])
                self.assertEqual(self.sync(path, server, "--conditional", *ledger)["delivered"], 300)
                self.assertEqual(set(server.ids("Device").values()), {1})
                self.assertEqual(set(server.ids().values()), {1})


class OpenBundle(DeliveryTestCase):
    def test_what_was_left_open_under_another_mapping_is_remapped_too(self):
        path = packed(exports.write(self.folder / "few.xml", exports.samples(20)))
        options = key_options(self.folder)
        zones = ["--time-zone", "Europe/Paris"], ["--time-zone", "America/New_York"]
        with ScriptedServer(honours_if_none_exist=False) as server:
            server.faults = [{"kind": "reset-after"}] + [{"kind": "status", "status": 403}] * 20
            self.sync(path, server, *options, *zones[0], "--concurrency", "1", code=4)
            server.faults = []
            self.sync(path, server, *options, *zones[1], "--remap")
            self.assertEqual(self.sync(path, server, *options, *zones[1])["requests"], {})
            code, _, said = self.run_pghd("verify", path, server, *options, *zones[1])
            self.assertEqual(code, 0, said)

    def test_a_bundle_that_never_arrived_under_another_mapping_is_settled_under_this_one(self):
        path = packed(exports.write(self.folder / "few.xml", exports.samples(20)))
        options = key_options(self.folder)
        zones = ["--time-zone", "Europe/Paris"], ["--time-zone", "America/New_York"]
        with ScriptedServer(honours_if_none_exist=False) as server:
            server.faults = [{"kind": "reset-before"}] + [{"kind": "status", "status": 403}] * 20
            self.sync(path, server, *options, *zones[0], "--concurrency", "1", code=4)
            server.faults = []
            self.sync(path, server, *options, *zones[1], "--remap")
            code, _, said = self.run_pghd("verify", path, server, *options, *zones[1])
            self.assertEqual(code, 0, said)


if __name__ == "__main__":
    unittest.main()
