#!/usr/bin/env python3
"""Random days of a patient: exports, faults, kills, machines and lost ledgers, in any order.

    python3 Tests/Delivery/walk.py FIRST COUNT [P
C
K]

Each seed is one walk for each form of server. At its end the newest export is delivered undisturbed. Whatever happened
before, the server then holds each of the export's resources once, with the content that `convert` gives it (of a sample
in several versions, the one that `verify` expects), and nothing that no export held; one more run sends nothing. An
older export that is delivered undisturbed on the way changes nothing back: neither what the newest delivered export
has, nor what that export lacks. The seed alone decides what is drawn; when a run is killed depends on the machine, too.
"""

import dataclasses
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
from delivery import DeliveryTestCase, key_options, named_content, names_of
from exports import packed
from scripted_server import ScriptedServer

FAULTS = [
    *({"kind": kind} for kind in ("reset-before", "reset-after", "half", "half-whole", "empty", "short", "outcome")),
    *({"kind": "status", "status": status} for status in (401, 408, 409, 412, 413, 422, 429, 500, 503, 520)),
    *({"kind": "late", "status": status} for status in (500, 502, 504)),
    {"kind": "late", "status": 404, "body": b"<html>nothing here</html>"},
    {"kind": "type", "type": "text/html"},
    {"entries": {0: 422}}, {"entries": {1: 503, 2: 503}}, {"entries": {2: 400, 3: 409}}, {"entries": {0: 500}},
    {"told": {1: "500 oops"}}, {"sleep": 0.2}, {},
]


@dataclasses.dataclass(frozen=True)
class Workout:
    """A panel: its members are the sums and the activity."""

    kind = "Workout"
    start: int
    sums: tuple = ()
    note: str = ""

    def xml(self, offset, _):
        begin, end = (moment(self.start + seconds, offset) for seconds in (0, 1800))
        times = f'sourceName="Watch" sourceVersion="10.1" startDate="{begin}" endDate="{end}"'
        sums = "".join(
            f'  <WorkoutStatistics type="HKQuantityTypeIdentifier{kind}" startDate="{begin}" endDate="{end}" '
            f'sum="{value}" unit="count"/>\n' for kind, value in self.sums
        )
        return (
            f' <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" {times}>\n'
            f"{entry(self.note)}{sums} </Workout>"
        )


@dataclasses.dataclass(frozen=True)
class Food:
    """A correlation: some of its nutrients are also at the top level, maybe in another version."""

    kind = "Food"
    start: int
    nutrients: tuple = ()
    outside: tuple = ()
    note: str = ""

    def xml(self, offset, _):
        at = moment(self.start, offset)
        times = f'sourceName="Kitchen" creationDate="{at}" startDate="{at}" endDate="{at}"'
        soup = '  <MetadataEntry key="HKFoodType" value="Soup"/>\n'

        def record(name, note=""):
            return f' <Record type="HKQuantityTypeIdentifier{name}" {times} unit="mg" value="80">\n{soup}{entry(note)} </Record>\n'

        inner = "".join(record(name) for name in self.nutrients)
        outer = "".join(record(name, note) for name, note in self.outside)
        head = f' <Correlation type="HKCorrelationTypeIdentifierFood" {times}>\n'
        return f"{outer}{head}{soup}{entry(self.note)}{inner} </Correlation>"


def moment(start, offset):
    return exports.Sample("", start, "", "").xml(offset, 0).split('startDate="')[1].split('"')[0]


def entry(note):
    return f'  <MetadataEntry key="Note" value="{note}"/>\n' if note else ""


