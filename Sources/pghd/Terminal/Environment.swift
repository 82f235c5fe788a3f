import Glibc

/// The process's environment.
enum Environment {
    /// The value of a variable; `nil` where it is not set or empty.
    static subscript(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The name of a variable that holds a path and is not UTF-8: another folder would be used in its place.
    static var nameOfUnreadable: String? {
        let folders = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "CREDENTIALS_DIRECTORY"]
        return (folders + Setting.allCases.map(\.variable)).first { name in
            guard let value = unsafe getenv(name) else { return false }
            return unsafe String(validatingCString: value) == nil
        }
    }

    /// A folder of the user's, by the XDG Base Directory Specification: the variable's value if that is an absolute
    /// path, else a place below the home; `nil` where no home is known.
    ///
    ///     Environment.folder("XDG_STATE_HOME", orHome: ".local/state")
    static func folder(_ name: String, orHome place: String) -> String? {
        if let folder = self[name], folder.hasPrefix("/") { return folder }
        return self["HOME"].map { "\($0)/\(place)" }
    }
}
