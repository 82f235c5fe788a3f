import Testing

@testable import OpenSSLCrypto
@testable import pghd

/// What the program ends with where a library fails that knows no export and no server.
struct FaultStatusTests {
    @Test(arguments: [CryptoError.outOfMemory, SecureRandomError()] as [any Error])
    func `what memory or the system refuses is no wrong usage`(_ error: any Error) {
        #expect(Program.report(error) == .unreadable)
    }
}
