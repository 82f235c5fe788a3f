import FHIRR4

import TestSupport
import Testing
import TransactionBundling

/// docs/formats.md, "Bundles".
struct BundleBuilderTests {
    @Test func `a Bundle has exactly the bytes that the format defines`() {
        let text = groups([Resource(2, byteCount: 0), Resource(1, byteCount: 0)])[0].text
        // The key: printf 'pghd1\x1f1\x1f\x1fPatient/p1\x1f', then for both ids in order the 16 bytes of the id and 8
        // zeros, through sha256sum.
        #expect(
            text
                == "{\"resourceType\":\"Bundle\",\"identifier\":{\"system\":\"urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47\","
                + "\"value\":\"7ffa97a87d4fd42979f66407fb18aa253a22fdd3bec74e8606f89ed28f3b459b\"},\"type\":\"transaction\",\"entry\":["
                + "{\"id\":2,\"digest\":0},{\"id\":1,\"digest\":0}]}\n"
        )
    }

    @Test func `entries are ordered by id, whatever order they came in`() {
        var resources = (1...30).map { Resource(UInt64($0), digest: 5) }
        let sorted = groups(resources)
        var numbers = RandomBits(state: 1)
        for _ in 0..<20 {
            resources.shuffle(using: &numbers)
            #expect(groups(resources) == sorted)
        }
        let ids = resources.map(\.row).sorted { $0.id < $1.id }.map { String($0.id.low) }
        #expect(sorted[0].ids == ids)
    }

    @Test func `lines keep the order in which they came`() {
        let text = groups(
            [Resource(3, byteCount: 0), Resource(1, byteCount: 0), Resource(2, byteCount: 0)],
            framing: .lines
        )[0]
        #expect(text.ids == ["3", "1", "2"])
        #expect(text.text.split(separator: "\n").count == 3)
        #expect(text.text.hasSuffix("}\n"))
    }

    @Test(arguments: [1, 3, 40])
    func `a group may borrow from two lenders, and keeps what the earlier one lent`(_ count: Int) {
        let resources = (1...120).map { Resource(UInt64($0) * 96 + 1, digest: UInt64($0 % 5)) }
        var builder = BundleBuilder(limits: BundleLimits(), key: .test, framing: .transaction)
        var lent: [UInt8] = []
        for start in stride(from: 0, to: resources.count, by: count) {
            let run = resources[start..<min(start + count, resources.count)]
            var bytes = run.flatMap(\.bytes)
            unsafe bytes.withUnsafeMutableBytes { bytes in
                builder.beginLoan()
                var place = 0
                for resource in run {
                    let range = place..<place + resource.bytes.count
                    unsafe builder.addBorrowed(resource.row, UnsafeRawBufferPointer(rebasing: bytes[range]))
                    place = range.upperBound
                }
                builder.keepEarlierLoans()
            }
            // The earlier lender's buffer is reused.
            for index in lent.indices { lent[index] = UInt8(ascii: "x") }
            swap(&lent, &bytes)
        }
        var found: [Group] = []
        builder.close(into: &found)
        #expect(found == groups(resources))
        withExtendedLifetime(lent) {}
    }

    // MARK: Where groups end

    @Test func `a group ends after an id that is 0 modulo 96, once it has 32 entries`() {
        let early = groups((1...200).map { Resource($0 == 31 ? 96 : UInt64($0) * 96 + 1) })
        #expect(early.count == 1)
        let late = groups((1...200).map { Resource($0 == 32 ? 96 : UInt64($0) * 96 + 1) })
        #expect(late.map(\.ids.count) == [32, 168])
        let two = groups((1...200).map { Resource($0 == 40 || $0 == 100 ? UInt64($0) * 96 : UInt64($0) * 96 + 1) })
        #expect(two.map(\.ids.count) == [40, 60, 100])
    }

    @Test func `resources that must stay together may exceed the limit`() {
        var builder = BundleBuilder(limits: BundleLimits(), key: .test, framing: .transaction)
        let resources = (1...5000).map { Resource(UInt64($0) * 96 + 1) }
        for resource in resources + resources {
            unsafe resource.bytes.withUnsafeBytes { unsafe builder.add(resource.row, $0) }
        }
        var found: [Group] = []
        builder.close(into: &found)
        #expect(found.map(\.ids.count) == [5000] && builder.duplicateCount == 5000)
    }

    @Test func `only the last eight digits of an id decide on a boundary`() {
        func resources(_ low: UInt64) -> [Resource] {
            (1...50).map { number in
                var resource = Resource(UInt64(number) * 96 + 1)
                if number == 40 { resource.row.id.low = low }
                return resource
            }
        }
        #expect(groups(resources(0xFFFF_FFFF_0000_0060)).count == 2)
        #expect(groups(resources(0x0000_0001_0000_0000)).count == 2)
        #expect(groups(resources(0x0000_0000_0000_0061)).count == 1)
    }

    @Test func `a group never spans two types`() {
        let resources = (1...90).map { Resource(UInt64($0) * 96 + 1, kind: UInt64($0) / 30) }
        #expect(groups(resources).map(\.ids.count) == [29, 30, 30, 1])
    }

    @Test(arguments: [1, 2, 31, 32, 33, 100, 400])
    func `no group has more entries than the limit`(_ limit: Int) {
        let resources = (1...1000).map { Resource(UInt64($0) * 96 + 1) }
        let found = groups(resources, limits: BundleLimits(maximumEntryCount: limit))
        #expect(found.dropLast().allSatisfy { $0.ids.count == limit })
        #expect(found.flatMap(\.ids).count == 1000)
    }

    @Test(arguments: [1000, 1400, 5000, 100_000])
    func `no group has more bytes than the limit, except for one large entry`(_ limit: Int) {
        var numbers = RandomBits(state: 3)
        let resources =
            (1...500).map { Resource(UInt64($0) * 96 + 1, byteCount: Int(numbers.next() % 900) + 30) }
            + [Resource(7, byteCount: limit), Resource(8, byteCount: limit * 3), Resource(9)]
        let found = groups(resources, limits: BundleLimits(maximumByteCount: limit))
        for group in found where group.text.utf8.count > limit { #expect(group.ids.count == 1) }
        #expect(found.flatMap(\.ids).count == 503)
    }

    @Test func `a group may have exactly the limit's bytes`() {
        let resources = [Resource(1, byteCount: 100), Resource(2, byteCount: 100)]
        let size = groups(resources)[0].text.utf8.count
        #expect(groups(resources, limits: BundleLimits(maximumByteCount: size)).count == 1)
        #expect(groups(resources, limits: BundleLimits(maximumByteCount: size - 1)).count == 2)
    }

    // MARK: Twins

    @Test(arguments: [
        (Resource(1, digest: 1), Resource(1, digest: 2)),
        (Resource(1, digest: 9, rank: 1), Resource(1, digest: 1, rank: 2)),
    ])
    func `of twins the one with the higher rank, then the greater digest, wins in any order`(
        _ loser: Resource,
        _ winner: Resource
    ) {
        let others = (10...20).map { Resource(UInt64($0)) }
        var duplicates: UInt64 = 0
        let one = unsafe groups([loser] + others + [winner], duplicates: &duplicates)
        #expect(duplicates == 1)
        #expect(groups([winner] + others + [loser]) == one)
        #expect(one[0].text.contains(String(decoding: winner.bytes, as: UTF8.self)))
        #expect(groups([winner] + others)[0] == one[0])
    }

    @Test func `any order of many twins gives the same groups`() {
        var numbers = RandomBits(state: 5)
        for round in 0..<200 {
            // A run of 80 with twins of different ranks, digests, sizes and Devices, none at a boundary.
            var resources = (1...80).map { number in
                Resource(
                    UInt64(number % 37) * 96 + 1,
                    digest: numbers.next() % 4,
                    rank: numbers.next() % 3,
                    device: Int32(numbers.next() % 3) - 1,
                    gateway: Int32(numbers.next() % 2)
                )
            }
            // Equal rank and digest mean equal bytes, and therefore equal Devices.
            for index in resources.indices {
                let row = resources[index].row
                resources[index].row.device = Int32((row.digest + row.rank) % 3) - 1
                resources[index].row.gateway = Int32(row.digest % 2)
            }
            var one = groups(resources)
            resources.shuffle(using: &numbers)
            var two = groups(resources)
            // The order decides which Device was referred to first.
            one[0].devices.sort()
            two[0].devices.sort()
            #expect(one == two, "round \(round)")
        }
    }

    @Test func `resources that must stay together may fill a group to its limits`() {
        let unit = [Resource(3, byteCount: 100), Resource(4, byteCount: 100)]
        let first = [Resource(1, byteCount: 100), Resource(2, byteCount: 100)]
        let size = groups(first + unit)[0].text.utf8.count
        func closes(_ limits: BundleLimits) -> Bool {
            var builder = BundleBuilder(limits: limits, key: .test, framing: .transaction)
            for resource in first {
                unsafe resource.bytes.withUnsafeBytes { unsafe builder.add(resource.row, $0) }
            }
            return builder.mustClose(beforeUnit: unit.map(\.row))
        }
        #expect(!closes(BundleLimits(maximumEntryCount: 4, maximumByteCount: size)))
        #expect(closes(BundleLimits(maximumEntryCount: 3, maximumByteCount: size)))
        #expect(closes(BundleLimits(maximumEntryCount: 4, maximumByteCount: size - 1)))
    }

    @Test func `the losing twin's Device is not in the group`() {
        let winner = Resource(1, digest: 2, device: 3, gateway: 4)
        let loser = Resource(1, digest: 1, device: 5, gateway: 6)
        #expect(groups([loser, winner])[0].devices == [3, 4])
        #expect(groups([winner, loser])[0].devices == [3, 4])
    }

    @Test func `the losing twin's bytes do not count towards the limit`() {
        let limits = BundleLimits(maximumByteCount: 1000)
        let twins = (1...5).map { Resource(1, digest: UInt64($0), byteCount: 400) }
        let other = Resource(2, byteCount: 300)
        #expect(groups(twins + [other], limits: limits).count == 1)
        #expect(groups(twins.reversed() + [other], limits: limits) == groups(twins + [other], limits: limits))
    }

    @Test func `a winning twin that is too large for the loser's place begins the next group`() {
        let limits = BundleLimits(maximumByteCount: 1000)
        let found = groups(
            [Resource(1, digest: 1), Resource(2, byteCount: 500), Resource(1, digest: 2, byteCount: 500)],
            limits: limits
        )
        #expect(found.map(\.ids) == [["2"], ["1"]])
    }

    @Test(arguments: [
        (Resource(1, digest: 1), Resource(1, digest: 1), 0),
        (Resource(1, digest: 9, rank: 1), Resource(1, digest: 1, rank: 2), 0),
        (Resource(1, digest: 1), Resource(1, digest: 2), 1),
        // Neither fits in the other's place.
        (Resource(1, digest: 1), Resource(1, digest: 2, byteCount: 900), 1),
    ])
    func `a twin conflicts if its content differs and no rank says which is newer`(
        _ one: Resource,
        _ other: Resource,
        _ conflicts: Int
    ) {
        let limits = BundleLimits(maximumByteCount: 1000)
        for twins in [[one, other], [other, one]] {
            var builder = BundleBuilder(limits: limits, key: .test, framing: .transaction)
            var found: [Group] = []
            for resource in [Resource(2)] + twins {
                if builder.mustClose(before: resource.row) { builder.close(into: &found) }
                unsafe resource.bytes.withUnsafeBytes { unsafe builder.add(resource.row, $0) }
            }
            #expect(builder.duplicateCount == 1)
            #expect(builder.conflictingDuplicateCount == UInt64(conflicts))
        }
    }

    @Test func `thousands of ever greater twins neither pile up nor take long`() {
        let limits = BundleLimits(maximumByteCount: 1000)
        var duplicates: UInt64 = 0
        let found = unsafe groups(
            (1...5000).map { Resource(1, digest: UInt64($0), byteCount: 2000) },
            limits: limits,
            duplicates: &duplicates
        )
        #expect(found.count == 1)
        #expect(duplicates == 4999)
    }

    @Test func `borrowed bytes may be overwritten once they are kept`() {
        var builder = BundleBuilder(limits: BundleLimits(), key: .test, framing: .transaction)
        var found: [Group] = []
        let resources = (1...20).map { Resource(UInt64($0 % 15), digest: UInt64($0)) }
        for chunk in [resources[..<7], resources[7..<13], resources[13...]] {
            // One buffer for all chunks, like the pipeline's slots.
            var buffer: [UInt8] = []
            var places: [Int] = []
            for resource in chunk {
                places.append(buffer.count)
                buffer += resource.bytes
            }
            unsafe buffer.withUnsafeMutableBytes { bytes in
                for (resource, place) in zip(chunk, places) {
                    _ = builder.mustClose(before: resource.row)
                    let range = place..<place + resource.bytes.count
                    unsafe builder.addBorrowed(resource.row, UnsafeRawBufferPointer(rebasing: bytes[range]))
                }
                builder.keepBorrowedBytes()
                for index in bytes.indices { unsafe bytes[index] = 0 }
            }
        }
        builder.close(into: &found)
        #expect(found == groups(resources))
    }

    // MARK: Carried Devices

    @Test func `a carried Device stays while a resource refers to it`() {
        var builder = BundleBuilder(limits: BundleLimits(), key: .test, framing: .transaction)
        var found: [Group] = []
        func add(_ resource: Resource) {
            unsafe resource.bytes.withUnsafeBytes { unsafe builder.add(resource.row, $0) }
        }
        for number in [1, 2] {
            let device = Resource(100 + UInt64(number))
            unsafe device.bytes.withUnsafeBytes { unsafe builder.addCarried(Int32(number), device.row, $0) }
        }
        add(Resource(1, digest: 1, device: 1))
        add(Resource(2, device: 2))
        #expect(builder.count == 4)
        add(Resource(1, digest: 2, device: 2))
        #expect(builder.count == 3)
        builder.close(into: &found)
        #expect(Set(found[0].ids) == ["1", "2", "102"])
    }

    /// A workout's members and their Devices: a member that wins against its twin must not remove the others' Devices.
    @Test func `within a unit Devices stay for the resources that are still to come`() {
        var builder = BundleBuilder(limits: BundleLimits(), key: .test, framing: .transaction)
        var found: [Group] = []
        func add(_ resource: Resource) {
            unsafe resource.bytes.withUnsafeBytes { unsafe builder.add(resource.row, $0) }
        }
        func addDevice(_ number: UInt64) {
            let device = Resource(100 + number)
            unsafe device.bytes.withUnsafeBytes { unsafe builder.addCarried(Int32(number), device.row, $0) }
        }
        addDevice(1)
        add(Resource(1, digest: 1, device: 1))
        addDevice(2)
        addDevice(3)
        builder.beginUnit()
        add(Resource(1, digest: 2, device: 2))
        add(Resource(2, device: 3))
        builder.endUnit()
        builder.close(into: &found)
        #expect(Set(found[0].ids) == ["1", "2", "102", "103"])
    }
}
