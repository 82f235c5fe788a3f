internal import Glibc

extension String {
    /// Whether both have the same bytes; Swift's `==` also takes canonically equivalent texts for equal.
    package func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && beginsExactly(with: other)
    }

    /// Whether this text's first bytes are the other's.
    package func beginsExactly(with other: String) -> Bool {
        guard utf8.count >= other.utf8.count else { return false }
        // Not `withUTF8`, whose copy of a text that is not contiguous would cost an allocation; nearly every text is
        // contiguous.
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe other.utf8.withContiguousStorageIfAvailable { others in
                guard let first = bytes.baseAddress, let second = others.baseAddress else { return true }
                return unsafe memcmp(first, second, others.count) == 0
            }
        }
        return (isSame ?? nil) ?? utf8.starts(with: other.utf8)
    }
}

/// A text as a key that equals only a text of the same bytes.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
