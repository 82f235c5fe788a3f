extension CanonicalScanner {
    /// Reads the attributes of a record that begins as the one before did; answers where they end, or
    /// `nil` where it differs before its dates, or is of another shape.
    ///
    /// Most are: all up to the first date is then two comparisons, since bytes that were accepted
    /// once are accepted again. The device's pointer differs and is looked at alone. Dates are read at once: what
    /// is a date needs no other look.
    mutating func repeated(_ start: Int, _ record: inout RecordElement) -> Int? {
        guard lastRecordStart >= 0 else { return nil }
        let before = unsafe last + lastStart
        let dates = unsafe Int(before[Slot.creationDate].start)
        // A pointer may be longer than the one before.
        guard start &+ (dates &- lastRecordStart) &+ 16 &+ Self.datesByteCount < readableEnd else { return nil }
        let shift = start &- lastRecordStart
        var shiftBehind = shift
        if lastStableStart > 0 {
            let device = unsafe Int(before[Slot.device].start)
            guard isEqual(start, lastRecordStart, device &- lastRecordStart) else { return nil }
            let stable = stableStart(device &+ shift)
            guard stable > 0, isEqual(stable, lastStableStart, dates &- lastStableStart) else { return nil }
            shiftBehind = stable &- lastStableStart
        } else {
            guard isEqual(start, lastRecordStart, dates &- lastRecordStart) else { return nil }
        }
        let creationDate = dates &+ shiftBehind
        let startDate = creationDate &+ 38
        let endDate = startDate &+ 36
        guard word(creationDate &+ 25) == Self.ascii("\" startD"), word(creationDate &+ 30) == Self.ascii("rtDate=\""),
            word(startDate &+ 25) == Self.ascii("\" endDat"), word(startDate &+ 28) == Self.ascii("ndDate=\""),
            word(endDate &+ 25) == Self.ascii("\" value="), byte(endDate &+ 33) == UInt8(ascii: "\""),
            isDate(creationDate, like: startDate),
            let startSeconds = unsafe startDates.seconds(UnsafeRawBufferPointer(start: base + startDate, count: 25)),
            let endSeconds = unsafe isSameDate(startDate, endDate)
                ? startSeconds : endDates.seconds(UnsafeRawBufferPointer(start: base + endDate, count: 25))
        else { return nil }
        let value = endDate &+ 34
        let valueEnd = valueEnd(value, allowsEntities: false)
        guard valueEnd > 0 else { return nil }

        let ranges = unsafe last + (Slot.count &- lastStart)
        for slot in Slot.type...Slot.device { unsafe ranges[slot] = before[slot].moved(by: shift) }
        // What its pointer has more.
        unsafe ranges[Slot.device].count &+= UInt32(truncatingIfNeeded: shiftBehind &- shift)
        unsafe ranges[Slot.unit] = before[Slot.unit].moved(by: shiftBehind)
        unsafe ranges[Slot.creationDate] = AttributeRange(start: UInt32(truncatingIfNeeded: creationDate), count: 25)
        unsafe ranges[Slot.startDate] = AttributeRange(start: UInt32(truncatingIfNeeded: startDate), count: 25)
        unsafe ranges[Slot.endDate] = AttributeRange(start: UInt32(truncatingIfNeeded: endDate), count: 25)
        unsafe ranges[Slot.value] = AttributeRange(
            start: UInt32(truncatingIfNeeded: value),
            count: UInt32(truncatingIfNeeded: valueEnd &- value)
        )
        record.start = startSeconds
        record.end = endSeconds
        record.hasInstants = true
        record.sharesFieldsWithLast = lastIsNewest
        lastStart = Slot.count &- lastStart
        if lastStableStart > 0 { lastStableStart &+= shiftBehind }
        lastRecordStart = start
        return valueEnd &+ 1
    }

    /// Three dates of 25 bytes, what stands between them, and the word behind them.
    private static let datesByteCount = 128

    /// Whether 25 bytes are plain ASCII without quotes: nobody asks what they say.
    ///
    /// What stands at `other` is about to be read as a date; if it is none, the answer is of no use.
    @inline(__always)
    private func isDate(_ start: Int, like other: Int) -> Bool {
        let differences =
            word(start) ^ word(other) | word(start &+ 3) ^ word(other &+ 3) | (word(start &+ 17) ^ word(other &+ 17))
            >> 16
        // Of one day, as most are, they differ in the time alone.
        if differences == 0 { return Self.specialBytes(word(start &+ 11)) == 0 }
        return Self.specialBytes(word(start)) | Self.specialBytes(word(start &+ 8))
            | Self.specialBytes(word(start &+ 16)) | Self.specialBytes(word(start &+ 17)) == 0
    }

    /// Whether 25 bytes are the same at both places, as they are where a sample has no length.
    @inline(__always)
    private func isSameDate(_ left: Int, _ right: Int) -> Bool {
        word(left &+ 11) == word(right &+ 11) && word(left) == word(right) && word(left &+ 8) == word(right &+ 8)
            && word(left &+ 17) == word(right &+ 17)
    }
}

extension AttributeRange {
    /// The same bytes further on.
    @inline(__always)
    func moved(by shift: Int) -> AttributeRange {
        // One that is absent stays so.
        AttributeRange(start: start &+ (isPresent ? UInt32(truncatingIfNeeded: shift) : 0), count: count)
    }
}
