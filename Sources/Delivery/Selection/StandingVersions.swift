internal import FHIRR4

/// The digest of the version that stands, for each resource of an export: 27 to 30 bytes a resource.
///
///     var versions = StandingVersions()
///     versions.set(id, digest)
///     versions[id]  // digest
///
/// Swift's dictionaries take 32 to 64 bytes, and half as much again while they grow. This one has 256 tables, chosen by
/// an id's first byte, and each grows by an eighth.
struct StandingVersions {
    /// How many resources there are.
    private(set) var count = 0
    private var tables = Array(repeating: Table(), count: 256)

    /// The digest of the version that stands; `nil` for a resource that was not met.
    subscript(id: ResourceID) -> UInt64? { tables[Int(id.high >> 56)][id] }

    /// Makes the version with this digest the one that stands.
    mutating func set(_ id: ResourceID, _ digest: UInt64) {
        if tables[Int(id.high >> 56)].set(id, digest) { count += 1 }
    }

    private struct Version {
        var id: ResourceID
        var digest: UInt64

        /// An empty place: no hash is 0.
        static let none = Version(id: ResourceID(high: 0, low: 0), digest: 0)
        var isNone: Bool { id == Self.none.id }
    }

    /// A table with open addressing: a version is at its place, or after it with no gap in between.
    private struct Table {
        private var versions = Array(repeating: Version.none, count: 16)
        private var count = 0

        subscript(id: ResourceID) -> UInt64? {
            let version = versions[place(of: id)]
            return version.isNone ? nil : version.digest
        }

        /// - Returns: whether the resource is new.
        mutating func set(_ id: ResourceID, _ digest: UInt64) -> Bool {
            let place = place(of: id)
            guard versions[place].isNone else {
                versions[place].digest = digest
                return false
            }
            versions[place] = Version(id: id, digest: digest)
            count += 1
            if count * 10 > versions.count * 9 { grow() }
            return true
        }

        /// Where a resource is, or would be; ids are hashes and spread evenly.
        private func place(of id: ResourceID) -> Int {
            var place = Int(id.low.multipliedFullWidth(by: UInt64(versions.count)).high)
            while !versions[place].isNone, versions[place].id != id {
                place += 1
                if place == versions.count { place = 0 }
            }
            return place
        }

        private mutating func grow() {
            let former = versions
            versions = Array(repeating: .none, count: former.count + former.count / 8)
            for version in former where !version.isNone { versions[place(of: version.id)] = version }
        }
    }
}
