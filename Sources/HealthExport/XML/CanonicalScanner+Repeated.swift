extension CanonicalScanner {
    /// Reads the attributes of a record that begins like the previous one; returns where they end, or `nil`.
    ///
    /// It is `nil` if the record differs before its dates or has another form. For most records everything up to the
    /// first date then takes two comparisons, since bytes that were accepted once are accepted again. The device's
    /// pointer differs and is checked by itself. Dates are parsed at once, since text that is a date needs no other
    /// check.
    mutating func repeated(_ start: Int, _ record: inout RecordElement) -> Int? {
        guard lastRecordStart >= 0 else { return nil }
        let before = unsafe last + lastStart
        let dates = unsafe Int(before[Slot.creationDate].start)
        // A pointer may be longer than the previous one.
        guard start &+ (dates &- lastRecordStart) &+ 16 &+ Self.datesByteCount < text.readableEnd else { return nil }
        let shift = start &- lastRecordStart
        var shiftAfter = shift
        if lastStableStart > 0 {
            let device = unsafe Int(before[Slot.device].start)
            guard text.isEqual(start, lastRecordStart, device &- lastRecordStart) else { return nil }
            let stable = text.stableStart(device &+ shift)
            guard stable > 0, text.isEqual(stable, lastStableStart, dates &- lastStableStart) else { return nil }
            shiftAfter = stable &- lastStableStart
        } else {
            guard text.isEqual(start, lastRecordStart, dates &- lastRecordStart) else { return nil }
        }
        let creationDate = dates &+ shiftAfter
        let startDate = creationDate &+ 38
        let endDate = startDate &+ 36
        guard text.reads("\" startD", at: creationDate &+ 25), text.reads("rtDate=\"", at: creationDate &+ 30),
            text.reads("\" endDat", at: startDate &+ 25), text.reads("ndDate=\"", at: startDate &+ 28),
            text.reads("\" value=", at: endDate &+ 25), text.byte(endDate &+ 33) == UInt8(ascii: "\""),
            text.isPlain(creationDate, like: startDate),
            let startSeconds = unsafe startDates.seconds(text.bytes(startDate, 25)),
            let endSeconds = unsafe text.isSameDate(startDate, endDate)
                ? startSeconds : endDates.seconds(text.bytes(endDate, 25))
        else { return nil }
        let value = endDate &+ 34
        let valueEnd = text.valueEnd(value, allowsEntities: false)
        guard valueEnd > 0 else { return nil }

        let ranges = unsafe last + (Slot.count &- lastStart)
        for slot in Slot.type...Slot.device { unsafe ranges[slot] = before[slot].moved(by: shift) }
        // Adds the difference in length of the pointers.
        unsafe ranges[Slot.device].count &+= UInt32(truncatingIfNeeded: shiftAfter &- shift)
        unsafe ranges[Slot.unit] = before[Slot.unit].moved(by: shiftAfter)
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
        if lastStableStart > 0 { lastStableStart &+= shiftAfter }
        lastRecordStart = start
        return valueEnd &+ 1
    }

    /// Three dates of 25 bytes, what is between them, and the word after them.
    private static let datesByteCount = 128
}

extension AttributeRange {
    /// The same bytes further on.
    @inline(__always)
    func moved(by shift: Int) -> AttributeRange {
        // An absent attribute stays absent.
        AttributeRange(start: start &+ (isPresent ? UInt32(truncatingIfNeeded: shift) : 0), count: count)
    }
}
