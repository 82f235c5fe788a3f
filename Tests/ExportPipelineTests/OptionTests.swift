import ExportPipeline
import FHIRR4
import HealthExport
import HealthKitMapping
import TestSupport
import Testing
import TransactionBundling

/// Options that make no sense are refused before anything is read.
struct OptionTests {
    @Test(arguments: ["HeartRate", "heartrate", "", "BloodPressure", "Food"])
    func `a type must be given by its full identifier`(_ type: String) {
        #expect(throws: ExportPipelineError.type(type)) {
            try Conversion(.sample.with { $0.mapping.types = ["HKQuantityTypeIdentifierStepCount", type] })
        }
    }

    @Test(arguments: [
        "HKQuantityTypeIdentifierHeartRate", "HKCategoryTypeIdentifierSleepAnalysis", "Workout",
        "HKCorrelationTypeIdentifierBloodPressure", "HKCorrelationTypeIdentifierFood", "HKDataTypeSleepDurationGoal",
        "HKElectrocardiogram", "ActivitySummary", "Me",
    ])
    func `types of samples and of other elements are accepted`(_ type: String) throws {
        _ = try Conversion(.sample.with { $0.mapping.types = [type] })
    }

    @Test(arguments: [0, 15, 4097])
    func `an identity key of a length that the command refuses is refused`(_ count: Int) {
        #expect(throws: ExportPipelineError.identityKey) {
            try Conversion(.sample.with { $0.mapping.identityKey = Array(repeating: 7, count: count) })
        }
    }

    @Test func `limits below 1, or too large for memory, are refused`() {
        func refuse(_ change: (inout ConversionOptions) -> Void) {
            #expect(throws: ExportPipelineError.limits) { try Conversion(.sample.with(change)) }
        }
        refuse { $0.limits.maximumEntryCount = 0 }
        refuse { $0.limits.maximumByteCount = -5 }
        refuse { $0.limits.minimumEntryCount = 0 }
        refuse { $0.limits.boundaryModulus = 0 }
        refuse { $0.limits.maximumEntryCount = .max }
        refuse { $0.limits.maximumByteCount = .max }
    }

    @Test func `a time span that ends before it begins is refused`() {
        #expect(throws: ExportPipelineError.span) {
            try Conversion(
                .sample.with {
                    $0.mapping.since = 2
                    $0.mapping.until = 2
                }
            )
        }
    }

    @Test(arguments: [OutputTarget.file("bundles.ndjson"), .standardOutput, .folder("bundles")])
    func `one file for each Bundle requires Bundles and a folder`(_ target: OutputTarget) throws {
        var isFolder = false
        if case .folder = target { isFolder = true }
        let options = ConversionOptions.sample.with {
            $0.isSplit = true
            $0.mapping.form = isFolder ? .resource : .update
        }
        let input = try ExportInput(path: Samples.path("devices"))
        #expect(throws: ExportPipelineError.split) { try Conversion(options).run(input, to: target) }
    }

    @Test(arguments: [
        (EntryForm.resource, ConversionOptions.Format.resources), (.update, .bundles), (.conditionalCreate, .bundles),
    ])
    func `the form of entries decides whether Bundles are written`(
        _ form: EntryForm,
        _ format: ConversionOptions.Format
    ) {
        #expect(ConversionOptions.sample.with { $0.mapping.form = form }.format == format)
    }
}
