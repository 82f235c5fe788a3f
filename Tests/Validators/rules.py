"""What no available validator checks: our own rules, over JSON whose numbers are still text.

Each rule yields findings; a message names places, codes of the standards and rules, never a value of the resource.
Nothing here needs a package.
"""

import json
import re
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import NamedTuple
from urllib.parse import unquote
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from codes import LOINC_SYSTEM, UCUM_SYSTEM, loinc_fault, ucum_fault

R4_PROFILE = "http://hl7.org/fhir/StructureDefinition/"
# Resources that describe data; they come from profiles/, not from the converter.
CONFORMANCE = {
    "CapabilityStatement",
    "CodeSystem",
    "ConceptMap",
    "ImplementationGuide",
    "NamingSystem",
    "StructureDefinition",
    "ValueSet",
}
CATEGORY_SYSTEM = "http://terminology.hl7.org/CodeSystem/observation-category"


class Finding(NamedTuple):
    entry: int | None  # Which entry of the Bundle; None is the document itself.
    rule: str
    path: str
    message: str


# --- Reading ----------------------------------------------------------------------


class Number(str):
    """A JSON number as it is in the text."""


def parse(text):
    """JSON with its numbers as text, and the findings that only a parser can make."""
    findings = []

    def members(pairs):
        names = dict(pairs)
        if len(names) < len(pairs):
            findings.append(Finding(None, "json", "", "has a member twice in one object"))
        return names

    tree = json.loads(text, parse_float=Number, parse_int=Number, parse_constant=Number, object_pairs_hook=members)
    return tree, findings


def plain(tree, real):
    """The same tree with numbers: `int`, or `real` where there is a point or an exponent."""
    if isinstance(tree, dict):
        return {name: plain(value, real) for name, value in tree.items()}
    if isinstance(tree, list):
        return [plain(value, real) for value in tree]
    if isinstance(tree, Number):
        return int(tree) if tree.lstrip("-").isdigit() else real(tree)
    return tree


def walk(value, path, key=""):
    """Every node below `value`, itself first, as (path, member name, node)."""
    yield path, key, value
    if isinstance(value, dict):
        for name, child in value.items():
            yield from walk(child, f"{path}.{name}", name)
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from walk(child, f"{path}[{index}]", key)


def text_of(value):
    """A JSON string; None for a number or anything else."""
    return value if isinstance(value, str) and not isinstance(value, Number) else None


def objects(value):
    """The objects of an array, whatever else may be wrong with it."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def member(value, *names):
    """The member at the end of a chain of objects, or None."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


# --- What a JSON value may be -----------------------------------------------------

_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def values(resource, path):
    for place, key, node in walk(resource, path):
        if isinstance(node, Number):
            if not _DECIMAL.fullmatch(node):
                yield "decimal", place, "is no FHIR decimal"
            elif len(re.sub(r"[eE].*|[-.]", "", node).lstrip("0")) > 18:
                yield "decimal", place, "has more than 18 significant digits"
        elif isinstance(node, str):
            if not node.strip():
                yield "empty", place, "is an empty string"
            elif _CONTROL.search(node):
                yield "string", place, "holds a control character"
            elif len(node) > 1_048_576 and key != "data":
                yield "string", place, "is longer than FHIR's 1 MB"
        elif node is None:
            yield "empty", place, "is null"
        elif node in ({}, []):
            yield "empty", place, "is an empty object" if node == {} else "is an empty array"


def sampled_data(resource, path):
    for place, key, node in walk(resource, path):
        if key == "valueSampledData" and isinstance(node, dict):
            yield from _sampled_data(node, place)


_SAMPLE = re.compile(r"-?[0-9]*\.?[0-9]+|[EUL]")