class Patient:
    """What the phone holds, and how it changes."""

    NUTRIENTS = "DietaryCaffeine", "DietaryZinc", "DietaryIron", "DietarySodium"
    SUMS = "StepCount", "FlightsClimbed", "SwimmingStrokeCount"

    def __init__(self, chance):
        self.chance = chance
        self.minute = 0
        self.items = []
        self.gone = []
        for _ in range(chance.randint(20, 120)):
            self.add()

    def add(self):
        self.minute += self.chance.choice((1, 5, 50))
        start, draw = 60 * self.minute, self.chance.random()
        if draw < 0.6:
            self.items.append(exports.Sample("HeartRate", start, str(self.chance.randint(45, 180)), "count/min"))
        elif draw < 0.8:
            self.items.append(exports.Sample("StepCount", start, str(self.chance.randint(1, 999)), "count"))
        elif draw < 0.9:
            self.items.append(Workout(start, self.sums()))
        else:
            nutrients = self.some(self.NUTRIENTS)
            outside = tuple((name, self.note()) for name in nutrients if self.chance.random() < 0.5)
            self.items.append(Food(start, nutrients, outside))

    def some(self, names):
        return tuple(name for name in names if self.chance.random() < 0.6) or names[:1]

    def sums(self):
        return tuple((name, self.chance.randint(1, 500)) for name in self.some(self.SUMS))

    def note(self):
        return self.chance.choice(("", "", "a", "b", "c"))

    def live_a_day(self):
        for _ in range(self.chance.randint(1, 8)):
            draw, place = self.chance.random(), self.chance.randrange(len(self.items))
            item = self.items[place]
            if draw < 0.3:
                self.add()
            elif draw < 0.5 and len(self.items) > 10:
                self.gone.append(self.items.pop(place))
            elif draw < 0.6 and self.gone:
                self.items.append(self.gone.pop(self.chance.randrange(len(self.gone))))
            elif draw < 0.7 and isinstance(item, exports.Sample):
                # Two versions of one sample; an export may hold both.
                self.items.insert(self.chance.randrange(len(self.items)), dataclasses.replace(item, note=self.note()))
            elif isinstance(item, Workout) and draw < 0.9:
                self.items[place] = dataclasses.replace(item, sums=self.sums())
            elif isinstance(item, Food) and draw < 0.9:
                outside = tuple((name, self.note()) for name in item.nutrients if self.chance.random() < 0.5)
                self.items[place] = dataclasses.replace(item, nutrients=self.some(self.NUTRIENTS), outside=outside)
            else:
                self.items[place] = dataclasses.replace(item, note=self.note())

    def export(self, path, day):
        items = list(self.items)
        if self.chance.random() < 0.3:
            self.chance.shuffle(items)
        offset, pointer = self.chance.randint(0, 9), self.chance.randrange(1 << 20, 1 << 33)
        return packed(exports.write(path, items, day=day, offset=offset, pointer=pointer))


class Difference(Exception):
    pass


