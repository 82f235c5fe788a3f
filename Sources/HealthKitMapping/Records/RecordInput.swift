internal import FHIRR4
internal import HealthExport

/// A record with all or some of its entries, as its batch holds it.
@safe
struct RecordInput {
    let record: RecordElement
    /// The bytes that its ranges and those of its entries point into.
    let bytes: UnsafePointer<UInt8>
    let entries: UnsafeBufferPointer<MetadataElement>
    /// What these entries say about its identity, its time and its digest.
    let metadata: RecordMetadata

    /// A record with these of its entries.
    init(_ record: RecordElement, _ bytes: UnsafePointer<UInt8>, _ entries: UnsafeBufferPointer<MetadataElement>) {
        self.record = record
        unsafe self.bytes = bytes
        unsafe self.entries = entries
        metadata = unsafe entries.isEmpty ? RecordMetadata() : RecordMetadata(entries, bytes)
    }

    var type: UnsafeRawBufferPointer { unsafe bytes.bytes(of: record.type) }
    /// Its value as the export has it.
    var value: UnsafeRawBufferPointer { unsafe bytes.bytes(of: record.value) }
    /// Whether it has a list of beats.
    var hasBeats: Bool { record.beatList >= 0 }
}

/// What is known of a record after its template was found.
@safe
struct ResolvedRecord {
    /// Stays where it is until another template is made.
    let template: UnsafeMutablePointer<RecordTemplate>
    /// Its value as a number, if it is one.
    let value: ExactDecimal?
    /// Seconds since 1970.
    let start: Int64
    let end: Int64

    /// The end as it is written: never before the start.
    var writtenEnd: Int64 { max(start, end) }
}

/// How records inside an element are mapped.
struct Nesting {
    /// The role that they are written with; `nil` if they are only counted.
    var role: EncodedResource.Role?
    /// Whether only the nutrients among them are written, as in food.
    var nutrientsAlone: Bool
    /// Whether they count in their days' totals although they are not written, as those of a workout that the options
    /// leave out.
    var isAddedUp: Bool
}
