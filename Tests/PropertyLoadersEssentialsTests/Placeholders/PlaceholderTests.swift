import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Placeholders")
struct PlaceholderTests {
    private static let rules = PropertyPlaceholders(
        lookups: [
            "env": { .init(["HOME": "/root", "PORT": "80", "EMPTY": ""][$0]) },
            "vault": { .init($0 == "key" ? "hunter2" : nil, isSecret: true) },
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
