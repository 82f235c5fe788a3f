/// One record's XML; attributes that are `nil` are absent.
package func record(
    _ type: String = "HKQuantityTypeIdentifierHeartRate",
    value: String? = "60",
    unit: String? = "count/min",
    start: String = "2024-06-01 08:00:00 +0100",
    end: String? = nil,
    source: String = "App",
    version: String? = nil,
    device: String? = nil,
    metadata: [(String, String)] = []
) -> String {
    var text = " <Record type=\"\(type)\" sourceName=\"\(source)\""
    if let version { text += " sourceVersion=\"\(version)\"" }
    if let device { text += " device=\"\(device)\"" }
    if let unit { text += " unit=\"\(unit)\"" }
    text += " startDate=\"\(start)\" endDate=\"\(end ?? start)\""
    if let value { text += " value=\"\(value)\"" }
    guard !metadata.isEmpty else { return text + "/>\n" }
    let entries = metadata.map { "  <MetadataEntry key=\"\($0.0)\" value=\"\($0.1)\"/>\n" }
    return text + ">\n" + entries.joined() + " </Record>\n"
}
