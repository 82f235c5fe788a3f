extension ReferencedFile {
    /// Whether a file begins like a JSON object, as each FHIR resource does.
    static func beginsObject(_ content: [UInt8]) -> Bool {
        let text = content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content[...]
        return text.first { $0 > 0x20 } == UInt8(ascii: "{")
    }
}

extension ReferencedFile.Kind {
    /// Whether a file has its end, so that it was not cut short: a track's root is closed, and so is a JSON object.
    ///
    /// A clinic's file may hold anything: text other than JSON is whole unless it is blank.
    package func isWhole(_ content: [UInt8]) -> Bool {
        switch self {
        case .route: Self.closesTrack(content)
        case .clinicalRecord: Self.closesObject(content)
        }
    }

    /// Whether there is a `</gpx>`, or the last tag is a `<gpx …/>` with nothing in it.
    private static func closesTrack(_ content: [UInt8]) -> Bool {
        var rest = content[...]
        while let start = rest.lastIndex(of: UInt8(ascii: "<")) {
            let (isEnd, isStart) = (
                content[start...].starts(with: "</gpx".utf8), content[start...].starts(with: "<gpx".utf8)
            )
            if isEnd || isStart {
                let tag = content[start...].prefix { $0 != UInt8(ascii: ">") }
                return tag.endIndex < content.endIndex && (isEnd || tag.last == UInt8(ascii: "/"))
            }
            rest = rest[..<start]
        }
        return false
    }

    /// Whether text that begins as a JSON object or array comes to its end; other text is whole unless it is blank.
    private static func closesObject(_ content: [UInt8]) -> Bool {
        var depth = 0
        var (isInText, isEscaped) = (false, false)
        let text = content.starts(with: [0xEF, 0xBB, 0xBF]) ? content.dropFirst(3) : content[...]
        let rest = text.drop { $0 <= 0x20 }
        for byte in rest {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInText: isEscaped = true
            case UInt8(ascii: "\""): isInText.toggle()
            case _ where isInText: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            if depth <= 0, !isInText { return true }
        }
        return false
    }
}
