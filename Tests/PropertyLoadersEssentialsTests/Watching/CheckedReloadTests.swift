import Foundation
import Properties
import PropertyLoadersEssentials
import Testing

@Suite("A watcher publishes only states that pass the checks", .hangLimit)
struct CheckedReloadTests {
    @Test("Wrong values are reported with their places, the last good state stays, and later good changes come")
    func wrongType() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("[greeting]\ntext = \"Hello\"\n", to: "config.toml")
        let store = PropertyStore()
        store.declare(TypedKey<String>("greeting.text"), TypedKey<Duration>("greeting.every", default: .seconds(2)))
        try store.applyAndVerify([TomlPropertyLoader(url: file)], unknownKeys: .refused)
        let running = Running(store)
        // In one step: a reload after the file is truncated would report that the text is missing.
        try Data("[greeting]\ntext = 5\nevery = 2\nevry = \"1s\"\n".utf8).write(to: file, options: .atomic)
        let failure = try await running.waitForFailure()
        #expect(
            failure == """
                The configuration has 3 problems:
                  \(file.path):2:8  'greeting.text' is the integer 5; expected a string. Put it in quotes.
                  \(file.path):3:9  'greeting.every' is the integer 2; expected a duration such as "1m30s" or "250ms". \
                Add the unit: "2s" for seconds, "2ms" for milliseconds.
                  \(file.path):4:1  'greeting.evry' is not a key that is read. Check its spelling, or remove it.
                """)
        #expect(store.property("greeting.text") == "Hello")
        try Data("[greeting]\ntext = \"Good evening\"\n".utf8).write(to: file, options: .atomic)
        await running.wait(for: "greeting.text", "Good evening")
        #expect(running.failures.all.count == 1)
        try await running.stop()
    }
}
