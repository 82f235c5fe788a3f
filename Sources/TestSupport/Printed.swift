/// All that printing, interpolating and dumping values brings to light: no secret may be in it.
///
/// - Parameter values: of any types.
/// - Returns: the texts, one behind the other.
public func printed(_ values: [Any]) -> String {
    var text = ""
    for value in values {
        dump(value, to: &text)
        text += "\(value) \(String(reflecting: value)) \([value])\n"
    }
    return text
}
