import Foundation
import HealthKitMapping
import Testing

struct `Broken profiles` {
    @Test(arguments: [
        BrokenCase(
            "ConceptMap-healthkit-units.json",
            replace: "{\n  \"resourceType\"",
            by: "  \"resourceType\"",
            error: "not JSON (expected a FHIR resource): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-units.json",
            replace: "\"ConceptMap\"",
            by: "\"CodeSystem\"",
            error: "resourceType: \"CodeSystem\" (expected \"ConceptMap\"): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-units.json",
            replace: "\"version\": \"19\"",
            by: "\"version\": \"20\"",
            error: "version: \"20\" (expected \"19\", as in FOLDER/CodeSystem-healthkit.json): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-units.json",
            replace: "\"version\": \"19\",",
            by: "",
            error: "version: missing (expected a value): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-types.json",
            replace: "\"equivalence\": \"unmatched\", ",
            by: "",
            error: "group[0].element[0].target[0].equivalence: missing (expected a value): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-types.json",
            replace: "\"equivalence\": \"unmatched\"",
            by: "\"equivalence\": 1",
            error:
                "group[0].element[0].target[0].equivalence: wrong kind of value (expected a string): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-types.json",
            replace: "\"equivalence\": \"unmatched\"",
            by: "\"equivalence\": \"wider\"",
            error: "HKCategoryTypeIdentifierAbdominalCramps in http://loinc.org: no code "
                + "(expected a code, or equivalence \"unmatched\"): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-types.json",
            replace: "HKQuantityTypeIdentifierHeight",
            by: "HKHeight",
            error: "HKHeight in http://loinc.org: unknown type "
                + "(expected a code of http://developer.apple.com/documentation/healthkit): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-types.json",
            replace: "\"target\": \"http://terminology.hl7.org/CodeSystem/observation-category\"",
            by: "\"target\": \"http://example.org/categories\"",
            error: "HKCategoryTypeIdentifierAbdominalCramps: 0 categories (expected exactly one code of "
                + "http://terminology.hl7.org/CodeSystem/observation-category): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-types.json",
            replace: "\"system\": \"http://unitsofmeasure.org\"",
            by: "\"system\": \"http://example.org/units\"",
            error: "HKQuantityTypeIdentifierBloodGlucose in http://loinc.org: wrong dependsOn "
                + "(expected at most one, on http://unitsofmeasure.org): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-units.json",
            replace: "\"display\": \"kcal\", ",
            by: "",
            error: "Cal in http://unitsofmeasure.org: no display (expected the label for people): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-units.json",
            replace: "\"code\": \"mmHg\"",
            by: "\"code\": \"torr\"",
            error: "mmHg: missing (expected a UCUM code, since HKQuantityTypeIdentifierBloodPressureDiastolic "
                + "has this unit): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-units.json",
            replace: "\"code\": \"mL\",",
            by: "\"code\": \"L\",",
            error: "L in http://unitsofmeasure.org: two targets (expected one, or one for each type): correct the file"
        ),
        BrokenCase(
            "CodeSystem-healthkit.json",
            replace: "\"valueString\": \"category\"",
            by: "\"valueString\": \"colour\"",
            error: "HKCategoryTypeIdentifierAbdominalCramps: no kind "
                + "(expected property kind, quantity or category): correct the file"
        ),
        BrokenCase(
            "CodeSystem-healthkit.json",
            replace: "hkcategoryvalueappetitechanges",
            by: "hkappetite",
            error: "HKCategoryTypeIdentifierAppetiteChanges: unknown value-system "
                + "\"https://developer.apple.com/documentation/healthkit/hkappetite\" "
                + "(expected a target of the map of category values): correct the file"
        ),
        BrokenCase(
            "CodeSystem-healthkit.json",
            replace: "\"code\": \"HKCategoryTypeIdentifierAcne\"",
            by: "\"code\": \"HKCategoryTypeIdentifierBloating\"",
            error: "HKCategoryTypeIdentifierBloating: twice (expected each code once): correct the file"
        ),
        BrokenCase(
            "CodeSystem-healthkit.json",
            replace: "\"valueCode\": \"HKCategoryTypeIdentifierAudioExposureEvent\"",
            by: "\"valueCode\": \"HKAudio\"",
            error: "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent: alias of \"HKAudio\" "
                + "(expected a code of this file): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-category-values.json",
            replace: "\"display\": \"not applicable\", ",
            by: "",
            error:
                "HKCategoryValueNotApplicable in https://developer.apple.com/documentation/healthkit/hkcategoryvalue: "
                + "no display (expected the value in words): correct the file"
        ),
        BrokenCase(
            "ConceptMap-healthkit-category-values.json",
            replace: "\"value\": \"HKCategoryTypeIdentifierPregnancy\"",
            by: "\"value\": \"HKPregnancy\"",
            error: "HKCategoryValueNotApplicable in http://loinc.org: depends on unknown type \"HKPregnancy\" "
                + "(expected a code of http://developer.apple.com/documentation/healthkit): correct the file"
        ),
    ])
    func `an error names the file, the key and what was expected`(_ broken: BrokenCase) throws {
        let change = { (folder: URL) in
            let file = folder.appending(path: broken.file)
            let text = try String(contentsOf: file, encoding: .utf8)
            let range = try #require(text.range(of: broken.old))
            try text.replacingCharacters(in: range, with: broken.new).write(to: file, atomically: true, encoding: .utf8)
        }
        try ProfilesFolder.withCopy(change: change) { folder in
            let error = try #require(throws: ProfileError.self) { try MappingTable(folder: folder) }
            let line = error.description.replacing(folder, with: "FOLDER")
            #expect(line == "FOLDER/\(broken.file): \(broken.error)")
        }
    }

    @Test func `a missing file is named`() throws {
        let name = "ConceptMap-healthkit-units.json"
        let change = { (folder: URL) in try FileManager.default.removeItem(at: folder.appending(path: name)) }
        try ProfilesFolder.withCopy(change: change) { folder in
            let error = try #require(throws: ProfileError.self) { try MappingTable(folder: folder) }
            #expect(error == .unreadable(file: "\(folder)/\(name)", reason: "no such file"))
            #expect(
                error.description == "\(folder)/\(name): cannot be read, no such file "
                    + "(expected one of the files of profiles/): complete the folder"
            )
        }
    }
}

/// A profile file with one passage replaced, and the error that must follow the file's name.
struct BrokenCase: CustomTestStringConvertible {
    let file: String
    let old: String
    let new: String
    let error: String

    init(_ file: String, replace old: String, by new: String, error: String) {
        (self.file, self.old, self.new, self.error) = (file, old, new, error)
    }

    var testDescription: String { error }
}
