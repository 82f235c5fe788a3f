"""Whether a resource satisfies the profiles of profiles/ that it claims.

Judged are cardinality, types, fixed values and patterns, slices, targets of references,
required bindings to our own ValueSets, and invariants. A message names elements, slices
and profiles, never a value of the resource.
"""

import json
from decimal import Decimal

import profile_definitions
from profile_tree import Library
from rules import Number, member, objects, plain, resources, text_of

BUNDLES = "urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47"
BASE = "http://hl7.org/fhir/StructureDefinition/"


class Profiles:
    """The judge: definitions are held against R4's, data against the profiles they claim."""

    name = "profiles"

    def __init__(self, elements, value_sets, library=None):
        self.library = library or Library()
        self._definitions = profile_definitions.Definitions(self.library, elements, value_sets)
        self._invariants = {}
        self._claims = {}

    def judge(self, text, tree):
        if tree.get("resourceType") == "StructureDefinition":
            yield from ((None, path, message) for path, message in self._definitions.faults(json.loads(text)))
            return
        ours = member(tree, "identifier", "system") == BUNDLES
        for entry, resource in resources(tree):
            self._remember(tree, entry, resource)
        for entry, resource in resources(tree):
            yield from ((entry, path, message) for path, message in self.faults(resource, ours))

    def faults(self, resource, must_claim=False):
        """(path, message) of each rule that one resource breaks; Patients are the server's own."""
        type_ = text_of(resource.get("resourceType")) or "?"
        claimed = [url for url in claims(resource) if url.startswith("urn:")]
        if must_claim and not claimed and type_ != "Patient":
            yield f"{type_}.meta.profile", "claims no profile of ours"
        for url in claimed:
            definition = self.library.definitions.get(url)
            if definition is None:
                yield f"{type_}.meta.profile", "claims a profile that profiles/ does not define"
            elif definition["type"] != type_:
                yield f"{type_}.meta.profile", f"claims {definition['name']}, which is for another type"
            elif definition["abstract"]:
                yield f"{type_}.meta.profile", f"claims {definition['name']}, which is abstract"
            else:
                yield from self._conforms(resource, definition)
        for identifier in objects(resource.get("identifier")):
            system = text_of(identifier.get("system"))
            # R4's own system of URIs, such as that of HealthKit's UUID of a workout's activity, is named by R4.
            known = self.library.identifier_systems | {"urn:ietf:rfc:3986"}
            if must_claim and system is not None and system not in known:
                yield f"{type_}.identifier", "has a system that no NamingSystem of profiles/ names"

    def _remember(self, tree, entry, resource):
        """Records what a resource claims, under all names that references to it may have."""
        names = [f"{resource.get('resourceType')}/{resource.get('id')}"]
        if entry is not None:
            names.append(member(tree["entry"][entry], "fullUrl"))
        for name in filter(None, names):
            self._claims[name] = claims(resource)

    # --- One profile ------------------------------------------------------------------

    def _conforms(self, resource, definition):
        root = self.library.tree(definition["url"])
        for path, message in self._below(resource, root, definition["type"]):
            yield path, f"{message} ({definition['name']})"
        for constraint in root.constraints:
            if not self._holds(resource, constraint["expression"]):
                yield definition["type"], f"breaks {constraint['key']} ({definition['name']})"

    def _holds(self, resource, expression):
        if expression not in self._invariants:
            import fhirpathpy
            from fhirpathpy.models import models

            self._invariants[expression] = fhirpathpy.compile(expression, models["r4"])
        return self._invariants[expression](plain(resource, Decimal)) == [True]

    def _below(self, value, node, path):
        for name, child in node.children.items():
            held = list(held_by(value, name))
            yield from _counted(len(held), child, f"{path}.{name}")
            for type_, one in held:
                yield from self._element(type_, one, child, f"{path}.{name}")
            yield from self._sliced(held, child, f"{path}.{name}")

    def _element(self, type_, value, node, path):
        if type_ and node.type and type_ not in {_suffix(one["code"]) for one in node.type}:
            yield path, f"is a {type_}"
        if node.value is not None and not matches(value, node.value, node.exact):
            yield path, "is not what the profile fixes" if node.exact else "lacks what the profile's pattern has"
        if node.binding and node.binding["strength"] == "required":
            allowed = self.library.expansion(node.binding["valueSet"])
            if allowed is not None and not _bound(value, allowed):
                yield path, "has a code outside of its ValueSet"
        yield from self._target(value, node, path)
        yield from self._extension(value, node, path)
        yield from self._below(value, node, path)

    def _sliced(self, held, node, path):
        if not node.slices:
            return
        rest = list(held)
        for name, piece in node.slices.items():
            inside = [pair for pair in held if self._belongs(pair, piece, node.slicing["discriminator"])]
            rest = [pair for pair in rest if pair not in inside]
            yield from _counted(len(inside), piece, f"{path}:{name}")
            for type_, one in inside:
                yield from self._element(type_, one, piece, f"{path}:{name}")
        if rest and node.slicing["rules"] == "closed":
            yield path, "is in none of the profile's slices"

    def _belongs(self, pair, piece, discriminators):
        type_, value = pair
        for discriminator in discriminators:
            path = discriminator["path"]
            if discriminator["type"] == "type":
                if type_ not in {_suffix(one["code"]) for one in piece.type}:
                    return False
            elif path == "url":
                if member(value, "url") != extension_url(piece, self.library):
                    return False
            else:
                steps = [] if path == "$this" else path.split(".")
                expected = discriminating(piece, steps)
                if not any(matches(one, *expected) for one in reached(value, steps)):
                    return False
        return True

    def _target(self, value, node, path):
        reference = text_of(member(value, "reference"))
        targets = [url for one in node.type or [] if one["code"] == "Reference" for url in one.get("targetProfile", [])]
        if reference is None or not targets:
            return
        types = {self.library.definitions.get(url, {"type": url.removeprefix(BASE)})["type"] for url in targets}
        if "/" in reference and reference.split("/")[0] not in types:
            yield path, "refers to a resource of another type"
        elif reference in self._claims and not any(
            url.startswith(BASE) or url in self._claims[reference] for url in targets
        ):
            yield path, "refers to a resource that does not claim the profile asked for"

    def _extension(self, value, node, path):
        url = text_of(member(value, "url"))
        if node.name == "extension" and node.slice_name is None and url in self.library.definitions:
            yield from self._below(value, self.library.tree(url), f"{path}({self.library.definitions[url]['name']})")


