/// Finds a tag with more attributes than any real one, before libxml2 sees it.
///
/// libxml2 compares each attribute of a tag with all earlier ones, so 300,000 of them (3 MB) take it 20 seconds, and an
/// element may have 16 MB. An element with such a tag is left out.
enum CrowdedTag {
    /// Apple's own tags have at most some twenty.
    static let maximumAttributeCount = 1000
    /// The shortest such tag: ` a=""`, the shortest attribute, once more than allowed.
    private static let leastByteCount = 5 * (maximumAttributeCount + 1)

    /// Whether there may be such a tag; `isIn(_:)` decides.
    ///
    /// A tag contains no `<` after its first byte, so little is read of a text without long tags.
    static func mayBeIn(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while start + leastByteCount <= text.count {
            // The last `<` within reach: any tag that began before it has ended.
            var next = start + leastByteCount - 1
            while next > start, unsafe text[next] != UInt8(ascii: "<") { next -= 1 }
            guard next == start else {
                start = next
                continue
            }
            next += leastByteCount
            while next < text.count, unsafe text[next] != UInt8(ascii: "<") { next += 1 }
            let tag = unsafe UnsafeRawBufferPointer(rebasing: text[start..<next])
            if unsafe hasTooMany(tag, countsQuoted: true) { return true }
            start = next
        }
        return false
    }

    /// Whether there is such a tag in a text that begins between two tokens.
    static func isIn(_ text: UnsafeRawBufferPointer) -> Bool {
        guard unsafe mayBeIn(text) else { return false }
        var tokenizer = MarkupTokenizer(mark: .anyTag)
        while let token = unsafe tokenizer.next(in: text, isFinal: true) {
            switch token.kind {
            case .startTag, .emptyTag, .cutTag:
                let tag = unsafe UnsafeRawBufferPointer(rebasing: text[token.start..<token.end])
                if unsafe hasTooMany(tag, countsQuoted: false) { return true }
            case .endTag, .junk, .text, .opaque: break
            }
        }
        guard let open = tokenizer.openTag else { return false }
        return unsafe hasTooMany(UnsafeRawBufferPointer(rebasing: text[open...]), countsQuoted: false)
    }

    private static func hasTooMany(_ tag: UnsafeRawBufferPointer, countsQuoted: Bool) -> Bool {
        guard tag.count >= leastByteCount else { return false }
        var count = 0
        var quote: UInt8 = 0
        for index in 0..<tag.count {
            let byte = unsafe tag[index]
            if byte == UInt8(ascii: "="), quote == 0 {
                count += 1
            } else if countsQuoted {
                continue
            } else if byte == quote {
                quote = 0
            } else if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
        }
        return count > maximumAttributeCount
    }
}
