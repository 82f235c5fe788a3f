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
        for name in try Self.names(in: folder) {
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

    /// The names in `folder`, through a descriptor of its own, which starts at the first.
    private static func names(in folder: borrowing FileDescriptor) throws(InputFault) -> [[UInt8]] {
        let number = try FileDescriptor(name: [UInt8(ascii: ".")], in: folder).release()
        do throws(FolderStream.Failure) { return try FolderStream(taking: number).names() } catch {
            throw InputFault(systemError: error.systemError)
        }
    }
}
