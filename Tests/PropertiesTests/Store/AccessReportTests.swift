import Container
import Properties
import Synchronization
import Testing

@Suite("Access reports")
struct AccessReportTests {
    struct Server: Decodable { var port: Int }

    private func lines(_ store: PropertyStore) -> [String] { store.accessReport.map(\.description) }

    @Test("A report counts the reads of each name, those without a value, those that failed, and the defaults")
    func counts() throws {
        let store = PropertyStore()
        try store.apply(Lines("c", "server.port = 80\nwrong = \"x\"\nnull = null"))
        let child = PropertyStore(parent: store)
        child.startAccessReport()
        let port: Int? = store.property("server.port"), again: Int? = child.property(PropertyKey("server.port"))
        #expect((port, again, child.property(.port)) == (80, 80, 80))
        #expect(store.property("wrong") as Int? == nil)
        #expect(store.property("null") as Int? == nil)
        #expect(try store.property("absent", default: 5) == 5)
        #expect(try store.snapshot.property("absent", default: 6) == 6)
        #expect(try store.property(PropertyKey("absent"), default: 6) == 6)
        #expect(throws: PropertyError.self) { try store.require("needed") as Int }
        #expect(
            try PropertyStore(parent: child).require(TypedKey<Duration>("pause", default: .seconds(5))) == .seconds(5))
        _ = try store.bind(Server.self, at: "server")
        _ = try store.dictionary
        _ = store.changes(of: .port)
        #expect(
            lines(store) == [
                "all properties: 1 read", "absent: 3 reads, 3 without a value, default 5 and 6",
                "needed: 1 read, 1 without a value, 1 failed", "null: 1 read, 1 without a value",
                "pause: 1 read, 1 without a value, default \"5s\"", "server: 1 read", "server.port: 4 reads",
                "wrong: 1 read, 1 failed",
            ])
        #expect(lines(child) == lines(store))
    }

    @Test("A report is off at first, ends with stop, and begins again from zero")
    func onAndOff() throws {
        let store = try PropertyStore(Literal(["a": 1]))
        func read() { #expect(store.property("a") == 1) }
        read()
        #expect(lines(store) == [])
        store.stopAccessReport()
        store.startAccessReport()
        read()
        store.startAccessReport()
        read()
        store.stopAccessReport()
        read()
        #expect(lines(store) == ["a: 1 read"])
        try store.verify(unknownKeys: .refused) { read() }
        #expect(lines(store) == ["a: 1 read"])
        store.startAccessReport()
        try store.verify(unknownKeys: .refused) { read() }
        #expect(lines(store) == ["a: 1 read"])
    }

    @Test("A report names the services whose factories read")
    func services() throws {
        final class Pool { init(_ size: Int) {} }
        final class Client { init(_ pool: Pool) {} }
        let container = Container()
        container.register(Pool.self) { r in Pool(try r.require(.port)) }
        container.register(Client.self) { r in
            let client = Client(try r.require(Pool.self))
            _ = try r.property("timeout", default: 5)
            return client
        }
        container.startAccessReport()
        _ = try container.require(Client.self)
        _ = try Container(parent: container).require(Pool.self)
        _ = container.property("timeout") as Int?
        let report = container.properties.accessReport
        #expect(report.map(\.readers) == [["Pool"], ["Client"]])
        #expect(
            report.map(\.description) == [
                "server.port: 2 reads by Pool, 2 without a value, default 8080",
                "timeout: 2 reads by Client, 2 without a value, default 5",
            ])
    }

    @Test("The defaults of secrets are masked, and a default is computed once")
    func defaults() throws {
        let store = PropertyStore()
        store.declareSecret("token")
        store.startAccessReport()
        var count = 0
        func make() -> String {
            count += 1
            return "hunter\(count)"
        }
        #expect(try store.property("token", default: make()) == "hunter1")
        #expect(try store.property(.password, default: make()) == "hunter2")
        #expect(store.property(TypedKey("key", default: "hunter3", isSecret: true)) == "hunter3")
        var text = ""
        dump(store.accessReport, to: &text)
        #expect(!text.contains("hunter"))
        #expect(lines(store).filter { $0.contains("********") }.count == 3)
        store.stopAccessReport()
        #expect(try store.property("token", default: make()) == "hunter3")
    }

    @Test("A report has at most 10,000 names, 8 defaults and 8 readers of each")
    func limits() throws {
        let store = PropertyStore()
        let names = (0..<12_000).map { "n\($0)" }
        let number = Mutex(0)
        store.startAccessReport {
            number.withLock { number in
                number += 1
                return "r\(number % 20)"
            }
        }
        for name in names { _ = store.property(name) as Int? }
        for value in 0..<20 { _ = try store.property("n0", default: value) }
        let report = store.accessReport
        #expect(report.count == 10_000)
        let first = try #require(report.first { $0.name == "n0" })
        #expect((first.count, first.defaults.count, first.readers.count) == (21, 8, 8))
    }

    @Test("No read is lost while four threads read and a fifth verifies")
    func concurrent() async throws {
        let store = try PropertyStore(Literal(["a": 1]))
        store.startAccessReport()
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<500 { _ = store.property("a") as Int? } } }
            group.addTask { for _ in 0..<50 { try? store.verify(reads: { _ = store.property("b") as Int? }) } }
        }
        #expect(lines(store) == ["a: 2000 reads", "b: 50 reads, 50 without a value"])
    }
}
