/// How many records stand for the same day: 256 is a day as a watch records it.
///
/// An export of a given size first takes more days; beyond nine years, which is about as long as
/// there have been watches, it takes more records a day instead.
struct Density {
    static let natural = Density(per256: 256)

    let per256: Int

    /// The whole records in an expected number given in 1/256; the rest is carried to the next slot.
    func count(of expected: Int, carry: inout Int) -> Int {
        let sum = expected * per256 / 256 + carry
        carry = sum & 255
        return min(sum / 256, DayPlan.slotSeconds)
    }
}
