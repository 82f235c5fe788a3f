extension String {
    /// The text with `?` for characters that could rewrite a terminal's line, or begin another.
    public var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: text.append("?")
            // Joiners belong to scripts and emoji; other format characters turn the direction or hide.
            case .format where scalar != "\u{200C}" && scalar != "\u{200D}": text.append("?")
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
