internal import CLibXML2

/// The state of libxml2's callbacks: the names they know, the open record, and their place.
@safe
struct ParserState {
    var batch: UnsafeMutablePointer<ElementBatch>?
    /// libxml2's position at which the caller's bytes begin.
    var origin = 0
    private(set) var fault: XMLFault?

    /// Where the caller's bytes begin in the export.
    private var base: UInt64 = 0
    private var depth = 0
    private var context: xmlParserCtxtPtr?
    /// libxml2 interns names: equal names are equal pointers.
    private let elementNames = UnsafeMutablePointer<UnsafePointer<xmlChar>?>.allocate(capacity: ElementName.texts.count)
    private let attributeNames = UnsafeMutablePointer<UnsafePointer<xmlChar>?>.allocate(capacity: attributes.count)
    private var record = RecordElement()
    private var recordDepth = 0
    /// The depth of the open tree's root; 0 if no tree is open.
    private var treeDepth = 0
    private var tree = ElementTree(firstNode: 0, nodeCount: 0, recordCount: 0, firstRecord: 0, isBeatList: false)
    /// The depth of the open record's list of beats; 0 if none is open.
    private var beatsDepth = 0
    private var firstBeat: UInt32 = 0

    /// The name of the open element at each depth; `other` for one whose content is not read.
    private let openNames = UnsafeMutablePointer<ElementName>.allocate(capacity: maximumDepth + 1)
    /// libxml2 itself allows no deeper nesting.
    private static let maximumDepth = 256

    /// Begins with those of `Record`, the most frequent.
    private static let attributes: [String] = {
        let own = [
            "type", "sourceName", "sourceVersion", "device", "unit", "creationDate", "startDate", "endDate", "value",
            "key",
        ]
        return own + Set(DeclaredMarkup.attributes.flatMap(\.names)).subtracting(own).sorted()
    }()
    private static let metadataKey = Slot.count
    private static let metadataValue = Slot.value
    private typealias Slot = CanonicalScanner.Slot

    /// The declared attributes of each element, as bits by their indices in `attributes`; `nil` for an element that the
    /// DTD does not have.
    private static let declared: [UInt128?] = ElementName.allCases.map { element in
        DeclaredMarkup.attributes.first { $0.element == element }?.names.reduce(0) { bits, name in
            bits | (attributes.firstIndex(of: name).map { 1 << UInt128($0) } ?? 0)
        }
    }

    /// Looks up the pointers of known names, which stay the same for the context's life.
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

    /// Frees the tables of names; the state must not be used afterwards.
    func detach() {
        unsafe elementNames.deallocate()
        unsafe attributeNames.deallocate()
        unsafe openNames.deallocate()
    }

    mutating func restart(base: UInt64) {
        self.base = base
        origin = 0
        depth = 0
        fault = nil
        recordDepth = 0
        treeDepth = 0
        beatsDepth = 0
        unsafe batch = nil
    }

    /// libxml2's position in the document, in bytes.
    var position: Int {
        guard let input = unsafe context?.pointee.input else { return 0 }
        return unsafe Int(input.pointee.consumed) + (input.pointee.cur - input.pointee.base)
    }

    /// An element begins; `name` is `nil` if it has a prefix, which no name of Apple's has.
    mutating func start(_ name: UnsafePointer<xmlChar>?, _ attributes: SAXAttributes) {
        depth += 1
        let element = unsafe elementName(name)
        let isLooked = isLookedInto(element)
        guard let batch = unsafe batch else { return }
        // Its children would be taken for nested elements, most of which are only counted.
        if element == .healthData, depth > 1 { return stop(.notWellFormed) }
        if !isLooked, depth > 2, unsafe openNames[min(depth - 1, Self.maximumDepth)] != .other {
            unsafe batch.pointee.unreadCounts[Int(Self.reported(element).rawValue)] &+= 1
        }
        unsafe countUnknown(attributes, of: element, batch)
        if unsafe isInTree(element, batch) { unsafe addNode(element, attributes, batch) }
        switch element {
        case .record:
            // The metadata of a nested record could not be distinguished from the outer record's.
            guard recordDepth == 0 else { return stop(.notWellFormed) }
            recordDepth = depth
            record = RecordElement()
            record.isNested = depth > 2
            record.firstMetadata = unsafe UInt32(truncatingIfNeeded: batch.pointee.metadata.count)
            record.byteOffset = base &+ UInt64(max(position - origin, 0))
            unsafe readRecord(attributes, batch)
        case .metadataEntry where recordDepth > 0 && depth == recordDepth + 1:
            unsafe readMetadata(attributes, batch)
        case .exportDate where depth == 2:
            let date = unsafe value(attributes, batch)
            if date.isPresent { unsafe batch.pointee.exportDate = date }
        default: break
        }
    }

