internal import Glibc

/// Reads a file line by line: Bundles may be megabytes long, and the whole file gigabytes.
final class LineReader {
    private static let chunkByteCount = 1 << 18
    /// No Bundle is longer: `--max-bytes` allows less.
    private static let maximumByteCount = 1 << 30
    private let descriptor: Int32
    /// The file's path for messages, `standard input` for `-`.
    let name: String
    /// What was read; from `start` to `end` it was not handed out yet.
    private var buffer = [UInt8](repeating: 0, count: chunkByteCount)
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    /// How many lines were handed out.
    private(set) var number = 0
    /// How many bytes were handed out.
    private(set) var byteCount: UInt64 = 0
    /// The file's size; `nil` for what has none, such as a pipe.
    let totalByteCount: UInt64?

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: ``DeliveryError/unreadableInput(path:reason:)``, ``DeliveryError/folderInput(path:file:)``.
    init(path: String) throws(DeliveryError) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadableInput(path: name, reason: reason(errno)) }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        totalByteCount = isKnown && status.st_mode & S_IFMT == S_IFREG ? UInt64(status.st_size) : nil
        guard !isKnown || status.st_mode & S_IFMT != S_IFDIR else {
            // What `convert --format resources` has written.
            let resources = Self.first(of: ["Observation.ndjson", "Observation.ndjson.gz"], in: path)
            guard resources == nil else { throw .resourceFolderInput(path: name) }
            let file = Self.first(of: ["manifest.json", "bundles.ndjson", "bundles.ndjson.gz"], in: path)
            throw .folderInput(path: name, file: file == "manifest.json" ? nil : file)
        }
    }

    private static func first(of names: [String], in folder: String) -> String? {
        names.first { unsafe access(folder + "/" + $0, F_OK) == 0 }
    }

    deinit { if descriptor != STDIN_FILENO, descriptor >= 0 { close(descriptor) } }

    /// The next line.
    ///
    /// - Parameter isStopped: asked now and then while a pipe gives nothing.
    /// - Returns: its line feed too; `nil` at the end.
    /// - Throws: ``DeliveryError/unreadableInput(path:reason:)``; ``DeliveryError/notABundle(path:line:)`` for a line that is
    ///   none by its first byte or its length, before all of it is held; ``DeliveryError/interrupted``.
    func next(isStopped: () -> Bool = { false }) throws(DeliveryError) -> [UInt8]? {
        let line = try nextLine(isStopped)
        byteCount += UInt64(line?.count ?? 0)
        return line
    }

    private func nextLine(_ isStopped: () -> Bool) throws(DeliveryError) -> [UInt8]? {
        var searched = start
        while true {
            if let feed = lineFeed(from: searched) {
                defer { start = feed + 1 }
                number += 1
                return Array(buffer[start...feed])
            }
            guard !isAtEnd else {
                defer { start = end }
                if start < end { number += 1 }
                return start < end ? Array(buffer[start..<end]) : nil
            }
            let searchedCount = end - start
            try makeRoom()
            searched = start + searchedCount
            try fill(isStopped)
        }
    }

    private func lineFeed(from start: Int) -> Int? {
        unsafe buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            let found = unsafe memchr(base + start, 0x0A, end - start)
            return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
        }
    }

    /// Moves what is left to the front; where that alone fills half of the buffer, the buffer grows.
    private func makeRoom() throws(DeliveryError) {
        unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress, start > 0 else { return }
            unsafe memmove(base, base + start, end - start)
        }
        (start, end) = (0, end - start)
        guard end > buffer.count / 2 else { return }
        guard buffer[0] == UInt8(ascii: "{"), buffer.count <= Self.maximumByteCount else {
            throw .notABundle(path: name, line: number + 1)
        }
        buffer += [UInt8](repeating: 0, count: buffer.count)
    }

    private func fill(_ isStopped: () -> Bool) throws(DeliveryError) {
        var count: Int
        repeat {
            if totalByteCount == nil { try wait(isStopped) }
            count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe read(descriptor, bytes.baseAddress.map { unsafe $0 + end }, bytes.count - end)
            }
            // Somebody made standard input non-blocking.
        } while count < 0 && (errno == EINTR || errno == EAGAIN)
        guard count >= 0 else { throw .unreadableInput(path: name, reason: reason(errno)) }
        end += count
        isAtEnd = count == 0
    }

    /// Until there is something to read, in naps: a signal may come to another thread.
    private func wait(_ isStopped: () -> Bool) throws(DeliveryError) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&wanted, 1, 100) < 1 {
            if isStopped() { throw .interrupted }
        }
    }
}
