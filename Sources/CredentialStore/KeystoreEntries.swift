internal import OpenSSLCrypto

/// The entries of a keystore by name, and the table of bytes that is encrypted.
///
/// The table: how many entries there are, then the name and value of each in the order of the names' bytes, each
/// preceded by its length. Lengths and the count are 32 bits, big-endian.
struct KeystoreEntries: Equatable, Sendable {
    private var values: [String: [UInt8]] = [:]

    /// No entries.
    init() {}

    /// Reads what ``encoded()`` wrote; `nil` where a single byte is not as that would write it.
    init?(decoding table: borrowing SecretBytes) {
        let values: [String: [UInt8]]? = unsafe table.withBytes { bytes in
            var reader = unsafe TableReader(rest: bytes)
            return reader.entries()
        }
        guard let values else { return nil }
        self.values = values
    }

    /// The names, sorted by their bytes.
    var names: [String] { values.keys.sorted(by: precedes) }

    /// The value of an entry; `nil` where there is none, and to remove it.
    subscript(name: String) -> [UInt8]? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The table, in memory that is wiped.
    func encoded() throws(CryptoError) -> SecretBytes {
        let names = names
        let byteCount = names.reduce(4) { $0 + 8 + $1.utf8.count + (values[$1]?.count ?? 0) }
        var table = try SecretBytes(count: byteCount)
        unsafe table.withMutableBytes { bytes in
            var at = 0
            func append(_ part: some Collection<UInt8>) {
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[at...]).copyBytes(from: part)
                at += part.count
            }
            func append(count: Int) { append((0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }) }
            append(count: names.count)
            for name in names {
                let value = values[name] ?? []
                append(count: name.utf8.count)
                append(name.utf8)
                append(count: value.count)
                append(value)
            }
        }
        return table
    }
}

/// Reads a table, up to the first thing that is not as it should be.
@safe
private struct TableReader {
    private var rest: UnsafeRawBufferPointer

    /// - Parameter rest: bytes that outlive the reader.
    @unsafe init(rest: UnsafeRawBufferPointer) { unsafe self.rest = rest }

    mutating func entries() -> [String: [UInt8]]? {
        guard let count = count() else { return nil }
        var values: [String: [UInt8]] = [:]
        var previous: String?
        for _ in 0..<count {
            guard let bytes = text(), let name = String(validating: bytes, as: UTF8.self), let value = text() else {
                return nil
            }
            // There is one way to write a table, so that no name can occur twice.
            if let previous, !precedes(previous, name) { return nil }
            previous = name
            values[name] = value
        }
        return unsafe rest.isEmpty && values.count == count ? values : nil
    }

    private mutating func count() -> Int? {
        bytes(4).map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    private mutating func text() -> [UInt8]? {
        guard let count = count() else { return nil }
        return bytes(count)
    }

    private mutating func bytes(_ count: Int) -> [UInt8]? {
        guard unsafe count <= rest.count else { return nil }
        defer { unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return unsafe Array(rest[..<count])
    }
}

private func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
}
