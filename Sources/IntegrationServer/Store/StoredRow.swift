import GRDB

extension Row {
    /// A column's value.
    ///
    /// GRDB's own subscript ends the process if the value is of another kind, and prints the row.
    ///
    /// - Throws: `SQLITE_CORRUPT` for a value that no run of this server wrote.
    func value<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value {
        guard let value: Value = try optional(column) else { throw Self.isDamaged }
        return value
    }

    /// The same for one that may be `NULL`.
    func optional<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value? {
        let value: DatabaseValue = self[column]
        guard !value.isNull else { return nil }
        guard let found = Value.fromDatabaseValue(value) else { throw Self.isDamaged }
        return found
    }

    /// The same for a time or for what is counted up, far below where reckoning with it would overflow.
    func count(_ column: Int) throws -> Int64 {
        let value: Int64 = try value(column)
        guard (0..<1 << 50).contains(value) else { throw Self.isDamaged }
        return value
    }

    /// What no run of this server wrote.
    static var isDamaged: DatabaseError { DatabaseError(resultCode: .SQLITE_CORRUPT) }
}
