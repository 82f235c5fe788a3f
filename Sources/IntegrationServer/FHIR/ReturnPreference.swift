/// What a client wants to have back of what it stored: `Prefer: return=…` (RFC 7240, section 4.2), and R4's own word.
enum ReturnPreference: String {
    case minimal, representation
    /// A word on how it went.
    case outcome = "operationoutcome"
    /// Nothing was said: of one resource it comes back, of those of a Bundle none does.
    case unspecified

    init(_ request: HTTPRequest) {
        self = request.preference("return").flatMap(Self.init) ?? .unspecified
    }
}
