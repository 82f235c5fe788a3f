import FoundationEssentials
import GRDB

/// A search, checked and ready to run (R4, section 3.1.1).
struct SearchQuery: Sendable {
    static let defaultCount = 50
    static let maximumCount = 1_000
    /// For the resources of one page, which has at least one.
    static let maximumPageByteCount = 16 << 20
    /// Values in all; SQLite refuses conditions that are nested deeper than a thousand.
    static let maximumValueCount = 200

    /// They say what an answer looks like, and nothing about what is found.
    static let resultParameters: Set<String> = ["_count", "_summary", "_cursor", "_format", "_pretty", "_total"]

    private typealias Arguments = [(any DatabaseValueConvertible & Sendable)?]

    let type: ResourceType
    var count = defaultCount
    var isSummaryCount = false
    /// The number of the previous page's last resource.
    var cursor: Int64 = 0
    /// How many there were when the first page was asked for: counting again for each page takes as long as all pages.
    private(set) var firstTotal: Int?
    /// What the `self` link says: the parameters that were used.
    private(set) var used: [QueryItem] = []
    /// Whether anything limits what is found.
    var isConstrained: Bool { !conditions.isEmpty }
    /// Whether ids or identifiers are named: SQLite is to begin with those, not with the patient or the page.
    private var isNarrow: Bool { namesIDs || namesIdentifiers }
    private var valueCount = 0
    private var namesIDs = false
    private var namesIdentifiers = false
    private var conditions: [(sql: String, arguments: Arguments)] = []

    /// If it is strict, unknown parameters are refused; otherwise the `self` link shows that they were left out (R4,
    /// section 3.1.1.3).
    ///
    /// - Throws: a refusal with status 400 for a parameter or value that this server can't search by.
    init(_ type: ResourceType, _ items: [QueryItem], isStrict: Bool, base: String) throws(Refusal) {
        self.type = type
        let parameters = SearchParameter.all(type)
        for item in items {
            var item = item
            let name = try Self.name(item, parameters)
            switch name {
            case "_count":
                guard let count = Int(item.value), count >= 0 else { throw Self.badValue("_count", "a number") }
                self.count = min(count, Self.maximumCount)
                item = QueryItem(name: "_count", value: String(self.count))
                isSummaryCount = isSummaryCount || count == 0
            case "_summary":
                // Resources may be returned whole (R4, section 3.1.1); the self link says so.
                if ["true", "text", "data"].contains(item.value) { continue }
                guard item.value == "count" || item.value == "false" else {
                    throw Self.badValue("_summary", "count, false, true, text or data")
                }
                isSummaryCount = isSummaryCount || item.value == "count"
            case "_cursor":
                let parts = item.value.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
                guard let cursor = Int64(parts[0]), cursor >= 0, let total = parts.count > 1 ? Int(parts[1]) : 0,
                    total >= 0
                else { throw Self.badValue("_cursor", "a page link") }
                self.cursor = cursor
                firstTotal = parts.count > 1 ? total : nil
                continue
            case "_format": try AnswerFormat.require(format: item.value)
            case "_pretty": break
            case "_total":
                guard ["none", "estimate", "accurate"].contains(item.value) else {
                    throw Self.badValue("_total", "none, estimate or accurate")
                }
            default:
                guard let parameter = parameters.first(where: { $0.name == name }) else {
                    guard isStrict else { continue }
                    let known = parameters.map(\.name).joined(separator: ", ")
                    throw Refusal(
                        400,
                        .notSupported,
                        "a search parameter is not known here (expected \(known), _count)"
                    )
                }
                try add(item.value, by: parameter, isPatient: item.name.hasSuffix(":Patient"), base: base)
            }
            used.append(item)
        }
    }

    /// Only resources of that patient.
    mutating func limit(toPatient id: String) {
        conditions.append(("\(isNarrow ? "+" : "")patient = ?", [id]))
    }

