import Properties
import Testing

@Suite("Merging: all sources form one tree, and the last applied source wins")
struct PropertyMergeTests {
    @Test("A table and its leaves are two views of one tree")
    func twoViews() throws {
        let store = try PropertyStore(Literal(["api": ["timeout": 30, "url": "x"]]))
        #expect(store.property("api.timeout") == 30)
        let table: [String: Any] = try store.require("api")
        #expect(table["timeout"] as? Int == 30)
        #expect(table["url"] as? String == "x")
        #expect(table.count == 2)
    }

    @Test("The deep rule merges tables leaf by leaf")
    func deep() throws {
        let store = try PropertyStore(
            Literal("a", ["api": ["timeout": 30, "url": "x"]]), Literal("b", ["api": ["timeout": 5]]))
        #expect(store.listing == ["api.timeout=5", "api.url=\"x\""])
    }

    @Test("The first-level rule replaces a first-level value with all its contents")
    func firstLevel() throws {
        let store = try PropertyStore(
            Literal("a", ["api": ["timeout": 30, "url": "x"], "other": 1]),
            Literal("b", merge: .firstLevel, ["api": ["timeout": 5]]))
        #expect(store.listing == ["api.timeout=5", "other=1"])
        #expect(store.property("api.url") as String? == nil)
    }

    @Test("If a replaced table is set again, its old contents do not come back")
    func noRevival() throws {
        let store = try PropertyStore(
            Literal("a", ["t": ["x": 1, "in": ["y": 2]]]), Literal("b", ["t": 5]), Literal("c", ["t": ["z": 3]]))
        #expect(store.listing == ["t.z=3"])
    }

    @Test("Arrays are replaced whole, never merged")
    func arrays() throws {
        let store = try PropertyStore(Literal("a", ["items": ["a", "b"]]), Literal("b", ["items": ["c"]]))
        #expect(store.property("items") == ["c"])
    }

    @Test("A scalar replaces a table and a table replaces a scalar")
    func scalarsAndTables() throws {
        let store = try PropertyStore(
            Literal("a", ["t": ["x": 1], "s": 1]), Literal("b", ["t": 2, "s": ["y": 2]]))
        #expect(store.listing == ["s.y=2", "t=2"])
        #expect(store.property("t.x") as Int? == nil)
    }

