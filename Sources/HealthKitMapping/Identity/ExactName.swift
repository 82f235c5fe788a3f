internal import HealthExport

extension Dictionary where Key == String {
    /// The value for a name of exactly these bytes.
    ///
    /// Swift considers canonically equivalent strings equal, so U+212A KELVIN SIGN would find what `K` names;
    /// identities compare bytes, as any other language would.
    func value(ofExactly name: String) -> Value? {
        guard let index = index(forKey: name), self[index].key.isExactly(name) else { return nil }
        return self[index].value
    }
}
