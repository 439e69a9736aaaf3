import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Text of the environment that a placeholder inserts is shown in no error, like that text itself")
struct UntypedPlaceholderTests {
    private static let password = "hush"
    private static let rules = PropertyPlaceholders(lookups: ["env": { _ in .init(password) }])

    private static let sources: [(name: String, loader: any PropertyLoader)] = [
        ("environment", EnvironmentPropertyLoader(prefix: "P", environment: ["P_SECRET": password])),
        ("arguments", CommandLinePropertyLoader(arguments: ["--secret=\(password)"])),
        (".env", DotEnvPropertyLoader(string: "SECRET=\(password)", name: ".env")),
        ("lookup", Literal("nothing", [:])),
    ]

    @Test("A text with a part of an untyped source stays a string, and no error shows it", arguments: sources.indices)
    func inserted(index: Int) throws {
        let name = index == 3 ? "env:SECRET" : "secret"
        let file = TomlPropertyLoader(
            string: """
                url = "postgres://app:${\(name)}@db host/shop"
                copy = "${url}"
                longer = "<${copy}>"
                list = ["x${\(name)}"]
                fallback = "${none:-a${\(name)}}"
                """, name: "app.toml"
        ).replacingPlaceholders(Self.rules)
        let store = PropertyStore()
        try store.apply([Self.sources[index].loader, file])
        #expect(store.property("url") == "postgres://app:hush@db host/shop")
        #expect(store.entriesText.contains("hush"))
        for key in ["url", "copy", "longer", "list", "fallback"] {
            var texts: [String] = []
            do { _ = try store.require(key, as: Int.self) } catch { texts.append("\(error)") }
            do { _ = try store.require(key, as: Duration.self) } catch { texts.append("\(error)") }
            do { _ = try store.require(key, as: [Int].self) } catch { texts.append("\(error)") }
            let refusing = TypedKey<String>(key, check: { _ in false })
            do { _ = try store.require(refusing) } catch { texts.append("\(error)") }
            let over = PropertyStore(parent: store)
            try over.apply(Literal("over", [key: true]))
            do { _ = try over.require(key, as: Int.self) } catch { texts.append("\(error)") }
            #expect(texts.count == 5)
            for text in texts { #expect(!text.contains("hush"), "\(text)") }
        }
        let error = #expect(throws: PropertyError.self) { _ = try store.require("url", as: Int.self) }
        #expect(error?.description.contains("a text that may be secret") == true)
    }

    @Test("The text of a declared key that is not secret is shown, but none that a placeholder inserts")
    func declared() throws {
        let store = PropertyStore()
        store.replacePlaceholders()
        store.declare(
            TypedKey<Int>("a", in: 1...), TypedKey<Int>("b"), TypedKey<Int>("c", isSecret: true))
        try store.apply(Literal("low", ["a": .text("7"), "b": 1]))
        let file = TomlPropertyLoader(string: "b = \"x${e}\"", name: "file")
        let variables = ["P_A": "0", "P_C": "hush", "P_E": "hush"]
        store.acceptUncheckedChanges()
        try store.apply([file, EnvironmentPropertyLoader(prefix: "P", environment: variables)])
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .ignored) }
        #expect(
            errors?.lines == """
                environment P_A: 'a' is the text "0"; expected an integer of at least 1 (it overrides "7" at low). \
                Change the value.
                environment P_C: 'c' is a text that is secret; expected an integer. Write decimal digits.
                file:1:5: 'b' is a text that may be secret; expected an integer (it overrides 1 at low). Change \
                the value.
                """)
        let other = #expect(throws: PropertyError.self) { try store.require("e", as: Int.self) }
        #expect(other?.description.contains("hush") == false)
    }

    @Test("A text with a default of its own file is shown")
    func ownDefault() throws {
        let store = PropertyStore()
        try store.apply(
            TomlPropertyLoader(string: "url = \"http://${host:-local host}/\"", name: "a.toml").replacingPlaceholders())
        let error = #expect(throws: PropertyError.self) { _ = try store.require("url", as: Int.self) }
        #expect(error?.description.contains("http://local host/") == true)
    }

    @Test(
        "An error about a placeholder in an untyped text shows no part of the text",
        arguments: [
            "pa${hush}word", "x${port:hush}", "${hush", "hush${}", "${a:-${hush}}", "${circle}hush", "${list}hush",
        ])
    func failing(text: String) throws {
        let loaders: [any PropertyLoader] = [
            EnvironmentPropertyLoader(prefix: "P", environment: ["P_DB__PASSWORD": text]),
            CommandLinePropertyLoader(arguments: ["--db.password=\(text)"]),
            DotEnvPropertyLoader(string: "DB__PASSWORD='\(text)'", name: ".env"),
        ]
        for loader in loaders {
            let store = PropertyStore()
            let others = Literal("others", ["circle": "${db.password}", "list": [1]]).replacingPlaceholders()
            let error = loadError {
                try store.apply([loader.replacingPlaceholders(), others])
            }
            #expect(error?.everything.contains("hush") == false, "\(error?.everything ?? "")")
        }
    }

    @Test("A text into which a secret is inserted keeps its own origin")
    func origins() throws {
        let rules = PropertyPlaceholders(lookups: ["vault": { .init($0, isSecret: true) }])
        let loaders: [any PropertyLoader] = (0..<20).map { number in
            let text = number == 0 ? "${vault:key}" : "${a\(number - 1)}"
            return CommandLinePropertyLoader(arguments: ["--a\(number)=\(text)"])
        }
        let store = PropertyStore()
        try store.apply(loaders.map { $0.replacingPlaceholders(rules) })
        for number in 0..<20 {
            let shown = "a\(number) = ******** (command line --a\(number))"
            #expect(store.history(of: "a\(number)").map(\.description) == [shown])
        }
    }

    @Test("An error about a circle lists at most ten names")
    func circle() throws {
        let count = 30
        var loader = Literal("circle", [:])
        loader.table = PropertyTable((0..<count).map { ("n\($0)", .string("${n\(($0 + 1) % count)}")) })
        let error = loadError {
            try PropertyStore().apply(loader.replacingPlaceholders())
        }
        #expect(error?.reason == .cycle)
        #expect(
            error?.problem == """
                the placeholders go in a circle: n0 → n1 → n2 → n3 → n4 → n5 → n6 → n7 → n8 → 21 more → n0
                """)
    }
}
