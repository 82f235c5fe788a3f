import GRDB

/// A search's answer: a page as a Bundle, with links (R4, section 3.1.1.4).
struct SearchSet {
    let bytes: [UInt8]

    init(_ query: SearchQuery, in database: Database, base: String) throws {
        let total = try query.firstTotal ?? query.total(in: database)
        let page = query.isSummaryCount ? (resources: [], next: nil) : try query.page(in: database)
        var links = [Self.link("self", query, cursor: query.cursor, total, base: base)]
        if let next = page.next { links.append(Self.link("next", query, cursor: next, total, base: base)) }
        var text = "{\"resourceType\":\"Bundle\",\"type\":\"searchset\",\"total\":\(total)"
        text += ",\"link\":[\(links.joined(separator: ","))]"
        var bytes = Array(text.utf8)
        var separator = ",\"entry\":["
        for resource in page.resources {
            guard let rendered = resource.rendered else { continue }
            bytes += Array("\(separator){\"fullUrl\":\"\(base)/\(resource.reference)\",\"resource\":".utf8)
            bytes += rendered
            bytes += Array(",\"search\":{\"mode\":\"match\"}}".utf8)
            separator = ","
        }
        if separator == "," { bytes.append(UInt8(ascii: "]")) }
        bytes.append(UInt8(ascii: "}"))
        self.bytes = bytes
    }

    private static func link(
        _ relation: String,
        _ query: SearchQuery,
        cursor: Int64,
        _ total: Int,
        base: String
    ) -> String {
        var items = query.used.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        if cursor > 0 { items.append("_cursor=\(cursor).\(total)") }
        let url = "\(base)/\(query.type.rawValue)" + (items.isEmpty ? "" : "?\(items.joined(separator: "&"))")
        return "{\"relation\":\"\(relation)\",\"url\":\(JSONEscapes.quoted(url))}"
    }
}
