import Delivery
import ExportPipeline
import FHIRR4
import Glibc
import HTTPTransport
import HealthExport
import HealthKitMapping
import OpenIDConnect
import Synchronization
import TestSupport
import Testing
import Threads
import TransactionBundling

/// What receives a conversion's Bundles: a delivery or verification, for one run, one patient and one cancellation.
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

    /// Options without a probe of earlier resources: the first request posts a Bundle.
    private func options(
        _ server: String = "http://127.0.0.1:1",
        for conversion: Conversion? = nil
    ) throws -> DeliveryOptions {
        var options = DeliveryOptions(
            server: try HTTPURL(server),
            patientID: "p1",
            ledgerFolder: folder.path("ledgers")
        )
        options.retryBudget = .seconds(5)
        options.probeCount = 0
        options.concurrency = 1
        conversion?.configure(&options)
        return options
    }

    private func firstBundle() throws -> TransactionBundle {
        let first = Mutex<TransactionBundle?>(nil)
        _ = try conversion().run(input) { bundle in first.withLock { $0 = $0 ?? bundle } }
        let found = first.withLock { $0 }
        return try #require(found)
    }

    @Test func `an unused delivery releases its ledger`() throws {
        for _ in 0..<3 { _ = try Delivery(options(), client: HTTPClient()) }
        for _ in 0..<3 { _ = try Verification(options(), rebuilds: true, client: HTTPClient()) }
        #expect(throws: HealthExportError.self) { try ExportInput(path: folder.path("none.zip")) }
        _ = try Delivery(options(), client: HTTPClient())
    }

    @Test func `a delivery that is dropped while in use also releases its ledger`() async throws {
        let first = try firstBundle()
        var options = try options()
        options.retryBudget = .zero
        try await OwnThread.run { [options] in
            for _ in 0..<2 {
                // By then it has noted in the ledger what it was about to post.
                try? Delivery(options, client: HTTPClient()).add(first)
                try Self.waitForLedger(options)
                try? Verification(options, rebuilds: true, client: HTTPClient()).add(first)
                try Self.waitForLedger(options)
            }
        }
    }

    @Test(arguments: ["", "..", "a/b", "Zoë", String(repeating: "1", count: 65)])
    func `a patient id that could lead to another place opens no ledger`(_ patientID: String) throws {
        var options = try options()
        options.patientID = patientID
        #expect(throws: DeliveryError.patientID) { _ = try Delivery(options, client: HTTPClient()) }
        #expect(throws: DeliveryError.patientID) {
            _ = try Verification(options, rebuilds: true, client: HTTPClient())
        }
        let isThere = unsafe access(folder.path("ledgers"), F_OK) == 0
        #expect(!isThere)
    }

    @Test func `a server that chooses ids gets no Bundle that contains ids`() async throws {
        let first = try firstBundle()
        var options = try options()
        options.api = .observations
        try await OwnThread.run { [options] in
            let delivery = try Delivery(options, client: HTTPClient())
            #expect(throws: DeliveryError.givenIDs) { try delivery.add(first) }
            #expect(throws: DeliveryError.givenIDs) { try delivery.finish() }
            #expect(delivery.report.requests.isEmpty)
        }
    }

    /// Waits until the dropped delivery has ended.
    private static func waitForLedger(_ options: DeliveryOptions) throws {
        for _ in 0..<500 {
            do {
                return _ = try Delivery(options, client: HTTPClient())
            } catch DeliveryError.ledgerBusy {
                usleep(10_000)
            }
        }
        _ = try Delivery(options, client: HTTPClient())
    }

    @Test func `a closure is not called after its run has ended`() throws {
        let cancellation = Cancellation()
        let calls = Atomic(0)
        let conversion = try conversion()
        #expect(throws: ExportPipelineError.interrupted) {
            try conversion.run(input, cancellation: cancellation) { _ in
                calls.add(1, ordering: .relaxed)
                cancellation.cancel()
                // Longer than the run waits for it.
                usleep(1_500_000)
            }
        }
        #expect(calls.load(ordering: .relaxed) == 1)
        usleep(1_000_000)
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func `a ledger is not rebuilt from a part of an export`() async throws {
        let nothing = #"{"resourceType":"Bundle","type":"searchset","total":0}"#
        let server = try ScriptedServer { request in
            let isSearch = request.target.contains("?")
            return .response(
                isSearch ? 200 : 404,
                headers: ["Content-Type": "application/fhir+json"],
                body: isSearch ? nothing : #"{"resourceType":"OperationOutcome","issue":[]}"#
            )
        }
        let all = MappingOptions(patientID: "p1")
        var some = all
        some.since = 0
        for (mapping, isLeft) in [(all, false), (some, true)] {
            let conversion = try conversion(mapping)
            let options = try options(server.url, for: conversion)
            let report = try await OwnThread.run {
                let verification = try Verification(options, rebuilds: true, client: HTTPClient())
                _ = try conversion.run(input, into: verification)
                return verification.report
            }
            #expect(report.leftLedger == isLeft)
        }
    }

    @Test func `keys, Bundles and subjects never print their contents`() throws {
        let key = Array("CANARYCANARYCANARYCANARYCANARYCA".utf8)
        var mapping = MappingOptions(patientID: "p1")
        mapping.identityKey = key
        var options = try options()
        (options.identityKey, options.bodyKey) = (key, key)
        let bundle = TransactionBundle(key: "0", body: key, entries: [])
        let subject = Subject(identifier: "CANARY", name: "CANARY", fhirUser: "CANARY", patient: "CANARY")
        let printed = printed([mapping, ConversionOptions(mapping: mapping), options, bundle, subject])
        #expect(!printed.contains("CANARY"))
        #expect(!printed.contains("67, 65, 78"))
        #expect(!printed.contains("- 67"))
        #expect((mapping.identityKey, options.identityKey, options.bodyKey) == (key, key, key))
    }

    @Test func `a pipe that nobody reads any more is an error and does not end the process`() throws {
        let path = folder.path("pipe")
        #expect(unsafe mkfifo(path, 0o600) == 0)
        // More than a pipe holds: otherwise the run might write everything before the reader goes away.
        let many = try ExportInput(path: folder.write(WeightExport.xml(others: 5_000), to: "many.xml"))
        OwnThread.start {
            let reader = unsafe open(path, O_RDONLY)
            var byte: UInt8 = 0
            _ = unsafe read(reader, &byte, 1)
            close(reader)
        }
        #expect(throws: ExportPipelineError.outputClosed(path: path)) { try conversion().run(many, to: .file(path)) }
    }

    @Test func `an address has one ledger however it is spelled, even if it is set later`() throws {
        var options = try options("http://127.0.0.1:1/fhir")
        let own = options.server
        options.server = try HTTPURL("HTTP://127.0.0.1:1/fhir/")
        #expect(options.server == own)
    }

    @Test func `unusable options are refused`() throws {
        for patientID in [".", ".."] {
            #expect(throws: ExportPipelineError.patientID) { try conversion(MappingOptions(patientID: patientID)) }
        }
        var options = try options()
        options.bodyKey = Array(repeating: 1, count: 31)
        #expect(throws: DeliveryError.bodyKey) { try Delivery(options, client: HTTPClient()) }
        options.bodyKey = nil
        options.maximumDeletionCount = -1
        #expect(options.maximumDeletionCount == 0)
        for folder in ["", "a\0b"] {
            options.ledgerFolder = folder
            #expect(throws: DeliveryError.ledgerUnwritable(path: folder, reason: "it is not a path")) {
                try Delivery(options, client: HTTPClient())
            }
        }
    }

    @Test func `a file of Bundles is sent once, and only to its own patient`() throws {
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

    @Test func `a cancelled run stops its delivery, and queued Bundles are not posted`() async throws {
        let cancellation = Cancellation()
        let server = try ScriptedServer { _ in
            cancellation.cancel()
            return .response(503)
        }
        let conversion = try conversion()
        var options = try options(server.url, for: conversion)
        // The cancellation is reported rather than the time that has run out.
        options.retryBudget = .zero
        let delivery = try Delivery(options, client: HTTPClient())
        await #expect(throws: DeliveryError.interrupted) {
            try await OwnThread.run { try conversion.run(input, into: delivery, cancellation: cancellation) }
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a token that the server refuses leaves nothing in doubt`() async throws {
        let server = try ScriptedServer { _ in .response(401) }
        let doubts = Mutex<[String]>([])
        let conversion = try conversion()
        var options = try options(server.url, for: conversion)
        options.probeCount = 1
        options.noteDoubt = { doubt in doubts.withLock { $0.append(doubt) } }
        let token = OwnToken(token: "t", server: options.server)
        let delivery = try Delivery(options, client: HTTPClient(), authorizer: token)
        let refused = DeliveryError.unauthorized(.refused(scheme: nil), server: options.server.description)
        await #expect(throws: refused) { try await OwnThread.run { try conversion.run(input, into: delivery) } }
        #expect(doubts.withLock(\.self).isEmpty)
    }

    @Test(
        arguments: [
            (nil, false, nil), (nil, true, "gzip"), (true, false, "gzip"), (false, true, nil),
        ] as [(Bool?, Bool, String?)]
    )
    func `bodies are packed for a server that says so, unless the options say otherwise`(
        _ packs: Bool?,
        _ isOffered: Bool,
        _ coding: String?
    ) async throws {
        let cancellation = Cancellation()
        let server = try ScriptedServer { request in
            guard request.method == "POST" else {
                let headers = ["Content-Type": "application/fhir+json", "Accept-Encoding": "gzip"]
                let statement = #"{"resourceType":"CapabilityStatement"}"#
                return .response(200, headers: isOffered ? headers : [:], body: statement)
            }
            cancellation.cancel()
            return .response(503)
        }
        var options = try options(server.url)
        options.packsBodies = packs
        let mapping = ConversionOptions(mapping: MappingOptions(patientID: "p1"))
        let conversion = try await Conversion.prepared(mapping, for: &options, client: HTTPClient())
        let delivery = try Delivery(options, client: HTTPClient())
        await #expect(throws: DeliveryError.interrupted) {
            try await OwnThread.run { try conversion.run(input, into: delivery, cancellation: cancellation) }
        }
        #expect(server.requests.last?.headers["content-encoding"] == coding)
    }

    @Test func `a cancelled run stops its verification, and nothing more is requested`() async throws {
        let cancellation = Cancellation()
        let server = try ScriptedServer { _ in
            cancellation.cancel()
            return .response(503)
        }
        let conversion = try conversion()
        var options = try options(server.url, for: conversion)
        options.retryBudget = .zero
        let verification = try Verification(options, client: HTTPClient())
        await #expect(throws: DeliveryError.interrupted) {
            try await OwnThread.run { try conversion.run(input, into: verification, cancellation: cancellation) }
        }
        #expect(server.requests.count == 1)
    }

    @Test func `cancelling the task that asks a server what it can do is an interruption`() async throws {
        let server = try ScriptedServer { _ in .silence }
        let asking = Task { [options = try options(server.url)] in
            var options = options
            _ = try await Conversion.prepared(
                ConversionOptions(mapping: MappingOptions(patientID: "p1")),
                for: &options,
                client: HTTPClient()
            )
        }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        asking.cancel()
        await #expect(throws: DeliveryError.interrupted) { try await asking.value }
    }

    @Test func `a finished delivery accepts nothing more`() throws {
        let conversion = try conversion()
        let delivery = try Delivery(options(), client: HTTPClient())
        try delivery.finish()
        #expect(throws: DeliveryError.finished) { try delivery.finish() }
        #expect(throws: DeliveryError.finished) { try conversion.run(input) { try delivery.add($0) } }
        #expect(throws: DeliveryError.finished) { try conversion.run(input, into: delivery) }
        #expect(delivery.report.bundles == 0)
    }

    @Test func `a finished verification accepts nothing more`() throws {
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

    /// Otherwise resources would be stored a second time under other ids, or a changed version never be sent.
    @Test(arguments: ["another key", "another mapping", "none"])
    func `a delivery that another conversion has configured is refused`(_ other: String) async throws {
        var mapping = MappingOptions(patientID: "p1")
        if other == "another key" { mapping.identityKey = Array(repeating: 7, count: 32) }
        if other == "another mapping" { mapping.timeZone = "Europe/Paris" }
        let options = try options(for: other == "none" ? nil : conversion(mapping))
        let conversion = try conversion()
        let delivery = try Delivery(options, client: HTTPClient())
        await #expect(throws: ExportPipelineError.otherConversion) {
            try await OwnThread.run { try conversion.run(input, into: delivery) }
        }
        let verification = try Verification(options, rebuilds: true, client: HTTPClient())
        await #expect(throws: ExportPipelineError.otherConversion) {
            try await OwnThread.run { try conversion.run(input, into: verification) }
        }
        #expect((delivery.report.bundles, verification.report.checked) == (0, 0))
    }

    @Test func `bare resources are refused where Bundles are expected`() throws {
        let conversion = try conversion(MappingOptions(patientID: "p1", form: .resource))
        let delivery = try Delivery(options(), client: HTTPClient())
        #expect(throws: ExportPipelineError.resourcesAlone) { try conversion.run(input, into: delivery) }
        let verification = try Verification(options(), client: HTTPClient())
        #expect(throws: ExportPipelineError.resourcesAlone) { try conversion.run(input, into: verification) }
        #expect(throws: ExportPipelineError.resourcesAlone) { try conversion.run(input) { _ in } }
        #expect(delivery.report.bundles == 0)
    }
}
