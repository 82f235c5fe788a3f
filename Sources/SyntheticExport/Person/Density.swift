/// How many records a day has: at 256 it has as many as a watch records.
///
/// An export of a given size first gets more days. Beyond nine years, which is about as long as
/// there have been watches, it gets more records a day instead.
struct Density {
    static let natural = Density(per256: 256)

    let per256: Int

    /// The whole records in an expected number, which is given in 1/256; the rest is carried to the next slot.
    func count(of expected: Int, carry: inout Int) -> Int {
        let sum = expected * per256 / 256 + carry
        carry = sum & 255
        return min(sum / 256, DayPlan.slotSeconds)
    }
}
