import Dispatch
import Foundation
import GRDB
import Testing

@testable import IntegrationServer

struct IntakeTests {
    private static let body = bundle("transaction", entry("POST", "Observation", observation()))
    private static let path = "/api/v1/observations"

    private static func count(_ http: HTTPClient) async throws -> Int? {
        try JSONReader.read(Array(try await http.get("/fhir/Observation").body.utf8))["total"]?.integer
    }

    @Test(arguments: ["k1", "\"k1\""])
    func `the same key and body get the same answer and are stored once`(_ repeated: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let first = try await http.with("Idempotency-Key: k1").post(Self.path, Self.body)
            server.clock.advance(seconds: 60)
            let second = try await http.with("Idempotency-Key: \(repeated)").post(Self.path, Self.body)
            #expect(first.status == 200)
            #expect(second == first)
            #expect(try await Self.count(http) == 1)
            #expect(try await http.with("Idempotency-Key: k2").post(Self.path, Self.body).status == 200)
            #expect(try await Self.count(http) == 2)
        }
    }

    @Test func `the same key with another body is refused`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn().with("Idempotency-Key: k1")
            _ = try await http.post(Self.path, Self.body)
            let answer = try await http.post(Self.path, Self.body + " ")
            #expect(answer.status == 422)
            #expect(answer.body == outcome("business-rule", "this Idempotency-Key was used with another body"))
        }
    }

    @Test func `a refused Bundle may be corrected under its key`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn().with("Idempotency-Key: k1")
            #expect(try await http.post(Self.path, Self.body.replacing("code", with: "mode")).status == 422)
            #expect(try await http.post(Self.path, Self.body).status == 200)
        }
    }

    @Test func `a key is forgotten after a day`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            _ = try await http.with("Idempotency-Key: k1").post(Self.path, Self.body)
            server.clock.advance(seconds: 86_400)
            let later = try await server.signedIn()
            #expect(try await later.with("Idempotency-Key: k1").post(Self.path, Self.body + " ").status == 200)
        }
    }

    @Test func `while the first is under way the second is told to wait`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await RunningServer.run({ $0.folder = folder }) { server in
            let http = try await server.signedIn().with("Idempotency-Key: k1")
            let commits = server.server.router.fhir.store.commits
            let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
            let goOn = DispatchSemaphore(value: 0)
            async let held: Void = commits.write { _ in
                beginning.finish()
                goOn.wait()
            }
            for await _ in begun {}
            // Both wait for the commit that is held, unless one is refused.
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for _ in 0..<2 { group.addTask { try await http.post(Self.path, Self.body) } }
                var answers: [HTTPAnswer] = []
                for try await answer in group {
                    answers.append(answer)
                    goOn.signal()
                }
                return answers
            }
            try await held
            #expect(answers.map(\.status) == [409, 200])
            #expect(
                answers.first?.body
                    == outcome("conflict", "a request with this Idempotency-Key is under way: try again")
            )
        }
    }

    @Test(arguments: [nil, "", "a b", String(repeating: "k", count: 256)])
    func `without a usable key nothing is done`(_ key: String?) async throws {
        try await RunningServer.run { server in
            var http = try await server.signedIn()
            if let key { http = http.with("Idempotency-Key: \(key)") }
            #expect(try await http.post(Self.path, Self.body).status == 400)
        }
    }

    @Test func `steps are saved once per id`() async throws {
        try await RunningServer.run { server in
            func sample(_ id: String) -> String {
                #"{"id":"\#(id)","startDate":"2024-01-15T10:30:00Z","endDate":"2024-01-15T10:31:00Z","count":45,"#
                    + #""sourceBundleId":"com.apple.health","sourceDeviceName":"iPhone 15 Pro"}"#
            }
            func post(_ ids: String...) async throws -> String {
                let samples = ids.map(sample).joined(separator: ",")
                return try await server.http.post("/steps", "{\"samples\":[\(samples)]}", type: "application/json").body
            }
            #expect(try await post("a", "b") == #"{"saved":2,"message":"Success"}"#)
            #expect(try await post("b", "c", "c") == #"{"saved":1,"message":"Success"}"#)
            let bad = try await server.http.post(
                "/steps",
                "{\"samples\":[\(sample("d")),{\"id\":\"e\"}]}",
                type: "application/json"
            )
            #expect(bad.status == 422)
            #expect(
                bad.body
                    == outcome(
                        "value",
                        "this is no sample (expected id, startDate, endDate and count)",
                        at: "samples[1]"
                    )
            )
        }
    }
}
