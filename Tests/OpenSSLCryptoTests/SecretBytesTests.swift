import Foundation
import Glibc
import OpenSSLCrypto
import Testing

struct SecretBytesTests {
    @Test(arguments: [
        ("state", "state", true), ("state", "statf", false), ("state", "stat", false), ("", "", true), ("", "s", false),
    ])
    func `S7 values are equal only if all their bytes are`(_ left: String, _ right: String, _ isEqual: Bool) throws {
        #expect(ConstantTime.isEqual(Array(left.utf8), Array(right.utf8)) == isEqual)
        let secret = try SecretBytes(copying: left.utf8)
        #expect(try secret.isEqual(to: SecretBytes(copying: right.utf8)) == isEqual)
    }

    @Test func `S34 a secret's pages are kept out of core dumps, and are freed with it`() async {
        // In its own process: here another test's secret might get the same address at once.
        await #expect(processExitsWith: .success) {
            var address: UInt = 0
            do {
                let secret = try SecretBytes(copying: "hunter2".utf8)
                address = unsafe secret.withBytes { UInt(bitPattern: $0.baseAddress) }
                // "dd" is VM_DONTDUMP: proc(5), /proc/PID/smaps.
                #expect(try SecretBytesTests.flags(ofMappingWith: address).contains("dd"))
                #expect(unsafe secret.withBytes { unsafe Array($0) } == Array("hunter2".utf8))
            }
            #expect(try SecretBytesTests.flags(ofMappingWith: address).contains("dd") == false)
        }
    }

    @Test(.enabled(if: SecretBytesTests.mayLock, "the system lets no page be locked"))
    func `S34 a secret's pages are kept out of swap`() throws {
        let secret = try SecretBytes(copying: "hunter2".utf8)
        let address = unsafe secret.withBytes { UInt(bitPattern: $0.baseAddress) }
        // "lo" is VM_LOCKED.
        #expect(try SecretBytesTests.flags(ofMappingWith: address).contains("lo"))
        #expect(unsafe secret.withBytes { unsafe Array($0) } == Array("hunter2".utf8))
    }

    private static var mayLock: Bool {
        var byte: UInt8 = 0
        defer { unsafe munlock(&byte, 1) }
        return unsafe mlock(&byte, 1) == 0
    }

    @Test func `a secret may have no bytes`() throws {
        let secret = try SecretBytes(count: 0)
        let isEmpty = secret.isEmpty
        let bytes = unsafe secret.withBytes { unsafe Array($0) }
        #expect(isEmpty)
        #expect(bytes == [])
    }

    @Test func `a part is an independent secret`() throws {
        let secret = try SecretBytes(copying: 0..<48)
        let part = try secret.part(32..<48)
        let bytes = unsafe part.withBytes { unsafe Array($0) }
        #expect(bytes == Array(32..<48))
    }

    /// The two-letter flags of the mapping around `address`, or none if there is no mapping.
    private static func flags(ofMappingWith address: UInt) throws -> [Substring] {
        // `Data(contentsOf:)` stops after the first part of a file whose size is 0.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        var isInside = false
        for line in text.split(separator: "\n") {
            let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            if range.count == 2 { isInside = (range[0]..<range[1]).contains(address) }
            if isInside, line.hasPrefix("VmFlags:") { return line.split(separator: " ").dropFirst().map(\.self) }
        }
        return []
    }
}
