import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Text from input is compared by bytes")
struct ByteNameTests {
    /// Text that Swift compares and hashes slowly, because it sorts long runs of combining characters. A comparison
    /// takes 2 s for 150 KB and 14 s for 400 KB.
    private static let hostile =
        "e" + String(repeating: "\u{F72}", count: 66_000) + String(repeating: "\u{F71}", count: 66_000)
    /// As many bytes, which Swift compares and hashes fast.
    private static let harmless = String(repeating: "e", count: hostile.utf8.count)

    /// Expects that an operation takes about as long with the hostile text as with the harmless one. The limit leaves
    /// room for the noise of a busy machine, but not for one slow comparison.
    private func expectFast(_ body: (_ text: String) throws -> Void) rethrows {
        let usual = try ThreadTime.measure { try body(Self.harmless) }
        let time = try ThreadTime.measure { try body(Self.hostile) }
        #expect(time < usual * 2 + .seconds(2), "\(time) instead of \(usual)")
    }

    @Test("A value of many combining characters is converted or rejected in linear time")
    func values() throws {
        try expectFast { text in
            let store = PropertyStore()
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

    @Test("A key of many combining characters is found, listed and replaced in linear time")
    func keys() throws {
        try expectFast { text in
            let store = PropertyStore()
            store.limitNames(to: .max)
            try store.apply([Literal("one", [text: 1]), Literal("two", [text: 2])])
            #expect(store.property(text) == 2)
            #expect(store.explain(text).count == 2)
            #expect(store.entries.map(\.name.utf8.count) == [text.utf8.count])
            #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
            #expect(throws: PropertyError.self) { try store.require(text + "x", as: Int.self) }
            #expect(try store.json() != nil)
        }
    }

    @Test("A placeholder of many combining characters is looked up in linear time")
    func placeholders() throws {
        expectFast { text in
            for reference in [text, "\(text):x", "env:\(text)"] {
                let loader = Literal(["p": .string("${\(reference)}")]).replacingPlaceholders()
                loadError { try PropertyStore().apply(loader) }
            }
        }
    }

    @Test("A loose name of many combining characters is matched in linear time")
    func looseNames() throws {
        try expectFast { text in
            let store = PropertyStore()
            store.limitNames(to: .max)
            try store.apply(Literal("one", [text: 1]))
            try store.apply(Untyped(text: "1", name: text.uppercased(), spelling: .loose))
            #expect(store.property(text) == 1)
        }
    }

    @Test("An argument of many combining characters is read in linear time")
    func arguments() throws {
        try expectFast { text in
            let words = ["--\(text)=1", "--set", "\(text)x=2", "--flag", text, text]
            let loader = CommandLinePropertyLoader(arguments: words, flags: ["debug"], passthrough: ["help"])
            #expect(loader.remaining.count == 1)
            let store = PropertyStore()
            store.limitNames(to: .max)
            try store.apply(loader)
            #expect(store.entries.count == 3)
        }
    }

    @Test("A key that is too long for a Swift dictionary is an error with a place, and takes linear time")
    func dictionaries() throws {
        let expected =
            "expected keys of at most 4,096 bytes. Shorten the key, or raise the limit with limitDictionaryKeys(to:)."
        try expectFast { text in
            let store = PropertyStore()
            try store.apply(JsonPropertyLoader(string: #"{"t": [{"\#(text)": {"x": 1}}]}"#, name: "t.json"))
            for read in [
                { _ = try store.require("t", as: [[String: [String: Int]]].self) },
                { _ = try store.require("t", as: [Any].self) },
                { _ = try store.require("t", as: Any.self) },
                { _ = try store.require("t", as: [Table].self) },
                { _ = try store.dictionary },
            ] as [() throws -> Void] {
                let error = #expect(throws: PropertyError.self) { try read() }
                #expect(error?.reason == .limit)
                #expect(error?.description.hasPrefix("t.json:1:9: 't[0]' is a table of 1 key; ") == true)
                #expect(error?.description.hasSuffix(expected) == true)
            }
            #expect(throws: ConfigurationErrors.self) { try store.bind([[String: Table]].self, at: "t") }
        }
    }

    @Test("The limit for the keys of dictionaries is inherited and can be set")
    func limit() throws {
        let store = try PropertyStore(Literal(["t": ["abcdef": 1], "abcdefg": 2]))
        let child = PropertyStore(parent: store)
        #expect(try child.dictionary.count == 2)
        store.limitDictionaryKeys(to: 5)
        #expect(throws: PropertyError.self) { try child.dictionary }
        #expect(store.property("t") as [String: Int]? == nil)
        #expect(store.property("t.abcdef") == 1)
        child.limitDictionaryKeys(to: 6)
        #expect(child.property("t") == ["abcdef": 1])
        #expect(throws: PropertyError.self) { try child.dictionary }
        try child.apply(Literal("child", ["x": 1]))
        #expect(child.property("t") == ["abcdef": 1])
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
    var spelling = NameSpelling.exact

    func load() -> PropertyLayer {
        PropertyLayer(PropertyTable([(name, .text(text))]), source: PropertySource(name: "untyped"), spelling: spelling)
    }
}
