import Properties
import Synchronization
import TestSupport
import Testing

extension TypedKey<Int> {
    fileprivate static let listenPort = TypedKey("port", expected: "a port from 1 to 65535") {
        (1...65535).contains($0)
    }
}

extension TypedKey<String> {
    fileprivate static let listenHost = TypedKey("host")
}

@Suite("Changes are checked before they are published")
struct CheckedChangeTests {
    private let file = ChangingText("c.toml", "port = 80\nhost = \"a\"")
    private let store = PropertyStore()

    init() throws { try store.apply(file) }

    private func reloadFailure(_ text: String) -> String? {
        file.set(text)
        return #expect(throws: ConfigurationErrors.self) { try store.reload() }?.lines
    }

    @Test("A reload with a wrong, refused or missing value throws all problems, and the last good state stays")
    func declared() throws {
        store.declare(.listenPort, .listenHost)
        #expect(
            reloadFailure("host = 5\nport = 0\nextra = 1") == """
                c.toml:1:8: 'host' is the integer 5; expected a string. Put it in quotes.
                c.toml:2:8: 'port' is the integer 0; expected a port from 1 to 65535. Change the value.
                """)
        #expect(reloadFailure("port = 81") == "'host' is missing; expected a string. Set it in c.toml.")
        #expect(store.listing == ["host=\"a\"", "port=80"])
        file.set("port = 82\nhost = \"b\"\nextra = 1")
        try store.reload()
        #expect(store.listing == ["extra=1", "host=\"b\"", "port=82"])
    }

    @Test("Sources that break a declared key are refused when they are applied, alone or with others")
    func apply() throws {
        store.declare(.listenPort, .listenHost)
        let alone = #expect(throws: ConfigurationErrors.self) { try store.apply(Lines("d", "port = -1")) }
        #expect(
            alone?.lines == """
                d:1:8: 'port' is the integer -1; expected a port from 1 to 65535 (it overrides 80 at c.toml:1:8). \
                Change the value.
                """)
        #expect(throws: ConfigurationErrors.self) {
            try store.apply([Literal("x", ["x": 1]), Literal("y", ["host": 1])])
        }
        #expect(store.listing == ["host=\"a\"", "port=80"])
        try store.apply([Literal("y", ["host": 1]), Literal("z", ["host": "z"])])
        #expect(store.property("host") == "z")
    }

    @Test("A key that is declared when its value is already wrong makes reloads fail until the value is right")
    func declaredLater() throws {
        file.set("port = 0\nhost = \"a\"")
        try store.reload()
        store.declare(.listenPort)
        #expect(reloadFailure("port = 0\nhost = \"b\"")?.hasPrefix("c.toml:1:8: 'port' is the integer 0") == true)
        try store.apply(Literal("other", ["x": 1]))
        file.set("port = 7\nhost = \"b\"")
        try store.reload()
        #expect(store.listing == ["host=\"b\"", "port=7", "x=1"])
    }

    @Test("Unknown keys are refused from the first verify on that refuses them and succeeds")
    func unknownKeys() throws {
        store.declare(.listenPort)
        #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
        file.set("port = 80\nhost = \"a\"\nextra = 1")
        try store.reload()
        file.set("port = 80\nhost = \"a\"")
        try store.reload()
        store.declare(.listenHost)
        try store.verify(unknownKeys: .refused)
        try store.verify()
        #expect(
            reloadFailure("prot = 80\nport = 80\nhost = \"a\"") == """
                c.toml:1:1: 'prot' is neither declared nor read by a service. Check its spelling, or remove it. The developer can declare it, or allow it by unknownKeys: .ignored.
                """)
        #expect(throws: ConfigurationErrors.self) { try store.apply(Literal(["extra": 1])) }
        store.declare(TypedKey<Int>("extra", default: 1))
        try store.apply(Literal(["extra": 1]))
    }

    @Test("A child's changes must keep the keys that its parent declares; a parent does not know its children")
    func parents() throws {
        store.declare(.listenPort)
        let child = PropertyStore(parent: store)
        child.declare(.listenHost)
        #expect(throws: ConfigurationErrors.self) { try child.apply(Literal(["port": "x"])) }
        try child.apply(Literal("own", ["y": 1]))
        file.set("port = 81")
        try store.reload()
        #expect(store.property("port") == 81)
        #expect(throws: ConfigurationErrors.self) { try child.verify() }
        #expect(throws: ConfigurationErrors.self) { try child.reload() }
        try child.apply(Literal("more", ["z": 1]))
        try child.apply(Literal("fix", ["host": "h"]))
        try child.reload()
        try child.verify(unknownKeys: .ignored)
    }
}

