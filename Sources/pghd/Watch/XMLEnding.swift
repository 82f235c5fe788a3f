/// The last bytes of an export's main XML.
///
///     </HealthData >  <!-- comments, instructions and blanks may follow it -->
enum XMLEnding {
    /// Whether the root element is closed in them, and everything after it too.
    static func isWhole(_ tail: [UInt8]) -> Bool {
        let tag = Array("</HealthData".utf8)
        var start = tail.count - tag.count
        while start >= 0, !tail[start...].starts(with: tag) { start -= 1 }
        guard start >= 0 else { return false }
        var rest = tail[(start + tag.count)...].trimmingBlanks
        guard rest.popFirst() == UInt8(ascii: ">") else { return false }
        while true {
            rest = rest.trimmingBlanks
            if rest.isEmpty { return true }
            guard let after = rest.after("<!--", "-->") ?? rest.after("<?", "?>") else { return false }
            rest = after
        }
    }
}

extension ArraySlice<UInt8> {
    /// Without the blanks in front.
    fileprivate var trimmingBlanks: Self { drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

    /// What follows something that begins and ends so; `nil` where the bytes do not begin with it.
    fileprivate func after(_ opening: String, _ closing: String) -> Self? {
        guard starts(with: opening.utf8) else { return nil }
        return dropFirst(opening.utf8.count).firstRange(of: Array(closing.utf8)).map { self[$0.upperBound...] }
    }
}
