internal import FHIRR4
internal import HealthExport

/// A small JSON document for reports, whose keys keep the given order.
indirect enum ReportJSON {
    case null
    case bool(Bool)
    case string(String)
    case count(UInt64)
    /// A number as text, such as `1.250`.
    case number(String)
    case array([ReportJSON])
    case object([(String, ReportJSON)])

    /// An object of counts with sorted keys.
    static func counts(_ counts: [String: UInt64]) -> ReportJSON {
        .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .count($0.value)) })
    }

    /// A number of seconds with three decimals, such as `1.250`.
    static func seconds(_ value: Double) -> ReportJSON {
        let thousandths = UInt64((max(value, 0) * 1000).rounded())
        let rest = String(thousandths % 1000)
        return .number("\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest)
    }

    /// What every report says about its run and the program that made it.
    static func run(seconds: Double, peakMemoryBytes: UInt64, started: Int64) -> [(String, ReportJSON)] {
        [
            ("seconds", .seconds(seconds)), ("peakMemoryBytes", .count(peakMemoryBytes)),
            ("started", .string(FHIRDateTime.utcText(started))), ("version", .string(Release.version)),
        ]
    }

    /// Faults with their places.
    static func malformations(_ faults: [Malformation]) -> ReportJSON {
        .array(
            faults.map { fault in
                .object(
                    [
                        ("kind", .string(fault.kind.rawValue)), ("byte", .count(fault.byte)),
                        ("line", .count(fault.line)),
                        ("element", fault.element.map { .string($0.text) } ?? .null),
                    ]
                        + (fault.file.map { file in
                            [("file", .string(file.kind.rawValue)), ("ordinal", .count(UInt64(file.ordinal)))]
                        } ?? [])
                )
            }
        )
    }

    /// The text, indented by two spaces a level.
    var text: String {
        var bytes = JSONBytes(capacity: 4096)
        write(to: &bytes, indent: 0)
        return unsafe bytes.withBytes { unsafe String(decoding: $0, as: UTF8.self) }.escapingInvisible
    }

    private func write(to bytes: inout JSONBytes, indent: Int) {
        switch self {
        case .null: bytes.append("null")
        case .bool(let value): bytes.append(value ? "true" : "false")
        case .string(let value): bytes.appendString(value)
        case .count(let value): bytes.append(String(value))
        case .number(let value): bytes.append(value)
        case .array(let elements):
            Self.writeList(elements, "[", "]", &bytes, indent) { $0.write(to: &$1, indent: indent + 2) }
        case .object(let members):
            Self.writeList(members, "{", "}", &bytes, indent) { member, bytes in
                bytes.appendString(member.0)
                bytes.append(": ")
                member.1.write(to: &bytes, indent: indent + 2)
            }
        }
    }

    private static func writeList<Item>(
        _ items: [Item],
        _ open: String,
        _ close: String,
        _ bytes: inout JSONBytes,
        _ indent: Int,
        _ write: (Item, inout JSONBytes) -> Void
    ) {
        bytes.append(open)
        for (index, item) in items.enumerated() {
            bytes.append(index == 0 ? "\n" : ",\n")
            bytes.append(String(repeating: " ", count: indent + 2))
            write(item, &bytes)
        }
        if !items.isEmpty { bytes.append("\n" + String(repeating: " ", count: indent)) }
        bytes.append(close)
    }
}
