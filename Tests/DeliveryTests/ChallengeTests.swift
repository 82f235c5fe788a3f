import HTTPTransport
import Testing

@testable import Delivery

/// What a 401 asks for, and what is said of it.
struct ChallengeTests {
    private static func scheme(_ challenges: String...) -> String? {
        let headers = challenges.map { HTTPHeader("www-authenticate", $0) }
        return HTTPResponse(status: 401, headers: headers, body: []).schemeBesidesBearer
    }

    @Test(arguments: [
        (#"Basic realm="x""#, "Basic"), (#"Key realm="kong""#, "Key"), ("Negotiate", "Negotiate"),
        (#"AzureApiManagementKey realm="x",name="Ocp-Apim-Subscription-Key",type="header""#, "AzureApiManagementKey"),
    ])
    func `what wants something else than a token is named`(_ challenge: String, _ name: String) {
        #expect(Self.scheme(challenge) == name)
    }

    @Test(arguments: ["Bearer", #"bearer error="invalid_token""#, #"Basic realm="x", Bearer realm="y""#, "", ","])
    func `what takes tokens too, or says nothing, names none`(_ challenge: String) {
        #expect(Self.scheme(challenge) == nil)
    }

    @Test func `the scheme may stand in any of several fields`() {
        #expect(Self.scheme("Basic", "Bearer") == nil)
        #expect(Self.scheme() == nil)
    }

    @Test(arguments: ["\u{1B}[2J", "secret:CANARY", "ßasic", String(repeating: "a", count: 31)])
    func `what is no short word is not told`(_ challenge: String) {
        #expect(Self.scheme(challenge) == nil)
    }

    @Test func `no second token is taken in place of one that was refused, until one was taken`() {
        let state = RunState(concurrency: 1, isCancelled: { false })
        let tokens = (0...2).map { Authorization.bearer("\($0)") }
        for _ in 0..<2 { state.noteRefused(tokens[0]) }
        #expect(state.mayReplaceTokens)
        // Of a request that was on its way.
        state.noteTaken(tokens[0])
        state.noteRefused(tokens[1])
        #expect(!state.mayReplaceTokens)
        state.noteTaken(tokens[2])
        state.noteRefused(tokens[2])
        #expect(state.mayReplaceTokens)
    }
}
