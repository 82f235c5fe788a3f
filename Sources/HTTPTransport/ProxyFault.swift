/// What is wrong with the proxy that the environment names.
///
/// No case holds its address, which may contain a password.
public enum ProxyFault: Sendable, Equatable {
    /// It answered this to the wish to be connected with the server.
    case status(Int)
    /// Its host has no address, or it is of an unknown kind.
    case unusable
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
        case .unusable: "\(proxy) can't be used (expected one that leads there): check https_proxy and no_proxy"
        }
    }

    /// What is wrong in a few words.
    var reason: String {
        switch self {
        case .status(407): "the proxy wants a user name and a password"
        case .status(403): "the proxy's rules forbid this address"
        case .status, .unusable: "the proxy leads nowhere"
        }
    }
}
