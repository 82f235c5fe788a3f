import Testing

@testable import IntegrationServer

/// An Observation with only what R4 requires, and `more`.
func observation(_ more: String = "") -> String {
    #"{"resourceType":"Observation","status":"final","code":{"text":"x"}\#(more.isEmpty ? "" : ",\(more)")}"#
}

func entry(_ method: String, _ url: String, _ resource: String, _ more: String = "") -> String {
    let extra = more.isEmpty ? "" : ",\(more)"
    return "{\"resource\":\(resource),\"request\":{\"method\":\"\(method)\",\"url\":\"\(url)\"\(extra)}}"
}

func bundle(_ type: String, _ entries: String...) -> String {
    "{\"resourceType\":\"Bundle\",\"type\":\"\(type)\",\"entry\":[\(entries.joined(separator: ","))]}"
}

func outcome(_ code: String, _ what: String, at expression: String? = nil) -> String {
    let place = expression.map { ",\"expression\":[\"\($0)\"]" } ?? ""
    let issue = "{\"severity\":\"error\",\"code\":\"\(code)\",\"diagnostics\":\"\(what)\"\(place)}"
    return "{\"resourceType\":\"OperationOutcome\",\"issue\":[\(issue)]}"
}

struct TransactionTests {
    static let time = "2026-11-21T10:30:00.000Z"

