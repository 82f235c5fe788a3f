#!/usr/bin/env python3
"""Deliveries through a guarded door: glewlwyd's tokens and sekmet-fhir's store, neither written by this project.

    make setup; see the Makefile for the two environments
    PGHD_DAYS=30 .venv-sign-in/bin/python Tests/Delivery/test_signed_in.py

An export of PGHD_DAYS days (2) is sent as PUT, with --conditional, and by its keys only. In the first run the identity
server revokes a token, and an answer is lost; after every step the server's resources are counted.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "SignIn")]
from browser import Browser
from command import Home
from delivery import PGHD, quick_derivation, until
from gateway import Gateway
from real_server import SEKMET, RealServer
from rewriting import Writing
from rigs import Glewlwyd

DAYS = os.environ.get("PGHD_DAYS", "2")
HEART_RATE = "HKQuantityTypeIdentifierHeartRate"
# Shorter than a first run: it expires in the middle of it.
TOKEN_SECONDS = 4


class SignedInTestCase(unittest.TestCase):
    maxDiff = None

    token_seconds = TOKEN_SECONDS

    @classmethod
    def setUpClass(cls):
        cls.rig = cls.enterClassContext(Glewlwyd(cls.token_seconds))

    def begin(self):
        """A FHIR server behind a gateway, and a person who is signed in to it."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="pghd-fhir-")))
        self.fhir = self.enterContext(RealServer(folder, token="only-the-gateway-knows"))
        self.fhir.put("Patient/p1", {"resourceType": "Patient", "id": "p1"})
        self.gateway = self.enterContext(Gateway(self.rig, self.fhir))
        self.home = Home(self, self.gateway)
        self.home.environment["LD_PRELOAD"] = quick_derivation()
        self.home.sign_in(Browser(self.rig))
        self.folder = self.home.folder
        self.talk = []

    def sync(self, path, *more, code=0):
        outcome = self.home_run(
            "sync", path, "--server", self.gateway.server, "--patient", "p1", "--ledger", self.folder / "ledger",
            "--retry-delay-milliseconds", "5", "--json", *more,
        )
        self.assertEqual(outcome.returncode, code, outcome.stderr)
        return json.loads(outcome.stdout)

    def verify(self, path, form, extra):
        """Read back, the server has all of the export once and nothing else but what is offered for deletion."""
        outcome = self.home_run(
            "verify", path, "--server", self.gateway.server, "--patient", "p1", "--ledger", self.folder / "ledger",
            "--retry-delay-milliseconds", "5", "--json", *form,
        )
        self.assertEqual(outcome.returncode, 1 if extra else 0, outcome.stderr)
        report = json.loads(outcome.stdout)
        found = [report[name] for name in ("missing", "different", "doubled", "extra")]
        self.assertEqual(found, [0, 0, 0, extra])

    def home_run(self, *arguments):
        # Longer than a sign-in command takes: thirty days of data are sent here.
        outcome = subprocess.run(
            [PGHD, *arguments], env=self.home.environment, cwd=self.folder, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=7200,
        )
        self.talk += [outcome.stdout, outcome.stderr]
        return outcome

    def generated(self, days):
        path = self.folder / "generated.xml"
        made = self.home_run("generate", "-o", path, "--days", days, "--quiet", "--force")
        self.assertEqual(made.returncode, 0, made.stderr)
        return Writing.read(path)

    def resources(self, path):
        """Type and status of each resource that `path` holds, by our id."""
        target = self.folder / "bundles.ndjson"
        made = self.home_run("convert", path, "--patient", "p1", "-o", target, "--force", "--quiet")
        self.assertEqual(made.returncode, 0, made.stderr)
        with open(target, encoding="utf-8") as lines:
            entries = [entry["resource"] for line in lines for entry in json.loads(line)["entry"]]
        return {r["id"]: (r["resourceType"], r.get("status")) for r in entries}

    def counts(self, kinds):
        """What the FHIR server itself counts."""
        return collections.Counter({
            (kind, status): self.fhir.count(f"{kind}?status={status}" if status and kind != "Device" else kind)
            for kind, status in kinds
        })

    def renewals(self):
        return self.gateway.forms("token", grant_type="refresh_token")


