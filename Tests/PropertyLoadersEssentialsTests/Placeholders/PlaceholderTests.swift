import Foundation
import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

@Suite("Placeholders")
struct PlaceholderTests {
    private static let rules = PropertyPlaceholders(
        lookups: [
            "env": { ["HOME": "/root", "PORT": "80", "EMPTY": ""][$0].map { .init($0) } },
            "vault": { $0 == "key" ? .init("hunter2", isSecret: true) : nil },
        ], depthLimit: 8, sizeLimit: 1000)

    private func store(_ values: KeyValuePairs<String, PropertyValue>) throws -> PropertyStore {
        try PropertyStore(sources: Given(values).replacingPlaceholders(Self.rules))
    }

    @Test("Each form of placeholder is replaced, or is an error with a remedy, and then the store stays as it was")
    func forms() throws {
        let large = PropertyValue.string(String(repeating: "d", count: 200))
        let forms = try RecordedMessages.compare("placeholders") { text in
            let given = Given([
                "x": .string(text), "host": "h", "port": 8080, "list": ["a", "b"], "on": true, "ratio": 0.5,
                "text": .text("5"), "empty": "", "emptyText": .text(""), "null": nil, "deep": ["name": "${host}!"],
                "table": ["a": 1], "y": "${z}", "z": text.contains("${y}") ? "-${x}" : "", "d1": large, "d2": large,
                "d3": large, "d4": large, "c1": "${c2}", "c2": "${c3}", "c3": "${c4}", "c4": "${c5}", "c5": "${c6}",
                "c6": "${c7}", "c7": "${c8}", "c8": "${c9}", "c9": "end",
            ])
            guard let store = try? PropertyStore(sources: Given("before", ["before": 1])) else { return nil }
            do {
                try store.apply(given.replacingPlaceholders(Self.rules))
                return "\(try store.require("x") as PropertyValue)"
            } catch {
                return store.values == ["before=1"] ? ConfigurationErrors([error]).lines : "the store has changed"
            }
        }
        #expect(forms == (45, []))
    }

    @Test("Names are looked up after merging, and the origin is that of the text with the placeholder")
    func merged() throws {
        let toml = TomlPropertyLoader(string: "host = \"a\"\nurl = \"http://${host}\"\n", name: "config.toml")
        let store = PropertyStore()
        try store.apply([toml.replacingPlaceholders(), Given("later", ["host": "b"])])
        #expect(store.explain("url").map(\.description) == ["url = \"http://b\" (config.toml:2:7)"])
        try store.apply(Given("later", ["host": "c", "raw": "${host}"]))
        #expect(store.property("url") == "http://c")
        #expect(store.property("raw") == "${host}")
        let child = PropertyStore(parent: store)
        try child.apply(Given("child", ["host": "d"]))
        #expect(child.property("url") == "http://d")
    }

    @Test("Placeholders in the elements of an array are replaced")
    func arrays() throws {
        let store = try store(["hosts": ["a.${zone}", ["name": "${zone}"], 5], "zone": "z", "list": [1]])
        #expect(store.values == ["hosts=[\"a.z\", {1 key}, 5]", "list=[1]", "zone=\"z\""])
        loadError { try self.store(["x": ["${list}"], "list": [1]]) }
    }

    @Test("A text that contains a secret is secret too, also over several steps")
    func secrets() throws {
        let store = try PropertyStore(sources: Given("file", ["password": "hunter2"]).secret())
        store.declareSecret("token")
        try store.apply(
            Given([
                "url": "db://u:${password}@h", "copy": "${url}", "list": ["${copy}"], "lookup": "${vault:key}",
                "token": "hunter2", "header": "Bearer ${token}", "free": "x",
            ]).replacingPlaceholders(Self.rules))
        #expect(store.values.count == 8)
        #expect(store.values.filter { !$0.hasSuffix("=********") } == ["free=\"x\""])
        #expect(store.property("copy") == "db://u:hunter2@h")
        let error = #expect(throws: PropertyError.self) { try store.require("copy", as: Int.self) }
        #expect(error.map { "\($0)" }?.contains("hunter2") == false)
        #expect(!store.explain("copy").description.contains("hunter2"))
    }

    @Test("By default, environment variables and files are looked up")
    func standard() throws {
        let scratch = try Scratch()
        let file = try scratch.write("hunter2\n", to: "secret")
        try Data([0xFF]).write(to: scratch.file("binary"))
        let store = try PropertyStore(
            sources: Given([
                "path": "${env:PATH}", "secret": .string("${file:\(file.path)}"),
                "none": .string("${file:\(file.path).none:-d}"),
            ]).replacingPlaceholders())
        #expect(store.property("path").map { (path: String) in !path.isEmpty } == true)
        #expect(store.property("secret") == "hunter2")
        #expect(store.values.filter { !$0.hasPrefix("path=") } == ["none=\"d\"", "secret=********"])
        for path in ["relative", scratch.url.path, scratch.file("binary").path, file.path + ".none"] {
            loadError {
                try PropertyStore(sources: Given(["x": .string("${file:\(path)}")]).replacingPlaceholders())
            }
        }
    }

    @Test("A missing file is watched, and loaded when it appears", .hangLimit)
    func missingFile() async throws {
        let scratch = try Scratch()
        let path = scratch.file("secret").path
        let store = try PropertyStore(
            sources: Given(["x": .string("${file:\(path):-default} ${file:\(path):-d}")]).replacingPlaceholders())
        #expect(store.property("x") == "default d")
        #expect(store.files == [path])
        let running = Running(store)
        try scratch.write("hunter2", to: "secret")
        await running.wait(for: "x", "hunter2 hunter2")
        try FileManager.default.removeItem(atPath: path)
        await running.wait(for: "x", "default d")
        try scratch.write("again", to: "secret")
        await running.wait(for: "x", "again again")
        try await running.stop()
        #expect(running.failures.all.isEmpty)
    }

    @Test("A placeholder that fails in an overridden value is ignored, and each lookup runs once per load")
    func overridden() throws {
        let count = Mutex(0)
        let rules = PropertyPlaceholders(lookups: [
            "n": { _ in
                count.withLock { $0 += 1 }
                return .init("1")
            }
        ])
        let store = PropertyStore()
        try store.apply([
            Given(["x": "${none}", "y": "${n:a}${n:a}"]).replacingPlaceholders(rules), Given("b", ["x": 1]),
        ])
        #expect(store.property("x") == 1)
        try store.apply(Given("c", ["z": 1]))
        #expect(count.withLock { $0 } == 1)
    }

    @Test("If a parent loses a property that a child refers to, the child reads nil and its next change throws")
    func lostName() throws {
        let parent = try PropertyStore(sources: Given(["host": "h"]))
        let child = PropertyStore(parent: parent)
        try child.apply(Given("child", ["url": "//${host}"]).replacingPlaceholders(Self.rules))
        #expect(child.property("url") == "//h")
        try parent.apply(Given([:]))
        #expect(child.property("url") as String? == nil)
        loadError { try child.apply(Given("other", ["a": 1])) }
        try parent.apply(Given(["host": "new"]))
        #expect(child.property("url") == "//new")
    }
}
