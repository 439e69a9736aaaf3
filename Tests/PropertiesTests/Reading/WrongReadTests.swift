import Container
import PropertyLoadersEssentials
import Synchronization
import Testing

/// A value that `property` returns as nil because it is wrong.
struct WrongReadTests {
    @Test("A wrong value that is read as nil is reported once for each place and type")
    func once() throws {
        let store = PropertyStore(), reports = Reports()
        store.onWrongValue { reports.add($0) }
        try store.apply(
            JsonPropertyLoader(string: "{\n  \"api\": {\"timeout\": \"5\", \"name\": \"x\"}\n}", name: "a.json"))
        for _ in 1...3 { #expect(store.property("api.timeout") ?? 30 == 30) }
        #expect(store.snapshot.property("api.timeout") == nil as Int?)
        #expect(
            reports.all == ["a.json:2:22: 'api.timeout' is the string \"5\"; expected an integer. Remove the quotes."])
        #expect(store.property("api.timeout") == nil as Bool?)
        #expect(store.property("api.timeout") == nil as [Int]?)
        #expect(reports.all.count == 3)
    }

    @Test("A probe reports its wrong read, and nothing about the read that succeeds")
    func probe() throws {
        let store = PropertyStore(), reports = Reports()
        store.onWrongValue { reports.add($0) }
        try store.apply(JsonPropertyLoader(string: #"{"port": "auto"}"#, name: "a.json"))
        let number: Int? = store.property("port")
        let text: String? = store.property("port")
        #expect(number == nil && text == "auto" && reports.all.count == 1)
    }

    @Test("Values that are missing, null or right are not reported")
    func silent() throws {
        let store = PropertyStore(), reports = Reports()
        store.onWrongValue { reports.add($0) }
        try store.apply(JsonPropertyLoader(string: #"{"a": null, "b": 30}"#, name: "a.json"))
        #expect(store.property("none") == nil as Int?)
        #expect(store.property("a") == nil as Int?)
        #expect(store.property("b") == 30.0)
        #expect(store.property(TypedKey<Int>("none")) == nil)
        #expect(reports.all.isEmpty)
    }

    @Test("A typed key, a child and a resolver report to the handler of the topmost store, with secrets masked")
    func everywhere() throws {
        let container = Container(), reports = Reports()
        container.properties.onWrongValue { reports.add($0) }
        try container.applyPropertyLoader(JsonPropertyLoader(string: #"{"pin": "x1y2", "port": 0}"#, name: "a.json"))
        let child = Container(parent: container)
        try child.applyPropertyLoader(JsonPropertyLoader(string: #"{"own": "x"}"#, name: "b.json"))
        #expect(child.property(TypedKey<Int>("pin", isSecret: true)) == nil)
        #expect(child.property(TypedKey("port", default: 1, in: 1...9)) == nil)
        child.register([Int].self) { r in [r.property("own") ?? 7] }
        #expect(child.resolve([Int].self) == [7])
        #expect(
            reports.all == [
                "a.json:1:9: 'pin' is a string that is secret; expected an integer. Change the value.",
                "a.json:1:25: 'port' is the integer 0; expected an integer from 1 to 9. Change the value.",
                "b.json:1:9: 'own' is the string \"x\"; expected an integer. Change the value.",
            ])
    }

    @Test("At most 100 wrong values are reported")
    func limit() throws {
        let store = PropertyStore(), reports = Reports()
        store.onWrongValue { reports.add($0) }
        let entries = (0..<200).map { "\"n\($0)\": \"x\"" }.joined(separator: ", ")
        try store.apply(JsonPropertyLoader(string: "{\(entries)}", name: "a.json"))
        for index in 0..<200 { #expect(store.property("n\(index)") == nil as Int?) }
        #expect(reports.all.count == 100)
    }

    @Test("A handler may read wrong values")
    func reentrant() throws {
        let store = PropertyStore(), reports = Reports()
        store.onWrongValue { [unowned store] error in
            reports.add(error)
            #expect(store.property("b") == nil as Int?)
            #expect(store.property("a") == nil as Int?)
        }
        try store.apply(JsonPropertyLoader(string: #"{"a": "x", "b": "y"}"#, name: "a.json"))
        #expect(store.property("a") == nil as Int?)
        #expect(reports.all.count == 2)
        store.onWrongValue(nil)
    }

    @Test("The report of a start has the wrong values that its services read, and the handler does not get them")
    func start() async throws {
        let container = Container(), reports = Reports()
        container.properties.onWrongValue { reports.add($0) }
        container.register(Limit.self) { r in Limit(value: r.property("limit") ?? 1) }.inObjectScope(.container)
        await #expect(throws: ConfigurationErrors.self) {
            try await container.start([JsonPropertyLoader(string: #"{"limit": "x"}"#, name: "a.json")])
        }
        #expect(reports.all.isEmpty)
    }

    @Test(
        "A reload that a service of the start could not read any more is refused",
        arguments: [
            (#"{"limit": "5", "name": "n"}"#, "'limit' is the string \"5\"; expected an integer. Remove the quotes."),
            (#"{"limit": 5, "name": 1}"#, "'name' is the integer 1; expected a string. Put it in quotes."),
            (#"{"limit": 5}"#, "'name' is missing"),
            (#"{"limit": 5, "name": "n", "rest": []}"#, "'rest' is"),
            (#"{"limit": 5, "name": "n", "rate": 20}"#, "'rate' is the integer 20; expected an integer from 1 to 9."),
        ])
    func refusedReload(text: String, problem: String) async throws {
        let source = Source(#"{"limit": 4, "name": "n"}"#)
        let container = Container()
        container.register(Limit.self) { r in
            _ = try r.require("name", as: String.self)
            let _: Double? = r.property("rest")
            _ = try r.require(TypedKey("rate", default: 1, in: 1...9))
            return Limit(value: r.property("limit") ?? 1)
        }
        .inObjectScope(.container)
        try await container.start([source])
        source.set(text)
        let error = #expect(throws: ConfigurationErrors.self) { try container.properties.reload() }
        #expect("\(error.map { "\($0)" } ?? "")".contains(problem), "\(error.map { "\($0)" } ?? "")")
        #expect(container.property("limit") == 4)
        await container.close()
    }

    @Test("A reload may remove what was nil before, or change what only the body reads")
    func acceptedReload() async throws {
        let source = Source(#"{"limit": 4, "other": 1}"#)
        let container = Container()
        container.properties.onWrongValue { _ in }
        container.register(Limit.self) { r in Limit(value: r.property("limit") ?? 1) }.inObjectScope(.container)
        try await container.start([source])
        #expect(container.property("other") == 1)
        source.set(#"{"other": "x"}"#)
        try container.properties.reload()
        #expect(container.property("limit") == nil as Int?)
        #expect(container.property("other") == nil as Int?)
        await container.close()
    }
}

private struct Limit: Sendable { let value: Int }

private final class Reports: Sendable {
    private let errors = Mutex<[PropertyError]>([])
    var all: [String] { errors.withLock { $0.map { "\($0)" } } }
    func add(_ error: PropertyError) { errors.withLock { $0.append(error) } }
}

/// A source whose text a test changes.
private final class Source: PropertyLoader {
    private let text: Mutex<String>
    init(_ text: String) { self.text = Mutex(text) }
    func set(_ new: String) { text.withLock { $0 = new } }
    func load() throws -> PropertyLayer { try JsonPropertyLoader(string: text.withLock { $0 }, name: "a.json").load() }
}
