import Testing

@testable import HealthExport

/// What a character that XML forbids costs: in a value only itself, in a name whatever has that name.
struct TextRepairTests {
    @Test(arguments: [
        ("<Record sourceName=\"W\u{B}X\" value=\"1\"/>", Malformation.Kind.forbiddenCharacter),
        ("<Record sourceName='W\u{B}\"X' value=\"1\"/>", .forbiddenCharacter),
        ("<Record sourceName=\"a>b\u{B}\" value=\"1\"/>", .forbiddenCharacter),
        ("<Record sourceName=\"&#11;\" value=\"1\"/>", .forbiddenCharacter),
        ("<Record value=\"1\"><!-- <a \u{B} --></Record>", .forbiddenCharacter),
        ("<Record value=\"1\"/>\u{B}", .forbiddenCharacter),
        ("<Reco\u{B}rd value=\"1\"/>", .forbiddenName),
        ("<Record va\u{B}lue=\"1\"/>", .forbiddenName),
        ("<Record sourceName='\"' va\u{B}lue=\"1\"/>", .forbiddenName),
        ("<Record value=\"1\"></Reco\u{B}rd>", .forbiddenName),
    ])
    func `a forbidden character in a value is not taken for one in a name`(_ text: String, _ kind: Malformation.Kind) {
        let kinds = unsafe Array(text.utf8).withUnsafeBytes { bytes in
            let repair = unsafe TextRepair(bytes)
            return repair.places.map(\.kind)
        }
        #expect(kinds == [kind])
    }
}
