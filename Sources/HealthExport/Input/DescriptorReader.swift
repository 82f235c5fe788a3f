import Synchronization

/// Reads a file, or a pipe whose first bytes were already read to examine them.
struct DescriptorReader: ByteReader, ~Copyable {
    /// A system call costs about as much as copying this many bytes.
    static let directByteCount = 16 << 10

    private let descriptor: FileDescriptor
    private var unreadHead: ArraySlice<UInt8>
    private(set) var consumedByteCount: UInt64 = 0
    let totalByteCount: UInt64?
    /// A file's stamp when reading began.
    private let stamp: FileStamp?
    /// Asked ten times a second while nothing comes, if reading may be broken off; it then throws `ECANCELED`.
    var isCancelled: (@Sendable () -> Bool)?

    /// Reads from the current position of `descriptor`.
    init(_ descriptor: consuming FileDescriptor) throws(InputFault) {
        descriptor.expectSequentialReading()
        let (byteCount, stamp) = (try descriptor.remainingByteCount(), try descriptor.stamp())
        (totalByteCount, self.stamp) = (byteCount, stamp)
        self.descriptor = descriptor
        unreadHead = []
    }

    /// Reads the first bytes, at most `count`, and puts them back before the rest.
    mutating func peek(upTo count: Int) throws(InputFault) -> [UInt8] {
        let (head, fault) = head(upTo: count)
        if let fault { throw fault }
        unreadHead = head[...]
        consumedByteCount = 0
        return head
    }

    mutating func readSome(into buffer: UnsafeMutableRawBufferPointer) throws(InputFault) -> Int {
        let count: Int
        if unreadHead.isEmpty {
            if let isCancelled { try descriptor.waitForInput(unless: isCancelled) }
            count = try unsafe descriptor.read(into: buffer)
            // One export's beginning and another's end would belong to neither, so no byte read after a change is
            // returned.
            if let stamp, try descriptor.stamp() != stamp { throw .fileChanged }
        } else {
            let part = unreadHead.prefix(buffer.count)
            unsafe buffer.copyBytes(from: part)
            unreadHead = unreadHead.dropFirst(part.count)
            count = part.count
        }
        consumedByteCount += UInt64(count)
        return count
    }
}

/// A stream whose beginning was examined and that can be read once.
final class PeekedStream: Sendable {
    private let reader: Mutex<DescriptorReader?>

    init(_ reader: consuming DescriptorReader) {
        self.reader = Mutex(reader)
    }

    /// The whole stream, from its first byte; a second call throws.
    func takeReader() throws(InputFault) -> DescriptorReader {
        guard let reader = reader.withLock({ $0.take() }) else { throw .streamReadTwice }
        return reader
    }
}