def _sampled_data(node, path):
    data, dimensions = text_of(node.get("data")), node.get("dimensions")
    if data is not None:
        samples = data.split(" ")
        if not all(_SAMPLE.fullmatch(sample) for sample in samples):
            yield "sampled-data", f"{path}.data", "is not decimals, E, U and L parted by single spaces"
        elif isinstance(dimensions, Number) and dimensions.isdigit() and int(dimensions) > 0:
            if len(samples) % int(dimensions):
                yield "sampled-data", f"{path}.data", "does not divide by its dimensions"
    period = node.get("period")
    if isinstance(period, Number) and _DECIMAL.fullmatch(period) and Fraction(period) <= 0:
        yield "sampled-data", f"{path}.period", "is not above zero"


# --- Ids and times ----------------------------------------------------------------

ID = re.compile(r"[A-Za-z0-9\-.]{1,64}")
_DAY = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?"
)
_INSTANTS = {"issued", "lastUpdated", "lastModified", "timestamp", "valueInstant", "effectiveInstant"}
_DAYS = {"birthDate", "valueDate", "approvalDate", "lastReviewDate"}
_DATE_TIMES = set(
    """
    start end date created creation authoredOn dateWritten recorded recordedDate sent received
    manufactureDate expirationDate
    """.split()
)


def ids(resource, path):
    for place, _, node in walk(resource, path):
        if isinstance(node, dict) and "resourceType" in node and "id" in node:
            if text_of(node["id"]) is None or not ID.fullmatch(node["id"]):
                yield "id", f"{place}.id", "is no FHIR id"


def is_time(key):
    return key in _INSTANTS or key in _DAYS or key in _DATE_TIMES or key.endswith("DateTime")


def times(resource, path):
    for place, key, node in walk(resource, path):
        if isinstance(node, dict):
            yield from _period(node, place)
            yield from _zones(node, place)
        elif text_of(node) is not None and is_time(key):
            if fault := _time_fault(node, key):
                yield "time", place, fault


def _time_fault(text, key):
    if match := _DAY.fullmatch(text):
        if key in _INSTANTS:
            return "is a day where FHIR has an instant"
        return None if _real_day(match) else "is a day that does not exist"
    match = _TIME.fullmatch(text)
    if not match:
        return "is neither a date nor a date-time"
    if key in _DAYS:
        return "is a date-time where FHIR has a date"
    if not _real_day(_DAY.fullmatch(match[1])):
        return "is a day that does not exist"
    if int(match[2]) > 23 or int(match[3]) > 59 or int(match[4]) > 60:
        return "is a time that does not exist"
    if not match[6]:
        return "is a date-time without a zone"
    if match[6] != "Z" and (int(match[6][1:3]) * 60 + int(match[6][4:]) > 14 * 60 or int(match[6][4:]) > 59):
        return "has an offset that does not exist"
    return None


def _real_day(match):
    try:
        date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return False
    return True


def instant(text):
    """Seconds since 1970 of a whole, sound date-time, or None."""
    match = _TIME.fullmatch(text)
    if not match or _time_fault(text, ""):
        return None
    seconds = min(int(match[4]), 59)
    moment = datetime.fromisoformat(f"{match[1]}T{match[2]}:{match[3]}:{seconds:02}{match[6].replace('Z', '+00:00')}")
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    fraction = Fraction(int(match[4]) - seconds) + Fraction("0" + (match[5] or ""))
    return (moment - epoch) // timedelta(seconds=1) + fraction


def _period(node, path):
    start, end = text_of(node.get("start")), text_of(node.get("end"))
    if start is None or end is None:
        return
    first, last = instant(start), instant(end)
    if first is not None and last is not None:
        reversed_ = first > last
    else:
        common = min(len(start), len(end), len("2024-01-01"))
        reversed_ = start[:common] > end[:common] and bool(_DAY.match(start)) and bool(_DAY.match(end))
    if reversed_:
        yield "period", path, "starts after its end"


_TZ_CODE = R4_PROFILE + "tz-code"
_ZONES = available_timezones()  # Empty on a system without the database: then nothing is judged.


