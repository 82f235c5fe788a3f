/// What each token of the sequence means.
extension SequenceParser {
    /// Reads `text` as far as possible; `done` is how much of it is finished.
    mutating func read(_ text: UnsafeRawBufferPointer, into batch: inout ElementBatch) {
        while phase != .done {
            if let token = unsafe tokenizer.next(in: text, isFinal: isFinal) {
                unsafe take(token, text, &batch)
            } else if unsafe !goOn(text, &batch) {
                return
            }
        }
        done = text.count
    }

    private mutating func take(
        _ token: MarkupTokenizer.Token,
        _ text: UnsafeRawBufferPointer,
        _ batch: inout ElementBatch
    ) {
        switch phase {
        case .beforeRoot:
            done = token.end
            phase = token.kind == .emptyTag ? .afterRoot : .inRoot
            isPastRoot = token.kind == .emptyTag
            unsafe parse(text, 0..<token.end, as: isPastRoot ? .document : .root, &batch)
        case .inRoot: unsafe takeTopLevel(token, text, &batch)
        case .inElement: unsafe takeNested(token, text, &batch)
        case .seeking: unsafe seek(token, text, &batch)
        case .afterRoot: unsafe takeEpilogue(token, text)
        case .done: break
        }
    }

    private mutating func takeTopLevel(
        _ token: MarkupTokenizer.Token,
        _ text: UnsafeRawBufferPointer,
        _ batch: inout ElementBatch
    ) {
        if token.kind != .text, token.kind != .opaque(.section) { isInStrayText = false }
        switch token.kind {
        case .text: unsafe noteText(text, token.start..<token.end)
        case .opaque(.section):
            unsafe noteText(text, token.inside)
            if tokenizer.open == nil { isInStrayText = false }
        case .opaque: unsafe noteForbidden(text, token.start..<token.end)
        case .junk: note(.notWellFormed, token.start)
        case .endTag:
            isPastRoot = unsafe MarkupName(text, at: token.start + 2).isRoot
            if isPastRoot {
                phase = .afterRoot
                batch.elementCounts[Int(ElementName.healthData.rawValue)] += 1
            } else {
                note(.notWellFormed, token.start)
            }
        case .emptyTag, .startTag, .cutTag:
            element = OpenElement(start: token.start)
            element.isBroken = unclosed.contains(origin + UInt64(token.start))
            phase = .inElement
            return unsafe takeNested(token, text, &batch)
        }
        done = token.end
    }

    /// Handles a token of the open element, its own start tag included.
    private mutating func takeNested(
        _ token: MarkupTokenizer.Token,
        _ text: UnsafeRawBufferPointer,
        _ batch: inout ElementBatch
    ) {
        if token.end - element.start > Self.maximumElementByteCount {
            unsafe giveUp(text, &batch)
            if phase == .seeking { unsafe seek(token, text, &batch) }
            return
        }
        var isMismatch = false
        switch token.kind {
        case .text, .opaque: return
        case .junk: element.isBroken = true
        case .startTag, .emptyTag, .cutTag: unsafe noteRestart(token, text)
        case .endTag:
            isMismatch = unsafe !element.close(token, text)
            if isMismatch { unsafe noteRestart(token, text) }
            if isMismatch, !element.isBroken { unclosed.add(element.openPlaces(from: origin)) }
        }
        if token.kind == .cutTag || isMismatch { element.isBroken = true }
        if element.isBroken, let restart = element.restart {
            return unsafe leaveOut(until: restart, text, &batch)
        }
        if token.kind == .startTag { element.open(token) }
        if !isMismatch, element.isClosed(by: token) {
            unsafe parse(text, element.start..<token.end, as: .element, &batch)
            phase = .inRoot
            done = token.end
        }
    }

    private mutating func seek(
        _ token: MarkupTokenizer.Token,
        _ text: UnsafeRawBufferPointer,
        _ batch: inout ElementBatch
    ) {
        switch token.kind {
        case .startTag, .emptyTag, .cutTag, .endTag:
            guard token.start != element.start,
                unsafe tokenizer.isRestart(token.start, in: text, isFinal: true) == true
            else { break }
            phase = .inRoot
            done = token.start
            return unsafe takeTopLevel(token, text, &batch)
        default: break
        }
        done = max(done, token.end - TopLevelMark.maximumByteCount)
    }

    private mutating func takeEpilogue(_ token: MarkupTokenizer.Token, _ text: UnsafeRawBufferPointer) {
        done = token.end
        switch token.kind {
        case .opaque(.comment), .opaque(.instruction): unsafe noteForbidden(text, token.start..<token.end)
        case .text:
            guard let place = unsafe firstBlack(text, token.start..<token.end) else { return }
            note(.contentAfterEnd, place)
            phase = .done
        default:
            note(.contentAfterEnd, token.start)
            phase = .done
        }
    }

    /// Does what is possible without another token.
    ///
    /// - Returns: whether there may be another token now.
    private mutating func goOn(_ text: UnsafeRawBufferPointer, _ batch: inout ElementBatch) -> Bool {
        let openTag = tokenizer.openTag
        switch phase {
        case .beforeRoot where text.count > Self.maximumElementByteCount:
            note(.tooLarge, 0, .healthData)
            phase = .done
            return true
        case .afterRoot:
            guard let openTag else { break }
            note(.contentAfterEnd, openTag)
            phase = .done
            return true
        case .inElement where text.count - element.start > Self.maximumElementByteCount:
            unsafe giveUp(text, &batch)
            return true
        case .inRoot:
            guard let openTag, text.count - openTag > Self.maximumElementByteCount else { break }
            element = OpenElement(start: openTag)
            unsafe giveUp(text, &batch)
            return true
        case .seeking:
            if let openTag, openTag != element.start {
                guard let isRestart = unsafe tokenizer.isRestart(openTag, in: text, isFinal: isFinal) else { break }
                if isRestart {
                    phase = .inRoot
                    done = openTag
                    return true
                }
            }
            done = max(done, tokenizer.cursor - TopLevelMark.maximumByteCount)
        default: break
        }
        guard isFinal else { return false }
        unsafe end(text, &batch)
        return true
    }

    /// Handles the end of the file, inside a token or before the root's end tag.
    private mutating func end(_ text: UnsafeRawBufferPointer, _ batch: inout ElementBatch) {
        if phase == .inElement, element.isBroken || element.restart != nil {
            unclosed.add(element.openPlaces(from: origin))
            return unsafe leaveOut(until: element.restart ?? text.count, text, &batch)
        }
        defer { phase = .done }
        var place = text.count
        if case .opaque(_)? = tokenizer.open?.kind, let start = tokenizer.open?.start {
            guard start >= 0 else {
                if let opaqueStart { faults.append(opaqueStart) }
                return
            }
            place = start
        } else if phase == .afterRoot {
            return
        }
        guard let start = phase == .inElement ? element.start : phase == .inRoot ? tokenizer.openTag : nil else {
            return note(.truncated, place, phase == .beforeRoot ? .healthData : nil)
        }
        let tail = unsafe TextRepair.incompleteTail(UnsafeRawBufferPointer(rebasing: text[start...]))
        unsafe parse(text, start..<text.count - tail, as: .beginning, &batch)
        note(.truncated, place, unsafe MarkupName(text, at: start + 1).element)
    }
}
