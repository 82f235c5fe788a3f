import Testing

@testable import IntegrationServer

/// References between the entries of a transaction, and to this server or another one (R4, sections 3.1.0.11 and
/// 2.36.4.1).
struct LinkTests {
    private static func posting(_ url: String, _ resource: String) -> String {
        let type = (try? JSONReader.read(Array(resource.utf8)))?["resourceType"]?.string ?? ""
        return #"{"fullUrl":"\#(url)","resource":\#(resource),"request":{"method":"POST","url":"\#(type)"}}"#
    }

    private static func subject(_ http: HTTPClient, of id: String) async throws -> String? {
        try JSONReader.read(Array(try await http.get("/fhir/Observation/\(id)").body.utf8))["subject"]?["reference"]?
            .string
    }

    @Test(arguments: ["http://client.example/fhir/Patient/55", "urn:uuid:11111111-1111-4111-8111-111111111111"])
    func `a reference to an entry's fullUrl, whatever its scheme, becomes one to the stored resource`(
        _ url: String
    ) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let linked = observation("\"id\":\"a\",\"subject\":{\"reference\":\"\(url)\"}")
            let body = bundle(
                "transaction",
                entry("PUT", "Observation/a", linked),
                Self.posting(url, #"{"resourceType":"Patient"}"#)
            )
            #expect(try await http.post("/fhir", body).status == 200)
            let found = try JSONReader.read(Array(try await http.get("/fhir/Patient").body.utf8))
            let id = found["entry"]?.elements.first?["resource"]?["id"]?.string ?? ""
            #expect(try await Self.subject(http, of: "a") == "Patient/\(id)")
            let own = try JSONReader.read(Array(try await http.get("/fhir/Observation?patient=\(id)").body.utf8))
            #expect(own["total"]?.integer == 1)
        }
    }

    @Test func `a relative reference is resolved against its entry's fullUrl`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let linked = observation(#""subject":{"reference":"Patient/55"}"#)
            let body = bundle(
                "transaction",
                Self.posting("http://client.example/fhir/Observation/1", linked),
                Self.posting("http://client.example/fhir/Patient/55", #"{"resourceType":"Patient"}"#),
                Self.posting("http://other.example/fhir/Observation/1", linked)
            )
            #expect(try await http.post("/fhir", body).status == 200)
            let found = try JSONReader.read(Array(try await http.get("/fhir/Patient").body.utf8))
            let id = found["entry"]?.elements.first?["resource"]?["id"]?.string ?? ""
            let stored = try JSONReader.read(Array(try await http.get("/fhir/Observation").body.utf8))
            let subjects = stored["entry"]?.elements.map { $0["resource"]?["subject"]?["reference"]?.string }
            #expect(subjects == ["Patient/\(id)", "Patient/55"])
        }
    }

    @Test func `two entries with one fullUrl are refused`() async throws {
        try await RunningServer.run { server in
            let patient = Self.posting("urn:uuid:1", #"{"resourceType":"Patient"}"#)
            let answer = try await server.signedIn().post("/fhir", bundle("transaction", patient, patient))
            #expect(answer.status == 400)
            #expect(
                answer.body
                    == outcome(
                        "duplicate",
                        "another entry has the same fullUrl (expected one for each resource)",
                        at: "Bundle.entry[1].fullUrl"
                    )
            )
        }
    }

    @Test(arguments: [
        ("Patient/demo", 1), ("BASE/Patient/demo", 1), ("Patient/demo/_history/1", 1),
        ("https://other.example/fhir/Patient/demo", 0), ("https://other.example/Patient/demo/Observation/1", 0),
        ("fhir/Patient/demo", 0), ("BASE/x/Patient/demo", 0),
    ])
    func `a patient of another server is not a patient here`(_ reference: String, _ count: Int) async throws {
        try await RunningServer.run { server in
            let text = reference.replacing("BASE", with: server.server.addresses.fhirBase)
            let http = try await server.signedIn(scope: "user/*.cruds")
            let resource = observation("\"id\":\"a\",\"subject\":{\"reference\":\"\(text)\"}")
            #expect(try await http.put("/fhir/Observation/a", resource).status == 201)
            let found = try JSONReader.read(Array(try await http.get("/fhir/Observation?patient=demo").body.utf8))
            #expect(found["total"]?.integer == count)
            let own = try await server.signedIn(scope: "patient/*.cruds")
            #expect(try await own.get("/fhir/Observation/a").status == (count == 1 ? 200 : 404))
            #expect(try await own.put("/fhir/Observation/a", resource).status == (count == 1 ? 200 : 403))
            let byURL = try await http.get("/fhir/Observation?subject=\(PercentEncoding.encode(text))")
            #expect(byURL.status == (count == 1 ? 200 : 400))
        }
    }
}