def _zones(node, path):
    """A time that names its zone is in UTC or has the offset that was in force there at that time."""
    for key, value in node.items():
        if not key.startswith("_") or not is_time(key[1:]):
            continue
        for extension in objects(member(value, "extension")):
            zone = text_of(extension.get("valueCode"))
            if extension.get("url") != _TZ_CODE or zone is None or not _ZONES:
                continue
            if zone not in _ZONES:
                yield "zone", f"{path}.{key}", "names a time zone that does not exist"
                continue
            text = text_of(node.get(key[1:])) or ""
            seconds = instant(text)
            if seconds is None or text.endswith("Z"):
                continue
            offset = datetime.fromtimestamp(int(seconds), ZoneInfo(zone)).utcoffset()
            written = timedelta(hours=int(text[-5:-3]), minutes=int(text[-2:])) * (-1 if text[-6] == "-" else 1)
            if abs(offset - written) >= timedelta(minutes=1):
                yield "zone", f"{path}.{key[1:]}", "has another offset than its zone had then"


# --- Codes and systems ------------------------------------------------------------

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>\"{}|\\^`]+")
_CONTACT = {"phone", "fax", "email", "pager", "url", "sms", "other"}


def coded(resource, path):
    for place, _, node in walk(resource, path):
        if not isinstance(node, dict):
            continue
        system, code = text_of(node.get("system")), text_of(node.get("code"))
        if system is not None and system not in _CONTACT and (fault := _uri_fault(system)):
            yield "system", f"{place}.system", fault
        if system is not None and code is not None and (fault := _code_fault(system, code)):
            yield "code", f"{place}.code", fault
        yield from _listed(node, place)


def _uri_fault(uri):
    if not _ABSOLUTE.fullmatch(uri):
        return "is no absolute URI"
    if uri.startswith("urn:uuid:") and not is_uuid_urn(uri):
        return "is no UUID"
    if uri.startswith("urn:oid:") and not re.fullmatch(r"urn:oid:[0-2](\.(0|[1-9][0-9]*))+", uri):
        return "is no OID"
    return None


def is_uuid_urn(uri):
    try:
        return uri == f"urn:uuid:{UUID(uri.removeprefix('urn:uuid:'))}"
    except ValueError:
        return False


def _code_fault(system, code):
    if system == LOINC_SYSTEM:
        return loinc_fault(code)
    if system == UCUM_SYSTEM:
        return ucum_fault(code)
    return None


def _listed(node, path):
    """Codes whose system is given above them: groups of a ConceptMap, includes of a ValueSet."""
    concepts = [("system", concept, f"{path}.concept[{i}]") for i, concept in enumerate(objects(node.get("concept")))]
    for index, element in enumerate(objects(node.get("element"))):
        concepts.append(("source", element, f"{path}.element[{index}]"))
        for number, target in enumerate(objects(element.get("target"))):
            concepts.append(("target", target, f"{path}.element[{index}].target[{number}]"))
    for side, concept, place in concepts:
        system, code = text_of(node.get(side)), text_of(concept.get("code"))
        if system is not None and code is not None and (fault := _code_fault(system, code)):
            yield "code", f"{place}.code", fault


# --- Vital signs ------------------------------------------------------------------


class VitalSign(NamedTuple):
    loinc: str
    units: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()  # LOINC codes of the components that must be present.
    members: bool = False
    measured: bool = False  # The value can't be replaced by dataAbsentReason.


