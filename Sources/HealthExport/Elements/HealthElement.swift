/// One element of an export that is not a plain `Record`, with everything in it.
///
///     <ActivitySummary dateComponents="2024-06-16" activeEnergyBurned="612" …/>
///
/// Names and values are text as an XML parser reports it. Built from a batch's tables for elements that are rare
/// enough: workouts, correlations, rings, audiograms. Costs a microsecond an attribute.
package struct HealthElement: Sendable, Equatable {
    /// Apple's name for the element, or `other`.
    package var name: ElementName
    /// Attributes in the order of the file.
    package var attributes: [Attribute]
    /// The elements inside it, in the order of the file.
    package var children: [HealthElement]
    /// Where its start tag ends, in bytes from the start of the XML.
    package var byteOffset: UInt64

    /// One attribute: `unit="km"`.
    package struct Attribute: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// Its value.
        package var value: String

        /// A pair.
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An element from its parts.
    package init(
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

    /// The value of an attribute; `nil` if it is absent or empty.
    package subscript(_ name: String) -> String? {
        // Compares bytes: Swift's `==` also takes texts of different bytes for equal.
        guard let attribute = attributes.first(where: { $0.name.isExactly(name) }) else { return nil }
        return attribute.value.isEmpty ? nil : attribute.value
    }

    /// The children with one name.
    package func children(_ name: ElementName) -> [HealthElement] { children.filter { $0.name == name } }

    /// The instant of an attribute such as `startDate`; `nil` if it is absent or not a date of that form.
    package func instant(_ name: String) -> Int64? { self[name].flatMap { ExportDate.seconds($0) } }
}

extension ExportDate {
    /// Reads `2024-03-31 01:59:59 +0100`, for rare uses.
    package static func seconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { unsafe seconds(UnsafeRawBufferPointer($0)) }
    }
}
