import Properties
import PropertyLoadersEssentials
import Testing

private let canary = "CANARY"

/// A table with a secret, a limit and a setting that needs a restart.
private struct Certificate: Settings, Equatable {
    @Setting(isSecret: true) var key: String
    @Setting(in: 1...9) var level = 3
    @Setting(needsRestart: true) var port = 8443
}

/// Every form that a settings type can have inside another.
private struct Forms: Settings, Equatable {
    var plain = Certificate { $0.key = "default" }
    var optional: Certificate?
    @Setting("Described") var described: Certificate?
    var list: [Certificate] = []
    @Setting("Described") var describedList: [Certificate] = []
    var optionalList: [Certificate]?
    var lists: [[Certificate]] = []
    var table: [String: Certificate] = [:]
    @Setting("Described") var describedTable: [String: Certificate] = [:]
    var deep: [String: [Certificate]?]?
    var nested = Nested()

    struct Nested: Settings, Equatable {
        var inner: Certificate?
        @Setting("Described") var tables: [String: [String: Certificate]] = [:]
    }

    /// The path of a certificate in each form, and how a document contains one there.
    static let places: [(path: String, document: @Sendable (PropertyValue) -> (String, PropertyValue))] = [
        ("f.plain", { ("f.plain", $0) }), ("f.optional", { ("f.optional", $0) }),
        ("f.described", { ("f.described", $0) }), ("f.list[0]", { ("f.list", [$0]) }),
        ("f.describedList[0]", { ("f.describedList", [$0]) }), ("f.optionalList[0]", { ("f.optionalList", [$0]) }),
        ("f.lists[0][0]", { ("f.lists", [[$0]]) }), ("f.table.m", { ("f.table", ["m": $0]) }),
        ("f.describedTable.m", { ("f.describedTable", ["m": $0]) }), ("f.deep.m[0]", { ("f.deep", ["m": [$0]]) }),
        ("f.nested.inner", { ("f.nested.inner", $0) }),
        ("f.nested.tables.a.b", { ("f.nested.tables", ["a": ["b": $0]]) }),
    ]
}

@Suite("What a settings type declares holds wherever it stands")
struct SettingsFormTests {
    private func store(_ number: Int, _ certificate: PropertyValue) throws -> PropertyStore {
        let store = PropertyStore()
        store.declare(Forms.self, at: "f")
        store.acceptUncheckedChanges()
        let (name, value) = Forms.places[number].document(certificate)
        var layer = Literal("c", [:])
        layer.table = PropertyTable([(name, value)])
        try store.apply(layer)
        return store
    }

    private func dumped(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        return text
    }

    @Test("Its values are read", arguments: Forms.places.indices)
    func values(number: Int) throws {
        let forms = try store(number, ["key": "k", "level": 4]).settings(Forms.self)
        let found: [Certificate?] = [
            forms.plain, forms.optional, forms.described, forms.list.first, forms.describedList.first,
            forms.optionalList?.first, forms.lists.first?.first, forms.table["m"], forms.describedTable["m"],
            forms.deep?["m"]??.first, forms.nested.inner, forms.nested.tables["a"]?["b"],
        ]
        #expect(found.count == Forms.places.count)
        #expect(found[number] == Certificate { ($0.key, $0.level) = ("k", 4) })
    }

    @Test("Its secrets are masked in every text, and so are misspelt keys beside them", arguments: Forms.places.indices)
    func secrets(number: Int) throws {
        let certificates: [PropertyValue] = [
            ["key": .string(canary), "level": 40], ["key": "k", "level": 40, "kye": .string(canary)],
        ]
        for certificate in certificates {
            let store = try store(number, certificate)
            let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
            let read = #expect(throws: ConfigurationErrors.self) { try store.settings(Forms.self) }
            var texts = [dumped(store), try store.json() ?? "", store.values.json, store.status.json]
            let values: [Any] = [
                store.entries, store.values, store.history(of: "f"), store.warnings, errors as Any, read as Any,
            ]
            texts += values.map(dumped)
            for name in store.entries.map(\.name) + ["f"] {
                texts.append(dumped(try store.require(name, as: PropertyNode.self)))
                texts.append(dumped(store.history(of: name)))
            }
            for text in texts { #expect(!text.contains(canary), "\(Forms.places[number].path): \(text)") }
            #expect(errors?.description.contains("level' is the integer 40") == true, "\(String(describing: errors))")
        }
    }

    @Test("A misspelt key is a mistake", arguments: Forms.places.indices)
    func unknown(number: Int) throws {
        let store = try store(number, ["key": "k", "levle": 4])
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
        #expect(
            errors?.found.map(\.name) == ["\(Forms.places[number].path).levle"], "\(String(describing: errors))")
        #expect(errors?.description.contains("Did you mean") == true, "\(String(describing: errors))")
    }

