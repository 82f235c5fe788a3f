/// When the posts of a Bundle may begin.
///
///     Turn(number: 7, isAwaited: true)      Devices, or the Patient: all handed in later waits for the answer
///     Turn(number: 9, waitsForAll: true)    an electrocardiogram: waits for the answers to all handed in before
struct Turn: Sendable, Hashable {
    /// Its place in the order in which Bundles were handed in.
    let number: Int
    /// Whether it refers to resources that may be in any earlier Bundle.
    var waitsForAll = false
    /// Whether any later Bundle may refer to what it brings.
    var isAwaited = false
}