class Walk(DeliveryTestCase):
    """One walk in a folder of its own, which is kept if the walk ends with a difference."""

    def __init__(self, seed, form, folder):
        super().__init__()
        self.chance = random.Random(f"{seed}{form}")
        self.form, self.folder = form, folder
        keys = key_options(folder)
        self.options = {"P": [], "C": ["--conditional"], "K": keys}[form]
        self.naming = ["--conditional"] if form != "P" else []
        self.exports = []
        self.met = set()  # what any export held, by kind and identifier
        self.delivered = 0  # the number of the newest export that the ledger knows to have been sent, 0 for none
        self.elsewhere = 0  # of the newest that another machine has sent

    def runTest(self):
        self.patient = Patient(self.chance)
        with ScriptedServer(honours_if_none_exist=self.form != "K") as self.server:
            # Otherwise what another machine delivered would count as changed there since the export was made.
            self.server.last_updated = "2024-03-31T00:00:00Z"
            self.new_export()
            for _ in range(self.chance.randint(3, 10)):
                step = self.chance.choice(self.steps())
                self.note(f"{step.__name__}: export {len(self.exports)}")
                step()
                self.check_nothing_is_doubled()
                self.server.faults = []
            self.finish()

    def steps(self):
        steps = [self.new_export, self.sync_among_faults, self.sync_among_faults, self.sync, self.sync, self.delete]
        steps += [self.killed, self.verify]
        # There is no older one before there are two.
        steps += [self.new_export] if len(self.exports) == 1 else [self.sync_older] * 3
        # A server that knows only keys can neither be read nor be used from two machines.
        return steps if self.form == "K" else [*steps, self.sync_elsewhere, self.lose_the_ledger]

    def note(self, text):
        with (self.folder / "log").open("a") as log:
            log.write(text + "\n")

    # ---- steps

    def new_export(self):
        if self.exports:
            self.patient.live_a_day()
        number = len(self.exports) + 1
        self.exports.append(self.patient.export(self.folder / f"export{number}.xml", number))
        self.met |= set(self.expected(self.exports[-1]))

    def sync(self, *more, path=None):
        return self.run_once("sync", path or self.exports[-1], *more)

    def sync_among_faults(self):
        self.server.faults = [dict(self.chance.choice(FAULTS)) for _ in range(self.chance.randint(1, 4))]
        self.note(f"  {self.server.faults}")
        return self.sync("--retry-for", "1")

    def sync_older(self):
        path = self.chance.choice(self.exports[:-1])
        newest, before = self.delivered, self.found()
        self.sync(path=path)
        # This ledger does not know what another machine has delivered.
        if self.exports.index(path) + 1 < newest and self.elsewhere <= newest:
            self.check_nothing_is_changed_back(self.expected(self.exports[newest - 1]), before)

    def delete(self):
        return self.sync("--delete", "--max-delete", "1000")

    def sync_elsewhere(self):
        self.elsewhere = len(self.exports)
        return self.sync("--ledger", str(self.folder / "elsewhere"))

    def killed(self):
        self.server.faults = [{"sleep": 0.05} for _ in range(self.chance.randint(0, 8))]
        process = subprocess.Popen(
            self.arguments("sync", self.exports[-1], self.server, *self.more()), env=self.environment(),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        time.sleep(self.chance.uniform(0, 0.4))
        process.kill()
        process.wait()

    def verify(self):
        return self.run_once("verify", self.exports[-1])

    def lose_the_ledger(self):
        shutil.rmtree(self.folder / "ledger", ignore_errors=True)
        _, report = self.run_once("verify", self.exports[-1], "--rebuild")
        # A server with all of an export is known to have that one; how old its resources are otherwise, nobody knows.
        is_whole = report and not any(report[field] for field in ("missing", "different", "doubled"))
        self.delivered = len(self.exports) if is_whole else 0

    def more(self, *more):
        return [*self.options, "--max-entries", "15", *more]

    def run_once(self, name, path, *more):
        limit = [] if name == "verify" else ["--max-entries", "15"]
        code, report, said = self.run_pghd(name, path, self.server, *self.options, *limit, *more)
        counts = {field: number for field, number in (report or {}).items() if isinstance(number, int) and number}
        self.note(f"  {name} {path.name} {' '.join(more)}: {code} {said.strip()} {counts}")
        if code not in (0, 1, 3, 4, 6, 64):
            raise Difference(f"{name} ended with {code}: {said}")
        if name == "sync" and "--ledger" not in more and report and (code == 0 or report["delivered"]):
            self.delivered = max(self.delivered, self.exports.index(path) + 1)
        return code, report

    # ---- what holds

    def expected(self, path):
        """What `convert` makes of an export, by kind and identifier: a sample may have several versions."""
        entries = list(self.entries(path, *self.naming))
        names, contents = names_of(dict(entries)), {}
        for _, resource in entries:
            content = named_content(resource, names)
            contents.setdefault(name_of(content), set()).add(content)
        return contents

    def found(self):
        return {name_of(content): content for content in self.server.named_contents()}

    def check_nothing_is_changed_back(self, newest, before):
        after = self.found()
        changed = [
            name for name, content in before.items()
            if content in (right := newest.get(name, {content})) and after.get(name) not in right
        ]
        if changed:
            for name in changed[:3]:
                self.note(f"had   {before[name]}\nfound {after.get(name)}")
            raise Difference(f"an older export has changed {changed}")

    def check_nothing_is_doubled(self):
        doubled = [name for name, count in self.server.ids().items() if count > 1]
        if doubled:
            raise Difference(f"doubled: {doubled}")
        if self.server.conflicting_keys:
            raise Difference(f"one key for two Bundles: {self.server.conflicting_keys}")

    def finish(self):
        self.note("end")
        for _ in range(3):
            code, report = self.sync()
        if code != 0 or report["requests"]:
            raise Difference(f"the third run without faults: {code}, {report and report['requests']}")
        expected = self.expected(self.exports[-1])
        found = self.found()
        missing = sorted(set(expected) - set(found))
        different = sorted(name for name in set(expected) & set(found) if found[name] not in expected[name])
        unknown = sorted(set(found) - self.met)
        if missing or different or unknown:
            for name in different[:3]:
                self.note(f"expected {expected[name]}\nfound    {found[name]}")
            raise Difference(f"missing {missing}, different {different}, unknown {unknown}")
        code, report = self.verify()
        if code not in (0, 1) or any(report[field] for field in ("missing", "different", "doubled")):
            raise Difference(f"verify: {code} {json.dumps(report)}")


def name_of(content):
    kind, text = content
    return kind, json.loads(text)["identifier"][0]["value"]


def main(first, count, forms):
    differences = 0
    for seed in range(first, first + count):
        for form in forms:
            folder = Path(tempfile.mkdtemp(prefix=f"pghd-walk-{seed}{form}-"))
            try:
                Walk(seed, form, folder).runTest()
                shutil.rmtree(folder)
            except (Difference, AssertionError, subprocess.SubprocessError) as difference:
                differences += 1
                print(f"{seed} {form}: {difference}\n  see {folder}", flush=True)
    print(f"{count * len(forms)} walks, {differences} with a difference")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "PCK"))
