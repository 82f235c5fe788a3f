/// Bytes of one export member, in order.
///
/// One thread at a time may use a source, also another one than opened it; ``progress`` may be read from any thread,
/// even during a read.
package protocol ByteSource: AnyObject, Sendable {
    /// Fills `buffer` from its start and returns the count, 0 at the end.
    ///
    /// A count below `buffer.count` means that the end or a fault comes next: good bytes are always delivered first,
    /// and the next call and every later one throws the fault. An empty buffer reads nothing and returns 0.
    ///
    /// - Parameter buffer: where to write; with 128 KiB or more, bytes go there without a copy.
    /// - Returns: how many bytes were written; 0 at the end.
    /// - Throws: ``HealthExportError/unreadableInput(_:input:)`` if the bytes are damaged, if their length or CRC-32 is
    ///   wrong, or if the system fails to read.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthExportError) -> Int

    /// How far the input file has been read.
    var progress: InputProgress { get }
}

/// How much of the input has been consumed, such as 1,048,576 of 52,428,800 bytes.
///
/// Bytes are counted on disk: for a zip, the compressed bytes of the main XML.
package struct InputProgress: Equatable, Sendable {
    /// Bytes consumed so far.
    package let consumed: UInt64
    /// The number of bytes to consume in all; `nil` for a pipe.
    package let total: UInt64?

    /// A progress with these two counts.
    package init(consumed: UInt64, total: UInt64?) {
        self.consumed = consumed
        self.total = total
    }
}
