internal import Glibc

/// Finds an element with more namespaces than any real one, before libxml2 sees it.
///
/// Apple writes none. libxml2 looks through all that are in scope for each name with a prefix, so an element of 16 MB
/// could take it minutes. An element with so many is left out.
enum CrowdedScope {
    static let maximumNamespaceCount = 100

    /// Whether there may be such an element; `isIn(_:)` decides.
    static func mayBeIn(_ text: UnsafeRawBufferPointer) -> Bool {
        var count = 0
        return unsafe forEachName(in: text) { _ in
            count += 1
            return count > maximumNamespaceCount
        }
    }

    /// Whether there are so many in a text that begins between two tokens.
    static func isIn(_ text: UnsafeRawBufferPointer) -> Bool {
        guard unsafe mayBeIn(text) else { return false }
        var tokenizer = MarkupTokenizer(mark: .anyTag)
        var count = 0
        func note(_ tag: Range<Int>) {
            count += unsafe declarationCount(UnsafeRawBufferPointer(rebasing: text[tag]))
        }
        while let token = unsafe tokenizer.next(in: text, isFinal: true) {
            switch token.kind {
            case .startTag, .emptyTag, .cutTag: note(token.start..<token.end)
            case .endTag, .junk, .text, .opaque: break
            }
        }
        if let open = tokenizer.openTag { note(open..<text.count) }
        return count > maximumNamespaceCount
    }

    /// How many namespaces a tag declares.
    private static func declarationCount(_ tag: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var quote: UInt8 = 0
        var checked = 0
        _ = unsafe forEachName(in: tag) { place in
            for index in checked..<place {
                let byte = unsafe tag[index]
                if byte == quote {
                    quote = 0
                } else if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                }
            }
            checked = place
            if quote == 0, place > 0, unsafe tag[place - 1] <= 0x20 { count += 1 }
            return false
        }
        return count
    }

    /// Calls `body` with each place of `xmlns`, until it returns `true`.
    ///
    /// - Returns: whether it did.
    private static func forEachName(in text: UnsafeRawBufferPointer, _ body: (Int) -> Bool) -> Bool {
        guard let base = text.baseAddress else { return false }
        var start = 0
        while start + 5 <= text.count,
            let found = unsafe memchr(base + start, Int32(UInt8(ascii: "x")), text.count - start - 4)
        {
            let place = unsafe UnsafeRawPointer(found) - base
            start = place + 1
            let isName =
                unsafe text[place + 1] == UInt8(ascii: "m") && text[place + 2] == UInt8(ascii: "l")
                && text[place + 3] == UInt8(ascii: "n") && text[place + 4] == UInt8(ascii: "s")
            if isName, body(place) { return true }
        }
        return false
    }
}
