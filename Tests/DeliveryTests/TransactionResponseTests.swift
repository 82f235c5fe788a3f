import Testing

@testable import Delivery

struct TransactionResponseTests {
    private func response(_ entries: String) -> TransactionResponse? {
        let text = #"{"resourceType":"Bundle","type":"transaction-response","entry":[\#(entries)]}"#
        return TransactionResponse(Array(text.utf8), to: 9)
    }

    @Test(arguments: [
        ("201", 201), ("201 Created", 201), (" 201", 201), ("  201 Created", 201), ("2010", 0), ("20", 0), ("OK", 0),
        ("", 0),
    ])
    func `a status is three digits, with or without text around them`(_ text: String, _ status: Int) {
        #expect(response(#"{"response":{"status":"\#(text)"}}"#)?.entries.map(\.status) == [status])
    }

    @Test(arguments: [
        "null", "[]", "7", #""text""#, #"{"issue":null}"#, #"{"issue":{}}"#, #"{"issue":[null]}"#, #"{"issue":["x"]}"#,
        #"{"issue":[{"severity":"error"},7]}"#, "{issue}",
    ])
    func `a malformed outcome does not spoil the rest of the answer`(_ outcome: String) throws {
        let entries =
            #"{"response":{"outcome":\#(outcome),"status":"200"}},"#
            + #"{"response":{"status":"422","outcome":{"issue":[{"code":"value"}]}}}"#
        let answer = try #require(response(entries))
        #expect(answer.entries.map(\.status) == [200, 422])
        #expect(answer.entries.map(\.issues) == [[], [OutcomeIssue(code: "value")]])
    }

    @Test func `of an answer with too many entries only one extra entry is kept`() throws {
        let entry = #"{"response":{"status":"201"}}"#
        let text =
            #"{"resourceType":"Bundle","type":"transaction-response","entry":["#
            + Array(repeating: entry, count: 9).joined(separator: ",") + "]}"
        #expect(TransactionResponse(Array(text.utf8), to: 9)?.entries.count == 9)
        #expect(TransactionResponse(Array(text.utf8), to: 2)?.entries.count == 3)
    }

    @Test func `at most twenty issues of an outcome are kept, and twenty expressions of each`() {
        let paths = Array(repeating: #""Bundle.entry""#, count: 30).joined(separator: ",")
        let issue = #"{"severity":"error","expression":[\#(paths)]}"#
        let text = #"{"issue":[\#(Array(repeating: issue, count: 30).joined(separator: ","))]}"#
        let issues = OutcomeIssue.read(Array(text.utf8))
        #expect(issues.count == 20 && issues.allSatisfy { $0.expression.count == 20 })
        let mild = Array(repeating: #"{"severity":"warning"}"#, count: 30).joined(separator: ",")
        let grave = OutcomeIssue.read(Array(#"{"issue":[\#(mild),{"severity":"error","code":"value"}]}"#.utf8))
        #expect(grave.count == 20 && grave.last == OutcomeIssue(severity: "error", code: "value"))
    }

    @Test(arguments: [#""expression":null"#, #""expression":"x""#, #""location":"x""#, #""location":{}"#])
    func `a malformed path does not spoil the rest of the issue`(_ member: String) {
        let text = #"{"issue":[{"severity":"error",\#(member),"code":"value"}]}"#
        #expect(OutcomeIssue.read(Array(text.utf8)) == [OutcomeIssue(severity: "error", code: "value")])
    }

    @Test(arguments: [
        "Bundle", "Bundle.entry[3].resource", "Bundle.entry[29999].resource.valueQuantity.value",
        "Observation.component[0].code.coding[1].display", "Patient.birthDate", "Parameters.parameter[1].value",
    ])
    func `a path into a resource is kept`(_ path: String) {
        #expect(paths(of: path) == [path])
    }

    @Test(arguments: [
        "77.123456", "CANARYexpr", "Bundle.CANARY", "Bundle.entry.1980", "Bundle.entry[19800229].resource",
        "Bundle.entry[anna]", "Bundle.entry[]", "Bundle.entry[1", "Bundle.entry[1][2]", "Bundle.entry[1]7",
        "Bundle[72]", "Bundle..entry", "Bundle.", "Observation.value = 72", "value", "Basic.code", "",
    ])
    func `a path that may quote a value is not kept`(_ text: String) {
        #expect(paths(of: text) == [])
    }

    private func paths(of text: String) -> [String]? {
        OutcomeIssue.read(Array(#"{"issue":[{"expression":["\#(text)"]}]}"#.utf8)).first?.expression
    }
}
