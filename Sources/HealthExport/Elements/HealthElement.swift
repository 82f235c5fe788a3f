/// One element of an export that is no plain `Record`, with all that is in it.
///
///     <ActivitySummary dateComponents="2024-06-16" activeEnergyBurned="612" …/>
///
/// Names and values are text as an XML parser reports it. Made of a batch's tables for the
/// elements that are rare enough: workouts, correlations, rings, audiograms. A microsecond
/// an attribute.
public struct HealthElement: Sendable, Equatable {
    /// Apple's name for it, or `other`.
    public var name: ElementName
    /// Attributes in the order of the file.
    public var attributes: [Attribute]
    /// Elements in it, in the order of the file.
    public var children: [HealthElement]
    /// Where its start tag ends, in bytes from the start of the XML.
    public var byteOffset: UInt64

    /// One attribute: `unit="km"`.
    public struct Attribute: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: String

        /// A pair.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An element of its parts.
    public init(
        _ name: ElementName,
        _ attributes: [Attribute] = [],
        children: [HealthElement] = [],
        byteOffset: UInt64 = 0
    ) {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.byteOffset = byteOffset
    }

    /// The value of an attribute; `nil` where it is absent or empty.
    public subscript(_ name: String) -> String? {
        // In its bytes: equal text may be written in others.
        guard let attribute = attributes.first(where: { $0.name.isExactly(name) }) else { return nil }
        return attribute.value.isEmpty ? nil : attribute.value
    }

    /// The children of one name.
    public func children(_ name: ElementName) -> [HealthElement] { children.filter { $0.name == name } }

    /// The instant of an attribute such as `startDate`; `nil` where it is absent or no such date.
    public func instant(_ name: String) -> Int64? { self[name].flatMap { ExportDate.seconds($0) } }
}

extension ExportDate {
    /// Reads `2024-03-31 01:59:59 +0100`, for rare uses.
    public static func seconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { unsafe seconds(UnsafeRawBufferPointer($0)) }
    }
}
