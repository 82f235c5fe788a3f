import Testing

@testable import Delivery

/// When a server changed a resource, according to the server.
struct FHIRInstantTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2024-05-01T00:00:00Z", 1_714_521_600),
            ("2024-05-01T02:00:00+02:00", 1_714_521_600), ("2024-04-30T19:30:00-04:30", 1_714_521_600),
            ("2024-05-01T00:00:00.999Z", 1_714_521_600), ("2024-05-01T02:00:00.123456789+02:00", 1_714_521_600),
        ] as [(String, Int64)]
    )
    func `an instant is read to the second, with any offset`(_ text: String, _ seconds: Int64) {
        #expect(FHIRInstant.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "2024-05-01", "2024-05-01T00:00:00", "2024-05-01 00:00:00Z", "2024-05-01T00:00:00+0200",
        "2024-0x-01T00:00:00Z", "2024-05-01T00:00:00ZZ", "2024-05-01T00:00:00+0a:00", "2024-13-01T00:00:00Z",
        "2024-00-01T00:00:00Z",
        "2024-05-32T00:00:00Z", "2024-05-01T24:00:00Z", "2024-05-01T00:60:00Z", "2024-05-01T00:00:61Z",
        "0000-05-01T00:00:00Z", "٢٠٢٤-05-01T00:00:00Z",
    ])
    func `text that is not an instant is refused`(_ text: String) {
        #expect(FHIRInstant.seconds(text) == nil)
    }
}