    mutating func end(_ name: UnsafePointer<xmlChar>?) {
        if let batch = unsafe batch {
            let element = unsafe elementName(name)
            unsafe batch.pointee.elementCounts[Int(element.rawValue)] &+= 1
            if depth == beatsDepth { unsafe endBeats(batch) }
            if depth == treeDepth { unsafe endTree(batch) }
            if depth == recordDepth {
                let end = unsafe UInt32(truncatingIfNeeded: batch.pointee.metadata.count)
                record.metadataCount = end &- record.firstMetadata
                unsafe batch.pointee.records.append(record)
                recordDepth = 0
            }
            if depth == 2 { unsafe batch.pointee.topLevelCounts[Int(element.rawValue)] &+= 1 }
        }
        depth -= 1
    }

    /// Text between top-level elements is the rest of one that lost its beginning.
    mutating func characters(_ text: UnsafePointer<xmlChar>, _ count: Int) {
        guard depth == 1 else { return }
        for index in 0..<count where unsafe text[index] > 0x20 { return stop(.strayText) }
        // White space written as a reference, `&#32;`.
        if let input = unsafe context?.pointee.input, unsafe input.pointee.cur > input.pointee.base,
            unsafe input.pointee.cur[-1] == UInt8(ascii: ";")
        {
            stop(.strayText)
        }
    }

    mutating func note(_ error: UnsafePointer<xmlError>) {
        guard fault == nil, unsafe error.pointee.level == XML_ERR_FATAL else { return }
        fault = unsafe XMLFault(kind: Self.kind(of: error.pointee.code), byteOffset: max(position - origin, 0))
    }

    private mutating func stop(_ kind: Malformation.Kind) {
        guard fault == nil else { return }
        fault = XMLFault(kind: kind, byteOffset: max(position - origin, 0))
        unsafe xmlStopParser(context)
    }

    /// Notes an element that begins and returns whether its content is read: not if nothing can be made of it.
    private func isLookedInto(_ element: ElementName) -> Bool {
        let isLooked =
            switch depth {
            case ...1: true
            // Nearly all are records.
            case 2: element == .record || element == .exportDate || ElementName.trees.contains(element)
            case ...Self.maximumDepth: unsafe DeclaredMarkup.isRead(element, in: openNames[depth - 1])
            default: false
            }
        unsafe (openNames + min(depth, Self.maximumDepth)).initialize(to: isLooked ? element : .other)
        return isLooked
    }

    /// The name under which a nested element is counted if it is not read.
    ///
    /// What the summary says about these three is only true for elements in their usual place.
    private static func reported(_ element: ElementName) -> ElementName {
        [.me, .metadataEntry, .workoutRoute].contains(element) ? .other : element
    }

    /// Counts attributes that the DTD does not declare; those of records are counted in `readRecord`.
    private func countUnknown(
        _ attributes: SAXAttributes,
        of element: ElementName,
        _ batch: UnsafeMutablePointer<ElementBatch>
    ) {
        guard element != .record, let declared = Self.declared[Int(element.rawValue)] else { return }
        for index in 0..<attributes.count {
            let name = unsafe attributes.name(index)
            // The two attributes of a metadata entry are the most frequent and need no search.
            if element == .metadataEntry,
                unsafe name == attributeNames[Self.metadataKey] || name == attributeNames[Self.metadataValue]
            {
                continue
            }
            let place = Self.attributes.indices.first { unsafe attributeNames[$0] == name }
            if place.map({ declared >> UInt128($0) & 1 == 0 }) ?? true {
                unsafe batch.pointee.unknownAttributes &+= 1
            }
        }
    }

    private mutating func readRecord(_ attributes: SAXAttributes, _ batch: UnsafeMutablePointer<ElementBatch>) {
        var expected = 0
        for index in 0..<attributes.count {
            let name = unsafe attributes.name(index)
            var slot = expected
            // Apple writes the attributes in one order with gaps, so the search begins after the last one found.
            if unsafe name != attributeNames[slot] {
                slot = Self.attributes.indices.first { unsafe attributeNames[$0] == name } ?? -1
            }
            expected = slot < 0 || slot >= Slot.value ? expected : slot &+ 1
            if slot == Slot.creationDate { continue }
            let range = unsafe copy(attributes.value(index), batch)
            switch slot {
            case Slot.type: record.type = range
            case Slot.sourceName: record.sourceName = range
            case Slot.sourceVersion: record.sourceVersion = range
            case Slot.device: record.device = range
            case Slot.unit: record.unit = range
            case Slot.startDate: record.startDate = range
            case Slot.endDate: record.endDate = range
            case Slot.value: record.value = range
            default: unsafe batch.pointee.unknownAttributes &+= 1
            }
        }
    }

    private mutating func readMetadata(_ attributes: SAXAttributes, _ batch: UnsafeMutablePointer<ElementBatch>) {
        var entry = MetadataElement(key: .absent, value: .absent)
        for index in 0..<attributes.count {
            let name = unsafe attributes.name(index)
            if unsafe name == attributeNames[Self.metadataKey] {
                entry.key = unsafe copy(attributes.value(index), batch)
            } else if unsafe name == attributeNames[Self.metadataValue] {
                entry.value = unsafe copy(attributes.value(index), batch)
            }
        }
        if entry.key.isPresent { unsafe batch.pointee.metadata.append(entry) }
    }

