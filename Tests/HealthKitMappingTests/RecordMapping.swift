import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// What one record was mapped to: its row and its JSON.
struct MappedRecord {
    var id: String
    var digest: UInt64
    var rank: UInt64
    var kind: UInt64
    var json: String
    /// The Device that measured, as JSON.
    var device: String?
    /// The app that wrote the record, as JSON.
    var gateway: String?

    /// The JSON after `"name":`, up to the end of that value, exactly as written.
    func value(_ name: String) -> String? {
        guard let start = json.range(of: "\"\(name)\":") else { return nil }
        var depth = 0
        var isInString = false
        var text = ""
        for character in json[start.upperBound...] {
            if character == "\"" { isInString.toggle() }
            if !isInString {
                if depth == 0, character == "," || character == "}" || character == "]" { break }
                if character == "{" || character == "[" { depth += 1 }
                if character == "}" || character == "]" { depth -= 1 }
            }
            text.append(character)
        }
        return text
    }
}

/// Decoded once for all tests.
private let embeddedTable = Result { try MappingTable.embedded() }

/// Maps the records of `elements`, without Bundles around them.
func map(
    _ elements: String,
    options: MappingOptions = MappingOptions(patientID: "p1", form: .resource),
    faults: UnsafeMutablePointer<[Malformation.Kind]>? = nil
) throws -> [MappedRecord] { try unsafe mapCounting(elements, options: options, faults: faults).records }

/// What the table could not map in the metadata of the records of `elements`.
func unmappedMetadata(
    _ elements: String,
    options: MappingOptions = MappingOptions(patientID: "p1", form: .resource)
) throws -> UnmappedCounts { try mapCounting(elements, options: options).unmapped }

private func mapCounting(
    _ elements: String,
    options: MappingOptions,
    faults: UnsafeMutablePointer<[Malformation.Kind]>? = nil
) throws -> (records: [MappedRecord], unmapped: UnmappedCounts) {
    let text = "<HealthData>\n\(elements)</HealthData>\n"
    var cutter = ChunkCutter(source: Memory(Array(text.utf8)), input: "test")
    var chunk = ExportChunk()
    var batch = ElementBatch()
    var found: [Malformation] = []
    var parser = ChunkParser()
    let registry = DeviceRegistry()
    var mapper = RecordMapper(table: try embeddedTable.get(), options: options, registry: registry)
    var json = JSONBytes()
    var rows = RawArray<EncodedResource>()
    while try cutter.next(into: &chunk) {
        try #require(parser.parseAlone(&chunk, mark: cutter.mark, into: &batch, faults: &found))
        mapper.map(batch, of: chunk.bytes, into: &json, rows: &rows) { kind, _ in
            if let faults = unsafe faults { unsafe faults.pointee.append(kind) }
        }
    }
    let bytes = unsafe json.withBytes { unsafe Array($0) }
    // A row that covers a waiting one is not a resource.
    let records = (0..<rows.count).filter { rows[$0].role != .covering }.map { index in
        let row = rows[index]
        func device(_ number: Int32) -> String? {
            number < 0 ? nil : String(decoding: registry.device(number).json, as: UTF8.self)
        }
        return MappedRecord(
            id: row.id.text,
            digest: row.digest,
            rank: row.rank,
            kind: row.kind,
            json: String(decoding: bytes[Int(row.start)..<Int(row.start + row.count)], as: UTF8.self),
            device: device(row.device),
            gateway: device(row.gateway)
        )
    }
    return (records, mapper.takeUnmappedMetadata())
}

/// Maps `element`, which must hold exactly one record.
func mapOne(
    _ element: String,
    options: MappingOptions = MappingOptions(patientID: "p1", form: .resource)
) throws -> MappedRecord {
    let records = try map(element, options: options)
    try #require(records.count == 1)
    return records[0]
}

/// A category record's XML.
func category(
    _ type: String,
    _ value: String?,
    start: String = "2024-06-01 08:00:00 +0100",
    metadata: [(String, String)] = []
) -> String {
    record("HKCategoryTypeIdentifier\(type)", value: value, unit: nil, start: start, metadata: metadata)
}

/// Bytes in memory as the source of an export.
private final class Memory: ByteSource {
    private let bytes: [UInt8]
    nonisolated(unsafe) private var place = 0  // only used by one test's thread

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var progress: InputProgress { InputProgress(consumed: UInt64(bytes.count), total: UInt64(bytes.count)) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthExportError) -> Int {
        let count = min(buffer.count, unsafe bytes.count - place)
        unsafe buffer.copyBytes(from: bytes[place..<(place + count)])
        unsafe place += count
        return count
    }
}
