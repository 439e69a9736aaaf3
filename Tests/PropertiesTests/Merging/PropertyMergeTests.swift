import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Merging: all sources form one tree, and the last applied source wins")
struct PropertyMergeTests {
    /// Sources that are applied in order, and the properties after that.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sources: [Literal]
        let listing: [String]

        init(_ name: String, _ sources: Literal..., listing: [String]) {
            (testDescription, self.sources, self.listing) = (name, sources, listing)
        }
    }

    static let rows = [
        Row(
            "The deep rule merges tables leaf by leaf", Literal("a", ["api": ["timeout": 30, "url": "x"]]),
            Literal("b", ["api": ["timeout": 5]]), listing: ["api.timeout=5", "api.url=\"x\""]),
        Row(
            "The first-level rule replaces a first-level value with all its contents",
            Literal("a", ["api": ["timeout": 30, "url": "x"], "other": 1]),
            Literal("b", merge: .firstLevel, ["api": ["timeout": 5]]), listing: ["api.timeout=5", "other=1"]),
        Row(
            "If a replaced table is set again, its old contents do not come back",
            Literal("a", ["t": ["x": 1, "in": ["y": 2]]]), Literal("b", ["t": 5]), Literal("c", ["t": ["z": 3]]),
            listing: ["t.z=3"]),
        Row(
            "Arrays are replaced whole, never merged", Literal("a", ["items": ["a", "b"]]),
            Literal("b", ["items": ["c"]]), listing: ["items=[\"c\"]"]),
        Row(
            "A plain value replaces a table, and a table replaces a plain value",
            Literal("a", ["t": ["x": 1], "s": 1]), Literal("b", ["t": 2, "s": ["y": 2]]), listing: ["s.y=2", "t=2"]),
        Row(
            "A null masks the earlier value, and a later value unmasks it", Literal("a", ["x": 1, "y": 1]),
            Literal("b", ["x": nil, "y": nil]), Literal("c", ["x": 2]), listing: ["x=2", "y=null"]),
        Row(
            "A key with dots and its table in one source are one table", Literal("a", ["api": ["old": 1]]),
            Literal(
                "b", merge: .firstLevel, ["api.limits": ["rate": 1], "api": ["timeout": 2, "limits": ["size": 3]]]),
            listing: ["api.limits.rate=1", "api.limits.size=3", "api.timeout=2"]),
        Row(
            "An empty table changes nothing under the deep rule, and replaces a table under the other one",
            Literal("a", ["t": [:], "u": ["y": 1], "v": ["z": 1]]), Literal("b", ["t": ["x": 2], "u": [:]]),
            Literal("c", merge: .firstLevel, ["v": [:]]), listing: ["t.x=2", "u.y=1", "v={}"]),
        Row(
            "The last of two equal keys in a table wins", Literal("a", ["a": ["x": 1], "b": 1, "a": ["y": 2]]),
            listing: ["a.y=2", "b=1"]),
        Row(
            "An empty table is a value, and so is an empty key", Literal("a", ["t": [:], "": 1, "u": ["": 2]]),
            listing: ["=1", "t={}", "u.=2"]),
    ]

    @Test("The properties after several sources", arguments: rows)
    func merged(row: Row) throws {
        let store = PropertyStore()
        try store.apply(row.sources)
        #expect(store.listing == row.listing)
        #expect(Self.rows.count == 10)
    }

    @Test("Names are case-sensitive and compare byte by byte")
    func bytes() throws {
        let composed = "caf\u{E9}", decomposed = "cafe\u{301}"
        let store = try PropertyStore(Literal(["Api": 1, "api": 2]))
        try store.apply(Literal("b", [composed: 1, decomposed: 2]))
        #expect(store.property("Api") == 1)
        #expect(store.property("api") == 2)
        #expect(store.property("API") as Int? == nil)
        #expect(store.property(composed) == 1)
        #expect(store.property(decomposed) == 2)
    }

    @Test("A key of the first level with dots is merged along its path under both rules", arguments: MergeRule.all)
    func dottedKeys(rule: MergeRule) throws {
        let store = try PropertyStore(
            Literal("a", ["api": ["timeout": 30, "retries": 3, "limits": ["rate": 1, "size": 2]]]),
            Literal("b", merge: rule, ["api.timeout": 1, "api.new": 3, "api.limits": ["rate": 5]]))
        #expect(store.property("api.timeout") == 1)
        #expect(store.property("api.retries") == 3)
        #expect(store.property("api.new") == 3)
        #expect(store.property("api.limits.rate") == 5)
        #expect(store.property("api.limits.size") == (rule == .deep ? 2 : nil))
    }

    @Test("Two paths with the same flat name are an error that shows both, in one source and across sources")
    func collision() throws {
        let dotted = Literal("dotted", ["t": ["a.b": 1]]), nested = Literal("nested", ["t": ["a": ["b": 2]]])
        for (one, other) in [(dotted, nested), (nested, dotted)] {
            let store = try PropertyStore(one)
            let error = loadError { try store.apply(other) }
            #expect(
                error?.description == """
                    nested: two keys have the flat name 't.a.b' (the other is at dotted). Write the name in one way only.
                    """)
            #expect(store.listing.count == 1)
        }
        loadError {
            try PropertyStore(Literal("both", ["t": ["a.b": 1, "a": ["b": 2]]]))
        }
    }

    @Test("A flat name takes the path of the existing name, or of its longest existing part", arguments: [false, true])
    func flatNames(isFirst: Bool) throws {
        let file = JsonPropertyLoader(
            string: #"{"hosts": {"db.internal": 1, "web.internal": {"port": 80}}}"#, name: "hosts.json"
        ).merge(.deep)
        let arguments = CommandLinePropertyLoader(arguments: [
            "--hosts.db.internal=2", "--hosts.web.internal.user=x", "--hosts.new.name=3",
        ])
        let store = PropertyStore()
        try store.apply(isFirst ? [arguments, file] : [file, arguments])
        #expect(store.property("hosts.db.internal") == (isFirst ? 1 : 2))
        #expect(store.property("hosts.web.internal.user") == "x")
        #expect(store.property("hosts.web.internal.port") == 80)
        #expect(store.property("hosts.new.name") == 3)
        let table: [String: Any] = try store.require("hosts")
        #expect(Set(table.keys) == ["db.internal", "web.internal", "new"])
    }

    @Test("A source that is applied again replaces its layer and becomes the last one, and the history does not grow")
    func again() throws {
        let store = try PropertyStore(Literal("a", ["x": 1, "gone": 1]), Literal("b", ["x": 2]))
        for _ in 0..<3 { try store.apply(Literal("a", ["x": 3])) }
        #expect(store.listing == ["x=3"])
        #expect(store.history(of: "x").map(\.valueText) == ["3", "2"])
    }
}

extension MergeRule {
    static let all: [MergeRule] = [.firstLevel, .deep]
}

@Suite("Inheritance: a child reads as if its sources had been applied after its parent's")
struct InheritanceTests {
    @Test("A child sees its parent's properties, overrides them with its own, and sees later changes of both")
    func layered() throws {
        let parent = try PropertyStore(Literal("a", ["api": ["timeout": 1, "url": "x"]]))
        let child = PropertyStore(parent: parent)
        #expect(child.property("api.timeout") == 1)
        try child.apply(Literal("b", ["api": ["timeout": 2]]))
        #expect(child.listing == ["api.timeout=2", "api.url=\"x\""])
        #expect(parent.listing == ["api.timeout=1", "api.url=\"x\""])
        try parent.apply(Literal("c", ["api": ["url": "y", "timeout": 3]]))
        #expect(child.listing == ["api.timeout=2", "api.url=\"y\""])
        try child.apply(Literal("b", [:]))
        #expect(child.listing == ["api.timeout=3", "api.url=\"y\""])
    }
}
