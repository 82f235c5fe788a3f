import Glibc

/// One reason why an input can't be read, without the input's name.
///
/// Byte counts are those of the inflated main XML, unless the case says otherwise.
public enum InputFault: Error, Equatable, Sendable {
    /// There is nothing at the path.
    case missing
    /// The system refuses to open or list the input.
    case notPermitted
    /// The system reports this `errno` while opening or reading.
    case readFailure(systemError: Int32)
    /// A socket or a block device.
    case notAFileOrFolder
    /// A file or stream of 0 bytes.
    case empty
    /// A zip or folder in which no XML file begins with `<HealthData`.
    case noExportInside
    /// A folder in which the main XML, or the folder around it, seems to be a symbolic link; `name` is the link's, if
    /// it is printable ASCII.
    case symbolicLink(name: String?)
    /// A zip or folder in which two XML files begin with `<HealthData`.
    case severalExports
    /// A text or XML file that does not begin with `<HealthData`.
    case noHealthData
    /// A file that is neither text nor a zip.
    case binary
    /// FHIR resources, as `pghd convert` writes them.
    case resources
    /// A file compressed with gzip.
    case gzip
    /// An archive of another kind: tar, 7z, RAR, or a file compressed with xz, zstd or bzip2.
    case archive
    /// A file that begins with zeros, such as one whose bytes have not arrived yet.
    case zeros
    /// HTML, such as a download service's page that asks whether to download a large file.
    case webPage
    /// A zip or folder without an export but with iCloud's placeholder for a file that is not downloaded.
    case notDownloaded
    /// XML or other text in UTF-16 or UTF-32, named as `iconv` names it; Apple writes UTF-8.
    case wideCharacters(encoding: String, isXML: Bool)
    /// A zip or folder in which no XML begins with `<HealthData` but which holds a zip; `name` is that zip's, if it is
    /// printable ASCII.
    case zipInside(name: String?)
    /// A `.csv` file that does not begin like an electrocardiogram.
    case noElectrocardiogram
    /// A zip on standard input or a pipe, where the zip's directory can't be reached.
    case zipInStream
    /// An attempt to read standard input or a pipe a second time.
    case streamReadTwice
    /// A zip or folder whose only XML has 0 bytes.
    case emptyMainXML
    /// A zip without a directory: its end is missing.
    case truncatedArchive
    /// A zip of more than 4 GiB whose directory is not where its end says, as when the end counts in 32 bits.
    case largeArchive(byteCount: UInt64)
    /// A zip whose directory contradicts itself.
    case damagedArchive
    /// One part of a zip in several parts.
    case splitArchive
    /// A piece of a zip that was cut at arbitrary bytes, as its name shows: `export.zip.001`.
    case zipPiece
    /// More than 200,000 members.
    case tooManyMembers(count: UInt64)
    /// A directory of more than 32 MiB.
    case largeDirectory(byteCount: UInt64)
    /// The main XML needs a password.
    case encryptedMember
    /// The main XML is compressed by another method than 0 (stored) and 8 (deflated).
    case unsupportedCompression(method: UInt16)
    /// The directory claims more than 1 GiB for the members that are read, and more than 250 bytes for one of the zip.
    case expandsTooMuch(compressedByteCount: UInt64, byteCount: UInt64)
    /// The XML's elements refer to the same files again and again.
    case repeatsFiles
    /// The directory claims more than 64 GiB for the members that are read.
    case tooLarge(byteCount: UInt64)
    /// The zip was replaced or rewritten between two openings.
    case archiveChanged
    /// The file was written to while it was read.
    case fileChanged
    /// Files of a folder were added, removed, replaced or written to while it was read.
    case folderChanged
    /// The compressed bytes are wrong or missing after `byteOffset` good bytes of XML.
    case damagedMember(byteOffset: UInt64)
    /// The compressed data ends before the size that the directory states.
    case shortMember(byteCount: UInt64, statedByteCount: UInt64)
    /// The compressed data continues after the size that the directory states.
    case longMember(statedByteCount: UInt64)
    /// All bytes arrived, but their CRC-32 differs from the directory's.
    case wrongChecksum
}

