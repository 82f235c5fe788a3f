import FileOutput
import Glibc

/// A file that is being written, or standard output; a file that is not finished is removed.
struct OutputFile: ~Copyable {
    private let path: String
    private let file: PartFile?
    private let descriptor: OutputDescriptor
    private let isCancelled: () -> Bool

    /// Standard output.
    init(isCancelled: @escaping () -> Bool) {
        path = "-"
        file = nil
        descriptor = .standardOutput
        self.isCancelled = isCancelled
    }

    /// Creates the file for `path`, which gets that name when it is finished.
    ///
    /// Devices and pipes have no content to lose, so they are written to directly.
    init(path: String, replace: Bool, isCancelled: @escaping () -> Bool) throws(SyntheticExportError) {
        self.path = path
        self.isCancelled = isCancelled
        do throws(FileFault) {
            let file = try PartFile(path: path, replace: replace, isPrivate: false, isCancelled: isCancelled)
            self.file = file
            descriptor = OutputDescriptor(file.descriptor)
        } catch {
            switch error {
            case .exists: throw .fileExists(path: path)
            case .interrupted: throw .interrupted
            case .system: throw .cannotOpen(path: path, reason: error.reason)
            }
        }
    }

    /// Writes all bytes, and waits where it must.
    func write(_ bytes: RawSpan) throws(SyntheticExportError) {
        try unsafe bytes.withUnsafeBytes { buffer throws(SyntheticExportError) in
            do throws(FileFault) { try unsafe descriptor.write(buffer, isCancelled: isCancelled) } catch {
                switch error {
                case .interrupted: throw .interrupted
                case .system(EPIPE): throw .outputClosed(path: path)
                case .exists, .system: throw .cannotWrite(path: path, reason: error.reason)
                }
            }
        }
    }

    /// Gives the file its name only now, so that nobody takes half an export for a whole one.
    func finish() throws(SyntheticExportError) {
        do throws(FileFault) { try file?.publish() } catch {
            if error == .exists { throw .fileExists(path: path) }
            throw .cannotWrite(path: path, reason: error.reason)
        }
    }
}
