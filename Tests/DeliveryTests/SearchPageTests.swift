import FHIRR4
import HTTPTransport
import Testing

@testable import Delivery

/// Where the link to a search's next page leads.
struct SearchPageTests {
    @Test(arguments: [
        ("https://fhir.example.org/r4/Observation?page=2", "Observation?page=2" as String?),
        ("https://fhir.example.org/r4?page=2", "?page=2"),
        ("Observation?page=2", "Observation?page=2"),
        ("/r4/Observation?page=2", "Observation?page=2"),
        ("?page=2", "Observation?page=2"),
        ("http://10.0.0.7:8080/r4?page=2", "?page=2"),
        ("http://10.0.0.7:8080/fhir/Observation?page=2", "Observation?page=2"),
        ("http://10.0.0.7:8080/fhir/Observation/?page=2", "Observation/?page=2"),
        ("http://10.0.0.7:8080/fhir/Observation/__page/7?x=1", "Observation/__page/7?x=1"),
        ("http://10.0.0.7:8080/fhir?_getpages=7", "?_getpages=7"),
        ("https://fhir.example.org/r4/Observation?page=2#top", "Observation?page=2"),
        ("https://fhir.example.org/r4/Observation?name=a b", "Observation?name=a%20b"),
        ("https://fhir.example.org/other/Patient?page=2", nil),
        ("//evil.example.org/r4/Device?page=2", nil),
        ("ftp://fhir.example.org/r4/Observation?page=2", nil),
        ("https://evil.example.org?page=2", nil),
        ("https://fhir.example.org/r4/Observation?a=\u{1}", nil),
        ("https://fhir.example.org/r4/../other/Observation?page=2", nil), ("/r4/%2e%2e/other?page=2", nil),
        ("Observation/..;x/../../other?page=2", nil), ("", nil),
    ])
    func `a link is followed only below the base`(_ link: String, _ path: String?) throws {
        let base = try HTTPURL("https://fhir.example.org/r4")
        #expect(SearchPage.path(of: link, .observation, below: base) == path)
    }

    @Test(arguments: [
        ("", true), (#","total":0"#, true), (#","total":1"#, false),
        (#","link":[{"relation":"next","url":"Observation?page=2"}]"#, false),
        (#","entry":[{"resource":{"resourceType":"OperationOutcome"}}]"#, true),
        (#","entry":[{"resource":{"resourceType":"Observation","id":"1"}}]"#, false),
    ])
    func `an answer without entries means that there is nothing, unless it says a total or has a next page`(
        _ rest: String,
        _ isOfNothing: Bool
    ) {
        let body = #"{"resourceType":"Bundle","type":"searchset"\#(rest)}"#
        #expect(SearchPage(Array(body.utf8))?.isOfNothing == isOfNothing)
    }
}
