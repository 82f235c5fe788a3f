import Synchronization

/// Reads a file, or a pipe whose first bytes were already taken to look at them.
struct DescriptorReader: ByteReader, ~Copyable {
    /// A system call costs about as much as to copy these.
    static let directByteCount = 16 << 10

    private let descriptor: FileDescriptor
    private var unreadHead: ArraySlice<UInt8>
    private(set) var consumedByteCount: UInt64 = 0
    let totalByteCount: UInt64?
    /// How a file was when its reading began.
    private let stamp: FileStamp?

    /// Reads from where `descriptor` stands.
    init(_ descriptor: consuming FileDescriptor) throws(InputFault) {
        descriptor.expectSequentialReading()
        let (byteCount, stamp) = (try descriptor.remainingByteCount(), try descriptor.stamp())
        (totalByteCount, self.stamp) = (byteCount, stamp)
        self.descriptor = descriptor
        unreadHead = []
    }

    /// Reads the first bytes, at most `count`, and puts them back in front of the rest.
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
            count = try unsafe descriptor.read(into: buffer)
            // One export's beginning and another's end would be neither's: not one byte of that is handed on.
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

/// A stream that has been looked at and can be read once.
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