VITAL_SIGNS = {
    "heartrate": VitalSign("8867-4", ("/min",)),
    "resprate": VitalSign("9279-1", ("/min",)),
    "oxygensat": VitalSign("2708-6", ("%",)),
    "bodytemp": VitalSign("8310-5", ("Cel", "[degF]")),
    "bodyheight": VitalSign("8302-2", ("cm", "[in_i]")),
    "headcircum": VitalSign("9843-4", ("cm", "[in_i]")),
    "bodyweight": VitalSign("29463-7", ("kg", "[lb_av]", "g")),
    "bmi": VitalSign("39156-5", ("kg/m2",), measured=True),
    "bp": VitalSign("85354-9", ("mm[Hg]",), parts=("8480-6", "8462-4")),
    "vitalspanel": VitalSign("85353-1", members=True),
}
BY_LOINC = {sign.loinc: name for name, sign in VITAL_SIGNS.items()} | {
    "59408-5": "oxygensat",  # By pulse oximetry; R4 also wants 2708-6.
}

# `component.value[x]` of every vital sign is bound to these, as `required`.
COMPONENT_UNITS = {"%", "cm", "[in_i]", "kg", "g", "[lb_av]", "Cel", "[degF]", "mm[Hg]", "/min", "kg/m2", "m2"}


def codings(concept, system):
    """The codes of one system in a CodeableConcept."""
    listed = [coding for coding in objects(member(concept, "coding")) if coding.get("system") == system]
    return [coding["code"] for coding in listed if text_of(coding.get("code")) is not None]


def vital_signs(resource, path):
    if resource.get("resourceType") != "Observation":
        return
    loincs = codings(resource.get("code"), LOINC_SYSTEM)
    profiles = member(resource, "meta", "profile")
    claimed = {
        profile.split("|")[0].removeprefix(R4_PROFILE)
        for profile in (profiles if isinstance(profiles, list) else [])
        if text_of(profile) is not None and profile.startswith(R4_PROFILE)
    }
    if claimed - VITAL_SIGNS.keys() - {"vitalsigns", "Observation"}:
        yield "vital-signs", f"{path}.meta.profile", "claims what is no vital-signs profile of R4"
    for name in sorted({BY_LOINC[code] for code in loincs if code in BY_LOINC} - claimed):
        yield "vital-signs", f"{path}.meta.profile", f"does not claim {name}, whose LOINC it has"
    for name in sorted(claimed & (VITAL_SIGNS.keys() | {"vitalsigns"})):
        sign = VITAL_SIGNS.get(name)
        for place, message in _vital_sign(resource, sign, loincs):
            yield "vital-signs", path + place, f"{message} ({name})"


def _vital_sign(resource, sign, loincs):
    if sign and loincs.count(sign.loinc) != 1:
        yield ".code", f"needs LOINC {sign.loinc} once"
    vital = [c for c in objects(resource.get("category")) if "vital-signs" in codings(c, CATEGORY_SYSTEM)]
    if len(vital) != 1:
        yield ".category", "needs category vital-signs once"
    if not isinstance(resource.get("subject"), dict):
        yield ".subject", "has no subject"
    if not ("effectiveDateTime" in resource or isinstance(resource.get("effectivePeriod"), dict)):
        yield ".effective", "has neither effectiveDateTime nor effectivePeriod"
    elif len(text_of(resource.get("effectiveDateTime")) or "2024-01-01") < 10:
        yield ".effectiveDateTime", "is not exact to the day"
    yield from _vital_sign_value(resource, sign)
    for index, component in enumerate(objects(resource.get("component"))):
        yield from _component(component, f".component[{index}]")


def _vital_sign_value(resource, sign):
    held = sorted(name for name in resource if re.fullmatch(r"value[A-Z]\w*", name))
    if sign and (sign.parts or sign.members):
        if held:
            yield f".{held[0]}", "has a value, a panel has none"
        if sign.members and not resource.get("hasMember"):
            yield ".hasMember", "has no members"
        for loinc in sign.parts:
            parts = [
                (index, component)
                for index, component in enumerate(objects(resource.get("component")))
                if loinc in codings(component.get("code"), LOINC_SYSTEM)
            ]
            if len(parts) != 1:
                yield ".component", f"needs component {loinc} once"
            for index, component in parts:
                yield from _quantity(component, sign, f".component[{index}]")
    elif sign:
        yield from _quantity(resource, sign, "")
    elif not held and not resource.keys() & {"dataAbsentReason", "component", "hasMember"}:
        yield "", "has neither a value nor dataAbsentReason"


