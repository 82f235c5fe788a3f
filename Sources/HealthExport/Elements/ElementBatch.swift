/// One attribute's bytes inside a batch: entities resolved, UTF-8.
@frozen
public struct AttributeRange: BitwiseCopyable, Sendable {
    /// Where the bytes begin in the batch; `UInt32.max` if the attribute is absent.
    public var start: UInt32
    /// How many bytes there are.
    public var count: UInt32

    /// The attribute does not exist (an empty one has a `start`).
    public static let absent = AttributeRange(start: .max, count: 0)

    /// Whether the attribute is there.
    @inlinable public var isPresent: Bool { start != .max }

    /// Names `count` bytes from `start`.
    @inlinable
    public init(start: UInt32, count: UInt32) {
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
    public func bytes(of range: AttributeRange) -> UnsafeRawBufferPointer {
        let start = unsafe self + Int(range.isPresent ? range.start : 0)
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(range.count))
    }
}

/// One complete `Record` element: its attributes, and where its metadata is.
///
/// `<Record type="HKQuantityTypeIdentifierHeartRate" … value="72"/>`. `creationDate` is not kept: it belongs to the
/// phone's database and changes when that is restored.
@frozen
public struct RecordElement: BitwiseCopyable, Sendable {
    /// `HKQuantityTypeIdentifier…`, `HKCategoryTypeIdentifier…` or another type.
    public var type = AttributeRange.absent
    /// The name of the app or device that wrote the sample.
    public var sourceName = AttributeRange.absent
    /// The version of that app or device.
    public var sourceVersion = AttributeRange.absent
    /// `<<HKDevice: 0x…>, name:…, …>`.
    public var device = AttributeRange.absent
    /// The unit of `value`, for quantities.
    public var unit = AttributeRange.absent
    /// `YYYY-MM-DD HH:MM:SS ±HHMM`.
    public var startDate = AttributeRange.absent
    /// `YYYY-MM-DD HH:MM:SS ±HHMM`.
    public var endDate = AttributeRange.absent
    /// A number, or the name of a category value.
    public var value = AttributeRange.absent
    /// `startDate` as seconds since 1970 in UTC, if `hasInstants`.
    public var start: Int64 = 0
    /// The same for `endDate`.
    public var end: Int64 = 0
    /// The first of the record's entries in `ElementBatch.metadata`.
    public var firstMetadata: UInt32 = 0
    /// How many metadata entries there are.
    public var metadataCount: UInt32 = 0
    /// Where the element's start tag ends, in bytes from the start of the parsed text.
    public var byteOffset: UInt64 = 0
    /// The index in `ElementBatch.trees` of its beat list, `HeartRateVariabilityMetadataList`; -1 without one.
    public var beatList: Int32 = -1
    /// Whether it stands inside another element, such as `Correlation`.
    public var isNested = false
    /// Whether the ranges, those of its metadata too, point into the chunk's text instead of the batch's bytes;
    /// predefined entities are then not resolved.
    public var isRaw = false
    /// Whether type, source, version, device (except its pointer) and unit are those of the record before it in the
    /// batch, byte for byte; `false` means unknown.
    public var sharesFieldsWithLast = false
    /// Whether `start` and `end` are already filled in; `false` means unknown.
    public var hasInstants = false

    /// A record without any attribute.
    @inlinable
    public init() {}
}

/// One `MetadataEntry` of a record.
@frozen
public struct MetadataElement: BitwiseCopyable, Sendable {
    /// `HKTimeZone`, `HKWasUserEntered`, or an app's own words.
    public var key: AttributeRange
    /// Text, often a number with its unit.
    public var value: AttributeRange

    /// A pair.
    @inlinable
    public init(key: AttributeRange, value: AttributeRange) {
        self.key = key
        self.value = value
    }
}

/// One element of a tree, in the order of start tags; `HealthElement` is built from these.
@frozen
public struct ElementNode: BitwiseCopyable, Sendable {
    /// Which element.
    public var name: ElementName
    /// How deep it stands in its tree; the root has 0.
    public var depth: UInt16
    /// The first of its attributes in `ElementBatch.attributes`.
    public var firstAttribute: UInt32
    /// How many there are.
    public var attributeCount: UInt32
    /// Where its start tag ends, in bytes from the start of the XML.
    public var byteOffset: UInt64
}

/// One attribute of a tree's element.
@frozen
public struct ElementAttribute: BitwiseCopyable, Sendable {
    /// Its name in the batch's bytes.
    public var name: AttributeRange
    /// Its value in the batch's bytes.
    public var value: AttributeRange
}

/// Where a tree's elements are in `ElementBatch.nodes`.
@frozen
public struct ElementTree: BitwiseCopyable, Sendable {
    /// The index of its root.
    public var firstNode: UInt32
    /// How many elements it has.
    public var nodeCount: UInt32
    /// How many records the batch holds up to the tree's end tag, its own included.
    public var recordCount: UInt32
    /// The first record inside it; those up to `recordCount` are its own.
    public var firstRecord: UInt32
    /// Whether it is a record's beat list, which may lie in another tree, instead of a top-level element.
    public var isBeatList: Bool
}

/// The content of one stretch of an export: its records as tables over one run of bytes.
///
/// Refilled for each chunk; nothing is allocated per record. It holds complete elements only: a record enters at its
/// end tag, so a break in the file leaves no partial record.
public struct ElementBatch: ~Copyable, Sendable {
    /// The bytes that the ranges point into.
    public var bytes = RawArray<UInt8>(capacity: 1 << 19)
    /// Complete records, in the order of their end tags.
    public var records = RawArray<RecordElement>(capacity: 1 << 13)
    /// The metadata of all records.
    public var metadata = RawArray<MetadataElement>(capacity: 1 << 14)
    /// Complete top-level elements other than plain records, and records' beat lists, in the order of their end tags.
    public var trees = RawArray<ElementTree>(capacity: 64)
    /// The elements of all trees.
    public var nodes = RawArray<ElementNode>(capacity: 256)
    /// The attributes of all trees' elements.
    public var attributes = RawArray<ElementAttribute>(capacity: 1024)
    /// How many elements of each name have ended, nested ones too, by `ElementName.rawValue`.
    public var elementCounts = RawArray<UInt64>(capacity: ElementName.allCases.count)
    /// Top-level elements by name: what a converter must handle or count as left out.
    public var topLevelCounts = RawArray<UInt64>(capacity: ElementName.allCases.count)
    /// Elements by name that are not converted because the DTD declares none in their parent; not what is in them.
    public var unreadCounts = RawArray<UInt64>(capacity: ElementName.allCases.count)
    /// How many attributes the DTD does not declare for an element that it does declare.
    public var unknownAttributes: UInt64 = 0
    /// The value of `ExportDate`, if the batch holds it.
    public var exportDate = AttributeRange.absent

    /// An empty batch.
    public init() { removeAll() }

    /// Empties the batch and keeps its memory.
    public mutating func removeAll() {
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
    public borrowing func element(_ tree: ElementTree) -> HealthElement {
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
    public borrowing func text(_ range: AttributeRange) -> String? {
        guard range.isPresent else { return nil }
        return unsafe bytes.withElements { all in
            unsafe String(decoding: all[Int(range.start)..<Int(range.start + range.count)], as: UTF8.self)
        }
    }
}
