"""The validators not written by this project, behind one interface; and our own judge of profiles (profiles.py).

A judge takes a document (a Bundle or a resource) as text and as values and yields (entry, path, message); entry is the
index in the Bundle, None for the document itself. Where judges complain wrongly, the complaint is left out here,
narrowly and with its reason.
"""

import logging
import re
import warnings
from datetime import datetime
from decimal import Decimal

import definitions
from profile_tree import PROFILES
from profiles import Profiles
from rules import CONFORMANCE, R4_PROFILE, plain, resources

warnings.filterwarnings("ignore")
logging.getLogger("pyrofile_validator").setLevel(logging.ERROR)


APPLE = "//developer.apple.com/documentation/healthkit"


def _entry_of(path):
    """Splits a path in a Bundle into the entry's index and the path inside its resource."""
    match = re.match(r"Bundle\.entry\[([0-9]+)\](?:\.resource\b)?", path)
    return (int(match[1]), path[match.end() :].lstrip(".")) if match else (None, path)


def _compares_texts(message, resource):
    """Whether a judge calls Periods reversed although each begins before it ends.

    Their FHIRPath compares a dateTime's text: in the night in which clocks go back, 02:10+01:00 comes after
    02:50+02:00.
    """
    return "per-1" in message and all(
        datetime.fromisoformat(period["start"]) <= datetime.fromisoformat(period["end"]) for period in _periods(resource)
    )


