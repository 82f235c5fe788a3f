/// An Apple Health export that was found and can be read.
///
/// It is a zip, an unpacked folder, the bare XML file, XML on standard input, or one electrocardiogram's CSV file.
///
/// ```swift
/// let input = try ExportInput(path: "export.zip")
/// let report = try conversion.run(input, to: .file("bundles.ndjson"))
/// ```
///
/// The content, never a name, decides what the input is and which file in it is the main XML. Nothing is unpacked to
/// disk, and names inside an archive are never used as paths.
public struct ExportInput: Sendable {
    /// The form of an input.
    public enum Kind: Sendable {
        /// A zip, as the phone writes it.
        case zip
        /// A folder with the contents of such a zip, or the folder around it.
        case folder
        /// The main XML as a file.
        case xml
        /// XML on standard input, or from a pipe given by its path; it can be read only once.
        case standardInput
        /// One electrocardiogram as a CSV file, from a file or a stream, without any XML.
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
    package let mainMemberName: String?

    /// How many other files the zip or folder holds; zero for other kinds.
    package let otherMembers: MemberCounts

    private let location: Location
    private let members: MemberIndex
    private let store: MemberStore
    /// The input's path for messages, `standard input` for `-`, with control characters replaced.
    public let displayName: String

    /// Opens `path` and finds the main XML.
    ///
    /// Reads the directory of a zip, and the first 64 KiB of each file that may be the export, the largest first, and
    /// of each that may be a second one, which is an error. Of standard input and pipes it reads up to 64 KiB.
    ///
    /// - Parameters:
    ///   - path: a zip, a folder, an XML file, or `-` for standard input.
    ///   - name: what messages call the input, such as the path as the user gave it; `nil` means `path`.
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

    /// Which file is a folder's main XML; `nil` for other kinds, where it is the file that was named.
    package var mainFile: (device: UInt64, inode: UInt64)? {
        guard case .folder(let export) = location else { return nil }
        return try? export.mainFile
    }

    /// Why files of a folder may not belong to this export; `nil` if none changed since the input was opened, and for
    /// other kinds.
    ///
    /// For the end of a run: the folder is listed again, and all files that a run may read are compared, whether or not
    /// this one did.
    ///
    /// - Throws: ``HealthExportError/unreadableInput(_:input:)`` if the system fails to list it.
    package func changeFault() throws(HealthExportError) -> HealthExportError? {
        guard case .folder(let export) = location else { return nil }
        do throws(InputFault) {
            return try export.hasChanged() ? .unreadableInput(.folderChanged, input: displayName) : nil
        } catch {
            throw .unreadableInput(error, input: displayName)
        }
    }

    /// The files of one kind other than the main XML, in the order of their names' bytes.
    ///
    /// Only electrocardiograms, routes, clinical records and attachments are known one by one.
    package func members(of kind: ExportMember.Kind) -> [ExportMember] { members.members(of: kind) }

    /// The file that the main XML refers to.
    ///
    /// The path is compared with the names that the zip or folder lists, from Apple's folder downwards and in any
    /// Unicode normalization of accents; it is never used as a path.
    ///
    /// - Parameter path: as the export writes it, such as `/workout-routes/route_2024-06-16_9.31am.gpx`.
    /// - Returns: the file, or `nil` if the export does not hold it; always `nil` for a bare XML file.
    package func member(at path: String) -> ExportMember? { members.member(at: path) }

    /// All bytes of a file other than the main XML, checked against the size and CRC-32 that a zip states.
    ///
    /// - Parameters:
    ///   - member: one of this input.
    ///   - byteCount: the most bytes that the file may have.
    ///   - isCancelled: asked while a pipe gives nothing; reading is then broken off.
    /// - Returns: its bytes.
    /// - Throws: ``MemberFault``; `.readFailure` with `ECANCELED` if it was broken off.
    package func contents(
        of member: ExportMember,
        atMost byteCount: Int,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(MemberFault) -> [UInt8] {
        try store.contents(of: member, atMost: byteCount, isCancelled: isCancelled)
    }

    /// The error for the run if a file's fault is the system's failure to read; `nil` if the fault concerns that file
    /// alone.
    ///
    /// - Parameter fault: why the file can't be read.
    /// - Returns: an error about the whole input.
    package func failure(_ fault: MemberFault) -> HealthExportError? {
        guard case .readFailure(let systemError) = fault else { return nil }
        return .unreadableInput(.readFailure(systemError: systemError), input: displayName)
    }

    /// Opens the main XML at its first byte; each call returns a source of its own.
    ///
    /// A source takes about 600 KiB, plus the directory of a zip, whatever sizes the zip claims.
    ///
    /// - Throws: ``HealthExportError/unreadableInput(_:input:)`` if the input changed or disappeared, or if it is a
    ///   stream that was opened before.
    package func openMainXML() throws(HealthExportError) -> any ByteSource {
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

    /// Reads the main XML of a zip to its end and checks it against the size and CRC-32 that the directory states.
    ///
    /// For callers that can't undo what they make of a damaged file. Costs the inflating, at some gigabytes a second,
    /// and 600 KiB; nothing for other kinds, which hold no size or checksum to compare with.
    ///
    /// - Parameter isCancelled: asked now and then; `true` ends the reading without a verdict.
    /// - Throws: ``HealthExportError/unreadableInput(_:input:)``.
    package func checkMainXML(isCancelled: () -> Bool) throws(HealthExportError) {
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

    /// Whether a file is named like a piece of a split zip: `export.zip.001`.
    private static func isPiece(_ path: String) -> Bool {
        path.lowercased().dropLast(3).hasSuffix(".zip.")
            && path.utf8.suffix(3).allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// Why a bare file or stream that begins like this can't be read as the main XML.
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

/// A path for a terminal or log: control and format characters, which could rewrite the line, become `?`.
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

/// A name if it is printable ASCII; other characters could be mistaken for something else in a terminal.
func printableASCII(_ name: [UInt8]) -> String? {
    guard !name.isEmpty, name.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return String(decoding: name, as: UTF8.self)
}