extension InputFault: CustomStringConvertible {
    /// `what is wrong (expected what): what to do next`.
    public var description: String {
        let (wrong, expected, next) = parts
        return "\(wrong) (expected \(expected)): \(next)"
    }

    private var parts: (wrong: String, expected: String, next: String) {
        switch self {
        case .missing:
            ("no such file or folder", "a zip, a folder, an XML file, or - for standard input", "check the path")
        case .notPermitted:
            ("reading is not permitted", "a file or folder that you may read", "change its permissions")
        case .readFailure(let systemError):
            (
                "reading failed with system error \(systemError), \(systemText(systemError))",
                "a readable file", "check the disk and try again"
            )
        case .notAFileOrFolder:
            ("not a file, a folder or a pipe", "a zip, a folder or an XML file", "check the path")
        case .empty:
            ("0 bytes long", "an Apple Health export", exportAgain)
        case .noExportInside:
            (
                "no Apple Health export inside", "an XML file with <HealthData>",
                "give the zip or the folder that holds it, or \(exportAgain)"
            )
        case .symbolicLink(let name):
            (
                "\(name ?? "its XML") is a symbolic link, which is not followed", "the file or folder itself",
                "put it there, or give the path that it leads to"
            )
        case .severalExports:
            (
                "two Apple Health exports inside", "one, since the other files could be of either",
                "give each by itself, of a zip once it is unpacked"
            )
        case .noHealthData:
            ("no Apple Health export", "XML that begins with <HealthData>", giveTheZip)
        case .binary:
            ("a binary file", "a zip, or XML that begins with <HealthData>", giveTheZip)
        case .gzip:
            ("compressed with gzip", "a zip or plain XML", "unpack it with gunzip < FILE > OTHER")
        case .resources:
            ("FHIR resources", "an Apple Health export", "send Bundles of 'pghd convert' with 'pghd send'")
        case .archive:
            ("another archive than a zip", "a zip, a folder or plain XML", "unpack it and give what was in it")
        case .zeros:
            (
                "zeros at its beginning, as of a file that is not whole", "a zip, or XML that begins with <HealthData>",
                fetchAgain
            )
        case .webPage:
            ("a web page", "a zip, or XML that begins with <HealthData>", "download the zip itself")
        case .notDownloaded:
            (
                "no Apple Health export inside but a file that iCloud has not downloaded",
                "an XML file with <HealthData>",
                "download it first"
            )
        case .wideCharacters(let encoding, let isXML):
            (
                "\(isXML ? "XML" : "text") in \(encoding.prefix(6))", "UTF-8",
                "convert it with \"iconv -f \(encoding) -t UTF-8\""
                    + (isXML ? ", and let its first line say encoding=\"UTF-8\"" : "")
            )
        case .zipInside(let name):
            (
                "no Apple Health export inside but \(name ?? "another zip")", "an XML file with <HealthData>",
                "give that zip itself"
            )
        case .noElectrocardiogram:
            (
                "no electrocardiogram", "a header with its recorded date in the third row",
                "give a file of the export's folder electrocardiograms, or the whole export"
            )
        case .zipInStream:
            ("a zip", "XML, since the directory of a zip is at its end", "save it to a file and give its path")
        case .streamReadTwice:
            ("read already", "one pass, since a stream can't go back", "save it to a file and give its path")
        case .emptyMainXML:
            ("the XML inside is 0 bytes long", "an XML file with <HealthData>", exportAgain)
        case .truncatedArchive:
            ("no zip directory at its end, the file is cut short", "a whole zip", fetchAgain)
        case .largeArchive(let byteCount):
            (
                "no zip directory where its end says", "one, in ZIP64 form since there are \(byteCount) bytes",
                "\(unpackIt), or \(fetchAgain)"
            )
        case .damagedArchive:
            // Another program may still read it: damage to the name of an unneeded file is enough for this fault.
            ("its zip directory is damaged", "a whole zip", "\(fetchAgain), or \(unpackIt)")
        case .splitArchive:
            ("one part of a split zip", "one whole zip", "join the parts with \"zip -s 0\"")
        case .zipPiece:
            (
                "one piece of a zip, as its name says", "one whole zip",
                "join the pieces with \"cat\", in the order of their numbers"
            )
        case .tooManyMembers(let count):
            ("\(count) files in the zip", "at most \(ArchiveLimits.maximumMemberCount)", unpackIt)
        case .largeDirectory(let byteCount):
            ("a zip directory of \(byteCount) bytes", "at most \(ArchiveLimits.maximumDirectoryByteCount)", unpackIt)
        case .encryptedMember:
            ("the main XML is encrypted", "a zip without a password", unpackIt)
        case .unsupportedCompression(let method):
            ("the main XML is compressed by zip method \(method)", "0, stored, or 8, deflated", unpackIt)
        case .expandsTooMuch(let compressedByteCount, let byteCount):
            (
                "its files claim to inflate from \(compressedByteCount) to \(byteCount) bytes",
                "at most \(ArchiveLimits.maximumExpansionRatio) to 1", "if you trust it, \(unpackIt)"
            )
        case .repeatsFiles:
            (
                "its elements refer to the same files again and again",
                "at most \(ArchiveLimits.maximumRepeatedByteCount) bytes of repetition", "take the zip that Health made"
            )
        case .tooLarge(let byteCount):
            (
                "its files claim to inflate to \(byteCount) bytes",
                "at most \(ArchiveLimits.maximumByteCount)", "if you trust it, \(unpackIt)"
            )
        case .archiveChanged:
            ("the zip changed since it was opened", "the same main XML", "run again when it is fully written")
        case .damagedMember(let byteOffset):
            ("the main XML is damaged after byte \(byteOffset)", "whole compressed data", fetchAgainWhole)
        case .shortMember(let byteCount, let statedByteCount):
            (
                "the main XML ends after byte \(byteCount)",
                "\(statedByteCount) bytes as the zip directory states", fetchAgainWhole
            )
        case .longMember(let statedByteCount):
            (
                "the main XML continues after byte \(statedByteCount)",
                "its end there as the zip directory states", fetchAgainWhole
            )
        case .fileChanged:
            (
                "the file was written to while it was read", "the same one from its first byte to its last",
                "run again when it is fully written, and use no file that was made of this one; what was sent the next sync puts right"
            )
        case .folderChanged:
            (
                "files of the folder changed while it was read", "the same ones from beginning to end",
                "run again when it is fully unpacked, and use no file that was made of this one; what was sent the next sync "
                    + "puts right"
            )
        case .wrongChecksum:
            ("the main XML has a wrong CRC-32", "the one in the zip directory", fetchAgainWhole)
        }
    }

    private var exportAgain: String { "export it again with \"Export All Health Data\"" }
    private var giveTheZip: String { "give the zip that \"Export All Health Data\" made" }
    private var fetchAgain: String { "download or copy it again" }
    /// Something that came before the fault was found may already be wrong.
    private var fetchAgainWhole: String { "\(fetchAgain), and use nothing that was made of this one" }
    private var unpackIt: String { "unpack it and give the folder" }
}

extension InputFault {
    /// Whether the system failed to read what may be intact, so that another try may succeed.
    public var isFailureToRead: Bool {
        switch self {
        case .missing, .notPermitted, .readFailure: true
        default: false
        }
    }

    /// The fault that a failed system call reports.
    init(systemError: Int32) {
        switch systemError {
        case ENOENT, ENOTDIR: self = .missing
        case EACCES, EPERM: self = .notPermitted
        case ENXIO: self = .notAFileOrFolder
        default: self = .readFailure(systemError: systemError)
        }
    }
}

private func systemText(_ systemError: Int32) -> String {
    guard let text = unsafe strerror(systemError) else { return "unknown" }
    return unsafe String(cString: text)
}
