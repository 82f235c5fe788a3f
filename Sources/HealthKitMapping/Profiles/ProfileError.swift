/// Why the files of a mapping can't be used: which file, where in it, and what was expected.
public enum ProfileError: Error, Equatable, Sendable {
    /// A file could not be read, for the reason given in words.
    case unreadable(file: String, reason: String)
    /// A file isn't JSON.
    case notJSON(file: String)
    /// What a file says at a key is missing, is of the wrong kind, or contradicts something else.
    case invalid(file: String, key: String, problem: String, expected: String)
}

extension ProfileError: CustomStringConvertible {
    /// One line: `ConceptMap-healthkit-types.json: group[0].target: missing (expected a string): …`.
    public var description: String {
        switch self {
        case .unreadable(let file, let reason):
            "\(file): cannot be read, \(reason) (expected one of the files of profiles/): complete the folder"
        case .notJSON(let file):
            "\(file): not JSON (expected a FHIR resource): correct the file"
        case .invalid(let file, let key, let problem, let expected):
            "\(file): \(key): \(problem) (expected \(expected)): correct the file"
        }
    }
}
