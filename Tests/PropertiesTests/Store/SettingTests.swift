import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Values that the program sets")
struct SettingTests {
    enum Level: String, CaseIterable, Sendable { case debug, info }

    @Test("A set value overrides the sources, has the place of the call, and unset removes it")
    func set() throws {
        let store = try PropertyStore(Literal(["api.timeout": 30, "api.url": "x"]))
        try store.set("api.timeout", to: 5, fileID: "Shop/Admin.swift", line: 12)
        #expect(
            store.history(of: "api.timeout").map(\.description) == [
                "api.timeout = 5 (set at Shop/Admin.swift:12)", "api.timeout = 30 (literal)",
            ])
        try store.set("api.timeout", to: 6)
        #expect(store.property("api.timeout") == 6)
        #expect(store.history(of: "api.timeout").count == 2)
        try store.set("api.url", to: nil)
        #expect(store.property("api.url") as String? == nil)
        try store.unset("api.timeout", "api.url", "never")
        #expect(store.listing == ["api.timeout=30", "api.url=\"x\""])
    }

    @Test("A set value overrides the sources that are applied later, also in a start, and after a reload")
    func order() throws {
        let store = PropertyStore()
        try store.set("x", to: 1)
        try store.apply(Literal(["x": 2, "y": 2]))
        #expect(store.property("x") == 1)
        try store.set("y", to: 3)
        try store.reload()
        try store.start([Literal("start", ["x": 4, "y": 4, "z": 4])])
        #expect((store.property("x"), store.property("y"), store.property("z")) == (1, 3, 4))
        try store.unset("x")
        #expect(store.property("x") == 4)
    }

    @Test("A set value is in force at once, also that of a setting that needs a restart")
    func restart() throws {
        struct Server: Settings { @Setting("Where clients connect", needsRestart: true) var port = 1 }
        let store = PropertyStore()
        store.declare(Server.self)
        try store.start([Literal(["port": 2])])
        try store.set("port", to: 3)
        #expect(try store.settings(Server.self).port == 3)
        #expect(store.status.pendingRestart.isEmpty)
        try store.reload()
        #expect(store.property("port") == 3)
        try store.unset("port")
        #expect(store.property("port") == 2)
    }

    @Test("A variable of any type that a property can be read as is set by its name")
    func anyType() throws {
        let store = PropertyStore()
        let size = 5, pause = Duration.seconds(90), hosts = ["a", "b"], level = Level.debug, none = Int?.none
        let value: PropertyValue = ["n": 1], limits: [String: UInt8] = ["x": 1]
        try store.set("size", to: size)
        try store.set("pause", to: pause)
        try store.set("hosts", to: hosts)
        try store.set("level", to: level)
        try store.set("none", to: none)
        try store.set("table", to: value)
        try store.set("limits", to: limits)
        try store.set("text", to: "\(size)")
        try store.set("mixed", to: [1, "a", nil])
        #expect(store.property("size") == size && store.property("pause") == pause && store.property("hosts") == hosts)
        #expect(store.property("level") == level && store.property("none") as Int? == nil)
        #expect(store.property("table.n") == 1 && store.property("limits") == limits && store.property("text") == "5")
    }

    @Test("Values of typed keys are written as a source would have them, and read as equal values")
    func typed() throws {
        let store = PropertyStore()
        func check<Value: Equatable & Sendable>(_ value: Value, _ text: String) throws {
            let key = TypedKey<Value>("key")
            try store.set(key, to: value)
            #expect(store.history(of: key).first?.valueText == text)
            #expect(try store.require(key) == value)
        }
        try check(5, "5")
        try check(UInt64.max, "18446744073709551615")
        try check(Int128.min, "\(Int128.min)")
        try check(0.1 as Float, "0.1")
        try check(true, "true")
        try check("a", "\"a\"")
        try check(Level.info, "\"info\"")
        try check([1, 2], "[1, 2]")
        try check(["a": Level.info], "{1 key}")
        try check(Duration.seconds(90), "\"90s\"")
        try check(Duration(attoseconds: -1_500_000_000_000_000_001), "\"-1.500000000000000001s\"")
        try check(Duration(attoseconds: 5), "\"0.000000000000000005s\"")
    }

    @Test("A value that a typed key's check refuses is an error with the place of the call, and nothing changes")
    func refused() throws {
        let store = PropertyStore()
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.set(.port, to: 0, fileID: "Shop/Admin.swift", line: 12)
        }
        #expect(
            error?.description
                == "set at Shop/Admin.swift:12: 'server.port' is the integer 0; expected a port from 1 to 65535. "
                + "Change the value.")
        #expect(store.entries.isEmpty)
        try store.set(.port, to: 1)
        try store.unset("server.port")
        #expect(store.entries.isEmpty)
    }

    @Test("The value of a secret key is masked, and does not appear in an error")
    func secret() throws {
        let store = PropertyStore()
        try store.set(.password, to: "hunter2")
        #expect(store.listing == ["db.password=********"])
        let short = TypedKey<String>("db.password", isSecret: true, expected: "a long password") { $0.count > 9 }
        let error = #expect(throws: ConfigurationErrors.self) { try store.set(short, to: "hunter3") }
        #expect(error?.description.contains("hunter") == false)
    }

    @Test("Names and values are checked like those of other sources")
    func limits() throws {
        let store = PropertyStore()
        let deep = loadError {
            try store.set(String(repeating: "a.", count: 2000) + "a", to: 1, fileID: "F", line: 1)
        }
        #expect(deep?.reason == .limit)
        #expect(deep?.description.hasPrefix("set at F:1: ") == true)
        let twice = loadError {
            try store.set("t", to: ["a.b": 1, "a": ["b": 2]], fileID: "F", line: 1)
        }
        #expect(twice?.reason == .duplicate)
        #expect(store.entries.isEmpty)
    }

    @Test("Several values are set in one step, which changes() reports as one set")
    func changes() async throws {
        let store = try PropertyStore(Literal(["a": 1]))
        var sets = store.changes().makeAsyncIterator()
        var ports = store.changes(of: .port).makeAsyncIterator()
        try store.set(["a": 2, "b": 3, "b": 4], fileID: "F", line: 1)
        try store.set(.port, to: 1)
        #expect(
            await sets.next()?.map(\.description) == ["a: 1 (literal) → 2 (set at F:1)", "b: none → 4 (set at F:1)"])
        #expect(await ports.next()?.new == 1)
    }
}