    /// The parameter that an item names, without the one modifier that changes nothing here: `subject:Patient`.
    ///
    /// - Throws: status 400 for a modifier or chain: ignoring it would find what was not asked for.
    private static func name(_ item: QueryItem, _ parameters: [SearchParameter]) throws(Refusal) -> String {
        let base = String(item.name.prefix { $0 != ":" && $0 != "." })
        let parameter = parameters.first { $0.name == base }
        switch item.name.dropFirst(base.count) {
        case "": return base
        case ":Patient" where parameter?.kind == .reference: return base
        case let rest where rest.contains(":") || parameter != nil || resultParameters.contains(base):
            throw Refusal(
                400,
                .notSupported,
                "a search modifier or chained parameter is not supported here (expected a parameter's name alone)"
            )
        default: return item.name
        }
    }

    private static func badValue(_ name: String, _ expected: String) -> Refusal {
        Refusal(400, .value, "\(name): this value can't be used (expected \(expected))")
    }

    /// `isPatient`: the reference must be to a Patient.
    private mutating func add(
        _ value: String,
        by parameter: SearchParameter,
        isPatient: Bool,
        base: String
    ) throws(Refusal) {
        var alternatives: [(sql: String, arguments: Arguments)] = []
        let values = Self.split(value, at: ",", atMost: Self.maximumValueCount - valueCount)
        guard let values else {
            throw Refusal(400, .tooCostly, "the search names more than \(Self.maximumValueCount) values: split it")
        }
        valueCount += values.count
        for alternative in values {
            switch (parameter.name, parameter.kind) {
            case ("_id", _): alternatives.append(("?", [Self.unescaped(alternative)]))
            case ("_lastUpdated", _):
                alternatives.append(try Self.date(alternative, "_lastUpdated", low: "updated", high: "updated"))
            case (_, .date): alternatives.append(try Self.date(alternative, parameter.name, low: "low", high: "high"))
            case (_, .token): alternatives.append(try Self.token(alternative, parameter.name))
            case (_, .reference):
                alternatives.append(try Self.reference(alternative, isPatient ? "patient" : parameter.name, base: base))
            }
        }
        let parts = alternatives.map(\.sql)
        let sql =
            switch parameter.kind {
            case .token where parameter.name == "_id": "id IN (\(parts.joined(separator: ", ")))"
            case .token: "number IN (\(parts.joined(separator: " UNION ALL ")))"
            case .date, .reference: "(\(parts.joined(separator: " OR ")))"
            }
        conditions.append((sql, alternatives.flatMap(\.arguments)))
        if parameter.name == "_id" { namesIDs = true }
        if parameter.name == "identifier", !value.hasSuffix("|") { namesIdentifiers = true }
    }

    /// `code`, `system|code`, `|code` or `system|`.
    private static func token(
        _ text: String,
        _ parameter: String
    ) throws(Refusal) -> (String, Arguments) {
        let sides = (split(text, at: "|", atMost: 2) ?? []).map(unescaped)
        switch (sides.count, sides.first ?? "", sides.last ?? "") {
        case (1, let value, _) where !value.isEmpty:
            return ("SELECT resource FROM token WHERE parameter = ? AND value = ?", [parameter, value])
        case (2, let system, let value) where !value.isEmpty:
            let sql = "SELECT resource FROM token WHERE parameter = ? AND value = ? AND system = ?"
            return (sql, [parameter, value, system])
        case (2, let system, _) where !system.isEmpty:
            return ("SELECT resource FROM token WHERE parameter = ? AND system = ?", [parameter, system])
        default: throw badValue(parameter, "CODE or SYSTEM|CODE")
        }
    }

