import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Placeholders")
struct PlaceholderTests {
    private static let rules = PropertyPlaceholders(
        lookups: [
            "env": { ["HOME": "/root", "PORT": "80", "EMPTY": ""][$0].map { .init($0) } },
            "vault": { $0 == "key" ? .init("hunter2", isSecret: true) : nil },
        ], depthLimit: 8, sizeLimit: 1000)

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

}
