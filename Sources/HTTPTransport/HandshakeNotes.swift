/// What was seen of TLS and of a proxy while a connection was made: for faults that libcurl has no code for.
struct HandshakeNotes {
    /// Whether the peer ended TLS because it got no client certificate.
    private(set) var wantsClientCertificate = false
    /// Whether the connection leads through a proxy.
    private(set) var usesProxy = false
    private var isCertificateRequested = false

    /// Notes a header that is sent.
    mutating func noteHeader(_ bytes: UnsafeRawBufferPointer) {
        if unsafe bytes.starts(with: "CONNECT ".utf8) { usesProxy = true }
    }

    /// Notes what libcurl says of its doings, such as `Uses proxy env variable https_proxy == '…'`.
    ///
    /// A proxy that ends TLS at once is never asked to connect, and is known by this alone. `no_proxy` is named so too.
    mutating func noteText(_ bytes: UnsafeRawBufferPointer) {
        let beginning = "Uses proxy env variable ".utf8
        guard bytes.count > beginning.count, unsafe bytes.starts(with: beginning) else { return }
        if unsafe bytes[beginning.count] | 0x20 != UInt8(ascii: "n") { usesProxy = true }
    }

    /// Notes a message of TLS; libcurl also shows the headers of records, and other parts of them.
    ///
    /// Source: RFC 5246, sections 7.2 and 7.4; RFC 8446, sections 4 and 6.
    mutating func noteTLS(_ bytes: UnsafeRawBufferPointer, isSent: Bool) {
        // An alert has a level and a number. All else of two bytes is none.
        if !isSent, bytes.count == 2 {
            let alert = unsafe bytes[1]
            let isOfCertificate = isCertificateRequested && Self.certificateAlerts.contains(alert)
            if isOfCertificate || Self.clientAlerts.contains(alert) { wantsClientCertificate = true }
        }
        // A message of the handshake has a type and three bytes of length. The header of a record has five bytes, which
        // say otherwise.
        guard bytes.count >= 4 else { return }
        let (type, length) = unsafe (bytes[0], Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3]))
        guard length == bytes.count - 4 else { return }
        switch (type, isSent) {
        // Another handshake begins: after that with a proxy, that with the server.
        case (Self.clientHello, true): isCertificateRequested = false
        case (Self.certificateRequest, false): isCertificateRequested = true
        default: break
        }
    }

    private static let clientHello: UInt8 = 1
    private static let certificateRequest: UInt8 = 13

    /// What servers answer where a client has sent no certificate although they requested one: `handshake_failure`,
    /// `no_certificate`, `bad_certificate`, `unsupported_certificate`, `certificate_revoked`, `certificate_unknown`,
    /// `certificate_required`.
    private static let certificateAlerts: Set<UInt8> = [40, 41, 42, 43, 44, 46, 116]

    /// Those that are about a client's certificate in any case: nothing else is sent that could be a bad one.
    private static let clientAlerts: Set<UInt8> = [42, 116]
}
