import CZip
import Glibc

/// One file in a zip as the zip's directory describes it; the local header is not trusted.
struct ZipMember: Equatable, Sendable {
    static let storedMethod: UInt16 = 0
    static let deflatedMethod: UInt16 = 8

    let index: UInt64
    let byteCount: UInt64
    let compressedByteCount: UInt64
    let checksum: UInt32
    let method: UInt16
    let isEncrypted: Bool

    /// Throws unless the member can be read without a password, stored or deflated.
    func checkReadable() throws(InputFault) {
        guard !isEncrypted else { throw .encryptedMember }
        guard method == Self.storedMethod || method == Self.deflatedMethod else {
            throw .unsupportedCompression(method: method)
        }
    }
}

/// Owns an open zip: its directory, and access to the raw bytes of its members.
///
/// Only for one thread at a time: all members share the file position.
@safe
final class ZipArchive {
    private let archive: OpaquePointer
    /// The file's descriptor, which libzip closes.
    private let descriptor: Int32
    /// The file's stamp when it was opened.
    private let stamp: FileStamp?
    /// The size of the zip in bytes.
    let byteCount: UInt64

    /// Reads the directory of the zip in `descriptor`, a regular file.
    init(_ descriptor: consuming FileDescriptor) throws(InputFault) {
        try ZipDirectoryCheck.check(descriptor)
        let isPart = try ZipDirectoryCheck.isPart(descriptor)
        descriptor.expectSequentialReading()
        byteCount = try descriptor.status().byteCount
        stamp = try descriptor.stamp()
        let number = descriptor.release()
        self.descriptor = number
        guard let file = unsafe fdopen(number, "rb") else {
            let systemError = errno
            close(number)
            throw InputFault(systemError: systemError)
        }
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        defer { unsafe zip_error_fini(&error) }
        guard let source = unsafe zip_source_filep_create(file, 0, -1, &error) else {
            unsafe fclose(file)
            throw unsafe InputFault(openingError: &error)
        }
        guard let archive = unsafe zip_open_from_source(source, ZIP_RDONLY, &error) else {
            unsafe zip_source_free(source)
            let fault = unsafe InputFault(openingError: &error)
            if fault == .truncatedArchive, isPart { throw .splitArchive }
            let mayHaveRunOver = fault == .truncatedArchive || fault == .damagedArchive
            throw mayHaveRunOver && byteCount > UInt32.max ? .largeArchive(byteCount: byteCount) : fault
        }
        unsafe self.archive = archive
    }

    // Nothing was changed, so there is nothing to write back.
    deinit { unsafe zip_discard(archive) }

    var memberCount: UInt64 {
        UInt64(clamping: unsafe zip_get_num_entries(archive, 0))
    }

    func member(at index: UInt64) throws(InputFault) -> ZipMember {
        var entry = unsafe zip_stat_t()
        unsafe zip_stat_init(&entry)
        let needed = UInt64(ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC)
        guard unsafe zip_stat_index(archive, index, 0, &entry) == 0, unsafe entry.valid & needed == needed else {
            throw .damagedArchive
        }
        return unsafe ZipMember(
            index: index,
            byteCount: entry.size,
            compressedByteCount: entry.comp_size,
            checksum: entry.crc,
            method: entry.comp_method,
            isEncrypted: entry.encryption_method != ZIP_EM_NONE
        )
    }

    /// The name's bytes up to a NUL, as they are in the directory, in whatever encoding.
    func name(at index: UInt64) -> [UInt8] {
        guard let name = unsafe zip_get_name(archive, index, ZIP_FL_ENC_RAW) else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }

    /// Throws if the file was written to, since another zip may have been copied over it.
    fileprivate func checkUnchanged() throws(InputFault) {
        if let stamp, try FileStamp(descriptor: descriptor) != stamp { throw .fileChanged }
    }

    /// Opens the compressed bytes of `member`.
    func open(_ member: ZipMember) throws(InputFault) -> ZipRawBytes {
        try member.checkReadable()
        errno = 0
        guard let file = unsafe zip_fopen_index(archive, member.index, ZIP_FL_COMPRESSED) else {
            throw unsafe InputFault(readingError: zip_get_error(archive), errno) ?? .damagedMember(byteOffset: 0)
        }
        return unsafe ZipRawBytes(file: file, of: self)
    }
}

/// Owns one member opened for its compressed bytes, and keeps its archive open.
@safe
struct ZipRawBytes: ~Copyable {
    private let file: OpaquePointer
    private let archive: ZipArchive

    fileprivate init(file: OpaquePointer, of archive: ZipArchive) {
        unsafe self.file = file
        self.archive = archive
    }

    deinit { unsafe zip_fclose(file) }

    /// Reads at least one byte into `buffer`; 0 at the end, `nil` if the bytes are not available.
    ///
    /// - Throws: `.fileChanged` if the bytes may be another file's, or the failure that the system reports.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFault) -> Int? {
        guard let start = buffer.baseAddress else { return 0 }
        errno = 0
        let count = unsafe zip_fread(file, start, UInt64(buffer.count))
        let systemError = errno
        try archive.checkUnchanged()
        guard count < 0 else { return Int(clamping: count) }
        if let fault = unsafe InputFault(readingError: zip_file_get_error(file), systemError) { throw fault }
        return nil
    }
}

extension InputFault {
    fileprivate init(openingError error: UnsafeMutablePointer<zip_error_t>) {
        switch unsafe zip_error_code_zip(error) {
        case ZIP_ER_NOZIP: self = .truncatedArchive
        case ZIP_ER_MULTIDISK: self = .splitArchive
        default: self = unsafe InputFault(readingError: error) ?? .damagedArchive
        }
    }

    /// The failure that the system reports; `nil` if there is none and the bytes themselves are wrong.
    ///
    /// - Parameters:
    ///   - error: what libzip says.
    ///   - lastError: `errno`, which was 0 before: libzip says that a member ended early, whatever the reason.
    fileprivate init?(readingError error: UnsafeMutablePointer<zip_error_t>, _ lastError: Int32 = 0) {
        let isOfSystem = unsafe [ZIP_ER_READ, ZIP_ER_SEEK, ZIP_ER_OPEN].contains(zip_error_code_zip(error))
        let systemError = isOfSystem ? unsafe zip_error_code_system(error) : lastError
        // These errors come from a wrong directory, which asks for a position that no file has.
        guard systemError != 0, ![EINVAL, EFBIG, EOVERFLOW].contains(systemError) else { return nil }
        self = InputFault(systemError: systemError)
    }
}
