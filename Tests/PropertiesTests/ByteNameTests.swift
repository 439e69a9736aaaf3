import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Text from input is compared by bytes")
struct ByteNameTests {
    /// Text that Swift compares and hashes by normal form, which sorts its combining characters: 2 seconds for 150 KB and
    /// 14 for 400 KB.
    private static let hostile =
        "e" + String(repeating: "\u{F72}", count: 66_000) + String(repeating: "\u{F71}", count: 66_000)
    private let text = Self.hostile

    private func expectFast(_ body: () throws -> Void) rethrows {
        let time = try ThreadTime.measure(body)
        #expect(time < .seconds(5), "\(time)")
    }

    @Test("A value of many combining characters is converted, or refused, in linear time")
    func values() throws {
        let store = PropertyStore()
        try store.apply(Untyped(text: text))
        expectFast {
            #expect((store.property("t") as String?)?.utf8.count == text.utf8.count)
            #expect(store.property("t") as Bool? == nil)
            #expect(store.property("t") as Int? == nil)
            #expect(store.property("t") as Double? == nil)
            #expect(store.property("t") as Duration? == nil)
            #expect(store.property("t") as PropertyDateTime? == nil)
            #expect(throws: PropertyError.self) { try store.require("t", as: Duration.self) }
            #expect(store.description.utf8.count < 300)
        }
    }

    @Test("A key of many combining characters is found, listed and replaced in linear time")
    func keys() throws {
        try expectFast {
            let store = try PropertyStore(Literal("one", [text: 1]), Literal("two", [text: 2]))
            #expect(store.property(text) == 2)
            #expect(store.explain(text).count == 2)
            #expect(store.entries.map(\.name.utf8.count) == [text.utf8.count])
            #expect(throws: PropertyErrors.self) { try store.verify(unknownKeys: .refused) }
            #expect(throws: PropertyError.self) { try store.require(text + "x", as: Int.self) }
            #expect(store.json() != nil)
        }
    }

    @Test("A placeholder of many combining characters is looked up in linear time")
    func placeholders() throws {
        expectFast {
            for reference in [text, "\(text):x", "env:\(text)"] {
                let loader = Literal(["p": .string("${\(reference)}")]).replacingPlaceholders()
                #expect(throws: PropertyLoadError.self) { try PropertyStore().apply(loader) }
            }
        }
    }

    @Test("A loosely spelled name of many combining characters is spelled in linear time")
    func looseNames() throws {
        try expectFast {
            let store = try PropertyStore(Literal("one", [text: 1]))
            try store.apply(Untyped(text: "1", name: text.uppercased(), spelling: .loose))
            #expect(store.property(text) == 1)
        }
    }

    @Test("An argument of many combining characters is read in linear time")
    func arguments() throws {
        try expectFast {
            let words = ["--\(text)=1", "--set", "\(text)x=2", "--flag", text, text]
            let loader = CommandLinePropertyLoader(arguments: words, flags: ["debug"], leaving: ["help"])
            #expect(loader.remaining.count == 1)
            let store = PropertyStore()
            try store.apply(loader)
            #expect(store.entries.count == 3)
        }
    }
}

/// A source without types, which has one value.
private struct Untyped: PropertyLoader {
    let text: String
    var name = "t"
    var spelling = NameSpelling.exact

    func load() -> PropertyLayer {
        PropertyLayer(PropertyTable([(name, .text(text))]), source: PropertySource(name: "untyped"), spelling: spelling)
    }
}
