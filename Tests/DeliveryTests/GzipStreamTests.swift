import FileOutput
import Testing

@testable import Delivery

struct GzipStreamTests {
    /// Three members, of which the second is empty.
    private let packed = [text, [], text.reversed()].flatMap { part in
        unsafe part.withUnsafeBytes { unsafe DeflateStream.pack($0, as: .gzip) }
    }
    private static let text = (0..<700).flatMap { Array("{\($0 &* 2_654_435_761 % 8191)}\n".utf8) }
    private let whole = text + text.reversed()

    @Test(arguments: [1, 2, 3, 7, 8, 9, 17, 64, 1000, 1 << 20], [1, 5, 1000, 1 << 20])
    func `members are unpacked alike with input pieces and buffers of any size`(_ piece: Int, _ room: Int) {
        #expect(unpack(packed, piece, room).found == whole)
        #expect(unpack(packed, piece, room).isWhole)
    }

    @Test(arguments: 0..<32, [1, 2, 11, 1 << 20])
    func `a member may have any header fields, come in any pieces, and end with zeros`(_ flags: UInt8, _ piece: Int) {
        let plain = unsafe Self.text.withUnsafeBytes { unsafe DeflateStream.pack($0, as: .gzip) }
        var header = Array(plain[..<3]) + [flags] + plain[4..<10]
        if flags & 4 != 0 { header += [3, 0, 0, 0x1F, 0x8B] }
        if flags & 8 != 0 { header += Array("bundles.ndjson".utf8) + [0] }
        if flags & 16 != 0 { header += [0] }
        if flags & 2 != 0 { header += [0, 7] }
        let (found, isWhole) = unpack(header + plain[10...] + [0, 0, 0] + header + plain[10...] + [0], piece, 1000)
        #expect(isWhole)
        #expect(found == Self.text + Self.text)
    }

    @Test(arguments: [32, 64, 128] as [UInt8])
    func `a reserved flag is damage`(_ flag: UInt8) {
        var changed = packed
        changed[3] |= flag
        #expect(unpack(changed, 1, 1000).isWhole == false)
        #expect(unpack(changed, 1, 1000).found.isEmpty)
    }

    @Test func `a stream that is cut short is not whole`() {
        let border = packed.count / 2
        for count in [1, 2, 5, 10, 18, 40, border - 9, border, packed.count - 8, packed.count - 1] {
            #expect(unpack(Array(packed[..<count]), 1 << 20, 1 << 20).isWhole == false, "\(count)")
        }
    }

    @Test func `a change in the compressed data or its checksums is noticed, or changes nothing`() {
        let member = unsafe Self.text.withUnsafeBytes { unsafe DeflateStream.pack($0, as: .gzip) }
        // Of the header's ten bytes, those with the time and the system are not checked.
        for place in [0, 1, 2] + Array(10..<member.count) {
            var changed = member
            changed[place] ^= 0x10
            let (found, isWhole) = unpack(changed, 1 << 20, 1 << 20)
            // Bits that pad the last byte mean nothing.
            let isHarmless = !isWhole || found == Self.text
            #expect(isHarmless, "\(place)")
        }
    }

    /// - Returns: what was unpacked up to the end or the damage, and whether that was all.
    private func unpack(_ bytes: [UInt8], _ piece: Int, _ roomCount: Int) -> (found: [UInt8], isWhole: Bool) {
        var stream = GzipStream()
        var room = [UInt8](repeating: 0, count: roomCount + 3)
        var found: [UInt8] = []
        var place = 0
        while true {
            let input = bytes[place..<min(place + piece, bytes.count)]
            guard let step = stream.step(from: input, into: &room, at: 3) else { return (found, false) }
            found += room[3..<3 + step.made]
            place += step.taken
            if place == bytes.count, step.made == 0 { return (found, stream.isWhole) }
        }
    }
}
