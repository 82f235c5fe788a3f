// Foundation reads files and JSON here, once at the start.
import FoundationEssentials
import OpenSSLCrypto

/// The files of a mapping, decoded but not yet compared.
struct ProfileSet {
    let codeSystem: Profile<CodeSystemResource>
    let types: Profile<ConceptMapResource>
    let units: Profile<ConceptMapResource>
    /// The maps of the names of enumeration cases, in the order of `valueMaps`.
    let values: [Profile<ConceptMapResource>]

    /// A file's name in messages, and its bytes.
    typealias Contents = (file: String, bytes: Data)

    /// Decodes all files of a folder.
    ///
    /// - Parameter contents: gives the bytes for a file's name.
    /// - Throws: ``ProfileError`` for a file that is missing or is not the resource expected.
    init(contents: (String) throws(ProfileError) -> Contents) throws(ProfileError) {
        codeSystem = try Profile(contents(Self.files[0]))
        types = try Profile(contents(Self.files[1]))
        units = try Profile(contents(Self.files[2]))
        var values: [Profile<ConceptMapResource>] = []
        for map in Self.valueMaps { values.append(try Profile(contents(map))) }
        self.values = values
    }

    /// The files that are built into the program.
    init() throws(ProfileError) {
        codeSystem = try Profile(embedded: Self.files[0])
        types = try Profile(embedded: Self.files[1])
        units = try Profile(embedded: Self.files[2])
        var values: [Profile<ConceptMapResource>] = []
        for map in Self.valueMaps { values.append(try Profile(embedded: map)) }
        self.values = values
    }

    /// The maps from the names of enumeration cases to codes; together they are one table.
    private static let valueMaps = [
        "ConceptMap-healthkit-category-values.json",
        "ConceptMap-healthkit-metadata.json",
        "ConceptMap-healthkit-workouts.json",
        "ConceptMap-healthkit-characteristics.json",
    ]

    /// All files that the program reads.
    static let files =
        [
            "CodeSystem-healthkit.json",
            "ConceptMap-healthkit-types.json",
            "ConceptMap-healthkit-units.json",
        ] + valueMaps

    /// The SHA-256 of all files, one after the other; `nil` if they are the program's own.
    static func digest(of contents: (String) throws(ProfileError) -> Contents) throws(ProfileError) -> SHA256Digest? {
        var state = SHA256()
        var isOwn = true
        for file in files {
            let bytes = try contents(file).bytes
            var alone = SHA256()
            alone.update(Array(bytes))
            if alone.digest().hex != EmbeddedProfiles.file(file)?.digest { isOwn = false }
            state.update(Array(bytes))
        }
        return isOwn ? nil : state.digest()
    }

    /// The files of a folder.
    static func folder(_ folder: String) -> (String) throws(ProfileError) -> Contents {
        { (name: String) throws(ProfileError) -> Contents in
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            do {
                return (path, try Data(contentsOf: URL(filePath: path)))
            } catch {
                let reason =
                    switch (error as? CocoaError)?.code {
                    case .fileReadNoSuchFile?: "no such file"
                    case .fileReadNoPermission?: "permission denied"
                    default: "input error"
                    }
                throw .unreadable(file: path, reason: reason)
            }
        }
    }

    /// The version, which must be the same in all files: together they are one table.
    func commonVersion() throws(ProfileError) -> String {
        let version = codeSystem.resource.version
        for map in [types, units] + values where map.resource.version != version {
            throw map.error(
                at: "version",
                "\"\(map.resource.version)\"",
                expected: "\"\(version)\", as in \(codeSystem.file)"
            )
        }
        return version
    }
}

/// One file's resource, and the name that errors give for the file.
struct Profile<Resource: ProfileResource> {
    let file: String
    let resource: Resource

    init(_ contents: ProfileSet.Contents) throws(ProfileError) {
        file = contents.file
        do {
            resource = try JSONDecoder().decode(Resource.self, from: contents.bytes)
        } catch let error as DecodingError {
            throw ProfileError(error, file: contents.file)
        } catch {
            throw .notJSON(file: contents.file)
        }
        guard resource.resourceType == Resource.expectedType else {
            throw self.error(
                at: "resourceType",
                "\"\(resource.resourceType)\"",
                expected: "\"\(Resource.expectedType)\""
            )
        }
    }

    /// What is built into the program of a file.
    init(embedded name: String) throws(ProfileError) {
        guard let file = EmbeddedProfiles.file(name) else { throw .unreadable(file: name, reason: "not embedded") }
        self.file = name
        resource = Resource(ProfileRows(file.rows))
    }

    /// An error at a place in this file.
    func error(at key: String, _ problem: String, expected: String) -> ProfileError {
        .invalid(file: file, key: key, problem: problem, expected: expected)
    }
}

extension ProfileError {
    /// Puts a decoder's error in the project's words.
    fileprivate init(_ error: DecodingError, file: String) {
        switch error {
        case .keyNotFound(let key, let context):
            let path = Self.path(context.codingPath + [key])
            self = .invalid(file: file, key: path, problem: "missing", expected: "a value")
        case .valueNotFound(let type, let context), .typeMismatch(let type, let context):
            let path = Self.path(context.codingPath)
            self = .invalid(file: file, key: path, problem: "wrong kind of value", expected: Self.words(for: type))
        case .dataCorrupted:
            self = .notJSON(file: file)
        @unknown default:
            self = .notJSON(file: file)
        }
    }

    /// Such as `group[0].element[3].code`, or `the file` for its outermost value.
    private static func path(_ keys: [any CodingKey]) -> String {
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return path.isEmpty ? "the file" : path
    }

    private static func words(for type: any Any.Type) -> String {
        if type == String.self { return "a string" }
        return "\(type)".hasPrefix("Array") ? "a list" : "an object"
    }
}

extension EmbeddedProfiles {
    fileprivate static func file(_ name: String) -> (name: String, digest: String, rows: StaticString)? {
        files.first { $0.name == name }
    }
}