class Steps(SignedInTestCase):
    def test_each_step_leaves_a_server_with_our_ids_with_exactly_what_it_should_hold(self):
        self.steps([])

    def test_each_step_leaves_a_server_with_ids_of_its_own_with_exactly_what_it_should_hold(self):
        self.steps(["--conditional"])

    def test_each_step_leaves_a_server_that_knows_keys_alone_with_exactly_what_it_should_hold(self):
        self.steps(["--api", "observations"])

    def steps(self, form):
        self.begin()
        export = self.generated(DAYS)
        hearts = without_twins(export, export.numbers(HEART_RATE))
        changed, removed = set(hearts[10:310:100]), set(hearts[5:55:10])
        newer, added = [], hearts[-1]
        for number, element in enumerate(export.elements):
            if number in changed:
                element = with_note(element)
            if number not in removed:
                newer.append(element)
            if number == added:
                newer += [with_value(element, 400 + n) for n in range(10)]
        newer = export.with_elements(newer)
        path = self.folder / "export.zip"
        whole = self.resources(export.zip(path))
        taken, lost = self.lose_a_token_and_an_answer()
        for name, writing, more, delivered, offered, deleted in [
            ("first", export, [], None, 0, 0),
            ("again", export, [], 0, 0, 0),
            ("summer", export.in_offset(5).with_pointers(0x1000), [], 0, 0, 0),
            ("shuffled", export.shuffled(), [], 0, 0, 0),
            ("newer", newer, [], 13, 5, 0),
            ("newer again", newer, [], 0, 5, 0),
            ("delete", newer, ["--delete"], 0, 5, 5),
            ("once more", newer.in_offset(-3), ["--delete"], 0, 0, 0),
        ]:
            with self.subTest(step=name, form=form):
                before = len(self.gateway.posts)
                report = self.sync(writing.zip(path), *form, *more)
                posts = self.gateway.posts[before:]
                found = [report[n] for n in ["deletionsOffered", "deletionsDone", "refused", "uncertain"]]
                self.assertEqual(found, [offered, deleted, 0, 0])
                if delivered is not None:
                    self.assertEqual(report["delivered"], delivered)
                if delivered == 0:
                    self.assertEqual(posts, [])
                if delivered == 13 and not form:
                    self.assertEqual(sum(count for count, status in posts if status == 200), 13)
                self.verify(path, form, offered - deleted)
                self.assert_counts(form, whole if writing not in (newer,) and name != "once more" else
                                   self.resources(path), 0 if name in ("first", "again", "summer", "shuffled") else 5,
                                   name in ("delete", "once more"))
        self.assertEqual((len(taken), len(lost)), (1, 1))
        self.assertIn(401, [status for _, status in self.gateway.posts])
        self.assertGreater(len(self.renewals()), 0)
        values = [r["identifier"][0]["value"] for r in self.fhir.all("Observation")]
        self.assertEqual(len(values), len(set(values)))
        wanted = {i for i, (kind, _) in {**whole, **self.resources(path)}.items() if kind == "Observation"}
        self.assertEqual(set(values), wanted)
        self.assert_no_secret_anywhere()

    def assert_counts(self, form, resources, gone, is_marked):
        wanted = collections.Counter(resources.values())
        wanted["Observation", "entered-in-error"] = gone if is_marked else 0
        wanted["Observation", "final"] += 0 if is_marked else gone
        if "--api" in form:
            # A server that assigns its own ids creates a Device for each Bundle that carries it.
            (device,) = [key for key in wanted if key[0] == "Device"]
            wanted[device] = self.gateway.created["Device"]
        self.assertEqual(self.counts(wanted), wanted)

    def lose_a_token_and_an_answer(self):
        """At the fifth Bundle its token is revoked; the answer to the eighth is lost once the Bundle is stored."""
        taken, lost = [], []
        posts = self.gateway.posts

        def before(token):
            with self.gateway.lock:
                is_time = len(posts) >= 4 and not taken
                if is_time:
                    taken.append(token)
            if is_time:
                self.gateway.take_back(token)

        def after(answer):
            with self.gateway.lock:
                if len(posts) >= 8 and answer[0] == 200 and not lost:
                    lost.append(answer)
                    return None
            return answer

        self.gateway.before_post, self.gateway.after_post = before, after
        return taken, lost

    def assert_no_secret_anywhere(self):
        secrets = self.gateway.secrets()
        self.assertGreater(len(secrets), 3)
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        places = [path.read_bytes() for path in files] + [text.encode() for text in self.talk]
        for secret in secrets:
            self.assertFalse(any(secret.encode() in place for place in places))

    def test_tokens_that_end_on_their_way_are_no_refusal_however_often_it_happens(self):
        self.begin()
        export = self.generated("1").zip(self.folder / "export.zip")
        late = []

        def before(token):
            if len(late) < 5:
                late.append(token)
                until(lambda: not self.rig.is_active(token), pause=0.1)
                # The identity server counts from the second before the token was made, pghd from when it asked for the
                # token.
                time.sleep(1)

        self.gateway.before_post = before
        report = self.sync(export, "--concurrency", "1")
        self.assertEqual([status for _, status in self.gateway.posts[:5]], [401] * 5)
        self.assertEqual((len(set(late)), report["refused"], report["uncertain"]), (5, 0, 0))
        self.verify(export, [], 0)