@Suite("Checks of changes and other threads")
struct ConcurrentCheckTests {
    @Test("A check may change the store, and its own change is then verified again")
    func reentrant() throws {
        let store = PropertyStore(), calls = Mutex<[Int]>([])
        let file = ChangingText("c", "a = 1")
        try store.apply(file)
        store.declare(
            TypedKey<Int>("a") { value in
                let isFirst = calls.withLock { calls in
                    calls.append(value)
                    return calls.count == 1
                }
                // No lock is held, and the published state is the old one.
                if isFirst { try? store.apply(Literal("other", ["b": .integer(store.property("a") ?? 0)])) }
                return value > 0
            })
        file.set("a = 2")
        try store.reload()
        #expect(store.listing == ["a=2", "b=1"])
        #expect(calls.withLock { $0 } == [2, 1, 2])
    }

    @Test("A key that is declared while a reload is verified is checked, too")
    func declaredMeanwhile() throws {
        let store = PropertyStore()
        let file = ChangingText("c", "a = 1\nb = 1")
        try store.apply(file)
        let isDeclared = Atomic(false)
        store.declare(
            TypedKey<Int>("a") { _ in
                if !isDeclared.exchange(true, ordering: .relaxed) { store.declare(TypedKey<Int>("b")) }
                return true
            })
        file.set("a = 2\nb = \"x\"")
        #expect(throws: ConfigurationErrors.self) { try store.reload() }
        #expect(store.listing == ["a=1", "b=1"])
    }

    @Test("However threads reload, apply and bind, readers see only states that pass all checks")
    func stress() async throws {
        struct Pair: Decodable { var low: Int; var high: Int }
        final class Counts: Sendable {
            let wrong = Atomic(0), writers = Atomic(3)
        }
        let store = PropertyStore(), counts = Counts()
        let file = ChangingText("file", "low = 1\nhigh = 2")
        try store.apply(file)
        store.declare(TypedKey<Int>("low"), TypedKey<Int>("high"))
        await withTaskGroup { group in
            for writer in 0..<3 {
                group.addTask {
                    for number in 1...200 {
                        let isGood = number % 3 != 0
                        if writer == 0 {
                            file.set(isGood ? "low = \(number)\nhigh = \(number + 1)" : "low = \(number)")
                            _ = try? store.reload()
                        } else {
                            let low = PropertyValue.integer(Int64(number)), high = isGood ? low : "x"
                            try? store.apply(Literal("own", ["low": low, "high": high]))
                        }
                        await Task.yield()
                    }
                    counts.writers.subtract(1, ordering: .relaxed)
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    while counts.writers.load(ordering: .relaxed) > 0 {
                        let snapshot = store.snapshot
                        let low: Int? = snapshot.property("low"), high: Int? = snapshot.property("high")
                        if low == nil || high == nil { counts.wrong.add(1, ordering: .relaxed) }
                        if (try? store.bind(Pair.self)) == nil { counts.wrong.add(1, ordering: .relaxed) }
                        await Task.yield()
                    }
                }
            }
        }
        #expect(counts.wrong.load(ordering: .relaxed) == 0)
        try store.verify()
    }
}
