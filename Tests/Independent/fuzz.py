#!/usr/bin/env python3
"""Converts random exports and compares every id, Device, cut and key with docs/formats.md.

    python3 Tests/Independent/fuzz.py PGHD [FIRST [COUNT]]

PGHD is the built command, FIRST the first seed (0), COUNT how many (100). A seed makes the same export on every
machine; one that fails is kept as fuzz-SEED.xml in the current folder. The exports are full of what is rare: doubled
keys, blank and odd names, entities followed by accents, numbers of any length, other orders of attributes, twins,
panels whose records come before them, after them, twice or nowhere else.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import exports
import pghd1
import test_counts
from test_identity import faults

CHARACTERS = [*"ab;&<>\"',:0-", "é", "e\u0301", "\u00a0", "\u202f", " ", "  ", ", ", "\u212a", "\u0301", "\u0338"]
CHARACTERS += ["\U0001f600", "健", "\u2028", "\ufffd"]
UNITS = [*pghd1.UNITS, "", " ", "furlong", "mmol<180.1558800000541>/L", "<x>kg", "k<>g", ">kg<", "\u212a", "mL/min\u0387kg"]
TYPES = [
    "HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierBodyMass", "HKQuantityTypeIdentifierOxygenSaturation",
    "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryTypeIdentifierAudioExposureEvent",
    "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent", "HKCategoryTypeIdentifierHighHeartRateEvent",
    "HKDataTypeX", "HKCategoryTypeIdentifier", "HKCategoryTypeIdentifie", "H\u212aQuantityTypeIdentifierBodyMass",
    "HKCorrelationTypeIdentifierFood", "", " ", "  a  b ",
]  # fmt: skip
ODD_DATES = [
    "", "2024-02-30 08:00:00 +0100", "2024-06-01 08:00:00 +1500", "0001-01-01 00:00:00 +0000",
    "0001-01-02 00:00:00 +0000", "9999-12-31 23:00:00 +0000", "1969-12-31 23:59:59 +0000",
]  # fmt: skip
ODD_NUMBERS = [
    "-0", "0.0", "-0.00", "0e0", "0e500", "1e", ".5", "NaN", "0" * 30, "0." + "0" * 398 + "1", "0." + "0" * 400 + "1",
    "1" + "0" * 30, "9" * 19 + ".9",
]  # fmt: skip
PANELS = {
    "HKCorrelationTypeIdentifierBloodPressure": [
        "HKQuantityTypeIdentifierBloodPressureSystolic", "HKQuantityTypeIdentifierBloodPressureDiastolic",
    ],
    "HKCorrelationTypeIdentifierFood": [
        "HKQuantityTypeIdentifierDietaryProtein", "HKQuantityTypeIdentifierDietarySugar",
        "HKQuantityTypeIdentifierDietaryWater", "HKQuantityTypeIdentifierDietary",
    ],
    "HKCorrelationTypeIdentifierSleep": ["HKQuantityTypeIdentifierHeartRate"],
    "H\u212aCorrelationTypeIdentifierFood": ["HKCategoryTypeIdentifierSleepAnalysis"],
}  # fmt: skip
# Only limits on entries: the output does not show how many bytes a losing twin had.
VARIANTS = {
    "fuzz": [],
    "fuzz.conditional": ["--conditional"],
    "fuzz.few": ["--max-entries", "40"],
    "fuzz.few-conditional": ["--conditional", "--max-entries", "40"],
    "fuzz.tiny": ["--max-entries", "3"],
    "fuzz.tiny-conditional": ["--conditional", "--max-entries", "7"],
}
KEYS = [
    "HKTimeZone", "HKFoodType", "HKFoodMeal", "HKDeviceManufacturerName", "HKDeviceName", "HKExternalUUID", "HKMetadataKeySyncIdentifier", "HKMetadataKeySyncVersion", "x",
    "_HKPrivateWorkoutWeatherLocationCoordinatesLatitude", "HKDeviceSerialNumber", "HKUDIDeviceIdentifier",
    "HKWasTakenInLab", "HKHeartRateSensorLocation",
]  # fmt: skip


class Writer:
    """One random export."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, probability):
        return self.random.random() < probability

    def text(self, most=6):
        return "".join(self.pick(*CHARACTERS) for _ in range(self.random.randint(0, most)))

    def escaped(self, text):
        named = {"&": "&amp;", "<": "&lt;", '"': "&quot;"}
        out = ""
        for character in text:
            if character in named:
                out += named[character]
            elif character == ">" and self.chance(0.8):
                out += "&gt;"
            elif self.chance(0.01):
                out += f"&#{ord(character)};"
            else:
                out += character
        return out

    def digits(self, most):
        return "".join(self.pick(*"0123456789") for _ in range(self.random.randint(1, most)))

    def number(self):
        kind = self.random.random()
        if kind < 0.3:
            return str(self.random.randint(-5, 300))
        if kind < 0.6:
            return repr(self.random.uniform(0, 200))
        if kind < 0.7:  # near a tie
            return f"{self.random.randint(1, 99999)}.{'0' * self.random.randint(0, 8)}5"
        if kind < 0.8:
            return self.digits(25) + self.pick("", "." + self.digits(25))
        if kind < 0.9:
            return repr(self.random.uniform(-1, 1)) + self.pick("e5", "E-7", "e+12", "e-300", "e399", "e-390", "e1001")
        return self.pick(*ODD_NUMBERS, self.text())

    def date(self):
        if self.chance(0.03):
            return self.pick(*ODD_DATES)
        parts = [self.random.randint(*range_) for range_ in [(20, 24), (1, 12), (1, 28), (0, 23), (0, 59), (0, 59)]]
        return "20{:02}-{:02}-{:02} {:02}:{:02}:{:02} ".format(*parts) + self.pick("+0100", "+0100", "-0930", "+0545")

    def device(self):
        pointer = f"0x{self.random.getrandbits(30):x}"
        kind = self.random.random()
        if kind < 0.3:
            return None
        if kind < 0.6:
            watch = "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:9.1"
            return f"<<HKDevice: {pointer}>, {watch}>"
        opening = self.pick(
            f"<<HKDevice: {pointer}>", "<<HKDevice:>", "<<HKDevice", f"<<Gadget: {pointer}>",
            f"&lt;&lt;HKDevice: {pointer}&gt;", f"<<HKDevice: {self.text(3)}>",
        )  # fmt: skip
        names = [*pghd1.DEVICE_FIELDS, "creation date", "odd"]
        fields = [self.pick(*names) + self.pick(":", ":", " :", "") + self.text(5) for _ in range(self.random.randint(0, 5))]
        return opening + self.pick(", ", "", ",") + ", ".join(fields) + self.pick(">", "", ">>")

    def record(self, type_):
        start, end, source, value = self.pick(*self.pool)
        start = self.date() if self.chance(0.5) else start
        end = start if self.chance(0.5) else end
        value = self.number() if self.chance(0.3) else value
        if self.chance(0.1):
            source = self.pick("Health", "Santé", "Sante\u0301", "健康", self.text())
        if "Category" in type_ and self.chance(0.8):
            value = self.pick(*pghd1.NUMBERS)
        unit = self.pick(None, *UNITS, self.text(3)) if self.chance(0.5) else self.pick("kg", "count/min")
        attributes = [
            ("type", type_), ("sourceName", source), ("sourceVersion", self.pick(None, "1", "2", " ", "")),
            ("device", self.device()), ("unit", unit), ("creationDate", self.pick(None, start)), ("startDate", start),
            ("endDate", end), ("value", self.pick(value, value, value, None)),
        ]  # fmt: skip
        attributes = [(name, text) for name, text in attributes if text is not None]
        if self.chance(0.1):
            self.random.shuffle(attributes)
        if self.chance(0.05):
            attributes.append(("odd", self.text()))
        gap = self.pick(" ", " ", " ", "  ", "\n   ")
        tag = " <Record" + gap + " ".join(f'{name}="{self.escaped(text)}"' for name, text in attributes)
        values = ["", "a", "b", "ab", "1", "2", "10", "Europe/Paris", "x&y", "2024-06-01 08:00:00 +0100"]
        metadata = [(self.pick(*KEYS), self.pick(*values, self.text(3))) for _ in range(self.pick(0, 0, 0, 1, 2, 4))]
        if not metadata:
            return tag + self.pick("/>", " />", "></Record>") + "\n"
        return tag + ">\n" + self.entries(metadata) + " </Record>\n"

    def entries(self, metadata):
        return "".join(f'  <MetadataEntry key="{key}" value="{self.escaped(text)}"/>\n' for key, text in metadata)

    def panel(self):
        """A correlation and copies of some of its records at the top level, in any order."""
        type_ = self.pick(*PANELS) if self.chance(0.2) else self.pick(*list(PANELS)[:2])
        kinds = PANELS[type_]
        types = list(kinds) if self.chance(0.6) else [self.pick(*kinds) for _ in range(self.random.randint(0, 6))]
        if self.chance(0.1):
            types.append(self.pick(*TYPES, *(kind for kinds in PANELS.values() for kind in kinds)))
        children = [self.child(type_) if self.chance(0.7) else self.record(type_) for type_ in types]
        if children and self.chance(0.2):
            children.append(self.pick(*children))
        start, end, source, _ = self.pick(*self.pool)
        attributes = [("type", type_), ("sourceName", source), ("sourceVersion", "1"), ("device", self.device())]
        attributes += [("startDate", start), ("endDate", self.pick(start, start, end)), ("odd", self.pick(None, None, "", self.text()))]
        texts = [f'{name}="{self.escaped(text)}"' for name, text in attributes if text is not None]
        metadata = [(self.pick(*KEYS), self.pick("", "a", "b", "1", "2", self.text(3))) for _ in range(self.pick(0, 0, 1, 2))]
        inside = [self.entries([pair]) for pair in metadata] + children
        if self.chance(0.05):
            inside.append("<A>" + self.record(self.pick(*types) if types else "x") + "</A>")
        if self.chance(0.5):
            self.random.shuffle(inside)
        panel = " <Correlation " + " ".join(texts) + ">\n" + "".join(inside) + " </Correlation>\n"
        before = [child for child in children if self.chance(0.4)]
        behind = [child for child in children if self.chance(0.4)]
        return [*before, *([panel] if self.chance(0.9) else [panel, panel]), *behind]

    def tag(self, name, attributes, inside=""):
        pairs = "".join(f' {key}="{self.escaped(text)}"' for key, text in attributes.items() if text is not None)
        return f"<{name}{pairs}>{inside}</{name}>\n"

    def workout(self):
        """A workout; its children often repeat each other or the workout."""
        start, end, source, _ = self.pick(*self.pool)
        odd = self.date()
        values = [None, "", "12", "12.0", "0", "x", "-3", "1e3"]
        types = ["HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierActiveEnergyBurned", "Odd",
                 "HKQuantityTypeIdentifierDistanceWalkingRunning", None]  # fmt: skip
        activities = ["HKWorkoutActivityTypeRunning", "HKWorkoutActivityTypeRowing", "Odd", None]
        common = {"duration": self.pick(*values), "durationUnit": self.pick("min", "s", "hr", "odd", None)}

        def statistics():
            times = self.pick({}, {"startDate": start, "endDate": end}, {"startDate": start, "endDate": odd})
            names = ["sum", "average", "minimum", "maximum"]
            numbers = {name: self.pick(*values) for name in names if self.chance(0.5)}
            return self.tag("WorkoutStatistics", {"type": self.pick(*types), **times, **numbers, "unit": self.pick("km", "kcal", None)})

        def event():
            moment = {"date": self.pick(start, start, odd, None), "duration": self.pick(*values, "0.0005", "1.0005")}
            kind = {"type": self.pick("HKWorkoutEventTypeLap", "HKWorkoutEventTypePause", "Odd", None)}
            entries = [(self.pick("a", "b", ""), self.pick("1", "2", "")) for _ in range(self.pick(0, 1, 2))]
            return self.tag("WorkoutEvent", {**kind, **moment, "durationUnit": self.pick("min", "s", None)}, self.entries(entries))

        def parts():
            made = [self.pick(statistics, event)() for _ in range(self.random.randint(0, 5))]
            return made + ([self.pick(*made)] if made and self.chance(0.2) else [])

        inside = parts()
        for _ in range(self.pick(0, 0, 1, 1, 2)):
            repeated = [self.pick(*inside)] if inside and self.chance(0.5) else parts()
            times = self.pick({"startDate": start, "endDate": end}, {"startDate": start}, {"startDate": odd, "endDate": end}, {})
            more = {"uuid": self.pick("A", "B", None), "workoutActivityType": self.pick(activities[0], None, None)}
            inside.append(self.tag("WorkoutActivity", {**more, **times, **self.pick(common, {})}, "".join(repeated)))
        inside += [self.record(self.pick(*TYPES)) for _ in range(self.pick(0, 0, 1, 3))]
        inside += self.pick([], [], [self.tag("WorkoutRoute", {"startDate": start}), self.tag("Odd", {})])
        inside += [self.entries([(self.pick(*KEYS), self.pick("a", "1", ""))]) for _ in range(self.pick(0, 0, 1, 2))]
        if self.chance(0.3):
            self.random.shuffle(inside)
        totals = {name: self.pick(*values) for name in ("totalDistance", "totalEnergyBurned", "totalFlightsClimbed") if self.chance(0.3)}
        attributes = {"workoutActivityType": self.pick(*activities), **common, **totals, "totalDistanceUnit": self.pick("km", None),
                      "sourceName": source, "device": self.device(), "startDate": start, "endDate": self.pick(end, start)}  # fmt: skip
        return " " + self.tag("Workout", attributes, "".join(inside)) * self.pick(1, 1, 2)

    def child(self, type_):
        """A record such as Apple writes in a panel."""
        start, _, source, _ = self.pick(*self.pool)
        unit = self.pick("mmHg", "mmHg", "mmHg", "kPa", "hPa", "cmAq", "furlong") if "Pressure" in type_ else "g"
        number = self.pick("118", "15.998686489800002", "1e2", "0", "-1.50", "120.0000000000000000001", self.number())
        value = self.escaped(number)
        return (
            f'  <Record type="{type_}" sourceName="{self.escaped(source)}" unit="{unit}" startDate="{start}"'
            f' endDate="{start}" value="{value}"/>\n'
        )

    def export(self):
        """The XML."""
        self.pool = [(self.date(), self.date(), self.text(4), self.number()) for _ in range(15)]
        self.panels = self.pick(0, 0.05, 0.3)
        type_ = self.pick(*TYPES)
        parts = []
        for _ in range(self.random.randint(1, 400)):
            type_ = self.pick(*TYPES) if self.chance(0.05) else type_
            if self.chance(self.panels):
                parts += self.panel() if self.chance(0.7) else [self.workout()]
            parts.append(self.record(type_))
            if self.chance(0.02):
                dates = 'startDate="2024-06-01 08:00:00 +0100" endDate="2024-06-01 08:00:00 +0100"'
                parts.append(
                    self.pick(f' <!-- <Record type="A" {dates}/> -->\n', " <Workout/>\n", f' <A><Record type="A" {dates}/></A>\n', "\n")
                )
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<HealthData locale="en_IE">\n'
        return head + ' <ExportDate value="2024-07-01 08:00:00 +0100"/>\n' + "".join(parts) + "</HealthData>\n"


