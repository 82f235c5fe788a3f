import Glibc

/// The process's environment.
enum Environment {
    /// A variable; `nil` where it is empty too.
    static subscript(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
