public import HTTPTransport

/// How many entries a server takes in one Bundle, where that is known before anything is sent or said in a refusal.
///
///     try EntryLimit.known(of: HTTPURL("https://healthlake.us-east-1.amazonaws.com/datastore/d/r4"))   // 160
///     EntryLimit.named(in: refusal, below: 400)                                                        // 25
///
/// Nothing in FHIR tells it: a `CapabilityStatement` has no element for it.
public enum EntryLimit {
    /// The documented limit of a hosted service, known by its host; `nil` for any other.
    ///
    /// Sources: AWS HealthLake, endpoints and quotas, "Number of resources per Bundle"; Azure Health Data Services,
    /// supported FHIR features, "Service limits"; Google Cloud Healthcare API, quotas, "executeBundle size limits".
    public static func known(of server: HTTPURL) -> Int? {
        let host = server.host.lowercased()
        if host.hasSuffix(".amazonaws.com"), host.hasPrefix("healthlake") { return 160 }
        if host.hasSuffix(".azurehealthcareapis.com") { return 500 }
        if host == "healthcare.googleapis.com" { return 4500 }
        return nil
    }

    /// The limit that an `OperationOutcome` names in words, such as `exceeds the configured limit of 25 entries`.
    ///
    /// - Parameters:
    ///   - body: the answer; only numbers leave it.
    ///   - count: how many entries the refused Bundle had: a limit is less.
    /// - Returns: the greatest number below `count` of a text that speaks of a limit and of entries; `nil` for none.
    static func named(in body: [UInt8], below count: Int) -> Int? {
        var texts: [String] = []
        var scanner = JSONScanner(body)
        try? read(&scanner, &texts)
        let numbers = texts.filter(speaksOfEntries).flatMap { text in
            text.split { !$0.isWholeNumber }.compactMap { Int($0) }
        }
        return numbers.filter { (1..<count).contains($0) }.max()
    }

    private static func speaksOfEntries(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["limit", "max", "at most", "too many"].contains { text.contains($0) }
            && ["entr", "resources", "bundle", "operations"].contains { text.contains($0) }
    }

    /// `diagnostics` and `details.text` of each issue.
    private static func read(_ scanner: inout JSONScanner, _ texts: inout [String]) throws(JSONFault) {
        try scanner.readMembers { (name, scanner) throws(JSONFault) in
            guard name == "issue" else {
                try scanner.skipValue()
                return
            }
            try scanner.readList { (scanner) throws(JSONFault) in
                try scanner.readMembers { (name, scanner) throws(JSONFault) in
                    switch name {
                    case "diagnostics": if let text = try scanner.readScalar() { texts.append(text) }
                    case "details":
                        try scanner.readMembers { (name, scanner) throws(JSONFault) in
                            guard name == "text" else {
                                try scanner.skipValue()
                                return
                            }
                            if let text = try scanner.readScalar() { texts.append(text) }
                        }
                    default: try scanner.skipValue()
                    }
                }
            }
        }
    }
}
