import HealthExport
import TestSupport
import Testing

/// The length of a source's name is limited: docs/formats.md, "Sources and devices".
struct SourceLengthTests {
    /// Two bytes each, so that 512 of them are the most that is allowed.
    private static let accents = String(repeating: "\u{301}", count: 512)

    @Test(
        arguments: [
            (accents, []), (accents + "a", [.unusableRecord]),
            // Counted after entities are resolved, whichever parser has read it.
            (String(repeating: "&amp;", count: 1024), []), (String(repeating: "&amp;", count: 1025), [.unusableRecord]),
        ] as [(String, [Malformation.Kind])]
    )
    func `a record whose source's name has more than 1024 bytes is unusable`(
        _ name: String,
        _ expected: [Malformation.Kind]
    ) throws {
        for text in [record(source: name), record(source: name).replacing("<Record ", with: "<Record\t")] {
            var faults: [Malformation.Kind] = []
            let records = try unsafe map(text + record(), faults: &faults)
            #expect(faults == expected)
            #expect(records.count == 2 - expected.count)
        }
    }

    @Test(arguments: [accents, accents + "a"])
    func `any other element with such a long name in it is unusable too`(_ name: String) throws {
        let times: KeyValuePairs = [
            "startDate": "2024-06-01 08:00:00 +0100", "endDate": "2024-06-01 08:30:00 +0100", "sourceName": name,
        ]
        let named = element(.workoutRoute, times)
        for element in [
            workout(children: [named]),
            element(.audiogram, times, [element(.sensitivityPoint, ["frequencyValue": "500", "leftEarValue": "5"])]),
            element(.clinicalRecord, ["sourceName": name, "resourceFilePath": "/clinical-records/a.json"]),
        ] {
            #expect(try mapElement(element).faults == (name == Self.accents ? [] : [.unusableRecord]))
        }
    }
}
