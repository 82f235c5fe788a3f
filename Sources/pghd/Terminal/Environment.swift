import Glibc

/// The process's environment.
enum Environment {
    /// A variable; `nil` where it is empty too.
    static subscript(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The name of a variable with a path in it that no text can hold: another folder would be taken for it.
    static var nameOfUnreadable: String? {
        let folders = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "CREDENTIALS_DIRECTORY"]
        return (folders + Setting.allCases.map(\.variable)).first { name in
            guard let value = unsafe getenv(name) else { return false }
            return unsafe String(validatingCString: value) == nil
        }
    }

    /// A folder of the user's, as the XDG Base Directory Specification has it: what the variable holds, if that is a path
    /// from `/` on, else a place below the home; `nil` where nothing tells a home.
    ///
    ///     Environment.folder("XDG_STATE_HOME", orHome: ".local/state")
    static func folder(_ name: String, orHome place: String) -> String? {
        if let folder = self[name], folder.hasPrefix("/") { return folder }
        return self["HOME"].map { "\($0)/\(place)" }
    }
}
