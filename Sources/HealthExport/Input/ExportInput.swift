/// An Apple Health export that has been found and can be read: a zip, an unpacked
/// folder, the bare XML file, XML on standard input, or one electrocardiogram's CSV file.
///
/// ```swift
/// let input = try ExportInput(path: "export.zip")
/// let source = try input.openMainXML()
/// ```
///
/// What the input is and which file in it is the main XML is decided by content, never by
/// a name. Nothing is unpacked to disk, and names inside an archive are never used as paths.
public struct ExportInput: Sendable {
    /// The form of an input.
    public enum Kind: Sendable {
        /// A zip, as the phone makes it.
        case zip
        /// A folder with the contents of such a zip, or the folder around it.
        case folder
        /// The main XML as a file.
        case xml
        /// XML on standard input, or from a pipe given by its path; it can be read once.
        case standardInput
        /// One electrocardiogram as a CSV file, from a file or a stream; there is no XML.
        case electrocardiogram
    }

    private enum Location: Sendable {
        case zip(ZipExport, path: String)
        case folder(FolderExport)
        case file(path: String)
        case stream(PeekedStream)
        case electrocardiogram(byteCount: UInt64, MemberStore.Location)
    }

    /// The form of the input.
    public let kind: Kind

    /// The main XML's name inside a zip or folder, such as `apple_health_export/export.xml`,
    /// for messages only; `nil` if it is not printable ASCII, and for other kinds.
    public let mainMemberName: String?

    /// How many other files the zip or folder holds; none for other kinds.
    public let otherMembers: MemberCounts

    private let location: Location
    private let members: MemberIndex
    private let store: MemberStore
    /// The input's path for messages, `standard input` for `-`; control characters are replaced.
    public let displayName: String

    /// Opens `path` and finds the main XML.
    ///
    /// Reads the first 64 KiB of as many files as needed, the largest first, and of those that could be
    /// a second export, of which there may be none; and the directory of a zip. Standard input and pipes are
    /// read up to 64 KiB.
    ///
    /// - Parameters:
    ///   - path: a zip, a folder, an XML file, or `-` for standard input.
    ///   - name: what messages call it, such as the path that was given; `nil` for `path`.
    /// - Throws: ``HealthExportError/unreadableInput(_:input:)``.
    public init(path: String, named name: String? = nil) throws(HealthExportError) {
        let name = name ?? path
        let displayName = name == "-" ? "standard input" : printable(name)
        do throws(InputFault) {
            (location, kind) = try Self.locate(path)
        } catch {
            throw .unreadableInput(error, input: displayName)
        }
        self.displayName = displayName
        switch location {
        case .zip(let export, let path):
            mainMemberName = printableASCII(export.mainMemberName)
            (otherMembers, members) = (export.otherMembers, export.members)
            store = MemberStore(.zip(path: path))
        case .folder(let export):
            mainMemberName = printableASCII(export.mainMemberName)
            (otherMembers, members) = (export.otherMembers, export.members)
            store = MemberStore(.folder(path: export.path))
        case .electrocardiogram(let byteCount, let place):
            mainMemberName = nil
            otherMembers = .oneElectrocardiogram
            members = MemberIndex(itself: .electrocardiogram, byteCount: byteCount)
            store = MemberStore(place)
        case .file(let path):
            mainMemberName = nil
            (otherMembers, members) = (MemberCounts(), MemberIndex())
            store = MemberStore(.file(path: path))
        case .stream(let stream):
            mainMemberName = nil
            (otherMembers, members) = (MemberCounts(), MemberIndex())
            store = MemberStore(.stream(stream))
        }
    }

    /// Which file the main XML of a folder is; `nil` for other kinds, which are the file that was named.
    public var mainFile: (device: UInt64, inode: UInt64)? {
        guard case .folder(let export) = location else { return nil }
        return try? export.mainFile
    }

    /// Why files of a folder that were read, or left unread, may be none of this export's; `nil` where all lie there as
    /// they were listed when the input was opened, and for other kinds.
    ///
    /// For the end of a run: the folder is listed once more.
    ///
    /// - Throws: ``HealthExportError/unreadableInput(_:input:)`` where the system fails to list it.
    public func changeFault() throws(HealthExportError) -> HealthExportError? {
        guard case .folder(let export) = location else { return nil }
        do throws(InputFault) {
            return try export.hasChanged() ? .unreadableInput(.folderChanged, input: displayName) : nil
        } catch {
            throw .unreadableInput(error, input: displayName)
        }
    }

    /// The files of one kind beside the main XML, in the order of their names' bytes.
    ///
    /// Only electrocardiograms, routes, clinical records and attachments are known one by one.
    public func members(of kind: ExportMember.Kind) -> [ExportMember] { members.members(of: kind) }

    /// The file that the main XML refers to.
    ///
    /// The path is compared with the names that the zip or folder lists, from Apple's folder on
    /// and whatever the form of their accents; it is never used as a path.
    ///
    /// - Parameter path: as the export writes it, such as `/workout-routes/route_2024-06-16_9.31am.gpx`.
    /// - Returns: the file, or `nil` where the export does not hold it, as always beside a bare XML file.
    public func member(at path: String) -> ExportMember? { members.member(at: path) }

    /// All bytes of a file beside the main XML, held to the size and CRC-32 that a zip states.
    ///
    /// - Parameters:
    ///   - member: one of this input.
    ///   - byteCount: the most bytes that it may have.
    /// - Returns: its bytes.
    /// - Throws: ``MemberFault``.
    public func contents(of member: ExportMember, atMost byteCount: Int) throws(MemberFault) -> [UInt8] {
        try store.contents(of: member, atMost: byteCount)
    }

