import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import pghd

/// What `--header-file` sends, and where to.
struct HeaderFileTests {
    private let path: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write("X-Api-Key: a\nAuthorization: Bearer one\nX-Tenant: b\n".utf8, to: "headers")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private func authorizer() throws -> HeaderFileAuthorizer {
        let authorization = try #require(try HeaderFile(path: path).authorization)
        return HeaderFileAuthorizer(path: path, server: try HTTPURL("https://a.example.org/r4"), authorization)
    }

    @Test func `authorization is separated from the other headers, which keep their order`() throws {
        let file = try HeaderFile(path: path)
        #expect(file.headers == [HTTPHeader("X-Api-Key", "a"), HTTPHeader("X-Tenant", "b")])
        #expect(file.authorization == .bearer("one"))
    }

    @Test(arguments: [
        ("https://a.example.org/r4", true), ("https://a.example.org/r4/metadata", true),
        ("https://a.example.org/r4x", false), ("https://a.example.org/r4/%2e%2e/x", false),
        ("https://a.example.org/", false), ("https://a.example.org:8443/r4", false), ("http://a.example.org/r4", false),
        ("https://b.example.org/r4", false),
    ])
    func `S20 authorization is sent only to the base and below it`(_ url: String, _ isTold: Bool) async throws {
        let told = try await authorizer().authorization(for: HTTPURL(url), replacing: nil)
        #expect(told == (isTold ? .bearer("one") : nil))
    }

    @Test func `a refused authorization is read again once, and is an error if it is unchanged`() async throws {
        let authorizer = try authorizer()
        let url = try HTTPURL("https://a.example.org/r4")
        let refused = HeaderFileError(path: path, fault: .refused(server: url.text))
        await #expect(throws: refused) { try await authorizer.authorization(for: url, replacing: .bearer("one")) }
        try folder.write("Authorization: Bearer two\n".utf8, to: "headers")
        #expect(try await authorizer.authorization(for: url, replacing: nil) == .bearer("one"))
        #expect(try await authorizer.authorization(for: url, replacing: .bearer("one")) == .bearer("two"))
        // The second of two refused requests gets what the first has read.
        #expect(try await authorizer.authorization(for: url, replacing: .bearer("one")) == .bearer("two"))
    }

    @Test func `S41 nothing that is printed shows the file's content`() throws {
        let headers = OriginHeaders([HTTPHeader("X-Api-Key", "CANARY")], for: try HTTPURL("https://a.example.org/r4"))
        var text = "\(headers) \(String(reflecting: headers))"
        dump(headers, to: &text)
        dump(try HeaderFile(path: path).authorization, to: &text)
        #expect(!text.contains("CANARY"))
        #expect(!text.contains("one"))
    }
}
