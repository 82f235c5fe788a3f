import Testing

@testable import OpenIDConnect

struct ScopesTests {
    @Test func `S18 the scopes are those that delivering and verifying need, without wildcards`() throws {
        #expect(
            Scopes.standard(for: .authorizationCode, at: try .sample()) == [
                "openid", "fhirUser", "launch/patient", "offline_access", "patient/Observation.crus",
                "patient/Device.crus", "patient/DocumentReference.crus", "patient/VisionPrescription.crus",
                "patient/Patient.r",
            ]
        )
    }

    /// RFC 8414 lets servers leave out scopes that they know.
    @Test func `S18 a refresh token is asked for even where its scope is not listed`() throws {
        let scopes = Scopes.standard(for: .authorizationCode, at: try .sample(scopes: ["openid"]))
        #expect(scopes.prefix(2) == ["openid", "offline_access"])
        #expect(!Scopes.standard(for: .backendService, at: try .sample()).contains("offline_access"))
    }

    @Test func `S18 a service asks for system scopes only`() throws {
        #expect(
            Scopes.standard(for: .backendService, at: try .sample()) == [
                "system/Observation.crus", "system/Device.crus", "system/DocumentReference.crus",
                "system/VisionPrescription.crus", "system/Patient.r",
            ]
        )
    }

    @Test(arguments: [
        ("system/*.cruds", "system/Device.crus", true), ("system/*.*", "system/Device.crus", true),
        ("user/Patient.read", "user/Patient.r", true), ("openid", "openid", true),
        ("system/*.rs", "system/Device.crus", false), ("patient/*.cruds", "system/Device.crus", false),
        ("system/Patient.cruds", "system/Device.crus", false), ("launch/patient", "system/Device.r", false),
        ("system/*.cruds", "system/Device.rs?code=1", false), ("system/*.", "system/Device.r", false),
        ("user/Patient.read", "user/Patient.rs", true), ("user/*.write", "user/Patient.cud", true),
        ("user/*.write", "user/Patient.r", false), ("system/*.crudsx", "system/Device.r", false),
        ("system/*.cruds", "system/Device.", false),
    ])
    func `a granted wildcard covers the scopes asked for`(_ granted: String, _ requested: String, _ is: Bool) {
        #expect(Scopes.allows(granted, requested) == `is`)
    }

    @Test func `S18 a server with SMART's first version is asked for that version's scopes`() throws {
        let server = try AuthorizationServer.sample(scopes: ["openid"], capabilities: ["permission-v1"])
        #expect(
            Scopes.standard(for: .deviceCode, at: server) == [
                "openid", "offline_access", "patient/Observation.read", "patient/Observation.write",
                "patient/Device.read", "patient/Device.write", "patient/DocumentReference.read",
                "patient/DocumentReference.write",
                "patient/VisionPrescription.read", "patient/VisionPrescription.write", "patient/Patient.read",
            ]
        )
    }

    /// Servers that do not announce `permission-v1`.
    @Test(arguments: [
        ("patient/*.read patient/*.write launch/patient openid", true), ("patient/Patient.read user/*.*", true),
        ("patient/*.read patient/*.rs", false), ("patient/*.cruds", false), ("patient/*.*", false),
        ("openid https://fhir.example.org/.default", false),
    ])
    func `S18 a server that only lists scopes of SMART's first version is asked for those`(
        _ listed: String,
        _ isFirst: Bool
    ) throws {
        let server = try AuthorizationServer.sample(scopes: Scopes.list(listed))
        let scopes = Scopes.standard(for: .deviceCode, at: server)
        #expect(scopes.contains("patient/Device.write") == isFirst)
        #expect(scopes.contains("patient/Device.crus") == !isFirst)
    }

    @Test func `S18 a server with both versions is asked for the second's scopes`() throws {
        let server = try AuthorizationServer.sample(capabilities: ["permission-v1", "permission-v2"])
        #expect(
            Scopes.standard(for: .deviceCode, at: server) == Scopes.standard(for: .deviceCode, at: try .sample())
        )
    }

    @Test func `without keys to check it, no ID token is asked for`() throws {
        for server in [try AuthorizationServer.sample(issuer: nil), try .sample(jwks: nil)] {
            let scopes = Scopes.standard(for: .authorizationCode, at: server)
            #expect(!scopes.contains("openid"))
            #expect(!scopes.contains("fhirUser"))
            #expect(scopes.contains("offline_access"))
        }
    }

    @Test func `a list is split at spaces and commas, and each scope is kept once`() {
        #expect(Scopes.list(" openid, a/b  openid,,c ") == ["openid", "a/b", "c"])
    }
}
