"""What elements other than records and correlations are mapped to."""

import hashlib
import re
from collections import Counter
from datetime import timedelta

import pghd1
from pghd1 import SEPARATOR, Mapped, canonical_source, identity_value, number_of, rounded, seconds, unless_blank

# --- Workouts -----------------------------------------------------------------------

HEART_RATE = b"HKQuantityTypeIdentifierHeartRate"
# "Distances of old workouts"
DISTANCES = {
    b"HKWorkoutActivityType" + activity.encode(): b"HKQuantityTypeIdentifierDistance" + distance
    for distance, activities in [
        (b"WalkingRunning", "Walking Running Hiking"),
        (b"Cycling", "Cycling HandCycling"),
        (b"Swimming", "Swimming"),
        (b"Wheelchair", "WheelchairWalkPace WheelchairRunPace"),
        (b"DownhillSnowSports", "DownhillSkiing Snowboarding"),
    ]
    for activity in activities.split()
}
TOTALS = [
    ("totalDistance", None),
    ("totalEnergyBurned", b"HKQuantityTypeIdentifierActiveEnergyBurned"),
    ("totalSwimmingStrokeCount", b"HKQuantityTypeIdentifierSwimmingStrokeCount"),
    ("totalFlightsClimbed", b"HKQuantityTypeIdentifierFlightsClimbed"),
]


def unique(items):
    return list(dict.fromkeys(items))


def statistics_of(element):
    """(type, start, end, sum, unit, average, minimum, maximum) of each."""
    found = []
    for child in element.named("WorkoutStatistics"):
        if unless_blank(child.get("type")):
            start, end = seconds(child.get("startDate")), seconds(child.get("endDate"))
            if start is None or end is None or end < start:
                start = end = None
            values = [unless_blank(child.get(name)) for name in ("sum", "unit", "average", "minimum", "maximum")]
            found.append((child.get("type"), start, end, *values))
    for attribute, type_ in TOTALS:
        type_ = type_ or DISTANCES.get(element.get("workoutActivityType"), b"totalDistance")
        value = unless_blank(element.get(attribute))
        is_said = any(
            one[3] and (one[0] == type_ or attribute == "totalDistance" and one[0].startswith(b"HKQuantityTypeIdentifierDistance"))
            for one in found
        )
        if value and not is_zero(value) and not is_said:
            found.append((type_, None, None, value, element.get(attribute + "Unit"), None, None, None))
    return in_order(found)


def in_order(statistics):
    low = float("-inf")

    def key(one):
        type_, start, end, total, unit, *values = one
        said = [text or b"" for text in (total, *values, unit)]
        return type_, low if start is None else start, low if end is None else end, SEPARATOR.join(said)

    return sorted(unique(statistics), key=key)


def milliseconds(value, unit):
    """A duration in whole milliseconds, None if it is not a duration."""
    factor = {b"s": 1000, b"min": 60_000, b"hr": 3_600_000}.get(unit)
    number = number_of(value) if value else None
    if number is None or factor is None or value.startswith(b"-"):
        return None
    return min(round(rounded(rounded(number, 18) * factor, 18)), 3_155_760_000_000)


def metadata_of(element):
    return sorted({(k, v) for k, v in element.record()["metadata"] if k and v})


