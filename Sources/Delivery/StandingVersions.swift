internal import FHIRR4

/// The digest of the version that stands of each resource of an export: 27 to 30 bytes a resource.
///
///     var versions = StandingVersions()
///     versions.set(id, digest)
///     versions[id]  // digest
///
/// Swift's dictionaries take 32 to 64, and half as much again while they grow. This one lies in 256 tables, which an
/// id's first byte chooses among and each of which grows by an eighth.
struct StandingVersions {
    /// How many resources there are.
    private(set) var count = 0
    private var tables = Array(repeating: Table(), count: 256)

    /// The digest of the version that stands; `nil` of a resource that was not met.
    subscript(id: ResourceID) -> UInt64? { tables[Int(id.high >> 56)][id] }

    /// From here on the version with this digest stands.
    mutating func set(_ id: ResourceID, _ digest: UInt64) {
        if tables[Int(id.high >> 56)].set(id, digest) { count += 1 }
    }

    private struct Version {
        var id: ResourceID
        var digest: UInt64

        /// No hash is 0.
        static let none = Version(id: ResourceID(high: 0, low: 0), digest: 0)
        var isNone: Bool { id == Self.none.id }
    }

    /// Open addressing: a version stands at its place, or behind it with no gap between.
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

        /// Where a resource stands, or would; ids are hashes, spread evenly.
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
