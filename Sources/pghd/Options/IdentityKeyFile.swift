import ArgumentParser
import FileOutput
import Glibc

/// The file behind `--id-key`.
enum IdentityKeyFile {
    /// Fewest bytes of a key.
    static let minimumByteCount = 16
    /// Most bytes of a key; a larger file is some other file.
    static let maximumByteCount = 4096

    /// The key: all bytes of the file, a line feed at its end too.
    ///
    /// - Throws: `ValidationError` where it is no file, too short or too long, or open to others.
    static func bytes(atPath path: String) throws -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ValidationError("--id-key: '\(path)' is no file (expected a key of random bytes): check the path")
        }
        guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
            throw ValidationError(
                "--id-key: '\(path)' is open to others (expected a file for its owner alone): chmod 600 it"
            )
        }
        var bytes = [UInt8](repeating: 0, count: maximumByteCount + 1)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw unreadable(path) }
        guard (minimumByteCount...maximumByteCount).contains(count) else {
            throw ValidationError(
                "--id-key: '\(path)' has the wrong length (expected \(minimumByteCount) to \(maximumByteCount) bytes): "
                    + "make one with 'openssl rand -out FILE 32'"
            )
        }
        return Array(bytes[..<count])
    }

    private static func unreadable(_ path: String) -> ValidationError {
        let reason = FileFault.system(errno).reason
        return ValidationError("--id-key: '\(path)' can't be read (\(reason)): check the path and its permissions")
    }
}
