import CredentialStore
import Delivery
import ExportPipeline
import Foundation
import Glibc
import HTTPTransport
import HealthExport
import HealthKitMapping
import IntegrationServer
import OpenIDConnect
import TestSupport
import Testing
import TransactionBundling

/// The examples of docs/library.md, run against a server.
struct ExampleTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `Bundles in a file and Bundles in memory have the same bytes`() throws {
        let export = try folder.write(WeightExport.xml(others: 9), to: "export.xml")
        let report = try convert(export, to: folder.path("bundles.ndjson"))
        let bundles = try bundles(of: export)
        #expect(UInt64(bundles.count) == report.bundles)
        #expect(try Data(contentsOf: URL(filePath: folder.path("bundles.ndjson"))) == Data(bundles.flatMap(\.body)))
    }

    @Test func `an error that the closure throws ends the run`() throws {
        struct Full: Error {}
        let export = try ExportInput(path: folder.write(WeightExport.xml(), to: "export.xml"))
        let conversion = try Conversion(ConversionOptions(mapping: MappingOptions(patientID: "p123")))
        #expect(throws: Full.self) { try conversion.run(export) { _ in throw Full() } }
    }

    @Test func `sign-in, sync and verify work, also for an older export with an empty ledger`() async throws {
        let new = try folder.write(WeightExport.xml(day: 20, note: "after breakfast"), to: "new.xml")
        let old = try folder.write(WeightExport.xml(day: 10, note: "before breakfast"), to: "old.xml")
        let passphrase = try folder.write("correct horse\n".utf8, to: "passphrase")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passphrase)
        let keystore = Keystore(path: folder.path("keys/keystore"), passphrase: .file(path: passphrase))
        let key = try ClientKey(new: .es384)
        try await run(clients: "[{\"client_id\":\"nightly\",\"jwks\":\(key.publicKeySet())}]") { server in
            try await key.save(for: server, in: keystore)
            let client = try HTTPClient()
            let going = Cancellation()
            let record = try await PatientRecord(
                of: "p123",
                at: server,
                ledgers: folder.path("ledgers"),
                client: client,
                authorizer: signIn(to: server, as: "nightly", in: keystore, client: client)
            )
            #expect(try await record.sync(new, going).delivered == 2)
            #expect(try await record.sync(new, going).delivered == 0)
            let found = try await record.verify(new, going)
            #expect(found.isClean)
            #expect(found.json.hasSuffix("\n  \"findings\": []\n}\n"))

            let credential = try await StoredSignIns.credential(of: server, in: keystore)
            let token = try #require(credential?.tokens?.accessToken.revealed)
            let elsewhere = try await PatientRecord(
                of: "p123",
                at: server,
                ledgers: folder.path("elsewhere"),
                client: client,
                authorizer: OwnToken(token: token, server: server)
            )
            let unknown = DeliveryError.unknownResources(server: server.description, count: 1)
            await #expect(throws: unknown) { try await elsewhere.deliver(old, going) }
            let report = try await elsewhere.sync(old, going)
            #expect((report.delivered, report.outdated) == (0, 1))
            #expect(try await record.verify(new, going).isClean)

            #expect(try await signOut(of: server, in: keystore, client: client))
            #expect(try await keystore.names().isEmpty)
        }
    }

    /// Runs `body` with an in-memory server that knows these clients.
    private func run(clients: String, _ body: (HTTPURL) async throws -> Void) async throws {
        var options = IntegrationServer.Options()
        options.port = 0
        options.clientsFile = try folder.write(clients.utf8, to: "clients.json")
        let server = try await IntegrationServer(options)
        let running = Task { await server.run() }
        defer { running.cancel() }
        try await body(HTTPURL(server.addresses.fhirBase))
    }

    /// This target does not import OpenSSLCrypto, as no program outside this package can.
    @Test func `an error of OpenSSL can be taken apart without its module`() {
        guard case .cryptography(let reason) = KeystoreFault.cryptography(reason: "no memory left") else { return }
        #expect("\(PassphraseFault.cryptography(reason: reason))" == "passphrase: no memory left")
    }

    @Test func `each kind of error leads to its advice`() {
        #expect(advice(after: DeliveryError.interrupted) == "cancelled: the next run goes on")
        #expect(advice(after: DeliveryError.ledgerBusy(path: "a")) == "try again later")
        #expect(advice(after: OpenIDConnectError.notSignedIn(server: "a")).hasPrefix("sign in: "))
        #expect(advice(after: OpenIDConnectError.unexpectedStatus(place: "a", status: 503)) == "try again later")
        #expect(advice(after: KeystoreError.file(path: "a", .wrongPassphrase)).hasPrefix("sign in: "))
        #expect(advice(after: KeystoreError.file(path: "a", .busy)) == "try again later")
        #expect(
            advice(after: HealthExportError.unreadableInput(.empty, input: "a")).hasPrefix("ask for another export: ")
        )
        let tooMany = HealthExportError.unreadableInput(.readFailure(systemError: EMFILE), input: "a")
        #expect(advice(after: tooMany).hasPrefix("look at it: "))
        #expect(advice(after: ExportPipelineError.input(tooMany)).hasPrefix("look at it: "))
        #expect(
            advice(after: HTTPURLError.notAbsolute)
                == "correct the address: not an absolute URL (expected https://HOST/PATH)"
        )
        #expect(advice(after: ExportPipelineError.noThread).hasPrefix("look at it: "))
    }
}
