"""Reads exports with Python's own means: with expat where the XML is well-formed, otherwise line by line."""

import html
import re
import xml.parsers.expat
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent.parent / "samples"
ATTRIBUTE = re.compile(rb'([A-Za-z]+)="([^"<]*)"')
# Attributes by element in Apple's DTD 14, as the generator writes it.
DTD = (SAMPLES.parent / "Sources/SyntheticExport/Elements/Prolog.swift").read_text()
DECLARED = {
    name: set(re.findall(r"(\w+)\s+CDATA", attributes))
    for name, attributes in re.findall(r"<!ATTLIST (\w+)([^>]*)>", DTD)
}
# What iOS 18 also writes, or what its DTD declares and the generator's does not.
LENS = "vertex prismAmount prismAngle farPD nearPD baseCurve diameter".split()
for eye in ("RightEye", "LeftEye"):
    DECLARED[eye] |= {name + unit for name in LENS for unit in ("", "Unit")}
DECLARED["SensitivityPoint"] |= {
    f"{ear}Ear{part}"
    for ear in ("left", "right")
    for part in ("Masked", "ClampingRangeLowerBound", "ClampingRangeUpperBound")
}
DECLARED["WorkoutActivity"].add("workoutActivityType")
# What older versions wrote.
for total in ("totalSwimmingStrokeCount", "totalFlightsClimbed"):
    DECLARED["Workout"] |= {total, total + "Unit"}
DECLARED["ActivitySummary"] |= {"appleMoveMinutes", "appleMoveMinutesGoal"}
# Child elements that are read, by their parent; the DTD omits some of a workout's.
READ = {
    "Record": {"MetadataEntry", "HeartRateVariabilityMetadataList"},
    "Correlation": {"MetadataEntry", "Record"},
    "Workout": {"MetadataEntry", "WorkoutEvent", "WorkoutStatistics", "WorkoutActivity", "WorkoutRoute", "Record"},
    "WorkoutActivity": {"MetadataEntry", "WorkoutEvent", "WorkoutStatistics", "Record"},
    "WorkoutEvent": {"MetadataEntry"},
    "WorkoutRoute": {"MetadataEntry", "FileReference", "Location"},
    "Audiogram": {"MetadataEntry", "SensitivityPoint"},
    "VisionPrescription": {"MetadataEntry", "RightEye", "LeftEye"},
    "HeartRateVariabilityMetadataList": {"InstantaneousBeatsPerMinute"},
}
TOP = {"ExportDate", "Me", "Record", "Correlation", "Workout", "ActivitySummary", "ClinicalRecord", "Audiogram",
       "VisionPrescription"}  # fmt: skip
KNOWN = "type sourceName sourceVersion device unit creationDate startDate endDate value".split()


class Element:
    """An element other than a plain record, with everything in it."""

    def __init__(self, name, attributes):
        self.name, self.attributes, self.children = name, attributes, []

    def get(self, name):
        """An attribute's text; None where it is absent or empty."""
        return self.attributes.get(name) or None

    def named(self, name):
        return [child for child in self.children if child.name == name]

    def copy(self):
        copy = Element(self.name, dict(self.attributes))
        copy.children = list(self.children)
        return copy

    def without(self, name):
        """The element without its children of one name."""
        copy = self.copy()
        copy.children = [child for child in self.children if child.name != name]
        return copy

    def all(self, name):
        """The elements of one name at any depth, in the order of their end tags."""
        for child in self.children:
            yield from child.all(name)
            if child.name == name:
                yield child

    def below(self):
        """The element itself and everything in it."""
        yield self
        for child in self.children:
            yield from child.below()

    def record(self):
        """A `Record` in the form in which top-level records are read."""
        record = {name: value for name, value in self.attributes.items() if name in KNOWN}
        record["metadata"] = [
            (entry.attributes["key"], entry.attributes.get("value", b""))
            for entry in self.named("MetadataEntry")
            if "key" in entry.attributes
        ]
        beats = self.beats()
        if beats is not None:
            record["beats"] = beats
        return record

    def beats(self):
        """The rate and the time of each heart beat in a `Record`, as written; None without a list of them."""
        lists = self.named("HeartRateVariabilityMetadataList")
        inside = [beat for one in lists for beat in one.named("InstantaneousBeatsPerMinute")]
        return [(b.attributes.get("bpm", b""), b.attributes.get("time", b"")) for b in inside] if lists else None