def _quantity(holder, sign, place):
    held = {name for name in holder if re.fullmatch(r"value[A-Z]\w*", name)}
    for name in sorted(held - {"valueQuantity"}):
        yield f"{place}.{name}", "is not a Quantity"
    if "valueQuantity" not in held:
        if sign.measured or "dataAbsentReason" not in holder:
            yield place, "has no valueQuantity" + ("" if sign.measured else " and no dataAbsentReason")
        return
    quantity = holder["valueQuantity"]
    for name in ("value", "unit"):
        if member(quantity, name) is None:
            yield f"{place}.valueQuantity.{name}", "is missing"
    if member(quantity, "system") != UCUM_SYSTEM:
        yield f"{place}.valueQuantity.system", "is not UCUM"
    if member(quantity, "code") not in sign.units:
        yield f"{place}.valueQuantity.code", f"is not one of {' '.join(sign.units)}"


def _component(component, place):
    """R4 binds every component's value to the units of vital signs, coded values too."""
    if not any(name.startswith("value") for name in component) and "dataAbsentReason" not in component:
        yield place, "has neither a value nor dataAbsentReason"
    quantity = component.get("valueQuantity")
    if isinstance(quantity, dict):
        if quantity.get("system") != UCUM_SYSTEM or text_of(quantity.get("code")) not in COMPONENT_UNITS:
            yield f"{place}.valueQuantity.code", "is not a unit that R4 lets components of vital signs have"
    concept = component.get("valueCodeableConcept")
    if isinstance(concept, dict) and not COMPONENT_UNITS & set(codings(concept, UCUM_SYSTEM)):
        yield f"{place}.valueCodeableConcept", "is a code, R4 binds components of vital signs to units"


# --- Extensions -------------------------------------------------------------------


def extensions(resource, path, known):
    """Extensions are defined, are where their definition allows them, and hold what it says.

    `known` is what definitions.extensions() returns.
    """
    for place, _, node in walk(resource, path):
        if not isinstance(node, dict) or "xtension[" in place:
            continue  # The extension names and fills its parts as it likes.
        for name in ("extension", "modifierExtension"):
            seen = set()
            for index, extension in enumerate(objects(node.get(name))):
                url = text_of(extension.get("url"))
                if url is None:
                    message = "has no url"
                elif url not in known:
                    message = "is defined neither by R4 nor in profiles/"
                elif url in seen and known[url]["max"] == "1":
                    message = "is there twice"
                elif not _allowed(known[url]["contexts"], place, path):
                    message = "does not belong there"
                else:
                    message = _held_fault(extension, known[url]["types"])
                seen.add(url)
                if message:
                    yield "extension", f"{place}.{name}[{index}]", message


def _held_fault(extension, types):
    held = [key.removeprefix("value").lower() for key in extension if re.fullmatch(r"value[A-Z]\w*", key)]
    if types and not held:
        return "holds no value"
    if types and not set(held) <= {kind.lower() for kind in types}:
        return "holds another type than its definition says"
    return None


def _allowed(contexts, place, type_):
    """Whether a context of the definition fits. A path does not show data types, so those always fit."""
    if not contexts or type_ in CONFORMANCE:
        return True  # Stated by FHIRPath only; HL7 itself is not strict in its definitions.
    path = re.sub(r"\[[0-9]+\]", "", place).replace("._", ".")
    if path == type_:
        return bool({path, "Resource", "DomainResource", "Element"} & set(contexts))
    if "._" in place and is_time(path.rsplit(".", 1)[-1]):
        return bool({path, "Element", "date", "dateTime", "instant"} & set(contexts))
    return any(context == path or context.split(".")[0] != type_ for context in contexts)


