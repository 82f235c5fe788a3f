import ArgumentParser
import ExportPipeline
import HealthExport
import HealthKitMapping

/// The files that a run reads, keeps or writes: nothing else that it writes may replace one of them, with or without
/// `--force`.
struct UsedFiles {
    private var files: [FileIdentity] = []
    /// Folders that are read, and which of the files in them, by their paths within the folder.
    private var folders: [(path: String, isRead: (String) -> Bool)] = []

    /// Begins with the settings file.
    init() { add(SettingsFile.path) }

    /// Adds what the export or the Bundles are read from.
    mutating func add(input path: String) {
        if let file = FileIdentity(ofInput: path) { files.append(file) }
        addMembers(of: path)
        if FileKind(of: path + "/manifest.json") != nil { add(bundles: path) }
    }

    /// Adds the files of a folder that `--split` and `--format resources` write, whether they exist or not.
    mutating func add(bundles folder: String) {
        folders.append((folder, { $0 == "manifest.json" || FormerOutput.isOurs($0) }))
    }

    /// Adds the files that lie in Apple's folders within an unpacked export.
    mutating func addMembers(of export: String) {
        guard FileKind(of: export) == .folder else { return }
        folders.append((export, { ExportMember.Kind(path: $0) != .other }))
    }

    /// Adds the files of another mapping; does nothing for `nil`.
    mutating func add(profiles folder: String?) {
        if let folder { folders.append((folder, { MappingTable.profileFiles.contains($0) })) }
    }

    /// Adds the file at a path, whether it exists or not; does nothing for `nil`.
    mutating func add(_ path: String?) {
        if let path, let file = FileIdentity(path) { files.append(file) }
    }

    /// Refuses to write to one of them, or to what would become one of them.
    ///
    /// - Throws: `ValidationError`.
    func check(_ path: String, of option: String) throws {
        let isMember = folders.contains { RealPath.member(path, of: $0.path).map($0.isRead) ?? false }
        let isNamed = FileIdentity(path).map(files.contains) ?? false
        guard isMember || isNamed else { return }
        guard isNamed || FileKind(of: path) != nil else {
            throw ValidationError(
                "\(option): '\(path)' would be taken for a part of what is read (expected another folder): choose one"
            )
        }
        throw ValidationError("\(option): '\(path)' is used already (expected another file): choose another name")
    }
}
