import ExportPipeline
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport

/// What one conversion wrote, and its report.
struct Run {
    /// The output file's bytes.
    var bytes: [UInt8]
    var report: RunReport

    /// Each Bundle or resource as text, in the order of the file.
    var lines: [String] { text.split(separator: "\n").map(String.init) }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Converts the export at `path` into one file.
    init(_ path: String, options: ConversionOptions = .sample) throws {
        let folder = try TemporaryFolder()
        let output = folder.path("bundles.ndjson")
        report = try Conversion(options).run(ExportInput(path: path), to: .file(output))
        bytes = try [UInt8](Data(contentsOf: URL(filePath: output)))
    }

    /// Converts an export that holds only `elements`.
    init(of elements: String, options: ConversionOptions = .sample) throws {
        let folder = try TemporaryFolder()
        try self.init(folder.write(export(elements).utf8, to: "export.xml"), options: options)
    }

    /// All entries of all Bundles.
    var entries: [Entry] {
        get throws { try lines.flatMap { try bundle($0).entries } }
    }

    /// Only the Observations.
    var observations: [Entry] {
        get throws { try entries.filter { $0.type == "Observation" } }
    }

    /// The ids of all resources of a type.
    func ids(_ type: String = "Observation") throws -> [String] {
        try entries.filter { $0.type == type }.map(\.id)
    }

    /// The keys of the Bundles.
    var keys: [String] {
        get throws { try lines.map { try bundle($0).key } }
    }
}

/// One Bundle, parsed.
struct ReadBundle {
    var key: String
    var entries: [Entry]
    var byteCount: Int
}

/// One entry of a Bundle; `id` is taken from its identifier, which conditional creates have too.
struct Entry {
    var type: String
    var id: String
    /// The entry as JSONSerialization reads it.
    var json: [String: any Sendable]
    var resource: [String: any Sendable] { json["resource"] as? [String: any Sendable] ?? [:] }
}

/// Parses one line of output.
func bundle(_ line: String) throws -> ReadBundle {
    let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    let identifier = json["identifier"] as? [String: Any]
    let entries = (json["entry"] as? [[String: Any]] ?? []).map { entry in
        let resource = entry["resource"] as? [String: Any] ?? [:]
        let identifiers = resource["identifier"] as? [[String: Any]] ?? []
        return Entry(
            type: resource["resourceType"] as? String ?? "",
            id: identifiers.first?["value"] as? String ?? "",
            json: sendable(entry) as? [String: any Sendable] ?? [:]
        )
    }
    return ReadBundle(key: identifier?["value"] as? String ?? "", entries: entries, byteCount: line.utf8.count + 1)
}

private func sendable(_ value: Any) -> any Sendable {
    switch value {
    case let object as [String: Any]: object.mapValues { sendable($0) }
    case let array as [Any]: array.map { sendable($0) }
    case let text as String: text
    default: "\(value)"
    }
}

extension ConversionOptions {
    /// The options of `samples/bundles`.
    static var sample: ConversionOptions { ConversionOptions(mapping: MappingOptions(patientID: "sample")) }

    /// A copy that `change` has altered.
    func with(_ change: (inout ConversionOptions) -> Void) -> ConversionOptions {
        var options = self
        change(&options)
        return options
    }
}

/// An export with these elements.
func export(_ elements: String) -> String {
    "<HealthData locale=\"en_IE\">\n <ExportDate value=\"2024-07-01 08:00:00 +0100\"/>\n\(elements)</HealthData>\n"
}

/// The files of `samples/`.
enum Samples {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "samples")

    /// All names, such as `two-sources`.
    static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".xml") }.map { String($0.dropLast(4)) }.sorted()
    }()

    /// The electrocardiograms of `samples/electrocardiograms`, such as `electrocardiogram-german`.
    static let electrocardiograms: [String] = {
        let path = folder.appending(path: "electrocardiograms").path
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(".csv") }.map { electrocardiogram + $0.dropLast(4) }.sorted()
    }()

    /// A whole export in a folder, with files next to its XML.
    static let kitchenSink = "kitchen-sink"

    private static let electrocardiogram = "electrocardiogram-"

    static func path(_ name: String) -> String {
        guard name != kitchenSink else { return folder.appending(path: name).path }
        guard name.hasPrefix(electrocardiogram) else { return folder.appending(path: name + ".xml").path }
        return folder.appending(path: "electrocardiograms/\(name.dropFirst(electrocardiogram.count)).csv").path
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path(name))), as: UTF8.self)
    }
}