# --- One resource -----------------------------------------------------------------


def resource(tree, entry=None, known_extensions=None):
    """Everything that can be said of one resource alone."""
    path = text_of(tree.get("resourceType")) or "?"
    for rule in (values, sampled_data, ids, times, coded, vital_signs):
        for name, place, message in rule(tree, path):
            yield Finding(entry, name, place, message)
    if known_extensions is not None:
        for name, place, message in extensions(tree, path, known_extensions):
            yield Finding(entry, name, place, message)


# --- Transactions -----------------------------------------------------------------


def entries(bundle):
    return bundle["entry"] if isinstance(bundle.get("entry"), list) else []


def resources(tree):
    """(entry, resource) for each resource of a Bundle, or (None, resource) for a single one."""
    if tree.get("resourceType") != "Bundle":
        return [(None, tree)]
    inside = [(index, member(entry, "resource")) for index, entry in enumerate(entries(tree))]
    return [(index, resource_) for index, resource_ in inside if isinstance(resource_, dict)]


def shell(bundle):
    """The Bundle without what its entries hold."""
    if not entries(bundle):
        return bundle
    hollow = []
    for entry in entries(bundle):
        if isinstance(member(entry, "resource"), dict):
            entry = {**entry, "resource": {"resourceType": entry["resource"].get("resourceType")}}
        hollow.append(entry)
    return {**bundle, "entry": hollow}


def transaction(bundle):
    """What the entries of a transaction must be, each alone and together."""
    if bundle.get("type") not in ("transaction", "batch"):
        return
    seen = {}
    for index, entry in enumerate(entries(bundle)):
        for name, place, message in _entry(entry if isinstance(entry, dict) else {}):
            yield Finding(index, name, f"Bundle.entry{place}", message)
        for what, key in _names(entry if isinstance(entry, dict) else {}):
            if seen.setdefault((what, key), index) != index:
                yield Finding(index, "transaction", "Bundle.entry", f"has the {what} of entry {seen[what, key]}")


def _names(entry):
    """What no two entries of one transaction may share."""
    if text_of(full_url := entry.get("fullUrl")) is not None:
        yield "fullUrl", full_url
    if member(entry, "request", "method") == "PUT" and text_of(member(entry, "request", "url")) is not None:
        yield "request.url", member(entry, "request", "url")
    if text_of(condition := member(entry, "request", "ifNoneExist")) is not None:
        yield "ifNoneExist", f"{member(entry, 'request', 'url')}?{unquote(condition)}"


def _entry(entry):
    resource_, request = entry.get("resource"), entry.get("request")
    if not isinstance(resource_, dict):
        yield "transaction", ".resource", "is missing"
        return
    if not isinstance(request, dict):
        yield "transaction", ".request", "is missing"
        return
    type_, identity = text_of(resource_.get("resourceType")), text_of(resource_.get("id"))
    method, url = text_of(request.get("method")), text_of(request.get("url")) or ""
    full_url, condition = text_of(entry.get("fullUrl")), text_of(request.get("ifNoneExist"))
    if method == "PUT" and "?" in url:
        kind, query = url.split("?", 1)
        if kind != type_ or not _names_identifier(query, resource_):
            yield "transaction", ".request.url", "does not name the resource's type and identifier"
    elif method == "PUT":
        if identity is None or url != f"{type_}/{identity}":
            yield "transaction", ".request.url", "is not the resource's type and id"
    elif method == "POST":
        if url != type_:
            yield "transaction", ".request.url", "is not the resource's type"
        if identity is not None:
            yield "transaction", ".resource.id", "is given, the server chooses it"
        if condition is None:
            yield "transaction", ".request.ifNoneExist", "is missing: sent twice, it would be there twice"
        elif not _names_identifier(condition, resource_):
            yield "transaction", ".request.ifNoneExist", "does not name an identifier of the resource"
        if full_url is None:
            yield "transaction", ".fullUrl", "is missing"
    else:
        yield "transaction", ".request.method", "is neither PUT nor POST"
    if method != "POST" and condition is not None:
        yield "transaction", ".request.ifNoneExist", "goes with POST only"
    if full_url is not None and full_url.startswith("urn:"):
        if not is_uuid_urn(full_url):
            yield "transaction", ".fullUrl", "is no UUID"
    elif full_url is not None and not re.fullmatch(rf"https?://\S+/{type_}/{re.escape(identity or '')}", full_url):
        yield "transaction", ".fullUrl", "is not an absolute URL that ends in the resource's type and id"


