internal import Glibc

/// Reads a file line by line: a Bundle may be megabytes long, the whole file gigabytes.
final class LineReader {
    private static let chunkByteCount = 1 << 18
    /// No Bundle is longer: `--max-bytes` allows less.
    private static let maximumByteCount = 1 << 30
    private let input: InputBytes
    /// What was read; from `start` to `end` it is not handed out yet.
    private var buffer = [UInt8](repeating: 0, count: chunkByteCount)
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    /// How many lines were handed out.
    private(set) var number = 0
    private var handedOutByteCount: UInt64 = 0

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: ``DeliveryError/unreadableInput(path:reason:)``.
    init(path: String) throws(DeliveryError) { input = try InputBytes(path: path) }

    /// The file's path for messages, `standard input` for `-`.
    var name: String { input.name }

    /// How many bytes of the file were handed out, or read if it is packed.
    var byteCount: UInt64 { input.isPacked ? input.byteCount : handedOutByteCount }

    /// Whether the file turned out to be packed.
    var isPacked: Bool { input.isPacked }

    /// The file's size; `nil` for input without one, such as a pipe.
    var totalByteCount: UInt64? { input.totalByteCount }

    /// The next line.
    ///
    /// - Parameter isStopped: asked now and then while a pipe gives nothing.
    /// - Returns: the line, with its line feed; `nil` at the end.
    /// - Throws: ``DeliveryError/unreadableInput(path:reason:)``, ``DeliveryError/damagedInput(path:)``,
    ///   ``DeliveryError/damagedStream(path:)``; ``DeliveryError/notABundle(path:line:)`` for a line that can't be a
    ///   Bundle by its first byte or its length, before all of it is held; ``DeliveryError/interrupted``.
    func next(isStopped: () -> Bool = { false }) throws(DeliveryError) -> [UInt8]? {
        let line = try nextLine(isStopped)
        handedOutByteCount += UInt64(line?.count ?? 0)
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

    /// Moves what is left to the front; if that alone fills more than half of the buffer, the buffer grows.
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
        let count = try input.read(into: &buffer, at: end, isStopped)
        end += count
        isAtEnd = count == 0
    }
}
