"""Daily summaries of samples, by docs/formats.md: exact fractions, rounded once."""

import re
from collections import defaultdict
from datetime import date, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pghd1
from pghd1 import SEPARATOR, canonical_source, device_fields, number_of, plain, rounded, seconds, unit_rule

QUANTITY = b"HKQuantityTypeIdentifier"
SLEEP, RESTING = b"HKCategoryTypeIdentifierSleepAnalysis", QUANTITY + b"RestingHeartRate"
# In the order in which they are written: the divisor, and the decimals that are kept.
SERIES = {
    **{QUANTITY + name: (1, 0) for name in (b"StepCount", b"FlightsClimbed")},
    **{QUANTITY + b"Distance" + name: (1, 3) for name in (b"WalkingRunning", b"Cycling", b"Swimming", b"Wheelchair")},
    **{QUANTITY + name + b"EnergyBurned": (4184, 3) for name in (b"Active", b"Basal")},
    **{QUANTITY + b"Apple" + name + b"Time": (60, 2) for name in (b"Exercise", b"Move", b"Stand")},
    RESTING: (1, 3),
    SLEEP: (60, 2),
}
# The units in which each type can be added up.
LENGTHS, ENERGIES, TIMES = b"m km cm mm in ft yd mi".split(), b"J kJ cal kcal Cal".split(), b"s ms min hr d".split()
UNITS = {
    **{type_: [b"count"] for type_ in SERIES if type_.endswith(b"Count") or type_.endswith(b"Climbed")},
    **{type_: LENGTHS for type_ in SERIES if b"Distance" in type_},
    **{type_: ENERGIES for type_ in SERIES if type_.endswith(b"Burned")},
    **{type_: TIMES for type_ in SERIES if type_.endswith(b"Time")},
    RESTING: b"count/min count/s count/hr rpm".split(),
}
STAGES = rb"[0-5]|HKCategoryValueSleepAnalysis\w+"
IN_BED, AWAKE = 0, 2
MOST_RUNNING = 100


class Sample:
    def __init__(self, record, row):
        self.start = seconds(record["startDate"])
        self.end = max(self.start, seconds(record["endDate"]))
        self.source, self.id = source_rank(record), int(row.id[-16:], 16)
        self.version = row.rank, row.digest
        self.value = None
        if record["type"] == SLEEP:
            stage = pghd1.identity_value(record, b"Category")
            is_own = re.fullmatch(STAGES, record.get("value") or b"")
            self.value = int(stage) if is_own and re.fullmatch(b"[0-5]", stage) else None
            return
        rule = unit_rule(record.get("unit") or b"")
        number = number_of(record.get("value") or b"")
        if rule and is_of(record["type"], record["unit"]) and number is not None and number >= 0:
            factor, addend = rule
            self.value = rounded((number + addend) * factor / SERIES[record["type"]][0], 18)


def is_of(type_, unit):
    """Whether a unit, without a molar mass, is one that a type can be added up in."""
    return re.sub(b"<[^>]*>", b"", unit, count=1) in UNITS[type_]


def source_rank(record):
    """The lowest rank counts: a watch, a phone, another device, none; then a hash of both names.

    Without a device's hardware the source's name says whether it is a watch or a phone.
    """
    hardware = device_fields(record.get("device", b""))["hardware"]
    source = canonical_source(record.get("sourceName", b""))
    if hardware:
        rank = 0 if hardware.startswith(b"Watch") else 1 if hardware.startswith(b"iPhone") else 2
    else:
        rank = 0 if b"Apple Watch" in source else 1 if b"iPhone" in source else 3
    fnv = 0xCBF29CE484222325
    for byte in hardware + b"\x1f" + source if hardware else source:
        fnv = (fnv ^ byte) * 0x100000001B3 % 2**64
    return rank, fnv >> 2


class Days:
    """The days of a zone, from midnight or, with `shift`, from the noon before."""

    def __init__(self, zone, shift):
        self.zone, self.shift = ZoneInfo(zone or "UTC"), shift

    def offset(self, instant):
        return (pghd1.EPOCH + timedelta(seconds=instant)).astimezone(self.zone).utcoffset() // timedelta(seconds=1)

    def day(self, instant):
        return (instant + self.offset(instant) + self.shift) // 86400

    def end(self, day):
        local = (day + 1) * 86400 - self.shift
        guess = local - self.offset(local)
        # There is no midnight where clocks go forward at it, and two where they go back over it: the last one before
        # which it is still this day.
        ends = {local - self.offset(guess + hours * 3600) for hours in (-12, 12)}
        return max((end for end in ends if self.day(end - 1) <= day < self.day(end)), default=guess)

    def split(self, start, end):
        """The days of a time interval, each with its seconds."""
        while True:
            day = self.day(start)
            stop = min(end, max(self.end(day), start + 1))
            yield day, stop - start
            start = stop
            if start >= end:
                return