    /// Whether an element that begins belongs to a tree: one is open, or this is the root of a new one.
    private mutating func isInTree(_ element: ElementName, _ batch: UnsafeMutablePointer<ElementBatch>) -> Bool {
        if element == .heartRateVariabilityMetadataList, recordDepth > 0, depth == recordDepth + 1 {
            beatsDepth = depth
            firstBeat = unsafe UInt32(truncatingIfNeeded: batch.pointee.nodes.count)
        }
        if treeDepth > 0 || beatsDepth > 0 { return true }
        guard depth == 2, ElementName.trees.contains(element) else { return false }
        treeDepth = depth
        tree.firstNode = unsafe UInt32(truncatingIfNeeded: batch.pointee.nodes.count)
        tree.firstRecord = unsafe UInt32(truncatingIfNeeded: batch.pointee.records.count)
        return true
    }

    /// Nothing that Apple writes is nested more deeply.
    private static let maximumTreeDepth = 16

    private func addNode(
        _ element: ElementName,
        _ attributes: SAXAttributes,
        _ batch: UnsafeMutablePointer<ElementBatch>
    ) {
        let nodeDepth = depth - (treeDepth > 0 ? treeDepth : beatsDepth)
        guard nodeDepth <= Self.maximumTreeDepth else { return }
        let first = unsafe UInt32(truncatingIfNeeded: batch.pointee.attributes.count)
        for index in 0..<attributes.count {
            guard let name = unsafe attributes.name(index) else { continue }
            let length = unsafe xmlStrlen(name)
            let place = unsafe batch.pointee.bytes.append(copyOf: name, count: Int(length))
            let range = AttributeRange(start: UInt32(truncatingIfNeeded: place), count: UInt32(length))
            unsafe batch.pointee.attributes.append(
                ElementAttribute(name: range, value: copy(attributes.value(index), batch))
            )
        }
        unsafe batch.pointee.nodes.append(
            ElementNode(
                name: element,
                depth: UInt16(clamping: nodeDepth),
                firstAttribute: first,
                attributeCount: UInt32(truncatingIfNeeded: batch.pointee.attributes.count) &- first,
                byteOffset: base &+ UInt64(max(position - origin, 0))
            )
        )
    }

    private mutating func endTree(_ batch: UnsafeMutablePointer<ElementBatch>) {
        tree.nodeCount = unsafe UInt32(truncatingIfNeeded: batch.pointee.nodes.count) &- tree.firstNode
        tree.recordCount = unsafe UInt32(truncatingIfNeeded: batch.pointee.records.count)
        unsafe batch.pointee.trees.append(tree)
        treeDepth = 0
    }

    /// Gives the open record its beats; those of a second list follow those of the first.
    private mutating func endBeats(_ batch: UnsafeMutablePointer<ElementBatch>) {
        beatsDepth = 0
        let end = unsafe UInt32(truncatingIfNeeded: batch.pointee.nodes.count)
        // A list that is too deep in its tree has no nodes.
        guard end > firstBeat else { return }
        if record.beatList < 0 {
            let recordCount = unsafe UInt32(truncatingIfNeeded: batch.pointee.records.count)
            record.beatList = unsafe Int32(truncatingIfNeeded: batch.pointee.trees.count)
            unsafe batch.pointee.trees.append(
                ElementTree(
                    firstNode: firstBeat,
                    nodeCount: 0,
                    recordCount: recordCount,
                    firstRecord: recordCount,
                    isBeatList: true
                )
            )
        }
        let first = unsafe batch.pointee.trees[Int(record.beatList)].firstNode
        unsafe batch.pointee.trees[Int(record.beatList)].nodeCount = end &- first
    }

    /// The attribute `value`.
    private func value(_ attributes: SAXAttributes, _ batch: UnsafeMutablePointer<ElementBatch>) -> AttributeRange {
        for index in 0..<attributes.count where unsafe attributes.name(index) == attributeNames[Self.metadataValue] {
            return unsafe copy(attributes.value(index), batch)
        }
        return .absent
    }

    /// Copies an attribute's value, which libxml2 keeps only until the callback returns.
    private func copy(
        _ value: UnsafeBufferPointer<xmlChar>?,
        _ batch: UnsafeMutablePointer<ElementBatch>
    ) -> AttributeRange {
        guard let value = unsafe value, let start = value.baseAddress else { return .absent }
        let place = unsafe batch.pointee.bytes.append(copyOf: start, count: value.count)
        return AttributeRange(start: UInt32(truncatingIfNeeded: place), count: UInt32(truncatingIfNeeded: value.count))
    }

    private func elementName(_ name: UnsafePointer<xmlChar>?) -> ElementName {
        guard let name = unsafe name else { return .other }
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
        case XML_ERR_INTERNAL_ERROR.rawValue, XML_ERR_NAME_TOO_LONG.rawValue: .tooLarge
        default: .notWellFormed
        }
    }
}
