internal import Glibc

/// A file that appears under its name only when it is complete, and replaces another only on request.
///
/// The bytes go to `NAME.5f0c2a9e.part` in the same folder, a new file that no other run can have; `publish()` gives it
/// its name, and it is removed if the run ends earlier. A symbolic link is kept: the file is written where it leads,
/// whether anything is there or not. Anything there that is not a regular file (`/dev/null`, a pipe) is written to
/// directly.
@safe
public final class PartFile {
    /// The descriptor to write to, until the file is complete; -1 afterwards.
    public private(set) var descriptor: Int32
    /// Where the file is once it is published; `nil` for what is written to directly.
    public let place: String?
    private let replaces: Bool
    private var part: String?

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - path: its name.
    ///   - replace: whether an existing file may be replaced.
    ///   - isPrivate: whether only its owner may read it.
    ///   - followsLink: whether to write the target of a symbolic link; otherwise the link is replaced like a file.
    ///   - isCancelled: asked while a pipe has no reader yet, and after a signal.
    /// - Throws: `.exists`, `.interrupted`, or the system's reason.
    public init(
        path: String,
        replace: Bool,
        isPrivate: Bool,
        followsLink: Bool = true,
        isCancelled: () -> Bool
    ) throws(FileFault) {
        replaces = replace
        // For the system the name would end at the NUL.
        guard !path.utf8.contains(0) else { throw .system(EINVAL) }
        var status = stat()
        let isThere = unsafe (followsLink ? stat(path, &status) : lstat(path, &status)) == 0
        // A link that the system does not follow, such as another user's in /tmp, is not followed here either.
        guard isThere || errno == ENOENT else { throw .system(errno) }
        let kind = status.st_mode & S_IFMT
        if isThere, kind != S_IFREG, followsLink || kind != S_IFLNK {
            place = nil
            if kind == S_IFIFO { try Self.checkPipe(status, path) }
            descriptor = try Self.openDirectly(path, isPipe: kind == S_IFIFO, isCancelled)
            return
        }
        guard !isThere || replace else { throw .exists }
        let place = followsLink ? try Self.place(of: path) : path
        self.place = place
        while true {
            let name = Self.partName(of: place)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            descriptor = unsafe open(name, flags, isPrivate ? 0o600 : 0o644)
            if descriptor >= 0 {
                part = name
                return
            }
            guard errno == EEXIST || errno == EINTR else { throw .system(errno) }
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let part { unsafe unlink(part) }
    }

    /// Closes the file once all its bytes are on the disk; it has no name yet.
    ///
    /// - Throws: the system's reason.
    public func complete() throws(FileFault) {
        guard descriptor >= 0 else { return }
        while part != nil, fsync(descriptor) != 0, errno != EINVAL {
            guard errno == EINTR else { throw .system(errno) }
        }
        let code = close(descriptor)
        descriptor = -1
        guard part == nil || code == 0 else { throw .system(errno) }
    }

    /// Removes the file that this one may replace.
    ///
    /// So several files of one run get their names without any of an earlier run's between them.
    ///
    /// - Throws: the system's reason.
    public func vacate() throws(FileFault) {
        guard replaces, let place else { return }
        guard unsafe unlink(place) == 0 || errno == ENOENT else { throw .system(errno) }
    }

    /// Completes the file and gives it its name.
    ///
    /// - Throws: `.exists` if a file appeared meanwhile that must not be replaced, or the system's reason.
    public func publish() throws(FileFault) {
        try complete()
        guard let part, let place else { return }
        if replaces {
            guard unsafe rename(part, place) == 0 else { throw .system(errno) }
        } else if unsafe link(part, place) == 0 {
            unsafe unlink(part)
        } else {
            guard errno != EEXIST else { throw .exists }
            // On a file system without links, nothing renames without replacing.
            var status = stat()
            guard unsafe lstat(place, &status) != 0 else { throw .exists }
            guard unsafe rename(part, place) == 0 else { throw .system(errno) }
        }
        self.part = nil
    }

    /// Where a path leads once the symbolic links at its end are followed; the last may lead to nothing yet.
    ///
    /// - Throws: the system's reason if a link leads to a name that is not UTF-8: a file of another name would be
    ///   written.
    public static func place(of path: String) throws(FileFault) -> String {
        var place = path
        // The number of links that the system follows.
        for _ in 0..<40 {
            guard let target = try linkTarget(of: place) else { break }
            let folder = place.lastIndex(of: "/").map { place[...$0] } ?? ""
            place = target.hasPrefix("/") ? target : folder + target
        }
        return place
    }

    private static func linkTarget(of path: String) throws(FileFault) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let target = String(validating: bytes[..<count].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
        guard let target else { throw .system(EILSEQ) }
        return target
    }

    /// A name next to `place` that no other run takes; a long name is cut, so that any file system allows it.
    private static func partName(of place: String) -> String {
        let start = place.lastIndex(of: "/").map { place.index(after: $0) } ?? place.startIndex
        var name = ""
        for scalar in place[start...].unicodeScalars where name.utf8.count < 120 { name.unicodeScalars.append(scalar) }
        let digits = String(UInt32.random(in: 0 ... .max), radix: 16)
        return place[..<start] + name + "." + String(repeating: "0", count: 8 - digits.count) + digits + ".part"
    }

    /// Refuses a pipe that somebody else has put into a folder that everybody may write to: its owner would read
    /// everything.
    ///
    /// Linux does the same if `fs.protected_fifos` is set and a file would be created.
    private static func checkPipe(_ status: stat, _ path: String) throws(FileFault) {
        var folder = stat()
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard unsafe stat(parent, &folder) == 0 else { throw .system(errno) }
        let isShared = folder.st_mode & S_ISVTX != 0 && folder.st_mode & (S_IWGRP | S_IWOTH) != 0
        guard !isShared || [geteuid(), folder.st_uid].contains(status.st_uid) else { throw .system(EACCES) }
    }

    /// Opens something that is not a regular file; a pipe once it has a reader.
    private static func openDirectly(
        _ path: String,
        isPipe: Bool,
        _ isCancelled: () -> Bool
    ) throws(FileFault) -> Int32 {
        while true {
            // A signal that another thread takes would not end a wait inside `open`.
            let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | (isPipe ? O_NONBLOCK : 0))
            if descriptor >= 0 {
                if isPipe { _ = fcntl(descriptor, F_SETFL, O_WRONLY) }
                return descriptor
            }
            guard errno == EINTR || (isPipe && errno == ENXIO) else { throw .system(errno) }
            if isCancelled() { throw .interrupted }
            usleep(20_000)
        }
    }
}
