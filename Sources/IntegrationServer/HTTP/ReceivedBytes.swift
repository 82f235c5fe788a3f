/// What arrived over a connection and has not been read yet.
///
/// Reading moves a position; the rest is moved to the front once for each arrival, not once for each line.
struct ReceivedBytes {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    /// The byte at `offset` from the position.
    subscript(offset: Int) -> UInt8 { bytes[start + offset] }

    mutating func append(_ arrived: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += arrived
    }

    mutating func removeAll() {
        bytes = []
        start = 0
    }

    mutating func skip(_ count: Int) { start += count }

    /// Reads the next `count` bytes; if they are all there is, as with a long body, they are not copied.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        if start == 0, count == bytes.count {
            defer { bytes = [] }
            return bytes[...]
        }
        defer { start += count }
        return bytes[start..<(start + count)]
    }

    /// How many bytes come before the first `byte`; `nil` without one.
    func distance(to byte: UInt8) -> Int? {
        bytes[start...].firstIndex(of: byte).map { $0 - start }
    }

    /// How many bytes of empty lines are next.
    var emptyLinesByteCount: Int {
        var count = 0
        while count + 1 < self.count, self[count] == 0x0D, self[count + 1] == 0x0A { count += 2 }
        return count
    }

    /// How many bytes come before the first empty line, where it begins at `offset` or later.
    func distanceToEmptyLine(from offset: Int) -> Int? {
        var index = offset
        while index + 3 < count {
            if self[index] == 0x0D, self[index + 1] == 0x0A, self[index + 2] == 0x0D, self[index + 3] == 0x0A {
                return index
            }
            index += 1
        }
        return nil
    }
}
