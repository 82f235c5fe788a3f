import Testing

@testable import IntegrationServer

struct FHIRInstantTests {
    // Milliseconds, computed with GNU date: `date -u -d … +%s`.
    @Test(arguments: [
        ("2024", 1_704_067_200_000...1_735_689_599_999),
        ("2024-02", 1_706_745_600_000...1_709_251_199_999),
        ("2024-02-29", 1_709_164_800_000...1_709_251_199_999),
        ("1969-12-31", -86_400_000...(-1)),
        ("2024-05-01T08:00Z", 1_714_550_400_000...1_714_550_459_999),
        ("2024-05-01T08:00:30Z", 1_714_550_430_000...1_714_550_430_999),
        ("2024-05-01T08:00:30.5Z", 1_714_550_430_500...1_714_550_430_599),
        ("2024-05-01T08:00:30.123456Z", 1_714_550_430_123...1_714_550_430_123),
        ("2024-05-01T10:00:00+02:00", 1_714_550_400_000...1_714_550_400_999),
        ("2024-05-01T02:30:00-05:30", 1_714_550_400_000...1_714_550_400_999),
    ])
    func `a date stands for a span of time`(_ text: String, _ span: ClosedRange<Int64>) {
        #expect(FHIRInstant.span(text) == span)
    }

    @Test(arguments: [
        "", "24", "2024-13", "2023-02-29", "2024-00-01", "2024-1-1", "2024-05-01T25:00:00Z", "2024-05-01T08:60:00Z",
        "2024-05-01T08:00:00+15:00", "2024-05-01T08:00:00.Z", "2024-05-01 08:00:00", "2024-05-01T08:00:00Zx",
    ])
    func `text that is not a date has no span`(_ text: String) {
        #expect(FHIRInstant.span(text) == nil)
    }

    @Test func `a time is written in UTC, for FHIR and for HTTP`() {
        #expect(FHIRInstant.text(1_709_164_800_007) == "2024-02-29T00:00:00.007Z")
        #expect(FHIRInstant.text(-1) == "1969-12-31T23:59:59.999Z")
        #expect(FHIRInstant.httpDate(1_709_164_800_007) == "Thu, 29 Feb 2024 00:00:00 GMT")
    }
}