    /// A Patient by its id; for `subject` another resource too, of which only the reference is known.
    private static func reference(
        _ text: String,
        _ parameter: String,
        base: String
    ) throws(Refusal) -> (String, Arguments) {
        let patient = text.contains("/") ? ResourceID.patient(of: text, base: base) : text
        if let patient, ResourceID.isValid(patient) {
            return ("patient = ?", [patient])
        }
        let path = text.hasPrefix("\(base)/") ? text.dropFirst(base.count + 1) : text[...]
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parameter == "subject", parts.count == 2, parts[0].first?.isUppercase ?? false,
            parts[0].allSatisfy(\.isLetter), parts[0] != "Patient", ResourceID.isValid(String(parts[1]))
        else { throw badValue(parameter, "Patient/ID or ID") }
        return (
            "number IN (SELECT resource FROM token WHERE parameter = ? AND value IN (?, ?))",
            [parameter, String(path), "\(base)/\(path)"]
        )
    }

    /// A date with a prefix, compared as spans of time (R4, section 3.1.1.5.4).
    private static func date(
        _ text: String,
        _ parameter: String,
        low: String,
        high: String
    ) throws(Refusal) -> (String, Arguments) {
        let prefixes = ["eq", "ne", "gt", "lt", "ge", "le", "sa", "eb"]
        let prefix = prefixes.first { text.hasPrefix($0) }
        guard let span = FHIRInstant.span(String(text.dropFirst(prefix?.count ?? 0))) else {
            throw badValue(parameter, "a date such as ge2024-05-01")
        }
        switch prefix ?? "eq" {
        case "ne": return ("(\(low) < ? OR \(high) > ?)", [span.lowerBound, span.upperBound])
        case "gt": return ("\(high) > ?", [span.upperBound])
        case "lt": return ("\(low) < ?", [span.lowerBound])
        case "ge": return ("\(high) >= ?", [span.lowerBound])
        case "le": return ("\(low) <= ?", [span.upperBound])
        case "sa": return ("\(low) > ?", [span.upperBound])
        case "eb": return ("\(high) < ?", [span.lowerBound])
        default: return ("(\(low) >= ? AND \(high) <= ?)", [span.lowerBound, span.upperBound])
        }
    }

    /// Cuts at a separator that has no backslash before it; `nil` for more than `limit` parts.
    private static func split(_ text: String, at separator: Unicode.Scalar, atMost limit: Int) -> [String]? {
        guard limit > 0 else { return nil }
        // Not by characters: an accent after a separator makes one with it.
        var parts = [""]
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == separator, !isEscaped {
                guard parts.count < limit else { return nil }
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return parts
    }

    private static func unescaped(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            isEscaped = scalar == "\\" && !isEscaped
            if !isEscaped { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}

extension SearchQuery {
    /// How many resources match, on all pages.
    func total(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM resource WHERE \(condition)", arguments: arguments) ?? 0
    }

    /// A page, in the order of first storing, and where the next one begins: `count` resources, or fewer large ones.
    func page(in database: Database) throws -> (resources: [StoredResource], next: Int64?) {
        let number = isNarrow ? "+number" : "number"
        let sql = """
            SELECT \(StoredResource.columns) FROM resource
            WHERE \(condition) AND \(number) > ? ORDER BY \(number) LIMIT ?
            """
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments + [cursor, count + 1])
        var resources: [StoredResource] = []
        var byteCount = 0
        while let row = try rows.next() {
            let resource = try StoredResource(row, type: type)
            byteCount += resource.body?.count ?? 0
            guard resources.count < count, resources.isEmpty || byteCount <= Self.maximumPageByteCount else {
                return (resources, resources.last?.number)
            }
            resources.append(resource)
        }
        return (resources, nil)
    }

    /// The ids that match, at most two: none, one, or too many.
    func matches(in database: Database) throws -> [String] {
        try Row.fetchAll(
            database,
            sql: "SELECT id FROM resource WHERE \(condition) LIMIT 2",
            arguments: arguments
        ).map { try $0.value(0) }
    }

    private var condition: String {
        ([namesIdentifiers && !namesIDs ? "+type = ?" : "type = ?", "body IS NOT NULL"] + conditions.map(\.sql)).joined(
            separator: " AND "
        )
    }

    private var arguments: StatementArguments {
        StatementArguments([type.rawValue] + conditions.flatMap(\.arguments))
    }
}
