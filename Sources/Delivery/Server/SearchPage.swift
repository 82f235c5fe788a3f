internal import FHIRR4
internal import HTTPTransport

/// One page of the answer to a search.
///
///     {"resourceType":"Bundle","type":"searchset","total":3,"link":[{"relation":"next","url":"…"}],"entry":[…]}
///
/// Source: <https://hl7.org/fhir/R4/http.html#search>.
struct SearchPage {
    /// What was found, in order, without any `OperationOutcome`.
    let entries: [Entry]
    /// How many results all pages have, where the server says so.
    let total: Int?
    /// The next page's URL; `nil` on the last page.
    let next: String?

    /// A resource and the URL by which the server knows it.
    struct Entry {
        var resource: JSONValue
        var fullURL: String?
    }

    /// Whether the server says that there is nothing; a page without entries may give only the total.
    var isOfNothing: Bool { entries.isEmpty && next == nil && (total ?? 0) == 0 }

    /// The resources found.
    var resources: [JSONValue] { entries.map(\.resource) }

    /// Reads a page; `nil` for anything that is not the answer to a search.
    init?(_ body: [UInt8]) {
        var kind: String?
        var total: Int?
        var next: String?
        var entries: [Entry] = []
        do throws(JSONFault) {
            var scanner = JSONScanner(body)
            try scanner.readObject { (name, scanner) throws(JSONFault) in
                switch name {
                case "type": kind = try scanner.readScalar()
                case "total": total = try scanner.readScalar().flatMap { Int($0) }
                case "link":
                    let links = try scanner.readValue().elements
                    next = links.first { $0["relation"]?.string == "next" }?["url"]?.string
                case "entry":
                    try scanner.readList { (scanner) throws(JSONFault) in
                        var entry: (resource: JSONValue?, fullURL: String?)
                        try scanner.readObject { (name, scanner) throws(JSONFault) in
                            switch name {
                            case "resource": entry.resource = try scanner.readValue()
                            case "fullUrl": entry.fullURL = try scanner.readScalar()
                            default: try scanner.skipValue()
                            }
                        }
                        guard let resource = entry.resource, resource["resourceType"]?.string != "OperationOutcome"
                        else { return }
                        entries.append(Entry(resource: resource, fullURL: entry.fullURL))
                    }
                default: try scanner.skipValue()
                }
            }
            guard scanner.isAtEnd(), kind == "searchset" else { return nil }
        } catch {
            return nil
        }
        self.entries = entries
        self.total = total
        self.next = next
    }
}

extension SearchPage {
    /// A page link as a path below the base, since a token must not be sent anywhere else.
    ///
    ///     https://fhir.example.org/r4/Observation?page=2      Observation?page=2     the base's own
    ///     Observation?page=2, /r4/Observation?page=2, ?page=2 Observation?page=2     relative (RFC 3986, section 5.2)
    ///     http://10.0.0.7:8080/r4?page=2                      ?page=2                its address behind a proxy
    ///     http://10.0.0.7:8080/fhir/Observation?page=2        Observation?page=2     the same, from the type on
    ///     http://10.0.0.7:8080/fhir/Observation/__page/7?x=1  Observation/__page/7?… Blaze; Google's `Observation/?`
    ///     http://10.0.0.7:8080/fhir?_getpages=7               ?_getpages=7           HAPI asks its base for pages
    ///
    /// A fragment is left out, since it is never sent (RFC 9110, section 4.2.3), and an unescaped space is escaped.
    ///
    /// - Returns: the path, or only a query for the base itself; `nil` where the link leads elsewhere or is not a URL.
    static func path(of url: String, _ type: ResourceType, below base: HTTPURL) -> String? {
        let text = url.prefix { $0 != "#" }.replacing(" ", with: "%20")
        let found = link(String(text), type, below: base)
        return found.flatMap { path in
            // Dot segments could lead out of the base, to other servers behind a gateway.
            let url = try? HTTPURL(base.text + (path.hasPrefix("?") ? "" : "/") + path)
            return url.map(base.contains) == true ? path : nil
        }
    }

    private static func link(_ url: String, _ type: ResourceType, below base: HTTPURL) -> String? {
        if let path = path(url[...], below: base.text) { return path }
        if url.hasPrefix("\(type.name)?") || url.hasPrefix("\(type.name)/") { return url }
        if url.hasPrefix("?") { return type.name + url }
        guard let absolute = absolutePath(of: url) else { return nil }
        if let path = path(absolute, below: base.path) { return path }
        for mark in ["?", "/"] {
            if let found = absolute.firstRange(of: "/\(type.name)\(mark)") {
                return String(absolute[found.lowerBound...].dropFirst())
            }
        }
        guard let mark = absolute.firstIndex(of: "?"), absolute[mark...].contains("_getpages=") else { return nil }
        return String(absolute[mark...])
    }

    private static func path(_ url: Substring, below base: String) -> String? {
        guard url.hasPrefix(base), let mark = url.dropFirst(base.count).first, mark == "/" || mark == "?" else {
            return nil
        }
        let rest = url.dropFirst(base.count)
        return String(mark == "/" ? rest.dropFirst() : rest)
    }

    /// The path and query of a link that is absolute or begins with `/`.
    private static func absolutePath(of url: String) -> Substring? {
        if url.hasPrefix("/") { return url.hasPrefix("//") ? nil : url[...] }
        guard url.hasPrefix("http://") || url.hasPrefix("https://"), let mark = url.firstRange(of: "://") else {
            return nil
        }
        return url[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" }.map { url[$0...] }
    }
}
