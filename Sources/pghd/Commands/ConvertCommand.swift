import ArgumentParser
import ExportPipeline
import FHIRR4
import HealthExport
import HealthKitMapping

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "convert", abstract: "Write an export as FHIR R4")

    @Argument(help: "export.zip, an unpacked folder, export.xml, or - for XML on standard input")
    var export: String

    @Option(help: "the patient's id on the FHIR server") var patient: String?
    @Option(name: [.short, .long], help: "file, folder or -") var output: String = "-"
    @Option var threads: Int = 2
    @Option var report: String?
    @Flag var conditional = false

    func run() throws {
        guard let patient else { throw ValidationError("--patient") }
        var options = ConversionOptions(mapping: MappingOptions(patientID: patient))
        options.threads = threads
        options.replacesFiles = true
        if conditional { options.mapping.form = .conditionalCreate }
        let result = try runOrExit {
            let input: ExportInput
            do throws(HealthExportError) { input = try ExportInput(path: export) } catch { throw ExportPipelineError.input(error) }
            return try Conversion(options).run(input, to: output == "-" ? .standardOutput : .file(output))
        }
        say(result.json)
        if result.isDamaged { throw ExitCode(1) }
    }
}
