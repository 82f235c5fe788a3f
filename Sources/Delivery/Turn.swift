/// When the posts of a Bundle may begin.
///
///     Turn(number: 7, isAwaited: true)      a Bundle of Devices: whatever was handed in later waits for its answer
///     Turn(number: 9, waitsForAll: true)    an electrocardiogram: waits for the answers to all that was handed in before
struct Turn: Sendable, Hashable {
    /// Its place in the order in which Bundles were handed in.
    let number: Int
    /// Whether it refers to what may stand in any Bundle before.
    var waitsForAll = false
    /// Whether any Bundle behind may refer to what it brings.
    var isAwaited = false
}
