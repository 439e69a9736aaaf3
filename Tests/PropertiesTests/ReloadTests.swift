import Properties
import Synchronization
import Testing

/// A source whose values a test changes.
final class Changing: PropertyLoader {
    struct Broken: Error {}
    private let name: String
    private let state: Mutex<(table: PropertyTable?, loads: Int)>

    init(_ name: String = "changing", _ values: KeyValuePairs<String, PropertyValue> = [:]) {
        self.name = name
        state = Mutex((PropertyTable(values.map { ($0.key, $0.value) }), 0))
    }

    /// Nil makes it fail.
    func set(_ values: KeyValuePairs<String, PropertyValue>?) {
        state.withLock { $0.table = values.map { PropertyTable($0.map { ($0.key, $0.value) }) } }
    }

    var loads: Int { state.withLock { $0.loads } }

    func load() throws -> PropertyLayer {
        let table = state.withLock { state in
            state.loads += 1
            return state.table
        }
        guard let table else { throw Broken() }
        return PropertyLayer(table, source: PropertySource(name: name, identity: name), files: ["/tmp/\(name)"])
    }
}

@Suite("Reload: all sources again, in one step")
struct ReloadTests {
    @Test("Several sources are applied as one: all of them, or none")
    func transaction() throws {
        let store = PropertyStore()
        try store.apply([Literal("a", ["x": 1]), Changing("b", ["x": 2, "y": 3])])
        #expect(store.listing == ["x=2", "y=3"])
        let broken = Changing("c")
        broken.set(nil)
        #expect(throws: Changing.Broken.self) { try store.apply([Literal("d", ["x": 9]), broken]) }
        #expect(store.listing == ["x=2", "y=3"])
        #expect(store.explain("x").count == 2)
        try store.apply([])
        #expect(store.listing == ["x=2", "y=3"])
    }

    @Test("A collision in the last of several sources leaves the store as it was")
    func collision() throws {
        let store = try PropertyStore(Literal("a", ["x": 1]))
        #expect(throws: PropertyLoadError.self) {
            try store.apply([Literal("b", ["x": 2]), Literal("c", ["a.b": 1, "a": ["b": 2]])])
        }
        #expect(store.listing == ["x=1"])
    }

    @Test("A reload loads every source once, in its place, and keeps the order")
    func order() throws {
        let first = Changing("first", ["x": 1, "y": 1]), second = Changing("second", ["x": 2])
        let store = PropertyStore()
        try store.apply([first, second])
        first.set(["x": 10, "y": 10, "new": 10])
        try store.reload()
        #expect(store.listing == ["new=10", "x=2", "y=10"])
        second.set([:])
        try store.reload()
        #expect(store.listing == ["new=10", "x=10", "y=10"])
        #expect(first.loads == 3)
        #expect(store.files == ["/tmp/first", "/tmp/second"])
        #expect(store.explain("x").count == 1)
    }

    @Test("A reload in which one source fails changes nothing")
    func failure() throws {
        let first = Changing("first", ["x": 1]), second = Changing("second", ["y": 1])
        let store = PropertyStore()
        try store.apply([first, second])
        first.set(["x": 2])
        second.set(nil)
        #expect(throws: Changing.Broken.self) { try store.reload() }
        #expect(store.listing == ["x=1", "y=1"])
        second.set(["y": 2])
        try store.reload()
        #expect(store.listing == ["x=2", "y=2"])
    }

    @Test("What is applied while a reload loads is not undone by it")
    func applyWins() throws {
        final class Reentrant: PropertyLoader {
            let store = Mutex<PropertyStore?>(nil)
            func load() throws -> PropertyLayer {
                try store.withLock { $0 }?.apply(Literal("other", ["x": 2]))
                return PropertyLayer(PropertyTable(), source: PropertySource(name: "reentrant"))
            }
        }
        let store = try PropertyStore(Literal("other", ["x": 1]))
        let reentrant = Reentrant()
        try store.apply(reentrant)
        reentrant.store.withLock { $0 = store }
        try store.reload()
        reentrant.store.withLock { $0 = nil }
        #expect(store.listing == ["x=2"])
    }

    @Test("A source that comes again under the same name replaces the loader too")
    func replacedLoader() throws {
        let store = PropertyStore()
        let old = Changing("same", ["x": 1])
        try store.apply(old)
        try store.apply(Changing("same", ["x": 2]))
        old.set(nil)
        try store.reload()
        #expect(store.listing == ["x=2"])
    }
}

