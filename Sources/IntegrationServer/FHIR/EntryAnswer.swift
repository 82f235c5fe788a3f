/// The outcome of one interaction, alone or as an entry of a Bundle.
struct EntryAnswer: Sendable {
    var status: Int
    /// `Observation/1`.
    var reference: String?
    var version: Int?
    var updated: Int64?
    /// The resource's bytes, or a search's Bundle.
    var resource: [UInt8]?
    /// Whether the resource was read, not written.
    var isRead = false
    /// Answered as an OperationOutcome instead.
    var refusal: Refusal?

    init(_ status: Int, _ reference: String, version: Int, updated: Int64, resource: [UInt8]? = nil) {
        self.status = status
        self.reference = reference
        self.version = version
        self.updated = updated
        self.resource = resource
    }

    init(_ status: Int, resource: [UInt8]? = nil) {
        self.status = status
        self.resource = resource
    }

    init(_ refusal: Refusal) {
        status = refusal.status
        self.refusal = refusal
    }

    private static let stored = """
        {"resourceType":"OperationOutcome","issue":[{"severity":"information","code":"informational",\
        "diagnostics":"it is stored"}]}
        """

    /// An HTTP answer; `base` makes the Location absolute.
    func response(base: String, returning preference: ReturnPreference) -> HTTPResponse {
        var headers: [(name: String, value: String)] = []
        if let version { headers.append(("ETag", "W/\"\(version)\"")) }
        if let updated { headers.append(("Last-Modified", FHIRInstant.httpDate(updated))) }
        if let reference, let version, status == 201 || status == 200 {
            headers.append(("Location", "\(base)/\(reference)/_history/\(version)"))
        }
        let body: [UInt8] =
            switch preference {
            case .minimal: []
            case .outcome: Array(Self.stored.utf8)
            case .representation, .unspecified: resource ?? []
            }
        // Without a body there is no media type.
        guard !body.isEmpty else { return HTTPResponse(status, [("Cache-Control", "no-store")] + headers) }
        return .fhir(status, body, headers)
    }

    /// An entry of a `transaction-response` or `batch-response`.
    func entry(base: String, returning preference: ReturnPreference) -> [UInt8] {
        var bytes = Array("{".utf8)
        if preference == .representation, let resource {
            if let reference { bytes += Array("\"fullUrl\":\"\(base)/\(reference)\",".utf8) }
            bytes += Array("\"resource\":".utf8) + resource + Array(",".utf8)
        }
        var response = "\"response\":{\"status\":\"\(status) \(HTTPStatus.phrase(status))\""
        if let reference, let version { response += ",\"location\":\"\(reference)/_history/\(version)\"" }
        if let version { response += ",\"etag\":\"W/\\\"\(version)\\\"\"" }
        if let updated { response += ",\"lastModified\":\"\(FHIRInstant.text(updated))\"" }
        if let refusal {
            response += ",\"outcome\":\(refusal.outcome)"
        } else if preference == .outcome {
            response += ",\"outcome\":\(Self.stored)"
        }
        return bytes + Array((response + "}}").utf8)
    }
}
