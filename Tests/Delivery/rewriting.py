"""Takes a written export apart and puts it together in other ways, as a phone would on another day."""

import datetime
import random
import re
import zipfile

DATE = re.compile(r'(="\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}")')
FORM = '="%Y-%m-%d %H:%M:%S %z"'


class Writing:
    """An export as its elements' texts, in order."""

    def __init__(self, head, elements, tail):
        self.head, self.elements, self.tail = head, elements, tail

    @classmethod
    def read(cls, path):
        """Reads what `pghd generate` writes: a top-level element begins with one space."""
        text = path.read_text(encoding="utf-8")
        start, end = text.index("\n <ExportDate") + 1, text.rindex("</HealthData>")
        return cls(text[:start], re.split(r"(?m)^(?= <[A-Z])", text[start:end])[1:], text[end:])

    def zip(self, path):
        """Writes it as the phone exports it."""
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("apple_health_export/export.xml", self.head + "".join(self.elements) + self.tail)
        return path

    def with_elements(self, elements):
        return Writing(self.head, elements, self.tail)

    def kind(self, number):
        found = re.match(r' <Record [^>]*?type="([^"]+)"', self.elements[number])
        return found[1] if found else None

    def numbers(self, kind):
        """The positions of the records of a type."""
        return [number for number in range(len(self.elements)) if self.kind(number) == kind]

    def in_offset(self, hours):
        """The same instants, written in the offset of another place."""
        zone = datetime.timezone(datetime.timedelta(hours=hours))

        def shifted(found):
            return datetime.datetime.strptime(found[1], FORM).astimezone(zone).strftime(FORM)

        # Metadata is the app's own text, which no phone rewrites.
        parts = [re.split(r"(<MetadataEntry[^>]*>)", element) for element in self.elements]
        return self.with_elements([
            "".join(part if part.startswith("<MetadataEntry") else DATE.sub(shifted, part) for part in some)
            for some in parts
        ])

    def with_pointers(self, number):
        """The same devices at other addresses in the phone's memory."""
        def moved(found):
            return f"HKDevice: 0x{int(found[1], 16) + number:x}"

        return self.with_elements([re.sub(r"HKDevice: 0x([0-9a-f]+)", moved, element) for element in self.elements])

    def shuffled(self, seed=1):
        """The records of each type in another order, at the positions of that type's records."""
        places = {}
        for number in range(len(self.elements)):
            if kind := self.kind(number):
                places.setdefault(kind, []).append(number)
        elements = list(self.elements)
        for numbers in places.values():
            order = list(numbers)
            random.Random(seed).shuffle(order)
            for place, number in zip(numbers, order):
                elements[place] = self.elements[number]
        return self.with_elements(elements)
