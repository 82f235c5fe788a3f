internal import Glibc

extension HTTPURL {
    /// Whether the environment names a proxy that may be used for this URL; `no_proxy` may still except it.
    ///
    /// Source: libcurl, which does not read `HTTP_PROXY`, since a web server's clients can set that.
    var hasProxyVariable: Bool {
        guard !isLoopback else { return false }
        let names = (isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
        return names.contains { name in unsafe getenv(name).map { unsafe $0.pointee != 0 } ?? false }
    }
}