class Endings(SignedInTestCase):
    # No token expires by itself, however slow the machine is.
    token_seconds = 3600

    def test_a_server_that_takes_no_token_is_not_asked_for_ever(self):
        self.begin()
        export = self.generated("1").zip(self.folder / "export.zip")
        for form in [], ["--api", "observations"]:
            with self.subTest(form=form):
                self.gateway.reset()
                self.gateway.accepts = False
                outcome = self.home_run(
                    "sync", export, "--server", self.gateway.server, "--patient", "p1", "--ledger", self.folder / "ledger", *form,
                )
                self.assertEqual(outcome.returncode, 4, outcome.stderr)
                self.assertIn("the server takes no token of this sign-in (401", outcome.stderr)
                # The refusal of a second token is proof enough.
                self.assertEqual(len(self.renewals()), 1)
                self.assertLessEqual({status for _, status in self.gateway.posts}, {401})

    def test_a_server_that_stops_taking_tokens_during_a_run_is_not_asked_for_ever(self):
        self.begin()
        export = self.generated("1").zip(self.folder / "export.zip")

        def before(_):
            if len(self.gateway.posts) >= 6:
                self.gateway.accepts = False

        self.gateway.before_post = before
        self.sync(export, code=4)
        self.assertEqual(len(self.renewals()), 1)

    def test_a_sign_in_server_that_is_too_busy_during_a_run_is_waited_for(self):
        self.begin()
        export = self.generated("1").zip(self.folder / "export.zip")
        asked = []

        def busy(_):
            asked.append(1)
            if len(asked) == 3:
                self.gateway.instead, self.gateway.accepts = {}, True
            return 503, {}, b""

        def before(_):
            if len(self.gateway.posts) >= 6 and not asked:
                self.gateway.instead["token"], self.gateway.accepts = busy, False

        self.gateway.before_post = before
        report = self.sync(export)
        self.assertEqual((len(asked), report["refused"], report["uncertain"]), (3, 0, 0))
        notice = "its sign-in server is away or too busy: trying for 600 s (--retry-for)\n"
        self.assertEqual(self.talk[-1].count(notice), 1)
        self.verify(export, [], 0)

    def test_a_sign_in_that_ends_during_a_run_is_reported_and_the_next_run_goes_on(self):
        for form in [], ["--api", "observations"]:
            with self.subTest(form=form):
                self.begin()
                export = self.generated("1").zip(self.folder / "export.zip")
                ended = []

                def before(token):
                    with self.gateway.lock:
                        is_time = len(self.gateway.posts) >= 6 and not ended
                        if is_time:
                            ended.append(token)
                    if is_time:
                        # As glewlwyd does once everything issued for a sign-in is revoked.
                        self.gateway.accepts = False
                        self.gateway.instead["token"] = lambda _: (400, {}, b"")

                self.gateway.before_post = before
                self.sync(export, *form, code=4)
                self.assertIn("pghd login", self.talk[-1])
                self.assertEqual(len(ended), 1)
                self.gateway.instead, self.gateway.accepts = {}, True
                self.home.sign_in(Browser(self.rig))
                second = self.sync(export, *form)
                self.assertGreater(second["delivered"], 0)
                self.assertEqual((second["refused"], second["uncertain"]), (0, 0))
                resources = self.resources(export)
                wanted = {i for i, (kind, _) in resources.items() if kind == "Observation"}
                values = [r["identifier"][0]["value"] for r in self.fhir.all("Observation")]
                self.assertEqual(len(values), len(set(values)))
                self.assertEqual(set(values), wanted)
                self.assertEqual(self.sync(export, *form)["requests"], {})
                self.doCleanups()


def without_twins(export, numbers):
    """The records whose sample no other one repeats: removing one of them removes a resource."""
    samples = [tuple(re.findall(r'(?:startDate|endDate|value)="[^"]*"', export.elements[n])[:3]) for n in numbers]
    counts = collections.Counter(samples)
    return [number for number, sample in zip(numbers, samples) if counts[sample] == 1]


def with_note(element):
    """The record with one more metadata entry."""
    note = '\n  <MetadataEntry key="Note" value="changed"/>\n </Record>'
    if "</Record>" in element:
        return element.replace("\n </Record>", note)
    return element.replace("/>", ">" + note, 1)


def with_value(element, value):
    """Another record of the same time."""
    head, _, rest = element.partition(' value="')
    return f'{head} value="{value}"{rest[rest.index(chr(34)) + 1:]}'


if __name__ == "__main__":
    if not os.access(SEKMET, os.X_OK):
        sys.exit("run 'Tests/setup.sh .venv-fhir-server Tests/Delivery/requirements.txt' first")
    unittest.main()
