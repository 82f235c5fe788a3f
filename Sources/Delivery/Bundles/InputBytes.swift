internal import FileOutput
internal import Glibc

/// The bytes of a file or of standard input, unpacked if they are gzip.
final class InputBytes {
    /// The file's path for messages, `standard input` for `-`.
    let name: String
    /// The file's size; `nil` for input without one, such as a pipe.
    let totalByteCount: UInt64?
    /// How many bytes of the file were read.
    private(set) var byteCount: UInt64 = 0
    private let path: String
    private let descriptor: Int32
    /// Where in the file the first byte is: somebody else may have read some of standard input.
    private let offset: Int
    private var isBegun = false
    private var gzip: GzipStream?
    /// What was read of a packed file; from `start` to `end` it is not unpacked yet.
    private var packed: [UInt8] = []
    private var start = 0
    private var end = 0

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: ``DeliveryError/unreadableInput(path:reason:)``, for a folder too.
    init(path: String) throws(DeliveryError) {
        self.path = path
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadableInput(path: name, reason: FileFault.system(errno).reason) }
        var status = stat()
        let isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        totalByteCount = isRegular ? UInt64(status.st_size) : nil
        offset = isRegular ? max(lseek(descriptor, 0, SEEK_CUR), 0) : 0
    }

    deinit { if descriptor != STDIN_FILENO, descriptor >= 0 { close(descriptor) } }

    /// Whether the file turned out to be packed.
    var isPacked: Bool { gzip != nil }

    /// Fills `room` from `place` on, where at least two bytes are free.
    ///
    /// - Parameters:
    ///   - room: holds what was read before, in front of `place`.
    ///   - place: where what is read begins.
    ///   - isStopped: asked now and then while a pipe gives nothing.
    /// - Returns: how many bytes; 0 at the end.
    /// - Throws: ``DeliveryError/unreadableInput(path:reason:)``; ``DeliveryError/damagedInput(path:)`` or
    ///   ``DeliveryError/damagedStream(path:)`` for gzip that does not unpack, or is cut short;
    ///   ``DeliveryError/interrupted``.
    func read(into room: inout [UInt8], at place: Int, _ isStopped: () -> Bool) throws(DeliveryError) -> Int {
        if !isBegun { return try begin(&room, place, isStopped) }
        return try isPacked ? unpack(into: &room, place, isStopped) : readFile(into: &room, place, isStopped)
    }

    /// Reads enough bytes to see whether the file is packed.
    private func begin(_ room: inout [UInt8], _ place: Int, _ isStopped: () -> Bool) throws(DeliveryError) -> Int {
        isBegun = true
        var count = 0
        while count < GzipHeader.magic.count {
            let more = try readFile(into: &room, place + count, isStopped)
            if more == 0 {
                guard !path.hasSuffix(".gz") else { throw damage }
                return count
            }
            count += more
        }
        let bytes = room[place..<place + count]
        guard bytes.starts(with: GzipHeader.magic) else { return count }
        gzip = GzipStream()
        packed = Array(bytes) + [UInt8](repeating: 0, count: max(Self.packedByteCount - count, 0))
        end = count
        return try unpack(into: &room, place, isStopped)
    }

    private static let packedByteCount = 1 << 16

    private func unpack(into room: inout [UInt8], _ place: Int, _ isStopped: () -> Bool) throws(DeliveryError) -> Int {
        while true {
            guard let step = gzip?.step(from: packed[start..<end], into: &room, at: place) else {
                throw damage
            }
            start += step.taken
            if step.made > 0 { return step.made }
            guard start == end else {
                guard step.taken > 0 else { throw damage }
                continue
            }
            start = 0
            end = try readFile(into: &packed, 0, isStopped)
            guard end == 0 else { continue }
            guard gzip?.isWhole ?? true else { throw damage }
            return 0
        }
    }

    /// What came through a pipe before the damage has already been handed out.
    private var damage: DeliveryError {
        totalByteCount == nil ? .damagedStream(path: name) : .damagedInput(path: name)
    }

    private func readFile(
        into room: inout [UInt8],
        _ place: Int,
        _ isStopped: () -> Bool
    ) throws(DeliveryError) -> Int {
        var count: Int
        repeat {
            if totalByteCount == nil { try wait(isStopped) }
            count = unsafe room.withUnsafeMutableBytes { bytes in
                let room = unsafe bytes.baseAddress.map { unsafe $0 + place }
                // Each reader of a file has a position of its own, even if the file is standard input.
                return unsafe totalByteCount == nil
                    ? Glibc.read(descriptor, room, bytes.count - place)
                    : pread(descriptor, room, bytes.count - place, offset + Int(byteCount))
            }
            // Somebody made standard input non-blocking.
        } while count < 0 && (errno == EINTR || errno == EAGAIN)
        guard count >= 0 else { throw .unreadableInput(path: name, reason: FileFault.system(errno).reason) }
        byteCount += UInt64(count)
        return count
    }

    /// Waits until there is something to read, in naps, since a signal may go to another thread.
    private func wait(_ isStopped: () -> Bool) throws(DeliveryError) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&wanted, 1, 100) < 1 {
            if isStopped() { throw .interrupted }
        }
    }
}
