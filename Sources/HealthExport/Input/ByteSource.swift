/// Bytes of one export member, in order.
///
/// A source may be used on another thread than the one that opened it, by one thread
/// at a time; ``progress`` may be asked from any thread, also during a read.
public protocol ByteSource: AnyObject, Sendable {
    /// Fills `buffer` from its start and returns the count, 0 at the end.
    ///
    /// A count below `buffer.count` comes only just before the end or before a fault:
    /// bytes that were good are always delivered first, and the fault is thrown by the
    /// next call and every one after it. An empty buffer reads nothing and gives 0.
    ///
    /// - Parameter buffer: where to write; from 128 KiB up the bytes go there without a copy.
    /// - Returns: how many bytes were written; 0 at the end.
    /// - Throws: ``HealthExportError/unreadableInput(_:input:)`` when the bytes are damaged,
    ///   their length or CRC-32 is wrong, or the system fails to read.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthExportError) -> Int

    /// How far the input file has been read.
    var progress: InputProgress { get }
}

/// How much of the input has been consumed, such as 1,048,576 of 52,428,800 bytes.
///
/// The bytes are those on disk: of a zip, the compressed bytes of the main XML.
public struct InputProgress: Equatable, Sendable {
    /// Bytes consumed so far.
    public let consumed: UInt64
    /// All bytes there are to consume; `nil` for a pipe.
    public let total: UInt64?

    /// Makes a progress from its two counts.
    public init(consumed: UInt64, total: UInt64?) {
        self.consumed = consumed
        self.total = total
    }
}
