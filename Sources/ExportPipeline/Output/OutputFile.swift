internal import Glibc
internal import TransactionBundling

/// One file that appears under its name only when it is whole.
///
/// Bytes go to `NAME.part` in the same folder, which takes the name at `finish()` after it
/// was synced, and is removed if the run ends before. A path that exists and is no regular
/// file (`/dev/null`, a pipe) is written directly.
@safe
final class OutputFile {
    private let path: String
    private let partPath: String?
    private var descriptor: Int32
    private var gzip: GzipStream?
    private let cancellation: Cancellation
    /// Bytes written to the file.
    private(set) var byteCount: UInt64 = 0

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - path: where; `nil` is standard output.
    ///   - isGzip: whether to compress.
    ///   - replace: whether a file that is there may be replaced.
    ///   - cancellation: ends a write that waits for a slow reader, once a signal interrupts it.
    /// - Throws: `ExportPipelineError.outputExists`, or `.output` with the system's reason.
    init(
        path: String?,
        isGzip: Bool,
        replace: Bool,
        cancellation: Cancellation = Cancellation()
    ) throws(ExportPipelineError) {
        self.path = path ?? "standard output"
        self.cancellation = cancellation
        gzip = isGzip ? GzipStream() : nil
        guard let path else {
            descriptor = 1
            partPath = nil
            return
        }
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            partPath = nil
            descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        } else {
            guard !exists || replace else { throw .outputExists(path: path) }
            let part = path + ".part"
            partPath = part
            // Health data: nobody but its owner reads it unless they say so.
            descriptor = unsafe open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        if descriptor < 0 { throw Self.fault(path) }
    }

    deinit {
        guard descriptor > 1 else { return }
        close(descriptor)
        if let partPath { unsafe unlink(partPath) }
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
        while rest.count > 0 {
            try cancellation.check()
            let count = unsafe writev(descriptor, rest.baseAddress, Int32(min(rest.count, Self.mostPieces)))
            if count < 0 {
                if errno == EINTR { continue }
                throw Self.fault(path)
            }
            byteCount += UInt64(count)
            unsafe Self.drop(count, from: &rest)
        }
    }

    /// `IOV_MAX` on Linux.
    private static let mostPieces = 1024

    /// Takes the first `count` bytes from `pieces`, and empty ones behind them.
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
        if let gzip {
            let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
            try unsafe gzip.compress(nothing, isLast: true) { (out) throws(ExportPipelineError) in
                try unsafe writeOut(out)
            }
        }
        guard descriptor > 1 else { return }
        if let partPath {
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.fault(path) }
            guard close(descriptor) == 0 else { throw Self.fault(path) }
            descriptor = -1
            guard unsafe rename(partPath, path) == 0 else { throw Self.fault(path) }
        } else {
            close(descriptor)
            descriptor = -1
        }
    }

    private func writeOut(_ bytes: UnsafeRawBufferPointer) throws(ExportPipelineError) {
        var rest = unsafe bytes
        while let base = rest.baseAddress, rest.count > 0 {
            // A signal makes a write that waits give up, with some bytes written or none.
            try cancellation.check()
            let count = unsafe Glibc.write(descriptor, base, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw Self.fault(path)
            }
            byteCount += UInt64(count)
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    private static func fault(_ path: String) -> ExportPipelineError {
        if errno == EPIPE { return .outputClosed(path: path) }
        let reason = unsafe String(cString: strerror(errno))
        return .output(path: path, reason: reason)
    }
}
