import Glibc

/// The regular files and folders directly inside one folder; links and pipes are left out.
struct FolderListing {
    /// One entry, by the name's bytes as the file system has them.
    struct Entry {
        let name: [UInt8]
        let isFolder: Bool
        let byteCount: UInt64
    }

    /// In the order of their names' bytes, so that a run does not depend on the file system.
    let entries: [Entry]
    /// The names of symbolic links, which are not followed, in the same order.
    let links: [[UInt8]]

    /// Lists `folder`, which stays open.
    init(of folder: borrowing FileDescriptor) throws(InputFault) {
        var entries: [Entry] = []
        var links: [[UInt8]] = []
        for name in try FolderStream(of: folder).names() {
            let (kind, byteCount): (FileDescriptor.FileKind, UInt64)
            do throws(InputFault) { (kind, byteCount) = try folder.status(ofEntry: name) } catch {
                // It may have gone since the listing; a folder that may be listed and not entered is none that is read.
                guard error == .missing else { throw error }
                continue
            }
            if kind == .symbolicLink { links.append(name) }
            guard kind == .regularFile || kind == .folder else { continue }
            entries.append(Entry(name: name, isFolder: kind == .folder, byteCount: byteCount))
        }
        self.entries = entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        self.links = links.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

/// Owns one `DIR` and closes it exactly once.
@safe
private struct FolderStream: ~Copyable {
    private let stream: OpaquePointer

    init(of folder: borrowing FileDescriptor) throws(InputFault) {
        let number = try FileDescriptor(name: [UInt8(ascii: ".")], in: folder).release()
        guard let stream = unsafe fdopendir(number) else {
            let systemError = errno
            close(number)
            throw InputFault(systemError: systemError)
        }
        unsafe self.stream = stream
    }

    deinit { unsafe closedir(stream) }

    /// All names but `.` and `..`.
    func names() throws(InputFault) -> [[UInt8]] {
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw InputFault(systemError: errno) }
                return names
            }
            // The system may allocate less than a whole `dirent`, so it is never copied.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = unsafe UnsafeRawPointer(entry) + offset
            let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
            let name = unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
    }
}
