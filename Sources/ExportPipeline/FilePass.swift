internal import HealthExport
internal import HealthKitMapping

/// Reads the files next to the main XML once the XML is done, one at a time.
///
/// First those that elements refer to, in the order of the elements, then the electrocardiograms in the order of their
/// names.
struct FilePass {
    /// The most bytes of a file that an element refers to: 64 MiB.
    static let maximumByteCount = Int(ArchiveLimits.maximumFileByteCount)

    let input: ExportInput
    let mapper: ElementMapper
    let sink: CommitterSink
    let cancellation: Cancellation
    private let slot = ChunkSlot()
    /// The files that were opened, by kind and number.
    private var opened: [ExportMember.Kind: Set<Int>] = [:]
    /// The bytes of files that were read again.
    private var repeatedByteCount: UInt64 = 0
    /// The faults of unusable files, which are not read again.
    private var faults: [ExportMember.Kind: [Int: MemberFault]] = [:]

    init(_ input: ExportInput, mapper: ElementMapper, sink: CommitterSink, cancellation: Cancellation) {
        self.input = input
        self.mapper = mapper
        self.sink = sink
        self.cancellation = cancellation
    }

    /// Reads, maps and commits all files.
    ///
    /// - Returns: how many bytes were read.
    mutating func run() throws -> UInt64 {
        var byteCount = 0
        for file in sink.files {
            try begin()
            byteCount += try map(file)
            try sink.commit(slot)
        }
        guard mapper.wantsElectrocardiograms else { return UInt64(byteCount) }
        for member in input.members(of: .electrocardiogram) {
            try begin()
            byteCount += try map(member)
            try sink.commit(slot)
        }
        return UInt64(byteCount)
    }

    /// How many files were not read, by kind: not asked for, not named by an element, or of a kind that is not
    /// converted.
    var unread: [String: UInt64] {
        var counts: [String: UInt64] = [:]
        for kind in ExportMember.Kind.allCases {
            let count = input.otherMembers[kind] - (opened[kind]?.count ?? 0)
            if count > 0 { counts[kind.rawValue] = UInt64(count) }
        }
        return counts
    }

    /// Empties the slot for the next file.
    private func begin() throws {
        try cancellation.check()
        slot.clearProducts()
        slot.faults.removeAll()
    }

    private mutating func map(_ file: ReferencedFile) throws(ExportPipelineError) -> Int {
        let kind = file.kind.memberKind
        let member = input.member(at: file.path)
        if member == nil { slot.files.missing[kind.rawValue, default: 0] += 1 }
        let content = try member.flatMap { (member) throws(ExportPipelineError) in
            try contents(of: member, atMost: Self.maximumByteCount)
        }
        // The check of a zip's claimed sizes counts each file only once.
        guard repeatedByteCount <= ArchiveLimits.maximumRepeatedByteCount else {
            throw .input(.unreadableInput(.repeatsFiles, input: input.displayName))
        }
        let tally = mapper.map(file, content: content, into: &slot.json, rows: &slot.rows) { fault in
            guard let member else { return slot.addFault(fault, in: file.element.name, at: file.element.byteOffset) }
            slot.faults.append(Malformation(kind: fault, in: member))
        }
        slot.elements.add(tally)
        return content?.count ?? 0
    }

    private mutating func map(_ member: ExportMember) throws(ExportPipelineError) -> Int {
        guard let content = try contents(of: member, atMost: Electrocardiogram.maximumByteCount) else { return 0 }
        if let fault = MemberFault(ofText: content) {
            slot.faults.append(Malformation(fault, in: member))
            return content.count
        }
        do throws(ElectrocardiogramFault) {
            let tally = mapper.map(try Electrocardiogram(content), into: &slot.json, rows: &slot.rows) { fault in
                slot.faults.append(Malformation(kind: fault, in: member))
            }
            slot.elements.add(tally)
        } catch {
            slot.faults.append(Malformation(kind: error.kind, in: member, byte: error.byte, line: error.line))
        }
        return content.count
    }

    /// The bytes of a file; `nil`, with a fault noted, if they are not available.
    ///
    /// - Throws: `.input` if the system failed to read it: nothing is wrong with the export.
    private mutating func contents(
        of member: ExportMember,
        atMost byteCount: Int
    ) throws(ExportPipelineError) -> [UInt8]? {
        do throws(MemberFault) {
            if let fault = faults[member.kind]?[member.ordinal] { throw fault }
            let isFirst = opened[member.kind, default: []].insert(member.ordinal).inserted
            let bytes = try input.contents(of: member, atMost: byteCount) { [cancellation] in cancellation.isCancelled }
            if !isFirst { repeatedByteCount += UInt64(bytes.count) }
            slot.files.read[member.kind.rawValue, default: 0] += 1
            return bytes
        } catch {
            try cancellation.check()
            if let failure = input.failure(error) { throw .input(failure) }
            faults[member.kind, default: [:]][member.ordinal] = error
            // Nobody knows how many files such a folder holds.
            if error == .unlistedFolder { opened[member.kind]?.remove(member.ordinal) }
            slot.faults.append(Malformation(error, in: member))
            return nil
        }
    }
}

/// Files next to the main XML, by kind.
struct FileTally {
    /// Those that were read.
    var read: [String: UInt64] = [:]
    /// Those that the XML refers to but the export does not hold.
    var missing: [String: UInt64] = [:]
}

extension ReferencedFile.Kind {
    /// The same kind among the files of an export.
    fileprivate var memberKind: ExportMember.Kind {
        switch self {
        case .route: .workoutRoute
        case .clinicalRecord: .clinicalRecord
        }
    }
}
