import Testing

@testable import IntegrationServer

/// The status of each entry in the answer to a transaction or batch, such as `201 Created`.
func statuses(_ answer: HTTPAnswer) throws -> [String] {
    let entries = try JSONReader.read(Array(answer.body.utf8))["entry"]?.elements ?? []
    return entries.map { $0["response"]?["status"]?.string ?? "" }
}

/// Conditional creates, updates and references (R4, sections 3.1.0.8.1, 3.1.0.4.3 and 3.1.0.11).
struct ConditionTests {
    private static let identified = observation(
        #""identifier":[{"system":"urn:s","value":"1"}],"subject":{"reference":"Patient/demo"}"#
    )

    private static func count(_ http: HTTPClient, _ query: String) async throws -> Int? {
        try JSONReader.read(Array(try await http.get("/fhir/\(query)").body.utf8))["total"]?.integer
    }

    @Test func `a condition in the address of a create is refused, since it would have no effect`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let answer = try await http.post("/fhir/Observation?identifier=a%7C1", observation(""))
            #expect(answer.status == 400)
            #expect(
                answer.body
                    == outcome(
                        "not-supported",
                        "a create takes no 'identifier' (expected If-None-Exist for a condition)"
                    )
            )
            #expect(try await http.post("/fhir/Observation?_format=json", observation("")).status == 201)
        }
    }

    @Test(arguments: [
        ("user/*.crs", "someone"), ("user/*.c", "someone"), ("patient/*.crs", "demo"),
        ("patient/Observation.c", "demo"),
    ])
    func `a conditional create stores once, whatever else the token allows`(
        _ scope: String,
        _ patient: String
    ) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn(scope: scope).with("If-None-Exist: identifier=urn:s|1")
            let resource = Self.identified.replacing("demo", with: patient)
            var answers: [Int] = []
            for _ in 0..<3 { answers.append(try await http.post("/fhir/Observation", resource).status) }
            #expect(answers == [201, 200, 200])
            #expect(try await Self.count(try await server.signedIn(), "Observation") == 1)
        }
    }

    @Test func `a conditional reference finds what the token may read, even if it may not change it`() async throws {
        try await RunningServer.run { server in
            let patient = #"{"resourceType":"Patient","id":"p","identifier":[{"system":"urn:p","value":"1"}]}"#
            #expect(try await server.signedIn().put("/fhir/Patient/p", patient).status == 201)
            let http = try await server.signedIn(scope: "user/Observation.cruds user/Patient.rs")
            let resource = observation(#""id":"a","subject":{"reference":"Patient?identifier=urn:p|1"}"#)
            let body = bundle("transaction", entry("PUT", "Observation/a", resource))
            #expect(try await http.post("/fhir", body).status == 200)
            let stored = try JSONReader.read(Array(try await http.get("/fhir/Observation/a").body.utf8))
            #expect(stored["subject"]?["reference"]?.string == "Patient/p")
        }
    }

    @Test(arguments: ["/fhir", "/api/v1/observations"])
    func `a condition does not match what the same transaction deletes`(_ path: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let resource = Self.identified.replacing(#""status""#, with: #""id":"a","status""#)
            #expect(try await http.put("/fhir/Observation/a", resource).status == 201)
            let create = entry("POST", "Observation", Self.identified, #""ifNoneExist":"identifier=urn:s|1""#)
            let delete = #"{"request":{"method":"DELETE","url":"Observation/a"}}"#
            let answer = try await http.with("Idempotency-Key: k1").post(path, bundle("transaction", create, delete))
            #expect(try statuses(answer) == ["201 Created", "204 No Content"])
            #expect(try await Self.count(http, "Observation?identifier=urn:s%7C1") == 1)
        }
    }

    @Test(arguments: ["Observation?", "Observation?_format=json", "Observation?_count=1", "Observation?_cursor=0"])
    func `a conditional update with an empty condition is refused`(_ url: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            #expect(try await http.post("/fhir/Observation", Self.identified).status == 201)
            let what =
                "the condition names nothing to match by, so it would match everything "
                + "(expected a search parameter such as identifier)"
            let changed = Self.identified.replacing("final", with: "amended")
            let inside = try await http.post("/fhir", bundle("transaction", entry("PUT", url, changed)))
            #expect(inside.status == 400)
            #expect(inside.body == outcome("value", what, at: "Bundle.entry[0]"))
            let alone = try await http.put("/fhir/\(url)", changed)
            #expect(alone.status == 400)
            #expect(alone.body == outcome("value", what))
        }
    }

    @Test(arguments: ["_format=json", "_count=1", "?"])
    func `a conditional create with an empty condition is refused`(_ condition: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            #expect(try await http.post("/fhir/Observation", Self.identified).status == 201)
            let conditional = http.with("If-None-Exist: \(condition)")
            #expect(try await conditional.post("/fhir/Observation", Self.identified).status == 400)
            let reference = observation(#""id":"a","subject":{"reference":"Patient?_format=json"}"#)
            #expect(try await http.put("/fhir/Patient/p", #"{"resourceType":"Patient","id":"p"}"#).status == 201)
            #expect(try await http.put("/fhir/Observation/a", reference).status == 400)
        }
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
    func `a conditional reference finds what its transaction stores, in any order`(_ order: [Int]) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn(scope: "patient/*.cruds")
            let patient = #"{"resourceType":"Patient","id":"demo","identifier":[{"value":"p1"}]}"#
            let device =
                #"{"resourceType":"Device","identifier":[{"value":"d1"}],"#
                + #""patient":{"reference":"Patient?identifier=p1"}}"#
            let measured = observation(
                #""id":"a","subject":{"reference":"Patient?identifier=p1"},"#
                    + #""device":{"reference":"Device?identifier=d1"}"#
            )
            let entries = [
                entry("PUT", "Patient/demo", patient), entry("POST", "Device", device),
                entry("PUT", "Observation/a", measured),
            ]
            let body = bundle("transaction", order.map { entries[$0] }.joined(separator: ","))
            #expect(try await http.post("/fhir", body).status == 200)
            let found = try JSONReader.read(Array(try await http.get("/fhir/Device?patient=demo").body.utf8))
            let id = found["entry"]?.elements.first?["resource"]?["id"]?.string ?? ""
            let stored = try JSONReader.read(Array(try await http.get("/fhir/Observation/a").body.utf8))
            #expect(stored["subject"]?["reference"]?.string == "Patient/demo")
            #expect(stored["device"]?["reference"]?.string == "Device/\(id)")
        }
    }

    @Test(arguments: [(8, 200), (9, 412)])
    func `a chain of conditional references in reverse order may have eight links`(
        _ length: Int,
        _ status: Int
    ) async throws {
        try await RunningServer.run { server in
            let entries = (0...length).reversed().map { number in
                let member = #","hasMember":[{"reference":"Observation?identifier=\#(number - 1)"}]"#
                let resource = observation(
                    #""id":"o\#(number)","identifier":[{"value":"\#(number)"}]\#(number == 0 ? "" : member)"#
                )
                return entry("PUT", "Observation/o\(number)", resource)
            }
            let answer = try await server.signedIn()
                .post("/fhir", bundle("transaction", entries.joined(separator: ",")))
            #expect(answer.status == status)
            let refused = outcome(
                "not-found",
                "a conditional reference matches nothing",
                at: "Bundle.entry[0].resource"
            )
            #expect((answer.body == refused) == (status == 412))
        }
    }

    @Test(arguments: ["identifier=urn:s|a?b", "?identifier=urn:s|a?b", "Observation?identifier=urn:s|a?b"])
    func `a condition is the text after the type, whatever its value contains`(_ condition: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn().with("If-None-Exist: \(condition)")
            let resource = Self.identified.replacing(#""value":"1""#, with: #""value":"a?b""#)
            #expect(try await http.post("/fhir/Observation", resource).status == 201)
            #expect(try await http.post("/fhir/Observation", resource).status == 200)
        }
    }

    @Test(arguments: [
        entry("POST", "Observation", identified, #""ifNoneExist":"identifier=1""#),
        entry("PUT", "Observation?identifier=1", identified),
    ])
    func `two spellings of a condition can't store a resource twice`(_ other: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let first = entry("POST", "Observation", Self.identified, #""ifNoneExist":"identifier=urn:s|1""#)
            let answer = try await http.post("/fhir", bundle("transaction", first, other))
            #expect(answer.status == 400)
            #expect(
                answer.body
                    == outcome("duplicate", "another entry stores what the condition matches", at: "Bundle.entry[1]")
            )
            #expect(try await Self.count(http, "Observation") == 0)
        }
    }

    @Test func `any number of entries may find an existing resource`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            #expect(try await http.post("/fhir/Observation", Self.identified).status == 201)
            let create = entry("POST", "Observation", Self.identified, #""ifNoneExist":"identifier=urn:s|1""#)
            let answer = try await http.post("/fhir", bundle("transaction", create, create))
            #expect(try statuses(answer) == ["200 OK", "200 OK"])
        }
    }

    @Test func `a conditional reference to a type that is not stored here is refused`() async throws {
        try await RunningServer.run { server in
            let resource = observation(#""performer":[{"reference":"Organization?identifier=x"}]"#)
            let answer = try await server.signedIn()
                .post("/fhir", bundle("transaction", entry("POST", "Observation", resource)))
            #expect(answer.status == 412)
            #expect(
                answer.body
                    == outcome(
                        "not-supported",
                        "a conditional reference is to a type that is not stored here",
                        at: "Bundle.entry[0].resource"
                    )
            )
        }
    }

    @Test func `a conditional update without a match can't take another resource's id`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            #expect(try await http.put("/fhir/Observation/a", observation("\"id\":\"a\"")).status == 201)
            let other = Self.identified.replacing(#""status""#, with: #""id":"a","status""#)
            let answer = try await http.put("/fhir/Observation?identifier=urn:s%7C1", other)
            #expect(answer.status == 409)
            #expect(
                answer.body
                    == outcome(
                        "conflict",
                        "the condition matches nothing, and the resource's id is another's "
                            + "(expected a new id, or none)"
                    )
            )
            #expect(try await http.get("/fhir/Observation/a").header("ETag") == "W/\"1\"")
        }
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `a create with a condition does not repeat one without, in either order`(_ order: [Int]) async throws {
        try await RunningServer.run { server in
            let entries = [
                entry("POST", "Observation", Self.identified, #""ifNoneExist":"identifier=urn:s|1""#),
                entry("POST", "Observation", Self.identified),
            ]
            let http = try await server.signedIn()
            let body = bundle("transaction", order.map { entries[$0] }.joined(separator: ","))
            #expect(try await http.post("/fhir", body).status == 400)
            #expect(try await Self.count(http, "Observation") == 0)
        }
    }

    @Test(arguments: [[0, 1], [1, 0]])
    func `a conditional reference does not meet what refers by a condition itself, in either order`(
        _ order: [Int]
    ) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let device = #"{"resourceType":"Device","identifier":[{"value":"d"}]}"#
            let stored = try await http.post("/fhir/Device", device).header("Location").split(separator: "/")
            let patient = #"{"resourceType":"Patient","id":"p","identifier":[{"value":"p"}]}"#
            #expect(try await http.put("/fhir/Patient/p", patient).status == 201)
            let second =
                #"{"resourceType":"Device","identifier":[{"value":"d"}],"patient":{"reference":"Patient?identifier=p"}}"#
            let entries = [
                entry("PUT", "Observation/o", observation(#""id":"o","device":{"reference":"Device?identifier=d"}"#)),
                entry("POST", "Device", second),
            ]
            let body = bundle("transaction", order.map { entries[$0] }.joined(separator: ","))
            #expect(try await http.post("/fhir", body).status == 200)
            #expect(try await Self.count(http, "Device") == 2)
            let observed = try JSONReader.read(Array(try await http.get("/fhir/Observation/o").body.utf8))
            #expect(observed["device"]?["reference"]?.string == stored.dropLast(2).suffix(2).joined(separator: "/"))
        }
    }

    @Test func `a condition compares bytes, even where an accent joins a separator`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let device =
                #"{"resourceType":"Device","identifier":[{"system":"urn:n","value":"\#u{301}x"},"#
                + #"{"value":"cafe\#u{301}"},{"value":"caf\#u{E9}"}]}"#
            let conditional = http.with("If-None-Exist: identifier=urn:n|%CC%81x")
            #expect(try await conditional.post("/fhir/Device", device).status == 201)
            #expect(try await conditional.post("/fhir/Device", device).status == 200)
            for value in ["cafe%CC%81", "caf%C3%A9"] {
                #expect(try await Self.count(http, "Device?identifier=\(value)") == 1)
            }
        }
    }

    @Test func `conditional references that differ in the form of an accent are two`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let forms = [("nfd", "cafe\u{301}"), ("nfc", "caf\u{E9}")]
            for (id, value) in forms {
                let device = #"{"resourceType":"Device","id":"\#(id)","identifier":[{"value":"\#(value)"}]}"#
                #expect(try await http.put("/fhir/Device/\(id)", device).status == 201)
            }
            let entries = forms.map { id, value in
                entry(
                    "PUT",
                    "Observation/\(id)",
                    observation(#""id":"\#(id)","device":{"reference":"Device?identifier=\#(value)"}"#)
                )
            }
            let body = bundle("transaction", entries.joined(separator: ","))
            #expect(try await http.post("/fhir", body).status == 200)
            for (id, _) in forms {
                let stored = try JSONReader.read(Array(try await http.get("/fhir/Observation/\(id)").body.utf8))
                #expect(stored["device"]?["reference"]?.string == "Device/\(id)")
            }
        }
    }
}
