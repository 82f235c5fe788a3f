import Glibc

/// A file being written, or standard output; it closes what it opened.
struct OutputFile: ~Copyable {
    private let path: String
    private let descriptor: CInt
    private let isStandardOutput: Bool

    /// Standard output.
    init() {
        path = "-"
        descriptor = STDOUT_FILENO
        isStandardOutput = true
    }

    /// Creates the file at `path`; what is there already is emptied if it may be replaced.
    ///
    /// Devices and pipes hold nothing to lose and are written to as they are.
    init(path: String, replace: Bool) throws(SyntheticExportError) {
        self.path = path
        isStandardOutput = false
        var opened = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if opened < 0, errno == EEXIST {
            guard replace || !Self.isRegularFile(path) else { throw .fileExists(path: path) }
            opened = unsafe open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        }
        guard opened >= 0 else { throw .cannotOpen(path: path, reason: Self.reason()) }
        descriptor = opened
    }

    deinit {
        if !isStandardOutput { _ = close(descriptor) }
    }

    /// Writes all bytes, waiting where it must.
    func write(_ bytes: RawSpan) throws(SyntheticExportError) {
        try unsafe bytes.withUnsafeBytes { buffer throws(SyntheticExportError) in
            var offset = 0
            while offset < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[offset...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EPIPE { throw .outputClosed(path: path) }
                guard count > 0 else { throw .cannotWrite(path: path, reason: Self.reason()) }
                offset += count
            }
        }
    }

    /// Removes the file, so that nobody takes half an export for a whole one.
    func discard() {
        if !isStandardOutput, Self.isRegularFile(path) { _ = unsafe unlink(path) }
    }

    private static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func reason() -> String {
        guard let text = unsafe strerror(errno) else { return "error \(errno)" }
        return unsafe String(cString: text)
    }
}
