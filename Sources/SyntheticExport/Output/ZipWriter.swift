import CISAL
import FileOutput

/// Writes an archive to a sink: compressed members one after another, in one pass, in the same memory for any size.
struct ZipWriter: ~Copyable {
    private let date: CalendarDate
    private let secondOfDay: Int
    private var directory = ZipDirectory()
    private var byteCount: UInt64 = 0
    private var open: Open?

    /// The member that is being written.
    private struct Open {
        let headers: ZipHeaders
        let deflater = DeflateStream(.raw)
        var member: ZipHeaders.Member
    }

    /// An archive whose members all have the same date and time, which have no zone.
    init(date: CalendarDate, secondOfDay: Int) {
        self.date = date
        self.secondOfDay = secondOfDay
    }

    /// Begins a member, such as `apple_health_export/export.xml`; call `endMember` for the one before it first.
    mutating func begin(
        _ name: String,
        to sink: (RawSpan) throws(SyntheticExportError) -> Void
    ) throws(SyntheticExportError) {
        let headers = ZipHeaders(name: name, date: date, secondOfDay: secondOfDay)
        open = Open(headers: headers, member: ZipHeaders.Member(offset: byteCount))
        try write(headers.localHeader, to: sink)
    }

    /// Writes the next bytes of the member.
    mutating func write(
        _ input: RawSpan,
        to sink: (RawSpan) throws(SyntheticExportError) -> Void
    ) throws(SyntheticExportError) {
        let checksum = open?.member.checksum ?? 0
        open?.member.checksum = unsafe input.withUnsafeBytes { bytes in
            unsafe crc32_gzip_refl(checksum, bytes.baseAddress, UInt64(bytes.count))
        }
        open?.member.byteCount += UInt64(input.byteCount)
        try unsafe input.withUnsafeBytes { bytes throws(SyntheticExportError) in
            try unsafe compress(bytes, isLast: false, to: sink)
        }
    }

    /// Ends the member that was begun.
    mutating func endMember(
        to sink: (RawSpan) throws(SyntheticExportError) -> Void
    ) throws(SyntheticExportError) {
        try unsafe compress(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, to: sink)
        guard let ended = open else { return }
        try write(ended.headers.dataDescriptor(of: ended.member), to: sink)
        directory.append(ended.headers, of: ended.member)
        open = nil
    }

    /// Writes the directory; call it last.
    mutating func finish(to sink: (RawSpan) throws(SyntheticExportError) -> Void) throws(SyntheticExportError) {
        try write(directory.bytes(at: byteCount), to: sink)
    }

    private mutating func write(
        _ bytes: [UInt8],
        to sink: (RawSpan) throws(SyntheticExportError) -> Void
    ) throws(SyntheticExportError) {
        byteCount += UInt64(bytes.count)
        try sink(unsafe bytes.span.bytes)
    }

    private mutating func compress(
        _ bytes: UnsafeRawBufferPointer,
        isLast: Bool,
        to sink: (RawSpan) throws(SyntheticExportError) -> Void
    ) throws(SyntheticExportError) {
        var packedByteCount: UInt64 = 0
        try unsafe open?.deflater.compress(bytes, isLast: isLast) { output throws(SyntheticExportError) in
            packedByteCount += UInt64(output.count)
            try sink(unsafe output.bytes)
        }
        open?.member.compressedByteCount += packedByteCount
        byteCount += packedByteCount
    }
}
