/// An export in a zip, found by reading its members; nothing is unpacked to disk.
struct ZipExport: Sendable {
    let mainMember: ZipMember
    let mainMemberName: [UInt8]
    let otherMembers: MemberCounts
    /// The other members that can be read, among those below the folder that holds the main XML.
    let members: MemberIndex

    /// Finds the main XML in `archive` and counts the other members.
    init(_ archive: ZipArchive) throws(InputFault) {
        let memberCount = archive.memberCount
        guard memberCount <= ArchiveLimits.maximumMemberCount else { throw .tooManyMembers(count: memberCount) }
        var search = MainXMLSearch<ZipMember>()
        for index in 0..<memberCount {
            let member = try archive.member(at: index)
            search.consider(member, name: archive.name(at: index), byteCount: member.byteCount)
        }
        let mainMember = try search.onlyExport { member throws(InputFault) in
            var reader = try ZipMemberReader(member, in: archive)
            return reader.head(upTo: ContentKind.headByteCount)
        }
        let mainMemberName = archive.name(at: mainMember.index)
        let folder = Self.folders(of: mainMemberName)
        var otherMembers = MemberCounts()
        var files: [(path: [UInt8], byteCount: UInt64, place: ExportMember.Place)] = []
        var claim = ArchiveClaim(of: archive)
        claim.add(mainMember)
        for index in 0..<memberCount where index != mainMember.index {
            let name = archive.name(at: index)
            // Files elsewhere may be another person's.
            guard Self.folders(of: name).starts(with: folder, by: { $0.elementsEqual($1) }) else {
                otherMembers.countOther(memberPath: name)
                continue
            }
            // The names of the folders above say nothing about the files in this one.
            let path = MemberCounts.isDecoration(name) ? name : Array(Self.path(of: name, below: folder.count))
            otherMembers.count(memberPath: path)
            guard let kind = ExportMember.Kind(memberPath: path), MemberIndex.kinds.contains(kind) else { continue }
            let member = try archive.member(at: index)
            files.append((path, member.byteCount, .zip(member)))
            // A file that is too large is left out by itself, so that one wrong size costs one file.
            if kind != .attachment, member.byteCount <= ArchiveLimits.maximumFileByteCount { claim.add(member) }
        }
        try claim.check()
        members = MemberIndex(files)
        self.mainMember = mainMember
        self.mainMemberName = mainMemberName
        self.otherMembers = otherMembers
    }

    /// The folders that a member is in, the outermost first.
    private static func folders(of name: [UInt8]) -> [ArraySlice<UInt8>] {
        ExportMember.Kind.parts(of: name).dropLast().filter { !$0.elementsEqual(".".utf8) }
    }

    /// A member's path without its outermost `count` folders.
    private static func path(of name: [UInt8], below count: Int) -> some Sequence<UInt8> {
        let parts = folders(of: name).dropFirst(count) + ExportMember.Kind.parts(of: name).suffix(1)
        return parts.joined(separator: [UInt8(ascii: "/")])
    }

    /// Opens the main XML in `archive`, which was opened for this reader alone, so that the reader can move to another
    /// thread.
    func openMainXML(in archive: ZipArchive) throws(InputFault) -> ZipMemberReader {
        guard mainMember.index < archive.memberCount, try archive.member(at: mainMember.index) == mainMember else {
            throw .archiveChanged
        }
        return try ZipMemberReader(mainMember, in: archive)
    }
}
