/// What a file is according to its first bytes, whatever its name.
enum ContentKind: Equatable {
    /// How many bytes of a file are examined.
    static let headByteCount = 64 << 10

    case healthData, electrocardiogram, empty, zip, gzip, archive, zeros, binary, webPage, resources, text
    /// Characters of two or four bytes: `iconv`'s name for the encoding, and whether the text begins with markup.
    case wide(encoding: String, isXML: Bool)

    /// - Parameter head: the first ``headByteCount`` bytes, or fewer if the file is shorter.
    init(head: [UInt8]) {
        if head.isEmpty {
            self = .empty
        } else if head.starts(with: "PK".utf8) {
            self = .zip
        } else if head.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if let wide = Self.wideBeginnings.first(where: { head.starts(with: $0.bytes) }) {
            let first = head.dropFirst(wide.markByteCount).first { $0 != 0 }
            self = .wide(encoding: wide.encoding, isXML: first == UInt8(ascii: "<"))
        } else if Self.beginsHealthData(head) {
            self = .healthData
        } else if Self.isArchive(head) {
            self = .archive
        } else if head.prefix(512).allSatisfy({ $0 == 0 }) {
            self = .zeros
        } else if head.contains(0) {
            // Nearly everything that is not text contains a zero byte.
            self = .binary
        } else if Self.isWebPage(head) {
            self = .webPage
        } else if head.starts(with: "{\"resourceType\"".utf8) {
            self = .resources
        } else {
            self = ElectrocardiogramHeader.begins(Array(head.prefix(8 << 10))) ? .electrocardiogram : .text
        }
    }

    /// A byte order mark, or `<` or `<?` in four or two bytes each; UTF-32's begin like UTF-16's, so they come first.
    private static let wideBeginnings: [(bytes: [UInt8], markByteCount: Int, encoding: String)] = [
        ([0xFF, 0xFE, 0x00, 0x00], 4, "UTF-32"), ([0x00, 0x00, 0xFE, 0xFF], 4, "UTF-32"),
        ([0xFF, 0xFE], 2, "UTF-16"), ([0xFE, 0xFF], 2, "UTF-16"),
        ([0x3C, 0x00, 0x00, 0x00], 0, "UTF-32LE"), ([0x00, 0x00, 0x00, 0x3C], 0, "UTF-32BE"),
        ([0x3C, 0x00, 0x3F, 0x00], 0, "UTF-16LE"), ([0x00, 0x3C, 0x00, 0x3F], 0, "UTF-16BE"),
    ]

    /// Whether it is packed by another program than zip and gzip: tar, 7z, RAR, xz, zstd or bzip2.
    private static func isArchive(_ head: [UInt8]) -> Bool {
        let beginnings: [[UInt8]] = [
            [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], Array("Rar!".utf8) + [0x1A], [0xFD, 0x37, 0x7A, 0x58, 0x5A],
            [0x28, 0xB5, 0x2F, 0xFD], Array("BZh".utf8),
        ]
        return beginnings.contains { head.starts(with: $0) } || head.dropFirst(257).starts(with: "ustar".utf8)
    }

    /// Whether it is HTML, such as a page with which a service asks for confirmation before the download.
    private static func isWebPage(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head.prefix(256), as: UTF8.self).lowercased().drop { $0.isWhitespace }
        return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
    }

    /// Whether the first markup after a byte order mark, white space, the XML declaration,
    /// processing instructions and comments is `<!DOCTYPE HealthData` or `<HealthData`.
    private static func beginsHealthData(_ head: [UInt8]) -> Bool {
        var rest = head[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop(while: isSpace)
            if rest.starts(with: "<?".utf8) {
                guard rest.skip(past: "?>") else { return false }
            } else if rest.starts(with: "<!--".utf8) {
                rest = rest.dropFirst(4)
                guard rest.skip(past: "-->") else { return false }
            } else {
                break
            }
        }
        if rest.starts(with: "<!DOCTYPE".utf8) {
            let afterKeyword = rest.dropFirst("<!DOCTYPE".utf8.count)
            let name = afterKeyword.drop(while: isSpace)
            return name.startIndex > afterKeyword.startIndex && beginsWithRootName(name)
        }
        return rest.starts(with: "<".utf8) && beginsWithRootName(rest.dropFirst())
    }

    private static func beginsWithRootName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: "HealthData".utf8) else { return false }
        // `HealthDataset` is another name.
        guard let next = bytes.dropFirst("HealthData".utf8.count).first else { return true }
        return isSpace(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/") || next == UInt8(ascii: "[")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

extension ArraySlice<UInt8> {
    /// Drops everything up to the end of `mark`; `false` if there is none.
    fileprivate mutating func skip(past mark: StaticString) -> Bool {
        let mark = Array("\(mark)".utf8)
        var rest = self
        while let start = rest.firstIndex(of: mark[0]) {
            rest = rest[start...]
            if rest.starts(with: mark) {
                self = rest.dropFirst(mark.count)
                return true
            }
            rest = rest.dropFirst()
        }
        return false
    }
}
