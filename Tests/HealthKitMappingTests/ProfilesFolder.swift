import Foundation

/// The repository's `profiles/`, and temporary copies of it with one thing broken.
enum ProfilesFolder {
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let path = repository.appending(path: "profiles")

    static func text(of name: String) throws -> String {
        try String(contentsOf: path.appending(path: name), encoding: .utf8)
    }

    static var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: path.path()).filter {
                $0.wholeMatch(of: /(CodeSystem|ConceptMap)-.*\.json/) != nil
            }.sorted()
        }
    }

    /// Copies the folder, lets `change` alter the copy, and removes it after `body`.
    static func withCopy<Result>(
        change: (URL) throws -> Void,
        body: (String) throws -> Result
    ) throws -> Result {
        let copy = FileManager.default.temporaryDirectory.appending(path: "pghd-profiles-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: path, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        try change(copy)
        return try body(copy.path())
    }
}
