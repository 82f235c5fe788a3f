extension HomeZone {
    /// A place on the map where routes begin.
    struct Place {
        /// Millionths of a degree.
        let latitude: Int
        let longitude: Int
        /// Metres above the sea.
        let elevation: Int

        /// The length of a degree of longitude here, in thousandths of that on the equator.
        var cosineThousandths: Int {
            IntegerSine.millionths(of: 90_000 - latitude / 1000, turn: 360_000) / 1000
        }
    }

    /// A large park in the zone's city, or a point on the equator if no zone is known for the offset.
    var place: Place {
        let name = name.map { "\($0)" }
        return switch name {
        case "America/Los_Angeles": Place(latitude: 34_118_400, longitude: -118_300_400, elevation: 215)
        case "America/New_York": Place(latitude: 40_776_600, longitude: -73_971_200, elevation: 32)
        case "Europe/London": Place(latitude: 51_507_300, longitude: -165_700, elevation: 24)
        case "Europe/Berlin": Place(latitude: 52_514_500, longitude: 13_350_100, elevation: 36)
        case "Africa/Nairobi": Place(latitude: -1_289_400, longitude: 36_817_200, elevation: 1695)
        case "Asia/Kolkata": Place(latitude: 22_551_000, longitude: 88_342_000, elevation: 9)
        case "Asia/Kathmandu": Place(latitude: 27_706_200, longitude: 85_315_000, elevation: 1310)
        case "Asia/Tokyo": Place(latitude: 35_671_700, longitude: 139_694_900, elevation: 38)
        // Where the sun is highest at 12:00: 240 seconds of offset are a degree, and after 180 comes -180.
        default:
            Place(
                latitude: 0,
                longitude: (standardOffset * 1_000_000 / 240 + 540_000_000) % 360_000_000 - 180_000_000,
                elevation: 0
            )
        }
    }
}
