import Foundation
import PropertyLoadersEssentials
import Testing

@Suite("Decimal numbers")
struct DecimalTests {
    private static let digits38 = "12345678901234567890123456789012345678"

    @Test(
        "A number is read as the shortest decimal number that is its Double, and an integer from its digits",
        arguments: [
            ("0.1", "0.1"), ("19.99", "19.99"), ("-0.3", "-0.3"), ("1e2", "100"), ("1.50", "1.5"), ("0", "0"),
            ("-0.0", "0"), ("30", "30"), ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            (digits38, digits38), ("-\(digits38)", "-\(digits38)"), ("\(digits38)9", nil), ("1.5E-3", "0.0015"),
            ("1e+3", "1000"), ("0.12345678901234567890", "0.12345678901234568"),
            ("1e127", "1" + String(repeating: "0", count: 127)), ("1e166", nil),
            ("1e-128", "0." + String(repeating: "0", count: 127) + "1"),
            ("1e-129", nil), ("5e-324", nil),
        ] as [(String, String?)])
    func digits(number: String, text: String?) throws {
        let store = PropertyStore()
        try store.apply(JsonPropertyLoader(string: "{\"list\": [\n  \(number)], \"n\": \(number) }", name: "c.json"))
        let decimal: Decimal? = store.property("n")
        #expect(decimal?.description == text)
        let list: [Decimal]? = store.property("list")
        #expect(list?.first?.description == text)
    }

    @Test("A TOML integer is read, and infinity, NaN and strings are refused")
    func toml() throws {
        let store = PropertyStore()
        let text = "a = 1_000.5\nb = 1\nc = inf\nd = nan\ne = \"1.5\"\nf = 0x10"
        try store.apply(TomlPropertyLoader(string: text, name: "c.toml"))
        #expect(store.property("a") == Decimal(string: "1000.5"))
        #expect(store.property("f") == Decimal(16))
        let errors = ["c", "d", "e"].map { name in
            #expect(throws: PropertyError.self) { try store.require(name, as: Decimal.self) }?.description
        }
        #expect(
            errors == [
                "c.toml:3:5: 'c' is the number inf; expected a number that Decimal holds exactly. Change the value.",
                "c.toml:4:5: 'd' is the number nan; expected a number that Decimal holds exactly. Change the value.",
                "c.toml:5:5: 'e' is the string \"1.5\"; expected a number. Remove the quotes.",
            ])
    }

    @Test(
        "Untyped text converts only in decimal notation, with an optional exponent",
        arguments: [
            ("1.50", "1.5"), ("0.\(digits38)", "0.\(digits38)"), ("0.\(digits38)9", nil), ("+5", "5"), (".5", "0.5"),
            ("5.", "5"), ("", nil), ("-", nil), (".", nil), ("1e", nil),
            ("1e+", nil), ("1_0", nil), ("0x10", nil), (" 1", nil), ("1 ", nil), ("1,5", nil), ("nan", nil),
            ("inf", nil),
            ("1.2.3", nil), ("--1", nil), ("1e99999999999999999999", nil), ("٣", nil),
            // A zero may have any exponent.
            ("-0e512", "0"), ("0e999", "0"), ("-0e-512", "0"), ("0.000e400", "0"), ("0e99999999999999999999", "0"),
            ("0.0e5", "0"), ("1e-140", nil), ("1e-400", nil), ("1e400", nil),
        ] as [(String, String?)])
    func text(text: String, number: String?) throws {
        let store = PropertyStore()
        try store.apply(EnvironmentPropertyLoader(prefix: "APP_", environment: ["APP_N": text]))
        #expect((store.property("n") as Decimal?)?.description == number)
    }
}
