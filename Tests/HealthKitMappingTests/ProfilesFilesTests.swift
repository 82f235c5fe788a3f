import Foundation
@testable import HealthKitMapping
import OpenSSLCrypto
import Testing

struct `Profile files` {
    /// The files are read here with an independent JSON reader, Foundation's.
    @Test func `the embedded profiles equal the files in the folder`() throws {
        #expect(EmbeddedProfiles.files.map(\.name) == (try ProfilesFolder.names))
        for file in EmbeddedProfiles.files {
            let text = try ProfilesFolder.text(of: file.name)
            let isSame = try file.digest == sha256(text) && isCarried(file.rows, text)
            #expect(isSame, "\(file.name) was edited: run `make profiles`")
        }
    }

    private func sha256(_ text: String) -> String {
        var state = SHA256()
        state.update(text)
        return state.digest().hex
    }

    private func isCarried(_ rows: StaticString, _ text: String) throws -> Bool {
        let json = Data(text.utf8)
        let decoder = JSONDecoder()
        if text.contains("\"CodeSystem\",\n") {
            return try decoder.decode(CodeSystemResource.self, from: json) == CodeSystemResource(ProfileRows(rows))
        }
        return try decoder.decode(ConceptMapResource.self, from: json) == ConceptMapResource(ProfileRows(rows))
    }

    @Test func `the folder gives the same table as the program`() throws {
        let folder = try MappingTable(folder: ProfilesFolder.path.path())
        #expect(SupportedTypesTable.json(folder) == SupportedTypesTable.json(try .embedded()))
    }