def _names_identifier(query, resource_):
    name, _, token = query.partition("=")
    identifiers = resource_.get("identifier")
    return name == "identifier" and unquote(token) in [
        f"{identifier.get('system')}|{identifier.get('value')}"
        for identifier in objects(identifiers if isinstance(identifiers, list) else [identifiers])
    ]


# --- References -------------------------------------------------------------------

_RELATIVE = re.compile(r"([A-Z][A-Za-z]+)/([A-Za-z0-9\-.]{1,64})(/_history/[A-Za-z0-9\-.]{1,64})?")


class References:
    """Where references lead, over the lines of one file or the documents of one run.

    In a file of Bundles (`ordered`) the target of a reference is in the same Bundle or an earlier one, since they are
    posted in that order. Otherwise it may be anywhere. Patients are already on the server and need not be in the file.
    """

    def __init__(self, ordered):
        self.ordered = ordered
        self._known = set()
        self._waiting = []

    def add(self, tree, where=None):
        """Findings about one Bundle or resource; `where` is returned with what `rest` finds."""
        parts = resources(tree)
        urls = {member(entry, "fullUrl") for entry in entries(tree) if text_of(member(entry, "fullUrl"))}
        for _, part in parts:
            if text_of(part.get("id")) is not None:
                self._known.add(f"{part.get('resourceType')}/{part['id']}")
        for entry, part in parts:
            contained = {f"#{text_of(inner.get('id'))}" for inner in objects(part.get("contained"))}
            for path, key, node in walk(part, text_of(part.get("resourceType")) or "?"):
                if key != "reference" or text_of(node) is None:
                    continue
                if node.startswith("#"):
                    if node not in contained and node != "#":
                        yield Finding(entry, "reference", path, "leads to nothing contained")
                elif node.startswith("urn:"):
                    if node not in urls:
                        yield Finding(entry, "reference", path, "leads to no fullUrl of this Bundle")
                elif (match := _RELATIVE.fullmatch(node)) and match[1] != "Patient":
                    target = f"{match[1]}/{match[2]}"
                    if target in self._known:
                        continue
                    finding = Finding(entry, "reference", path, f"leads to no {match[1]} in this Bundle or before it")
                    if self.ordered:
                        yield finding
                    else:
                        self._waiting.append((target, where, finding._replace(message=f"leads to no {match[1]} here")))

    def rest(self):
        """References that led nowhere once everything was read, where order did not matter."""
        return [(where, finding) for target, where, finding in self._waiting if target not in self._known]


class Subject:
    """One file is about one patient."""

    def __init__(self):
        self._patient = None

    def add(self, tree):
        for entry, part in resources(tree):
            type_ = text_of(part.get("resourceType")) or "?"
            holder = {"Observation": "subject", "DocumentReference": "subject", "Device": "patient"}.get(type_)
            if holder and text_of(member(part, holder, "reference")) is None:
                yield Finding(entry, "patient", f"{type_}.{holder}", "names no patient")
            for path, key, node in walk(part, type_):
                if key != "reference" or text_of(node) is None or not re.search(r"(^|/)Patient/", node):
                    continue
                self._patient = self._patient or node
                if node != self._patient:
                    yield Finding(entry, "patient", path, "is another patient than before in this file")