def events_of(element):
    """(start, milliseconds, type, metadata, whether its duration is unusable) of each."""
    found = []
    for child in element.named("WorkoutEvent"):
        start = seconds(child.get("date"))
        if unless_blank(child.get("type")) and start is not None:
            length = milliseconds(child.get("duration"), child.get("durationUnit"))
            # There is no end after the last year.
            if length is not None and pghd1.EPOCH + timedelta(seconds=start) > pghd1.LAST - timedelta(seconds=length // 1000):
                length = None
            is_odd = child.get("duration") is not None and length is None
            found.append((start, length or 0, child.get("type"), tuple(metadata_of(child)), is_odd))
    return unique(sorted(found))


class Part:
    def __init__(self, element):
        self.start, self.end = seconds(element.get("startDate")), seconds(element.get("endDate"))
        self.activity, self.uuid = element.get("workoutActivityType"), element.get("uuid")
        self.duration = (element.get("duration"), element.get("durationUnit")) if element.get("duration") else None
        self.statistics, self.events = statistics_of(element), events_of(element)
        # An event without a type or date is unusable, and so is a statistic without a type.
        self.left_out = [
            child.name for child in element.children
            if child.name == "WorkoutStatistics" and not unless_blank(child.get("type"))
            or child.name == "WorkoutEvent" and (not unless_blank(child.get("type")) or seconds(child.get("date")) is None)
        ]

    def absorbs(self, inner, start, end):
        """Whether an activity repeats the whole workout; it is then merged into it."""
        own = {}
        for one in self.statistics:
            own.setdefault(one[0], []).append(one)
        if not (
            (start if inner.start is None else inner.start) == start
            and (end if inner.end is None else inner.end) == end
            and inner.activity in (None, self.activity)
            and (inner.duration is None or self.duration is None or inner.duration == self.duration)
            and all(one[0] not in own or one in own[one[0]] for one in inner.statistics)
        ):
            return False
        self.duration = self.duration or inner.duration
        self.statistics = in_order([*self.statistics, *inner.statistics])
        self.events = unique(sorted([*self.events, *inner.events]))
        return True


def ordinal(count):
    """The extra word of the second and each later element with the same words: its number."""
    return [str(count).encode()] if count > 1 else []


def workout(scheme, element, export):
    inside = [scheme.observation(record.record()) for record in element.all("Record")]
    nested = [row for row in inside if row]
    mapped = Mapped()
    mapped.unusable = sum(row is None and not pghd1.unusable(r.attributes) for row, r in zip(inside, element.all("Record")))
    mapped.backwards = sum(row.backwards for row in nested)
    start, end = seconds(element.get("startDate")), seconds(element.get("endDate"))
    if start is None or end is None or pghd1.has_long_source(element):
        mapped.unusable += 1
        mapped.units = [nested] if nested else []
        return mapped
    mapped.backwards += end < start
    end = max(start, end)
    metadata = element.record()["metadata"]
    sync = pghd1.sync_identifier(metadata, pghd1.canonical_source(element.get("sourceName") or b""))
    content = element.without("WorkoutRoute")
    type_ = element.get("workoutActivityType") or b""

    def named(words, first, last):
        if sync:
            own = [str(first).encode(), str(last).encode()] if (first, last) != (start, end) else []
            tail = [b"", b"", sync, *own, *words]
        else:
            tail = [str(first).encode(), str(last).encode(), SEPARATOR.join(words)]
        row = scheme.sample(element, b"Workout", type_, SEPARATOR.join(tail), content, metadata)
        row.digest = scheme.digest_at(content, start, end, pghd1.metadata_entry(metadata, b"HKTimeZone"))
        row.group = b"Workout"
        return row

    def panel(part, first, last, prefix=(), activity=None, inner=()):
        rows, members, words = [], [], list(prefix)

        def add(word, first=first, last=last):
            rows.append(named([*words, *word], first, last))
            members.append(rows[-1].id)

        if activity is not None:
            add([b"activity"])
        if part.duration:
            add([b"duration"])
        used, again = set(), Counter()
        for kind, one_start, one_end, total, _, *values in part.statistics:
            names = [b"sum " + kind] if total else []
            numbers = [name for name, text in zip((b"average", b"minimum", b"maximum"), values) if text and number_of(text) is not None]
            if kind == HEART_RATE:
                names += [name + b" " + kind for name in (b"average", b"maximum", b"minimum") if name in numbers]
            elif numbers:
                names.append(b"statistics " + kind)
            if not names:
                mapped.add_left_out(["WorkoutStatistics"])
            for name in names:
                times = (first, last) if one_start is None else (one_start, one_end)
                word = (name, *(str(time).encode() for time in times)) if name in used else (name,)
                again[word] += 1
                add([*word, *ordinal(again[word])])
                used.add(name)
        counts = Counter()
        for moment, length, kind, entries, _ in part.events:
            if entries:
                counts[moment, length, kind] += 1
                count = counts[moment, length, kind]
                add([b"event", kind, str(length).encode(), *ordinal(count)], moment, moment)
        for unit in inner:
            rows.extend(unit)
            members.append(unit[-1].id)
        if not prefix:
            members.extend(row.id for row in mapped_children)
        row = named(words, first, last)
        row.members = members
        return [*rows, row]

    mapped_children = [scheme.observation(record.record()) for record in element.named("Record")]
    mapped_children = sorted({row.id: row for row in mapped_children if row}.values(), key=lambda row: row.id)
    whole = Part(element)
    activities = {pghd1.canonical(child): child for child in element.named("WorkoutActivity")}
    parts = [Part(child) for _, child in sorted(activities.items(), key=lambda pair: pair[0])]
    for part in [whole, *parts]:
        mapped.add_left_out(part.left_out)
    low, high = float("-inf"), float("inf")
    parts.sort(key=lambda p: (low if p.start is None else p.start, high if p.end is None else p.end, p.uuid or b""))
    if len(parts) == 1 and whole.absorbs(parts[0], start, end):
        parts = []
    inner, counts = [], Counter()
    for part in parts:
        first = start if part.start is None else part.start
        last = max(first, end if part.end is None else part.end)
        counts[first, last] += 1
        words = [b"WorkoutActivity", *ordinal(counts[first, last])]
        part.events = [event for event in part.events if event not in whole.events]
        inner.append(panel(part, first, last, words, part.activity))
    mapped.units = [[*nested, *panel(whole, start, end, activity=type_, inner=inner)]]
    for child in element.named("WorkoutRoute"):
        if export.includes_routes:
            zone = pghd1.metadata_entry(metadata, b"HKTimeZone") or b""
            route(scheme, child, start, end, mapped.units[0][-1].id, zone, mapped)
        else:
            mapped.add_left_out(["WorkoutRoute"])
    return mapped


# --- Files --------------------------------------------------------------------------


def route(scheme, element, start, end, panel, zone, mapped):
    """Adds a workout's route, as a resource or as a file to be read."""
    own = seconds(element.get("startDate")), seconds(element.get("endDate"))
    metadata = element.record()["metadata"]
    content = element.without("FileReference").without("Location")
    locations = element.named("Location")
    is_one_file = len({child.get("path") or None for child in element.named("FileReference")}) == 1 and not locations

    def row(track, is_alone):
        first, last = (start, end) if None in own else (own[0], max(own))
        value = b"" if is_alone and None not in own else hashlib.sha256(track).hexdigest().encode()
        found = scheme.element(
            content, b"WorkoutRoute", b"HKWorkoutRouteTypeIdentifier", value, first, last, metadata, is_alone
        )
        found.type, found.group, found.panel = "DocumentReference", b"WorkoutRoute", panel
        dates = [b"%d" % start, b"%d" % end] if None in own else []
        # The one name that it has decides, even if there is no zone of that name.
        offsets = pghd1.utc_offsets(first, last, pghd1.metadata_entry(metadata, b"HKTimeZone") or zone)
        said = [panel.encode(), zone, *dates, *([offsets] if offsets else []), track]
        found.digest = scheme.digest_with(content, pghd1.SEPARATOR.join(said))
        return found

    def file(path):
        def map_(data):
            track = None if data is None else route_track(data)
            return Mapped(left_out=["WorkoutRoute"]) if track is None else Mapped(units=[[row(track, is_one_file)]])

        return "workoutRoute", path, map_

    paths = [child.get("path") for child in element.named("FileReference") if child.get("path")]
    mapped.files += [file(path) for path in dict.fromkeys(paths)]
    points = [point for point in map(track_point, locations) if point]
    if points:
        track = TRACK[0] + b"".join(points) + TRACK[1]
        mapped.units.append([row(track, not paths)])
    elif locations or not paths:
        mapped.add_left_out(["WorkoutRoute"])


TRACK = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Apple Health Export"'
    b' xmlns="http://www.topografix.com/GPX/1/1">\n  <trk>\n    <trkseg>\n',
    b"    </trkseg>\n  </trk>\n</gpx>\n",
)


