internal import FHIRR4
internal import TransactionBundling

/// Which entries of a Bundle refer to which, so that no cut separates what belongs together.
///
/// A panel and its members stay in one Bundle; a Device goes along with whatever refers to it.
struct BundleLinks {
    /// Entries that must stay together, in order; carried Devices are in none.
    let units: [[Int]]
    private let devices: [[Int]]
    private let targets: [[Int]]

    init(_ bundle: TransactionBundle) {
        var numbers: [String: Int] = [:]
        for (number, entry) in bundle.entries.enumerated() {
            guard let member = entry.member else { continue }
            numbers["\(member.type.name)/\(member.id.text)"] = number
            numbers["urn:uuid:\(member.id.uuid)"] = number
        }
        var parents = Array(bundle.entries.indices)
        func root(_ number: Int) -> Int {
            var number = number
            while parents[number] != number { number = parents[number] }
            return number
        }
        var devices = [[Int]](repeating: [], count: bundle.entries.count)
        var targets = devices
        for (number, entry) in bundle.entries.enumerated() {
            for reference in Self.references(in: bundle.body[entry.range]) {
                guard let other = numbers[reference], other != number else { continue }
                if bundle.carries(bundle.entries[other]) {
                    devices[number].append(other)
                } else {
                    targets[number].append(other)
                    let (one, two) = (root(number), root(other))
                    parents[max(one, two)] = min(one, two)
                }
            }
        }
        var units: [Int: [Int]] = [:]
        for (number, entry) in bundle.entries.enumerated() where !bundle.carries(entry) {
            units[root(number), default: []].append(number)
        }
        self.units = units.sorted { $0.key < $1.key }.map(\.value)
        self.devices = devices
        self.targets = targets
    }

    /// Whether an entry refers to another one.
    var isLinked: Bool { units.contains { $0.count > 1 } || devices.contains { !$0.isEmpty } }

    /// The entries and the Devices they refer to, ascending.
    func withDevices(_ numbers: [Int]) -> [Int] { Set(numbers + numbers.flatMap { devices[$0] }).sorted() }

    /// The units that hold one of `numbers`, or an entry that refers to a Device among them.
    func wholeUnits(_ numbers: Set<Int>) -> [Int] {
        units.filter { unit in
            unit.contains { numbers.contains($0) || !numbers.isDisjoint(with: devices[$0]) }
        }.flatMap { $0 }.sorted()
    }

    /// The entries that refer to one of `numbers`; references to carried Devices do not count.
    func referring(to numbers: Set<Int>) -> [Int] { targets.indices.filter { !numbers.isDisjoint(with: targets[$0]) } }

    /// The texts after `"reference":"`.
    private static func references(in bytes: ArraySlice<UInt8>) -> [String] {
        let mark = Array("\"reference\":\"".utf8)
        var texts: [String] = []
        var position = bytes.startIndex
        while position + mark.count < bytes.endIndex {
            guard bytes[position] == mark[0], bytes[position..<position + mark.count].elementsEqual(mark) else {
                position += 1
                continue
            }
            let start = position + mark.count
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\"")) ?? bytes.endIndex
            texts.append(String(decoding: bytes[start..<end], as: UTF8.self))
            position = end
        }
        return texts
    }
}

extension TransactionBundle {
    /// Whether it holds only Devices.
    var holdsDevices: Bool { !entries.isEmpty && entries.allSatisfy { $0.member?.type == .device } }

    /// Whether it brings the Patient, to whom everything else refers.
    var holdsPatient: Bool { entries.contains { $0.member?.type == .patient } }

    /// Whether `entry` is a Device that is here for the entries that refer to it.
    func carries(_ entry: Entry) -> Bool { entry.member?.type == .device && !holdsDevices }

    /// The resources that this Bundle is for.
    var ownMembers: [BundleMember] {
        let onlyDevices = holdsDevices
        var members: [BundleMember] = []
        // Thousands of these lists wait for the ledger, so none has room to spare.
        members.reserveCapacity(entries.count)
        for case let member? in entries.lazy.map(\.member) where onlyDevices || member.type != .device {
            members.append(member)
        }
        return members
    }
}