    @Test("A missing key is a mistake", arguments: Forms.places.indices.dropFirst())
    func missing(number: Int) throws {
        let store = try store(number, ["level": 4])
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
        #expect(errors?.found.map(\.name) == ["\(Forms.places[number].path).key"], "\(String(describing: errors))")
    }

    @Test(
        "A setting that needs a restart keeps the outermost value that may be absent", arguments: Forms.places.indices)
    func restart(number: Int) throws {
        let store = PropertyStore(), (name, value) = Forms.places[number].document(["key": "k", "port": 1])
        let file = Changing("a")
        file.set(PropertyTable([(name, value)]))
        store.declare(Forms.self, at: "f")
        try store.start([file])
        let old = try store.settings(Forms.self)
        let (_, new) = Forms.places[number].document(["key": "k", "port": 2])
        file.set(PropertyTable([(name, new)]))
        let pending = try store.reload()
        #expect(pending.map(\.name) == [number == 0 ? "f.plain.port" : name])
        #expect(try store.settings(Forms.self) == old)
    }

    @Test("A table that appears stays absent until a restart if something in it needs one")
    func appears() throws {
        let store = PropertyStore(), file = Changing("a", [:])
        store.declare(Forms.self, at: "f")
        try store.start([file])
        file.set(["f.optional": ["key": "k"]])
        #expect(try store.reload().map(\.name) == ["f.optional"])
        #expect(try store.settings(Forms.self).optional == nil)
    }

