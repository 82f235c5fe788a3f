/// One attribute's bytes inside a batch: entities resolved, UTF-8.
@frozen
@usableFromInline
package struct AttributeRange: BitwiseCopyable, Sendable {
    /// Where the bytes begin in the batch; `UInt32.max` if the attribute is absent.
    @usableFromInline package var start: UInt32
    /// How many bytes there are.
    @usableFromInline package var count: UInt32

    /// The attribute does not exist (an empty one has a `start`).
    @usableFromInline package static let absent = AttributeRange(start: .max, count: 0)

    /// Whether the attribute is there.
    @inlinable package var isPresent: Bool { start != .max }

    /// Names `count` bytes from `start`.
    @inlinable
    package init(start: UInt32, count: UInt32) {
        self.start = start
        self.count = count
    }
}

extension UnsafePointer<UInt8> {
    /// The bytes of an attribute in the batch or text that begins here; none if it is absent.
    ///
    /// - Parameter range: where they stand.
    /// - Returns: the bytes, which live as long as the batch.
    @inlinable
    package func bytes(of range: AttributeRange) -> UnsafeRawBufferPointer {
        let start = unsafe self + Int(range.isPresent ? range.start : 0)
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(range.count))
    }
}

/// One complete `Record` element: its attributes, and where its metadata is.
///
/// `<Record type="HKQuantityTypeIdentifierHeartRate" … value="72"/>`. `creationDate` is not kept: it belongs to the
/// phone's database and changes when that is restored.
@frozen
@usableFromInline
package struct RecordElement: BitwiseCopyable, Sendable {
    /// `HKQuantityTypeIdentifier…`, `HKCategoryTypeIdentifier…` or another type.
    package var type = AttributeRange.absent
    /// The name of the app or device that wrote the sample.
    package var sourceName = AttributeRange.absent
    /// The version of that app or device.
    package var sourceVersion = AttributeRange.absent
    /// `<<HKDevice: 0x…>, name:…, …>`.
    package var device = AttributeRange.absent
    /// The unit of `value`, for quantities.
    package var unit = AttributeRange.absent
    /// `YYYY-MM-DD HH:MM:SS ±HHMM`.
    package var startDate = AttributeRange.absent
    /// `YYYY-MM-DD HH:MM:SS ±HHMM`.
    package var endDate = AttributeRange.absent
    /// A number, or the name of a category value.
    package var value = AttributeRange.absent
    /// `startDate` as seconds since 1970 in UTC, if `hasInstants`.
    package var start: Int64 = 0
    /// The same for `endDate`.
    package var end: Int64 = 0
    /// The first of the record's entries in `ElementBatch.metadata`.
    package var firstMetadata: UInt32 = 0
    /// How many metadata entries there are.
    package var metadataCount: UInt32 = 0
    /// Where the element's start tag ends, in bytes from the start of the parsed text.
    package var byteOffset: UInt64 = 0
    /// The index in `ElementBatch.trees` of its beat list, `HeartRateVariabilityMetadataList`; -1 without one.
    package var beatList: Int32 = -1
    /// Whether it stands inside another element, such as `Correlation`.
    package var isNested = false
    /// Whether the ranges, those of its metadata too, point into the chunk's text instead of the batch's bytes;
    /// predefined entities are then not resolved.
    package var isRaw = false
    /// Whether type, source, version, device (except its pointer) and unit are those of the record before it in the
    /// batch, byte for byte; `false` means unknown.
    package var sharesFieldsWithLast = false
    /// Whether `start` and `end` are already filled in; `false` means unknown.
    package var hasInstants = false

    /// A record without any attribute.
    @inlinable
    package init() {}
}

/// One `MetadataEntry` of a record.
@frozen
@usableFromInline
package struct MetadataElement: BitwiseCopyable, Sendable {
    /// `HKTimeZone`, `HKWasUserEntered`, or an app's own words.
    @usableFromInline package var key: AttributeRange
    /// Text, often a number with its unit.
    @usableFromInline package var value: AttributeRange

    /// A pair.
    @inlinable
    package init(key: AttributeRange, value: AttributeRange) {
        self.key = key
        self.value = value
    }
}

/// One element of a tree, in the order of start tags; `HealthElement` is built from these.
@frozen
@usableFromInline
package struct ElementNode: BitwiseCopyable, Sendable {
    /// Which element.
    package var name: ElementName
    /// How deep it stands in its tree; the root has 0.
    package var depth: UInt16
    /// The first of its attributes in `ElementBatch.attributes`.
    package var firstAttribute: UInt32
    /// How many there are.
    package var attributeCount: UInt32
    /// Where its start tag ends, in bytes from the start of the XML.
    package var byteOffset: UInt64
}

/// One attribute of a tree's element.
@frozen
@usableFromInline
package struct ElementAttribute: BitwiseCopyable, Sendable {
    /// Its name in the batch's bytes.
    package var name: AttributeRange
    /// Its value in the batch's bytes.
    package var value: AttributeRange
}

