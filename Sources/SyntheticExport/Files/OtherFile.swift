/// A file of an export next to its XML.
protocol OtherFile: Sendable {
    /// The path in the export's folder, such as `electrocardiograms/ecg_2024-06-18.csv`.
    var path: String { get }

    func write(to bytes: inout ByteWriter)
}

extension OtherFile {
    /// Lends the bytes to `sink`, in order, in blocks of at most 1 MiB that are valid only during the call.
    ///
    /// - Throws: what `sink` throws; nothing more is written after that.
    func write<Failure: Error>(to sink: (RawSpan) throws(Failure) -> Void) throws(Failure) {
        try ByteWriter.lending(to: sink) { drain in
            var bytes = ByteWriter(drain: drain)
            write(to: &bytes)
            bytes.flush()
        }
    }
}
