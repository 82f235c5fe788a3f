import Glibc

/// Owns one `DIR`, a folder that is being listed, and closes it exactly once.
@safe
package struct FolderStream: ~Copyable {
    /// Why a folder can't be listed, as an `errno`.
    package struct Failure: Error {
        package let systemError: Int32
    }

    private let stream: OpaquePointer

    /// Opens the folder at `path`.
    package init(path: String) throws(Failure) {
        guard let stream = unsafe opendir(path) else { throw Failure(systemError: errno) }
        unsafe self.stream = stream
    }

    /// Takes over an open descriptor, which is closed in any case.
    init(taking number: Int32) throws(Failure) {
        guard let stream = unsafe fdopendir(number) else {
            let systemError = errno
            close(number)
            throw Failure(systemError: systemError)
        }
        unsafe self.stream = stream
    }

    deinit { unsafe closedir(stream) }

    /// All names but `.` and `..`, each as the file system's bytes, in the file system's order.
    package func names() throws(Failure) -> [[UInt8]] {
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw Failure(systemError: errno) }
                return names
            }
            // The system allocates a `dirent` only as large as its name needs, so copying it, or its `d_name`, would
            // read past the allocated memory.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = unsafe UnsafeRawPointer(entry) + offset
            let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
            let name = unsafe Array(UnsafeRawBufferPointer(start: start, count: length))
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
    }
}