@Suite("Changes: old and new, none lost", .timeLimit(.minutes(5)))
struct ChangeTests {
    private func store(_ values: KeyValuePairs<String, PropertyValue>) throws -> (PropertyStore, Changing) {
        let source = Changing("source", values)
        let store = PropertyStore()
        try store.apply(source)
        return (store, source)
    }

    @Test("A key's changes are typed, begin when they are asked for, and leave out what did not change")
    func typed() async throws {
        let (store, source) = try store(["x": 1, "y": 1])
        let changes = store.changes(of: "x", as: Int.self)
        #expect(changes.current == 1)
        for x in [2, 2, 3] as [Int64] {
            source.set(["x": .integer(x), "y": 5])
            try store.reload()
        }
        source.set(["y": 5])
        try store.reload()
        var iterator = changes.makeAsyncIterator()
        var seen: [String] = []
        for _ in 0..<3 {
            let change = await iterator.next()
            seen.append("\(change?.old.map(String.init) ?? "-") \(change?.new.map(String.init) ?? "-")")
        }
        #expect(seen == ["1 2", "2 3", "3 -"])
    }

    @Test("A value that is no such type is a change with an error")
    func wrongType() async throws {
        let (store, source) = try store(["x": 1])
        var iterator = store.changes(of: "x", as: Int.self).makeAsyncIterator()
        source.set(["x": "one"])
        try store.reload()
        let change = await iterator.next()
        #expect(change?.old == 1)
        #expect(change?.new == nil)
        #expect(change?.error?.reason == .wrongType)
    }

    @Test("A change of a secret shows no value in its description or a dump, typed or not")
    func secret() async throws {
        let (store, source) = try store(["key": "hunter1", "t": ["key": "hunter1"]])
        store.declareSecret("key", "t.key")
        var typed = store.changes(of: "key", as: String.self).makeAsyncIterator()
        var table = store.changes(of: "t", as: [String: String].self).makeAsyncIterator()
        var sets = store.changes().makeAsyncIterator()
        source.set(["key": "hunter2", "t": ["key": "hunter2"]])
        try store.reload()
        let change = await typed.next(), tables = await table.next(), set = await sets.next()
        #expect(change?.new == "hunter2")
        #expect(change?.description == "key: ******** → ******** (source)")
        var text = "\(String(describing: tables)) \(String(describing: set))"
        dump(change, to: &text)
        dump(set, to: &text)
        dump(tables, to: &text)
        #expect(text.contains("********"))
        #expect(!text.contains("hunter"))
    }

    @Test("What is equal as the type that was asked for is no change")
    func equal() async throws {
        let (store, source) = try store(["x": 5])
        var iterator = store.changes(of: "x", as: Int.self).makeAsyncIterator()
        source.set(["x": .text("5")])
        try store.reload()
        source.set(["x": .text("6")])
        try store.reload()
        let change = await iterator.next()
        #expect(change?.old == 5)
        #expect(change?.new == 6)
    }

