internal import Glibc

extension String {
    /// Whether the two are the same bytes; Swift's `==` also takes canonically equivalent texts for equal.
    package func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && beginsExactly(with: other)
    }

    /// Whether the other's bytes are the first of these.
    package func beginsExactly(with other: String) -> Bool {
        guard utf8.count >= other.utf8.count else { return false }
        var (text, other) = (self, other)
        return text.withUTF8 { bytes in
            other.withUTF8 { others in
                guard let first = bytes.baseAddress, let second = others.baseAddress else { return true }
                return unsafe memcmp(first, second, others.count) == 0
            }
        }
    }
}
