// All examples of docs/library.md: `PageTests` compares them with the page, `ExampleTests` runs them.
import CredentialStore
import Delivery
import ExportPipeline
import FHIRR4
import HTTPTransport
import HealthExport
import HealthKitMapping
import OpenIDConnect
import Synchronization
import Threads
import TransactionBundling

func convert(_ export: String, to file: String) throws -> RunReport {
    var options = ConversionOptions(mapping: MappingOptions(patientID: "p123"))
    options.run.threads = 4
    options.replacesFiles = true
    let report = try Conversion(options).run(ExportInput(path: export), to: .file(file))
    if !report.damage.isEmpty { print(report.json) }
    return report
}

func bundles(of export: String) throws -> [TransactionBundle] {
    let conversion = try Conversion(ConversionOptions(mapping: MappingOptions(patientID: "p123")))
    let bundles = Mutex<[TransactionBundle]>([])
    _ = try conversion.run(ExportInput(path: export)) { bundle in bundles.withLock { $0.append(bundle) } }
    return bundles.withLock { $0 }
}

struct OwnToken: RequestAuthorizer {
    let token: String
    let server: HTTPURL

    func authorization(for url: HTTPURL, replacing rejected: Authorization?) async throws -> Authorization? {
        url.origin == server.origin ? .bearer(token) : nil
    }

    func mayAskAgain(after error: any Error) async -> Bool { false }
}

struct PatientRecord {
    let conversion: Conversion
    let options: DeliveryOptions
    let client: HTTPClient
    let authorizer: (any RequestAuthorizer)?

    init(
        of patientID: String,
        at server: HTTPURL,
        ledgers: String,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)?
    ) async throws {
        self.client = client
        self.authorizer = authorizer
        var options = DeliveryOptions(server: server, patientID: patientID, ledgerFolder: ledgers)
        options.noteDoubt = { print("\(server): \($0)") }
        let wanted = ConversionOptions(mapping: MappingOptions(patientID: patientID))
        conversion = try await .prepared(wanted, for: &options, client: client, authorizer: authorizer)
        self.options = options
    }

    func deliver(_ export: String, _ cancellation: Cancellation) async throws -> DeliveryReport {
        try await OwnThread.run {
            let delivery = try Delivery(options, client: client, authorizer: authorizer)
            _ = try conversion.run(ExportInput(path: export), into: delivery, cancellation: cancellation)
            return delivery.report
        }
    }
}

extension PatientRecord {
    func verify(
        _ export: String,
        _ cancellation: Cancellation,
        rebuilds: Bool = false,
        ownCount: Int = 0
    ) async throws -> VerificationReport {
        try await OwnThread.run {
            let verification = try Verification(
                options,
                rebuilds: rebuilds,
                ownCount: ownCount,
                client: client,
                authorizer: authorizer
            )
            _ = try conversion.run(ExportInput(path: export), into: verification, cancellation: cancellation)
            return verification.report
        }
    }
}

extension PatientRecord {
    func sync(_ export: String, _ cancellation: Cancellation) async throws -> DeliveryReport {
        var report: DeliveryReport
        do {
            report = try await deliver(export, cancellation)
        } catch DeliveryError.unknownResources(_, let count) {
            _ = try await verify(export, cancellation, rebuilds: true, ownCount: count)
            report = try await deliver(export, cancellation)
        }
        guard report.leftForAnotherRun > 0 else { return report }
        return try await deliver(export, cancellation).after(report)
    }
}

func signIn(
    to server: HTTPURL,
    as clientID: String,
    in keystore: Keystore,
    client: HTTPClient
) async throws -> AccessTokenSource {
    if try await StoredSignIns.credential(of: server, in: keystore)?.tokens == nil {
        let request = SignIn.Request(server: server, method: .backendService, clientID: clientID)
        _ = try await SignIn(client: client, store: keystore).run(request, with: Nobody())
    }
    return AccessTokenSource(server: server, store: keystore, client: client)
}

struct Nobody: SignInInteraction {
    func showAuthorization(url: String) async {}
    func pastedRedirect() async -> String? { nil }
    func show(_ prompt: DeviceCodePrompt) async {}
}

func signOut(of server: HTTPURL, in keystore: Keystore, client: HTTPClient) async throws -> Bool {
    let outcome = try await SignOut(client: client, store: keystore).run(server: server, forget: true)
    return [outcome.refreshToken, outcome.accessToken].allSatisfy { $0 == .revoked || $0 == .none }
}

func advice(after error: any Error) -> String {
    switch error {
    case DeliveryError.interrupted, ExportPipelineError.interrupted: "cancelled: the next run goes on"
    case DeliveryError.unreachable, DeliveryError.ledgerBusy: "try again later"
    case let error as OpenIDConnectError where error.isPassing: "try again later"
    case let error as KeystoreError where error.isPassing: "try again later"
    case DeliveryError.unauthorized, DeliveryError.forbidden, is OpenIDConnectError, is KeystoreError:
        "sign in: \(error)"
    case let error as HealthExportError where !error.isFailureToRead: "ask for another export: \(error)"
    case ExportPipelineError.input(let fault) where !fault.isFailureToRead: "ask for another export: \(fault)"
    case is HTTPURLError: "correct the address: \(error)"
    default: "look at it: \(error)"
    }
}
