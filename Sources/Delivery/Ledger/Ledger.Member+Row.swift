internal import FHIRR4
internal import Foundation
internal import GRDB

// How the ledger's rows hold a resource: hashes as SQLite's numbers, lists of them as bytes.

extension Ledger.Member {
    static let columns = "high, low, type, kind, state, home, digest, rank, aliases"

    static func fetch(_ id: ResourceID, _ database: Database) throws -> Self? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM members WHERE high = ? AND low = ?"
        )
        return try Row.fetchOne(statement, arguments: id.arguments).map { try Self($0) }
    }

    /// Reads `columns`.
    init(_ row: Row) throws {
        let digest: Int64? = try row.optional(6)
        let aliases: Data? = try row.optional(8)
        self.init(
            id: ResourceID(high: UInt64(bitPattern: try row.value(0)), low: UInt64(bitPattern: try row.value(1))),
            type: ResourceType(rawValue: try row.value(2)) ?? .observation,
            kind: UInt64(bitPattern: try row.value(3)),
            state: State(rawValue: try row.value(4)) ?? .unknown,
            home: try row.value(5),
            digest: digest.map { UInt64(bitPattern: $0) },
            rank: UInt64(bitPattern: try row.value(7)),
            aliases: aliases.map { PackedNumbers.read(Array($0)) } ?? []
        )
    }
}

extension Row {
    /// A column's value.
    ///
    /// GRDB's own subscript ends the process if the value is of another kind, and prints the row.
    ///
    /// - Throws: ``LedgerFault/foreign`` for a value of another kind or out of range: the ledger is damaged.
    func value<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value {
        guard let value: Value = try optional(column) else { throw LedgerFault.foreign }
        return value
    }

    /// The same for one that may be `NULL`.
    func optional<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value? {
        let value: DatabaseValue = self[column]
        guard !value.isNull else { return nil }
        guard let found = Value.fromDatabaseValue(value) else { throw LedgerFault.foreign }
        return found
    }
}

extension ResourceID {
    var arguments: StatementArguments { [Int64(bitPattern: high), Int64(bitPattern: low)] }
}

/// Numbers of eight bytes each, big-endian, one after the other.
enum PackedNumbers {
    static func read(_ bytes: [UInt8]) -> [UInt64] {
        stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    static func bytes(_ numbers: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * numbers.count)
        for number in numbers {
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * place))) }
        }
        return bytes
    }
}
