internal import HealthExport

/// Values that are worked out once for each key, the bytes that they depend on, such as a source's name.
///
/// An export has few; if a hostile one brings too many, all are forgotten.
struct KeptValues<Value: Sendable>: ~Copyable, Sendable {
    private static var limit: Int { 1 << 8 }
    private static var longestKey: Int { 1 << 12 }
    private var keys = InternedBytes(limit: limit)
    private var values: [Value] = []

    /// The value of a key, which `make` works out if it is new.
    mutating func value(of key: UnsafeRawBufferPointer, orMake make: () -> Value) -> Value {
        unsafe withValue(of: key, orMake: make) { $0 }
    }

    /// Lends the value of a text, so that it can be changed.
    mutating func withValue<Result>(
        of key: String,
        orMake make: () -> Value,
        _ body: (inout Value) -> Result
    ) -> Result {
        var key = key
        return key.withUTF8 { unsafe withValue(of: UnsafeRawBufferPointer($0), orMake: make, body) }
    }

    /// Lends the value of a key, so that it can be changed.
    mutating func withValue<Result>(
        of key: UnsafeRawBufferPointer,
        orMake make: () -> Value,
        _ body: (inout Value) -> Result
    ) -> Result {
        if let number = unsafe keys.number(of: key) { return body(&values[number]) }
        var value = make()
        let result = body(&value)
        guard key.count <= Self.longestKey else { return result }
        if keys.isFull {
            keys.removeAll()
            values.removeAll()
        }
        _ = unsafe keys.insert(key)
        values.append(value)
        return result
    }
}
