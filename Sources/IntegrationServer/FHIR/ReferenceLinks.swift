/// What references are replaced by, such as `urn:uuid:…` by `Observation/1`.
///
/// Compares bytes, as the store does: as text, two spellings of an accent are the same, and one of two resources would be
/// taken for the other.
struct ReferenceLinks: Sendable {
    private var targets: [[UInt8]: String] = [:]

    var isEmpty: Bool { targets.isEmpty }
    var count: Int { targets.count }

    subscript(reference: String) -> String? {
        get { targets[Array(reference.utf8)] }
        set { targets[Array(reference.utf8)] = newValue }
    }
}
