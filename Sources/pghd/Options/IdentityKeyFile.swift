import ArgumentParser
import HealthKitMapping

/// The file of `--id-key`.
enum IdentityKeyFile {
    /// How many bytes a key may have; a larger file is not a key.
    private static let byteCounts = MappingOptions.identityKeyByteCounts

    /// The key: all bytes of the file, including a line feed at its end.
    ///
    /// - Throws: `ValidationError` where it is not a file, too short or too long, or open to others.
    static func bytes(atPath path: String) throws -> [UInt8] {
        let file: SmallFile
        do throws(SmallFile.Fault) {
            file = try SmallFile(path, maximumByteCount: byteCounts.upperBound)
        } catch {
            switch error {
            case .system:
                throw ValidationError(
                    "--id-key: '\(path)' can't be read (\(error.reason)): check the path and its permissions"
                )
            case .noFile:
                throw ValidationError(
                    "--id-key: '\(path)' is not a file (expected a key of random bytes): check the path"
                )
            case .tooLong: throw wrongLength(path)
            }
        }
        guard !file.isOpenToOthers else {
            throw ValidationError(
                "--id-key: '\(path)' is open to others (expected a file for its owner alone): chmod 600 it"
            )
        }
        guard file.bytes.count >= byteCounts.lowerBound else { throw wrongLength(path) }
        return file.bytes
    }

    private static func wrongLength(_ path: String) -> ValidationError {
        ValidationError(
            "--id-key: '\(path)' has the wrong length (expected \(byteCounts.lowerBound) to \(byteCounts.upperBound) bytes): "
                + "make one with 'openssl rand -out FILE 32 && chmod 600 FILE'"
        )
    }
}
