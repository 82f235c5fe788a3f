"""Whether the StructureDefinitions of profiles/ say only what their bases allow.

Each differential is compared with R4's own definitions and with the profile of ours that it is derived from: elements
exist, types are allowed, cardinalities and bindings only get narrower, slices are named and have a discriminator.
"""

from profile_tree import tree

BASE = "http://hl7.org/fhir/StructureDefinition/"
_STRENGTHS = ["example", "preferred", "extensible", "required"]


class Definitions:
    def __init__(self, library, elements, value_sets):
        self._library, self._value_sets = library, set(value_sets)
        # Children of each type and element, in their order: path of the parent, name, element.
        self._children = {}
        for listed in elements.values():
            for element in listed[1:]:
                parent, _, name = element["path"].rpartition(".")
                self._children.setdefault(parent, {})[name] = element

    def faults(self, definition):
        """(path, message) for each fault of one StructureDefinition."""
        own, type_, base = tree(definition), definition["type"], definition["baseDefinition"]
        above = self._library.definitions.get(base)
        if definition["derivation"] != "constraint":
            yield "StructureDefinition.derivation", "is no constraint"
        if (above["type"] if above else base.removeprefix(BASE)) != type_:
            yield "StructureDefinition.baseDefinition", "is of another type"
        listed = definition["differential"]["element"]
        if listed[0]["id"] != type_:
            yield "StructureDefinition.differential", "does not begin with the type"
        names = [element["id"] for element in listed]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield name, "is there twice"
        for element in listed:
            yield from self._named(element, definition)
        root = self._library.tree(base) if above else None
        yield from self._below(own, root, type_, type_)
        for constraint in (one for element in listed[1:] for one in element.get("constraint", [])):
            yield "constraint", f"{constraint['key']} stands below the root, where it is not checked"

    def _named(self, element, definition):
        steps = element["id"].split(".")
        if element["path"] != ".".join(step.split(":")[0] for step in steps):
            yield element["id"], "has a path that is not its id without slices"
        if element.get("sliceName") != (steps[-1].partition(":")[2] or None):
            yield element["id"], "has another sliceName than its id"
        if sum(key.startswith(("fixed", "pattern")) for key in element) > 1:
            yield element["id"], "has more than one fixed value or pattern"
        if binding := element.get("binding"):
            value_set = binding["valueSet"].split("|")[0]
            if value_set not in self._library.value_sets and value_set not in self._value_sets:
                yield element["id"], "is bound to a ValueSet that is nowhere"
        for kind in element.get("type", []):
            for url in kind.get("profile", []) + kind.get("targetProfile", []):
                if not url.startswith(BASE) and url not in self._library.definitions:
                    yield element["id"], "names a profile that is nowhere"

    def _below(self, node, above, base_path, path):
        """`base_path` names the children in R4: of a type (`Coding`) or an element (`Observation.component`)."""
        known = self._children.get(base_path, {})
        order = [list(known).index(name) for name in node.children if name in known]
        if order != sorted(order):
            yield path, "has its elements in another order than R4"
        for name, child in node.children.items():
            place = f"{path}.{name}"
            if name not in known:
                yield place, "is no element of R4's definition"
                continue
            upper = above.children.get(name) if above else None
            yield from self._element(child, [upper] if upper else [], known[name], place)
            slicing = child.slicing or (upper.slicing if upper else None)
            for slice_name, piece in child.slices.items():
                uppers = [child] + ([upper] if upper else [])
                if upper and slice_name in upper.slices:
                    uppers.append(upper.slices[slice_name])
                yield from self._element(piece, uppers, known[name], f"{place}:{slice_name}")
                yield from self._told_apart(piece, uppers, slicing, f"{place}:{slice_name}")
            least = sum(piece.min or 0 for piece in child.slices.values())
            most = _most(child.max or known[name]["max"])
            if least > most:
                yield place, "has slices that need more than it may hold"

    def _element(self, node, uppers, base, place):
        """`uppers`: what this definition and the ones above say of the same element; for a slice, the same slice
        last."""
        yield from _narrows(node, 0 if node.slice_name else base["min"], base["max"], place)
        for upper in uppers:
            # One slice may occur less often than all slices together.
            yield from _narrows(node, upper.min if upper.slice_name == node.slice_name else 0, upper.max, place)
        allowed = {kind["code"]: kind["targets"] for kind in base["types"]}
        for kind in node.type or []:
            if kind["code"] not in allowed:
                yield place, f"may be a {kind['code']}, which R4 does not allow"
            elif not all(self._fits(url, allowed[kind["code"]]) for url in kind.get("targetProfile", [])):
                yield place, "may refer to what R4 does not allow"
        narrowed = next((one.type for one in [node, *uppers] if one.type), None)
        for upper in uppers:
            codes = {kind["code"] for kind in upper.type or []}
            if node.type and codes and not {kind["code"] for kind in node.type} <= codes:
                yield place, "may be of a type that the profile above does not allow"
        codes = [kind["code"] for kind in narrowed] if narrowed else list(allowed)
        if node.binding and base["binding"]:
            if _STRENGTHS.index(node.binding["strength"]) < _STRENGTHS.index(base["binding"]):
                yield place, "is bound more weakly than in R4"
        if not node.children:
            return
        merged = uppers[-1] if uppers else None
        inside = base["path"] if base["path"] in self._children else None
        if "contentReference" in base:
            inside = base["contentReference"].removeprefix("#")
        if inside is None and len(codes) != 1:
            yield place, "has elements below it, but several types"
            return
        yield from self._below(node, merged, inside or codes[0], place)

    def _fits(self, url, targets):
        type_ = self._library.definitions.get(url, {"type": url.removeprefix(BASE)})["type"]
        return BASE + type_ in targets or BASE + "Resource" in targets or not targets

    @staticmethod
    def _told_apart(piece, uppers, slicing, place):
        if slicing is None:
            yield place, "is a slice of what is not sliced"
            return
        for discriminator in slicing["discriminator"]:
            candidates = [piece, *uppers[1:]]
            if discriminator["type"] == "type":
                told = any(one.type and len(one.type) == 1 for one in candidates)
            elif discriminator["path"] == "url":
                told = any(kind.get("profile") for one in candidates for kind in one.type or [])
                told = told or any(_says(one, ["url"]) for one in candidates)
            else:
                steps = [] if discriminator["path"] == "$this" else discriminator["path"].split(".")
                told = any(_says(one, steps) for one in candidates)
            if not told:
                yield place, f"says nothing of its discriminator {discriminator['path']}"


def _says(node, steps):
    """Whether the path or a path above it has a fixed value or pattern."""
    if node.value is not None:
        value = node.value
        for step in steps:
            value = value.get(step) if isinstance(value, dict) else None
        return value is not None
    return bool(steps) and steps[0] in node.children and _says(node.children[steps[0]], steps[1:])


def _narrows(node, least, most, place):
    if node.min is not None and node.min < (least or 0):
        yield place, "may be there less often than its base says"
    if node.max is not None and _most(node.max) > _most(most):
        yield place, "may be there more often than its base says"
    if node.max is not None and (node.min or 0) > _most(node.max):
        yield place, "must be there more often than it may"


def _most(text):
    return float("inf") if text in (None, "*") else int(text)