def _periods(value):
    if isinstance(value, dict):
        if isinstance(value.get("start"), str) and isinstance(value.get("end"), str):
            yield value
        for inner in value.values():
            yield from _periods(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _periods(inner)


class FHIRResources:
    """fhir.resources: R4B, in which every resource written here is the same as in R4."""

    name = "fhir.resources"

    def __init__(self):
        from fhir.resources.R4B import get_fhir_model_class
        from pydantic import ValidationError

        self._model, self._refusal = get_fhir_model_class, ValidationError

    def judge(self, text, tree):
        try:
            model = self._model(tree["resourceType"])
        except (LookupError, ValueError):
            yield None, "resourceType", "is no resource of R4"
            return
        try:
            model.model_validate_json(text)
        except self._refusal as refusal:
            for error in refusal.errors(include_url=False, include_input=False, include_context=False):
                yield *_entry_of(_dotted(tree["resourceType"], error["loc"])), error["msg"]


class FHIRKit:
    """fhirkit: generated in Rust from R4's definitions."""

    name = "fhirkit"

    def __init__(self):
        import fhirkit

        self._validate, self._refusal = fhirkit.validate, fhirkit.ParseError

    def judge(self, text, tree):
        try:
            issues = self._validate(text)
        except self._refusal as refusal:
            yield None, "", str(refusal)
            return
        for issue in issues:
            if issue.severity == "error":
                yield *_entry_of(issue.path), issue.message


# fhircraft takes every component of a blood pressure for the systolic one, since it does not look at codes that deep,
# and refuses all panels for having two. The profile that `bp` is derived from is judged instead; our own rules judge
# the two components.
FHIRCRAFT_INSTEAD = {R4_PROFILE + "bp": R4_PROFILE + "vitalsigns"}


class FHIRCraft:
    """fhircraft: runs R4's FHIRPath invariants and the profiles that a resource claims.

    Bundles are judged entry by entry: its model of Bundle costs half a minute and a gigabyte.
    """

    name = "fhircraft"

    def __init__(self):
        import fhircraft
        from fhircraft.exceptions import DefinitionNotFoundError
        from pydantic import ValidationError

        self._quiet, self._refusal, self._unknown = fhircraft.override_config, ValidationError, DefinitionNotFoundError
        self._factory = fhircraft.FHIRModelFactory(fhir_release="R4")
        self._models = {}
        # HL7's definitions are registered without being judged, which saves 15 seconds.
        with self._quiet(validation_mode="skip"):
            for name in definitions.VITAL_SIGNS:
                self._factory.register(definitions.vital_signs_profile(name))

    def judge(self, text, tree):
        for entry, resource in resources(plain(tree, Decimal)):
            type_ = str(resource.get("resourceType"))
            if type_ in CONFORMANCE or type_ == "Bundle":
                continue
            profiles = resource.get("meta", {}).get("profile") if isinstance(resource.get("meta"), dict) else None
            claims = [p.split("|")[0] for p in profiles if isinstance(p, str)] if isinstance(profiles, list) else []
            # A profile includes its base. Profiles that are not R4's own are not judged here.
            claims = [FHIRCRAFT_INSTEAD.get(claim, claim) for claim in claims]
            known = [claim for claim in claims if self._model(claim) is not None]
            for url in known or [R4_PROFILE + type_]:
                yield from self._judge(entry, type_, url, resource)

    def _judge(self, entry, type_, url, resource):
        model = self._model(url)
        if model is None:
            yield entry, "resourceType", "is no resource of R4"
            return
        try:
            with self._quiet(disable_fhir_warnings=True):
                model.model_validate(resource)
        except self._refusal as refusal:
            for error in refusal.errors(include_url=False, include_input=False, include_context=False):
                if _compares_texts(error["msg"], resource):
                    continue
                yield entry, _dotted(type_, error["loc"]), f"{error['msg']} ({url.rsplit('/', 1)[-1]})"

    def _model(self, url):
        if url not in self._models:
            try:
                with self._quiet(validation_mode="skip"):
                    self._models[url] = self._factory.build(canonical_url=url)
            except self._unknown:
                self._models[url] = None
        return self._models[url]


class Pyrofile:
    """pyrofile: structure, bindings, references and Bundles, by its built-in rules alone.

    With R4's package loaded it refuses every sound vital sign (slices, vs-1), so it is not;
    with profiles/ alone it judges those that a resource claims.
    """

    name = "pyrofile"

    def __init__(self):
        from pyrofile_validator import Validator
        from pyrofile_validator.config import ValidatorConfig

        # It would refuse what profiles/ defines; our own rules hold extensions to their definitions.
        self._validator = Validator(ValidatorConfig(allow_unknown_extensions=True, local_package_paths=[str(PROFILES)]))

    def judge(self, text, tree):
        if tree.get("resourceType") in CONFORMANCE:
            return
        document = plain(tree, float)
        # `validate_resource` refuses everything above 1 MiB, which R4 says of single strings only, and does not say
        # which entry it means; so its two steps are done here.
        if tree.get("resourceType") == "Bundle":
            _, issues, index = self._validator._validate_bundle(document)
            yield from self._errors(None, issues, document)
        else:
            index = {}
        for entry, resource in resources(document):
            issues = self._validator._validate_one(resource, index, bundle_entry=entry is not None)
            yield from self._errors(entry, issues, resource)

    @staticmethod
    def _errors(entry, issues, resource):
        for issue in issues:
            if issue.severity.value not in ("error", "fatal"):
                continue
            if _compares_texts(f"{issue.code}: {issue.message}", resource):
                continue
            # It takes a fragment of a CodeSystem, as Apple's are here, for the whole.
            if issue.code == "terminology.code-system" and APPLE in issue.message:
                continue
            # Its FHIRPath finds no SampledData in components; fhirpathpy does, for our own judge.
            if issue.code == "profile.invariant.pghd-lead":
                continue
            # In a profile whose base has a base of ours it mixes up the extensions' slices of those bases.
            if issue.code == "profile.slice.cardinality.max" and "extension:gatewayDevice" in issue.message:
                continue
            found, path = _entry_of(issue.path or "")
            yield entry if found is None else found, path, f"{issue.code}: {issue.message}"


def _dotted(root, location):
    path = root
    for step in location:
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
    return path


def everyone(quick=False):
    ours = Profiles(definitions.read("elements"), definitions.read("value-sets"))
    return [FHIRResources(), FHIRKit(), Pyrofile(), ours] + ([] if quick else [FHIRCraft()])
