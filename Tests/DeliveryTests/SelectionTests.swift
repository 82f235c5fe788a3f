import FHIRR4
import HTTPTransport
import TestSupport
import Testing
import TransactionBundling

@testable import Delivery

/// Which of a Bundle's resources are to be sent, and what must wait for them.
struct SelectionTests {
    private let ledger: Ledger
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let file = LedgerFile(folder: folder.path("ledgers"), server: "http://127.0.0.1/", patientID: "p1")
        ledger = try Ledger(file, setsAside: true) { _ in }
        let server = try HTTPURL("http://127.0.0.1/")
        _ = try ledger.prepare(for: DeliveryOptions(server: server, patientID: "p1", ledgerFolder: file.folder))
    }

    private static func member(_ number: UInt64, _ type: ResourceType) -> BundleMember {
        BundleMember(id: ResourceID(high: number, low: number), digest: 1, type: type)
    }

    /// A Bundle of one Observation and the Devices that it refers to.
    private static func bundle(_ number: UInt64, carrying devices: [UInt64]) -> TransactionBundle {
        let members = devices.map { member($0, .device) } + [member(number, .observation)]
        return TransactionBundle(
            key: "k\(number)",
            body: [],
            entries: members.map { TransactionBundle.Entry(member: $0, range: 0..<0) }
        )
    }

    @Test func `a Bundle brings its Devices until all are acknowledged, even if that is not written yet`() throws {
        defer { ledger.close() }
        var selection = try Selection(ledger)
        func brings(_ number: UInt64, _ devices: [UInt64]) throws -> Bool {
            let bundle = Self.bundle(number, carrying: devices)
            return try selection.judge(bundle, bundle.ownMembers).bringsDevices
        }
        #expect(try brings(10, [1, 2]))
        #expect(try brings(11, [1, 2]))
        selection.noteAcknowledged([Self.member(1, .device)])
        #expect(try brings(12, [1, 2]))
        selection.noteAcknowledged([Self.member(2, .device)])
        #expect(try !brings(13, [1, 2]))
        #expect(try brings(14, [1, 3]))
        #expect(try !brings(15, []))
    }
}
