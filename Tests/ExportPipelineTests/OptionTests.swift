import ExportPipeline
import FHIRR4
import HealthKitMapping
import Testing

/// Options that belong together.
struct OptionTests {
    @Test(arguments: [(EntryForm.resource, ConversionOptions.Format.resources), (.update, .bundles)])
    func `resources of the form of Bundles' entries make Bundles`(
        _ form: EntryForm,
        _ format: ConversionOptions.Format
    ) {
        #expect(ConversionOptions.sample.with { $0.mapping.form = form }.format == format)
    }
}
