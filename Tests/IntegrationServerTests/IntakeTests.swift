import Dispatch
import Foundation
import GRDB
import Testing

@testable import IntegrationServer

struct IntakeTests {
    private static let body = bundle("transaction", entry("POST", "Observation", observation()))
    private static let path = "/api/v1/observations"

    private static func count(_ http: HTTPClient, _ query: String = "") async throws -> Int? {
        try JSONReader.read(Array(try await http.get("/fhir/Observation\(query)").body.utf8))["total"]?.integer
    }

    @Test(arguments: ["k1", "\"k1\""])
    func `the same key and body get the same answer and are stored once`(_ repeated: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let first = try await http.with("Idempotency-Key: k1").post(Self.path, Self.body)
            server.clock.advance(seconds: 60)
            let second = try await http.with("Idempotency-Key: \(repeated)").post(Self.path, Self.body)
            #expect(first.status == 200)
            #expect(second.status == 200)
            #expect(second.body == first.body)
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

    @Test(arguments: ["patient/Device.cruds", "patient/Observation.rds", "openid"])
    func `a remembered answer is not given to a token that may not write`(_ scope: String) async throws {
        try await RunningServer.run { server in
            let writing = try await server.signedIn().with("Idempotency-Key: k1")
            #expect(try await writing.post(Self.path, Self.body).status == 200)
            let other = try await server.signedIn(scope: scope).with("Idempotency-Key: k1")
            let answer = try await other.post(Self.path, Self.body)
            #expect(answer.status == 403)
            #expect(
                answer.body
                    == outcome(
                        "forbidden",
                        "the token's scope does not allow this (expected one with Observation.c)",
                        at: "Bundle.entry[0]"
                    )
            )
        }
    }

    /// What is read, what a condition finds, and what a reference's condition finds.
    @Test(arguments: [
        #"{"request":{"method":"GET","url":"Observation/secret"}}"#,
        #"{"request":{"method":"GET","url":"Observation?patient=bob"}}"#,
        entry("PUT", "Observation?identifier=s", observation(#""subject":{"reference":"Patient/demo"}"#)),
        entry("POST", "Observation", observation(#""subject":{"reference":"Patient?_id=bob"}"#)),
    ])
    func `an answer about others is not given again to a token that reaches less`(_ entry: String) async throws {
        try await RunningServer.run { server in
            let wide = try await server.signedIn(scope: "user/*.cruds")
            let secret = observation(
                #""id":"secret","identifier":[{"value":"s"}],"subject":{"reference":"Patient/bob"}"#
            )
            #expect(try await wide.put("/fhir/Observation/secret", secret).status == 201)
            #expect(try await wide.put("/fhir/Patient/bob", #"{"resourceType":"Patient","id":"bob"}"#).status == 201)
            let body = bundle("transaction", entry)
            func post(_ scope: String) async throws -> HTTPAnswer {
                try await server.signedIn(scope: scope).with("Idempotency-Key: k").post(Self.path, body)
            }
            let first = try await post("user/*.cruds")
            #expect(first.status == 200)
            #expect(try await post("user/*.cruds").body == first.body)
            let refused = try await post("patient/*.cruds")
            #expect(refused.status == 403)
            #expect(
                refused.body
                    == outcome(
                        "forbidden",
                        "this was answered to a token that reaches more (expected such a token): use another key"
                    )
            )
        }
    }

    @Test func `a key belongs to its patient`() async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            func post(_ patient: String, _ subject: String) async throws -> HTTPAnswer {
                let resource = observation("\"subject\":{\"reference\":\"Patient/\(subject)\"}")
                return try await server.signedIn(as: patient, scope: "patient/*.cruds").with("Idempotency-Key: k1")
                    .post(Self.path, bundle("transaction", entry("POST", "Observation", resource)))
            }
            let first = try await post("alice", "alice")
            #expect(first.status == 200)
            #expect(try await post("bob", "alice").status == 403)
            #expect(try await post("bob", "bob").status == 200)
            #expect(try await post("alice", "alice") == first)
        }
    }

    @Test(arguments: ["alice", "bob"])
    func `a key from before keys belonged to patients still counts for the same Bundle`(_ last: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        @Sendable func post(_ server: RunningServer, _ patient: String, _ more: String = "") async throws -> HTTPAnswer
        {
            try await server.signedIn(as: patient, scope: "user/*.cruds").with("Idempotency-Key: k1")
                .post(Self.path, Self.body + more)
        }
        let change: @Sendable (inout IntegrationServer.Options) -> Void = {
            $0.folder = folder
            $0.approvesAutomatically = false
        }
        try await RunningServer.run(change) { server in
            #expect(try await post(server, "alice").status == 200)
            // The sign-ins decide: once there is a second patient nobody knows whose the key is.
            _ = try await server.signedIn(as: last)
            try await server.server.router.fhir.store.commits.write { try Self.makeOld($0) }
        }
        try await RunningServer.run(change) { server in
            #expect(try await post(server, "alice").status == 200)
            let http = try await server.signedIn(as: "alice")
            #expect(try await Self.count(http) == 1)
            #expect(try await post(server, "alice", " ").status == (last == "alice" ? 422 : 200))
            #expect(try await post(server, "carol", " ").status == 200)
        }
    }

    /// The table of answers in its first form.
    private static func makeOld(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE answer RENAME TO later;
                DROP INDEX answer_created;
                CREATE TABLE answer (
                  client TEXT NOT NULL, key TEXT NOT NULL, request BLOB NOT NULL, body BLOB NOT NULL,
                  created INTEGER NOT NULL, PRIMARY KEY (client, key)) WITHOUT ROWID;
                CREATE INDEX answer_created ON answer (created);
                INSERT INTO answer SELECT client, key, request, body, created FROM later;
                DROP TABLE later;
                DROP INDEX authorization_created;
                DROP INDEX credential_expires;
                DROP INDEX credential_authorization;
                DROP INDEX assertion_expires;
                DELETE FROM grdb_migrations WHERE identifier <> '1';
                """
        )
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

    @Test func `while the first request is under way the second is told to wait`() async throws {
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
            // Both wait for the commit that is held up, unless one is refused.
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for _ in 0..<2 { group.addTask { try await http.post(Self.path, Self.body) } }
                var answers: [HTTPAnswer] = []
                for try await answer in group {
                    answers.append(answer)
                    server.clock.advance(seconds: 60)
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
            // Otherwise a client that polled during the wait would miss a resource with an earlier time.
            #expect(try await Self.count(http, "?_lastUpdated=ge2026-11-21T10:31:00Z") == 1)
        }
    }

    @Test(arguments: [nil, "", "a b", String(repeating: "k", count: 256)])
    func `without a usable key nothing is stored`(_ key: String?) async throws {
        try await RunningServer.run { server in
            var http = try await server.signedIn()
            if let key { http = http.with("Idempotency-Key: \(key)") }
            #expect(try await http.post(Self.path, Self.body).status == 400)
        }
    }

    @Test func `steps are saved once for each id`() async throws {
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
                        "this is not a sample (expected id, startDate, endDate and count)",
                        at: "samples[1]"
                    )
            )
        }
    }
}
