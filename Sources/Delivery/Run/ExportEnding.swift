/// What is known once an export has been handed in to its end, unfiltered and with nothing possibly lost.
public struct ExportEnding: Sendable, Equatable {
    /// When the export was made, in seconds since 1970.
    public var exportDate: Int64
    /// Whether what it no longer holds was deleted: not so for bare XML, whose files are elsewhere.
    public var holdsAll: Bool

    /// Whether files that nothing in the export names may be missing from it: electrocardiograms, in a folder that
    /// somebody copied.
    public var mayLackFiles: Bool

    /// An ending as given.
    public init(exportDate: Int64, holdsAll: Bool, mayLackFiles: Bool = false) {
        self.exportDate = exportDate
        self.holdsAll = holdsAll
        self.mayLackFiles = mayLackFiles
    }
}