class Export:
    """The elements of an export that are counted or converted."""

    def __init__(self):
        self.items = []  # below the root: records as dictionaries, other elements as trees
        self.nested = []
        self.elements = {}  # complete ones by name, except Record and the root
        self.top = {}  # the same, only those directly below the root
        self.unknown_attributes = 0
        self.unread = {}  # elements by name that are not used, since they are where they are not declared
        self.is_complete = False
        self.day = None  # of the export, on the phone's clock
        self.date = None  # of the export, as written
        self.electrocardiograms = []  # the bytes of their files, in the order of their names
        self.beside = {}  # how many other files are next to the main XML, by kind
        self.folder = None  # of the main XML, unless it is a plain file
        self.includes_patient = self.includes_routes = self.summarizes = False
        self.zone = None

    def count(self, name, is_top):
        if name not in ("Record", "HealthData"):
            self.elements[name] = self.elements.get(name, 0) + 1
            if is_top:
                self.top[name] = self.top.get(name, 0) + 1

    def look(self, path, attributes):
        """Counts what the DTD does not declare about an element: `path` names its ancestors and itself."""
        name = path[-1]
        if name != "Record":
            self.unknown_attributes += sum(a not in DECLARED[name] for a in attributes) if name in DECLARED else 0
        parents = all(a == "HealthData" or b in READ.get(a, ()) for a, b in zip(path[1:-1], path[2:-1]))
        if len(path) > 2 and path[1] in TOP and parents and name not in READ.get(path[-2], ()):
            name = "other" if name in ("Me", "MetadataEntry", "WorkoutRoute") else name
            self.unread[name] = self.unread.get(name, 0) + 1

    def file(self, path):
        """The bytes of a file that an element refers to, None if the export does not hold it."""
        file = self.folder and self.folder / path.decode().lstrip("/")
        return file.read_bytes() if file and file.is_file() else None

    def add(self, attributes, metadata, is_nested, beats=None):
        self.unknown_attributes += sum(name not in KNOWN for name in attributes)
        record = {name: value for name, value in attributes.items() if name in KNOWN}
        record["metadata"] = metadata
        if beats is not None:
            record["beats"] = beats
        (self.nested if is_nested else self.items).append(record)

    def add_element(self, element):
        """Adds a tree below the root."""
        self.items.append(element)
        if element.name == "ExportDate" and self.day is None:
            self.date = element.attributes.get("value", b"")
            self.day = self.date[:10]

    @property
    def records(self):
        """The records below the root."""
        return [item for item in self.items if isinstance(item, dict)]


def without_doctype(data):
    """The XML without its DOCTYPE, which is broken in some exports and never needed."""
    start = data.find(b"<!DOCTYPE")
    return data if start < 0 else data[:start] + data[data.index(b"<HealthData") :]


def read(path):
    """Reads an export from its main XML, its folder, or one electrocardiogram's file."""
    path = Path(path)
    if path.is_dir():
        export = _read_xml((path / "export.xml").read_bytes())
        export.folder = path
        export.beside = beside(path)
        files = sorted(path.glob("electrocardiograms/*.csv"))
        export.electrocardiograms = [file.read_bytes() for file in files]
        return export
    if path.suffix == ".csv":
        export = Export()
        export.is_complete, export.electrocardiograms = True, [path.read_bytes()]
        return export
    return _read_xml(path.read_bytes())


def beside(folder):
    """How many other files are next to the main XML, by kind."""
    kinds = {
        "electrocardiograms": (".csv", "electrocardiogram"), "workout-routes": (".gpx", "workoutRoute"),
        "clinical-records": (".json", "clinicalRecord"), "attachments": ("", "attachment"),
    }  # fmt: skip
    found = {}
    for path in (path for path in folder.rglob("*") if path.is_file() and path.name != "export.xml"):
        ending, kind = kinds.get(path.parent.name, ("export_cda.xml", "clinicalDocument"))
        kind = kind if path.name.endswith(ending) else "other"
        found[kind] = found.get(kind, 0) + 1
    return found