    @Test("A table's changes come as one value, for every type")
    func table() async throws {
        struct API: Decodable, Equatable { var url: String, timeout: Int }
        let (store, source) = try store(["api": ["url": "x", "timeout": 1]])
        var structs = store.changes(of: "api", as: API.self).makeAsyncIterator()
        var tables = store.changes(of: "api", as: [String: Any].self).makeAsyncIterator()
        source.set(["api": ["timeout": 2, "url": "y"]])
        try store.reload()
        let change = await structs.next()
        #expect(change?.old == API(url: "x", timeout: 1))
        #expect(change?.new == API(url: "y", timeout: 2))
        #expect(await tables.next()?.new?["timeout"] as? Int == 2)
    }

    @Test("One set of changes a reload, sorted, below a name or of all")
    func sets() async throws {
        let (store, source) = try store(["api": ["url": "x", "timeout": 1], "apiary": 1, "gone": 1])
        let below = store.changes(under: "api"), all = store.changes()
        #expect(below.current.map(\.name) == ["api.timeout", "api.url"])
        source.set(["api": ["url": "x", "timeout": 2, "new": nil], "apiary": 2])
        try store.reload()
        source.set(["api": ["url": "x", "timeout": 3], "apiary": 2])
        try store.reload()
        try store.reload()
        var one = below.makeAsyncIterator(), other = all.makeAsyncIterator()
        #expect(await one.next()?.map(\.description) == ["api.timeout: 1 → 2 (source)"])
        #expect(await one.next()?.map(\.description) == ["api.timeout: 2 → 3 (source)"])
        #expect(
            await other.next()?.map(\.description) == [
                "api.timeout: 1 → 2 (source)", "apiary: 1 → 2 (source)", "gone: 1 → none (source)",
            ])
        #expect(await other.next()?.count == 1)
    }

    @Test("A child's changes include its parents'")
    func child() async throws {
        let (parent, source) = try store(["x": 1])
        let child = PropertyStore(parent: PropertyStore(parent: parent))
        var iterator = child.changes(of: "x", as: Int.self).makeAsyncIterator()
        source.set(["x": 2])
        try parent.reload()
        #expect(await iterator.next()?.new == 2)
        try child.apply(Literal(["x": 3]))
        #expect(await iterator.next()?.new == 3)
    }

    @Test("A slow reader misses states between, never the last, and the store holds few of them")
    func slow() async throws {
        let (store, source) = try store(["x": 0])
        var iterator = store.changes(of: "x", as: Int.self).makeAsyncIterator()
        for x in 1...1000 as ClosedRange<Int64> {
            source.set(["x": .integer(x)])
            try store.reload()
        }
        var last = 0, count = 0
        while last != 1000, let change = await iterator.next() {
            #expect(change.old == last)
            last = change.new ?? -1
            count += 1
        }
        #expect(last == 1000)
        #expect(count <= 64)
    }

    @Test("The last change is seen under four threads that reload")
    func concurrent() async throws {
        let counter = Mutex<Int64>(0)
        struct Counting: PropertyLoader {
            let next: @Sendable () -> Int64
            func load() -> PropertyLayer {
                PropertyLayer(
                    PropertyTable([("x", .integer(next()))]), source: PropertySource(name: "counting"))
            }
        }
        let store = PropertyStore()
        try store.apply(
            Counting {
                counter.withLock {
                    $0 += 1; return $0
                }
            })
        let changes = store.changes(of: "x", as: Int.self)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<250 { try? store.reload() } }
            }
        }
        let final: Int = try store.require("x")
        #expect(final == Int(counter.withLock { $0 }))
        var last = 0
        for await change in changes {
            #expect((change.new ?? 0) > last)
            last = change.new ?? 0
            if last == final { break }
        }
    }

    @Test("The sequence ends with the store, and with the task")
    func ends() async throws {
        var store: PropertyStore? = PropertyStore()
        let changes = try #require(store?.changes(of: "x", as: Int.self))
        store = nil
        for await _ in changes { Issue.record("nothing changed") }

        let other = PropertyStore()
        let task = Task {
            for await _ in other.changes() { Issue.record("nothing changed") }
            return true
        }
        task.cancel()
        #expect(await task.value)
    }
}
