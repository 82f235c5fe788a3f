/// The activity rings: one element a day, with the totals of the day's records.
struct ActivitySummaries {
    let person: Person

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        for day in days where !writer.bytes.isStopped {
            let plan = person.plan(for: day)
            let slots = 0..<DayPlan.slotCount
            let energy = slots.reduce(0) { $0 + (plan.isWatchWorn(in: $1) ? plan.activeEnergy(in: $1) : 0) }
            let exercise = slots.reduce(0) { $0 + (plan.isExercise(in: $1) ? 5 : 0) }
            let standing = (0..<24).reduce(0) { $0 + (plan.isStanding(inHour: $1) ? 1 : 0) }
            writer.bytes.append(" <ActivitySummary dateComponents=\"")
            writer.day(day)
            writer.bytes.append("\" activeEnergyBurned=\"")
            writer.bytes.append(FixedPoint(energy, decimals: 3))
            writer.bytes.append(
                "\" activeEnergyBurnedGoal=\"500\" activeEnergyBurnedUnit=\"Cal\" appleMoveTime=\"0\" appleMoveTimeGoal=\"0\" appleExerciseTime=\""
            )
            writer.bytes.append(exercise)
            writer.bytes.append("\" appleExerciseTimeGoal=\"30\" appleStandHours=\"")
            writer.bytes.append(standing)
            writer.bytes.append("\" appleStandHoursGoal=\"12\"/>\n")
        }
    }
}
