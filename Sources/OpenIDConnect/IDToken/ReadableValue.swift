/// A JSON value that jwt-kit can read in a header: it ends the process on a whole number that does not fit an `Int`.
struct ReadableValue: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Name.self) {
            for name in object.allKeys { _ = try object.decode(Self.self, forKey: name) }
            return
        }
        if var list = try? decoder.unkeyedContainer() {
            while !list.isAtEnd { _ = try list.decode(Self.self) }
            return
        }
        let value = try decoder.singleValueContainer()
        guard let number = try? value.decode(Double.self), number.truncatingRemainder(dividingBy: 1) == 0 else {
            return
        }
        guard Int(exactly: number) != nil else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "a number that no Int holds")
        }
    }
}
