"""Exports as Apple writes them, from samples that a test can add, remove, change and shuffle."""

import dataclasses
import datetime
import random
import zipfile

BEGIN = datetime.datetime(2024, 3, 1, tzinfo=datetime.timezone.utc)
HOUR = 'sourceVersion="1" startDate="2024-03-01 08:00:00 +0000" endDate="2024-03-01 09:00:00 +0000"'
# A workout becomes a panel and its members, which no cut separates.
RUN = """\
 <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" sourceName="Watch" \
sourceVersion="10.1" creationDate="2024-03-02 08:31:00 +0000" startDate="2024-03-02 08:00:00 +0000" \
endDate="2024-03-02 08:30:00 +0000">
  <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" startDate="2024-03-02 08:00:00 +0000" \
endDate="2024-03-02 08:30:00 +0000" sum="310" unit="kcal"/>
  <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" startDate="2024-03-02 08:00:00 +0000" \
endDate="2024-03-02 08:30:00 +0000" average="141" minimum="90" maximum="170" unit="count/min"/>
 </Workout>
"""


@dataclasses.dataclass(frozen=True)
class Sample:
    kind: str
    start: int  # seconds since BEGIN
    value: str
    unit: str
    note: str = ""  # a metadata entry: it changes the digest but not the id

    def xml(self, offset, pointer):
        zone = datetime.timezone(datetime.timedelta(hours=offset))
        moment = (BEGIN + datetime.timedelta(seconds=self.start)).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S %z")
        device = (
            f"&lt;&lt;HKDevice: 0x{pointer:x}&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
            "hardware:Watch6,2, software:10.1&gt;"
        )
        head = (
            f' <Record type="HKQuantityTypeIdentifier{self.kind}" sourceName="Watch" sourceVersion="10.1" '
            f'device="{device}" unit="{self.unit}" creationDate="{moment}" startDate="{moment}" endDate="{moment}" '
            f'value="{self.value}"'
        )
        if not self.note:
            return head + "/>"
        return head + f'>\n  <MetadataEntry key="Note" value="{self.note}"/>\n </Record>'


def samples(count, seed=1):
    """`count` heart rates and half as many step counts."""
    chance = random.Random(seed)
    rates = [Sample("HeartRate", 60 * i + seed, str(chance.randint(45, 180)), "count/min") for i in range(count)]
    steps = [Sample("StepCount", 600 * i + seed, str(chance.randint(1, 999)), "count") for i in range(count // 2)]
    return rates + steps


def write(path, samples, day=1, offset=1, pointer=0x283A9C0F0, sex="HKBiologicalSexFemale", birth="1980-02-03"):
    """Writes an export made `day` days after 1 April 2024."""
    date = (datetime.datetime(2024, 4, 1) + datetime.timedelta(days=day)).strftime("%Y-%m-%d 08:00:00")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<HealthData locale="en_GB">',
        f' <ExportDate value="{date} +0{offset}00"/>',
        f' <Me HKCharacteristicTypeIdentifierDateOfBirth="{birth}" '
        f'HKCharacteristicTypeIdentifierBiologicalSex="{sex}" '
        'HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" '
        'HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" '
        'HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>',
        *(sample.xml(offset, pointer) for sample in samples),
        "</HealthData>",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def packed(path):
    """The export as the phone hands it out: a zip that holds all there is."""
    target = path.with_suffix(".zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, "apple_health_export/export.xml")
    return target


def sum_of(kind, value):
    return f'<WorkoutStatistics type="HKQuantityTypeIdentifier{kind}" {HOUR} sum="{value}" unit="count"/>\n'


def workout(minutes, *sums):
    return (
        f'<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="{minutes}" durationUnit="min" '
        f'sourceName="Watch" {HOUR}>\n{"".join(sums)}</Workout>\n'
    )
