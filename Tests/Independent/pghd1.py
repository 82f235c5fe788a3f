"""Identity scheme pghd1 and the cutting of Bundles, written from docs/formats.md alone.

No line of this was taken from the converter: where the two disagree, one of them does not follow the page. Slow and
simple on purpose; standard library only.
"""

import hashlib
import hmac
import re
import unicodedata
from collections import Counter
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from zoneinfo import ZoneInfo

SEPARATOR = b"\x1f"

# "Names of Apple's apps"
APPS = {
    unicodedata.normalize("NFC", name): app
    for app, names in {
        "Health": "Health|Salud|Saúde|Salute|Santé|Gezondheid|Hälsa|Sundhed|Helse|Terveys|Zdrowie|Zdraví|Zdravie|Egészség|"
        "Sănătate|Sağlık|Υγεία|Здоров\u2019я|Здоров\u02bcя|Здоровье|Zdravlje|Salut|صحتي|בריאות|สุขภาพ|Sức khỏe|"
        "Kesehatan|Kesihatan|सेहत|ヘルスケア|健康|건강",
        "Shortcuts": "Shortcuts|Kurzbefehle|Raccourcis|Atajos|Atalhos|Comandi Rapidi|Opdrachten|Genvägar|Genveje|"
        "Snarveier|Pikakomennot|Skróty|Zkratky|Skratky|Parancsok|Scurtături|Kestirmeler|Συντομεύσεις|Быстрые команды|"
        "Швидкі команди|Prečaci|Dreceres|الاختصارات|קיצורים|קיצורי דרך|คำสั่งลัด|Phím tắt|Pintasan|शॉर्टकट|"
        "ショートカット|快捷指令|捷徑|단축어",
    }.items()
    for name in names.split("|")
}

# "Canonical units": factor, addend
UNITS = {
    unit: (Fraction(factor), Fraction(addend))
    for row, addend in [
        ("g 1|kg 1000|mg 0.001|mcg 0.000001|lb 453.59237|oz 28.349523125|st 6350.29318", 0),
        ("m 1|km 1000|cm 0.01|mm 0.001|in 0.0254|ft 0.3048|yd 0.9144|mi 1609.344", 0),
        ("L 1|dL 0.1|cL 0.01|mL 0.001|fl_oz_us 0.0295735295625|fl_oz_imp 0.0284130625|cup_us 0.2365882365", 0),
        ("cup_imp 0.284130625|pt_us 0.473176473|pt_imp 0.56826125", 0),
        ("J 1|kJ 1000|cal 4.184|kcal 4184|Cal 4184", 0),
        ("s 1|ms 0.001|min 60|hr 3600|d 86400", 0),
        ("Pa 1|hPa 100|mbar 100|kPa 1000|mmHg 133.322387415|inHg 3386.389|cmAq 98.0665|atm 101325", 0),
        ("degC 1", 0),
        ("degF 5/9", -32),
        ("K 1", "-273.15"),
        ("m/s 1|km/hr 5/18|mi/hr 0.44704|ft/s 0.3048", 0),
        ("W 1|kcal/hr 4184/3600|kJ/hr 1000/3600", 0),
        ("count/min 1|count/s 60|count/hr 1/60|rpm 1|Hz 60", 0),
        ("L/min 1|L/s 60", 0),
        ("mg/dL 1|mmol/L 18.01558800000541", 0),
        ("S 1|mcS 0.000001", 0),
        ("count 1|% 1|IU 1|dBASPL 1|dBHL 1|mL/min\u00b7kg 1|appleEffortScore 1", 0),
        ("kcal/hr\u00b7kg 1|kJ/hr\u00b7kg 1000/4184", 0),
    ]
    for unit, factor in (entry.rsplit(" ", 1) for entry in row.split("|"))
}

# "Category numbers"
NUMBERS = {
    "HKCategoryValue" + name: number
    for number, names in enumerate(
        [
            "AppetiteChangesUnspecified AppleStandHourStood NotApplicable PresencePresent SeverityUnspecified"
            " SleepAnalysisInBed",
            "AppetiteChangesNoChange AppleStandHourIdle AppleWalkingSteadinessEventInitialLow"
            " AudioExposureEventLoudEnvironment CervicalMucusQualityDry ContraceptiveUnspecified"
            " EnvironmentalAudioExposureEventMomentaryLimit HeadphoneAudioExposureEventSevenDayLimit"
            " LowCardioFitnessEventLowFitness MenstrualFlowUnspecified OvulationTestResultNegative"
            " PregnancyTestResultNegative PresenceNotPresent ProgesteroneTestResultNegative SeverityNotPresent"
            " SleepAnalysisAsleep SleepAnalysisAsleepUnspecified VaginalBleedingUnspecified",
            "AppetiteChangesDecreased AppleWalkingSteadinessEventInitialVeryLow CervicalMucusQualitySticky"
            " ContraceptiveImplant MenstrualFlowLight OvulationTestResultLuteinizingHormoneSurge"
            " OvulationTestResultPositive PregnancyTestResultPositive ProgesteroneTestResultPositive SeverityMild"
            " SleepAnalysisAwake VaginalBleedingLight",
            "AppetiteChangesIncreased AppleWalkingSteadinessEventRepeatLow CervicalMucusQualityCreamy"
            " ContraceptiveInjection MenstrualFlowMedium OvulationTestResultIndeterminate"
            " PregnancyTestResultIndeterminate ProgesteroneTestResultIndeterminate SeverityModerate"
            " SleepAnalysisAsleepCore VaginalBleedingMedium",
            "AppleWalkingSteadinessEventRepeatVeryLow CervicalMucusQualityWatery ContraceptiveIntrauterineDevice"
            " MenstrualFlowHeavy OvulationTestResultEstrogenSurge SeveritySevere SleepAnalysisAsleepDeep"
            " VaginalBleedingHeavy",
            "CervicalMucusQualityEggWhite ContraceptiveIntravaginalRing MenstrualFlowNone SleepAnalysisAsleepREM"
            " VaginalBleedingNone",
            "ContraceptiveOral",
            "ContraceptivePatch",
        ]
    )
    for name in names.split()
}

