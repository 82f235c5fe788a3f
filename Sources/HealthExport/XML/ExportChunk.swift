/// One stretch of an export's XML, made of whole top-level elements wherever possible.
package struct ExportChunk: ~Copyable, Sendable {
    /// The XML of the stretch; the first one begins with the root's start tag.
    package var bytes = RawArray<UInt8>(capacity: 1 << 18)
    /// Where it begins, in bytes from the start of the XML.
    package var offset: UInt64 = 0
    /// Line breaks before it: those of the prolog, until ``follow(_:)`` adds those of the chunks before it.
    package var linesBefore: UInt64 = 0
    /// Line breaks in it, if its parser counted them.
    var lineBreakCount: UInt64?
    /// Whether it begins with the root's start tag.
    package var isFirst = false
    /// Whether nothing follows it.
    package var isLast = false
    /// Whether it ends before a top-level element (or at the end of the file), as far as its bytes show.
    package var endsAtMark = false

    /// An empty chunk.
    package init() {}

    /// Adds the line breaks of the chunks before it; call it chunk by chunk in order, before lines are looked up.
    ///
    /// - Parameter lines: the number of line breaks up to this chunk, 0 before the first; its own are added.
    package mutating func follow(_ lines: inout UInt64) {
        linesBefore += lines
        lines =
            unsafe linesBefore
            + (lineBreakCount ?? bytes.withElements { unsafe lineBreaks(in: UnsafeRawBufferPointer($0)) })
    }

    /// A fault at a byte of this chunk; `arrange(_:)` finds its line.
    package borrowing func malformation(_ kind: Malformation.Kind, at place: Int, element: ElementName?) -> Malformation
    {
        Malformation(kind: kind, byte: offset + UInt64(place), line: 0, element: element)
    }

    /// Puts faults in the order of the file, `truncated` last, and finds their lines in one pass.
    ///
    /// A fault before this chunk keeps its line.
    package borrowing func arrange(_ faults: inout [Malformation]) {
        guard !faults.isEmpty else { return }
        faults.sort { $0.order < $1.order }
        unsafe bytes.withElements { bytes in
            let text = UnsafeRawBufferPointer(bytes)
            var counted = 0
            var lines = linesBefore
            for index in faults.indices where faults[index].byte >= offset {
                let place = min(Int(faults[index].byte - offset), text.count)
                if place < counted {
                    counted = 0
                    lines = linesBefore
                }
                lines += unsafe lineBreaks(in: UnsafeRawBufferPointer(rebasing: text[counted..<place]))
                counted = place
                faults[index].line = lines + 1
            }
        }
    }
}

extension Malformation {
    /// By place; what ends the file comes last, and the kind decides between two faults at one byte.
    fileprivate var order: (UInt64, UInt64, Int) {
        (kind == .truncated ? 1 : 0, byte, Kind.allCases.firstIndex(of: kind) ?? 0)
    }
}

/// The number of line feeds.
func lineBreaks(in bytes: UnsafeRawBufferPointer) -> UInt64 {
    // Counts in one byte over a stretch of fixed length, which the compiler turns into vector instructions: three times
    // as fast as eight bytes at a time by hand. Swift's vector types took 20 times as long.
    let stretch = 224
    var total: UInt64 = 0
    var start = 0
    while start &+ stretch <= bytes.count {
        total &+= unsafe shortCount(of: bytes, start..<start &+ stretch)
        start &+= stretch
    }
    return unsafe total &+ shortCount(of: bytes, start..<bytes.count)
}

/// The number of line feeds in a range of fewer than 256 bytes.
@inline(__always)
private func shortCount(of bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64 {
    var count: UInt8 = 0
    for index in range where unsafe bytes[index] == 10 { count &+= 1 }
    return UInt64(count)
}
