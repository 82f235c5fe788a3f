extension ExportDate {
    /// The day of the export, such as `2024-07-01`, in the zone of the phone that made it.
    ///
    /// Needed before anything is parsed, since summaries much later in the file depend on it. The first
    /// `<ExportDate value="…"` counts; it comes before all samples.
    ///
    /// - Parameter head: the file's beginning, from the root's start tag on.
    /// - Returns: the first ten bytes of the value; `nil` if there is no such element or its value is not a date.
    static func day(in head: UnsafeRawBufferPointer) -> String? {
        let text = unsafe String(decoding: head, as: UTF8.self)
        guard let name = text.firstRange(of: "<ExportDate "),
            let end = text[name.upperBound...].firstIndex(of: ">"),
            let key = text[name.upperBound..<end].firstRange(of: "value=")
        else { return nil }
        let value = String(text[key.upperBound..<end].dropFirst().prefix(25))
        return seconds(value) == nil ? nil : String(value.prefix(10))
    }
}
