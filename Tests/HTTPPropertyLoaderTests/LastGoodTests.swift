import Container
import Foundation
import HTTPPropertyLoader
import TestSupport
import Testing

@Suite("The last good document", .enabled(if: NginxServer.program != nil), .timeLimit(.minutes(30)))
struct LastGoodTests {
    private let container = Container()

    private func loader(
        _ server: NginxServer, _ file: URL, _ path: String = "settings.json", isSecret: Bool = false
    ) -> HTTPPropertyLoader {
        HTTPPropertyLoader(
            url: URL(string: "\(server.url)/\(path)")!, isSecret: isSecret, interval: .milliseconds(20), lastGood: file)
    }

    private func text(_ file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }

    @Test("It is kept with mode 0600 when its values are in force, and not before, nor when they are refused")
    func kept() async throws {
        let server = try await NginxServer(["settings.json": "{\"port\": 1}"]),
            file = server.folder.appending(path: "good")
        let loader = loader(server, file)
        _ = try await loader.load()
        #expect(text(file) == nil)
        container.properties.declare(TypedKey<Int>("port", default: 0))
        try await container.start([loader])
        let head = "json \(server.url)/settings.json\n"
        #expect(text(file) == head + "{\"port\": 1}")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try await container.watching { failures in
            try server.write("{\"port\": \"no\"}", to: "settings.json")
            try await wait { !failures.all.isEmpty }
            #expect(text(file) == head + "{\"port\": 1}")
            try server.write("{\"port\": 3}", to: "settings.json")
            try await wait { text(file) == head + "{\"port\": 3}" }
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: server.folder.path).filter { $0.contains("new") } == [])
    }

    @Test("A start uses it while the server is away, says so, and follows the server when it is back")
    func used() async throws {
        let server = try await NginxServer(["settings.json": "{\"port\": 1}"]),
            file = server.folder.appending(path: "good")
        try await Container().start([loader(server, file)])
        try await Container().start([loader(server, file)])
        try await server.kill()
        try await container.start([loader(server, file)])
        #expect(container.property("port") == 1)
        let warning = try #require(container.properties.warnings.first?.description)
        #expect(container.properties.warnings.count == 1)
        #expect(warning.hasPrefix("\(server.url)/settings.json: the request has failed: "), "\(warning)")
        let end = #/\. The values are those of 20..-..-..T..:..:..Z, from .*\/good$/#
        #expect(warning.contains(end), "\(warning)")
        let source = try #require(container.properties.status.sources.first)
        #expect(source.confirmed == nil && source.failure?.error.description == warning)
        try await container.watching { failures in
            try await wait { !failures.all.isEmpty }
            try server.write("{\"port\": 2}", to: "settings.json")
            try await server.start()
            await container.wait(for: "port", 2)
            #expect(container.properties.warnings.isEmpty)
        }
    }

    @Test("It is used neither if it is of another document, nor if the server answers, nor after the start")
    func unused() async throws {
        let server = try await NginxServer(["settings.json": "{\"port\": 1}", "other.json": "{}"])
        let file = server.folder.appending(path: "good"), first = loader(server, file)
        try await container.start([first])
        #expect(await failure(of: loader(server, file, "missing.json"))?.reason == .notFound)
        try await server.kill()
        #expect(await failure(of: first)?.reason == .unavailable)
        let other = try #require(await failure(of: loader(server, file, "other.json")))
        let end =
            ", and the last good document cannot be used: \(file.path): it has another document; expected "
            + "'\(server.url)/other.json'. Give each loader a file of its own."
        #expect(other.description.hasSuffix(end) && other.reason == .unavailable, "\(other)")
        for broken in ["", "json", "json \(server.url)/settings.json\n{\"port\": "] {
            try Data(broken.utf8).write(to: file)
            let error = try #require(await failure(of: loader(server, file)))
            #expect(error.description.contains(", and the last good document cannot be used: "), "\(error)")
        }
        try FileManager.default.removeItem(at: file)
        let error = try #require(await failure(of: loader(server, file)))
        #expect(!error.description.contains("last good"), "\(error)")
    }

    @Test("A command uses it, and does not write it")
    func readOnly() async throws {
        let server = try await NginxServer(["settings.json": "{\"port\": 1}"])
        let file = server.folder.appending(path: "good"), loader = loader(server, file)
        try await Container().start([loader.withoutKeeping])
        #expect(text(file) == nil)
        try await Container().start([loader])
        let kept = try #require(text(file))
        try server.write("{\"port\": 2}", to: "settings.json")
        try await Container().start([self.loader(server, file).withoutKeeping])
        #expect(text(file) == kept)
        try await server.kill()
        try await container.start([self.loader(server, file).withoutKeeping])
        #expect(container.property("port") == 1)
    }

    @Test("A directory that does not exist is a warning")
    func unwritable() async throws {
        let server = try await NginxServer(["settings.json": "{\"port\": 1}"])
        try await container.start([loader(server, server.folder.appending(path: "none/good"))])
        #expect(
            container.properties.warnings.map(\.description) == [
                "\(server.folder.path)/none/good: the last good document cannot be kept here: the directory does not exist, "
                    + "or this user may not write to it. Create the directory, and let the service write to it."
            ])
    }
}
