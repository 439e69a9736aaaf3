import AsyncHTTPClient
import Container
import Foundation
import PropertyLoaders
import Synchronization
import Testing

@Suite("etcd", .enabled(if: Neighbour.isThere("etcd")), .timeLimit(.minutes(10)))
struct EtcdTests {
    private let container = Container()

    @Test("A prefix is read as a tree below the environment, with keys and revisions as origins")
    func prefix() async throws {
        let server = try await EtcdServer()
        try await server.put("/shop/db/host", "db.example.com")
        try await server.put("/shop/db/port", "5432")
        try await server.put("/shopping/list", "not a setting")
        try await server.put("/shop-secrets/password", "hunter2")
        let etcd = EtcdPropertyLoader(client: client, url: server.url, prefix: "/shop/")
        let secrets = EtcdPropertyLoader(client: client, url: server.url, prefix: "/shop-secrets/", isSecret: true)
        try await container.start([
            etcd, secrets, EnvironmentPropertyLoader(prefix: "SHOP", environment: ["SHOP_DB__HOST": "localhost"]),
        ])
        #expect(container.property("db.port") == 5432)
        let lines = container.properties.entries.map(\.description)
        #expect(
            lines == [
                "db.host = \"localhost\" (environment SHOP_DB__HOST)",
                "db.port = \"5432\" (etcd /shop/db/port revision 4)",
                "password = ******** (etcd /shop-secrets/password revision 6)",
            ], "\(lines)")
        await container.close()
    }

    @Test("Without etcd, a start fails at once, with its address, and with the status of an unavailable service")
    func away() async throws {
        let server = try await EtcdServer()
        server.kill()
        let etcd = EtcdPropertyLoader(client: client, url: server.url, prefix: "/shop/")
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.start([etcd]) }
        #expect(error?.description.hasPrefix("etcd \(server.url): it cannot be reached: ") == true)
        #expect(error?.exitStatus == 69)
    }

    @Test("A put and a deletion are published; a value that fails its check is refused")
    func put() async throws {
        let server = try await EtcdServer()
        try await server.put("/shop/db/host", "a")
        container.properties.declare(TypedKey<Int>("db.port", default: 1))
        try await container.start(
            [EtcdPropertyLoader(client: client, url: server.url, prefix: "/shop/")], unknownKeys: .ignored)
        try await container.watching { failures in
            try await server.put("/shop/db/host", "b")
            await container.wait(for: "db.host", "b")
            try await server.put("/shop/db/port", "x")
            try await wait { !failures.all.isEmpty }
            let failure = try #require(failures.all.first)
            #expect(failure.hasPrefix("etcd /shop/db/port revision 5: 'db.port' "), "\(failure)")
            try await server.put("/shop/db/port", "5")
            try await server.delete("/shop/db/host")
            await container.wait(for: "db.host", nil as String?)
            #expect(container.property("db.port") == 5)
        }
        await container.close()
    }

    @Test("While etcd is down, its last values stay and a file is reloaded; after its restart, it is watched again")
    func restart() async throws {
        let server = try await EtcdServer()
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).toml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("level = \"info\"".utf8).write(to: file)
        try await server.put("/shop/x", "1")
        try await container.start([
            TomlPropertyLoader(url: file), EtcdPropertyLoader(client: client, url: server.url, prefix: "/shop/"),
        ])
        try await container.watching { failures in
            try await server.put("/shop/x", "2")
            await container.wait(for: "x", "2")
            server.kill()
            try await wait { !failures.all.isEmpty }
            try Data("level = \"debug\"".utf8).write(to: file, options: .atomic)
            await container.wait(for: "level", "debug")
            #expect(container.property("x") == "2")
            let sources = container.properties.status.sources
            #expect(sources[0].failure == nil && sources[0].confirmed! > sources[1].failure!.since)
            #expect(sources[1].confirmed! < sources[1].failure!.since)
            try await server.start()
            try await server.put("/shop/x", "3")
            await container.wait(for: "x", "3")
            try await server.put("/shop/x", "4")
            await container.wait(for: "x", "4")
            #expect(container.properties.status.sources[1].failure == nil)
        }
        await container.close()
    }

    @Test("A watch whose history was compacted ends, so that all keys are loaded again")
    func compaction() async throws {
        let server = try await EtcdServer()
        try await server.put("/shop/x", "0")
        let etcd = EtcdPropertyLoader(client: client, url: server.url, prefix: "/shop/")
        _ = try await etcd.load()
        for value in 1...20 { try await server.put("/shop/x", "\(value)") }
        try await server.compact()
        for try await _ in etcd.changes { Issue.record("an event of the history that was removed") }
    }

    @Test("Changes and a compaction while the service is cut off are published when it is connected again")
    func compactionWhileAway() async throws {
        let server = try await EtcdServer()
        try await server.put("/shop/x", "1")
        try await container.start([EtcdPropertyLoader(client: client, url: server.url, prefix: "/shop/")])
        try await container.watching { failures in
            server.kill()
            try await wait { !failures.all.isEmpty }
            try await server.start(isHidden: true)
            for value in 2...20 { try await server.put("/shop/x", "\(value)") }
            try await server.compact()
            #expect(container.property("x") == "1")
            server.kill()
            try await server.start()
            await container.wait(for: "x", "20")
            try await server.put("/shop/x", "21")
            await container.wait(for: "x", "21")
        }
        await container.close()
    }

    @Test("Of many puts, none is lost that was the last of its key, and none is published twice, while etcd is killed")
    func many() async throws {
        let count = ProcessInfo.processInfo.environment["LONG"] == "1" ? 1000 : 300
        let server = try await EtcdServer()
        try await container.start([EtcdPropertyLoader(client: client, url: server.url, prefix: "/shop/")])
        let published = Log<(name: String, value: Int)>(), changes = container.changes()
        let reader = Task {
            for await set in changes {
                for change in set {
                    guard case .text(let text) = change.new?.node.value else { continue }
                    published.add((change.name, Int(text) ?? -1))
                }
            }
        }
        try await container.watching { _ in
            for number in 1...count {
                if number == count / 2 {
                    server.kill()
                    try await server.start()
                }
                try await server.put("/shop/key\(number % 10)", "\(number)")
            }
            for number in (count - 9)...count { await container.wait(for: "key\(number % 10)", "\(number)") }
        }
        try await wait { published.all.contains { $0.value == count } }
        reader.cancel()
        for (name, values) in Dictionary(grouping: published.all, by: \.name).mapValues({ $0.map(\.value) }) {
            // Each put of a key has a greater number: an equal one is published twice, a smaller one too late.
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "\(name): \(values)")
        }
        await container.close()
    }

    @Test("A service starts with the last good values while etcd is away, and follows etcd when it is back")
    func lastGood() async throws {
        let server = try await EtcdServer()
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let etcd = EtcdPropertyLoader(client: client, url: server.url, prefix: "/shop/")
        try await server.put("/shop/db/port", "1")
        let first = Container()
        let loader = LastGoodLoader(etcd, file: file)
        try await first.start([loader])
        loader.save(first.properties)
        await first.close()

        server.kill()
        let second = LastGoodLoader(etcd, file: file)
        try await container.start([second])
        #expect(container.property("db.port") == 1)
        #expect(container.properties.entries.first?.node.origin.description == file.path)
        try await container.watching(onReload: { [container] in second.save(container.properties) }) { failures in
            try await wait { !failures.all.isEmpty }
            try await server.start()
            try await server.put("/shop/db/port", "2")
            await container.wait(for: "db.port", "2")
            try await wait { (try? String(contentsOf: file, encoding: .utf8)) == #"{"db.port":"2"}"# }
        }
        await container.close()
    }
}
