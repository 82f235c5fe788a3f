/// An unpacked export: the folder that holds the main XML, or the one around it.
struct FolderExport: Sendable {
    /// One file in one of the two folders.
    fileprivate struct File {
        let folder: Folder
        let name: [UInt8]
        let stamp: ListedStamp
    }

    fileprivate enum Folder {
        /// The folder that the user gave.
        case given
        /// The folder of this name inside it: `apple_health_export` in Apple's zip.
        case inner([UInt8])
    }

    private static let separator = Array("/".utf8)
    private static let innerFolderName = Array("apple_health_export".utf8)

    /// The folder that the user gave.
    let path: String
    private let mainXML: File

    /// The other files, by kind.
    let otherMembers: MemberCounts
    /// The other files that can be read.
    let members: MemberIndex

    /// Finds the main XML in the folder at `path` or in the one inside it.
    init(path: String) throws(InputFault) {
        var search = MainXMLSearch<File>()
        let given = try FolderListing(of: Self.open(.given, path: path))
        search.consider(filesOf: given, in: .given)
        let inner = try Self.innerFolders(of: given, path: path)
        for (name, listing, isLikely) in inner {
            search.consider(filesOf: listing, in: .inner(name), onlyXML: !isLikely)
        }
        do throws(InputFault) {
            mainXML = try search.onlyExport { file throws(InputFault) in
                var reader = try Self.open(file, path: path)
                return reader.head(upTo: ContentKind.headByteCount)
            }
        } catch {
            let links = given.links + inner.filter(\.isLikely).flatMap(\.listing.links)
            guard error == .noExportInside, let link = links.first(where: Self.seemsMain) else { throw error }
            throw .symbolicLink(name: printableASCII(link))
        }
        self.path = path
        let (listing, above): (FolderListing, [[UInt8]])
        if case .inner(let name) = mainXML.folder, let inner = inner.first(where: { $0.name == name }) {
            (listing, above) = (inner.listing, [name])
        } else {
            (listing, above) = (given, [])
        }
        let (files, unlisted, _) = Self.otherFiles(
            in: try Self.open(mainXML.folder, path: path),
            listing,
            except: mainXML.name
        )
        var otherMembers = MemberCounts()
        for file in files { otherMembers.count(memberPath: Array(file.names.joined(separator: Self.separator))) }
        for kind in unlisted { otherMembers.count(kind) }
        self.otherMembers = otherMembers
        members = MemberIndex(
            files.map { file in
                (
                    Array(file.names.joined(separator: Self.separator)), file.stamp?.byteCount ?? 0,
                    .folder(above + file.names, file.stamp)
                )
            },
            unlisted: unlisted
        )
    }

    /// The main XML's name below the folder that was given, such as `apple_health_export/export.xml`.
    var mainMemberName: [UInt8] {
        switch mainXML.folder {
        case .given: mainXML.name
        case .inner(let name): name + Self.separator + mainXML.name
        }
    }

    /// Which file the main XML is.
    var mainFile: (device: UInt64, inode: UInt64) {
        get throws(InputFault) {
            try FileDescriptor(name: mainXML.name, in: Self.open(mainXML.folder, path: path)).identity()
        }
    }

    /// Whether files that a run may read were added, removed, replaced or written to since the folder was listed.
    ///
    /// - Throws: a failure of the system to read, which says nothing about the folder.
    func hasChanged() throws(InputFault) -> Bool {
        do throws(InputFault) {
            let folder = try Self.open(mainXML.folder, path: path)
            let listing = try FolderListing(of: folder)
            guard listing.entries.contains(where: { $0.name == mainXML.name && $0.stamp == mainXML.stamp }) else {
                return true
            }
            let (files, unlisted, failure) = Self.otherFiles(in: folder, listing, except: mainXML.name)
            if let failure { throw failure }
            let now = files.map { (path: Array($0.names.joined(separator: Self.separator)), stamp: $0.stamp) }
            return !members.reads(now, unlisted: unlisted)
        } catch {
            guard case .readFailure = error else { return true }
            throw error
        }
    }

    /// Opens the main XML from its first byte.
    func openMainXML() throws(InputFault) -> DescriptorReader {
        try Self.open(mainXML, path: path)
    }

    private static func open(_ folder: Folder, path: String) throws(InputFault) -> FileDescriptor {
        let given = try FileDescriptor(path: path)
        return switch folder {
        case .given: given
        case .inner(let name): try FileDescriptor(name: name, in: given)
        }
    }