    @Test("A dotted key at another place does not change where a variable leads inside a dictionary")
    func dottedElsewhere() throws {
        let store = PropertyStore()
        store.declare(Sized.self, at: "srv")
        try store.start(
            [
                JsonPropertyLoader(string: #"{"size": {"range.min": 1}}"#, name: "c.json"),
                EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_SRV__POOLS__MAIN__SIZE__RANGE__MIN": "3"]),
            ], unknownKeys: .ignored)
        #expect(try store.settings(Sized.self).pools["main"]?.size.range.min == 3)
    }

    @Test("A variable and an argument reach every setting that has a name")
    func spelling() throws {
        let store = PropertyStore()
        store.declare(Spelled.self, at: "srv")
        try store.start(
            [
                EnvironmentPropertyLoader(
                    prefix: "APP",
                    environment: [
                        "APP_SRV__TLS__PRIVATE_KEY": "k", "APP_SRV__POOLS__MAIN_DB__MAX_SIZE": "7",
                        "APP_SRV__POOLS__MAIN_DB__TLS__PRIVATE_KEY": "p", "APP_SRV__LABELS__TEAM": "x",
                    ]),
                CommandLinePropertyLoader(arguments: ["--srv.pools.other.max-size", "8"]),
            ], unknownKeys: .refused)
        let settings = try store.settings(Spelled.self)
        #expect(settings.tls?.privateKey == "k")
        #expect(settings.pools["main_db"]?.maxSize == 7)
        #expect(settings.pools["main_db"]?.tls?.privateKey == "p")
        #expect(settings.pools["other"]?.maxSize == 8)
        #expect(settings.labels == ["team": "x"])
    }

    @Test("A list whose elements have names of their own is refused, with the name to write")
    func numbered() throws {
        let store = PropertyStore()
        store.declare(Spelled.self, at: "srv")
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_SRV__TAGS__0": "a"]))
        }
        #expect(
            errors?.found.first?.description
                == "environment APP_SRV__TAGS__0: 'srv.tags' is a table of 1 key; expected an array. "
                + "Write APP_SRV__TAGS=a,b, or JSON such as [\"a\", \"b\"].")
    }

    @Test("The default of a table is that of its place")
    func defaultsOfThePlace() throws {
        struct Inner: Settings {
            var tls = Certificate {
                $0.port = 99
                $0.key = "k"
            }
        }
        struct Outer: Settings {
            var inner = Inner { $0.tls.level = 5 }
        }
        let store = try PropertyStore(Outer.self)
        let tls = try store.settings(Outer.self).inner.tls
        #expect((tls.port, tls.level, tls.key) == (99, 5, "k"))
        #expect(store.values.map(\.description).contains("inner.tls.port = 99 (default)"))
        #expect(store.help().contains("(default: 99)"))
    }

    @Test("A type may contain itself in an array or a dictionary")
    func recursion() throws {
        let store = PropertyStore()
        store.declare(Tree.self, at: "tree")
        store.acceptUncheckedChanges()
        try store.apply(
            Literal(["tree": ["name": "a", "children": [["name": "b", "children": [["key": "CANARY", "nam": 1]]]]]]))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
        #expect(errors?.found.map(\.name) == ["tree.children[0].children[0].nam"])
        let tree = try store.settings(Tree.self)
        #expect(tree.children[0].children[0].key == "CANARY")
        #expect(!dumped(store).contains("CANARY"))
        // Inside itself, the type is any table.
        #expect(store.jsonSchema().ranges(of: "\"children\": {").count == 3)
        #expect(store.help().contains("--tree-children"))
    }

    @Test("A settings type inside another Decodable type is refused, with what to do")
    func plainDecodable() throws {
        struct Plain: Decodable, Sendable { var tls: Certificate }
        struct Holder: Settings { @Setting var plain: Plain? }
        let store = try PropertyStore(Holder.self, Literal(["plain": ["tls": ["key": "k"]]]))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.settings(Holder.self) }
        #expect(
            errors?.lines
                == "literal: 'plain.tls' is a table of 1 key; expected a value that is not of the settings type "
                + "Certificate, since Plain is not one. Make Plain a settings type.")
    }

    @Test("Several declarations of one place add up")
    func overlaps() throws {
        let store = PropertyStore()
        store.declare(Spelled.self, at: "srv")
        store.declare(
            TypedKey<Int>("srv.pools.main.extra", isSecret: true), TypedKey<Int>("srv.tls.extra", default: 1))
        store.acceptUncheckedChanges()
        try store.apply(
            Literal([
                "srv": ["pools": ["main": ["extra": 4711, "maxSize": 1]], "tls": ["extra": 2, "privateKey": "k"]]
            ]))
        try store.verify(unknownKeys: .refused)
        #expect(!dumped(store).contains("4711"))
    }

    @Test(
        "A table in place of an array of tables with secrets is masked, and an array in place of a table",
        arguments: [
            ("f.list", ["q": .string(canary)]), ("f.optional", [["key": .string(canary)]]),
            ("f.deep.m", ["q": ["key": .string(canary)]]), ("f.lists", [["key": .string(canary)]]),
        ] as [(String, PropertyValue)])
    func otherForm(name: String, value: PropertyValue) throws {
        let store = PropertyStore()
        store.declare(Forms.self, at: "f")
        store.acceptUncheckedChanges()
        var layer = Literal("c", [:])
        layer.table = PropertyTable([(name, value)])
        try store.apply(layer)
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
        for text in [dumped(store), try store.json() ?? "", store.values.json, dumped(errors as Any)] {
            #expect(!text.contains(canary), "\(text)")
        }
    }

    @Test(
        "A value in place of the table around a secret key is masked",
        arguments: [[["token": .string(canary)]], .string("{token = \(canary)}")] as [PropertyValue])
    func aroundKey(value: PropertyValue) throws {
        let store = PropertyStore()
        store.declare(TypedKey<String>("api.token", default: "", isSecret: true))
        store.acceptUncheckedChanges()
        try store.apply(Literal("c", ["api": value]))
        for text in [dumped(store), try store.json() ?? "", store.values.json] {
            #expect(!text.contains(canary), "\(text)")
        }
    }

    @Test("In a value in place of a table, no setting is missing, but in one that a later source has again")
    func missingInMistake() throws {
        struct Inner: Settings { var certificate = Certificate() }
        struct Outer: Settings {
            var bare = Inner()
            var list: [Inner] = []
        }
        let store = try PropertyStore(Outer.self, Literal("a", ["bare": 5, "list": [["certificate": 5], 5]]))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        #expect(errors?.found.map(\.name) == ["bare", "list[0].certificate", "list[1]"])
        let again = try PropertyStore(Outer.self, Literal("a", ["bare": 5]), Literal("b", ["bare": [:]]))
        let both = #expect(throws: ConfigurationErrors.self) { try again.verify() }
        #expect(both?.found.map(\.name) == ["bare", "bare.certificate.key"])
    }

    @Test("A value that equals the default of its place is not kept until a restart")
    func sameAsDefault() throws {
        let store = PropertyStore(), file = Changing("a", [:])
        store.declare(Forms.self, at: "f")
        file.set(["f.plain.key": "k"])
        try store.start([file])
        file.set(["f": ["plain": ["key": "k"], "list": [], "table": [:], "optional": nil]])
        #expect(try store.reload().isEmpty)
        struct Plain: Settings { @Setting(needsRestart: true) var port = 1 }
        struct Bare: Settings { var list: [Plain] = [] }
        let other = PropertyStore(), bare = Changing("b", [:])
        other.declare(Bare.self)
        try other.start([bare])
        bare.set(["list": []])
        #expect(try other.reload().isEmpty)
        bare.set(["list": [[:]]])
        #expect(try other.reload().map(\.name) == ["list"])
    }

    @Test("A UUID, a set, a range and a local date are settings, with nouns that are right")
    func otherTypes() throws {
        struct Other: Settings {
            @Setting var names: Set<String> = []
            @Setting var range: ClosedRange<Int>?
            @Setting var day: PropertyDateTime?
        }
        let store = try PropertyStore(
            Other.self, Literal(["names": ["a", "b"], "range": [1, 2], "day": "2026-11-24"]))
        let settings = try store.settings(Other.self)
        #expect((settings.names, settings.range, settings.day?.description) == (["a", "b"], 1...2, "2026-11-24"))
        try store.apply(Literal("d", ["x": 1]))
        let other = try PropertyStore(Other.self, Literal(["names": 1, "range": 1]))
        let errors = #expect(throws: ConfigurationErrors.self) { try other.verify() }
        #expect(errors?.found.map(\.expected) == ["an array", "an array for ClosedRange<Int>"])
    }

    @Test("A typed key of an optional may have the default nil")
    func optionalKeys() throws {
        let store = PropertyStore(), key = TypedKey<Int?>("x", default: nil)
        store.declare(key)
        try store.verify()
        #expect(try store.require(key) == nil)
        try store.apply(Literal(["x": 1]))
        #expect(try store.require(key) == 1)
    }
}

private struct Sized: Settings {
    struct Range: Settings { @Setting var min = 1 }
    struct Size: Settings { var range = Range() }
    struct Pool: Settings { var size = Size() }
    var pools: [String: Pool] = [:]
}

private struct Spelled: Settings {
    struct TLS: Settings { @Setting(isSecret: true) var privateKey: String }
    struct Pool: Settings {
        @Setting(in: 1...9) var maxSize = 1
        var tls: TLS?
    }
    @Setting("Encryption") var tls: TLS?
    @Setting("By name") var pools: [String: Pool] = [:]
    @Setting var labels: [String: String] = [:]
    @Setting var tags: [String] = []
}

private struct Tree: Settings {
    @Setting var name = "?"
    @Setting(isSecret: true) var key: String?
    var children: [Tree] = []
    var named: [String: Tree] = [:]
}
