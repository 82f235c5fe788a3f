import HTTPTransport
import Testing

@testable import Delivery

/// How many entries a server accepts in a Bundle.
struct EntryLimitTests {
    @Test(arguments: [
        ("https://healthlake.us-east-1.amazonaws.com/datastore/d1/r4", 160 as Int?),
        ("https://healthlake-fips.us-west-2.amazonaws.com/datastore/d1/r4", 160),
        ("https://example-fhir.fhir.azurehealthcareapis.com", 500),
        ("https://healthcare.googleapis.com/v1/projects/p/locations/l/datasets/d/fhirStores/f/fhir", 4500),
        ("https://fhir.example.org/healthlake.us-east-1.amazonaws.com", nil),
        ("https://amazonaws.com.example.org", nil),
    ])
    func `hosted services are recognized by their host names`(_ server: String, _ limit: Int?) throws {
        #expect(EntryLimit.known(of: try HTTPURL(server)) == limit)
    }

    @Test(arguments: [
        ("The number of entries in the bundle exceeded the configured limit of 25.", 25 as Int?),
        ("Bundle of 1300 entries: at most 100 entries are taken", 100),
        ("Too many resources (limit: 30)", 30),
        ("maximum of 1,000 entries", 1000),
        ("1300 entries are too many; the maximum is 25", 25),
        ("the limit of 5000 entries", nil),
        ("at least 1 of the entries, maximum 500 entries", 500),
        ("between 100 and 200 entries at most", nil),
        ("Observation 17 is not allowed", nil),
        ("value exceeds the maximum of 250", nil),
        ("too many resources: Bundle.entry[30] is wrong", nil),
        ("Bundle size exceeds the maximum of 10 MB for all entries", nil),
        ("Request body of all entries is over the limit of 0.06 MB", nil),
        ("Bundle.entry[90].resource.category: max allowed = 1, but found 20", nil),
        ("entries: text exceeds the maximum length of 64", nil),
        ("too many entries: at most 2", nil),
    ])
    func `a refusal names the limit if its text speaks of a limit and of entries`(_ text: String, _ limit: Int?) {
        for issue in [#"{"diagnostics":"\#(text)"}"#, #"{"details":{"text":"\#(text)"}}"#] {
            let body = #"{"resourceType":"OperationOutcome","issue":[{"code":"too-costly"},\#(issue)]}"#
            #expect(EntryLimit.named(in: Array(body.utf8), below: 1200) == limit)
        }
    }

    @Test(arguments: [
        ("Transaction requires strict isolation but has too many entries", true),
        ("Too many operations in one bundle", true),
        ("too many values for all entries", false),
        ("the entries are too large", false),
        ("many entries are wrong", false),
    ])
    func `a refusal may say that there are too many entries without giving a number`(_ text: String, _ isPassed: Bool) {
        let body = #"{"resourceType":"OperationOutcome","issue":[{"details":{"text":"\#(text)"}}]}"#
        #expect(EntryLimit.isPassed(in: Array(body.utf8)) == isPassed)
    }

    @Test(arguments: ["", "<html>limit of 25 entries</html>", "[]", #"{"issue":[{"diagnostics":25}]}"#])
    func `a body that is not an OperationOutcome names no limit`(_ body: String) {
        #expect(EntryLimit.named(in: Array(body.utf8), below: 400) == nil)
    }

    @Test(arguments: [0, 1, 25])
    func `a Bundle that is within the stated limit teaches no limit`(_ count: Int) {
        let body = #"{"issue":[{"diagnostics":"limit of 25 entries"}]}"#
        #expect(EntryLimit.named(in: Array(body.utf8), below: count) == nil)
    }
}
