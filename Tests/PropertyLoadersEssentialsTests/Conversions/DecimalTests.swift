import Foundation
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Decimal numbers")
struct DecimalTests {
    private static let digits38 = "12345678901234567890123456789012345678"

    @Test(
        "A number has the digits of the text, or is refused",
        arguments: [
            ("0.1", "0.1"), ("19.99", "19.99"), ("-0.3", "-0.3"), ("1e2", "100"), ("1.50", "1.5"), ("0", "0"),
            ("-0.0", "0"), ("30", "30"), ("18446744073709551615", "18446744073709551615"),
            ("-9223372036854775808", "-9223372036854775808"),
            (digits38, digits38), ("-\(digits38)", "-\(digits38)"), ("\(digits38)9", nil), ("1.5E-3", "0.0015"),
            ("1e+3", "1000"), ("0.12345678901234567890", "0.1234567890123456789"),
            ("1234567.8912345678", "1234567.8912345678"), ("-1234567.8912345678", "-1234567.8912345678"),
            ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
            ("12345678901234567890.5", "12345678901234567890.5"), ("9007199254740993.0", "9007199254740993"),
            ("1e-400", nil), ("0e-400", "0"), ("\(digits38)e-90", "0." + String(repeating: "0", count: 52) + digits38),
            ("\(digits38)e-129", nil), ("0.\(digits38)", "0.\(digits38)"), ("0.\(digits38)9", nil),
            ("1.\(digits38)", nil),
            ("1e127", "1" + String(repeating: "0", count: 127)), ("1e166", nil),
            ("1e-128", "0." + String(repeating: "0", count: 127) + "1"),
            ("1e-129", nil), ("5e-324", nil),
        ] as [(String, String?)])
    func digits(number: String, text: String?) throws {
        let store = PropertyStore.quiet
        try store.apply(JsonPropertyLoader(string: "{\"list\": [\n  \(number)], \"n\": \(number) }", name: "c.json"))
        let decimal: Decimal? = store.property("n")
        #expect(decimal?.description == text)
        let list: [Decimal]? = store.property("list")
        #expect(list?.first?.description == text)
    }

    @Test("A TOML integer is read, and infinity and NaN are refused")
    func toml() throws {
        let store = PropertyStore.quiet
        let text = "a = 1_000.5\nb = 1\nc = inf\nd = nan\ne = \"1,5\"\nf = 0x10\ng = +1_234_567.891_234_567_8e0_1"
        try store.apply(TomlPropertyLoader(string: text, name: "c.toml"))
        #expect(store.property("a") == Decimal(string: "1000.5"))
        #expect(store.property("f") == Decimal(16))
        #expect(store.property("g") == Decimal(string: "12345678.912345678"))
        let errors = ["c", "d", "e"].map { name in
            #expect(throws: PropertyError.self) { try store.require(name, as: Decimal.self) }?.description
        }
        #expect(
            errors == [
                "c.toml:3:5: 'c' is the number inf; expected a number that Decimal holds exactly. Change the value.",
                "c.toml:4:5: 'd' is the number nan; expected a number that Decimal holds exactly. Change the value.",
                "c.toml:5:5: 'e' is the string \"1,5\"; expected a number. Write decimal digits.",
            ])
    }

    @Test("A number in quotes is read in every format, and inside arrays, tables and types")
    func quoted() throws {
        struct Item: Decodable { var price: Decimal }
        let number = "1234567.8912345678"
        let toml = "price = \"\(number)\"\nlist = [\(number), \"\(number)\"]\n[item]\nprice = \(number)"
        let json = "{\"price\": \"\(number)\", \"list\": [\(number), \"\(number)\"], \"item\": {\"price\": \(number)}}"
        let loaders: [any PropertyLoader] = [
            TomlPropertyLoader(string: toml, name: "a"), JsonPropertyLoader(string: json, name: "b"),
        ]
        for loader in loaders {
            let store = PropertyStore.quiet
            try store.apply([loader])
            let decimal = Decimal(string: number)
            #expect(store.property("price") == decimal)
            #expect(store.property("list") == [decimal, decimal])
            #expect(try store.bind(Item.self, at: "item").price == decimal)
            #expect(store.property("item") == ["price": decimal])
            #expect(store.property("item.price") as Decimal? == decimal)
        }
    }

    @Test("A number keeps its digits through a secret source, a prefix, a placeholder and JSON")
    func digitsElsewhere() throws {
        let text = "a = 1234567.8912345678\nb = \"${a}\"\nc = \"${a} EUR\"\nd = 1.50\ne = \"${d}\""
        let store = PropertyStore.quiet
        try store.apply(TomlPropertyLoader(string: "a = 1234567.8912345678", name: "a").prefixed("x"))
        try store.apply(TomlPropertyLoader(string: "y = 1234567.8912345678", name: "b").secret())
        let placeholders = PropertyStore.quiet
        placeholders.replacePlaceholders()
        try placeholders.apply(TomlPropertyLoader(string: text, name: "a"))
        let decimal = Decimal(string: "1234567.8912345678")
        #expect(store.property("x.a") == decimal)
        #expect(store.property("y") == decimal)
        #expect(placeholders.property("b") == decimal)
        #expect(placeholders.property("b") == 1234567.8912345678)
        #expect(placeholders.property("c") == "1234567.8912345678 EUR")
        #expect(placeholders.property("e") == 1.5)
        #expect(placeholders.entries.json.contains("1234567.8912345678"))
    }

    @Test("The Decimal of a Swift value is read exactly, and so is a default")
    func swiftValues() throws {
        struct Prices { var price = Decimal(string: "1234567.8912345678") ?? 0, small = Decimal(string: "19.99") ?? 0 }
        struct Shop: Settings { @Setting var price = Decimal(string: "1234567.8912345678") ?? 0 }
        let store = try PropertyStore(sources: StructPropertyLoader(Prices()))
        #expect(store.property("price") == Decimal(string: "1234567.8912345678"))
        #expect(store.property("small") == Decimal(string: "19.99"))
        let shop = PropertyStore.quiet
        shop.declare(Shop.self)
        #expect(shop.help().contains("1234567.8912345678"))
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
        let store = PropertyStore.quiet
        try store.apply(EnvironmentPropertyLoader(prefix: "APP_", environment: ["APP_N": text]))
        #expect((store.property("n") as Decimal?)?.description == number)
    }
}
