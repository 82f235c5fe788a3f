import ArgumentParser

/// The files that a run reads, keeps or writes: no other thing that it writes may take the place of one, with
/// `--force` or without.
struct UsedFiles {
    private var files: [FileIdentity] = []

    /// None yet.
    init() {}

    /// Adds what the export or the Bundles are read from.
    mutating func add(input path: String) {
        if let file = FileIdentity(ofInput: path) { files.append(file) }
    }

    /// Adds the file at a path, there or not; `nil` is none.
    mutating func add(_ path: String?) {
        if let path, let file = FileIdentity(path) { files.append(file) }
    }

    /// Refuses to write to one of them.
    ///
    /// - Throws: `ValidationError`.
    func check(_ path: String, of option: String) throws {
        guard let file = FileIdentity(path), files.contains(file) else { return }
        throw ValidationError("\(option): '\(path)' is used already (expected another file): choose another name")
    }
}
