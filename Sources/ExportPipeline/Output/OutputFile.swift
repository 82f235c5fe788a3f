internal import FHIRR4
internal import FileOutput
internal import Glibc
internal import TransactionBundling

/// One file of a run's output, or standard output.
///
/// A file appears under its name only when it is complete, at `publish()`, and is removed if the run ends earlier: see
/// `PartFile`.
@safe
final class OutputFile {
    private let path: String
    private let file: PartFile?
    private let descriptor: OutputDescriptor
    private let gzip: DeflateStream?
    private let cancellation: Cancellation
    /// Where the file is once it is published; `nil` if it is not a regular file.
    var place: String? { file?.place }
    /// Bytes written to the file.
    private(set) var byteCount: UInt64 = 0

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - path: where to write; `nil` is standard output.
    ///   - isGzip: whether to compress.
    ///   - replace: whether an existing file may be replaced.
    ///   - followsLink: whether to write the target of a symbolic link; otherwise the link is replaced like a file.
    ///   - cancellation: ends a write that waits for a slow reader, once a signal interrupts it.
    ///   - opening: ends the wait for a pipe's first reader.
    /// - Throws: `ExportPipelineError.outputExists`, `.interrupted`, or `.output` with the system's reason.
    init(
        path: String?,
        isGzip: Bool,
        replace: Bool,
        followsLink: Bool = true,
        cancellation: Cancellation = Cancellation(),
        opening: Cancellation = Cancellation()
    ) throws(ExportPipelineError) {
        self.path = path ?? "standard output"
        self.cancellation = cancellation
        gzip = isGzip ? DeflateStream(.gzip) : nil
        guard let path else {
            file = nil
            descriptor = .standardOutput
            return
        }
        do throws(FileFault) {
            // It is health data: only its owner may read it, unless they decide otherwise.
            let file = try PartFile(path: path, replace: replace, isPrivate: true, followsLink: followsLink) {
                cancellation.isCancelled || opening.isCancelled
            }
            self.file = file
            descriptor = OutputDescriptor(file.descriptor)
        } catch {
            throw ExportPipelineError(error, path: path)
        }
    }

    /// Writes all of `bytes`.
    func write(_ bytes: UnsafeRawBufferPointer) throws(ExportPipelineError) {
        guard let gzip else { return try unsafe writeOut(bytes) }
        try unsafe gzip.compress(bytes, isLast: false) { (out) throws(ExportPipelineError) in try unsafe writeOut(out) }
    }

    /// Writes all pieces of a group.
    func write(_ group: GroupBytes) throws(ExportPipelineError) {
        guard gzip == nil else {
            for index in unsafe 0..<group.pieces.count {
                let piece = unsafe group.pieces[index]
                try unsafe write(UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len))
            }
            return
        }
        var rest = unsafe group.pieces
        var restByteCount = group.byteCount
        while restByteCount > 0 {
            let count = try placing { () throws(FileFault) in
                try descriptor.retrying({ cancellation.isCancelled }) {
                    unsafe writev(descriptor.number, rest.baseAddress, Int32(min(rest.count, Self.maximumPieceCount)))
                }
            }
            byteCount += UInt64(count)
            restByteCount -= count
            if restByteCount > 0 { unsafe Self.drop(count, from: &rest) }
        }
    }

    /// `IOV_MAX` on Linux.
    private static let maximumPieceCount = 1024

    /// Removes the first `count` bytes from `pieces`, and empty pieces after them.
    private static func drop(_ count: Int, from pieces: inout UnsafeMutableBufferPointer<iovec>) {
        var count = count
        var number = 0
        while number < pieces.count, unsafe pieces[number].iov_len <= count {
            unsafe count -= pieces[number].iov_len
            number += 1
        }
        unsafe pieces = UnsafeMutableBufferPointer(rebasing: pieces[number...])
        guard count > 0 else { return }
        unsafe pieces[0].iov_base += count
        unsafe pieces[0].iov_len -= count
    }

    /// Completes the file and gives it its name.
    func finish() throws(ExportPipelineError) {
        try complete()
        try publish()
    }

    /// Writes what is held back; then everything is on the disk, and the file has no name yet.
    func complete() throws(ExportPipelineError) {
        if let gzip {
            let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
            try unsafe gzip.compress(nothing, isLast: true) { (out) throws(ExportPipelineError) in
                try unsafe writeOut(out)
            }
        }
        try placing { () throws(FileFault) in try file?.complete() }
    }

    /// Removes the file that this one may replace.
    func vacate() throws(ExportPipelineError) { try placing { () throws(FileFault) in try file?.vacate() } }

    /// Gives the complete file its name.
    func publish() throws(ExportPipelineError) { try placing { () throws(FileFault) in try file?.publish() } }

    private func writeOut(_ bytes: UnsafeRawBufferPointer) throws(ExportPipelineError) {
        try placing { () throws(FileFault) in
            try unsafe descriptor.write(bytes) { cancellation.isCancelled }
        }
        byteCount += UInt64(bytes.count)
    }

    /// Puts the file's name into errors.
    private func placing<Result>(_ body: () throws(FileFault) -> Result) throws(ExportPipelineError) -> Result {
        do throws(FileFault) { return try body() } catch { throw ExportPipelineError(error, path: path) }
    }
}

extension ExportPipelineError {
    /// The same fault, of an output at `path`.
    fileprivate init(_ fault: FileFault, path: String) {
        self =
            switch fault {
            case .exists: .outputExists(path: path)
            case .interrupted: .interrupted
            case .system(EPIPE): .outputClosed(path: path)
            case .system: .output(path: path, reason: fault.reason)
            }
    }
}

extension OutputFile {
    /// Writes the UTF-8 of `text`.
    func write(text: String) throws(ExportPipelineError) {
        var bytes = JSONBytes(capacity: text.utf8.count)
        bytes.append(text)
        try unsafe bytes.withBytes { (bytes) throws(ExportPipelineError) in try unsafe write(bytes) }
    }
}
