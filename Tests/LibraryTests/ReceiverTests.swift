import Delivery
import ExportPipeline
import FHIRR4
import HTTPTransport
import HealthExport
import HealthKitMapping
import TestSupport
import Testing
import TransactionBundling

/// What a conversion hands its Bundles to: a delivery or a verification, of one run, one patient and one cancellation.
struct ReceiverTests {
    private let folder: TemporaryFolder
    private let input: ExportInput

    init() throws {
        folder = try TemporaryFolder()
        input = try ExportInput(path: folder.write(WeightExport.xml(others: 9), to: "export.xml"))
    }

    private func conversion(_ mapping: MappingOptions = MappingOptions(patientID: "p1")) throws -> Conversion {
        var options = ConversionOptions(mapping: mapping)
        options.limits.maximumEntryCount = 1
        return try Conversion(options)
    }

    /// Nobody is looked for: the first request is that of a Bundle.
    private func options(_ server: String = "http://127.0.0.1:1") throws -> DeliveryOptions {
        var options = DeliveryOptions(
            server: try HTTPURL(server),
            patientID: "p1",
            ledgerFolder: folder.path("ledgers")
        )
        options.retryBudget = .seconds(5)
        options.probeCount = 0
        options.concurrency = 1
        return options
    }

    @Test func `a delivery that is not used gives its ledger back`() throws {
        for _ in 0..<3 { _ = try Delivery(options(), client: HTTPClient()) }
        for _ in 0..<3 { _ = try Verification(options(), rebuilds: true, client: HTTPClient()) }
        #expect(throws: HealthExportError.self) { try ExportInput(path: folder.path("none.zip")) }
        _ = try Delivery(options(), client: HTTPClient())
    }

    @Test func `a file of Bundles is sent once, and to its own patient`() throws {
        let path = folder.path("bundles.ndjson")
        _ = try conversion(MappingOptions(patientID: "p2")).run(input, to: .file(path))
        let bundles = try BundleFile(path: path)
        var options = try options()
        options.isDryRun = true
        #expect(throws: DeliveryError.severalPatients(path: path, line: 1)) {
            try bundles.send(to: Delivery(options, client: HTTPClient()))
        }
        options.patientID = "p2"
        let delivery = try Delivery(options, client: HTTPClient())
        try bundles.send(to: delivery)
        #expect(delivery.report.delivered == 11)
        #expect(throws: DeliveryError.finished) { try bundles.send(to: Delivery(options, client: HTTPClient())) }
    }

    @Test func `a cancelled run stops its delivery: what is queued is not posted`() async throws {
        let cancellation = Cancellation()
        let server = try ScriptedServer { _ in
            cancellation.cancel()
            return .response(503)
        }
        let conversion = try conversion()
        var options = try options(server.url)
        // Why it stops comes first, also where it has no time left.
        options.retryBudget = .zero
        let delivery = try Delivery(options, client: HTTPClient())
        await #expect(throws: DeliveryError.interrupted) {
            try await OwnThread.run { try conversion.run(input, into: delivery, cancellation: cancellation) }
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a cancelled run stops its verification: nothing more is asked for`() async throws {
        let cancellation = Cancellation()
        let server = try ScriptedServer { _ in
            cancellation.cancel()
            return .response(503)
        }
        let conversion = try conversion()
        var options = try options(server.url)
        options.retryBudget = .zero
        let verification = try Verification(options, client: HTTPClient())
        await #expect(throws: DeliveryError.interrupted) {
            try await OwnThread.run { try conversion.run(input, into: verification, cancellation: cancellation) }
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a delivery that was finished takes nothing more`() throws {
        let conversion = try conversion()
        let delivery = try Delivery(options(), client: HTTPClient())
        try delivery.finish()
        #expect(throws: DeliveryError.finished) { try delivery.finish() }
        #expect(throws: DeliveryError.finished) { try conversion.run(input) { try delivery.add($0) } }
        #expect(throws: DeliveryError.finished) { try conversion.run(input, into: delivery) }
        #expect(delivery.report.bundles == 0)
    }

    @Test func `a verification that was finished takes nothing more`() throws {
        let conversion = try conversion()
        let verification = try Verification(options(), client: HTTPClient())
        try verification.finish()
        #expect(throws: DeliveryError.finished) { try verification.finish() }
        #expect(throws: DeliveryError.finished) { try conversion.run(input) { try verification.add($0) } }
        #expect(throws: DeliveryError.finished) { try conversion.run(input, into: verification) }
        #expect(verification.report.checked == 0)
    }

    @Test func `another patient's Bundles are refused`() throws {
        let conversion = try conversion(MappingOptions(patientID: "p2"))
        let delivery = try Delivery(options(), client: HTTPClient())
        #expect(throws: ExportPipelineError.otherPatient) { try conversion.run(input, into: delivery) }
        let verification = try Verification(options(), client: HTTPClient())
        #expect(throws: ExportPipelineError.otherPatient) { try conversion.run(input, into: verification) }
        #expect(delivery.report.bundles == 0)
    }

    @Test func `resources alone are refused where Bundles go`() throws {
        let conversion = try conversion(MappingOptions(patientID: "p1", form: .resource))
        let delivery = try Delivery(options(), client: HTTPClient())
        #expect(throws: ExportPipelineError.resourcesAlone) { try conversion.run(input, into: delivery) }
        let verification = try Verification(options(), client: HTTPClient())
        #expect(throws: ExportPipelineError.resourcesAlone) { try conversion.run(input, into: verification) }
        #expect(throws: ExportPipelineError.resourcesAlone) { try conversion.run(input) { _ in } }
        #expect(delivery.report.bundles == 0)
    }
}
