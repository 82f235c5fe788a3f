import Testing

@testable import IntegrationServer

/// What the entries of Bundles read, and how many bytes answers may hold.
struct BundleReadTests {
    private static func reading(_ url: String) -> String {
        "{\"request\":{\"method\":\"GET\",\"url\":\"\(url)\"}}"
    }

    @Test func `an entry can read a version if it is the current one`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            for more in ["", ",\"issued\":\"2026\""] {
                _ = try await http.put("/fhir/Observation/a", observation("\"id\":\"a\"\(more)"))
            }
            let urls = ["a/_history/2", "a/_history/1", "b/_history/1", "a/_history"].map { "Observation/\($0)" }
            let entries = urls.map(Self.reading)
            let answer = try await http.post("/fhir", bundle("batch", entries[0], entries[1], entries[2], entries[3]))
            #expect(try statuses(answer) == ["200 OK", "404 Not Found", "404 Not Found", "400 Bad Request"])
            #expect(answer.body.contains("\"versionId\":\"2\""))
            let written = entry("PUT", urls[0], observation("\"id\":\"a\""))
            #expect(try await http.post("/fhir", bundle("transaction", written)).status == 400)
        }
    }

    @Test func `a batch's reads see what the entries before them have stored`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let answer = try await http.post(
                "/fhir",
                bundle(
                    "batch",
                    Self.reading("Observation/a"),
                    entry("PUT", "Observation/a", observation("\"id\":\"a\"")),
                    Self.reading("Observation/a"),
                    "{\"request\":{\"method\":\"DELETE\",\"url\":\"Observation/a\"}}",
                    Self.reading("Observation/a")
                )
            )
            let expected = ["404 Not Found", "201 Created", "200 OK", "204 No Content", "410 Gone"]
            #expect(try statuses(answer) == expected)
        }
    }

    @Test func `all ways of reading share a budget for waiting answers`() async throws {
        var limits = HTTPLimits()
        (limits.allAnswersByteCount, limits.smallAnswerByteCount) = (0, 100)
        try await RunningServer.run(limits: limits) { server in
            let http = try await server.signedIn()
            let stored = observation("\"id\":\"a\",\"valueString\":\"\(String(repeating: "x", count: 100))\"")
            #expect(try await http.put("/fhir/Observation/a", stored).status == 201)
            let what = "too many large answers at once (expected less load): try again"
            #expect(try await http.get("/fhir/Observation/a").body == outcome("throttled", what))
            let form = "application/x-www-form-urlencoded"
            let search = try await http.post("/fhir/Observation/_search", "_id=a", type: form)
            #expect(search.status == 503)
            #expect(search.header("Retry-After") == "1")
            let batch = try await http.post("/fhir", bundle("batch", Self.reading("Observation/a")))
            #expect(try statuses(batch) == ["503 Service Unavailable"])
            // A transaction's reads are checked before it is stored, so nothing is stored.
            let new = entry("PUT", "Observation/b", observation("\"id\":\"b\""))
            let both = try await http.post("/fhir", bundle("transaction", new, Self.reading("Observation/a")))
            #expect(both.body == outcome("throttled", what, at: "Bundle.entry[1]"))
            #expect(try await http.get("/fhir/Observation/b").status == 404)
            // A Bundle that only writes holds only its own body.
            #expect(try await http.post("/fhir", bundle("transaction", new)).status == 200)
        }
    }

    @Test func `the entries of a Bundle read at most 64 MiB together`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let text = String(repeating: "x", count: 12 << 20)
            let large = observation("\"id\":\"a\",\"valueString\":\"\(text)\"")
            #expect(try await http.put("/fhir/Observation/a", large).status == 201)
            func reading(_ type: String) -> String {
                let read = "{\"request\":{\"method\":\"GET\",\"url\":\"Observation/a\"}}"
                return "{\"resourceType\":\"Bundle\",\"type\":\"\(type)\",\"entry\":["
                    + Array(repeating: read, count: 6).joined(separator: ",") + "]}"
            }
            let answer = try JSONReader.read(Array(try await http.post("/fhir", reading("batch")).body.utf8))
            let statuses = answer["entry"]?.elements.compactMap { $0["response"]?["status"]?.string } ?? []
            #expect(statuses == Array(repeating: "200 OK", count: 5) + ["413 Content Too Large"])
            let refused = try await http.post("/fhir", reading("transaction"))
            #expect(refused.status == 413)
            #expect(
                refused.body
                    == outcome(
                        "too-costly",
                        "the entries ask for more than 64 MiB (expected less): split the Bundle",
                        at: "Bundle.entry[5]"
                    )
            )
        }
    }
}
