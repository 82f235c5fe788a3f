import FHIRR4
import GRDB
import HTTPTransport
import TestSupport
import Testing
import TransactionBundling

@testable import Delivery

/// Which runs a ledger accepts, given the mapping that it was made with.
struct LedgerFormTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Prepares the ledger for a run, which delivers one resource if `delivers` is set.
    private func prepare(_ mapping: String, remaps: Bool, delivers: Bool = false) throws {
        let file = LedgerFile(folder: folder.path("ledgers"), server: "http://127.0.0.1", patientID: "p1")
        let ledger = try Ledger(file, setsAside: true) { _ in }
        defer { ledger.close() }
        let server = try HTTPURL("http://127.0.0.1")
        var options = DeliveryOptions(server: server, patientID: "p1", ledgerFolder: file.folder)
        options.fingerprint = Fingerprint(scheme: "pghd1", identityKey: nil, mapping: mapping)
        options.remaps = remaps
        _ = try ledger.prepare(for: options)
        guard delivers else { return }
        let member = BundleMember(id: ResourceID(high: 1, low: 1), digest: 1, type: .observation)
        let home = LedgerChange.Home(number: 1, key: "k", memberCount: 1)
        let change = LedgerChange.settle(key: "k", home: home, live: [member], refused: [], carried: [])
        try ledger.pool.write { try change.apply(to: $0) }
    }

    @Test(arguments: ["1", "1;conditional"])
    func `a run that has delivered nothing does not bind the next one to its mapping`(_ mapping: String) throws {
        try prepare(mapping, remaps: false)
        try prepare("2", remaps: false)
        try prepare("2;conditional", remaps: false)
    }

    @Test(arguments: [false, true])
    func `ids chosen by the server are never replaced by ours, not even by a new mapping`(_ remaps: Bool) throws {
        try prepare("1;conditional", remaps: false, delivers: true)
        let error = DeliveryError.otherFingerprint(what: .mapping, found: "2", expected: "1;conditional")
        #expect(throws: error) { try prepare("2", remaps: remaps) }
        #expect(
            error.description
                == "the ledger's resources have ids of the server's (expected --conditional): add --conditional; "
                + "without it every resource would be stored a second time"
        )
        try prepare("2;conditional", remaps: true)
    }

    @Test func `our ids are replaced by the server's when everything is sent again`() throws {
        try prepare("1", remaps: false, delivers: true)
        let error = DeliveryError.otherFingerprint(what: .mapping, found: "1;conditional", expected: "1")
        #expect(throws: error) { try prepare("1;conditional", remaps: false) }
        #expect(
            error.description
                == "the ledger's resources have ids chosen by pghd (expected neither --conditional nor --api observations): leave "
                + "those out, or add --remap to send everything once more, in place of what is there"
        )
        try prepare("1;conditional", remaps: true)
    }
}
