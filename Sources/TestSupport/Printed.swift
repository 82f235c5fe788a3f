/// Everything that printing, interpolating and dumping values shows; no secret may be in it.
///
/// - Parameter values: values of any types.
/// - Returns: the texts, one after the other.
public func printed(_ values: [Any]) -> String {
    var text = ""
    for value in values {
        dump(value, to: &text)
        text += "\(value) \(String(reflecting: value)) \([value])\n"
    }
    return text
}
