internal import FHIRR4

/// Compares a server's copy of a resource with what was sent, whatever the server did to its form.
///
///     ResourceComparison(base: "https://fhir.example.org/r4").differences(sent, found)   // ["valueQuantity.value"]
///
/// It does not compare what belongs to the server: `id`, all of `meta` except the profiles, tags and security labels
/// that were sent, and a narrative where none was sent. These count as equal: keys in another order; list elements in
/// another order; the same reference as a link within a Bundle, relative, absolute or with a version, unless it leads
/// to another server; and an instant in UTC with `Z` or `+00:00`. Numbers are compared digit for digit: `72.50` is not
/// `72.5` (<https://hl7.org/fhir/R4/datatypes.html#decimal>: its precision counts).
struct ResourceComparison {
    /// How many differences of one resource are reported.
    static let maximumDifferenceCount = 5

    /// The server's base URL, without a slash at its end.
    let base: String
    /// The base by which the server knows the compared resource, where it says so.
    var ownBase: String?
    /// The server's names for a Bundle's links: `urn:uuid:…` → `Device/12`; several where the resource is doubled.
    var names: [String: Set<String>] = [:]
    /// Whether the server's copy may say more: others write to a Patient too.
    var allowsMore = false
    /// Whether numbers count as equal if they are the same in binary floating point, in which some servers store them.
    var allowsRounding = false

    /// The paths of the elements in which `found` differs from `sent`, such as `component[1].valueQuantity.value`;
    /// never values.
    func differences(_ sent: JSONValue, _ found: JSONValue) -> [String] {
        guard case .object(let ours) = sent, case .object(let theirs) = found else { return ["?"] }
        let ourText = sent["text"]
        func isCompared(_ member: JSONValue.Member) -> Bool {
            member.key != "id" && member.key != "meta" && (member.key != "text" || ourText != nil)
        }
        var paths = metaDifferences(sent["meta"], found["meta"])
        compare(ours.filter(isCompared), theirs.filter(isCompared), "", &paths)
        return Array(paths.prefix(Self.maximumDifferenceCount))
    }

    /// Everything that was sent must be there; servers and people may add tags and profiles of their own.
    private func metaDifferences(_ sent: JSONValue?, _ found: JSONValue?) -> [String] {
        ["profile", "tag", "security"].filter { key in
            let theirs = found?[key]?.elements ?? []
            return !(sent?[key]?.elements ?? []).allSatisfy { ours in theirs.contains { isSame(ours, $0) } }
        }.map { "meta.\($0)" }
    }

    private func isSame(_ sent: JSONValue, _ found: JSONValue) -> Bool {
        var paths: [String] = []
        compare(sent, found, "", &paths)
        return paths.isEmpty
    }

    private func compare(_ sent: JSONValue, _ found: JSONValue, _ path: String, _ paths: inout [String]) {
        switch (sent, found) {
        case (.object(let ours), .object(let theirs)): compare(ours, theirs, path, &paths)
        case (.list(let ours), .list(let theirs)): compare(ours, theirs, path, &paths)
        case (.string(let ours), .string(let theirs)) where SameText.isSame(ours, theirs): break
        case (.number(let ours), .number(let theirs))
        where SameText.isSameNumber(ours, theirs) || (allowsRounding && Double(ours) == Double(theirs)):
            break
        case (.bool(let ours), .bool(let theirs)) where ours == theirs: break
        default: paths.append(path)
        }
    }

