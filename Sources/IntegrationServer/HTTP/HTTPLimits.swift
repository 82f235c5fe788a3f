/// What one connection and all together may use, in bytes and seconds.
struct HTTPLimits: Sendable {
    /// Request line and headers.
    var headByteCount = 32 << 10
    /// One body; a Bundle of 1 MB with an ECG in it stays far below.
    var bodyByteCount = 16 << 20
    /// All bodies that are being read or answered, except those up to `smallBodyByteCount`.
    var allBodiesByteCount = 128 << 20
    /// The same for bodies without a token, where none is required.
    var strangersBodiesByteCount = 32 << 20
    /// A body that is read from anybody, whatever others hold.
    var smallBodyByteCount = 256 << 10
    /// All that was read for answers that wait to be taken, except those up to `smallAnswerByteCount`.
    var allAnswersByteCount = 128 << 20
    /// An answer that is always sent.
    var smallAnswerByteCount = 256 << 10
    /// Connections at once; further ones are told to come back (at most half of the process's descriptors).
    var connectionCount = 256
    /// From the first byte of a request to the end of its headers.
    var headSeconds = 10.0
    /// Added for a body, with a second for each 64 KiB.
    var bodySeconds = 10.0
    /// Between two requests.
    var idleSeconds = 60.0
    /// For an answer to be made: what a request does can't be undone, and faults on request wait for up to ten minutes.
    var answerSeconds = 3600.0
    /// For an answer to be taken, with a second for each 64 KiB.
    var writeSeconds = 30.0
}

/// A request that can't be read; the connection is closed after the answer.
struct HTTPFault: Error, Equatable {
    let status: Int
    let what: String
}
