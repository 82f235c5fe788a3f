internal import CLibXML2

/// What libxml2's callbacks work on: names they know, the open record, and where they are.
@safe
struct ParserState {
    var batch: UnsafeMutablePointer<ElementBatch>?
    /// Bytes fed by callers, without the root's start tag that `restart(isInside:)` adds.
    var fed = 0
    /// libxml2's position at which the caller's bytes begin.
    var origin = 0
    /// Where the caller's bytes begin in the export.
    var base: UInt64 = 0
    var lastGood = 0
    var depth = 0
    var isPastRoot = false
    /// Whether the root's start tag was fed by `restart`.
    var isRootOurs = false
    var fault: XMLFault?
    var openElement: ElementName?

    private var context: xmlParserCtxtPtr?
    /// libxml2 interns names: equal names are equal pointers.
    private let elementNames = UnsafeMutablePointer<UnsafePointer<xmlChar>?>.allocate(capacity: ElementName.texts.count)
    private let attributeNames = UnsafeMutablePointer<UnsafePointer<xmlChar>?>.allocate(capacity: attributes.count)
    private var record = RecordElement()
    private var recordDepth = 0
    /// Where the open record's bytes begin in the batch.
    private var recordBytes = 0
    /// What an open record had so far when the batch at hand ended.
    private var heldBytes: [UInt8] = []
    private var heldMetadata: [MetadataElement] = []

    private static let attributes: [String] = [
        "type", "sourceName", "sourceVersion", "device", "unit", "creationDate", "startDate", "endDate", "value",
        "key", "locale",
    ]
    private static let metadataKey = 9

    /// Learns the pointers of the names we know, which stay the same for the context's life.
    mutating func attach(_ context: xmlParserCtxtPtr) {
        unsafe self.context = unsafe context
        let dictionary = unsafe context.pointee.dict
        for (index, name) in ElementName.texts.enumerated() {
            unsafe (elementNames + index).initialize(to: xmlDictLookup(dictionary, name, -1))
        }
        for (index, name) in Self.attributes.enumerated() {
            unsafe (attributeNames + index).initialize(to: xmlDictLookup(dictionary, name, -1))
        }
    }

    /// Frees the tables of names; the state is dead afterwards.
    func detach() {
        unsafe elementNames.deallocate()
        unsafe attributeNames.deallocate()
    }

    mutating func restart() {
        fed = 0
        origin = 0
        lastGood = 0
        depth = 0
        isPastRoot = false
        isRootOurs = false
        fault = nil
        openElement = nil
        recordDepth = 0
        unsafe batch = nil
    }