    private func compare(
        _ sent: [JSONValue.Member],
        _ found: [JSONValue.Member],
        _ path: String,
        _ paths: inout [String]
    ) {
        func place(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
        for ours in sent where !ours.value.isAbsent {
            guard let number = found.firstIndex(where: { $0.key == ours.key }), !found[number].value.isAbsent,
                // Of two members of one name, each program takes the one that it likes (RFC 8259, section 4).
                found.lastIndex(where: { $0.key == ours.key }) == number
            else {
                paths.append(place(ours.key))
                continue
            }
            let theirs = found[number].value
            if ours.key == "reference", case .string(let sent) = ours.value, case .string(let found) = theirs {
                if !isSameReference(sent, found) { paths.append(place(ours.key)) }
            } else {
                compare(ours.value, theirs, place(ours.key), &paths)
            }
        }
        guard !allowsMore else { return }
        for theirs in found where !theirs.value.isAbsent && !sent.contains(where: { $0.key == theirs.key }) {
            if theirs.key == "type", let type = theirs.value.string, isType(type, ofReferenceIn: sent) { continue }
            paths.append(place(Self.elementName(theirs.key)))
        }
    }

    /// Whether the server has only repeated, in `Reference.type`, the type that the reference shows already.
    private func isType(_ type: String, ofReferenceIn sent: [JSONValue.Member]) -> Bool {
        guard let reference = sent.first(where: { $0.key == "reference" })?.value.string else { return false }
        return (names[reference] ?? [reference]).allSatisfy { $0.hasPrefix(type + "/") }
    }

    private func compare(_ sent: [JSONValue], _ found: [JSONValue], _ path: String, _ paths: inout [String]) {
        guard sent.count == found.count || (allowsMore && sent.count < found.count) else {
            paths.append(path)
            return
        }
        // Nearly always each element is in its place.
        var lonely = sent.indices.filter { !isSame(sent[$0], found[$0]) }
        var rest = lonely + found.indices.dropFirst(sent.count)
        for number in lonely {
            guard let other = rest.first(where: { isSame(sent[number], found[$0]) }) else { continue }
            lonely.removeAll { $0 == number }
            rest.removeAll { $0 == other }
        }
        for (number, other) in zip(lonely, rest) { compare(sent[number], found[other], "\(path)[\(number)]", &paths) }
    }

    private func isSameReference(_ sent: String, _ found: String) -> Bool {
        var found = found[...]
        if let version = found.firstRange(of: "/_history/") { found = found[..<version.lowerBound] }
        // An absolute reference below one of the bases becomes relative, such as `Device/12`.
        for base in [base, ownBase ?? base] {
            guard let rest = found.withoutScheme.path(below: base[...].withoutScheme), found.isAbsolute else {
                continue
            }
            found = rest
            break
        }
        guard let wanted = names[sent] else { return sent == found }
        return wanted.contains(String(found))
    }

    /// `key`, where it has the form of a FHIR element's name; anything else may quote health data and becomes `?`.
    private static func elementName(_ key: String) -> String {
        let isName =
            key.utf8.count <= 40 && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            && key.first.map { $0.isLowercase || $0 == "_" } == true
        return isName ? key : "?"
    }
}

extension Substring {
    fileprivate var isAbsolute: Bool { hasPrefix("http://") || hasPrefix("https://") }

    /// Compared without the scheme, because a proxy that ends TLS reaches its server by `http`.
    fileprivate var withoutScheme: Substring { firstRange(of: "://").map { self[$0.upperBound...] } ?? self }

    /// What follows a base and its slash; `nil` for anything outside the base.
    fileprivate func path(below base: Substring) -> Substring? {
        hasPrefix(base) && dropFirst(base.count).first == "/" ? dropFirst(base.count + 1) : nil
    }
}

/// Compares texts that mean the same in FHIR although their bytes differ.
enum SameText {
    /// Whether two texts are equal, or the same instant with the same offset: `2024-03-01T08:00:00Z` and
    /// `2024-03-01T08:00:00.000+00:00`.
    static func isSame(_ one: String, _ other: String) -> Bool {
        if one == other, one.utf8.elementsEqual(other.utf8) { return true }
        guard let one = instant(one), let other = instant(other) else { return false }
        return one == other
    }

    /// Whether two numbers have the same digits and the same precision: `72` and `7.2E1`.
    static func isSameNumber(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard let one = ExactDecimal(one), let other = ExactDecimal(other), one.isShort, other.isShort else {
            return false
        }
        return one == other
    }

    /// Date, time and offset, without trailing zeros in the fraction; `nil` for any other text.
    private static func instant(_ text: String) -> String? {
        let mark = text.utf8.dropFirst(10).first
        guard text.utf8.count >= 20, mark == UInt8(ascii: "T"), text.first?.isNumber == true else { return nil }
        let zone = text.hasSuffix("Z") ? "Z" : String(text.suffix(6))
        let isUTC = ["Z", "+00:00", "-00:00"].contains(zone)
        guard isUTC || FHIRInstant.offset(zone.utf8) != nil else { return nil }
        var time = text.dropLast(zone.count)
        if time.contains(".") {
            while time.last == "0" { time.removeLast() }
            if time.last == "." { time.removeLast() }
        }
        return time + (isUTC ? "Z" : zone)
    }
}
