import FHIRR4
import Testing

struct ExactDecimalTests {
    @Test(arguments: [
        ("72", "72"), ("72.50", "72.50"), ("0.97", "0.97"), ("-3.5", "-3.5"), ("0", "0"), ("0.00012", "0.00012"),
        ("1e3", "1000"), ("1.5E-3", "0.0015"), ("38.35598726669947", "38.35598726669947"),
        ("1234567890123456789", "1234567890123456789"), ("-0.0", "0.0"), ("100", "100"),
    ])
    func `a FHIR decimal is read and written without an exponent`(_ text: String, _ written: String) {
        #expect(ExactDecimal(text)?.text == written)
    }

    @Test(arguments: ["", "-", "+1", ".5", "1.", "01", "NaN", "1e", "1 ", " 1", "1,5", "0x10", "--1", "1e999"])
    func `other text is not a decimal`(_ text: String) {
        #expect(ExactDecimal(text) == nil)
    }

    @Test(arguments: [
        ("0.97", 2, "97"), ("0.9728", 2, "97.28"), ("1", 2, "100"), ("0.970", 2, "97.0"), ("0.005", 2, "0.5"),
        ("0", 2, "0"), ("-0.07", 2, "-7"),
    ])
    func `a shift moves the decimal point and keeps every digit`(_ text: String, _ places: Int, _ written: String) {
        #expect(ExactDecimal(text)?.shifted(by: places).text == written)
    }

    @Test(arguments: [
        ("123456", 5, "123460"), ("123455", 5, "123460"), ("123445", 5, "123440"), ("70.3125", 5, "70.312"),
        ("70.31251", 5, "70.313"), ("0.000123455", 5, "0.00012346"), ("99999.5", 5, "100000"), ("12", 5, "12"),
        ("1234567890123456789", 12, "1234567890120000000"),
    ])
    func `rounding goes to the nearest, and from the middle to the even digit`(
        _ text: String,
        _ digits: Int,
        _ written: String
    ) {
        #expect(ExactDecimal(text)?.roundedHalfEven(toSignificantDigits: digits).text == written)
    }

    @Test(arguments: [
        ("9999999999999999999", "100000000000000000e2"), ("999999999999999999.9", "100000000000000000e1"),
        ("0.9999999999999999999", "1.00000000000000000"), ("9999999999999999994", "999999999999999999e1"),
    ])
    func `nines that are rounded up do not get an additional digit`(_ text: String, _ written: String) throws {
        #expect(try #require(ExactDecimal(text)).shortText == written)
    }

    @Test func `products are exact`() throws {
        let feet = try #require(ExactDecimal("5.75"))
        #expect(feet.multiplied(by: ExactDecimal(digits: 3048, exponent: -2)).text == "175.2600")
        let pounds = try #require(ExactDecimal("154.3235835294143"))
        #expect(pounds.multiplied(by: ExactDecimal(digits: 45_359_237, exponent: -8)).text == "69.9999999999999970")
    }

    @Test func `a product has as many digits as it needs`() throws {
        let least = try #require(ExactDecimal("1e-399"))
        #expect(least.multiplied(by: least).text == "0." + String(repeating: "0", count: 797) + "1")
        let most = try #require(ExactDecimal("1e399"))
        #expect(most.multiplied(by: most).text == "1" + String(repeating: "0", count: 798))
    }

    @Test func `a quotient shows that it has a remainder`() throws {
        let third = try #require(ExactDecimal("1")).divided(by: 3)
        #expect(third.roundedHalfEven(toSignificantDigits: 5).text == "0.33333")
        #expect(try #require(ExactDecimal("1")).divided(by: 8).withoutTrailingZeros().text == "0.125")
        // 4.5000…014 must be rounded up although its first 18 digits are exactly a half.
        let aboveHalf = try #require(ExactDecimal("31.50000000000000001")).divided(by: 7)
        #expect(aboveHalf.roundedHalfEven(toSignificantDigits: 1).text == "5")
        #expect(try #require(ExactDecimal("31.5")).divided(by: 7).roundedHalfEven(toSignificantDigits: 1).text == "4")
    }

    @Test(arguments: [
        ("36.6", "-273.15", "-236.55"), ("310.15", "-273.15", "37.00"), ("97.7", "-32", "65.7"), ("1", "1", "2"),
        ("0.1", "0.2", "0.3"), ("1", "-1", "0"),
    ])
    func `sums are exact`(_ left: String, _ right: String, _ sum: String) throws {
        #expect(try #require(ExactDecimal(left)).adding(try #require(ExactDecimal(right))).text == sum)
    }
}

extension ExactDecimal {
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let decimal = unsafe bytes.withUnsafeBytes { unsafe ExactDecimal($0) }
        guard let decimal else { return nil }
        self = decimal
    }
}