def stretches(samples):
    """(start, end, those that count) of each interval in which the same samples run."""
    instants = [s for s in samples if s.start == s.end]
    lasting = [s for s in samples if s.start < s.end]
    cuts = sorted({time for s in samples for time in (s.start, s.end)})
    for start, end in zip(cuts, [*cuts[1:], None]):
        running = [s for s in lasting if s.start <= start < s.end]
        best = min((s.source for s in running), default=None)
        counting = [s for s in instants if s.start == start and (best is None or s.source <= best)]
        first = min((s.source for s in counting), default=None)
        if counting:
            yield start, start, [s for s in counting if s.source == first]
        if running:
            yield start, end, [s for s in running if s.source == best]


def crowded(samples, days):
    """The days in which so many samples run at some instant that their sum means nothing."""
    found, running, begin = set(), 0, None
    changes = sorted((time, change) for s in samples if s.start < s.end for time, change in ((s.start, 1), (s.end, -1)))
    for place, (time, change) in enumerate(changes):
        running += change
        if place + 1 < len(changes) and changes[place + 1][0] == time:
            continue
        if begin is not None:
            found |= set(range(days.day(begin), days.day(time - 1) + 1))
        begin = time if running > MOST_RUNNING else None
    return found


def totals(type_, samples, days):
    """The value of each day; for sleep, the seconds by stage."""
    values, stages = defaultdict(Fraction), defaultdict(lambda: defaultdict(int))
    if type_ == RESTING:
        by_day = defaultdict(list)
        for sample in samples:
            by_day[days.day(sample.start)].append(sample)
        for day, all_ in by_day.items():
            best = min(sample.source for sample in all_)
            counting = [sample.value for sample in all_ if sample.source == best]
            values[day] = sum(counting) / len(counting)
    elif type_ == SLEEP:
        nothing = set()
        for group in (lambda s: s.value == IN_BED, lambda s: s.value != IN_BED):
            nothing |= crowded(list(filter(group, samples)), days)
            for start, end, counting in stretches(list(filter(group, samples))):
                if start < end:
                    stage = max((s.start, s.value) for s in counting)[1]
                    for day, length in days.split(start, end):
                        stages[day][stage] += length
        for day, found in stages.items():
            asleep = sum(length for stage, length in found.items() if stage not in (IN_BED, AWAKE))
            values[day] = Fraction(asleep, 60)
        for day in nothing:
            values.pop(day, None)
    else:
        for start, end, counting in stretches(samples):
            for day, length in days.split(start, end):
                for sample in counting:
                    whole = sample.end - sample.start
                    values[day] += sample.value * Fraction(length, whole) if whole else sample.value
        for day in crowded(samples, days):
            values.pop(day, None)
    return values, stages


def summaries(scheme, export):
    """The Observations, one type after the other, by day."""
    found = defaultdict(dict)
    workouts = [item for item in export.items if not isinstance(item, dict) and item.name == "Workout"]
    for record in [*export.records, *(r.record() for workout in workouts for r in workout.all("Record"))]:
        row = scheme.observation(record) if record.get("type") in SERIES else None
        if row:
            sample = Sample(record, row)
            if sample.value is not None and sample.end - sample.start <= 31 * 86400:
                twin = found[record["type"]].setdefault(sample.id, sample)
                if sample.version > twin.version:
                    found[record["type"]][sample.id] = sample
    exported = seconds(export.date)
    for type_, (_, decimals) in SERIES.items():
        days = Days(export.zone, 43200 if type_ == SLEEP else 0)
        samples = sorted(found[type_].values(), key=lambda s: (s.start, s.end, s.source, s.id))
        values, stages = totals(type_, samples, days)
        for day, value in sorted(values.items()):
            text = (date(1970, 1, 1) + timedelta(days=day)).isoformat().encode()
            is_open = exported is not None and day >= days.day(exported)
            status = b"preliminary" if is_open else b"final"
            said = [plain(Fraction(round(value * 10**decimals), 10**decimals))]
            said += [b"%d=%d" % stage for stage in sorted(stages[day].items())]
            digest = scheme.named(b"DailySummary", type_, b"", SEPARATOR.join([text, b"", b""]))
            row = pghd1.Resource(
                "Observation", "h" + digest[:16].hex(), scheme.fields_digest([type_, text, status, *said])
            )
            row.group, row.status, row.value = b"DailySummary " + type_, status.decode(), said[0].decode()
            yield row