    /// libxml2's place in the document, in bytes.
    var position: Int {
        guard let input = unsafe context?.pointee.input else { return 0 }
        return unsafe Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base)
    }

    /// Whether libxml2 has parsed all it was fed, white space aside.
    var nothingWaits: Bool {
        guard let input = unsafe context?.pointee.input else { return true }
        var cursor = unsafe input.pointee.cur
        while let byte = unsafe cursor, unsafe byte < input.pointee.end {
            guard unsafe byte.pointee <= 0x20 else { return false }
            unsafe cursor = unsafe byte + 1
        }
        return true
    }

    /// The first four bytes that libxml2 was fed and has not parsed.
    var waiting: String {
        guard let input = unsafe context?.pointee.input, let start = unsafe input.pointee.cur else { return "" }
        let count = unsafe min(4, input.pointee.end - start)
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: max(count, 0)), as: UTF8.self)
    }

    mutating func start(
        _ name: UnsafePointer<xmlChar>,
        _ count: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        depth += 1
        guard let batch = unsafe batch else { return }
        let element = unsafe elementName(name)
        if depth == 2 { openElement = element }
        switch element {
        case .record:
            recordDepth = depth
            recordBytes = unsafe batch.pointee.bytes.count
            record = RecordElement()
            record.isNested = depth > 2
            record.firstMetadata = unsafe UInt32(truncatingIfNeeded: batch.pointee.metadata.count)
            record.byteOffset = base &+ UInt64(max(position - origin, 0))
            unsafe readRecord(count, attributes, batch)
        case .metadataEntry where recordDepth > 0 && depth == recordDepth + 1:
            unsafe readMetadata(count, attributes, batch)
        case .exportDate where depth == 2:
            unsafe batch.pointee.exportDate = unsafe firstAttribute(count, attributes, batch)
        default: break
        }
    }

    mutating func end(_ name: UnsafePointer<xmlChar>) {
        if let batch = unsafe batch {
            let element = unsafe elementName(name)
            // The root that we put around a stretch is no element of the export.
            if depth > 1 || !isRootOurs { unsafe batch.pointee.elementCounts[Int(element.rawValue)] &+= 1 }
            if depth == recordDepth {
                let end = unsafe UInt32(truncatingIfNeeded: batch.pointee.metadata.count)
                record.metadataCount = end &- record.firstMetadata
                unsafe batch.pointee.records.append(record)
                recordDepth = 0
            }
            if depth == 2 { unsafe batch.pointee.topLevelCounts[Int(element.rawValue)] &+= 1 }
        }
        if depth <= 2 {
            lastGood = position - origin
            openElement = nil
            isPastRoot = depth == 1
        }
        depth -= 1
    }

    /// Gives up the batch; an open record keeps what it has until the next one.
    mutating func leaveBatch() {
        defer { unsafe batch = nil }
        guard recordDepth > 0, let batch = unsafe batch else { return }
        heldBytes = unsafe (recordBytes..<batch.pointee.bytes.count).map { unsafe batch.pointee.bytes[$0] }
        heldMetadata = unsafe (Int(record.firstMetadata)..<batch.pointee.metadata.count).map {
            unsafe batch.pointee.metadata[$0]
        }
        unsafe batch.pointee.bytes.truncate(to: recordBytes)
        unsafe batch.pointee.metadata.truncate(to: Int(record.firstMetadata))
    }

    /// Takes the next batch; an open record goes on in it.
    mutating func enter(_ batch: UnsafeMutablePointer<ElementBatch>) {
        unsafe self.batch = unsafe batch
        guard recordDepth > 0 else { return }
        let start = unsafe batch.pointee.bytes.count
        let distance = start - recordBytes
        func moved(_ range: AttributeRange) -> AttributeRange {
            guard range.isPresent else { return range }
            return AttributeRange(start: UInt32(truncatingIfNeeded: Int(range.start) + distance), count: range.count)
        }
        for byte in heldBytes { unsafe batch.pointee.bytes.append(byte) }
        record.type = moved(record.type)
        record.sourceName = moved(record.sourceName)
        record.sourceVersion = moved(record.sourceVersion)
        record.device = moved(record.device)
        record.unit = moved(record.unit)
        record.startDate = moved(record.startDate)
        record.endDate = moved(record.endDate)
        record.value = moved(record.value)
        record.firstMetadata = unsafe UInt32(truncatingIfNeeded: batch.pointee.metadata.count)
        for entry in heldMetadata {
            unsafe batch.pointee.metadata.append(MetadataElement(key: moved(entry.key), value: moved(entry.value)))
        }
        recordBytes = start
        heldBytes.removeAll()
        heldMetadata.removeAll()
    }

    mutating func note(_ error: UnsafeMutablePointer<xmlError>) {
        guard fault == nil, unsafe error.pointee.level == XML_ERR_FATAL else { return }
        fault = unsafe XMLFault(
            kind: Self.kind(of: error.pointee.code),
            byteOffset: max(position - origin, 0),
            lastGoodOffset: lastGood,
            element: openElement
        )
    }

    private mutating func readRecord(
        _ count: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
        _ batch: UnsafeMutablePointer<ElementBatch>
    ) {
        guard let attributes = unsafe attributes else { return }
        var expected = 0
        for index in 0..<count {
            let name = unsafe attributes[index &* 5]
            var slot = expected
            // Apple writes the attributes in one order with gaps: look from the last place on.
            if unsafe name != attributeNames[slot] {
                slot = Self.attributes.indices.first { unsafe attributeNames[$0] == name } ?? -1
            }
            expected = slot < 0 || slot >= 8 ? expected : slot &+ 1
            if slot == 5 { continue }
            let range = unsafe copy(attributes + index &* 5, batch)
            switch slot {
            case 0: record.type = range
            case 1: record.sourceName = range
            case 2: record.sourceVersion = range
            case 3: record.device = range
            case 4: record.unit = range
            case 6: record.startDate = range
            case 7: record.endDate = range
            case 8: record.value = range
            default: unsafe batch.pointee.unknownAttributes &+= 1
            }
        }
    }

    private mutating func readMetadata(
        _ count: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
        _ batch: UnsafeMutablePointer<ElementBatch>
    ) {
        guard let attributes = unsafe attributes else { return }
        var entry = MetadataElement(key: .absent, value: .absent)
        for index in 0..<count {
            let name = unsafe attributes[index &* 5]
            if unsafe name == attributeNames[Self.metadataKey] {
                entry.key = unsafe copy(attributes + index &* 5, batch)
            } else if unsafe name == attributeNames[8] {
                entry.value = unsafe copy(attributes + index &* 5, batch)
            }
        }
        if entry.key.isPresent { unsafe batch.pointee.metadata.append(entry) }
    }

    private func firstAttribute(
        _ count: Int,
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?,
        _ batch: UnsafeMutablePointer<ElementBatch>
    ) -> AttributeRange {
        guard count > 0, let attributes = unsafe attributes else { return .absent }
        return unsafe copy(attributes, batch)
    }

    /// Copies an attribute's value; libxml2 keeps it only until the callback returns.
    private func copy(
        _ attribute: UnsafeMutablePointer<UnsafePointer<xmlChar>?>,
        _ batch: UnsafeMutablePointer<ElementBatch>
    ) -> AttributeRange {
        guard let start = unsafe attribute[3], let end = unsafe attribute[4] else { return .absent }
        let count = unsafe end - start
        let place = unsafe batch.pointee.bytes.append(copyOf: start, count: count)
        return AttributeRange(start: UInt32(truncatingIfNeeded: place), count: UInt32(truncatingIfNeeded: count))
    }

    private func elementName(_ name: UnsafePointer<xmlChar>) -> ElementName {
        if unsafe name == elementNames[Int(ElementName.record.rawValue)] { return .record }
        if unsafe name == elementNames[Int(ElementName.metadataEntry.rawValue)] { return .metadataEntry }
        for element in ElementName.allCases where element != .other {
            if unsafe name == elementNames[Int(element.rawValue)] { return element }
        }
        return .other
    }

    private static func kind(of code: Int32) -> Malformation.Kind {
        switch UInt32(bitPattern: code) {
        case XML_ERR_ATTRIBUTE_REDEFINED.rawValue: .duplicateAttribute
        case XML_ERR_UNDECLARED_ENTITY.rawValue, XML_WAR_UNDECLARED_ENTITY.rawValue: .undefinedEntity
        case XML_ERR_INVALID_CHAR.rawValue, XML_ERR_INVALID_ENCODING.rawValue, XML_ERR_INVALID_CHARREF.rawValue:
            .forbiddenCharacter
        case XML_ERR_INTERNAL_ERROR.rawValue: .tooLarge
        case XML_ERR_DOCUMENT_END.rawValue, XML_ERR_TAG_NOT_FINISHED.rawValue, XML_ERR_DOCUMENT_EMPTY.rawValue:
            .truncated
        default: .notWellFormed
        }
    }
}
