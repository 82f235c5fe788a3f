import Testing

@testable import OpenSSLCrypto
@testable import pghd

/// The exit code if a library fails that knows nothing of exports or servers.
struct FaultStatusTests {
    @Test(arguments: [CryptoError.outOfMemory, .noRandomness])
    func `a failure of memory or of the system is not reported as wrong usage`(_ error: CryptoError) {
        #expect(Program.report(error) == .unreadable)
    }
}
