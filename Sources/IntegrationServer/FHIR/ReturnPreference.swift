/// What a client wants returned for what it stored: `Prefer: return=…` (RFC 7240, section 4.2), and R4's own word.
enum ReturnPreference: String {
    case minimal, representation
    /// An outcome that says how it went.
    case outcome = "operationoutcome"
    /// No preference: a single resource is returned, those of a Bundle are not.
    case unspecified

    init(_ request: HTTPRequest) {
        self = request.preference("return").flatMap(Self.init) ?? .unspecified
    }
}