def track_point(location):
    """A `Location` as a point of a track, None if it has no place."""

    def number(attribute):
        text = location.get(attribute)
        return text if text and number_of(text) is not None else None

    def tag(name, attribute):
        text = number(attribute)
        return b"<%s>%s</%s>" % (name, text, name) if text else b""

    if not (number("longitude") and number("latitude")):
        return None
    instant = seconds(location.get("date"))
    time = b"" if instant is None else b"<time>%s</time>" % utc_text(instant)
    more = tag(b"speed", "speed") + tag(b"course", "course")
    more += tag(b"hAcc", "horizontalAccuracy") + tag(b"vAcc", "verticalAccuracy")
    more = b"<extensions>%s</extensions>" % more if more else b""
    place = b'lon="%s" lat="%s"' % (number("longitude"), number("latitude"))
    return b"      <trkpt " + place + b">" + tag(b"ele", "altitude") + time + more + b"</trkpt>\n"


def utc_text(instant):
    return (pghd1.EPOCH + timedelta(seconds=instant)).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0").encode()


def route_track(data):
    """A GPX file without the times and names outside its segments; None if it is not GPX."""
    if b"<gpx" not in data[:4096]:
        return None
    # Segments are at the odd indices.
    parts = re.split(rb"(<trkseg.*?(?=</trkseg>)|<trkseg.*\Z)", data, flags=re.S)
    parts[::2] = [re.sub(rb"<(time|name)>.*?</\1>", b"", part, flags=re.S) for part in parts[::2]]
    return b"".join(parts)