def _read_xml(data):
    try:
        return _parse(without_doctype(data))
    except xml.parsers.expat.ExpatError:
        pass
    try:
        data = re.sub(rb"<WorkoutStatistics [^>]*>", _with_end, without_doctype(data))
        return _parse(re.sub(rb"<Attachment [^>]*>", _with_one_identifier, data))
    except xml.parsers.expat.ExpatError:
        return _scan(data)


def _with_end(tag):
    """The tag; where iOS 16.0 wrote a second start tag instead of an end tag, that becomes the end."""
    parts = tag[0].split(b" startDate=")
    is_doubled = len(parts) == 3 and b" endDate=" not in tag[0]
    return b" startDate=".join(parts[:2]) + b" endDate=" + parts[2] if is_doubled else tag[0]


def _with_one_identifier(tag):
    first, *others = re.split(rb"(?= identifier=)", tag[0])
    return first + others[0] + b"/>" if len(others) > 1 else tag[0]


def _parse(data):
    export, stack = Export(), []

    def start(name, attributes):
        element = Element(name, {k: v.encode() for k, v in attributes.items()})
        if stack:
            stack[-1].children.append(element)
        stack.append(element)
        export.look([open_.name for open_ in stack], attributes)

    def end(name):
        element = stack.pop()
        export.count(name, len(stack) == 1)
        if name == "Record":
            export.add(element.attributes, element.record()["metadata"], len(stack) > 1, element.beats())
        elif len(stack) == 1:
            export.add_element(element)
        if len(stack) == 1:
            stack[0].children.clear()

    parser = xml.parsers.expat.ParserCreate("UTF-8")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.Parse(data, True)
    export.is_complete = True
    return export


def _attributes(tag):
    """The attributes in a tag's text; None if it is not well-formed."""
    inner = re.fullmatch(rb"<[A-Za-z]+((?: [A-Za-z]+=\"[^\"<]*\")*)\s*/?>", tag)
    if not inner:
        return None
    pairs = ATTRIBUTE.findall(inner[1])
    if len({name for name, _ in pairs}) < len(pairs):
        return None
    attributes = {}
    for name, value in pairs:
        for reference in re.findall(rb"&([^;]*);?", value):
            if reference not in (b"lt", b"gt", b"amp", b"quot", b"apos") and not reference.startswith(b"#"):
                return None
        attributes[name.decode()] = html.unescape(value.decode()).encode()
    return attributes


def _scan(data):
    """Line by line: an element that is broken or never closed is left out, the others are kept."""
    text = data.decode("utf-8", errors="replace")
    text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]|&#(?:[0-8]|1[124-9]|2[0-9]|3[01]);", "\ufffd", text)
    text = re.sub("<!--.*?-->", "", text, flags=re.S)
    root = text.index("<HealthData")
    end = text.find("</HealthData>")
    export = Export()
    body = text[root : end if end >= 0 else len(text)].encode()
    export.is_complete = end >= 0
    open_record = None
    for line in body.splitlines()[1:]:
        # Only elements directly below the root are indented by one space: the open element was never closed.
        if re.match(rb" <[A-Za-z]", line):
            open_record = None
        line = line.strip()
        name = re.match(rb"<([A-Za-z]+)", line)
        if line == b"</Record>":
            if open_record:
                export.add(*open_record, is_nested=False)
            open_record = None
            continue
        attributes = _attributes(line) if name else None
        if attributes is None:
            continue
        if name[1] == b"Record" and open_record is None:
            if line.endswith(b"/>"):
                export.add(attributes, [], is_nested=False)
            else:
                open_record = (attributes, [])
        elif open_record is not None:
            # Inside an element that is not closed yet.
            (export.add(attributes, [], is_nested=True) if name[1] == b"Record" else None)
        else:
            export.count(name[1].decode(), is_top=True)
            export.look(["HealthData", name[1].decode()], attributes)
            if line.endswith(b"/>"):
                export.add_element(Element(name[1].decode(), {k: v for k, v in attributes.items()}))
    return export