/// Where a tree's elements are in `ElementBatch.nodes`.
@frozen
@usableFromInline
package struct ElementTree: BitwiseCopyable, Sendable {
    /// The index of its root.
    package var firstNode: UInt32
    /// How many elements it has.
    package var nodeCount: UInt32
    /// How many records the batch holds up to the tree's end tag, its own included.
    package var recordCount: UInt32
    /// The first record inside it; those up to `recordCount` are its own.
    package var firstRecord: UInt32
    /// Whether it is a record's beat list, which may lie in another tree, instead of a top-level element.
    package var isBeatList: Bool
}

/// The content of one stretch of an export: its records as tables over one run of bytes.
///
/// Refilled for each chunk; nothing is allocated per record. It holds complete elements only: a record enters at its
/// end tag, so a break in the file leaves no partial record.
package struct ElementBatch: ~Copyable, Sendable {
    /// The bytes that the ranges point into.
    package var bytes = RawArray<UInt8>(capacity: 1 << 19)
    /// Complete records, in the order of their end tags.
    package var records = RawArray<RecordElement>(capacity: 1 << 13)
    /// The metadata of all records.
    package var metadata = RawArray<MetadataElement>(capacity: 1 << 14)
    /// Complete top-level elements other than plain records, and records' beat lists, in the order of their end tags.
    package var trees = RawArray<ElementTree>(capacity: 64)
    /// The elements of all trees.
    package var nodes = RawArray<ElementNode>(capacity: 256)
    /// The attributes of all trees' elements.
    package var attributes = RawArray<ElementAttribute>(capacity: 1024)
    /// How many elements of each name have ended, nested ones too, by `ElementName.rawValue`.
    package var elementCounts = RawArray<UInt64>(capacity: ElementName.allCases.count)
    /// Top-level elements by name: what a converter must handle or count as left out.
    package var topLevelCounts = RawArray<UInt64>(capacity: ElementName.allCases.count)
    /// Elements by name that are not converted because the DTD declares none in their parent; not what is in them.
    package var unreadCounts = RawArray<UInt64>(capacity: ElementName.allCases.count)
    /// How many attributes the DTD does not declare for an element that it does declare.
    package var unknownAttributes: UInt64 = 0
    /// The value of `ExportDate`, if the batch holds it.
    package var exportDate = AttributeRange.absent

    /// An empty batch.
    package init() { removeAll() }

    /// Empties the batch and keeps its memory.
    package mutating func removeAll() {
        bytes.removeAll()
        records.removeAll()
        metadata.removeAll()
        trees.removeAll()
        nodes.removeAll()
        attributes.removeAll()
        elementCounts.removeAll()
        topLevelCounts.removeAll()
        unreadCounts.removeAll()
        for _ in ElementName.allCases {
            elementCounts.append(0)
            topLevelCounts.append(0)
            unreadCounts.append(0)
        }
        unknownAttributes = 0
        exportDate = .absent
    }

    /// Counts complete top-level records and their metadata.
    mutating func count(records: Int, metadata: Int) {
        elementCounts[Int(ElementName.record.rawValue)] &+= UInt64(records)
        topLevelCounts[Int(ElementName.record.rawValue)] &+= UInt64(records)
        elementCounts[Int(ElementName.metadataEntry.rawValue)] &+= UInt64(metadata)
    }

    /// Counts the elements of a record's beat list.
    mutating func countBeats(of record: RecordElement) {
        let tree = trees[Int(record.beatList)]
        elementCounts[Int(ElementName.heartRateVariabilityMetadataList.rawValue)] &+= 1
        elementCounts[Int(ElementName.instantaneousBeatsPerMinute.rawValue)] &+= UInt64(tree.nodeCount) - 1
    }

    /// A tree as one value.
    package borrowing func element(_ tree: ElementTree) -> HealthElement {
        var open: [HealthElement] = []
        func close(to depth: Int) {
            while open.count > max(depth, 1) {
                let element = open.removeLast()
                open[open.count - 1].children.append(element)
            }
        }
        for index in Int(tree.firstNode)..<Int(tree.firstNode + tree.nodeCount) {
            let node = nodes[index]
            close(to: Int(node.depth))
            let range = Int(node.firstAttribute)..<Int(node.firstAttribute + node.attributeCount)
            open.append(
                HealthElement(
                    node.name,
                    range.map {
                        HealthElement.Attribute(text(attributes[$0].name) ?? "", text(attributes[$0].value) ?? "")
                    },
                    byteOffset: node.byteOffset
                )
            )
        }
        close(to: 1)
        return open.first ?? HealthElement(.other)
    }

    /// The text of `range`, for rare uses such as the export's date; `nil` if it is absent.
    package borrowing func text(_ range: AttributeRange) -> String? {
        guard range.isPresent else { return nil }
        return unsafe bytes.withElements { all in
            unsafe String(decoding: all[Int(range.start)..<Int(range.start + range.count)], as: UTF8.self)
        }
    }
}
