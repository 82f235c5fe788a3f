import HTTPTransport
import Testing

@testable import Delivery

/// What a 401 asks for, and what the error says about it.
struct ChallengeTests {
    private static func scheme(_ challenges: String...) -> String? {
        let headers = challenges.map { HTTPHeader("www-authenticate", $0) }
        return HTTPResponse(status: 401, headers: headers, body: []).schemeBesidesBearer
    }

    @Test(arguments: [
        (#"Basic realm="x""#, "Basic"), (#"Key realm="kong""#, "Key"), ("Negotiate", "Negotiate"),
        (#"AzureApiManagementKey realm="x",name="Ocp-Apim-Subscription-Key",type="header""#, "AzureApiManagementKey"),
    ])
    func `a scheme other than Bearer is named`(_ challenge: String, _ name: String) {
        #expect(Self.scheme(challenge) == name)
    }

    @Test(arguments: ["Bearer", #"bearer error="invalid_token""#, #"Basic realm="x", Bearer realm="y""#, "", ","])
    func `a challenge that also takes tokens, or says nothing, names no scheme`(_ challenge: String) {
        #expect(Self.scheme(challenge) == nil)
    }

    @Test func `Bearer may appear in any of several header fields`() {
        #expect(Self.scheme("Basic", "Bearer") == nil)
        #expect(Self.scheme() == nil)
    }

    @Test(arguments: ["\u{1B}[2J", "secret:CANARY", "ßasic", String(repeating: "a", count: 31)])
    func `a scheme that is not a short ASCII word is not shown`(_ challenge: String) {
        #expect(Self.scheme(challenge) == nil)
    }

    @Test func `once a token was refused, no second refused token is replaced until one was accepted`() {
        let state = RunState(concurrency: 1, isCancelled: { false })
        let tokens = (0...2).map { Authorization.bearer("\($0)") }
        for _ in 0..<2 { state.noteRefused(tokens[0]) }
        #expect(state.mayReplaceTokens)
        // The answer to a request that was already on its way.
        state.noteTaken(tokens[0])
        state.noteRefused(tokens[1])
        #expect(!state.mayReplaceTokens)
        state.noteTaken(tokens[2])
        state.noteRefused(tokens[2])
        #expect(state.mayReplaceTokens)
    }
}
