import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Values and texts of placeholders")
struct PlaceholderTextTests {
    private static func store(_ text: String) throws -> PropertyStore {
        try PropertyStore(sources: TomlPropertyLoader(string: text, name: "a.toml").replacingPlaceholders())
    }

    /// Values in TOML and their texts.
    static let values: [(String, String)] = [
        ("2", "2"), ("-7", "-7"), ("1.10", "1.10"), ("1.0", "1.0"), ("1e3", "1e3"), ("+1.50", "+1.50"),
        ("true", "true"), ("2026-11-28", "2026-11-28"),
        ("3.14159265358979323846", "3.14159265358979323846"), ("\"1.10\"", "1.10"),
    ]

    @Test(
        "A text of one placeholder is read as a string as its source writes it, and so is a part of a text",
        arguments: values)
    func strings(value: String, text: String) throws {
        let store = try Self.store(
            "v = \(value)\none = \"${v}\"\nchain = \"${one}\"\nlong = \"v${v}\"\nlist = [\"${v}\", \"${one}\"]\n"
                + "fallback = \"${none:-${v}}\"\n[t]\nkey = \"${chain}\"")
        #expect(try store.require("one") as String == text)
        #expect(try store.require("chain") as String == text)
        #expect(try store.require("long") as String == "v\(text)")
        #expect(try store.require("list") as [String] == [text, text])
        #expect(try store.require("fallback") as String == text)
        #expect(try store.require("t") as [String: String] == ["key": text])
        #expect(try store.require("one") as String? == text)
        #expect(try store.require("one") as Text == Text(rawValue: text))
    }

    private struct Text: RawRepresentable, Equatable { let rawValue: String }

    @Test("A text of one placeholder is the value that it leads to where a value is asked for")
    func types() throws {
        let store = try Self.store(
            "i = 2\nd = 1.10\nb = true\none = 1\nday = 2026-11-28\nxi = \"${i}\"\nxd = \"${d}\"\nxb = \"${b}\"\nxo = \"${one}\"\n"
                + "xday = \"${day}\"")
        #expect(store.property("xi") == 2 && store.property("xd") == 1.1 && store.property("xb") == true)
        #expect(store.property("xday") == PropertyDateTime("2026-11-28"))
        // A number is neither a boolean nor a list, and a value that was not inserted is not text.
        #expect(store.property("xo") as Bool? == nil && store.property("xi") as [Int]? == nil)
        #expect(store.property("i") as String? == nil && store.property("d") as String? == nil)
        #expect(store.property("xi") as Any? as? Int == 2)
    }

    @Test("The text of a secret number is secret, and is read as it is written")
    func secrets() throws {
        let store = PropertyStore.quiet
        store.declareSecret("pin")
        try store.apply(
            TomlPropertyLoader(string: "pin = 1.10\nx = \"${pin}\"", name: "a.toml").replacingPlaceholders())
        #expect(try store.require("x") as String == "1.10")
        #expect(store.listing == ["pin=******** (a.toml:1:7)", "x=******** (a.toml:2:5)"])
    }

    @Test("Formats write numbers in their own ways")
    func formats() throws {
        let json = JsonPropertyLoader(
            string: #"{"v": 1.10, "x": "${v}", "y": "v${v}"}"#, name: "a.json"
        ).replacingPlaceholders()
        let store = try PropertyStore(sources: json)
        #expect(try store.require("x") as String == "1.10")
        #expect(try store.require("y") as String == "v1.10")
        let given = try PropertyStore(sources: Given(["v": 1.5, "x": "${v}"]).replacingPlaceholders())
        #expect(try given.require("x") as String == "1.5")
    }
}
