internal import HTTPTransport

/// How many entries a server takes in one Bundle, where that is known before anything is sent or a refusal says it.
///
///     try EntryLimit.known(of: HTTPURL("https://healthlake.us-east-1.amazonaws.com/datastore/d/r4"))   // 160
///     EntryLimit.named(in: refusal, below: 400)                                                        // 25
///
/// Nothing in FHIR says it: a `CapabilityStatement` has no element for it.
enum EntryLimit {
    /// The documented limit of a hosted service, known by its host; `nil` for any other.
    ///
    /// Sources: AWS HealthLake, endpoints and quotas, "Number of resources per Bundle"; Azure Health Data Services,
    /// supported FHIR features, "Service limits"; Google Cloud Healthcare API, quotas, "executeBundle size limits".
    static func known(of server: HTTPURL) -> Int? {
        let host = server.host
        if host.hasSuffix(".amazonaws.com"), host.hasPrefix("healthlake") { return 160 }
        if host.hasSuffix(".azurehealthcareapis.com") { return 500 }
        if host == "healthcare.googleapis.com" { return 4500 }
        return nil
    }

    /// The limit that an `OperationOutcome` names in words, such as `exceeds the configured limit of 25 entries`.
    ///
    /// There are limits of many things, such as bytes, lengths and values: what is not surely one of entries does not
    /// count.
    ///
    /// - Parameters:
    ///   - body: the answer; only a number is taken from it.
    ///   - count: how many entries the refused Bundle had: a limit is lower.
    /// - Returns: the limit, 10 or more and below `count`; `nil` where none is named, or two are.
    static func named(in body: [UInt8], below count: Int) -> Int? {
        let limits = Set(texts(of: body).flatMap(numbers).filter { $0 >= minimum && $0 < count })
        return limits.count == 1 ? limits.first : nil
    }

    /// Whether an `OperationOutcome` says in words that there are too many entries, whatever the limit.
    ///
    ///     Transaction requires strict isolation but has too many entries
    ///
    /// - Parameter body: the answer; nothing is taken from it.
    /// - Returns: whether it says so.
    static func isPassed(in body: [UInt8]) -> Bool {
        texts(of: body).contains { text in
            let words = words(of: text)
            return speaks(words, of: ["too"]) && speaks(words, of: ["many"]) && speaksOfEntries(words)
        }
    }

    /// Smaller numbers are positions, or counts of other things.
    private static let minimum = 10

    /// The whole numbers in a text about a limit of entries.
    private static func numbers(_ text: String) -> [Int] {
        let words = words(of: text)
        return speaksOfEntries(words) ? words.compactMap { Int($0.filter { $0 != "," }) } : []
    }

    /// Whether a text is about a limit of entries and nothing else that has limits.
    private static func speaksOfEntries(_ words: [Substring]) -> Bool {
        speaks(words, of: ["limit", "max", "most", "many", "exceed"])
            && speaks(words, of: ["entries", "resources", "operations"])
            && !speaks(
                words,
                of: ["byte", "kb", "mb", "mib", "kib", "length", "character", "size", "value", "entry["]
            )
    }

    private static func speaks(_ words: [Substring], of stems: [String]) -> Bool {
        words.contains { word in stems.contains { word.hasPrefix($0) } }
    }

    private static func words(of text: String) -> [Substring] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "," && $0 != "." && $0 != "[" }
            .map { $0.trimmingStops }
    }

    private static func texts(of body: [UInt8]) -> [String] {
        var texts: [String] = []
        var scanner = JSONScanner(body)
        try? read(&scanner, &texts)
        return texts
    }

    /// `diagnostics` and `details.text` of each issue.
    private static func read(_ scanner: inout JSONScanner, _ texts: inout [String]) throws(JSONFault) {
        try scanner.readMember("issue") { (scanner) throws(JSONFault) in
            try scanner.readList { (scanner) throws(JSONFault) in
                try scanner.readMembers { (name, scanner) throws(JSONFault) in
                    switch name {
                    case "diagnostics": if let text = try scanner.readScalar() { texts.append(text) }
                    case "details":
                        try scanner.readMember("text") { (scanner) throws(JSONFault) in
                            if let text = try scanner.readScalar() { texts.append(text) }
                        }
                    default: try scanner.skipValue()
                    }
                }
            }
        }
    }
}

extension Substring {
    /// The word without full stops and commas at its end.
    fileprivate var trimmingStops: Substring {
        var word = self
        while word.last == "." || word.last == "," { word.removeLast() }
        return word
    }
}
