import Glibc

/// The direct contents of one folder: regular files and folders, and the names of the rest.
struct FolderListing {
    /// One entry, with the name's bytes as the file system has them.
    struct Entry {
        let name: [UInt8]
        let isFolder: Bool
        let stamp: ListedStamp
    }

    /// In the order of their names' bytes, so that a run does not depend on the file system.
    let entries: [Entry]
    /// The names of symbolic links, which are not followed, in the same order.
    let links: [[UInt8]]
    /// The names of pipes, sockets and devices, which are not opened, in the same order.
    let others: [[UInt8]]

    /// Lists `folder`, which stays open.
    init(of folder: borrowing FileDescriptor) throws(InputFault) {
        var entries: [Entry] = []
        var links: [[UInt8]] = []
        var others: [[UInt8]] = []
        for name in try Self.names(in: folder) {
            let (kind, stamp): (FileDescriptor.FileKind, ListedStamp)
            do throws(InputFault) { (kind, stamp) = try folder.status(ofEntry: name) } catch {
                // It may have been removed since the listing. A folder that may be listed but not searched is not read
                // at all.
                guard error == .missing else { throw error }
                continue
            }
            switch kind {
            case .regularFile, .folder:
                entries.append(Entry(name: name, isFolder: kind == .folder, stamp: stamp))
            case .symbolicLink: links.append(name)
            case .stream, .other: others.append(name)
            }
        }
        self.entries = entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        self.links = links.sorted { $0.lexicographicallyPrecedes($1) }
        self.others = others.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The names in `folder`, through a new descriptor, which starts at the first.
    private static func names(in folder: borrowing FileDescriptor) throws(InputFault) -> [[UInt8]] {
        let number = try FileDescriptor(name: [UInt8(ascii: ".")], in: folder).release()
        do throws(FolderStream.Failure) { return try FolderStream(taking: number).names() } catch {
            throw InputFault(systemError: error.systemError)
        }
    }
}