DECIMAL = re.compile(rb"(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
DEVICE_FIELDS = "name manufacturer model hardware firmware software localIdentifier UDIDeviceIdentifier".split()
APPLE_MODEL = re.compile(rb"[A-Za-z]+[0-9]+,[0-9]+")


# Unicode's White_Space; Python's isspace() also accepts U+001C to U+001F.
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


def blank(text):
    return not text.decode(errors="replace").strip(WHITE_SPACE)


def unless_blank(text):
    return None if text is None or blank(text) else text


def unusable(attributes):
    """Whether an element says too little about itself, or its source has an unbounded name, wherever it is."""
    return blank(attributes.get("type", b"")) or long_source(attributes)


def long_source(attributes):
    return len(attributes.get("sourceName", b"")) > 1024


def has_long_source(element):
    return any(long_source(each.attributes) for each in element.below())


# --- Time ---------------------------------------------------------------------------

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
FIRST = datetime(1, 1, 2, tzinfo=timezone.utc)
LAST = datetime(9999, 12, 31, tzinfo=timezone.utc)


def seconds(text):
    """The instant of a date as Apple writes it, None if it is not such a date or is out of range."""
    match = text is not None and re.fullmatch(
        rb"(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)", text, re.ASCII
    )
    if not match:
        return None
    hours, minutes = int(match[8]), int(match[9])
    if hours > 14 or minutes > 59:
        return None
    offset = timedelta(hours=hours, minutes=minutes) * (-1 if match[7] == b"-" else 1)
    try:
        local = datetime(*(int(match[part]) for part in range(1, 7)), tzinfo=timezone.utc)
        instant = local - offset
    except (ValueError, OverflowError):
        return None
    if not FIRST <= instant <= LAST:
        return None
    return (instant - EPOCH) // timedelta(seconds=1)


# --- Sources and devices ------------------------------------------------------------


def canonical_source(name):
    text = name.decode().replace("\u00a0", " ").replace("\u202f", " ")
    text = unicodedata.normalize("NFC", text)
    return APPS.get(text, text).encode()


def device_fields(text):
    fields = dict.fromkeys(DEVICE_FIELDS, b"")
    if not (text.startswith(b"<<HKDevice:") and b">" in text):
        fields["name"] = text
    else:
        rest = text[text.index(b">") + 1 :]
        rest = rest[:-1] if rest.endswith(b">") else rest
        rest = rest[2:] if rest.startswith(b", ") else rest
        field = None
        for part in rest.split(b", "):
            name, colon, value = part.partition(b":")
            if colon and name in {*(f.encode() for f in DEVICE_FIELDS), b"bluetoothIdentifier", b"creation date"}:
                field = name.decode()
                fields[field] = value
            elif field is not None and not (field == "hardware" and APPLE_MODEL.fullmatch(fields[field])):
                fields[field] += b", " + part
    return {
        name: b"" if blank(value) or all(byte <= 0x20 for byte in value) else value for name, value in fields.items()
    }


def described_name(fields):
    return b"" if fields["model"] or fields["hardware"] else fields["name"]


# --- Numbers ------------------------------------------------------------------------


def rounded(number, digits):
    """A Fraction rounded half to even, to this many significant digits."""
    if number == 0:
        return number
    exponent = 0
    size = abs(number)
    while size >= 10:
        size /= 10
        exponent += 1
    while size < 1:
        size *= 10
        exponent -= 1
    unit = Fraction(10) ** (exponent - digits + 1)
    return round(number / unit) * unit  # Python's round() of a Fraction rounds half to even


def plain(number):
    """A Fraction with a finite decimal form as text, without an exponent."""
    if number == 0:
        return b"0"
    places = 0
    while (number * 10**places).denominator != 1:
        places += 1
    digits = str(abs(number.numerator * 10**places // number.denominator)).rjust(places + 1, "0")
    text = digits[: len(digits) - places] + ("." + digits[len(digits) - places :] if places else "")
    return (("-" if number < 0 else "") + text).encode()


def number_of(text):
    """What a decimal's text stands for by the rules of the page, None if it is not a decimal."""
    match = DECIMAL.fullmatch(text)
    if not match:
        return None
    sign, whole, fraction, power = match.groups()
    fraction = fraction or b""
    power = int(power or b"0")
    power = max(-1000, min(1000, power))
    digits = (whole + fraction).lstrip(b"0")
    exponent = power - len(fraction)
    if len(digits) > 19:
        exponent += len(digits) - 19
        digits = digits[:19]
    if not -400 < exponent < 400:
        return None
    return Fraction(int(digits or b"0")) * Fraction(10) ** exponent * (-1 if sign else 1)


def birth_date(text):
    """A date in the Gregorian calendar, None if it is none that a phone may have written."""
    date = in_ascii(text)
    year = int(date[:4]) if date[:4].isdigit() else 0
    if 2393 <= year <= 2742:
        year, date = year - 543, str(year - 543).encode() + date[4:]
    is_date = len(date) == 10 and seconds(date + b" 00:00:00 +0000") is not None
    return date if 1850 <= year <= 2199 and is_date else None


def digits_of(text):
    """To how many significant digits something is rounded that is made from a decimal's text."""
    whole, fraction = DECIMAL.fullmatch(text).group(2, 3)
    return min(max(len((whole + (fraction or b"")).lstrip(b"0")), 6), 12)


def shortened(number, digits):
    """A Fraction rounded half to even to this many significant digits, as text without an exponent."""
    return plain(rounded(number, digits))


def as_written(text):
    """A decimal's text, at most 18 digits of it."""
    sign, whole, fraction, power = DECIMAL.fullmatch(text).groups()
    digits = (whole + (fraction or b"")).lstrip(b"0")
    if len(digits) <= 18:
        return text.decode()
    exponent = int(power or b"0") - len(fraction or b"") + len(digits) - 18
    # Digits after the 19th do not count.
    kept = round(Fraction(int(digits[:19]), 10))
    if len(str(kept)) > 18:
        kept, exponent = kept // 10, exponent + 1
    if len(str(kept)) + exponent > 18:
        return f"{sign.decode()}{kept}e{exponent}"
    text = str(kept).rjust(1 - exponent, "0")
    return sign.decode() + (text[:exponent] + "." + text[exponent:] if exponent < 0 else text + "0" * exponent)


def unit_rule(unit):
    opening, closing = unit.find(b"<"), unit.rfind(b">")
    if 0 <= opening < closing:
        unit = unit[:opening] + unit[closing + 1 :]
    return UNITS.get(unit.decode())


def identity_value(record, kind):
    value, unit = record.get("value"), record.get("unit")
    if kind == b"Category":
        if not value:
            return b"0"
        number = NUMBERS.get(value.decode())
        return value if number is None else str(number).encode()
    number = number_of(value) if value is not None else None
    if number is None:
        return value or b""
    factor, addend, suffix = Fraction(1), Fraction(0), b""
    if unit:
        rule = unit_rule(unit)
        if rule:
            factor, addend = rule
        else:
            suffix = b" " + unit
    return plain(rounded(rounded((number + addend) * factor, 5), 3)) + suffix


# --- Elements -----------------------------------------------------------------------

BLOOD_PRESSURE, FOOD = b"HKCorrelationTypeIdentifierBloodPressure", b"HKCorrelationTypeIdentifierFood"
SYSTOLIC, DIASTOLIC = b"HKQuantityTypeIdentifierBloodPressureSystolic", b"HKQuantityTypeIdentifierBloodPressureDiastolic"
NUTRIENT = b"HKQuantityTypeIdentifierDietary"
NAMES = set(
    "HealthData ExportDate Me Record Correlation Workout ActivitySummary ClinicalRecord Audiogram VisionPrescription"
    " MetadataEntry HeartRateVariabilityMetadataList InstantaneousBeatsPerMinute WorkoutEvent WorkoutStatistics"
    " WorkoutActivity WorkoutRoute FileReference Location SensitivityPoint Prescription RightEye LeftEye Attachment"
    " StateOfMind".split()
)


def kind_of(type_):
    if type_.startswith(b"HKQuantityTypeIdentifier"):
        return b"Quantity"
    return b"Category" if type_.startswith(b"HKCategoryTypeIdentifier") else b"Data"


def metadata_entry(pairs, key):
    """The value of a metadata key, None where it is absent or empty."""
    return max((v for k, v in pairs if k == key and v), default=None)


def utc_offsets(start, end, name):
    """What a digest has of the UTC offsets at two times in a zone; empty if there is none."""
    zone = zone_named(name)
    if not zone:
        return b""

    def minutes(instant):
        moment = (EPOCH + timedelta(seconds=instant)).astimezone(zone).utcoffset()
        is_writable = moment % timedelta(minutes=1) == timedelta(0) and abs(moment) <= timedelta(hours=14)
        return str(moment // timedelta(minutes=1)) if is_writable else ""

    said = [minutes(start), minutes(end)]
    return ",".join(said).encode() if any(said) else b""


def zone_named(name):
    """The zone of an IANA name, None if there is none."""
    if not name or not (b"/" in name or name == b"UTC"):
        return None
    try:
        return ZoneInfo(name.decode("ascii"))
    except (ValueError, LookupError, OSError):
        return None


def identity_source(pairs, fields, source):
    """What an id has for the source: nothing where a sync identifier says enough."""
    sync = metadata_entry(pairs, b"HKMetadataKeySyncIdentifier")
    return b"" if sync and len(sync) >= 32 else fields["hardware"] or source


def sync_identifier(pairs, source):
    """What identifies a sample across its versions; a short one is followed by the source name."""
    sync = metadata_entry(pairs, b"HKMetadataKeySyncIdentifier")
    return sync + SEPARATOR + source if sync and len(sync) < 32 else sync


def external_uuid(pairs):
    """What an id has after its value for an app's own id."""
    external = metadata_entry(pairs, b"HKExternalUUID")
    return SEPARATOR * 3 + external if external else b""


def rank(pairs):
    versions = [v for k, v in pairs if k == b"HKMetadataKeySyncVersion"]
    return max([min(int(re.match(rb"[0-9]*", v)[0] or b"0"), 10**18) for v in versions], default=0)


def canonical(element, depth=0):
    """The text of an element by which two exports of it are compared."""
    fields = []
    for name, value in element.attributes.items():
        if name == "creationDate" or not value:
            continue
        if name == "sourceName":
            value = canonical_source(value)
        elif name == "device":
            device = device_fields(value)
            value = b",".join([*(device[field] for field in DESCRIBED), described_name(device)])
        else:
            value = as_instant(value)
        fields.append(name.encode() + b"=" + value)
    children = {canonical(child, depth + 1) for child in element.children} if depth < 16 else ()
    name = element.name if element.name in NAMES else "other"
    return SEPARATOR.join([name.encode(), *sorted(fields)]) + b"{" + b"".join(sorted(children)) + b"}"


def mmhg(record):
    """A blood pressure's number in mmHg as text, None where there is none."""
    value = record.get("value") or b""
    number, factor = number_of(value), MILLIMETRES.get(record.get("unit"))
    if number is None or factor is None:
        return None
    if factor == 1:
        return as_written(value)
    return shortened(rounded(rounded(number, 18) * factor, 18), digits_of(value)).decode()


MILLIMETRES = {
    b"mmHg": 1,
    b"kPa": Fraction("7.500615758456563"),
    b"hPa": Fraction("0.7500615758456563"),
    b"cmAq": Fraction("0.7355591352765687"),
}


QUARTER = 900 * 10**9


def beats_text(beats, start):
    """What a digest contains of heart beats: "Observation of a Record"."""
    text, last = b"", start * 10**9
    for rate, time in beats:
        offset = b""
        numbers = re.findall(r"\d+", time.decode())
        if len(numbers) in (3, 4) and all(len(number) <= 2 for number in numbers[:3]):
            hours, minutes, whole = map(int, numbers[:3])
            if hours <= 24 and minutes < 60 and whole < 60:
                digits = "".join(str(int(digit)) for digit in (numbers[3:] or [""])[0][:9])
                clock = (hours * 3600 + minutes * 60 + whole) * 10**9 + int(digits.ljust(9, "0"))
                last += (clock - last + QUARTER // 2) % QUARTER - QUARTER // 2
                offset = with_decimals(last - start * 10**9, len(digits))
        text += SEPARATOR + in_ascii(rate) + SEPARATOR + offset
    return text


SIGNS = {"\u2212": "-", "\u066b": ",", **dict.fromkeys("\u200e\u200f\u061c\ufeff", "")}


def in_ascii(text):
    """Digits, signs and spaces of any script as those of ASCII."""
    if text.isascii():
        return text

    def written(character):
        if unicodedata.decimal(character, None) is not None:
            return str(unicodedata.decimal(character))
        return SIGNS.get(character, " " if character in WHITE_SPACE else character)

    return "".join(map(written, text.decode())).encode()


def with_decimals(nanoseconds, decimals):
    """An interval in seconds, cut to this many decimals."""
    digits = str(abs(nanoseconds) // 10 ** (9 - decimals)).rjust(decimals + 1, "0")
    sign = "-" if nanoseconds < 0 and int(digits) else ""
    return (sign + (digits[:-decimals] + "." + digits[-decimals:] if decimals else digits)).encode()


def as_instant(text):
    """A date's text as its instant, other text unchanged."""
    instant = seconds(text)
    return text if instant is None else str(instant).encode()


class Mapped:
    """What an element that is not a record is mapped to."""

    def __init__(self, units=(), left_out=(), unusable=0, backwards=0):
        self.units = list(units)  # entries that must be in one Bundle
        self.waiting = []  # entries that wait to be covered
        self.last = []  # entries that wait for everything else
        self.covered = []
        self.files = []  # (kind, path, a function from its bytes or None to the mapping)
        self.unusable, self.backwards = unusable, backwards
        self.left_out = Counter(left_out)

    def add_left_out(self, names):
        self.left_out.update(name if name in NAMES else "other" for name in names)


# --- Ids and digests ----------------------------------------------------------------

DESCRIBED = "manufacturer model hardware software firmware localIdentifier UDIDeviceIdentifier".split()


class Scheme:
    def __init__(self, subject, key=None):
        self.subject, self.key = subject.encode(), key

    def hash(self, head, tail):
        message = head + b"\0" * (-len(head) % 64) + tail
        if self.key is None:
            return hashlib.sha256(message).digest()
        return hmac.new(self.key, message, hashlib.sha256).digest()

    def named(self, kind, type_, source, tail):
        return self.hash(SEPARATOR.join([b"pghd1", self.subject, kind, type_, source]), tail)

    def device(self, type_, fields):
        digest = self.named(b"Device", type_, b"", SEPARATOR.join(fields))
        return Resource("Device", "h" + digest[:16].hex(), digest[16:24])

    def observation(self, record):
        """The Observation of a record, None where it is not written."""
        start, end = seconds(record.get("startDate")), seconds(record.get("endDate"))
        type_ = record.get("type", b"")
        if unusable(record) or start is None or end is None:
            return None
        fields = device_fields(record.get("device", b""))
        source = canonical_source(record.get("sourceName", b""))
        kind = kind_of(type_)
        name = type_.replace(b"IdentifierEnvironmentalAudioExposureEvent", b"IdentifierAudioExposureEvent")
        name = name if type_ == b"HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent" else type_

        def entry(key):
            return metadata_entry(record["metadata"], key)

        times = str(start).encode() + SEPARATOR + str(end).encode() + SEPARATOR
        sync = sync_identifier(record["metadata"], source)
        distinctions = [entry(b"HKFoodType"), entry(b"HKInsulinDeliveryReason")]
        if sync:
            tail = SEPARATOR * 2 + sync
        else:
            meal = entry(b"HKFoodMeal")
            tail = times + b"".join([identity_value(record, kind), *(SEPARATOR + text for text in distinctions if text)])
            tail += SEPARATOR * 2 + meal if meal else b""
            tail += external_uuid(record["metadata"])
        digest = self.named(kind, name, identity_source(record["metadata"], fields, source), tail)
        version = record.get("sourceVersion", b"")
        described = [fields[field] for field in DESCRIBED] + [described_name(fields)]
        pairs = b"".join(SEPARATOR + k + SEPARATOR + as_instant(v) for k, v in sorted(set(record["metadata"])))
        offsets = utc_offsets(start, max(start, end), entry(b"HKTimeZone"))
        state = self.hash(
            SEPARATOR.join([b"pghd1", type_, record.get("unit") or b"", source, version, *described]),
            (times if sync else b"") + (record.get("value") or b"") + pairs
            + beats_text(record.get("beats", ()), start) + (SEPARATOR + offsets if offsets else b""),
        )
        resource = Resource("Observation", "h" + digest[:16].hex(), state[:8])
        resource.group, resource.backwards = type_, end < start
        resource.rank, resource.metadata = rank(record["metadata"]), record["metadata"]
        self.add_devices(resource, fields, source, version, record["metadata"])
        return resource

    def add_devices(self, resource, fields, source, version, metadata):
        metadata = [pair for pair in metadata if not blank(pair[1])]
        serial = metadata_entry(metadata, b"HKDeviceSerialNumber")
        udi = fields["UDIDeviceIdentifier"] or metadata_entry(metadata, b"HKUDIDeviceIdentifier") or b""
        maker = fields["manufacturer"] or metadata_entry(metadata, b"HKDeviceManufacturerName") or b""
        name = fields["name"] or metadata_entry(metadata, b"HKDeviceName") or b""
        described = [maker, *(fields[field] for field in DESCRIBED[1:-1]), udi, described_name({**fields, "name": name})]
        described += [serial] if serial else []
        resource.device = self.device(b"HKDevice", described) if any(described) else None
        resource.gateway = (
            None if blank(source) else self.device(b"HKSource", [source, b"" if blank(version) else version])
        )

    # Elements

    def element_digest(self, element):
        """The digest of what an element says."""
        return self.hash(b"pghd1", canonical(element))[:8]

    def digest_at(self, element, start, end, zone):
        """The same, of an element that names a zone."""
        offsets = utc_offsets(start, end, zone)
        return self.digest_with(element, offsets) if offsets else self.element_digest(element)

    def digest_with(self, element, data):
        """The same with bytes that belong to it."""
        return self.hash(b"pghd1", canonical(element) + SEPARATOR + data)[:8]

    def fields_digest(self, fields):
        """The digest of what is known by a few fields."""
        return self.hash(b"pghd1", SEPARATOR.join(fields))[:8]

    def element(self, element, kind, type_, value, start, end, metadata, is_whole=True):
        """The resource of an element with a source: its id, digest and Devices.

        A sync identifier names only what is made from all of the element.
        """
        sync = is_whole and sync_identifier(metadata, canonical_source(element.attributes.get("sourceName", b"")))
        tail = [b"", b"", sync] if sync else [str(start).encode(), str(end).encode(), value]
        found = self.sample(element, kind, type_, SEPARATOR.join(tail), element, metadata)
        found.digest = self.digest_at(element, start, end, metadata_entry(metadata, b"HKTimeZone"))
        return found

    def sample(self, element, kind, type_, tail, content, metadata):
        """The same, with the tail of its id; its digest is that of `content`."""
        fields = device_fields(element.attributes.get("device", b""))
        source = canonical_source(element.attributes.get("sourceName", b""))
        digest = self.named(kind, type_, identity_source(metadata, fields, source), tail)
        resource = Resource("Observation", "h" + digest[:16].hex(), self.element_digest(content))
        resource.group, resource.rank = type_, rank(metadata)
        self.add_devices(resource, fields, source, element.attributes.get("sourceVersion", b""), metadata)
        return resource

    def plain(self, kind, type_, tail, content, resource_type="Observation"):
        """An element without a source: its id and digest."""
        digest = self.named(kind, type_, b"", SEPARATOR.join(tail))
        resource = Resource(resource_type, "h" + digest[:16].hex(), self.element_digest(content))
        resource.group = type_
        return resource

    def correlation(self, element, conditional=False):
        """What a correlation is mapped to: ids that it covers, and the entries of its unit."""
        type_ = element.attributes.get("type", b"")
        if type_ not in (BLOOD_PRESSURE, FOOD):
            return Mapped(left_out=["Correlation"])
        inside = [record.record() for record in element.all("Record")]
        inside = [r for r in inside if type_ == FOOD and r.get("type", b"").startswith(NUTRIENT)]
        nutrients = [self.observation(record) for record in inside]
        mapped = Mapped(unusable=sum(row is None and not unusable(r) for row, r in zip(nutrients, inside)))
        nested = [row for row in nutrients if row]
        mapped.backwards = sum(row.backwards for row in nested)
        if not conditional:
            mapped.waiting = nested
        elif nested:
            mapped.units = [nested]
        start, end = seconds(element.get("startDate")), seconds(element.get("endDate"))
        if start is None or end is None or has_long_source(element):
            mapped.unusable += 1
            return mapped
        children = [(self.observation(c.record()), c.record(), self.element_digest(c)) for c in element.named("Record")]
        children = [child for child in children if child[0]]
        value = SEPARATOR.join(
            sorted(text for _, text in {
                (row.id, r["type"] + b"=" + identity_value(r, kind_of(r["type"]))) for row, r, _ in children
            })
        )
        metadata = element.record()["metadata"]
        food = metadata_entry(metadata, b"HKFoodType")
        if type_ == BLOOD_PRESSURE and not any(r["type"] in (SYSTOLIC, DIASTOLIC) for _, r, _ in children):
            mapped.add_left_out(["Correlation"])
            return mapped
        if type_ == FOOD:
            members = sorted({row.id for row, r, _ in children if r["type"].startswith(NUTRIENT)})
            if not members:
                mapped.add_left_out(["Correlation"])
                return mapped
            value += SEPARATOR + food if food else b""
            meal = metadata_entry(metadata, b"HKFoodMeal")
            value += SEPARATOR * 2 + meal if meal else b""
        value += external_uuid(metadata)
        panel = self.element(element, b"Correlation", type_, value, start, max(start, end), metadata)
        mapped.backwards += end < start
        if type_ == FOOD and not conditional:
            mapped.last = [panel]
        else:
            mapped.units = [[*(nested if conditional else []), panel]]
        if type_ == FOOD:
            panel.members = members
            return mapped
        panel.components, covered = [], []
        for child_type in (SYSTOLIC, DIASTOLIC):
            usable = [(row, mmhg(r), digest) for row, r, digest in children if r["type"] == child_type]
            usable = [found for found in usable if found[1] is not None]
            # The smallest id; of equal ids the greatest rank, then the greatest digest.
            usable.sort(key=lambda found: (found[0].rank, found[2]), reverse=True)
            usable.sort(key=lambda found: found[0].id)
            panel.components.append(usable[0][1] if usable else None)
            covered += [row for row, _, _ in usable[:1]]
        zones = [metadata_entry(pairs, b"HKTimeZone") for pairs in [metadata, *(row.metadata for row in covered)]]
        zone = next((zone for zone in zones if zone), None)
        panel.digest = self.digest_at(element, start, max(start, end), zone)
        mapped.covered += [row.id for row in covered]
        named = [row.device for row in covered if row.device]
        # The systolic value's device, if the panel names none.
        if not panel.device and named:
            panel.device = named[0]
        return mapped


class Resource:
    def __init__(self, type_, id_, digest):
        self.type, self.id, self.digest = type_, id_, digest
        self.rank, self.group, self.device, self.gateway = 0, b"", None, None
        self.members, self.components = [], None
        self.panel = None  # of a route: the id of its workout
        self.status = self.value = None  # of summaries, as far as they are known here
        self.shown_id = id_  # a Patient's is the server's

    @property
    def devices(self):
        return [d for d in (self.device, self.gateway) if d]


# --- Bundles ------------------------------------------------------------------------

FRAME = (
    '{"resourceType":"Bundle","identifier":{"system":"urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47","value":"'
    + "0" * 64
    + '"},"type":"transaction","entry":[]}\n'
)


def key_of(entries, subject, options="", mapping="19"):
    message = SEPARATOR.join(part.encode() for part in ("pghd1", mapping, options, subject, ""))
    for entry in sorted(entries, key=lambda entry: entry.id):
        message += bytes.fromhex(entry.id.removeprefix("h")) + entry.digest
    return hashlib.sha256(message).hexdigest()


def wins(row, other):
    return (row.rank, row.digest) > (other.rank, other.digest)


def conflict(row, other):
    """Whether two resources with one id differ without anything saying which is newer."""
    return row.rank == other.rank and row.digest != other.digest


# Metadata that reveal where somebody was: "Digests".
PLACES = {b"_HKPrivateWorkoutWeatherLocationCoordinates" + axis for axis in (b"Latitude", b"Longitude")}


def without_places(item):
    """A record or an element without these, at any depth."""
    if isinstance(item, dict):
        return {**item, "metadata": [pair for pair in item["metadata"] if pair[0] not in PLACES]}
    rest = item.copy()
    rest.children = [without_places(child) for child in item.children if not tells_place(child)]
    return rest


def tells_place(element):
    return element.name == "MetadataEntry" and element.get("key") in PLACES


def places_in(record):
    return sum(key in PLACES for key, _ in record["metadata"])


def places_below(element):
    """How many there are, not counting those in records and routes."""
    deeper = sum(places_below(child) for child in element.children if child.name not in ("Record", "WorkoutRoute"))
    return deeper + sum(map(tells_place, element.children))


class Converter:
    """Takes an export's items in the order of the file; holds back what waits for a panel."""

    def __init__(self, scheme, bundler, families, electrocardiogram=None, summaries=None):
        self.scheme, self.bundler, self.families = scheme, bundler, families
        self.electrocardiogram, self.summaries = electrocardiogram, summaries
        self.files, self.read, self.missing = [], Counter(), Counter()
        self.waiting, self.covered, self.in_panels, self.left_out = {}, set(), 0, Counter()
        self.twins, self.conflicts = 0, 0
        self.last = {}
        self.cut, self.leaves_out_summaries = set(), False
        self.resources = 0  # rows that were made, including twins and those that waited
        self.written = set()  # ids of records that were written where they stand
        self.unusable, self.backwards = 0, 0  # of elements and of what is written in them

    def convert(self, export):
        """The Bundles of an export."""
        for item in export.items:
            rest = item if export.includes_routes else without_places(item)
            if isinstance(item, dict):
                if self.record(rest):
                    self.count_places(places_in(item) - places_in(rest))
                continue
            mapped = self.mapped(rest, export)
            self.take(mapped)
            if not export.includes_routes:
                self.count_places(self.places_left_out(item, mapped))
        for kind, path, map_ in self.files:
            data = export.file(path)
            (self.missing if data is None else self.read)[kind] += 1
            self.take(map_(data))
        for data in export.electrocardiograms:
            self.read["electrocardiogram"] += 1
            self.take(self.electrocardiogram(self.scheme, data))
        if not export.is_complete:
            # Their panels may be after the break.
            self.cut = {id_ for id_, row in self.waiting.items() if row.group in (SYSTOLIC, DIASTOLIC)}
            for id_ in self.cut:
                del self.waiting[id_]
        self.write_left(self.waiting)
        self.write_left(self.last)
        self.leaves_out_summaries = export.summarizes and not export.is_complete
        for row in self.summaries(self.scheme, export) if export.summarizes and not self.leaves_out_summaries else ():
            self.resources += 1
            self.bundler.add(row)
        return self.bundler.finish()

    def write_left(self, room):
        left = list(room.values())
        for type_ in dict.fromkeys(row.group for row in left):
            for row in left:
                if row.group == type_:
                    self.bundler.add(row)

    def count_places(self, count):
        if count:
            self.left_out["MetadataEntry"] += count

    def places_left_out(self, element, mapped):
        """How many metadata entries that reveal a place are in what was made from an element and its descendants."""
        inside = element.all("Record") if element.name in ("Workout", "Correlation") else ()
        if element.name == "Correlation":
            is_food = element.get("type") == FOOD
            inside = [r for r in inside if is_food and r.record().get("type", b"").startswith(NUTRIENT)]
        count = sum(places_in(r.record()) for r in inside if self.scheme.observation(r.record()))
        # A unit may hold nothing but records.
        groups = {"Workout": {b"Workout"}, "Correlation": {BLOOD_PRESSURE, FOOD}}.get(element.name)
        if any(groups is None or unit[-1].group in groups for unit in [*mapped.units, *([row] for row in mapped.last)]):
            count += places_below(element)
        return count

    def mapped(self, element, export):
        """What an element is mapped to."""
        if element.name == "Correlation":
            return self.scheme.correlation(element, self.bundler.conditional)
        if element.name not in self.families:
            return Mapped()
        # The records in a workout are written all the same.
        if element.name != "Workout" and has_long_source(element):
            return Mapped(unusable=1)
        return self.families[element.name](self.scheme, element, export)

    def record(self, record):
        row = self.scheme.observation(record)
        if not row:
            return False
        self.resources += 1
        if record["type"] in (SYSTOLIC, DIASTOLIC):
            self.wait(row)
            return True
        self.bundler.add(row)
        self.written.add(row.id)
        if record["type"].startswith(NUTRIENT):
            self.cover(row.id)
        return True

    def take(self, mapped):
        self.left_out += mapped.left_out
        self.unusable += mapped.unusable
        self.backwards += mapped.backwards
        self.files += mapped.files
        self.resources += len(mapped.waiting) + len(mapped.last) + sum(map(len, mapped.units))
        for row in mapped.waiting:
            self.wait(row)
        for id_ in mapped.covered:
            self.cover(id_)
        for unit in mapped.units:
            self.bundler.add_unit(unit)
        for row in mapped.last:
            self.keep(row, self.last)

    def wait(self, row):
        if row.id in self.covered:
            self.in_panels += 1
            return
        self.keep(row, self.waiting)

    def keep(self, row, room):
        twin = room.get(row.id)
        if twin:
            self.twins += 1
            self.conflicts += conflict(row, twin)
            if not wins(row, twin):
                return
            del room[row.id]
        room[row.id] = row

    def cover(self, id_):
        if self.waiting.pop(id_, None):
            self.in_panels += 1
        self.covered.add(id_)


class Bundler:
    """Cuts Observations into Bundles; `size` gives the number of bytes of an entry."""

    def __init__(self, size, max_entries=400, max_bytes=1_000_000, conditional=False):
        self.size, self.max_entries, self.max_bytes, self.conditional = size, max_entries, max_bytes, conditional
        self.group, self.bundles, self.written, self.duplicates, self.conflicts = [], [], set(), 0, 0
        self.last_type = None

    def bytes(self, entries):
        return len(FRAME) + sum(self.size(entry) for entry in entries) + max(len(entries) - 1, 0)

    def carried(self, group):
        """The group, with the Devices that must be in its Bundle."""
        if not self.conditional:
            return list(group)
        devices = {device.id: device for entry in group for device in entry.devices}
        return [*devices.values(), *group]

    def add(self, row):
        if self.group and self.last_type != row.group:
            self.close()
        self.last_type = row.group
        twin = next((place for place, entry in enumerate(self.group) if entry.id == row.id), None)
        if twin is not None:
            other = self.group[twin]
            self.duplicates += 1
            self.conflicts += conflict(row, other)
            if not wins(row, other):
                return
            replaced = [*self.group[:twin], row, *self.group[twin + 1 :]]
            # Before the loser's Devices are removed, the newcomer's must fit in addition to them.
            if self.fits(replaced, [*self.group, row]):
                self.group = replaced
                return
            del self.group[twin]
            if self.group:
                self.close()
        elif self.group and not self.fits([*self.group, row]):
            self.close()
        self.group.append(row)
        self.close_at_boundary()

    def fits(self, group, referring=None):
        """Whether a group and the Devices of `referring` are within the limits."""
        devices = {d.id: d for entry in referring or group for d in entry.devices} if self.conditional else {}
        entries = [*devices.values(), *group]
        return len(entries) <= self.max_entries and self.bytes(entries) <= self.max_bytes

    def close_at_boundary(self):
        if len(self.carried(self.group)) >= 32 and int(self.group[-1].id[-8:], 16) % 96 == 0:
            self.close()

    def add_unit(self, rows):
        """Adds entries that no cut may separate."""
        if len(rows) == 1:
            return self.add(rows[0])
        if self.group and self.last_type != rows[0].group:
            self.close()
        self.last_type = rows[-1].group
        joined = self.joined(rows)
        staying = [entry for entry in joined if any(entry is row for row in rows)]
        if self.group and not self.fits(joined, [*self.group, *staying]):
            self.close()
        before = {entry.id for entry in self.group} | {row.id for row in rows[:-1]}
        joined = self.joined(rows)
        self.duplicates += len(self.group) + len(rows) - len(joined)
        kept = {entry.id: entry for entry in self.group}
        for row in rows:
            other = kept.get(row.id)
            self.conflicts += other is not None and conflict(row, other)
            if other is None or wins(row, other):
                kept[row.id] = row
        self.group = joined
        if rows[-1].id not in before:
            self.close_at_boundary()

    def joined(self, rows):
        """The group with a unit; for each id only the winner, in the place of the first."""
        group = {entry.id: entry for entry in self.group}
        for row in rows:
            if row.id not in group or wins(row, group[row.id]):
                group[row.id] = row
        return list(group.values())

    def close(self):
        if not self.conditional:
            self.write_devices()
        self.bundles.append(self.carried(self.group))
        self.group = []

    def write_devices(self):
        bundle = []
        for device in (d for entry in self.group for d in entry.devices):
            if device.id in self.written:
                continue
            if bundle and (len(bundle) >= self.max_entries or self.bytes([*bundle, device]) > self.max_bytes):
                self.bundles.append(bundle)
                bundle = []
            bundle.append(device)
            self.written.add(device.id)
        if bundle:
            self.bundles.append(bundle)

    def finish(self):
        if self.group:
            self.close()
        return [sorted(bundle, key=lambda entry: entry.id) for bundle in self.bundles]
