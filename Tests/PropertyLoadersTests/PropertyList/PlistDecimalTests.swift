import Foundation
import PropertyLoaders
import TestSupport
import Testing

@Suite("Decimal numbers of property lists")
struct PlistDecimalTests {
    private static func store(_ members: String) throws -> PropertyStore {
        let text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n\(members)\n</dict>\n</plist>\n"
        return try store(of: PlistPropertyLoader(string: text, name: "a.plist"))
    }

    private static func store(of loader: PlistPropertyLoader) throws -> PropertyStore {
        let store = PropertyStore.quiet
        try store.apply(loader)
        return store
    }

    @Test(
        "A Decimal has the digits of the XML, or is refused",
        arguments: [
            ("1234567.8912345678", "1234567.8912345678"), (" 19.990", "19.99"), ("-0.1", "-0.1"), (".5", "0.5"),
            ("1e2", "100"), ("+5.25", "5.25"),
            ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
            ("0.123456789012345678901234567890123456789", nil), ("1e-300", nil), ("nan", nil), ("-infinity", nil),
        ] as [(String, String?)])
    func xml(_ number: String, _ text: String?) throws {
        let store = try Self.store(
            "<key>a</key><real>\(number)</real><key>b</key><array><real>\(number)</real></array>")
        #expect((store.property("a") as Decimal?)?.description == text)
        #expect((store.property("b") as [Decimal]?)?.first?.description == text)
    }

    @Test("A number in a string or an integer is read, too")
    func strings() throws {
        let store = try Self.store(
            "<key>a</key><string>1234567.8912345678</string><key>b</key><integer>18446744073709551615</integer>")
        #expect(store.property("a") == Decimal(string: "1234567.8912345678"))
        #expect(store.property("b") == Decimal(UInt64.max))
    }

    @Test("A number of a binary property list is the shortest decimal number of its Double")
    func binary() throws {
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: ["a": 19.99, "b": 1_234_567.891_234_567_8], format: .binary, options: 0)
        let store = try Self.store(of: PlistPropertyLoader(bytes: bytes, name: "a.plist"))
        #expect(store.property("a") == Decimal(string: "19.99"))
        #expect(store.property("b") == Decimal(string: "\(1_234_567.891_234_567_8)"))
    }
}
