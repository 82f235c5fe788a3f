/// libFuzzer's entry point.
///
/// Any bytes are read with the scanner and without it, in chunks of a size that the first byte chooses, and everything
/// that is read must be equal. The address sanitizer watches both.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzScanner(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let first = input.first else { return 0 }
    // The prolog is fixed: otherwise mutations would be spent on it, and the scanner never sees it.
    let document = Array("<HealthData locale=\"en_US\">\n".utf8) + input.dropFirst()
    let chunkByteCount = [64, 97, 300, 1000, 1 << 18][Int(first) % 5]
    let scanned = read(document, ReadingMode(chunkByteCount: chunkByteCount))
    let parsed = read(document, ReadingMode(chunkByteCount: chunkByteCount, scansCanonicalRecords: false))
    if scanned != parsed {
        print("read differently, in chunks of \(chunkByteCount) bytes:\n\(scanned)\n\(parsed)")
        fatalError("the scanner told what libxml2 does not")
    }
    return 0
}