    @Test func `the page of supported types matches the table`() throws {
        let page = ProfilesFolder.repository.appending(path: "docs/supported-types.md")
        let markdown = SupportedTypesTable.markdown(try .embedded())
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
            try markdown.write(to: page, atomically: true, encoding: .utf8)
        }
        let isSame = try String(contentsOf: page, encoding: .utf8) == markdown
        #expect(isSame, "docs/supported-types.md is old: run this test with RECORD_SNAPSHOTS=1")
    }

    /// Anyone who implements the keys with that page needs the version.
    @Test func `the page of formats names the mapping's version`() throws {
        let page = ProfilesFolder.repository.appending(path: "docs/formats.md")
        let version = try MappingTable.embedded().version
        #expect(
            try String(contentsOf: page, encoding: .utf8).contains("the `version` of `profiles/`, now `\(version)`")
        )
    }

    /// Except types that no table knows, and hearing thresholds, of which there is one for each frequency.
    @Test func `the code system has every name of Apple's that is written as a code`() throws {
        let text = try String(
            contentsOf: ProfilesFolder.path.appending(path: "CodeSystem-healthkit.json"),
            encoding: .utf8
        )
        let keys = MetadataRule.rules.filter { if case .component = $0.value { true } else { false } }.map(\.key)
        let unknown: Set = [
            "HKCategoryTypeIdentifierStateOfMind", "HKDataTypeSleepDurationGoal", "HKQuantityTypeIdentifierMoonDust",
            "HKQuantityTypeIdentifierTimeTravelled",
        ]
        var written = Set(keys)
        let samples = ProfilesFolder.repository.appending(path: "samples/bundles")
        let opening = "{\"system\":\"\(TypeCatalog.system)\",\"code\":\""
        for name in ["kitchen-sink.patient-routes-summed", "summaries.summed", "workouts.routes"] {
            let bundles = try String(contentsOf: samples.appending(path: "\(name).ndjson"), encoding: .utf8)
            for part in bundles.components(separatedBy: opening).dropFirst() {
                written.insert(String(part.prefix { $0 != "\"" }))
            }
        }
        #expect(written.count > 100)
        let missing = written.filter { !text.contains("\"\($0)\"") && !$0.hasPrefix("HKAudiogramSensitivityPoint.") }
        #expect(missing.subtracting(unknown) == [])
    }

    /// The last digit of a LOINC code checks the others: mod 10, as in a credit card's number.
    ///
    /// Source: LOINC Users' Guide, "Calculating Mod 10 check digits".
    @Test func `every LOINC code has the right check digit and is not a Part`() throws {
        let map = try ConceptMapJSON(of: "ConceptMap-healthkit-types.json")
        let codes = map.codes(in: "http://loinc.org")
        #expect(codes.count > 50)
        for code in codes {
            #expect(Self.hasCheckDigit(code), "\(code)")
        }
        #expect(!Self.hasCheckDigit("5430-3") && !Self.hasCheckDigit("8867-5") && !Self.hasCheckDigit("LP203183-1"))
    }

    /// Codes that other mappings use for these types, although they mean something else.
    @Test(arguments: [
        "LP203183-1", "41653-7", "74859-0", "5640-8", "5430-3", "55411-3", "60842-2", "20564-1", "89273-7", "76689-9",
        "112432-0", "82672-7", "91380-6", "69990-0", "40442-6", "50042-1", "3146-8", "66472-2", "112433-8", "112425-4",
        "93829-0", "93830-8", "93831-6", "93832-4", "103213-5", "103215-0", "103210-1",
        "106076001", "22253000", "198436008", "403364000", "225038006", "247950007",
    ])
    func `a code known to be wrong appears nowhere`(_ code: String) throws {
        for name in try ProfilesFolder.names where name.hasPrefix("ConceptMap") {
            #expect(!(try ConceptMapJSON(of: name)).codes.contains(code), "\(name)")
        }
    }

    @Test func `no 24-hour intake code stands for a single intake`() throws {
        let codes = try ConceptMapJSON(of: "ConceptMap-healthkit-types.json").codes
        let intakes24Hours = ["80490", "80494", "809", "810", "811", "8189", "819", "8215"]
        #expect(!codes.contains { code in intakes24Hours.contains { code.hasPrefix($0) } })
    }

    @Test func `a skipped heartbeat has no standard code`() throws {
        let table = try MappingTable.embedded()
        #expect(table.type("HKCategoryTypeIdentifierSkippedHeartbeat")?.codings(ucumCode: nil) == [])
    }

    @Test func `every target states its relation to the source, and an inexact one has a comment`() throws {
        for name in try ProfilesFolder.names where name.hasPrefix("ConceptMap") {
            for target in try ConceptMapJSON(of: name).targets {
                // R4 requires a comment for two of them (invariant cmd-1); here all but the exact ones need one.
                let needsComment = !["equal", "equivalent"].contains(target.equivalence)
                #expect(!needsComment || target.comment != nil, "\(name): \(target)")
                #expect((target.code == nil) == (target.equivalence == "unmatched"), "\(name): \(target)")
            }
        }
    }

    @Test func `each type is in the LOINC group, even if only to say that it has no code`() throws {
        let map = try ConceptMapJSON(of: "ConceptMap-healthkit-types.json")
        let table = try MappingTable.embedded()
        #expect(map.sources(to: "http://loinc.org").sorted() == table.types.map(\.identifier))
    }

    private static func hasCheckDigit(_ code: String) -> Bool {
        let parts = code.split(separator: "-")
        guard parts.count == 2, parts[1].count == 1, let check = parts[1].first?.wholeNumberValue else { return false }
        var sum = 0
        for (position, character) in parts[0].reversed().enumerated() {
            guard character.isASCII, let digit = character.wholeNumberValue else { return false }
            let weighted = position.isMultiple(of: 2) ? digit * 2 : digit
            sum += weighted / 10 + weighted % 10
        }
        return (10 - sum % 10) % 10 == check
    }
}

/// A ConceptMap read without the loader, so that one mistake can't hide in both.
private struct ConceptMapJSON: Decodable {
    struct Group: Decodable {
        let target: String
        let element: [Element]
    }
    struct Element: Decodable {
        let code: String
        let target: [Target]
    }
    struct Target: Decodable {
        let code: String?
        let equivalence: String
        let comment: String?
    }

    let group: [Group]

    init(of name: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(ProfilesFolder.text(of: name).utf8))
    }

    var targets: [Target] { group.flatMap(\.element).flatMap(\.target) }
    var codes: [String] { targets.compactMap(\.code) }

    func codes(in system: String) -> [String] {
        group.filter { $0.target == system }.flatMap(\.element).flatMap(\.target).compactMap(\.code)
    }

    func sources(to system: String) -> [String] {
        group.filter { $0.target == system }.flatMap(\.element).map(\.code)
    }
}
