import Foundation
import PropertyLoadersEssentials
import Testing

@Suite("The loaders of JSON and TOML")
struct JsonAndTomlPropertyLoaderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "loaders-\(UUID().uuidString)")

    /// Writes a text to a file in the folder of this test.
    private func file(_ name: String, _ text: String) throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url
    }

    /// Returns the error that a load throws, or nil.
    private func failure(_ loader: some PropertyLoader) -> PropertyLoadError? {
        do {
            _ = try loader.load()
            return nil
        } catch { return error as? PropertyLoadError }
    }

    @Test("A layer has the file's table, merge rule, path and source")
    func files() throws {
        let jsonFile = try file("a.json", "// defaults\n{\"api\": {\"timeout\": 30}, \"api\": 1}")
        let tomlFile = try file("a.toml", "[api]\ntimeout = 30")
        defer { try? FileManager.default.removeItem(at: folder) }
        let json = try JsonPropertyLoader(url: jsonFile).load()
        let toml = try TomlPropertyLoader(url: tomlFile).load()
        #expect(json.table.notation == "{api: 1}")
        #expect(toml.table.notation == "{api: {timeout: 30}}")
        #expect(json.merge == .firstLevel)
        #expect(toml.merge == .deep)
        #expect(json.warnings.count == 1)
        #expect(json.files == [jsonFile.standardizedFileURL.path])
        #expect(toml.source?.identity == tomlFile.standardizedFileURL.path)
        #expect(toml.source?.name == tomlFile.relativePath)
        #expect(try TomlPropertyLoader(url: tomlFile, merge: .firstLevel).load().merge == .firstLevel)
        #expect(try JsonPropertyLoader(url: jsonFile, merge: .deep).load().merge == .deep)
    }

    @Test("The source of a string or of bytes has the given name")
    func strings() throws {
        let layers = [
            try JsonPropertyLoader(string: "{\"a\": 1}", name: "inline").load(),
            try JsonPropertyLoader(bytes: Array("{\"a\": 1}".utf8), name: "inline").load(),
            try TomlPropertyLoader(string: "a = 1", name: "inline").load(),
            try TomlPropertyLoader(bytes: Array("a = 1".utf8), name: "inline").load(),
        ]
        for layer in layers {
            #expect(layer.table.notation == "{a: 1}")
            #expect(layer.source?.name == "inline")
            #expect(layer.source?.identity == "inline")
            #expect(layer.files.isEmpty)
        }
    }

    @Test("An empty file is valid TOML, and not valid JSON")
    func empty() throws {
        let url = try file("empty", "")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try TomlPropertyLoader(url: url).load().table.notation == "{}")
        #expect(failure(JsonPropertyLoader(url: url))?.reason == .syntax)
    }

    @Test("A missing file is named in messages by the path that was given")
    func missing() throws {
        let url = URL(fileURLWithPath: "no-such-folder/config.toml")
        let error = try #require(failure(TomlPropertyLoader(url: url)))
        #expect(error.reason == .notFound)
        #expect(
            error.description == """
                no-such-folder/config.toml: no such file. Check the path, and the directory that the program was started in.
                """)
        #expect(failure(JsonPropertyLoader(url: URL(fileURLWithPath: "/no/such/file.json")))?.reason == .notFound)
    }

    @Test("A network URL is rejected")
    func network() throws {
        let url = try #require(URL(string: "https://example.com/config.json"))
        #expect(failure(JsonPropertyLoader(url: url))?.problem == "this URL leads to no file")
    }

    @Test("Text above the size limit is rejected, and text of exactly that size is not")
    func size() throws {
        let url = try file("large.toml", "a = 1234\n")
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(failure(TomlPropertyLoader(url: url, limits: SyntaxLimits(bytes: 8)))?.reason == .limit)
        #expect(failure(TomlPropertyLoader(url: url, limits: SyntaxLimits(bytes: 9))) == nil)
        #expect(
            failure(TomlPropertyLoader(string: "a = 1", name: "a", limits: SyntaxLimits(bytes: 4)))?.reason == .limit)
    }

    @Test("A file of /proc, which has no size, is read to its end")
    func proc() throws {
        guard FileManager.default.fileExists(atPath: "/proc/self/status") else { return }
        // The text is neither JSON nor TOML, so a syntax error shows that it was read.
        #expect(failure(JsonPropertyLoader(url: URL(fileURLWithPath: "/proc/self/status")))?.reason == .syntax)
    }

    @Test("JSON whose value is not an object is an error", arguments: ["[1]", "1", "null", "\"a\""])
    func noTable(_ text: String) throws {
        let error = try #require(failure(JsonPropertyLoader(string: "\n \(text)", name: "a.json")))
        #expect(error.reason == .notATable)
        #expect(
            error.description == """
                a.json:2:2: the value at the top is not an object; expected an object of properties. \
                Put it into braces under a key, as in `{"items": …}`.
                """)
    }

    @Test("The schema that a JSON file names at its top is no property, and no unknown key")
    func schema() throws {
        let store = PropertyStore()
        store.declare(TypedKey<Int>("a"))
        let file = JsonPropertyLoader(string: #"{"$schema": "./config.schema.json", "a": 1}"#, name: "a.json")
        try store.applyAndVerify([file], unknownKeys: .refused)
        #expect(store.entries.map(\.name) == ["a"])
        for text in [#"{"a": 1, "$schema": 5}"#, #"{"a": 1, "b": {"$schema": "x"}}"#] {
            let other = JsonPropertyLoader(string: text, name: "a.json")
            #expect(throws: ConfigurationErrors.self) { try store.applyAndVerify([other], unknownKeys: .refused) }
        }
    }

    @Test("Each kind of failure has its own reason")
    func reasons() {
        #expect(failure(TomlPropertyLoader(string: "a = 1\na = 2", name: "a"))?.reason == .duplicate)
        #expect(failure(TomlPropertyLoader(string: "a = 9e999", name: "a"))?.reason == .unsupported)
        #expect(
            failure(TomlPropertyLoader(string: "a = [[]]", name: "a", limits: SyntaxLimits(depth: 1)))?.reason == .limit
        )
        #expect(failure(TomlPropertyLoader(string: "a =", name: "a"))?.reason == .syntax)
    }
}
