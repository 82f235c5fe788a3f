import Testing

@testable import Delivery

/// What a server says of packed bodies, in `Accept-Encoding` of an answer.
struct ServerCapabilitiesTests {
    @Test(arguments: ["gzip", "GZIP", "x-gzip", "deflate;q=0.5, gzip", "gzip; q=0.8"])
    func `gzip is taken where the list names it`(_ codings: String) {
        #expect(ServerCapabilities.namesGzip(codings))
    }

    @Test(arguments: ["", "identity", "deflate", "gzip;q=0", "gzip; q=0.0", "notgzip", "br, zstd"])
    func `and nowhere else`(_ codings: String) {
        #expect(!ServerCapabilities.namesGzip(codings))
    }
}
