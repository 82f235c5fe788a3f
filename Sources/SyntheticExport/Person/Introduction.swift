/// The first day on which the person's devices recorded a type, in days since 1970.
enum Introduction {
    /// The person's first phone that receives records from a clinic (iOS 12).
    static let clinicalRecords = day(2018, 10, 30)
    /// watchOS 5.1.2: electrocardiograms, irregular rhythms.
    static let electrocardiogram = day(2018, 12, 6)
    /// iOS 13: routes in files of their own, hearing tests, cycles.
    static let routeFiles = day(2019, 9, 19)
    static let audiogram = day(2019, 9, 19)
    static let cycleTracking = day(2019, 9, 19)
    /// iOS 13 and watchOS 6: stand minutes, sound levels.
    static let standTime = day(2019, 9, 19)
    static let audioExposure = day(2019, 9, 19)
    /// iOS 14 and watchOS 7: gait, hand washing.
    static let mobility = day(2020, 9, 16)
    /// The person's first watch that measures blood oxygen.
    static let oxygenSaturation = day(2020, 11, 14)
    /// iOS 15 and watchOS 8: breathing at night, steadiness.
    static let respiratoryRate = day(2021, 9, 20)
    /// iOS 16 and watchOS 9: sleep stages.
    static let sleepStages = day(2022, 9, 12)
    /// iOS 16 and watchOS 9: several activities in a workout, running form, the burden of atrial fibrillation,
    /// prescriptions for glasses and contact lenses.
    static let workoutActivities = day(2022, 9, 12)
    static let runningForm = day(2022, 9, 12)
    static let fibrillationBurden = day(2022, 9, 12)
    static let visionPrescriptions = day(2022, 9, 12)
    /// iOS 17 and watchOS 10: effort, daylight.
    static let physicalEffort = day(2023, 9, 18)
    /// watchOS 10: power, cadence and speed of a ride.
    static let cyclingForm = day(2023, 9, 18)
    /// iOS 18: new names for the amount of bleeding.
    static let bleedingNames = day(2024, 9, 16)
    /// The person's first watch that measures the wrist's temperature.
    static let wristTemperature = day(2024, 1, 6)

    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        CalendarDate(year: year, month: month, day: day).daysSince1970
    }
}
