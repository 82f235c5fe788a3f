internal import FHIRR4
internal import FileOutput
internal import HealthExport

/// A run of bytes, deflated while it is not needed: JSON of samples takes a tenth of its room.
struct PackedBytes: Sendable {
    /// How many bytes were packed.
    let byteCount: Int
    private let deflated: [UInt8]

    init(_ bytes: UnsafeRawBufferPointer) {
        byteCount = bytes.count
        deflated = unsafe DeflateStream.pack(bytes, as: .raw)
    }

    /// Puts the bytes into `target`, replacing its content.
    func unpack(into target: inout JSONBytes) {
        target.removeAll()
        let room = unsafe UnsafeMutableRawBufferPointer(start: target.reserve(byteCount), count: byteCount)
        let inflater = Inflater()
        let step = unsafe deflated.withUnsafeBytes { unsafe inflater.step(from: $0, into: room) }
        precondition(step.produced == byteCount && step.outcome != .damaged, "ISA-L refused its own output")
        unsafe target.advance(by: byteCount)
    }
}
