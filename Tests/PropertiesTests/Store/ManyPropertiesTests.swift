import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Many properties, problems and levels")
struct ManyPropertiesTests {

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