    /// A fault of the input as a whole where the system failed to read one of its files; `nil` for a fault of that file alone.
    ///
    /// - Parameter fault: what keeps the file from being read.
    /// - Returns: an error for the run.
    public func failure(_ fault: MemberFault) -> HealthExportError? {
        guard case .readFailure(let systemError) = fault else { return nil }
        return .unreadableInput(.readFailure(systemError: systemError), input: displayName)
    }

    /// Opens the main XML from its first byte; each call gives a source of its own.
    ///
    /// A source holds about 600 KiB, and the directory of a zip, whatever sizes it claims.
    ///
    /// - Throws: ``HealthExportError/unreadableInput(_:input:)`` if the input changed or went
    ///   away, or if it is a stream and was opened before.
    public func openMainXML() throws(HealthExportError) -> any ByteSource {
        do throws(InputFault) {
            switch location {
            case .zip(let export, let path):
                let archive = try ZipArchive(FileDescriptor(path: path))
                return BufferedSource(try export.openMainXML(in: archive), input: displayName)
            case .folder(let export):
                return BufferedSource(try export.openMainXML(), input: displayName)
            case .file(let path):
                return BufferedSource(try DescriptorReader(FileDescriptor(path: path)), input: displayName)
            case .stream(let stream):
                return BufferedSource(try stream.takeReader(), input: displayName)
            case .electrocardiogram: throw .noHealthData
            }
        } catch {
            throw .unreadableInput(error, input: displayName)
        }
    }

    /// Reads the main XML of a zip to its end, and holds it to the size and CRC-32 that the directory states.
    ///
    /// Whoever can't take back what was made of a damaged file asks first. Costs the inflating, at some gigabytes a
    /// second, and 600 KiB; nothing for other kinds, which can't tell.
    ///
    /// - Parameter isCancelled: asked now and then; `true` ends the reading without a verdict.
    /// - Throws: ``HealthExportError/unreadableInput(_:input:)``.
    public func checkMainXML(isCancelled: () -> Bool) throws(HealthExportError) {
        guard kind == .zip else { return }
        let source = try openMainXML()
        let buffer = ByteBuffer(byteCount: 256 << 10)
        while !isCancelled() {
            let count = try unsafe buffer.withBytes { bytes throws(HealthExportError) in
                try unsafe source.read(into: bytes)
            }
            guard count > 0 else { return }
        }
    }

    private static func locate(_ path: String) throws(InputFault) -> (Location, Kind) {
        let descriptor = path == "-" ? try FileDescriptor.standardInput() : try FileDescriptor(path: path)
        let kind = try descriptor.status().kind
        switch kind {
        case .folder where path != "-":
            return (.folder(try FolderExport(path: path)), .folder)
        case .folder, .symbolicLink, .other:
            throw .notAFileOrFolder
        case .regularFile, .stream:
            var reader = try DescriptorReader(descriptor)
            let head = try reader.peek(upTo: ContentKind.headByteCount)
            let isStream = path == "-" || kind == .stream
            let content = ContentKind(head: head)
            if content == .zip, !isStream {
                let descriptor = try FileDescriptor(path: path)
                do throws(InputFault) {
                    return (.zip(try ZipExport(try ZipArchive(descriptor)), path: path), .zip)
                } catch {
                    throw error == .truncatedArchive && isPiece(path) ? .zipPiece : error
                }
            }
            if content == .electrocardiogram {
                let byteCount = reader.totalByteCount ?? 0
                let place: MemberStore.Location = isStream ? .stream(PeekedStream(reader)) : .file(path: path)
                return (.electrocardiogram(byteCount: byteCount, place), .electrocardiogram)
            }
            if content == .binary, !isStream {
                if isPiece(path) { throw .zipPiece }
                if try ZipDirectoryCheck.isPart(FileDescriptor(path: path)) { throw .splitArchive }
            }
            if let fault = fault(content, path: path) { throw fault }
            return isStream ? (.stream(PeekedStream(reader)), .standardInput) : (.file(path: path), .xml)
        }
    }

    /// Whether a file is named like a piece of a zip: `export.zip.001`.
    private static func isPiece(_ path: String) -> Bool {
        path.lowercased().dropLast(3).hasSuffix(".zip.")
            && path.utf8.suffix(3).allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// Why a bare file or stream with such a beginning can't be read as the main XML.
    private static func fault(_ content: ContentKind, path: String) -> InputFault? {
        switch content {
        case .healthData, .electrocardiogram: nil
        case .empty: .empty
        case .zip: .zipInStream
        case .gzip: .gzip
        case .wide(let encoding, let isXML): .wideCharacters(encoding: encoding, isXML: isXML)
        case .archive: .archive
        case .zeros: .zeros
        case .binary: .binary
        case .webPage: .webPage
        case .resources: .resources
        case .text: path.lowercased().hasSuffix(".csv") ? .noElectrocardiogram : .noHealthData
        }
    }
}

/// A path for a terminal or log: control and format characters, which could rewrite the
/// line, become `?`.
private func printable(_ path: String) -> String {
    var text = ""
    for scalar in path.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: text.append("?")
        default: text.unicodeScalars.append(scalar)
        }
    }
    return text
}

/// A name where it is printable ASCII, since others could be taken for something else in a terminal.
func printableASCII(_ name: [UInt8]) -> String? {
    guard !name.isEmpty, name.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return String(decoding: name, as: UTF8.self)
}
