package import HealthExport

extension Malformation {
    /// One line for people: `line 177, byte 18210, Record: a character that XML forbids; replaced by U+FFFD`.
    ///
    /// Says where and what, never what the file contains there.
    package var words: String {
        if let file, file.fault == .unlistedFolder {
            return "folder of \(file.kind.words)s: \(MemberFault.unlistedFolder.words)"
        }
        let file = file.map { "\($0.kind.words) \($0.ordinal)" }
        let spot = self.file != nil && line == 0 ? nil : "line \(line), byte \(byte)"
        let place = [file, spot, element?.text].compactMap(\.self).joined(separator: ", ")
        return "\(place): \(self.file?.fault?.words ?? kind.words)"
    }
}

extension MemberFault {
    /// What is wrong with the file, and what was done about it.
    var words: String {
        switch self {
        case .tooLarge: Malformation.Kind.largeFile.words
        case .damaged, .gone, .readFailure: Malformation.Kind.unreadableFile.words
        case .encrypted: "encrypted; it was left out: unpack the zip and give the folder"
        case .unsupportedCompression(let method):
            "compressed by zip method \(method), not 0 or 8; it was left out: unpack the zip and give the folder"
        case .notCSV: "no .csv file, such as one that is not downloaded or not copied to its end; it was left out"
        case .notUTF8:
            "not UTF-8: an editor or a spreadsheet may have saved it; it was left out: take the file that Health made"
        case .symbolicLink: "a symbolic link, which is not followed; it was left out"
        case .unlistedFolder: "can't be listed, or is a symbolic link, which is not followed; nothing in it was read"
        }
    }
}

extension Malformation.Kind {
    /// What is wrong, and what was done about it.
    var words: String {
        switch self {
        case .forbiddenCharacter: "a character that XML forbids, or bytes that are not UTF-8; replaced by U+FFFD"
        case .forbiddenName:
            "a character that XML forbids, in a name; replaced by U+FFFD: what has that name was left out"
        case .doubledStartDate: "startDate twice, as iOS 16.0 wrote it; the second was read as endDate"
        case .doubledIdentifier: "identifier twice, as phones write it for several pictures; the second was left out"
        case .notWellFormed: "not well-formed XML; the element was left out"
        case .duplicateAttribute: "an attribute twice in one tag; the element was left out"
        case .undefinedEntity: "a reference to an entity that XML does not define; the element was left out"
        case .tooLarge:
            "an attribute above 10 MB, an element above 16 MB, more than 1,000 attributes or more than 100 namespaces; the "
                + "element was left out"
        case .strayText: "text between elements, where Apple writes none; it was left out"
        case .truncated: "the file ends before </HealthData>; an element that it ends in was left out"
        case .contentAfterEnd: "something follows </HealthData>; it was left out"
        case .unusableRecord:
            "no type, a date that is not \"YYYY-MM-DD HH:MM:SS ±HHMM\", or a source name above 1,024 bytes; the element was left "
                + "out"
        case .endBeforeStart: "the end is before the start; only the start is used"
        case .otherOwner: "not what the first Me says, as if of another person; it was left out"
        case .unreadableFile: "the file is empty, damaged or went away; it was left out"
        case .tooManyFiles:
            "refers to a file, after more others than any real export has; the file was left out"
        case .largeFile: "larger than any such file; it was left out"
        case .electrocardiogramHeader: "no recorded date in the third row; it was left out"
        case .electrocardiogramRate: "no sample rate of 10 to 100,000 hertz; it was left out"
        case .electrocardiogramEmpty: "no samples; it was left out"
        case .electrocardiogramSample: "a sample that is not a number like the others; it was left out"
        case .electrocardiogramColumns: "several numbers in a line; it was left out"
        }
    }
}

extension ExportMember.Kind {
    /// `electrocardiogram`, `workout route`.
    var words: String {
        switch self {
        case .electrocardiogram: "electrocardiogram"
        case .workoutRoute: "workout route"
        case .clinicalRecord: "clinical record"
        case .clinicalDocument: "clinical document"
        case .attachment: "attachment"
        case .other: "other file"
        }
    }
}
