import Foundation
import GRDB
import Testing

@testable import IntegrationServer

struct AccessTests {
    @Test func `without a token the answer asks for one`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.get("/fhir/Observation")
            #expect(answer.status == 401)
            #expect(answer.header("WWW-Authenticate") == "Bearer realm=\"\(server.server.addresses.fhirBase)\"")
            #expect(
                answer.body == outcome("login", "a bearer token is missing (expected Authorization: Bearer …): sign in")
            )
        }
    }

    @Test func `unknown and expired tokens are refused as such`() async throws {
        try await RunningServer.run { server in
            let invented = try await server.http.bearing("x").get("/fhir/Observation")
            #expect(invented.status == 401)
            #expect(invented.header("WWW-Authenticate").hasSuffix("error=\"invalid_token\""))
            let http = try await server.signedIn()
            server.clock.advance(seconds: 3_599)
            #expect(try await http.get("/fhir/Observation").status == 200)
            server.clock.advance(seconds: 1)
            let expired = try await http.get("/fhir/Observation")
            #expect(expired.status == 401)
            #expect(expired.body == outcome("expired", "the bearer token has expired: refresh it"))
        }
    }

    @Test(arguments: [
        ("user/Observation.r", "PUT", 403), ("user/Observation.r", "GET", 404), ("user/Observation.u", "PUT", 201),
        ("user/Observation.c", "PUT", 201), ("user/Observation.u", "GET", 403), ("user/Patient.cruds", "PUT", 403),
        ("user/*.write", "PUT", 201), ("user/*.write", "DELETE", 204), ("user/Observation.cu", "DELETE", 403),
        ("observations.write", "PUT", 201), ("observations.write", "GET", 403), ("openid", "GET", 403),
    ])
    func `a scope allows what its letters say`(_ scope: String, _ method: String, _ status: Int) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn(scope: scope)
            let body = observation(#""id":"a","subject":{"reference":"Patient/demo"}"#)
            let answer =
                method == "PUT"
                ? try await http.put("/fhir/Observation/a", body) : try await http.send(method, "/fhir/Observation/a")
            #expect(answer.status == status)
        }
    }

    @Test func `a scope that only allows updates does not allow creating by POST`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn(scope: "patient/Observation.ru")
            let resource = observation(#""subject":{"reference":"Patient/demo"}"#)
            let refused = try await http.post("/fhir/Observation", resource)
            #expect(refused.status == 403)
            #expect(
                refused.body
                    == outcome(
                        "forbidden",
                        "the token's scope does not allow this (expected one with Observation.c)"
                    )
            )
            let inside = bundle("transaction", entry("POST", "Observation", resource))
            #expect(try await http.post("/fhir", inside).status == 403)
        }
    }

    @Test func `a created or found resource is only returned to a token that may read`() async throws {
        try await RunningServer.run { server in
            let writing = try await server.signedIn(scope: "patient/Observation.cu")
                .with("Prefer: return=representation")
            let resource = observation(
                #""id":"a","identifier":[{"value":"1"}],"subject":{"reference":"Patient/demo"}"#
            )
            let conditional = writing.with("If-None-Exist: identifier=1")
            let inside = bundle(
                "transaction",
                entry("POST", "Observation", resource, #""ifNoneExist":"identifier=1""#)
            )
            for answer in [
                try await writing.put("/fhir/Observation/a", resource),
                try await conditional.post("/fhir/Observation", resource),
            ] {
                #expect(answer.body.isEmpty)
                #expect(answer.header("ETag") == "W/\"1\"")
            }
            #expect(!(try await writing.post("/fhir", inside)).body.contains("identifier"))
            let reading = try await server.signedIn(scope: "patient/Observation.cr")
                .with("If-None-Exist: identifier=1")
            #expect(try await reading.post("/fhir/Observation", resource).json("id") == "a")
        }
    }

    @Test func `a missing scope is given as the reason`() async throws {
        try await RunningServer.run { server in
            let base = server.server.addresses.fhirBase
            let http = try await server.signedIn(scope: "patient/Observation.r")
            for answer in [
                try await http.post("/fhir/Observation", observation()),
                try await http.post("/fhir", bundle("transaction", entry("POST", "Observation", observation()))),
                try await http.get("/fhir/Observation"),
            ] {
                #expect(answer.status == 403)
                #expect(
                    answer.header("WWW-Authenticate") == "Bearer realm=\"\(base)\", error=\"insufficient_scope\""
                )
            }
            // A page from another origin is not told to ask for more scopes.
            let foreign = try await http.with("Origin: https://evil.example.org").get("/fhir/Observation")
            #expect(foreign.status == 403)
            #expect(foreign.header("WWW-Authenticate").isEmpty)
        }
    }

    @Test func `a patient's token reaches only that patient's resources`() async throws {
        try await RunningServer.run { server in
            let everything = try await server.signedIn(scope: "user/*.cruds")
            let own = try await server.signedIn(scope: "patient/*.cruds")
            func of(_ patient: String, _ id: String) -> String {
                observation("\"id\":\"\(id)\",\"subject\":{\"reference\":\"Patient/\(patient)\"}")
            }
            #expect(try await everything.put("/fhir/Observation/other", of("someone", "other")).status == 201)
            #expect(try await own.put("/fhir/Observation/mine", of("demo", "mine")).status == 201)
            #expect(try await own.get("/fhir/Observation/mine").status == 200)
            // It can't be read, written, found, taken over, or given to another patient.
            // The answer is that of a missing resource, since an id reveals what somebody measured.
            #expect(
                try await own.get("/fhir/Observation/other").body == own.get("/fhir/Observation/none").body
            )
            #expect(try await own.get("/fhir/Observation/other").status == 404)
            #expect(try await own.put("/fhir/Observation/new", of("someone", "new")).status == 403)
            #expect(try await own.put("/fhir/Observation/other", of("demo", "other")).status == 403)
            #expect(try await own.send("DELETE", "/fhir/Observation/other").status == 204)
            #expect(try await everything.get("/fhir/Observation/other").status == 200)
            let found = try JSONReader.read(Array(try await own.get("/fhir/Observation").body.utf8))
            #expect(found["total"]?.integer == 1)
        }
    }

    @Test func `the id of a deleted resource still belongs to its patient`() async throws {
        try await RunningServer.run { server in
            let everything = try await server.signedIn(scope: "user/*.cruds")
            let own = try await server.signedIn(scope: "patient/*.cruds")
            func of(_ patient: String, _ id: String) -> String {
                observation("\"id\":\"\(id)\",\"subject\":{\"reference\":\"Patient/\(patient)\"}")
            }
            for (patient, id) in [("someone", "other"), ("demo", "mine")] {
                #expect(try await everything.put("/fhir/Observation/\(id)", of(patient, id)).status == 201)
                #expect(try await everything.send("DELETE", "/fhir/Observation/\(id)").status == 204)
            }
            #expect(try await own.get("/fhir/Observation/other").status == 404)
            #expect(try await own.put("/fhir/Observation/other", of("demo", "other")).status == 403)
            let matching = own.with("If-Match: W/\"2\"")
            #expect(try await matching.put("/fhir/Observation/other", of("demo", "other")).status == 412)
            #expect(try await own.send("DELETE", "/fhir/Observation/other").status == 204)
            #expect(try await own.get("/fhir/Observation/mine").status == 410)
            #expect(try await own.send("DELETE", "/fhir/Observation/mine").status == 204)
            #expect(try await own.put("/fhir/Observation/mine", of("demo", "mine")).status == 201)
        }
    }

    @Test(arguments: ["Patient?_id=bob", "Patient?_id=bob&birthdate=le1971", "Device?_id=bobs"])
    func `a condition finds nothing of another patient, not even the Patient`(_ condition: String) async throws {
        try await RunningServer.run { server in
            let everything = try await server.signedIn(scope: "user/*.cruds")
            let patient = #"{"resourceType":"Patient","id":"bob","birthDate":"1971-03-09"}"#
            let device = #"{"resourceType":"Device","id":"bobs","patient":{"reference":"Patient/bob"}}"#
            #expect(try await everything.put("/fhir/Patient/bob", patient).status == 201)
            #expect(try await everything.put("/fhir/Device/bobs", device).status == 201)
            func body(_ condition: String) -> String {
                let performer = "\"performer\":[{\"reference\":\"\(condition)\"}]"
                let resource = observation("\"subject\":{\"reference\":\"Patient/demo\"},\(performer)")
                return bundle("transaction", entry("POST", "Observation", resource))
            }
            let own = try await server.signedIn(scope: "patient/*.cruds")
            let answer = try await own.post("/fhir", body(condition))
            #expect(answer.status == 412)
            #expect(
                answer.body
                    == outcome("not-found", "a conditional reference matches nothing", at: "Bundle.entry[0].resource")
            )
            // The token's own Patient is found.
            #expect(try await own.put("/fhir/Patient/demo", #"{"resourceType":"Patient","id":"demo"}"#).status == 201)
            #expect(try await own.post("/fhir", body("Patient?_id=demo")).status == 200)
        }
    }

    @Test(arguments: ["other", "none"])
    func `no status of a write shows whether another patient has a resource`(_ id: String) async throws {
        try await RunningServer.run { server in
            let everything = try await server.signedIn(scope: "user/*.cruds")
            let others = observation(#""id":"other","subject":{"reference":"Patient/bob"}"#)
            #expect(try await everything.put("/fhir/Observation/other", others).status == 201)
            let bob = #"{"resourceType":"Patient","id":"other"}"#
            #expect(try await everything.put("/fhir/Patient/other", bob).status == 201)
            let own = try await server.signedIn(scope: "patient/*.cruds")
            let mine = observation("\"id\":\"\(id)\",\"subject\":{\"reference\":\"Patient/demo\"}")
            let patient = bob.replacing("other", with: id)
            let matching = own.with("If-Match: W/\"99\"")
            #expect(try await matching.put("/fhir/Observation/\(id)", mine).status == 412)
            #expect(try await matching.send("DELETE", "/fhir/Observation/\(id)").status == 412)
            #expect(try await own.send("DELETE", "/fhir/Observation/\(id)").status == 204)
            #expect(try await own.send("DELETE", "/fhir/Patient/\(id)").status == 204)
            let conditional = try await own.put("/fhir/Patient?identifier=x", patient)
            #expect(conditional.status == 403)
            #expect(conditional.body == outcome("forbidden", "the token is for another patient's data"))
            #expect(try await everything.get("/fhir/Observation/other").header("ETag") == "W/\"1\"")
            #expect(try await everything.get("/fhir/Patient/other").status == 200)
        }
    }

    @Test func `observations can only be written for the token's own patient`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn(scope: "observations.write")
            let other = observation(#""id":"a","subject":{"reference":"Patient/someone"}"#)
            #expect(try await http.put("/fhir/Observation/a", other).status == 403)
        }
    }

    @Test func `a patient scope without a patient reaches no resources`() {
        let grant = AccessGrant(client: "pghd", scopes: ["patient/*.cruds"], patient: nil)
        #expect(grant.patientLimit(.read, .observation) == "")
        #expect(grant.matchLimit(.observation) == "")
        #expect([nil, "demo"].map { grant.allows(.read, .observation, of: $0) } == [false, false])
    }

    @Test func `a search does not find other Patients`() async throws {
        try await RunningServer.run { server in
            let everything = try await server.signedIn(scope: "user/*.cruds")
            let patient = #"{"resourceType":"Patient","id":"bob"}"#
            #expect(try await everything.put("/fhir/Patient/bob", patient).status == 201)
            let own = try await server.signedIn(scope: "patient/*.cruds")
            let found = try JSONReader.read(Array(try await own.get("/fhir/Patient?_id=bob").body.utf8))
            #expect(found["total"]?.integer == 0)
        }
    }

    @Test(arguments: [
        "patient/Observation.sr", "patient/Observation.", "patient/Observation.rr", "patient/Observation.rx",
        "patient/Observation.r.s", "patient/Observation.r/s", "patient/Foo.r", "Observation.r",
        "patient/*", "everyone/*.r", "system/*.r",
    ])
    func `text that is not a person's scope is not granted`(_ scope: String) async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.get(
                "/auth/authorize?\(RunningServer.authorizationQuery(scope: scope))"
            )
            #expect(answer.header("Location").contains("error=invalid_scope"))
        }
    }

    @Test func `a repeated scope is granted once`() async throws {
        try await RunningServer.run { server in
            let scope = Array(repeating: "patient/Device.r", count: 200).joined(separator: " ")
            let tokens = try await server.exchange(try await server.code(scope: "\(scope) offline_access"))
            #expect(try tokens.json("scope") == "patient/Device.r offline_access")
            let refreshed = try await server.refresh(try tokens.json("refresh_token"), scope: scope)
            #expect(try refreshed.json("scope") == "patient/Device.r")
        }
    }

    @Test(arguments: [
        (100, 0, nil), (101, 0, OAuthFault.Code.invalidScope), (1, 8_172, nil), (1, 8_173, .invalidScope),
    ])
    func `at most a hundred scopes and 8 KiB may be requested`(
        _ count: Int,
        _ spaces: Int,
        _ refusal: OAuthFault.Code?
    ) {
        let words = ["patient/Device.cruds"] + (1..<count).map { "word\($0)" }
        let scope = words.joined(separator: " ") + String(repeating: " ", count: spaces)
        var fault: OAuthFault.Code?
        do throws(OAuthFault) {
            #expect(try GrantedScope.forPerson(scope) == "patient/Device.cruds")
        } catch {
            fault = error.code
        }
        #expect(fault == refusal)
    }

    @Test func `only a token's hash is stored`() async throws {
        try await RunningServer.run { server in
            let token = try await server.exchange(try await server.code()).json("access_token")
            let stored = try await server.server.router.fhir.store.database.read { database in
                try Data.fetchAll(database, sql: "SELECT hash FROM credential WHERE kind = 'access'")
            }
            #expect(stored == [Data(Secret.hash(token))])
        }
    }
}
