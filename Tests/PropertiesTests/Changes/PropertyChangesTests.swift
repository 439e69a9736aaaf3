import Properties
import Synchronization
import Testing

// The limit only ends a test that hangs: on a loaded machine, other tests occupy the threads for minutes.
@Suite("Sequences of changes: old and new values, and the last change always arrives", .timeLimit(.minutes(60)))
struct PropertyChangesTests {
    private func store(_ values: KeyValuePairs<String, PropertyValue>) throws -> (PropertyStore, Changing) {
        let source = Changing("source", values)
        let store = PropertyStore()
        try store.apply(source)
        return (store, source)
    }

    @Test("The changes of a key are typed, start when the sequence is created, and leave out equal values")
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

    @Test("The changes of a typed key have its default for a missing value, and an error for a refused one")
    func typedKey() async throws {
        let (store, source) = try store(["other": 1])
        let changes = store.changes(of: .port)
        #expect(changes.current == 8080)
        let states: [KeyValuePairs<String, PropertyValue>] = [
            ["server.port": 8080], ["server.port": 80], ["server.port": 0], ["server.port": "80"], [:],
        ]
        for state in states {
            source.set(state)
            try store.reload()
        }
        var iterator = changes.makeAsyncIterator()
        var seen: [String] = []
        for _ in 0..<4 {
            guard let change = await iterator.next() else { continue }
            seen.append(change.error?.description ?? change.description)
        }
        #expect(
            seen == [
                "server.port: 8080 → 80 (source)",
                "source: 'server.port' is the integer 0; expected a port from 1 to 65535. Change the value.",
                "source: 'server.port' is the string \"80\"; expected a port from 1 to 65535. Remove the quotes.",
                "server.port: none → 8080 (source)",
            ])
    }

    @Test("The changes of a secret key are masked although the key is not declared")
    func secretKey() async throws {
        let (store, source) = try store(["db.password": "hunter1"])
        var iterator = store.changes(of: .password).makeAsyncIterator()
        source.set(["db.password": "hunter2"])
        try store.reload()
        let change = await iterator.next()
        #expect(change?.new == "hunter2")
        #expect(change?.description == "db.password: ******** → ******** (source)")
    }

    @Test("The description and the dump of a secret's change show no value, whether the change is typed or not")
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

    @Test("Values that are equal as the requested type are not a change")
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

    @Test("A change inside a table is reported as a change of the whole table, as a struct or a dictionary")
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

    @Test("Each reload reports one sorted set of changes, of all properties or of those below a name")
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
        #expect(await one.next()?.map(\.description) == ["api.timeout: 1 (source) → 2 (source)"])
        #expect(await one.next()?.map(\.description) == ["api.timeout: 2 (source) → 3 (source)"])
        #expect(
            await other.next()?.map(\.description) == [
                "api.timeout: 1 (source) → 2 (source)", "apiary: 1 (source) → 2 (source)", "gone: 1 (source) → none",
            ])
        #expect(await other.next()?.count == 1)
    }

    @Test("The changes of a child include those of its parents")
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

    @Test("A slow reader misses intermediate states but never the last one, and the store buffers at most 64 changes")
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

    @Test("The last change arrives while four threads reload at the same time")
    func concurrent() async throws {
        // Not a `Mutex`, because that causes false reports of ThreadSanitizer.
        let counter = Atomic<Int64>(0)
        struct Counting: PropertyLoader {
            let next: @Sendable () -> Int64
            func load() -> PropertyLayer {
                PropertyLayer(
                    PropertyTable([("x", .integer(next()))]), source: PropertySource(name: "counting"))
            }
        }
        let store = PropertyStore()
        try store.apply(
            Counting { counter.add(1, ordering: .relaxed).newValue })
        let changes = store.changes(of: "x", as: Int.self)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<250 { _ = try? store.reload() } }
            }
        }
        let final: Int = try store.require("x")
        #expect(final == Int(counter.load(ordering: .relaxed)))
        var last = 0
        for await change in changes {
            #expect((change.new ?? 0) > last)
            last = change.new ?? 0
            if last == final { break }
        }
    }

    @Test("The sequence ends when the store is freed or the task is cancelled")
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
