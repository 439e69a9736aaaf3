import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Text from input is compared by bytes")
struct ByteNameTests {
    /// Text that Swift compares and hashes slowly, because it sorts long runs of combining characters. A comparison
    /// takes 2 s for 150 KB and 14 s for 400 KB.
    private static let hostile =
        "e" + String(repeating: "\u{F72}", count: 40_000) + String(repeating: "\u{F71}", count: 40_000)
    /// As many bytes, which Swift compares and hashes fast.
    private static let harmless = String(repeating: "e", count: hostile.utf8.count)

    /// Expects that an operation takes about as long with the hostile text as with the harmless one. The limit leaves
    /// room for the noise of a busy machine, but not for one slow comparison.
    private func expectFast(_ body: (_ text: String) throws -> Void) rethrows {
        let usual = try ThreadTime.measure { try body(Self.harmless) }
        let time = try ThreadTime.measure { try body(Self.hostile) }
        #expect(time < usual * 2 + .seconds(4), "\(time) instead of \(usual)")
    }

    @Test("A value of many combining characters is converted or rejected in linear time")
    func values() throws {
        try expectFast { text in
            let store = PropertyStore.quiet
            try store.apply(Untyped(text: text))
            #expect((store.property("t") as String?)?.utf8.count == text.utf8.count)
            #expect(store.property("t") as Bool? == nil)
            #expect(store.property("t") as Int? == nil)
            #expect(store.property("t") as Double? == nil)
            #expect(store.property("t") as Duration? == nil)
            #expect(store.property("t") as PropertyDateTime? == nil)
            #expect(throws: PropertyError.self) { try store.require("t", as: Duration.self) }
            #expect(store.entriesText.utf8.count < 300)
        }
    }

    @Test("A key of many combining characters is refused and looked up in linear time")
    func keys() throws {
        expectFast { text in
            let store = PropertyStore.quiet
            #expect(throws: ConfigurationErrors.self) { try store.apply(Literal([text: 1])) }
            #expect(store.property(text) as Int? == nil)
            #expect(store.history(of: text).isEmpty)
            #expect(throws: PropertyError.self) { try store.require(text, as: Int.self) }
        }
    }

    @Test("A placeholder of many combining characters is looked up in linear time")
    func placeholders() throws {
        expectFast { text in
            for reference in [text, "\(text):x", "env:\(text)"] {
                let loader = Literal(["p": .string("${\(reference)}")]).replacingPlaceholders()
                loadError { try PropertyStore.quiet.apply(loader) }
            }
        }
    }

    @Test("An argument of many combining characters is read in linear time")
    func arguments() throws {
        try expectFast { text in
            let words = ["--\(text)=1", "--set", "\(text)x=2", "--flag", text, text]
            let loader = CommandLinePropertyLoader(arguments: words, flags: ["debug"], passthrough: ["help"])
            #expect(loader.remaining.count == 1)
            let table = try loader.load().table
            #expect(table.count == 3)
        }
    }

    @Test("A key that is too long for a Swift dictionary is an error with a place, and takes linear time")
    func dictionaries() throws {
        let expected = "expected keys of at most 4,096 bytes. Shorten the key."
        try expectFast { text in
            let store = PropertyStore.quiet
            try store.apply(JsonPropertyLoader(string: #"{"t": [{"\#(text)": {"x": 1}}]}"#, name: "t.json"))
            for read in [
                { _ = try store.require("t", as: [[String: [String: Int]]].self) },
                { _ = try store.require("t", as: [Any].self) },
                { _ = try store.require("t", as: Any.self) },
                { _ = try store.require("t", as: [Table].self) },
            ] as [() throws -> Void] {
                let error = #expect(throws: PropertyError.self) { try read() }
                #expect(error?.reason == .limit)
                #expect(error?.description.hasPrefix("t.json:1:9: 't[0]' is a table of 1 key; ") == true)
                #expect(error?.description.hasSuffix(expected) == true)
            }
            #expect(throws: ConfigurationErrors.self) { try store.bind([[String: Table]].self, at: "t") }
        }
    }

    @Test("A raw value of many combining characters is rejected without comparing it with the cases")
    func rawValues() throws {
        try expectFast { text in
            let store = try PropertyStore(Literal(["t": .string(text), "level": "débug"]))
            #expect(store.property("t") as Level? == nil)
            #expect(store.property("level") == Level.debug)
        }
    }
}

private enum Level: String {
    case error, info, warning, trace, notice
    case debug = "débug"
}

private struct Table: Decodable {
    let x: Int?
}

/// An untyped source with one value.
private struct Untyped: PropertyLoader {
    let text: String
    var name = "t"

    func load() -> PropertyLayer {
        PropertyLayer(PropertyTable([(name, .text(text))]), source: PropertySource(name: "untyped"))
    }
}
