/// Compares secrets without telling by the time it takes how many bytes agree.
enum ConstantTime {
    /// Whether the texts have the same bytes; their lengths are no secret.
    static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        var difference: UInt8 = 0
        for index in one.indices { difference |= one[index] ^ other[index] }
        return difference == 0
    }
}
