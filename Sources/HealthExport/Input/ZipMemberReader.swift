/// Reads one member of a zip: inflates it and checks it against the size and CRC-32 that the directory states.
///
/// macOS's Archive Utility states the sizes of large members without their upper bits. So bytes beyond the stated size
/// are read if its 32 bits may have overflowed, and the total must equal the stated size modulo 2^32.
///
/// Needs 256 KiB for compressed bytes and 90 KiB for the inflater, whatever sizes are claimed.
struct ZipMemberReader: ByteReader, ~Copyable {
    private static let inputByteCount = 256 << 10
    /// With less room the inflater would report damage before it has delivered all good bytes before it.
    static let directByteCount = 128 << 10

    private let member: ZipMember
    /// The modulus of the field that states the size.
    private let sizeModulus: UInt64
    /// The member's size as far as is known: the stated size, and more once bytes follow it.
    private var expectedByteCount: UInt64
    private var rawBytes: ZipRawBytes
    private var inflater: Inflater?
    private var input: ByteBuffer
    private var unreadInput = 0..<0
    private var isInputAtEnd = false
    private var isInputLost = false
    private var isFinished = false
    private var pendingFault: InputFault?
    private var checksum = ZipChecksum()
    private var producedByteCount: UInt64 = 0
    private(set) var consumedByteCount: UInt64 = 0

    var totalByteCount: UInt64? { member.compressedByteCount }

    /// Opens `member`, and keeps `archive` open while it is read; tests set a smaller modulus.
    init(_ member: ZipMember, in archive: ZipArchive, sizeModulus: UInt64 = 1 << 32) throws(InputFault) {
        self.member = member
        self.sizeModulus = sizeModulus
        expectedByteCount = member.byteCount
        rawBytes = try archive.open(member)
        if member.method == ZipMember.deflatedMethod { inflater = Inflater() }
        input = ByteBuffer(byteCount: Int(clamping: min(member.compressedByteCount, UInt64(Self.inputByteCount))))
    }

    mutating func readSome(into buffer: UnsafeMutableRawBufferPointer) throws(InputFault) -> Int {
        let isAtStatedSize = producedByteCount == expectedByteCount
        guard !isAtStatedSize || mayGoOn else {
            try checkEnd()
            return 0
        }
        let missing = isAtStatedSize ? sizeModulus : expectedByteCount - producedByteCount
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: missing)))
        let count = try unsafe produce(into: room)
        guard count > 0 else {
            if isAtStatedSize {
                try checkSum()
                return 0
            }
            guard expectedByteCount == member.byteCount else { throw .longMember(statedByteCount: member.byteCount) }
            throw .shortMember(byteCount: producedByteCount, statedByteCount: member.byteCount)
        }
        if isAtStatedSize { expectedByteCount += sizeModulus }
        unsafe checksum.update(with: UnsafeRawBufferPointer(rebasing: room.prefix(count)))
        producedByteCount += UInt64(count)
        return count
    }

    /// At the stated size: there must be no further byte, and the CRC-32 must be right.
    private mutating func checkEnd() throws(InputFault) {
        var spare: UInt8 = 0
        let excess = try unsafe withUnsafeMutableBytes(of: &spare) { byte throws(InputFault) in
            try unsafe produce(into: byte)
        }
        guard excess == 0 else { throw .longMember(statedByteCount: member.byteCount) }
        try checkSum()
    }

    private func checkSum() throws(InputFault) {
        guard checksum.value == member.checksum else { throw .wrongChecksum }
    }

    /// Whether the stated size may lack upper bits: the next larger size must be within what a zip of this size may
    /// inflate to.
    private var mayGoOn: Bool {
        guard inflater != nil, member.byteCount < sizeModulus else { return false }
        let byteCount = expectedByteCount + sizeModulus
        return byteCount <= ArchiveLimits.maximumByteCount
            && byteCount / ArchiveLimits.maximumExpansionRatio <= member.compressedByteCount
    }

    /// Writes at least one byte of the member to `room`; 0 if none is left.
    private mutating func produce(into room: UnsafeMutableRawBufferPointer) throws(InputFault) -> Int {
        if let pendingFault { throw pendingFault }
        guard inflater != nil else {
            let count = try unsafe readRaw(into: room)
            consumedByteCount += UInt64(count)
            return count
        }
        while !isFinished {
            if unreadInput.isEmpty, !isInputAtEnd { refillInput() }
            let step = unsafe inflateStep(into: room)
            unreadInput = (unreadInput.lowerBound + step.consumed)..<unreadInput.upperBound
            let isStuck = step.consumed == 0 && step.produced == 0
            switch step.outcome {
            case .finished: isFinished = true
            case .damaged: pendingFault = damage(after: step.produced)
            case .unfinished where isStuck && unreadInput.isEmpty && isInputAtEnd:
                if isInputLost { throw pendingFault ?? damage(after: 0) }
                return 0
            case .unfinished where isStuck && !unreadInput.isEmpty: pendingFault = damage(after: 0)
            case .unfinished: break
            }
            if step.produced > 0 { return step.produced }
            if let pendingFault { throw pendingFault }
        }
        return 0
    }

    private mutating func inflateStep(into room: UnsafeMutableRawBufferPointer) -> Inflater.Step {
        let range = unreadInput
        return unsafe input.withBytes { bytes in
            let unread = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
            return unsafe inflater?.step(from: unread, into: room) ?? Inflater.Step()
        }
    }

    private mutating func refillInput() {
        var count = 0
        do throws(InputFault) {
            count = try readInput()
        } catch {
            // The inflater may still hold good bytes; those are delivered first.
            isInputLost = true
            if case .damagedMember = error {} else { pendingFault = error }
        }
        unreadInput = 0..<count
        isInputAtEnd = count == 0
    }

    private mutating func readInput() throws(InputFault) -> Int {
        let count = try unsafe input.withBytes { bytes throws(InputFault) in try unsafe readRaw(into: bytes) }
        consumedByteCount += UInt64(count)
        return count
    }

    private func readRaw(into room: UnsafeMutableRawBufferPointer) throws(InputFault) -> Int {
        // libzip makes its own checks of stored members only if it is asked for bytes at the end.
        guard consumedByteCount < member.compressedByteCount else { return 0 }
        guard let count = try unsafe rawBytes.read(into: room) else { throw damage(after: 0) }
        return count
    }

    private func damage(after goodByteCount: Int) -> InputFault {
        .damagedMember(byteOffset: producedByteCount + UInt64(goodByteCount))
    }
}

// It holds an archive that several readers on one thread may share while an export is searched for. A reader that
// leaves this module has an archive to itself (`ZipExport.openMainXML`) and is used only under the lock of
// `BufferedSource`.
extension ZipMemberReader: @unchecked Sendable {}