    @Test("A null masks the earlier value, and a later value unmasks it")
    func null() throws {
        let masked = try PropertyStore(Literal("a", ["x": 1]), Literal("b", ["x": nil]))
        #expect(masked.property("x") as Int? == nil)
        try masked.apply(Literal("c", ["x": 2]))
        #expect(masked.property("x") == 2)
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

    @Test("A key with a dot stays one key of its table")
    func literalDots() throws {
        let store = try PropertyStore(Literal(["test.string": 1, "hosts": ["db.internal": 2]]))
        #expect(store.property("test.string") == 1)
        #expect(store.property("test") as [String: Any]? == nil)
        #expect(store.property("hosts.db.internal") == 2)
        #expect(store.property("hosts") == ["db.internal": 2])
    }

    @Test("A later source overrides the value with the same flat name, even if its keys are split differently")
    func flatNameIsIdentity() throws {
        let store = try PropertyStore(Literal("a", ["api": ["timeout": 30, "retries": 3]]))
        try store.apply(Literal("b", ["api.timeout": 1]))
        #expect(store.property("api") == ["timeout": 1, "retries": 3])
        #expect(store.property("api.timeout") == 1)
        try store.apply(Literal("c", merge: .firstLevel, ["api.timeout": 2, "api.new": 3]))
        #expect(store.property("api") == ["timeout": 2, "retries": 3])
        #expect(store.property("api.new") == 3)
    }

    @Test("A table is left out if all its values exist under other paths already", arguments: MergeRule.all)
    func husk(rule: MergeRule) throws {
        let store = try PropertyStore(
            Literal("a", ["hosts": ["db.internal": 1], "x.y": ["z": 1]]),
            Literal("b", merge: rule, ["hosts.db": ["internal": 2], "x": ["y": ["z": 2]]]))
        #expect(store.listing == ["hosts.db.internal=2", "x.y.z=2"])
        #expect(store.property("hosts") == ["db.internal": 2])
        #expect(store.property("hosts.db") as [String: Any]? == nil)
        #expect(store.property("x") as [String: Any]? == nil)
        #expect(store.property("x.y") == ["z": 2])
    }

    @Test("A table that replaces a plain value removes it, even if the table itself is left out")
    func huskOverValue() throws {
        let store = try PropertyStore(Literal("a", ["a": 5, "a.b": 1]), Literal("b", ["a": ["b": 2]]))
        #expect(store.listing == ["a.b=2"])
        #expect(store.property("a") as PropertyNode? == nil)
        #expect(store.explain("a").map(\.description) == ["a = {1 key} (b)", "a = 5 (a)"])
    }

    @Test("An empty table is kept, and leaves an existing table unchanged under the deep rule")
    func emptyTables() throws {
        let store = try PropertyStore(
            Literal("a", ["t": [:], "t.x": 1, "u": ["y": 1], "v": ["z": 1]]),
            Literal("b", ["t": ["x": 2], "u": [:]]), Literal("c", merge: .firstLevel, ["v": [:]]))
        #expect(store.listing == ["t={}", "t.x=2", "u.y=1", "v={}"])
        #expect(store.explain("t").map(\.description) == ["t = {} (a)"])
        #expect(store.explain("u").map(\.description) == ["u = {1 key} (b)", "u = {1 key} (a)"])
    }

    @Test("The order of keys in one source does not matter", arguments: [false, true])
    func order(isReversed: Bool) throws {
        let entries: [(String, PropertyValue)] = [("a.b", ["y": 2]), ("a", 87)]
        var later = Literal("later", [:])
        later.table = PropertyTable(isReversed ? entries.reversed() : entries)
        let store = try PropertyStore(Literal("first", ["a": ["b": ["x": 1]]]), later)
        #expect(store.listing == ["a=87", "a.b.y=2"])
        #expect(store.property("a.b") == ["y": 2])
    }

    @Test("Two paths with the same flat name in one source are an error that shows both, and the store does not change")
    func collision() throws {
        let store = try PropertyStore(Literal("a", ["x": 1]))
        let error = #expect(throws: PropertyLoadError.self) {
            try store.apply(Literal("b", ["x": 2, "a.b": 1, "a": ["b": 2]]))
        }
        #expect(error?.reason == .duplicate)
        #expect(error?.notes.count == 1)
        #expect(
            error?.description
                == "b: two keys have the flat name 'a.b' (the other is at b). Write the name in one way only.")
        #expect(store.listing == ["x=1"])
    }

    @Test("The last of two equal keys in a table wins")
    func duplicates() throws {
        let store = try PropertyStore(Literal(["a": ["x": 1], "b": 1, "a": ["y": 2]]))
        #expect(store.listing == ["a.y=2", "b=1"])
    }

    @Test("An empty table is a value, and so is an empty key")
    func empties() throws {
        let store = try PropertyStore(Literal(["t": [:], "": 1, "u": ["": 2]]))
        #expect(store.listing == ["=1", "t={}", "u.=2"])
        #expect(store.property("") == 1)
        #expect(store.property("u.") == 2)
        #expect(store.property("t") == [String: Int]())
    }

    @Test("A source that is applied again replaces its layer and becomes the last one, and the history does not grow")
    func again() throws {
        let store = try PropertyStore(Literal("a", ["x": 1, "gone": 1]), Literal("b", ["x": 2]))
        for _ in 0..<3 { try store.apply(Literal("a", ["x": 3])) }
        #expect(store.listing == ["x=3"])
        #expect(store.explain("x").map(\.valueText) == ["3", "2"])
    }

    @Test("A loader that throws leaves the store as it was")
    func failing() throws {
        struct Failure: Error {}
        struct Failing: PropertyLoader {
            func load() throws -> PropertyLayer { throw Failure() }
        }
        let store = try PropertyStore(Literal(["x": 1]))
        #expect(throws: Failure.self) { try store.apply(Failing()) }
        #expect(store.listing == ["x=1"])
    }

    @Test("A custom loader can return a dictionary literal, and the name of its type names the source")
    func ownLoader() throws {
        struct BuildInfo: PropertyLoader {
            func load() -> PropertyLayer { ["build.number": 4711, "build.features": ["a", "b"], "debug": false] }
        }
        let store = PropertyStore()
        try store.apply(BuildInfo())
        #expect(store.property("build.number") == 4711)
        #expect(store.property("build.features") == ["a", "b"])
        #expect(store.property("debug") == false)
        #expect(store.explain("debug").map { "\($0)" } == ["debug = false (BuildInfo)"])
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

    @Test("The merge rules apply between parent and child too")
    func rules() throws {
        let parent = try PropertyStore(Literal("a", ["api": ["timeout": 1, "url": "x"], "n": 1]))
        let child = PropertyStore(parent: parent)
        try child.apply(Literal("b", merge: .firstLevel, ["api": ["timeout": 2], "n": nil]))
        #expect(child.property("api.url") as String? == nil)
        #expect(child.property("n") as Int? == nil)
        #expect(parent.property("n") == 1)
    }

    @Test("Three levels, each overriding the one above")
    func threeLevels() throws {
        let top = try PropertyStore(Literal("top", ["a": 1, "b": 1, "c": 1]))
        let middle = PropertyStore(parent: top)
        try middle.apply(Literal("middle", ["b": 2, "c": 2]))
        let bottom = PropertyStore(parent: middle)
        try bottom.apply(Literal("bottom", ["c": 3]))
        #expect(bottom.listing == ["a=1", "b=2", "c=3"])
        try top.apply(Literal("top", ["a": 9, "b": 9, "c": 9]))
        #expect(bottom.listing == ["a=9", "b=2", "c=3"])
        #expect(bottom.explain("c").map(\.valueText) == ["3", "2", "9"])
    }
}