    /// The folders in the given one that may hold an export.
    ///
    /// A second unpacking lies next to the first (`apple_health_export 2`), and only the user can say which is meant. A
    /// folder is likely to hold an export if it has Apple's name, or if it is the only one and no XML lies next to it,
    /// whatever it is called. In the others, which may be many, only XML files are considered.
    private static func innerFolders(
        of given: FolderListing,
        path: String
    ) throws(InputFault) -> [(name: [UInt8], listing: FolderListing, isLikely: Bool)] {
        // Hidden folders and those that macOS adds hold no export, nor do those that Apple creates inside an export.
        let names = given.entries.filter(\.isFolder).map(\.name).filter {
            $0.first != UInt8(ascii: ".") && $0 != Array("__MACOSX".utf8) && ExportMember.Kind(folderName: $0) == nil
        }
        let hasXML = given.entries.contains { !$0.isFolder && seemsMain($0.name) }
        var folders: [(name: [UInt8], listing: FolderListing, isLikely: Bool)] = []
        for name in names {
            let isLikely = name == innerFolderName || (names.count == 1 && !hasXML)
            do throws(InputFault) {
                folders.append((name, try FolderListing(of: open(.inner(name), path: path)), isLikely))
            } catch {
                if isLikely { throw error }
            }
        }
        return folders
    }

    private static func open(_ file: File, path: String) throws(InputFault) -> DescriptorReader {
        let descriptor = try FileDescriptor(name: file.name, in: open(file.folder, path: path))
        // Since the listing, a pipe may have replaced the file, or another export the folder.
        guard let found = try descriptor.listedStamp() else { throw .notAFileOrFolder }
        guard found == file.stamp else { throw .fileChanged }
        return try DescriptorReader(descriptor)
    }

    /// Whether an entry has the name of a main XML or of the folder around it.
    fileprivate static func seemsMain(_ name: [UInt8]) -> Bool {
        name == innerFolderName || ExportMember.Kind.lowercased(name.suffix(4)) == ".xml"
    }

    /// Files by their names, the kinds of folders that can't be listed, and the first failure to read one.
    private typealias Files = (
        files: [(names: [[UInt8]], stamp: ListedStamp?)], unlisted: [ExportMember.Kind], failure: InputFault?
    )

    /// Nobody sorts Apple's files into deeper folders, and each level takes a file descriptor.
    private static let maximumDepth = 16

    /// The files next to the main XML and those in Apple's folders, at any depth as in a zip, and the kinds of folders
    /// that can't be listed.
    ///
    /// A link counts as a file that can't be read or a folder that can't be listed: it may lead to another person's. A
    /// pipe in one of Apple's folders counts as a file that can't be read.
    private static func otherFiles(
        in folder: borrowing FileDescriptor,
        _ listing: FolderListing,
        except mainXMLName: [UInt8]
    ) -> Files {
        var found: Files = ([], [], nil)
        for entry in listing.entries where entry.name != mainXMLName {
            guard entry.isFolder else {
                found.files.append(([entry.name], entry.stamp))
                continue
            }
            if let kind = ExportMember.Kind(folderName: entry.name) {
                addFiles(of: kind, in: folder, below: [entry.name], to: &found)
            } else if entry.name.first != UInt8(ascii: ".") {
                // Other folders are not looked into: each counts as one more file that nobody reads.
                found.files.append(([entry.name], nil))
            }
        }
        for link in listing.links {
            guard let kind = ExportMember.Kind(folderName: link) else {
                found.files.append(([link], nil))
                continue
            }
            found.unlisted.append(kind)
        }
        return found
    }

    /// Adds all files in the last of the folders `names`, whose parent is `parent`.
    private static func addFiles(
        of kind: ExportMember.Kind,
        in parent: borrowing FileDescriptor,
        below names: [[UInt8]],
        to found: inout Files
    ) {
        // A folder that can't be listed must not prevent the main XML from being read.
        guard names.count <= maximumDepth, let name = names.last else { return found.unlisted.append(kind) }
        do throws(InputFault) {
            let folder = try FileDescriptor(name: name, in: parent)
            let listing = try FolderListing(of: folder)
            for entry in listing.entries {
                if entry.isFolder {
                    addFiles(of: kind, in: folder, below: names + [entry.name], to: &found)
                } else {
                    found.files.append((names + [entry.name], entry.stamp))
                }
            }
            found.files += (listing.links + listing.others).map { (names + [$0], nil) }
        } catch {
            if case .readFailure = error { found.failure = found.failure ?? error }
            found.unlisted.append(kind)
        }
    }
}

extension MainXMLSearch<FolderExport.File> {
    fileprivate mutating func consider(
        filesOf listing: FolderListing,
        in folder: FolderExport.Folder,
        onlyXML: Bool = false
    ) {
        for entry in listing.entries where !entry.isFolder && (!onlyXML || FolderExport.seemsMain(entry.name)) {
            let file = FolderExport.File(folder: folder, name: entry.name, stamp: entry.stamp)
            consider(file, name: entry.name, byteCount: entry.stamp.byteCount)
        }
    }
}
