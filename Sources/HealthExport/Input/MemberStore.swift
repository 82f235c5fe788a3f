import Glibc
import Synchronization

/// Reads the files next to the main XML one by one; a zip's directory is read once for all.
final class MemberStore: Sendable {
    /// Where members are.
    enum Location: Sendable {
        /// In the zip at this path.
        case zip(path: String)
        /// Below the folder at this path.
        case folder(path: String)
        /// The file at this path is the only one.
        case file(path: String)
        /// The stream is the only one, and can be read once.
        case stream(PeekedStream)
    }

    private let location: Location
    /// The open zip, used by one thread at a time.
    private let archive = Mutex<ZipArchive?>(nil)

    init(_ location: Location) { self.location = location }

    /// All bytes of a member.
    ///
    /// - Throws: `.tooLarge` for a file of more than `limit` bytes, which is read no further.
    func contents(
        of member: ExportMember,
        atMost limit: Int,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(MemberFault) -> [UInt8] {
        if case .unreadable(let fault) = member.place { throw fault }
        guard member.byteCount <= UInt64(limit) else { throw .tooLarge(byteCount: member.byteCount) }
        do throws(InputFault) {
            switch (location, member.place) {
            case (.zip(let path), .zip(let place)):
                return try contents(of: place, in: path, limit)
            case (.folder(let path), .folder(let names, let stamp)):
                return try Self.contents(of: Self.open(names, stamp, in: path), limit)
            case (.file(let path), .input):
                return try Self.contents(of: DescriptorReader(FileDescriptor(path: path)), limit)
            case (.stream(let stream), .input):
                var reader = try stream.takeReader()
                reader.isCancelled = isCancelled
                return try Self.contents(of: reader, limit)
            default: throw .missing
            }
        } catch {
            switch error {
            case .tooLarge(let byteCount): throw .tooLarge(byteCount: byteCount)
            case .encryptedMember: throw .encrypted
            case .unsupportedCompression(let method): throw .unsupportedCompression(method: method)
            case .readFailure(systemError: ELOOP): throw .symbolicLink
            case .readFailure(let systemError): throw .readFailure(systemError: systemError)
            case .missing, .archiveChanged, .fileChanged, .notAFileOrFolder, .streamReadTwice: throw .gone
            default: throw .damaged
            }
        }
    }

    private func contents(of member: ZipMember, in path: String, _ limit: Int) throws(InputFault) -> [UInt8] {
        try archive.withLock { archive throws(InputFault) in
            let open: ZipArchive
            if let archive { open = archive } else { open = try ZipArchive(FileDescriptor(path: path)) }
            archive = open
            guard member.index < open.memberCount, try open.member(at: member.index) == member else {
                throw .archiveChanged
            }
            return try Self.contents(of: ZipMemberReader(member, in: open), limit)
        }
    }

    /// Opens a file without following a link at any step.
    ///
    /// It must be the file that was listed: Apple names electrocardiograms by their dates, and another person's export
    /// may have replaced the folder since.
    private static func open(
        _ names: [[UInt8]],
        _ stamp: ListedStamp?,
        in path: String
    ) throws(InputFault) -> DescriptorReader {
        var descriptor = try FileDescriptor(path: path)
        for name in names { descriptor = try FileDescriptor(name: name, in: descriptor) }
        // A pipe may have replaced the file since the listing.
        guard let found = try descriptor.listedStamp() else { throw .notAFileOrFolder }
        guard found == stamp else { throw .fileChanged }
        return try DescriptorReader(descriptor)
    }

    /// Reads to the end, where a zip's reader checks length and CRC-32.
    ///
    /// Takes as much memory as the file is said to have, and more only as it turns out to be longer.
    private static func contents(
        of reader: consuming some ByteReader & ~Copyable,
        _ limit: Int
    ) throws(InputFault) -> [UInt8] {
        let expected = reader.totalByteCount.map { Int(min($0, UInt64(limit))) } ?? min(limit, 1 << 20)
        var (bytes, fault) = reader.head(upTo: expected + 1)
        var room = expected + 1
        while fault == nil, bytes.count == room, room <= limit {
            let (more, next) = reader.head(upTo: min(room, limit + 1 - room))
            (room, fault) = (min(2 * room, limit + 1), next)
            bytes += more
        }
        if let fault { throw fault }
        guard bytes.count <= limit else { throw .tooLarge(byteCount: UInt64(bytes.count)) }
        return bytes
    }
}
