import Foundation
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Documents of a server that change, and servers that fail", .hangLimit)
struct HTTPOutageTests {
    private let store = PropertyStore()
    private let document = ServedDocument("{\"port\": 1}")

    private func loader(lastGood: URL? = nil, url: URL = documentURL) -> HttpPropertyLoader {
        HttpPropertyLoader(
            url: url, exchange: document.exchange, interval: .milliseconds(10), timeout: patience, lastGood: lastGood)
    }

    private func start(_ loader: HttpPropertyLoader) async throws {
        store.declare(TypedKey<Int>("port", default: 0))
        try await store.start(awaiting: [loader], timeout: patience)
    }

    private func wait(for value: Int) async {
        let changes = store.changes(of: "port", as: Int.self)
        if changes.current == value { return }
        for await change in changes where change.new == value { return }
    }

    @Test("A document that has not changed is not sent again; a change is published, and a wrong one is refused")
    func changes() async throws {
        try await start(loader())
        try await store.watching { reports in
            try await until { document.requests.count > 5 }
            #expect(document.requests.dropFirst().allSatisfy { $0.headers["If-None-Match"] == "\"1\"" })
            document.set("{\"port\": 22}")
            await wait(for: 22)
            for (count, wrong) in ["{\"port\": \"x\"}", "{\"port\": 4,}x", "{}"].enumerated() {
                document.set(wrong)
                try await until { reports.all.count == count + 1 }
            }
            #expect(store.property("port") == 22)
            document.set("{\"port\": 5}")
            await wait(for: 5)
            #expect(reports.all.first?.hasPrefix("\(documentURL):1:10: 'port' is the string \"x\";") == true)
            #expect(
                reports.all.last
                    == "\(documentURL): the document has no properties any more. If that is intended, restart the service."
            )
        }
    }

    @Test("While the server is away, its last values stay; when it is back, a change is published")
    func away() async throws {
        try await start(loader())
        try await store.watching { reports in
            document.setAway(true)
            try await until { store.status.sources.first?.failure != nil }
            let source = try #require(store.status.sources.first)
            #expect(try #require(source.failure).since > #require(source.confirmed))
            try store.reload()
            #expect(store.property("port") == 1 && store.status.sources.first?.confirmed == source.confirmed)
            document.set("{\"port\": 2}")
            document.setAway(false)
            await wait(for: 2)
            #expect(store.status.sources.first?.failure == nil)
            #expect(reports.all == ["\(documentURL): the request has failed: connection refused"])
        }
        document.setAway(true)
        let error = await #expect(throws: ConfigurationErrors.self) {
            try await PropertyStore().apply(awaiting: [loader()], timeout: patience)
        }
        #expect(error?.exitStatus == 69)
    }

    @Test("Watchers of several stores share a loader, and each sees all changes")
    func shared() async throws {
        let loader = loader(), other = PropertyStore()
        try await start(loader)
        try await other.apply(awaiting: [loader], timeout: patience)
        try await store.watching { _ in
            try await other.watching { _ in
                for value in 2...8 {
                    document.set("{\"port\": \(value)}")
                    await wait(for: value)
                    try await until { other.property("port") == value }
                }
            }
        }
    }

    @Test(
        "A refusal at the first start is a mistake of the configuration, and an outage after a good start",
        arguments: [400, 401, 403, 404, 410, 302])
    func refused(status: Int) async throws {
        document.refuse(with: status)
        let first = await #expect(throws: ConfigurationErrors.self) { try await start(loader()) }
        #expect(first?.exitStatus == 78)
        document.refuse(with: nil)
        let scratch = try Scratch(), file = scratch.file("good"), good = loader(lastGood: file)
        try await start(good)
        document.refuse(with: status)
        // In the process that has had the document, and in the next one, which knows it by the file.
        for loader in [good, loader(lastGood: file)] {
            let later = await #expect(throws: ConfigurationErrors.self) {
                try await PropertyStore().apply(awaiting: [loader], timeout: patience)
            }
            #expect(later?.exitStatus == 69)
            #expect(try first?.description.hasPrefix(#require(later?.description)) == true)
        }
    }

    // MARK: The last good document

    private func text(_ file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }

    @Test("It is kept with mode 0600 when its values are in force, and not before, nor when they are refused")
    func kept() async throws {
        let scratch = try Scratch(), file = scratch.file("good"), loader = loader(lastGood: file)
        _ = try await loader.load()
        #expect(text(file) == nil)
        try await start(loader)
        let head = "json \(documentURL)\n"
        #expect(text(file) == head + "{\"port\": 1}")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try await store.watching { reports in
            document.set("{\"port\": \"no\"}")
            try await until { !reports.all.isEmpty }
            #expect(text(file) == head + "{\"port\": 1}")
            document.set("{\"port\": 3}")
            try await until { text(file) == head + "{\"port\": 3}" }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["good"])
    }

    @Test("Several services may write it at the same time")
    func severalWriters() async throws {
        let scratch = try Scratch(), file = scratch.file("good")
        let warnings = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<50 {
                group.addTask { [loader = loader(lastGood: file)] in
                    // The second load reports what the first could not write.
                    let store = PropertyStore()
                    for _ in 0..<2 { try await store.apply(awaiting: [loader], timeout: patience) }
                    return store.warnings.map(\.description)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(warnings == [])
        #expect(text(file) == "json \(documentURL)\n{\"port\": 1}")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["good"])
    }

    @Test("A start uses it while the server is away, says so, and follows the server when it is back")
    func used() async throws {
        let scratch = try Scratch(), file = scratch.file("good")
        for _ in 0..<2 { try await PropertyStore().apply(awaiting: [loader(lastGood: file)], timeout: patience) }
        document.setAway(true)
        try await start(loader(lastGood: file))
        #expect(store.property("port") == 1)
        let warning = try #require(store.warnings.first?.description)
        #expect(store.warnings.count == 1)
        #expect(warning.hasPrefix("\(documentURL): the request has failed: connection refused. The values "))
        #expect(warning.contains(#/ are from 20..-..-..T..:..:..Z, in .*\/good$/#), "\(warning)")
        let source = try #require(store.status.sources.first)
        #expect(source.confirmed == nil && source.failure?.error.description == warning)
        try await store.watching { reports in
            try await until { !reports.all.isEmpty }
            document.set("{\"port\": 2}")
            document.setAway(false)
            await wait(for: 2)
            #expect(store.warnings.isEmpty)
        }
    }

    @Test("It is used neither if it is of another document, nor if it is broken, nor after the start")
    func unused() async throws {
        let scratch = try Scratch(), file = scratch.file("good"), first = loader(lastGood: file)
        try await start(first)
        document.setAway(true)
        #expect(await failure(of: first)?.reason == .unavailable)
        let otherURL = documentURL.deletingLastPathComponent().appending(path: "other.json")
        let other = try #require(await failure(of: loader(lastGood: file, url: otherURL)))
        #expect(
            other.description.hasSuffix(
                ", and the last good document cannot be used: \(file.path): it has another document; expected "
                    + "'\(otherURL)'. Let the program keep each document in a file of its own.")
                && other.reason == .unavailable, "\(other)")
        for broken in ["", "json", "json \(documentURL)\n{\"port\": "] {
            try Data(broken.utf8).write(to: file)
            let error = try #require(await failure(of: loader(lastGood: file)))
            #expect(error.description.contains(", and the last good document cannot be used: "), "\(error)")
        }
        try FileManager.default.removeItem(at: file)
        let error = try #require(await failure(of: loader(lastGood: file)))
        #expect(error.description == "\(documentURL): the request has failed: connection refused")
    }

    @Test("It is not used for another query, but for another secret in the query")
    func query() async throws {
        let scratch = try Scratch(), file = scratch.file("good")
        func url(_ query: String) throws -> URL { try #require(URL(string: "\(documentURL)?\(query)")) }
        try await PropertyStore().apply(
            awaiting: [loader(lastGood: file, url: url("env=staging&token=s3cret"))], timeout: patience)
        #expect(text(file)?.contains("s3cret") == false)
        document.setAway(true)
        let error = try #require(await failure(of: loader(lastGood: file, url: url("env=production&token=s3cret"))))
        #expect(
            error.description.contains(
                ": it has another document; expected '\(documentURL)' with the same query. "), "\(error)")
        for query in ["env=staging&token=other", "env=staging&token=s3cret"] {
            let store = PropertyStore()
            try await store.apply(awaiting: [loader(lastGood: file, url: url(query))], timeout: patience)
            #expect(store.property("port") == 1)
        }
    }

    @Test("A command uses it, and does not write it")
    func readOnly() async throws {
        let scratch = try Scratch(), file = scratch.file("good")
        try await PropertyStore().apply(awaiting: [loader(lastGood: file).withoutKeeping], timeout: patience)
        #expect(text(file) == nil)
        try await PropertyStore().apply(awaiting: [loader(lastGood: file)], timeout: patience)
        let kept = try #require(text(file))
        document.set("{\"port\": 2}")
        try await PropertyStore().apply(awaiting: [loader(lastGood: file).withoutKeeping], timeout: patience)
        #expect(text(file) == kept)
        document.setAway(true)
        try await start(loader(lastGood: file).withoutKeeping)
        #expect(store.property("port") == 1)
    }

    @Test("A directory that does not exist, or in whose place is something else, is a warning")
    func unwritable() async throws {
        let scratch = try Scratch()
        try scratch.write("", to: "file")
        for folder in ["none", "file"] {
            let file = scratch.file("\(folder)/good"), store = PropertyStore()
            try await store.apply(awaiting: [loader(lastGood: file)], timeout: patience)
            #expect(
                store.warnings.map(\.description) == [
                    "\(file.path): the last good document cannot be kept here: the directory does not exist, or this user "
                        + "may not write to it. Create the directory, and let the service write to it."
                ])
        }
    }

    @Test("A file that cannot be replaced stays, leaves no other one behind, and is a warning from then on")
    func replaced() async throws {
        let scratch = try Scratch(), file = scratch.file("good"), loader = loader(lastGood: file)
        // A directory cannot be replaced by a file.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        try await start(loader)
        document.set("{\"port\": 2}")
        try await PropertyStore().apply(awaiting: [loader], timeout: patience)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["good"])
        let warning = try await loader.load().warnings.first
        let text = "\(file.path): the last good document cannot be kept here: "
        #expect(warning?.description.hasPrefix(text) == true, "\(warning as Any)")
    }
}
