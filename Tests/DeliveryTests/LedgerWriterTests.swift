import FHIRR4
import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing
import TransactionBundling

@testable import Delivery

/// What the ledger answers while it is being written and afterwards.
struct LedgerWriterTests {
    private let folder: TemporaryFolder
    private let file: LedgerFile

    init() throws {
        folder = try TemporaryFolder()
        file = LedgerFile(folder: folder.path("ledgers"), server: "http://127.0.0.1/", patientID: "p1")
    }

    private func open() throws -> Ledger {
        let ledger = try Ledger(file, setsAside: true) { _ in }
        let server = try HTTPURL("http://127.0.0.1/")
        _ = try ledger.prepare(for: DeliveryOptions(server: server, patientID: "p1", ledgerFolder: file.folder))
        return ledger
    }

    private static func members(_ range: Range<UInt64>) -> [BundleMember] {
        range.map { number in
            // Spread out, as real ids are, which are hashes.
            let id = ResourceID(high: number &* 0x9E37_79B9_7F4A_7C15, low: number &* 0xC2B2_AE3D_27D4_EB4F)
            return BundleMember(id: id, digest: number, type: .observation)
        }
    }

    private static func settle(_ members: [BundleMember]) -> LedgerChange {
        let home = LedgerChange.Home(number: 1, key: "k", memberCount: members.count)
        return .settle(key: "k", home: home, live: members, refused: [], carried: [])
    }

    @Test func `deferred changes are written on request, and found in the first run and the second`() throws {
        let (met, others) = (Self.members(1..<2000), Self.members(2000..<4000))
        for run in 1...2 {
            let ledger = try open()
            let writer = LedgerWriter(ledger)
            defer {
                writer.close()
                ledger.close()
            }
            if run == 1 {
                #expect(try ledger.members(met.map(\.id)).allSatisfy { $0 == nil })
                writer.writeLater([Self.settle(met)]) { #expect($0 == nil) }
                writer.flush()
            }
            #expect(try ledger.members(met.map(\.id)).map { $0?.digest } == met.map(\.digest))
            #expect(try ledger.members(others.map(\.id)).allSatisfy { $0 == nil })
            var liveCounts: [Int] = []
            try ledger.readKeys { liveCounts.append($0.liveCount) }
            #expect(liveCounts == [met.count])
        }
    }

    @Test func `a thread that adds changes waits while the disk is far behind`() throws {
        let ledger = try open()
        defer { ledger.close() }
        let writer = LedgerWriter(ledger, holdsBodies: true)
        let (disk, isBusy) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        writer.write([]) { _ in
            isBusy.signal()
            disk.wait()
        }
        isBusy.wait()
        writer.writeLater([Self.settle(Self.members(1..<16_385))]) { #expect($0 == nil) }
        // As many as may be deferred.
        writer.waitForRoom()
        writer.writeLater([Self.settle(Self.members(16_385..<16_386))]) { #expect($0 == nil) }
        let hasRoom = Mutex(false)
        let end = DispatchSemaphore(value: 0)
        Thread {
            writer.waitForRoom()
            hasRoom.withLock { $0 = true }
            end.signal()
        }.start()
        Thread.sleep(forTimeInterval: 0.05)
        #expect(!hasRoom.withLock { $0 })
        disk.signal()
        end.wait()
        #expect(hasRoom.withLock { $0 })
        writer.close()
        #expect(try ledger.count(.live) == 16_385)
    }

    @Test func `deferred changes are written when the writer closes`() throws {
        let members = Self.members(1..<10)
        let ledger = try open()
        defer { ledger.close() }
        let writer = LedgerWriter(ledger)
        writer.writeLater([Self.settle(members)]) { _ in }
        writer.close()
        #expect(try ledger.count(.live) == members.count)
    }

    @Test func `the filter of a first run lets every inserted id through, and few others`() {
        var filter = MemberFilter()
        let (met, others) = (Self.members(1..<10_000), Self.members(10_000..<20_000))
        for member in met { filter.insert(member.id) }
        #expect(met.allSatisfy { filter.mayHold($0.id) })
        #expect(others.count { filter.mayHold($0.id) } < 100)
    }
}
