internal import HealthExport

/// Bounds what is made from one workout: statistics, activities and events, each of which becomes several kilobytes.
///
/// An element may have 16 MB, enough for 160,000 statistics. What is beyond the bound is left out and counted.
struct WorkoutLimit {
    /// Most statistics, activities and events of one workout, including those in its activities: nearly an event a
    /// second for three hours.
    static let maximumPartCount = 10_000

    /// How many more there is room for.
    private var room = maximumPartCount
    /// What there was no room for.
    private(set) var leftOut: [ElementName] = []

    /// Takes what is beyond the bound out of a workout.
    ///
    /// - Parameter workout: only children are removed, from it and from its activities.
    mutating func apply(to workout: inout HealthElement) {
        let count = workout.children.reduce(0) { count, child in
            Self.parts.contains(child.name) ? count + 1 + Self.parts(inActivity: child).count : count
        }
        guard count > room else { return }
        keep(Self.parts, in: &workout)
    }

    /// Statistics first, since they are few and say most: it is the later events that are left out.
    private static let parts: [ElementName] = [.workoutStatistics, .workoutActivity, .workoutEvent]
    private static let partsOfActivity: [ElementName] = [.workoutStatistics, .workoutEvent]

    private mutating func keep(_ names: [ElementName], in element: inout HealthElement) {
        for name in names {
            var children: [HealthElement] = []
            for var child in element.children {
                if child.name == name {
                    guard room > 0 else {
                        leftOut += [child.name] + Self.parts(inActivity: child)
                        continue
                    }
                    room -= 1
                    if name == .workoutActivity { keep(Self.partsOfActivity, in: &child) }
                }
                children.append(child)
            }
            element.children = children
        }
    }

    /// The statistics and events of an activity; none if it is not an activity.
    private static func parts(inActivity element: HealthElement) -> [ElementName] {
        guard element.name == .workoutActivity else { return [] }
        return element.children.map(\.name).filter { partsOfActivity.contains($0) }
    }
}
