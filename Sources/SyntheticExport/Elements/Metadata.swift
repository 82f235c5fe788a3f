/// The contents of a sample's `MetadataEntry` children, with Apple's keys and spelling.
enum Metadata {
    case none
    /// 1 is sedentary, 2 is active.
    case heartRateMotionContext(Int)
    case timeZone
    case wasUserEntered
    /// Kilopascals.
    case barometricPressure(FixedPoint)
    /// 1 is before a meal, 2 is after it.
    case bloodGlucoseMealTime(Int)
    case foodType(StaticString)
    case vo2MaxTestType
    /// A third-party app's own identifier and keys, one of them free text.
    case synchronized(identifier: UInt64, modified: Int)
    /// Beats per minute.
    case heartRateEventThreshold(Int)
    /// Decibels.
    case audioExposureLevel(FixedPoint)
    /// Lux.
    case lightIntensity(Int)
    case physicalEffortEstimation
    case menstrualCycleStart(Bool)
    case bodyTemperatureInMouth
    /// The real value may be below the one given.
    case clampedToLowerBound
}

extension ElementWriter {
    /// Writes the entries of a sample, two spaces deep, or three in a correlation.
    mutating func write(_ metadata: Metadata) {
        switch metadata {
        case .none: break
        case .heartRateMotionContext(let context): entry("HKMetadataKeyHeartRateMotionContext", context)
        case .timeZone: timeZoneEntry()
        case .wasUserEntered: entry("HKWasUserEntered", 1)
        case .barometricPressure(let pressure): entry("HKMetadataKeyBarometricPressure", pressure, unit: " kPa")
        case .bloodGlucoseMealTime(let time):
            entry("HKWasUserEntered", 0)
            entry("HKBloodGlucoseMealTime", time)
        case .foodType(let food): entry("HKFoodType", food)
        case .vo2MaxTestType: entry("HKVO2MaxTestType", 2)
        case .synchronized(let identifier, let modified):
            entry("HKMetadataKeySyncVersion", 1)
            bytes.append("  <MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"")
            bytes.appendHexadecimal(identifier, width: 16)
            bytes.append("\"/>\n  <MetadataEntry key=\"Modified Date\" value=\"")
            // This is the app's own text: unlike Apple's dates, it does not depend on the export's offset.
            var universalTime = DateText(offsetMinutes: 0)
            universalTime.append(modified, to: &bytes)
            bytes.append("\"/>\n")
            entry("HKWasUserEntered", 0)
        case .heartRateEventThreshold(let threshold):
            entry("HKHeartRateEventThreshold", FixedPoint(threshold), unit: " count/min")
        case .audioExposureLevel(let level): entry("HKMetadataKeyAudioExposureLevel", level, unit: " dBASPL")
        case .lightIntensity(let intensity):
            entry("HKMetadataKeyMaximumLightIntensity", FixedPoint(intensity), unit: " lx")
        case .physicalEffortEstimation: entry("HKPhysicalEffortEstimationType", 1)
        case .menstrualCycleStart(let isStart):
            entry("HKMenstrualCycleStart", isStart ? 1 : 0)
            entry("HKWasUserEntered", 1)
        case .bodyTemperatureInMouth:
            entry("HKBodyTemperatureSensorLocation", 6)
            entry("HKWasUserEntered", 1)
        case .clampedToLowerBound: entry("HKMetadataKeyQuantityClampedToLowerBound", 1)
        }
    }

    mutating func entry(_ key: StaticString, _ number: Int) { entry(key, FixedPoint(number), unit: "") }

    mutating func entry(_ key: StaticString, _ value: StaticString) {
        openEntry(key)
        bytes.append(value)
        bytes.append("\"/>\n")
    }

    /// Writes a quantity; `unit` begins with a space.
    mutating func entry(_ key: StaticString, _ value: FixedPoint, unit: StaticString) {
        openEntry(key)
        bytes.append(value)
        bytes.append(unit)
        bytes.append("\"/>\n")
    }

    mutating func timeZoneEntry() {
        if let name = zone.name { entry("HKTimeZone", name) }
    }

    private mutating func openEntry(_ key: StaticString) {
        if isInCorrelation { bytes.append(" ") }
        bytes.append("  <MetadataEntry key=\"")
        bytes.append(key)
        bytes.append("\" value=\"")
    }
}
