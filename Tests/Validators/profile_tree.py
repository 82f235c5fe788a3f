"""The StructureDefinitions of profiles/ as trees of elements, each with its base merged in.

A tree holds what our own profiles say, from the first of them that is not R4's downwards; what R4 itself says is judged
by validators not written by this project.
"""

import json
from pathlib import Path

PROFILES = Path(__file__).resolve().parents[2] / "profiles"
# Keys of an ElementDefinition that a derived one replaces.
RULES = ("min", "max", "type", "binding", "slicing")


class Node:
    """One element or slice, with the elements below it and its sibling slices."""

    def __init__(self, name, slice_name=None):
        self.name, self.slice_name = name, slice_name
        self.children, self.slices = {}, {}
        self.min = self.max = self.type = self.binding = self.slicing = self.value = None
        self.exact = False  # Whether `value` is the only value allowed (fixed[x]) or the minimum (pattern[x]).
        self.constraints = []

    def child(self, segment):
        """The node of one step of an id, such as `value[x]:valueQuantity`, created if there is none."""
        name, _, slice_name = segment.partition(":")
        node = self.children.setdefault(name, Node(name))
        return node.slices.setdefault(slice_name, Node(name, slice_name)) if slice_name else node

    def at(self, steps):
        """The node below, by names alone; None if nothing is said of it."""
        node = self
        for step in steps:
            node = node.children.get(step)
            if node is None:
                return None
        return node

    def read(self, element):
        for rule in RULES:
            if rule in element:
                setattr(self, rule, element[rule])
        for key, value in element.items():
            if key.startswith(("fixed", "pattern")):
                self.value, self.exact = value, key.startswith("fixed")
        self.constraints += element.get("constraint", [])

    def merged(self, other):
        """This node with what `other`, a derived one, says of the same element."""
        node = Node(self.name, other.slice_name or self.slice_name)
        for rule in RULES:
            own = getattr(other, rule)
            setattr(node, rule, getattr(self, rule) if own is None else own)
        node.value, node.exact = (self.value, self.exact) if other.value is None else (other.value, other.exact)
        node.constraints = self.constraints + other.constraints
        for ours, above, below in (
            (node.children, self.children, other.children),
            (node.slices, self.slices, other.slices),
        ):
            for name in above | below:
                pair = [tree[name] for tree in (above, below) if name in tree]
                ours[name] = pair[0].merged(pair[1]) if len(pair) == 2 else pair[0]
        return node


def tree(definition):
    """The tree of one differential, by itself."""
    root = Node(definition["type"])
    for element in definition["differential"]["element"]:
        node = root
        for segment in element["id"].split(".")[1:]:
            node = node.child(segment)
        node.read(element)
    return root


class Library:
    """What profiles/ defines, by canonical URL."""

    def __init__(self, folder=PROFILES):
        self.definitions, self.value_sets, self.code_systems = {}, {}, {}
        kinds = {
            "StructureDefinition": self.definitions,
            "ValueSet": self.value_sets,
            "CodeSystem": self.code_systems,
        }
        self.identifier_systems = set()
        for file in sorted(folder.rglob("*.json")):
            resource = json.loads(file.read_text(encoding="utf-8"))
            kind = resource.get("resourceType")
            if kind in kinds:
                kinds[kind][resource["url"]] = resource
            elif kind == "NamingSystem":
                self.identifier_systems |= {unique["value"] for unique in resource["uniqueId"]}
        self._trees, self._expansions = {}, {}

    def tree(self, url):
        """The tree of a profile with that of its base merged in, if the base is ours too."""
        if url not in self._trees:
            definition = self.definitions[url]
            own, base = tree(definition), definition["baseDefinition"]
            self._trees[url] = self.tree(base).merged(own) if base in self.definitions else own
        return self._trees[url]

    def expansion(self, url):
        """(system, code) of all that a ValueSet of ours includes; None for one of R4's."""
        if url not in self.value_sets:
            return None
        if url not in self._expansions:
            self._expansions[url] = {
                pair for include in self.value_sets[url]["compose"]["include"] for pair in self._included(include)
            }
        return self._expansions[url]

    def _included(self, include):
        for value_set in include.get("valueSet", []):
            yield from self.expansion(value_set)
        if "system" not in include:
            return
        system = include["system"]
        concepts = include.get("concept")
        if concepts is None:
            concepts = self.code_systems[system]["concept"]
            for rule in include.get("filter", []):
                concepts = [concept for concept in concepts if _passes(concept, rule)]
        yield from ((system, concept["code"]) for concept in concepts)


def _passes(concept, rule):
    if rule["op"] != "=":
        raise ValueError(f"a ValueSet filters by {rule['op']}, which is not read here")
    return any(
        rule["value"] in (held.get("valueCode"), held.get("valueString"))
        for held in concept.get("property", [])
        if held["code"] == rule["property"]
    )
