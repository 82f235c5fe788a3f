import Glibc

/// An empty folder for one test, removed with everything in it when its owner releases it.
///
/// Keep it in a stored property of the suite, so that it lives as long as the test.
public final class TemporaryFolder: Sendable {
    /// The folder's absolute path, such as `/tmp/pghd-test-k3Xw9a`.
    public let path: String

    /// Makes the folder in `TMPDIR`, or in `/tmp`.
    ///
    /// - Throws: ``TestFileError`` if the system refuses.
    public init() throws(TestFileError) {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/pghd-test-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw TestFileError(path: parent, systemError: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }

    deinit { removeTree(path) }

    /// The path of `name` in this folder, whether it exists or not.
    public func path(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Makes the folder `name`; its parent must exist.
    ///
    /// - Returns: its path.
    /// - Throws: ``TestFileError`` if the system refuses.
    @discardableResult
    public func makeFolder(_ name: String) throws(TestFileError) -> String {
        let path = path(name)
        guard unsafe mkdir(path, 0o700) == 0 else { throw TestFileError(path: path, systemError: errno) }
        return path
    }

    /// Writes a file, replacing one of the same name.
    ///
    /// - Returns: its path.
    /// - Throws: ``TestFileError`` if the system refuses.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws(TestFileError) -> String {
        let path = path(name)
        guard let file = unsafe fopen(path, "wb") else { throw TestFileError(path: path, systemError: errno) }
        let bytes = Array(bytes)
        let written = unsafe fwrite(bytes, 1, bytes.count, file)
        guard unsafe fclose(file) == 0, written == bytes.count else {
            throw TestFileError(path: path, systemError: errno)
        }
        return path
    }

    /// Makes `name` a symbolic link to `target`.
    ///
    /// - Throws: ``TestFileError`` if the system refuses.
    public func link(_ name: String, to target: String) throws(TestFileError) {
        let path = path(name)
        guard unsafe symlink(target, path) == 0 else { throw TestFileError(path: path, systemError: errno) }
    }

    /// Makes `name` a pipe.
    ///
    /// - Returns: its path.
    /// - Throws: ``TestFileError`` if the system refuses.
    public func makePipe(_ name: String) throws(TestFileError) -> String {
        let path = path(name)
        guard unsafe mkfifo(path, 0o600) == 0 else { throw TestFileError(path: path, systemError: errno) }
        return path
    }
}

/// A file or folder that a test could not make.
public struct TestFileError: Error, Equatable {
    /// The path that could not be made.
    public let path: String
    /// The system's `errno`.
    public let systemError: Int32
}

/// Removes a file, a link, or a folder with everything in it; links are not followed.
private func removeTree(_ path: String) {
    if unsafe unlink(path) == 0 { return }
    guard let stream = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(stream) {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        let start = unsafe UnsafeRawPointer(entry) + offset
        let name = unsafe String(cString: start.assumingMemoryBound(to: CChar.self))
        if name != ".", name != ".." { removeTree("\(path)/\(name)") }
    }
    unsafe closedir(stream)
    unsafe rmdir(path)
}
