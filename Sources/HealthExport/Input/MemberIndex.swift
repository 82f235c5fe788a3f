/// The files next to the main XML, by kind and by the path that the XML uses for them.
struct MemberIndex: Sendable {
    /// Every file in one of the folders that Apple makes, in the order of their names' bytes.
    private var members: [(path: [UInt8], member: ExportMember)] = []
    /// Indices in `members` by the path from Apple's folder on.
    ///
    /// Swift treats canonically equivalent strings as equal, so a name in NFC finds one in NFD.
    private var places: [String: [Int]] = [:]
    /// One member for all files of a folder that can't be listed, by kind.
    private var unlisted: [ExportMember.Kind: ExportMember] = [:]

    /// Whether the files that a run reads are still the same and unchanged; files that it does not read may come and
    /// go, such as those that the run itself writes there.
    func reads(_ files: [(path: [UInt8], stamp: ListedStamp?)], unlisted: [ExportMember.Kind]) -> Bool {
        let now = files.filter { Self.isRead($0.path) }.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        let known = members.lazy.filter { Self.isRead($0.path) }
        return Set(unlisted) == Set(self.unlisted.keys)
            && now.elementsEqual(known) { file, member in
                guard case .folder(_, let stamp) = member.member.place else { return false }
                return file.path == member.path && file.stamp == stamp
            }
    }

    /// Whether a run reads a file of this path; attachments are only counted.
    private static func isRead(_ path: [UInt8]) -> Bool {
        switch ExportMember.Kind(memberPath: path) {
        case .electrocardiogram: isCSV(path)
        case .workoutRoute, .clinicalRecord: true
        case .clinicalDocument, .attachment, .other, nil: false
        }
    }

    /// No files at all, as with a bare XML file.
    init() {}

    /// The input itself as the only member.
    init(itself kind: ExportMember.Kind, byteCount: UInt64) {
        members = [([], ExportMember(kind: kind, ordinal: 1, byteCount: byteCount, place: .input))]
    }

    /// Sorts files by their paths, without folders and what operating systems add.
    ///
    /// A folder that can't be listed counts as one more file, which stands for all in it.
    init(
        _ files: [(path: [UInt8], byteCount: UInt64, place: ExportMember.Place)],
        unlisted: [ExportMember.Kind] = []
    ) {
        var counts: [ExportMember.Kind: Int] = [:]
        for file in files.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
            guard let kind = ExportMember.Kind(memberPath: file.path), Self.kinds.contains(kind) else { continue }
            counts[kind, default: 0] += 1
            let isRead = kind != .electrocardiogram || Self.isCSV(file.path)
            let member = ExportMember(
                kind: kind,
                ordinal: counts[kind, default: 1],
                byteCount: file.byteCount,
                place: isRead ? file.place : .unreadable(.notCSV)
            )
            if let key = Self.key(of: file.path) { places[key, default: []].append(members.count) }
            members.append((file.path, member))
        }
        for kind in unlisted {
            counts[kind, default: 0] += 1
            let ordinal = counts[kind, default: 1]
            let folder = ExportMember(kind: kind, ordinal: ordinal, byteCount: 0, place: .unreadable(.unlistedFolder))
            members.append(([], folder))
            if self.unlisted[kind] == nil { self.unlisted[kind] = folder }
        }
    }

    /// The kinds whose files are known one by one; the others are only counted.
    static let kinds: Set<ExportMember.Kind> = [.electrocardiogram, .workoutRoute, .clinicalRecord, .attachment]

    func members(of kind: ExportMember.Kind) -> [ExportMember] {
        members.lazy.map(\.member).filter { $0.kind == kind }
    }

    /// The file that the XML calls `path`.
    ///
    /// If several names are equivalent, it is the one with the same bytes, otherwise the first. A file that is not
    /// found may be in a folder that can't be listed.
    func member(at path: String) -> ExportMember? {
        let bytes = Array(path.utf8)
        guard let key = Self.key(of: bytes) else { return nil }
        guard let found = places[key] else {
            return ExportMember.Kind(memberPath: Array(key.utf8)).flatMap { unlisted[$0] }
        }
        let exact = found.first { members[$0].path.suffix(key.utf8.count).elementsEqual(key.utf8) }
        return (exact ?? found.first).map { members[$0].member }
    }

    private static func isCSV(_ path: [UInt8]) -> Bool { ExportMember.Kind.lowercased(path.suffix(4)) == ".csv" }

    /// The path from the last of Apple's folders on, such as `workout-routes/route.gpx`.
    ///
    /// - Returns: `nil` if there is no such folder, and for a path that contains `..`.
    private static func key(of path: [UInt8]) -> String? {
        let parts = ExportMember.Kind.parts(of: path)
        guard !path.contains(0), !parts.contains(where: { $0.elementsEqual("..".utf8) }),
            let folder = parts.dropLast().lastIndex(where: {
                ExportMember.Kind.folderNames.contains(ExportMember.Kind.lowercased($0))
            })
        else { return nil }
        return parts[folder...].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }
}
