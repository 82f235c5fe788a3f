internal import FHIRR4
internal import HealthExport

/// A record with its entries, or some of them, as its batch holds it.
@safe
struct RecordInput {
    let record: RecordElement
    /// What its ranges and those of its entries point into.
    let bytes: UnsafePointer<UInt8>
    let entries: UnsafeBufferPointer<MetadataElement>
    /// What these entries say of its identity, its time and its digest.
    let metadata: RecordMetadata

    /// A record with these of its entries.
    init(_ record: RecordElement, _ bytes: UnsafePointer<UInt8>, _ entries: UnsafeBufferPointer<MetadataElement>) {
        self.record = record
        unsafe self.bytes = bytes
        unsafe self.entries = entries
        metadata = unsafe entries.isEmpty ? RecordMetadata() : RecordMetadata(entries, bytes)
    }

    var type: UnsafeRawBufferPointer { unsafe bytes.bytes(of: record.type) }
    /// Its value as it stands.
    var value: UnsafeRawBufferPointer { unsafe bytes.bytes(of: record.value) }
    /// Whether it has a list of beats.
    var hasBeats: Bool { record.beatList >= 0 }
}

/// What a record was found to be.
@safe
struct ResolvedRecord {
    /// It stays where it is until another one is made.
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
    /// How they are written; `nil` where they are only counted.
    var role: EncodedResource.Role?
    /// Whether only nutrients among them are, as in food.
    var nutrientsAlone: Bool
    /// Whether they are not written and yet add to their days, as those of a workout that the options leave out.
    var isAddedUp: Bool
}
