/// What is wrong with the proxy that the environment names.
///
/// No case holds its address, which may contain a password.
public enum ProxyFault: Sendable, Equatable {
    /// It answered this to the wish to be connected with the server.
    case status(Int)
    /// Nothing listens at its address, or the network does not reach it.
    case noConnection
    /// Its host has no address, or it is of an unknown kind.
    case unusable
    /// Its certificate was not issued by a known authority (by one in `caFile`, where one was given).
    case untrustedCertificate(caFile: String?)
    /// Its certificate is for another host.
    case certificateForAnotherHost
    /// Its certificate, or its authority's, has expired or is not valid yet.
    case certificateOutOfDate(hasExpired: Bool)
    /// It requires a client certificate.
    case clientCertificateWanted
    /// It and this client could not agree on TLS 1.2 or later.
    case noTLS
}

extension ProxyFault {
    /// What is wrong and what to do next.
    var sentence: String {
        let proxy = "the proxy of the environment"
        return switch self {
        case .status(407):
            "\(proxy) answered 407: it wants a user name and a password (expected the right ones, by Basic authentication): "
                + "write https_proxy=http://NAME:PASSWORD@HOST:PORT"
        case .status(403):
            "\(proxy) answered 403: its rules forbid this address (expected one that leads there): ask the proxy's operator "
                + "to allow it"
        case .status(let status):
            "\(proxy) answered \(status) (expected one that leads there): check https_proxy and no_proxy"
        case .noConnection:
            "\(proxy) can't be reached (expected one that listens at its address): check https_proxy and no_proxy, and the "
                + "network"
        case .unusable: "\(proxy) can't be used (expected one that leads there): check https_proxy and no_proxy"
        case .untrustedCertificate(let caFile):
            "the certificate of \(proxy) \(UntrustedCertificate.sentence(caFile: caFile))"
        case .certificateForAnotherHost:
            "the certificate of \(proxy) is for another host (expected one for the host in https_proxy): write the name there "
                + "that the certificate names"
        case .certificateOutOfDate(hasExpired: true):
            "the certificate of \(proxy) has expired (expected one that is good now): ask its operator, and check this "
                + "machine's clock"
        case .certificateOutOfDate(hasExpired: false):
            "the certificate of \(proxy) is not good yet (expected one that is good now): check this machine's clock"
        case .clientCertificateWanted:
            "\(proxy) wants a client certificate, which pghd can't give (expected a user name and a password to be enough): "
                + "ask its operator for an address without"
        case .noTLS:
            "TLS with \(proxy) failed (expected TLS 1.2 or later): check https_proxy, where one without TLS begins with http://"
        }
    }

    /// What is wrong in a few words.
    var reason: String {
        switch self {
        case .status(407): "the proxy wants a user name and a password"
        case .status(403): "the proxy's rules forbid this address"
        case .status, .unusable: "the proxy leads nowhere"
        case .noConnection: "nobody listens at the proxy's address"
        case .untrustedCertificate: "the proxy's certificate can't be trusted"
        case .certificateForAnotherHost: "the proxy's certificate is for another host"
        case .certificateOutOfDate(hasExpired: true): "the proxy's certificate has expired"
        case .certificateOutOfDate(hasExpired: false): "the proxy's certificate is not good yet"
        case .clientCertificateWanted: "the proxy wants a client certificate"
        case .noTLS: "TLS with the proxy failed"
        }
    }
}
