import FHIRR4
import TransactionBundling

/// An entry as a mapper makes it, with bytes that distinguish it from others.
struct Resource {
    var row: EncodedResource
    var bytes: [UInt8]

    /// An Observation; `kind` is its type's group.
    init(
        _ id: UInt64,
        digest: UInt64 = 0,
        rank: UInt64 = 0,
        kind: UInt64 = 1,
        device: Int32 = -1,
        gateway: Int32 = -1,
        byteCount: Int = 60
    ) {
        let text = "{\"id\":\(id),\"digest\":\(digest)}"
        bytes = Array((text + String(repeating: " ", count: max(byteCount - text.utf8.count, 0))).utf8)
        row = EncodedResource(
            id: ResourceID(high: id &* 0x9E37_79B9_7F4A_7C15, low: id),
            digest: digest,
            rank: rank,
            kind: kind,
            start: 0,
            count: UInt32(bytes.count),
            device: device,
            gateway: gateway
        )
    }
}

/// A finished group.
struct Group: Equatable {
    var text: String
    var key: String
    var devices: [Int32]
    /// The ids in the group, in its order.
    var ids: [String] { text.matches(of: /"id":([0-9]+)/).map { String($0.1) } }
}

/// Groups `resources` as a converter does, and returns all groups.
func groups(
    _ resources: [Resource],
    limits: BundleLimits = BundleLimits(),
    framing: BundleBuilder.Framing = .transaction,
    duplicates: UnsafeMutablePointer<UInt64>? = nil
) -> [Group] {
    var builder = BundleBuilder(limits: limits, key: .test, framing: framing)
    var groups: [Group] = []
    for resource in resources {
        if builder.mustClose(before: resource.row) { builder.close(into: &groups) }
        unsafe resource.bytes.withUnsafeBytes { unsafe builder.add(resource.row, $0) }
        if builder.isAtBoundary { builder.close(into: &groups) }
    }
    if builder.count > 0 { builder.close(into: &groups) }
    if let duplicates = unsafe duplicates { unsafe duplicates.pointee = builder.duplicateCount }
    return groups
}

extension BundleBuilder {
    /// Finishes the group and appends it.
    mutating func close(into groups: inout [Group]) {
        let devices = devices
        finish { bytes, key in
            groups.append(Group(text: String(decoding: bytes.joined, as: UTF8.self), key: key, devices: devices))
        }
    }
}

extension BundleKey {
    static let test = BundleKey(scheme: "pghd1", mappingVersion: "1", options: "", subject: "Patient/p1")
}
