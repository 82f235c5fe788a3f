/// Thirty seconds of an electrocardiogram's lead I, 512 voltages per second.
///
/// Each beat is a sum of smooth bumps, one for each wave (P, Q, R, S, T), with its usual place, width and height.
/// The effects of breathing, of muscles and of a disturbance are added. It only has to look like a recording.
struct LeadI {
    /// What disturbs a calm and even rhythm.
    enum Disturbance {
        case none
        /// No P waves, irregular beats, a trembling baseline.
        case fibrillation
        /// An early beat now and then.
        case earlyBeats
        /// A finger that is not kept still.
        case looseContact
    }

    private static let rate = 512
    private static let sampleCount = 30 * rate

    private let disturbance: Disturbance
    private let sizePercent: Int
    /// Where the R waves are, in samples: at least two before the recording, those in it, and at least one after it.
    private let beats: [Int]
    private let noise: RandomSequence

    /// - Parameters:
    ///   - beatsPerMinute: the mean heart rate.
    ///   - disturbance: what is added.
    ///   - sizePercent: how high the waves are; 100 is an R wave of 0.72 mV.
    ///   - random: what the beats are drawn from.
    init(beatsPerMinute: Int, disturbance: Disturbance, sizePercent: Int, random: inout RandomSequence) {
        self.disturbance = disturbance
        self.sizePercent = sizePercent
        let mean = 60 * Self.rate / beatsPerMinute
        var beats = [-random.within(mean * 3 / 2...mean * 2)]
        while let last = beats.last, last < Self.sampleCount + mean {
            // The heart beats faster while its owner breathes in.
            let breath = mean * IntegerSine.millionths(of: last, turn: Self.breath) / 25_000_000
            let interval =
                switch disturbance {
                case .fibrillation: random.near(mean, spread: mean * 2 / 5)
                case .earlyBeats where random.happens(oneIn: 7): mean * 2 / 3
                default: random.near(mean + breath, spread: mean / 60)
                }
            beats.append(last + interval)
        }
        self.beats = beats
        noise = random
    }

    /// Calls `body` with all voltages in order, in nanovolts.
    func forEachVoltage(_ body: (Int) -> Void) {
        var noise = noise
        var tremor = 0
        var next = 1
        for sample in 0..<Self.sampleCount {
            while next < beats.count - 1, beats[next] <= sample { next += 1 }
            var voltage = 0
            for beat in max(1, next - 1)...min(next, beats.count - 1) {
                voltage += self.voltage(ofBeat: beat, at: sample)
            }
            let isLoose = disturbance == .looseContact
            tremor = (tremor * 3 + noise.near(0, spread: isLoose ? 420_000 : 26_000)) / 4
            let drift =
                45 * IntegerSine.millionths(of: sample, turn: Self.breath)
                + 25 * IntegerSine.millionths(of: sample + 700, turn: 5800)
            body(voltage + tremor + drift / (isLoose ? 200 : 1000) + fibrillation(at: sample))
        }
    }

    private func voltage(ofBeat beat: Int, at sample: Int) -> Int {
        let distance = sample - beats[beat]
        // The T wave follows sooner when the heart beats faster.
        let interval = beats[beat] - beats[beat - 1]
        var sum =
            Self.bump(-50_000, at: distance + 13, halfWidth: 8)
            + Self.bump(720_000, at: distance, halfWidth: 14)
            + Self.bump(-140_000, at: distance - 15, halfWidth: 10)
            + Self.bump(200_000, at: distance - 88 - interval / 9, halfWidth: 48 + interval / 40)
        if disturbance != .fibrillation { sum += Self.bump(85_000, at: distance + 82, halfWidth: 30) }
        return sum * sizePercent / 100
    }

    /// The waves between the beats in atrial fibrillation, about seven a second.
    private func fibrillation(at sample: Int) -> Int {
        guard disturbance == .fibrillation else { return 0 }
        return 38 * IntegerSine.millionths(of: sample, turn: 79) / 1000
            + 21 * IntegerSine.millionths(of: sample, turn: 67) / 1000
    }

    /// A smooth bump: `height` times `(1 - (distance / halfWidth)²)²`, and 0 outside its width.
    private static func bump(_ height: Int, at distance: Int, halfWidth: Int) -> Int {
        guard abs(distance) < halfWidth else { return 0 }
        let square = halfWidth * halfWidth
        let rest = square - distance * distance
        return height * rest / square * rest / square
    }

    /// The length of a breath in samples: 4.3 seconds.
    private static let breath = 2200
}
