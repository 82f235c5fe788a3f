import Glibc

/// A watched export, held open: what is checked is what is synced, even if something else takes its name.
///
/// Otherwise anyone who may write into one patient's folder could put a link to another's export there just before it
/// is read, and anyone who may rename that folder a link to another's.
final class WatchedFile {
    /// For a run, which gets it as its standard input.
    let descriptor: Int32
    /// Whether it begins like a zip, or is named like one and does not begin like XML.
    ///
    /// A download that a browser has begun may hold zeros at first.
    private(set) var isZip = false

    /// Opens it; `nil` where it has changed since, something else has taken its place, or another program has it for
    /// itself.
    ///
    /// - Parameter export: as it was seen.
    /// - Throws: `.unreadable`.
    init?(_ export: WatchedExport) throws(WatchedFolder.Fault) {
        let slash = export.path.lastIndex(of: "/") ?? export.path.startIndex
        let folder = unsafe open(String(export.path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        defer { if folder >= 0 { close(folder) } }
        let name = String(export.path[slash...].dropFirst())
        // A pipe may have taken its place.
        descriptor = folder < 0 ? -1 : unsafe openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            // The last is a lease, which this has broken: it ends within a minute.
            if [ENOENT, ENOTDIR, ELOOP, EWOULDBLOCK].contains(errno) { return nil }
            throw .unreadable(errno)
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            WatchedExport.Stamp(status) == export.stamp
        else { return nil }
        isZip = Self.isZip(descriptor, export)
    }

    private static func isZip(_ descriptor: Int32, _ export: WatchedExport) -> Bool {
        var head = [UInt8](repeating: 0, count: 64)
        let count = unsafe head.withUnsafeMutableBytes { bytes in
            unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        let text = head.prefix(max(count, 0))
        let markup = text.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        // A web page, which a download gets once its sign-in has ended, has no end to wait for: its run reports it.
        let word = String(decoding: markup.prefix(14), as: UTF8.self).lowercased()
        let isPage = word.hasPrefix("<!doctype html") || word.hasPrefix("<html")
        let isXML = markup.first == UInt8(ascii: "<") && !isPage
        return text.starts(with: "PK".utf8) || (WatchedFolder.isZip(export.path) && !isXML)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether the file has its end: a zip its directory, XML its closing tag.
    ///
    /// A copy that is under way grows, and may pause for longer than anybody waits. If XML is cut short, `sync` would
    /// send what is there.
    ///
    /// - Throws: `.unreadable`.
    func isWhole() throws(WatchedFolder.Fault) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        let size = Int(status.st_size)
        // A zip's end record and the longest comment after it.
        var tail = [UInt8](repeating: 0, count: min(size, 22 + 65_535))
        let count = unsafe tail.withUnsafeMutableBytes { bytes in
            unsafe pread(descriptor, bytes.baseAddress, bytes.count, size - bytes.count)
        }
        guard count >= 0 else { throw .unreadable(errno) }
        guard count == tail.count else { return false }
        if !isZip { return XMLEnding.isWhole(tail) }
        var start = tail.count - 22
        while start >= 0 {
            let comment = Int(tail[start + 20]) | Int(tail[start + 21]) << 8
            if tail[start...].starts(with: [0x50, 0x4B, 5, 6]), start + 22 + comment == tail.count { return true }
            start -= 1
        }
        return false
    }
}
