import FHIRR4
import GRDB
import HTTPTransport
import TestSupport
import Testing
import TransactionBundling

@testable import Delivery

/// What a ledger says between the slices of one batch of outcomes.
struct SettledMembersTests {
    private let folder: TemporaryFolder
    private let file: LedgerFile

    init() throws {
        folder = try TemporaryFolder()
        file = LedgerFile(folder: folder.path("ledgers"), server: "http://127.0.0.1/", patientID: "p1")
    }

    /// What a ledger says of two Bundles of 3,000 members each.
    private struct State: Equatable {
        var known: [Int]
        var counted: [Int]
        var intents: Int
    }

    private static let bundles: [[BundleMember]] = [1, 3001].map { first in
        (first..<first + 3000).map { number in
            // Spread out, as real ids are, which are hashes.
            let id = ResourceID(high: number &* 0x9E37_79B9_7F4A_7C15, low: number)
            return BundleMember(id: id, digest: number, type: .observation)
        }
    }

    private static func home(_ index: Int) -> LedgerChange.Home {
        LedgerChange.Home(number: Int64(index + 1), key: "k\(index)", memberCount: 3000)
    }

    private static let changes = bundles.enumerated().map { index, members in
        LedgerChange.settle(key: "k\(index)", home: home(index), live: members, refused: [], carried: [])
    }

    private func open() throws -> Ledger {
        let ledger = try Ledger(file, setsAside: true) { _ in }
        let server = try HTTPURL("http://127.0.0.1/")
        _ = try ledger.prepare(for: DeliveryOptions(server: server, patientID: "p1", ledgerFolder: file.folder))
        ledger.noteMembers(Self.changes)
        try ledger.pool.write { database in
            for (index, members) in Self.bundles.enumerated() {
                let intent = LedgerChange.Intent(key: "k\(index)", home: Self.home(index), began: 1, members: members)
                try LedgerChange.intend(intent).apply(to: database)
            }
        }
        return ledger
    }

    private func state(_ ledger: Ledger) throws -> State {
        let known = try Self.bundles.map { members in
            try ledger.members(members.map(\.id)).count { $0?.state == .live }
        }
        var counted: [Int] = []
        try ledger.readKeys { counted.append($0.liveCount) }
        let intents = try ledger.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM intents") ?? 0 }
        return State(known: known, counted: counted, intents: intents)
    }

    @Test func `after each slice keys count the members written, and the last slice ends the intents`() throws {
        let ledger = try open()
        defer { ledger.close() }
        let settled = SettledMembers(Self.changes)
        #expect(settled.sliceCount == 6)
        for slice in 0..<settled.sliceCount {
            try ledger.pool.write { try settled.apply(slice, to: $0) }
            let state = try state(ledger)
            #expect(state.known == state.counted)
            #expect(state.known.reduce(0, +) == min((slice + 1) * SettledMembers.sliceSize, 6000))
            #expect(state.intents == (slice == 5 ? 0 : 2))
        }
    }

    @Test func `a slice holds neighbouring ids`() throws {
        let ledger = try open()
        defer { ledger.close() }
        let settled = SettledMembers(Self.changes)
        try ledger.pool.write { try settled.apply(0, to: $0) }
        let all = Self.bundles.joined().map { Int64(bitPattern: $0.id.high) }.sorted()
        let last = try ledger.pool.read { try Int64.fetchOne($0, sql: "SELECT max(high) FROM members") }
        #expect(last == all[SettledMembers.sliceSize - 1])
    }

    @Test func `a run that is killed between slices settles the rest when it is repeated`() throws {
        let ledger = try open()
        defer { ledger.close() }
        let settled = SettledMembers(Self.changes)
        try ledger.pool.write { try settled.apply(0, to: $0) }
        for change in Self.changes { try ledger.pool.write { try change.apply(to: $0) } }
        #expect(try state(ledger) == State(known: [3000, 3000], counted: [3000, 3000], intents: 0))
    }
}