def clinical_record(scheme, element, export):
    path = element.get("resourceFilePath")
    if not path:
        return Mapped(left_out=["ClinicalRecord"])

    def map_(data):
        if data is None:
            return Mapped()
        source = b"" if unless_blank(element.get("sourceURL")) else canonical_source(element.get("sourceName") or b"")
        names = [unless_blank(element.get(name)) or b"" for name in ("identifier", "sourceURL")]
        if not any(names):
            names.append(hashlib.sha256(data).hexdigest().encode())
        tail = SEPARATOR.join([b"", b"", *names])
        digest = scheme.named(b"ClinicalRecord", unless_blank(element.get("type")) or b"", source, tail)
        content = element.copy()
        del content.attributes["resourceFilePath"]
        row = pghd1.Resource("DocumentReference", "h" + digest[:16].hex(), scheme.digest_with(content, data))
        row.group, row.rank = b"ClinicalRecord", max(seconds(element.get("receivedDate") or b"") or 0, 0)
        return Mapped(units=[[row]])

    mapped = Mapped()
    mapped.files = [("clinicalRecord", path, map_)]
    return mapped


# --- Elements that are not samples --------------------------------------------------

RINGS = "activeEnergyBurned appleMoveTime appleExerciseTime appleStandHours".split()


def is_zero(text):
    return number_of(text) == 0


def activity_summary(scheme, element, export):
    date = element.get("dateComponents")
    if not date or len(date) != 10 or seconds(date + b" 00:00:00 +0000") is None:
        return Mapped(unusable=1)
    if "appleMoveTime" not in element.attributes:
        # iOS 13 had other names.
        former = {"appleMoveMinutes": "appleMoveTime", "appleMoveMinutesGoal": "appleMoveTimeGoal"}
        element = element.copy()
        element.attributes = {former.get(name, name): value for name, value in element.attributes.items()}
    has_ring = False
    for ring in RINGS:
        reached, goal = element.get(ring), element.get(ring + "Goal")
        if reached and (not is_zero(reached) or (goal and not is_zero(goal))):
            has_ring |= number_of(reached) is not None
    if not has_ring or date < b"2014-01-01":
        return Mapped(left_out=["ActivitySummary"])
    content = element
    if export.day and date >= export.day:
        content = element.copy()
        content.attributes["status"] = b"preliminary"
    row = scheme.plain(b"ActivitySummary", b"HKActivitySummary", [date, b"", b""], content)
    row.status = "final" if content is element else "preliminary"
    return Mapped(units=[[row]])


def audiogram(scheme, element, export):
    start, end = seconds(element.get("startDate")), seconds(element.get("endDate"))
    if start is None or end is None:
        return Mapped(unusable=1)
    values, has_number = [], False
    for point in element.named("SensitivityPoint"):
        power = {b"Hz": 0, b"kHz": 3}.get(point.get("frequencyUnit"))
        number = number_of(point.get("frequencyValue") or b"")
        if power is None or number is None:
            continue
        for ear in ("left", "right"):
            value = point.get(ear + "EarValue")
            if value:
                unit = point.get(ear + "EarUnit")
                text = identity_value({"value": value, **({"unit": unit} if unit else {})}, b"Data")
                values.append(ear.encode() + b"." + pghd1.plain(number * 10**power) + b"=" + text)
                has_number |= number_of(value) is not None
    if not has_number:
        return Mapped(left_out=["Audiogram"])
    metadata = element.record()["metadata"]
    value = SEPARATOR.join(sorted(set(values))) + pghd1.external_uuid(metadata)
    row = scheme.element(element, b"Audiogram", b"HKDataTypeIdentifierAudiogram", value, start, max(start, end), metadata)
    return Mapped(units=[[row]], backwards=end < start)


LENSES = "sphere cylinder axis add vertex prismAmount prismAngle farPD nearPD baseCurve diameter".split()
LENS_UNITS = {
    **dict.fromkeys("sphere cylinder add".split(), {b"D"}),
    **dict.fromkeys("axis prismAngle".split(), {b"deg", "°".encode(), b"rad"}),
    **dict.fromkeys("vertex farPD nearPD baseCurve diameter".split(), {b"mm", b"cm", b"m"}),
    "prismAmount": {b"pD"},
}


