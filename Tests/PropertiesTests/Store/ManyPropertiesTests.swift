import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Many properties, problems and levels")
struct ManyPropertiesTests {
    @Test("The history of a name has the value from each layer that sets it, whatever else the layers contain")
    func history() throws {
        let store = try PropertyStore(
            Literal("1", ["a": ["b": 1, "other": 1], "x": 1]), Literal("2", ["a.b": 2]),
            Literal("3", ["a": ["b": ["c": 3], "b.c.d": 0], "y": 1]), Literal("4", merge: .firstLevel, ["a": ["z": 4]]),
            Literal("5", ["a": ["b": nil]]), Literal("6", ["a": ["b": 6, "ab": 0], "ab": 1]),
            Literal("7", ["a": ["z": 7]]))
        let history = store.explain("a.b").map(\.description)
        #expect(
            history == [
                "a.b = 6 (6)", "a.b = null (5)", "a.b = {1 key} (3)", "a.b = 2 (2)", "a.b = 1 (1)",
            ])
        #expect(store.explain("a.b.c").map(\.description) == ["a = {1 key} (4)", "a.b.c = 3 (3)"])
        #expect(store.explain("a.z").map(\.description) == ["a.z = 7 (7)", "a.z = 4 (4)"])
    }

    @Test("The depth limit is the same for secret and other tables", arguments: [false, true])
    func secretDepth(isSecret: Bool) throws {
        struct Deep: PropertyLoader {
            let levels: Int
            let isSecret: Bool
            func load() -> PropertyLayer {
                let value = (0..<levels).reduce(1 as PropertyValue) { value, level in
                    level.isMultiple(of: 2) ? .array([PropertyNode(value)]) : .table(PropertyTable([("k", value)]))
                }
                return PropertyLayer(PropertyTable([("r", value)]), isSecret: isSecret)
            }
        }
        for levels in [1_024, 1_025, 10_000] {
            let error = loadError {
                try PropertyStore().apply(Deep(levels: levels, isSecret: isSecret))
            }
            #expect(error?.reason == .limit)
        }
        try PropertyStore().apply(Deep(levels: 1_022, isSecret: isSecret))
        let store = PropertyStore()
        try store.apply(Deep(levels: 1_023, isSecret: isSecret))
        #expect(store.entries.count == 1)
        #expect(try store.json() != nil)
    }

    @Test("Every loader rejects a name of ten thousand levels")
    func levels() {
        let levels = 10_000
        let variable = "APP_" + String(repeating: "A__", count: levels) + "B"
        let dotted = String(repeating: "a.", count: levels) + "b=1"
        let loaders: [any PropertyLoader] = [
            EnvironmentPropertyLoader(prefix: "APP", environment: [variable: "1"]),
            CommandLinePropertyLoader(arguments: ["--" + dotted]),
            DotEnvPropertyLoader(string: "\(variable.dropFirst(4))=1", name: ".env"),
        ]
        for loader in loaders {
            let error = loadError { try loader.load() }
            #expect(error?.reason == .limit, "\(type(of: loader))")
            #expect(error?.problem == "the name has more than 128 levels")
            #expect(error?.remedy == "Use fewer dots or double underscores in it")
        }
    }
}
