import Testing

@testable import IntegrationServer

/// What each entry of a transaction's or batch's answer says: `201 Created`.
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

    @Test func `a conditional reference finds what the token may reach, though not change`() async throws {
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
}
