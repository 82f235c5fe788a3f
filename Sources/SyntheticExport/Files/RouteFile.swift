/// The track of a workout, one point per second, as the phone writes it.
struct RouteFile: OtherFile {
    let route: WorkoutRoute
    /// When the export was made, in seconds since 1970, as the file says.
    let exported: Int

    /// The tracks of an export, in order.
    static func all(of person: Person, in days: DayRange, options: SyntheticExport.Options) -> [any OtherFile] {
        days.compactMap { day in
            WorkoutRoute(of: person.plan(for: day)).map { RouteFile(route: $0, exported: options.exportInstant) }
        }
    }

    var path: String { route.path }

    func write(to bytes: inout ByteWriter) {
        var dates = DateText(offsetMinutes: 0)
        bytes.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
              <metadata>
                <time>
            """
        )
        dates.appendUniversal(exported, to: &bytes)
        bytes.append("</time>\n  </metadata>\n  <trk>\n    <name>Route ")
        bytes.append(string: route.name(separator: ":", space: " "))
        bytes.append("</name>\n    <trkseg>\n")
        let walk = Walk(of: route)
        walk.forEachPoint { second, point in
            bytes.append("      <trkpt lon=\"")
            bytes.append(signed: point.longitude, decimals: 6)
            bytes.append("\" lat=\"")
            bytes.append(signed: point.latitude, decimals: 6)
            bytes.append("\"><ele>")
            bytes.append(signed: point.elevation, decimals: 6)
            bytes.append("</ele><time>")
            dates.appendUniversal(route.start + second, to: &bytes)
            bytes.append("</time><extensions><speed>")
            bytes.append(signed: point.speed, decimals: 6)
            bytes.append("</speed><course>")
            bytes.append(signed: point.course, decimals: 6)
            bytes.append("</course><hAcc>")
            bytes.append(signed: point.horizontalAccuracy, decimals: 6)
            bytes.append("</hAcc><vAcc>")
            bytes.append(signed: point.verticalAccuracy, decimals: 6)
            bytes.append("</vAcc></extensions></trkpt>\n")
        }
        bytes.append("    </trkseg>\n  </trk>\n</gpx>\n")
    }
}
