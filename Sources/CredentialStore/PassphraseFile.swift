internal import Glibc
internal import OpenSSLCrypto

/// A passphrase from a file or a descriptor, read straight into memory that is wiped.
enum PassphraseFile {
    /// The whole file, without a line end at its end.
    static func read(_ path: String, _ expectation: FileGuard.Expectation) throws(KeystoreError) -> SecretBytes {
        // A link is followed: what counts is who owns the file that was opened.
        guard let file = unsafe FileDescriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) else {
            let fault = KeystoreFault(opening: errno)
            if case .system(_, let code) = fault { throw .passphrase(.file(path: path, systemError: code)) }
            throw .file(path: path, fault)
        }
        do throws(KeystoreFault) {
            try FileGuard.check(file, is: expectation)
        } catch {
            throw .file(path: path, error)
        }
        var buffer = try newBuffer()
        guard var count = unsafe buffer.withMutableBytes({ unsafe file.read(into: $0) }) else {
            throw .file(path: path, .system("read", errno))
        }
        unsafe buffer.withBytes { bytes in
            if count > 0, unsafe bytes[count - 1] == UInt8(ascii: "\n") { count -= 1 }
            if count > 0, unsafe bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        }
        return try passphrase(buffer, count)
    }

    /// The bytes up to the next line end, read one by one: what follows is the caller's, or a second passphrase.
    static func readLine(of number: Int32) throws(KeystoreError) -> SecretBytes {
        var buffer = try newBuffer()
        var count = 0
        while count < buffer.count {
            let step = unsafe buffer.withMutableBytes { bytes in
                unsafe Glibc.read(number, bytes.baseAddress?.advanced(by: count), 1)
            }
            if step < 0, errno == EINTR { continue }
            guard step >= 0 else { throw .passphrase(.descriptor(number, systemError: errno)) }
            guard step > 0, unsafe buffer.withBytes({ unsafe $0[count] }) != UInt8(ascii: "\n") else { break }
            count += 1
        }
        if count > 0, unsafe buffer.withBytes({ unsafe $0[count - 1] }) == UInt8(ascii: "\r") { count -= 1 }
        return try passphrase(buffer, count)
    }

    /// Room for one byte more than a passphrase may have, and two for a line end.
    static func newBuffer() throws(KeystoreError) -> SecretBytes {
        do throws(CryptoError) {
            return try SecretBytes(count: PassphraseSource.maximumByteCount + 3)
        } catch {
            throw .passphrase(PassphraseFault(error))
        }
    }

    /// The first `count` bytes of a buffer.
    static func passphrase(_ buffer: borrowing SecretBytes, _ count: Int) throws(KeystoreError) -> SecretBytes {
        guard count <= PassphraseSource.maximumByteCount else { throw .passphrase(.tooLong) }
        do throws(CryptoError) {
            return try buffer.part(0..<count)
        } catch {
            throw .passphrase(PassphraseFault(error))
        }
    }
}