# --- Reading values -----------------------------------------------------------------


def claims(resource):
    listed = member(resource, "meta", "profile")
    return [url.split("|")[0] for url in listed if text_of(url)] if isinstance(listed, list) else []


def held_by(value, name):
    """(type of a choice or None, value) of each occurrence of an element."""
    if not isinstance(value, dict):
        return
    if name.endswith("[x]"):
        stem = name.removesuffix("[x]")
        for key, held in value.items():
            if key.startswith(stem) and key[len(stem) : len(stem) + 1].isupper():
                yield key[len(stem) :], held
        return
    held = value.get(name)
    for one in held if isinstance(held, list) else [] if held is None else [held]:
        yield None, one


def reached(value, steps):
    if not steps:
        return [value]
    return [end for _, one in held_by(value, steps[0]) for end in reached(one, steps[1:])]


def discriminating(node, steps):
    """(value, whether it is exact) that distinguishes a slice from others, found at the path or above it."""
    value, exact, rest = node.value, node.exact, steps
    for index, step in enumerate(steps):
        if value is not None:
            break
        node = node.children[step]
        value, exact, rest = node.value, node.exact, steps[index + 1 :]
    for step in rest:
        value = member(value, step)
    if value is None:
        raise ValueError(f"slice {node.slice_name or node.name} says nothing of its discriminator")
    return value, exact


def extension_url(piece, library):
    """The URL of the extensions in a slice, by its definition or by its own fixed url."""
    for one in piece.type or []:
        for url in one.get("profile", []):
            return url
    return piece.children["url"].value


def matches(value, wanted, exact=False):
    """FHIR's fixed[x] (exact) and pattern[x]: every part of the pattern is somewhere in the value."""
    if exact or not isinstance(wanted, (dict, list)):
        return _same(value, wanted)
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(name in value and matches(value[name], wanted[name]) for name in wanted)
    return isinstance(value, list) and all(any(matches(one, part) for one in value) for part in wanted)


def _same(value, wanted):
    if isinstance(value, Number):
        return isinstance(wanted, (int, float)) and not isinstance(wanted, bool) and Decimal(value) == Decimal(str(wanted))
    return value == wanted


def _suffix(type_):
    return type_[:1].upper() + type_[1:]


def _counted(count, node, path):
    if count < (node.min or 0):
        yield path, f"is there {count} times, at least {node.min} are asked for"
    if node.max not in (None, "*") and count > int(node.max):
        yield path, f"is there {count} times, at most {node.max} are allowed"


def _bound(value, allowed):
    """A code by itself has no system: one of any system will do."""
    if text_of(value) is not None:
        return value in {code for _, code in allowed}
    codings = objects(value["coding"]) if "coding" in value else [value]
    return any((coding.get("system"), coding.get("code")) in allowed for coding in codings)
