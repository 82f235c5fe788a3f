/// What a status says about another try.
///
/// Source: RFC 9110, section 15; RFC 6585, section 4; RFC 8470, section 5.2.
package enum HTTPStatus {
    /// Whether a status reports a fault that may pass, of the server or of a gateway in front of it.
    ///
    /// An unknown 5xx status counts as 500 (RFC 9110, section 15), such as a proxy's 524, which says that its server is
    /// still at work. What a server does not implement (501, 505) it will not do later either.
    package static func isServerFault(_ status: Int) -> Bool {
        (500...599).contains(status) && status != 501 && status != 505
    }

    /// Whether the same request may get another answer later: it took too long, came too early or too often, or met a
    /// fault that may pass.
    package static func mayPass(_ status: Int) -> Bool { [408, 425, 429].contains(status) || isServerFault(status) }
}
