/// The sine in integer arithmetic, so that waves are the same on every machine.
///
/// It is Bhaskara's formula from the 7th century, off by less than 0.002.
enum IntegerSine {
    /// The sine of a part of a turn, in millionths: 1,000,000 for 256 parts of 1024.
    ///
    /// - Parameters:
    ///   - part: the angle; it may be negative or more than a turn.
    ///   - turn: how many parts a whole turn has, 1 to 1,000,000.
    /// - Returns: -1,000,000 to 1,000,000.
    static func millionths(of part: Int, turn: Int) -> Int {
        let rest = part % turn
        let angle = (rest < 0 ? rest + turn : rest) * 2
        let isNegative = angle >= turn
        let inHalf = isNegative ? angle - turn : angle
        let product = inHalf * (turn - inHalf)
        let sine = 16_000_000 * product / (5 * turn * turn - 4 * product)
        return isNegative ? -sine : sine
    }
}