def main(pghd, first=0, count=100):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.xml"
        for seed in range(int(first), int(first) + int(count)):
            xml = Writer(seed).export()
            path.write_text(xml)
            export = exports.read(path)
            for name, options in VARIANTS.items():
                output, report = path.with_suffix(".ndjson"), path.with_suffix(".json")
                command = [pghd, "convert", str(path), "--patient", "sample", "-o", str(output), "--report", str(report)]
                output.unlink(missing_ok=True)
                report.unlink(missing_ok=True)
                run = subprocess.run([*command, *options], capture_output=True, text=True)
                # 1: some dates are unusable.
                found = [f"exit code {run.returncode}"] if run.returncode not in (0, 1) else []
                if not found:
                    lines = output.read_text().split("\n")[:-1]
                    found += faults(name, lines, export)
                    found += test_counts.faults(name, lines, json.loads(report.read_text()), export)
                    # Both parsers give the same result.
                    written = output.read_bytes()
                    again = subprocess.run([*command, *options, "--force", "--parser", "libxml2"], capture_output=True)
                    if (again.returncode, output.read_bytes()) != (run.returncode, written):
                        found.append("--parser libxml2 makes something else of it")
                if found:
                    failed += 1
                    Path(f"fuzz-{seed}.xml").write_text(xml)
                    print(f"seed {seed}, {name}: {found[0]}")
                    break
    print(f"{count} exports, {failed} with faults")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