def vision_prescription(scheme, element, export):
    issued = seconds(element.get("dateIssued"))
    if issued is None:
        return Mapped(unusable=1)
    type_ = element.get("type")
    if type_ not in (b"glasses", b"contacts", b"HKVisionPrescriptionTypeGlasses", b"HKVisionPrescriptionTypeContacts"):
        return Mapped(left_out=["VisionPrescription"])
    mapped, values, is_said = Mapped(), [], False
    for child in element.children:
        if child.name not in ("RightEye", "LeftEye"):
            continue
        eye = b"right" if child.name == "RightEye" else b"left"
        for name in LENSES:
            value, unit = child.get(name), child.get(name + "Unit")
            if value:
                text = identity_value({"value": value, **({"unit": unit} if unit else {})}, b"Data")
                # Phones write the right eye's for both.
                if name != "nearPD":
                    values.append(eye + b"." + name.encode() + b"=" + text)
                usable = number_of(value) is not None and unit in LENS_UNITS[name]
                usable = usable and (name != "axis" or abs(number_of(value)) < 2**31)
                is_said |= usable and not (name == "prismAmount" and is_zero(value))
    if not is_said:
        mapped.add_left_out(["VisionPrescription"])
        return mapped
    metadata = element.record()["metadata"]
    sync = pghd1.sync_identifier(metadata, pghd1.canonical_source(element.get("sourceName") or b""))
    value = SEPARATOR.join(sorted(set(values))) + pghd1.external_uuid(metadata)
    type_ = type_.removeprefix(b"HKVisionPrescriptionType").lower()
    tail = [b"", b"", sync] if sync else [str(issued).encode(), b"", value]
    row = scheme.plain(b"VisionPrescription", type_, tail, element, "VisionPrescription")
    expiry = seconds(element.get("expirationDate") or b"")
    zone = pghd1.metadata_entry(metadata, b"HKTimeZone")
    row.digest = scheme.digest_at(element, issued, issued if expiry is None else expiry, zone)
    row.group, row.rank = b"VisionPrescription", pghd1.rank(metadata)
    mapped.units = [[row]]
    return mapped


CHARACTERISTICS = {
    "HKCharacteristicTypeIdentifierBloodType": [b"HKBloodTypeNotSet"],
    "HKCharacteristicTypeIdentifierFitzpatrickSkinType": [b"HKFitzpatrickSkinTypeNotSet"],
    "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse": [b"None", b"NotSet"],
}


# What a text about medications names one of.
MEDICATIONS = (
    "beta bêta bèta béta β бета ベータ 베타 倍他 貝他 בטא بيتا เบต้า เบตา calci cálci kalci kalsi kalz wapni vápn кальц ασβεστ"
    " カルシウム 칼슘 钙 鈣 סידן كالسيوم แคลเซียม canxi"
).split()
BIRTH, SEX = "HKCharacteristicTypeIdentifierDateOfBirth", "HKCharacteristicTypeIdentifierBiologicalSex"


def characteristics(scheme, element, export):
    mapped = Mapped()
    told = {name: element.get(name) for name in (BIRTH, SEX) if element.get(name) not in (None, b"HKBiologicalSexNotSet")}
    if export.includes_patient:
        content = element.copy()
        birth = told.get(BIRTH)
        date = {BIRTH: pghd1.birth_date(birth) or birth} if birth else {}
        content.attributes, content.children = {**told, **date}, []
        row = scheme.plain(b"Patient", b"Patient", [b"", b"", b""], content, "Patient")
        row.shown_id = scheme.subject.decode().partition("/")[2]
        mapped.units.append([row])
    elif told:
        mapped.add_left_out(["Me"])
    for type_, silent in CHARACTERISTICS.items():
        answer = unless_blank(element.get(type_))
        says = not type_.endswith("MedicationsUse") or any(word in (answer or b"").decode().lower() for word in MEDICATIONS)
        if answer and answer not in silent and says:
            content = element.copy()
            content.attributes, content.children = {type_: answer}, []
            row = scheme.plain(b"Characteristic", type_.encode(), [b"", b"", b""], content)
            row.group = type_.encode()
            mapped.units.append([row])
    return mapped


# Those that the converter makes resources from.
FAMILIES = {
    "Workout": workout,
    "ActivitySummary": activity_summary,
    "Audiogram": audiogram,
    "VisionPrescription": vision_prescription,
    "Me": characteristics,
    "ClinicalRecord": clinical_record,
}
