extension String {
    /// Whether the two are the same bytes; Swift's `==` also takes canonically equivalent texts for equal.
    func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return utf8.elementsEqual(other.utf8)
    }
}

extension Dictionary where Key == String {
    /// The value for a name of exactly these bytes.
    ///
    /// Swift takes strings for equal that are canonically equivalent, so U+212A KELVIN SIGN
    /// would find what `K` names; identities compare bytes, as any other language would.
    func value(ofExactly name: String) -> Value? {
        guard let index = index(forKey: name), self[index].key.utf8.elementsEqual(name.utf8) else { return nil }
        return self[index].value
    }
}
