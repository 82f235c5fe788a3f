/// A way that leads back to near its beginning, one point per second, in whole numbers.
struct Walk {
    /// Where somebody is and how fast, all in millionths of degrees, metres or metres per second.
    struct Point {
        let longitude: Int
        let latitude: Int
        let elevation: Int
        let speed: Int
        let course: Int
        let horizontalAccuracy: Int
        let verticalAccuracy: Int
    }

    private let workout: PlannedWorkout
    private let meanSpeed: Int
    private let place: HomeZone.Place
    private let random: RandomSequence

    init(of route: WorkoutRoute) {
        workout = route.workout
        meanSpeed = route.speed
        place = route.person.zone.place
        random = RandomSequence(seed: route.person.seed, stream: "route", day: route.day)
    }

    /// Calls `body` with each point and its seconds after the first; the watch records none during a pause.
    func forEachPoint(_ body: (Int, Point) -> Void) {
        var random = random
        let count = workout.duration - 5
        let pauseStart = workout.duration / 2
        let beginning = random.below(Self.turn)
        // Millimetres from the beginning.
        var (north, east) = (0, 0)
        for step in 0..<count {
            let course = self.course(at: step, of: count, beginning: beginning)
            let speed = random.near(meanSpeed, spread: meanSpeed / 8)
            let cosine = IntegerSine.millionths(of: course + Self.turn / 4, turn: Self.turn)
            north += speed * cosine / 1_000_000
            east += speed * IntegerSine.millionths(of: course, turn: Self.turn) / 1_000_000
            let height = 2_400_000 + 2 * IntegerSine.millionths(of: step, turn: count)
            let point = Point(
                // A degree is 111.32 km: a millimetre is 0.008983 millionths of it.
                longitude: place.longitude + east * 8983 / place.cosineThousandths / 1000,
                latitude: place.latitude + north * 8983 / 1_000_000,
                elevation: place.elevation * 1_000_000 + height + random.below(90_000),
                speed: speed * 1000 + random.below(1000),
                course: course * 1000 + random.below(1000),
                horizontalAccuracy: random.within(2_100_000...6_400_000),
                verticalAccuracy: random.within(1_700_000...4_800_000)
            )
            body(step < pauseStart ? step : step + workout.pause, point)
        }
    }

    /// The direction, 0 to 359,999 thousandths of a degree clockwise from north: a full turn with smaller bends in it.
    private func course(at step: Int, of count: Int, beginning: Int) -> Int {
        let bends =
            34 * IntegerSine.millionths(of: step * 3, turn: count)
            + 21 * IntegerSine.millionths(of: step * 11, turn: count)
        let course = beginning + Self.turn * step / count + bends / 1000
        return (course % Self.turn + Self.turn) % Self.turn
    }

    /// A whole turn, in thousandths of a degree.
    private static let turn = 360_000
}
