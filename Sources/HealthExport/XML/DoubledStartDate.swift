/// The second `startDate` that iOS 16.0 wrote instead of a statistic's `endDate`.
///
/// `<WorkoutStatistics type="…" startDate="2022-09-20 08:00:00 +0100" startDate="2022-09-20 08:30:00 +0100"
/// sum="5.1"/>` is not well-formed, and the whole workout would be left out. The second one is read as `endDate`.
enum DoubledStartDate {
    /// The length of the name that is replaced by `endDate`.
    static let byteCount = start.utf8CodeUnitCount
    static let replacement: StaticString = "endDate"

    private static let start: StaticString = "startDate"
    private static let tag: StaticString = "<WorkoutStatistics"

    /// Where the second `startDate` is in the tag at `index`.
    ///
    /// - Returns: `nil` if the tag is another one or not well-formed otherwise, has only one or a third, or has an
    ///   `endDate`.
    static func second(in bytes: UnsafeRawBufferPointer, tagAt index: Int) -> Int? {
        guard unsafe has(tag, in: bytes, at: index) else { return nil }
        var starts: [Int] = []
        var place = index + tag.utf8CodeUnitCount
        while true {
            let name = unsafe skip(bytes, from: place, while: isSpace)
            guard name < bytes.count else { return nil }
            if unsafe bytes[name] == UInt8(ascii: "/") || bytes[name] == UInt8(ascii: ">") { break }
            // White space must separate a name from what precedes it.
            guard name > place else { return nil }
            // Neither names nor values contain `<`, so even if quotes are left open, each tag is read only up to the
            // next one.
            let nameEnd = unsafe skip(bytes, from: name) {
                !isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "<")
            }
            let equals = unsafe skip(bytes, from: nameEnd, while: isSpace)
            guard nameEnd > name, equals < bytes.count, unsafe bytes[equals] == UInt8(ascii: "=") else { return nil }
            let quote = unsafe skip(bytes, from: equals + 1, while: isSpace)
            guard quote < bytes.count else { return nil }
            let mark = unsafe bytes[quote]
            guard mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else { return nil }
            let close = unsafe skip(bytes, from: quote + 1) { $0 != mark && $0 != UInt8(ascii: "<") }
            guard close < bytes.count, unsafe bytes[close] == mark else { return nil }
            if nameEnd - name == byteCount, unsafe has(start, in: bytes, at: name) { starts.append(name) }
            let isEnd = nameEnd - name == replacement.utf8CodeUnitCount
            if isEnd, unsafe has(replacement, in: bytes, at: name) { return nil }
            place = close + 1
        }
        return starts.count == 2 ? starts[1] : nil
    }

    private static func has(_ text: StaticString, in bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { unsafe bytes[index..<index + $0.count].elementsEqual($0) }
    }

    private static func skip(_ bytes: UnsafeRawBufferPointer, from start: Int, while isPassed: (UInt8) -> Bool) -> Int {
        var index = start
        while index < bytes.count, unsafe isPassed(bytes[index]) { index += 1 }
        return index
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