    @Test func `a transaction is answered entry by entry, and its resources come back as they were sent`() async throws
    {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let number = "\"valueQuantity\": {\"value\": 72.50, \"unit\" :\"beats\"}"
            let answer = try await http.post(
                "/fhir",
                bundle(
                    "transaction",
                    entry("PUT", "Observation/a", observation("\"id\":\"a\",\(number)")),
                    entry("PUT", "Patient/p", #"{"resourceType":"Patient","id":"p","meta":{"source":"urn:x"}}"#)
                )
            )
            #expect(answer.status == 200)
            let response =
                #"{"response":{"status":"201 Created","location":"NAME/_history/1","etag":"W/\"1\"","#
                + "\"lastModified\":\"\(Self.time)\"}}"
            #expect(
                answer.body
                    == #"{"resourceType":"Bundle","type":"transaction-response","entry":["#
                    + response.replacing("NAME", with: "Observation/a") + ","
                    + response.replacing("NAME", with: "Patient/p") + "]}"
            )
            #expect(
                try await http.get("/fhir/Observation/a").body
                    == #"{"resourceType":"Observation","id":"a","meta":{"versionId":"1","lastUpdated":"\#(Self.time)"},"#
                    + #""status":"final","code":{"text":"x"},\#(number.replacing("\"valueQuantity\": ", with: "\"valueQuantity\":"))}"#
            )
            #expect(
                try await http.get("/fhir/Patient/p").body
                    == #"{"resourceType":"Patient","id":"p","meta":{"versionId":"1","lastUpdated":"\#(Self.time)","#
                    + #""source":"urn:x"}}"#
            )
        }
    }

    @Test func `nothing in a transaction is stored if one entry is refused`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let answer = try await http.post(
                "/fhir",
                bundle(
                    "transaction",
                    entry("PUT", "Observation/a", observation("\"id\":\"a\"")),
                    entry("PUT", "Observation/b", observation("\"id\":\"b\""), #""ifMatch":"W/\"1\"""#)
                )
            )
            #expect(answer.status == 412)
            #expect(
                answer.body
                    == outcome(
                        "conflict",
                        "If-Match names another version than the current one",
                        at: "Bundle.entry[1]"
                    )
            )
            #expect(try await http.get("/fhir/Observation/a").status == 404)
        }
    }

    @Test func `a batch handles each entry separately`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let answer = try await http.post(
                "/fhir",
                bundle(
                    "batch",
                    entry("PUT", "Observation/a", observation("\"id\":\"b\"")),
                    entry("PUT", "Observation/b", observation("\"id\":\"b\"")),
                    entry("PUT", "Observation/b", observation("\"id\":\"b\""), #""ifMatch":"W/\"9\"""#)
                )
            )
            let statuses = try JSONReader.read(Array(answer.body.utf8))["entry"]?.elements.map {
                $0["response"]?["status"]?.string
            }
            #expect(statuses == ["400 Bad Request", "201 Created", "412 Precondition Failed"])
            #expect(answer.body.contains("\"expression\":[\"Bundle.entry[2]\"]"))
            #expect(try await http.get("/fhir/Observation/b").status == 200)
        }
    }

    @Test func `references to other entries become references to the stored resources`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let device =
                #"{"fullUrl":"urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47","#
                + #""resource":{"resourceType":"Device"},"request":{"method":"POST","url":"Device"}}"#
            let linked = observation(
                #""id":"a","device":{"reference":"urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47"},"#
                    + #""identifier":[{"system":"urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47"}]"#
            )
            #expect(
                try await http.post("/fhir", bundle("transaction", entry("PUT", "Observation/a", linked), device))
                    .status
                    == 200
            )
            let found = try JSONReader.read(Array(try await http.get("/fhir/Device").body.utf8))
            let id = found["entry"]?.elements.first?["resource"]?["id"]?.string ?? ""
            let stored = try JSONReader.read(Array(try await http.get("/fhir/Observation/a").body.utf8))
            #expect(stored["device"]?["reference"]?.string == "Device/\(id)")
            // Only references are links; a system that looks like one stays as it is.
            #expect(
                stored["identifier"]?.elements.first?["system"]?.string
                    == "urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47"
            )
        }
    }

    @Test(arguments: [
        (
            bundle(
                "transaction",
                entry("PUT", "Observation/a", observation(#""id":"a","device":{"reference":"urn:uuid:1"}"#))
            ),
            400,
            outcome(
                "not-found",
                "a reference names no other entry (expected the fullUrl of one in the same Bundle)",
                at: "Bundle.entry[0].resource"
            )
        ),
        (
            bundle(
                "transaction",
                entry("PUT", "Observation/a", observation("\"id\":\"a\"")),
                entry("PUT", "Observation/a", observation("\"id\":\"a\""))
            ),
            400, outcome("duplicate", "another entry changes the same resource", at: "Bundle.entry[1]")
        ),
        (
            bundle("transaction", entry("PUT", "Observation/a", observation("\"id\":\"b\""))),
            400, outcome("invalid", "the resource's id is not the one of the URL", at: "Bundle.entry[0].resource.id")
        ),
        (
            bundle("transaction", entry("PUT", "Observation/a", #"{"resourceType":"Patient","id":"a"}"#)),
            400, outcome("invalid", "a Patient stands where a Observation must be", at: "Bundle.entry[0].resource")
        ),
        (
            bundle(
                "transaction",
                entry("PUT", "Observation/a", #"{"resourceType":"Observation","id":"a","status":"final"}"#)
            ),
            422, outcome("required", "code is missing", at: "Bundle.entry[0].resource.code")
        ),
        (
            bundle(
                "transaction",
                entry("PUT", "Observation/a", #"{"resourceType":"Observation","id":"a","status":null,"code":{}}"#)
            ),
            422, outcome("required", "status is missing", at: "Bundle.entry[0].resource.status")
        ),
        (
            bundle("transaction", entry("POST", "Observation", observation(), #""ifNoneExist":["identifier=1"]"#)),
            400, outcome("value", "this is not text", at: "Bundle.entry[0].request.ifNoneExist")
        ),
        (
            bundle("transaction", entry("PUT", "Observation/a", observation("\"id\":\"a\""), #""ifMatch":1"#)),
            400, outcome("value", "this is not text", at: "Bundle.entry[0].request.ifMatch")
        ),
        (
            #"{"resourceType":"Bundle","type":"transaction","entry":["#
                + #"{"request":{"method":"GET","url":"Patient/a","ifNoneMatch":null}}]}"#,
            400, outcome("value", "this is not text", at: "Bundle.entry[0].request.ifNoneMatch")
        ),
        (
            #"{"resourceType":"Bundle","type":"transaction","entry":{"request":{"method":"GET","url":"Patient"}}}"#,
            400, outcome("structure", "entry is not an array", at: "Bundle.entry")
        ),
        (
            bundle("transaction", entry("PATCH", "Observation/a", observation())),
            400,
            outcome(
                "not-supported",
                "the method is none of DELETE, GET, POST, PUT",
                at: "Bundle.entry[0].request.method"
            )
        ),
        (
            bundle("transaction", entry("PUT", "Observation/../a", observation())),
            400,
            outcome("value", "this is not the URL of a resource (expected TYPE/ID)", at: "Bundle.entry[0].request.url")
        ),
        (
            bundle("collection"), 400,
            outcome("value", "this Bundle is neither transaction nor batch", at: "Bundle.type")
        ),
        (
            "{\"resourceType\":\"Patient\"}", 400,
            outcome("structure", "this is not a Bundle (expected resourceType Bundle)")
        ),
        ("{", 400, outcome("structure", "body: byte 1: not JSON (expected JSON in UTF-8)")),
    ])
    func `an invalid Bundle is refused with the place of its fault`(
        _ body: String,
        _ status: Int,
        _ expected: String
    ) async throws {
        try await RunningServer.run { server in
            let answer = try await server.signedIn().post("/fhir", body)
            #expect(answer.status == status)
            #expect(answer.body == expected)
        }
    }

    @Test func `a conditional create stores once, and is refused if the condition is ambiguous`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let identified = observation(#""identifier":[{"system":"urn:s","value":"1"}]"#)
            let conditional = http.with("If-None-Exist: identifier=urn:s|1")
            #expect(try await conditional.post("/fhir/Observation", identified).status == 201)
            #expect(try await conditional.post("/fhir/Observation", identified).status == 200)
            #expect(try await http.post("/fhir/Observation", identified).status == 201)
            let ambiguous = try await conditional.post("/fhir/Observation", identified)
            #expect(ambiguous.status == 412)
            #expect(ambiguous.body == outcome("multiple-matches", "the condition matches more than one resource"))
            // A condition that this server does not understand would otherwise match everything.
            #expect(
                try await http.with("If-None-Exist: identifer=1").post("/fhir/Observation", identified).status == 400
            )
        }
    }

    @Test func `a conditional update creates, then updates the same resource`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            func put(_ status: String) async throws -> HTTPAnswer {
                let resource = observation(#""identifier":[{"system":"urn:s","value":"1"}]"#)
                return try await http.put(
                    "/fhir/Observation?identifier=urn:s%7C1",
                    resource.replacing("final", with: status)
                )
            }
            let created = try await put("final")
            let updated = try await put("amended")
            #expect([created.status, updated.status] == [201, 200])
            #expect(updated.header("Location") == created.header("Location").dropLast() + "2")
        }
    }

    @Test func `versions count changes and not repetitions, and survive a deletion`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            func tag(_ answer: HTTPAnswer) -> String { "\(answer.status) \(answer.header("ETag"))" }
            let first = observation("\"id\":\"a\"")
            #expect(tag(try await http.put("/fhir/Observation/a", first)) == "201 W/\"1\"")
            #expect(tag(try await http.put("/fhir/Observation/a", first)) == "200 W/\"1\"")
            #expect(
                tag(try await http.put("/fhir/Observation/a", first.replacing("final", with: "amended")))
                    == "200 W/\"2\""
            )
            let stale = try await http.with("If-Match: W/\"1\"").put("/fhir/Observation/a", first)
            #expect(stale.status == 412)
            #expect(try await http.with("If-Match: W/\"2\"").send("DELETE", "/fhir/Observation/a").status == 204)
            #expect(try await http.get("/fhir/Observation/a").status == 410)
            #expect(try await http.send("DELETE", "/fhir/Observation/a").status == 204)
            for name in ["a", "none"] {
                let gone = try await http.with("If-Match: W/\"3\"").send("DELETE", "/fhir/Observation/\(name)")
                #expect(gone.status == 412, "\(name)")
            }
            #expect(tag(try await http.put("/fhir/Observation/a", first)) == "201 W/\"4\"")
            #expect(try await http.with("If-None-Match: W/\"4\"").get("/fhir/Observation/a").status == 304)
            #expect(try await http.get("/fhir/Observation/a/_history/4").status == 200)
            #expect(try await http.get("/fhir/Observation/a/_history/1").status == 404)
        }
    }

    @Test func `an existing resource is not overwritten by an update that must create`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let (first, second) = (observation("\"id\":\"a\""), observation("\"id\":\"a\",\"issued\":\"2026\""))
            let careful = http.with("If-None-Match: *")
            #expect(try await careful.put("/fhir/Observation/a", first).status == 201)
            let refused = try await careful.put("/fhir/Observation/a", second)
            #expect(refused.status == 412)
            #expect(refused.body == outcome("conflict", "If-None-Match: the resource is there already"))
            #expect(try await http.get("/fhir/Observation/a").header("ETag") == "W/\"1\"")
            // A deleted resource does not exist.
            #expect(try await http.send("DELETE", "/fhir/Observation/a").status == 204)
            #expect(try await careful.put("/fhir/Observation/a", second).status == 201)
        }
    }

    @Test func `a Bundle that must create can be repeated, and overwrites nothing`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            func post(_ more: String) async throws -> HTTPAnswer {
                let patient = "{\"resourceType\":\"Patient\",\"id\":\"p\"\(more)}"
                return try await http.post(
                    "/fhir",
                    bundle("transaction", entry("PUT", "Patient/p", patient, #""ifNoneMatch":"*""#))
                )
            }
            #expect(try await post("").status == 200)
            #expect(try await post("").status == 200)
            let refused = try await post(",\"active\":true")
            #expect(refused.status == 412)
            #expect(
                refused.body
                    == outcome("conflict", "If-None-Match: the resource is there already", at: "Bundle.entry[0]")
            )
            #expect(try await http.get("/fhir/Patient/p").header("ETag") == "W/\"1\"")
        }
    }

    @Test func `a condition that the method does not allow is refused, and nothing is overwritten`() async throws {
        let cases = [
            ("POST", "Observation", "ifMatch", "PUT or DELETE"), ("GET", "Observation/a", "ifMatch", "PUT or DELETE"),
            ("PUT", "Observation/a", "ifNoneExist", "POST"), ("DELETE", "Observation/a", "ifNoneExist", "POST"),
            ("POST", "Observation", "ifNoneMatch", "GET or PUT"),
            ("DELETE", "Observation/a", "ifNoneMatch", "GET or PUT"),
            ("PUT", "Observation/a", "ifModifiedSince", "GET"),
        ]
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            #expect(try await http.put("/fhir/Observation/a", observation("\"id\":\"a\"")).status == 201)
            for (method, url, name, expected) in cases {
                let resource = observation("\"id\":\"a\",\"issued\":\"2026\"")
                let answer = try await http.post(
                    "/fhir",
                    bundle("transaction", entry(method, url, resource, "\"\(name)\":\"*\""))
                )
                #expect(answer.status == 400, "\(method) \(name)")
                #expect(
                    answer.body
                        == outcome(
                            "not-supported",
                            "\(name) does not go with the method (expected \(expected)): leave it out",
                            at: "Bundle.entry[0].request.\(name)"
                        )
                )
                #expect(try await http.get("/fhir/Observation/a").header("ETag") == "W/\"1\"")
            }
        }
    }
}
