import Foundation
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The loaders of JSON and TOML")
struct JsonAndTomlPropertyLoaderTests {
    @Test("A layer has the file's table, merge rule, path and source")
    func files() throws {
        let scratch = try Scratch()
        let jsonFile = try scratch.write("// defaults\n{\"api\": {\"timeout\": 30}, \"api\": 1}", to: "a.json")
        let tomlFile = try scratch.write("[api]\ntimeout = 30", to: "a.toml")
        let json = try JsonPropertyLoader(url: jsonFile).load()
        let toml = try TomlPropertyLoader(url: tomlFile).load()
        #expect(json.table.map { "\($0.key) \($0.node.value)" } == ["api integer(1)"])
        #expect(toml.table.map(\.key) == ["api"])
        #expect(json.merge == .firstLevel)
        #expect(toml.merge == .deep)
        #expect(json.warnings.count == 1)
        #expect(json.files == [jsonFile.standardizedFileURL.path])
        #expect(toml.source?.identity == tomlFile.standardizedFileURL.path)
        #expect(toml.source?.name == tomlFile.relativePath)
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
            #expect(layer.table.map { "\($0.key) \($0.node.value)" } == ["a integer(1)"])
            #expect(layer.source?.name == "inline")
            #expect(layer.source?.identity == "inline")
            #expect(layer.files.isEmpty)
        }
    }

    @Test("A trailing comma in JSON is a remark for `properties check`, and no warning of a service")
    func trailingComma() throws {
        let loader = JsonPropertyLoader(string: "{\n  \"a\": [1, 2,] // b\n}", name: "c.json")
        let layer = try loader.load()
        #expect(layer.warnings.isEmpty)
        #expect(
            layer.remarks.map(\.description) == [
                "c.json:2:13: a comma follows the last value, which many parsers of JSON refuse. Remove this comma."
            ])
        let store = try PropertyStore(sources: loader)
        #expect(store.property("a") == [1, 2])
        #expect(store.warnings.isEmpty)
        #expect(try loader.secret().load().remarks.allSatisfy { $0.origin.source.isSecret })
        #expect(loadError { try JsonPropertyLoader(string: "{\"a\": 1,,}", name: "c").load() }?.reason == .syntax)
    }

    @Test("An error behind a name that is usual for secrets quotes nothing")
    func secretNames() throws {
        func errors(_ text: String, _ isJson: Bool) -> [PropertyLoadError] {
            let loader: any PropertyLoader =
                isJson ? JsonPropertyLoader(string: text, name: "c") : TomlPropertyLoader(string: text, name: "c")
            return loadError { try loader.load() }.map { [$0] + $0.furtherErrors } ?? []
        }
        for (text, isJson) in [
            ("[db]\npassword = hunter2", false), ("api_key=12hunter2", false), ("\"db.pwd\" = \"x\"hunter2\"", false),
            ("a = x\nb = { token = hunter2 }", false), ("secret = [\"a=b\", hunter2]", false),
            ("{\"password\": hunter2}", true), ("{\"a\": {\"smtp.pass\" : 12hunter2}}", true),
        ] {
            let errors = errors(text, isJson)
            #expect(!errors.isEmpty, "\(text)")
            for error in errors {
                #expect(!error.description.contains("hunter2"), "\(error)")
                #expect(!error.longDescription.contains("hunter2"), "\(error)")
            }
        }
        #expect(
            errors("[db]\npassword = hunter2", false).map(\.description) == [
                "c:2:12: what stands here cannot be read; it is secret; expected a value. Put text in quotes."
            ])
        #expect(
            errors("[db]\nname = hunter2", false).map(\.description) == [
                "c:2:8: the text `hunter2` has no quotes; expected a value. Put text in quotes."
            ])
    }

    @Test("CRLF in a string of several lines is LF in every format")
    func lineEnds() throws {
        let toml = try PropertyStore(sources: TomlPropertyLoader(string: "a = \"\"\"x\r\ny\"\"\"\r\n", name: "a"))
        let env = try PropertyStore(sources: DotEnvPropertyLoader(string: "A=\"x\r\ny\"\r\n", name: "a"))
        #expect(toml.property("a") == "x\ny")
        #expect(env.property("a") == "x\ny")
    }

    @Test("An empty file is valid TOML, and not valid JSON")
    func empty() throws {
        #expect(try TomlPropertyLoader(string: "", name: "a").load().table.isEmpty)
        #expect(loadError { try JsonPropertyLoader(string: "", name: "a").load() }?.reason == .syntax)
    }

    @Test("A missing file is named in messages by the path that was given")
    func missing() throws {
        let url = URL(fileURLWithPath: "no-such-folder/config.toml")
        let error = try #require(loadError { try TomlPropertyLoader(url: url).load() })
        #expect(error.reason == .notFound)
        #expect(
            error.description == """
                no-such-folder/config.toml: no such file in \(FileManager.default.currentDirectoryPath). Create it, correct its path, or start the program in the directory that has it.
                """)
    }

    @Test("A network URL is rejected")
    func network() throws {
        let url = try #require(URL(string: "https://example.com/config.json"))
        #expect(loadError { try JsonPropertyLoader(url: url).load() }?.problem == "this URL leads to no file")
    }

    @Test("Text above the size limit is rejected, and text of exactly that size is not")
    func size() throws {
        func load(_ limit: Int) throws -> PropertyLayer {
            try TomlPropertyLoader(string: "a = 1234\n", name: "a", limits: SyntaxLimits(bytes: limit)).load()
        }
        #expect(try load(9).table.count == 1)
        #expect(loadError { try load(8) }?.reason == .limit)
    }

    @Test("JSON whose value is not an object is an error", arguments: ["[1]", "1", "null", "\"a\""])
    func noTable(_ text: String) throws {
        let error = try #require(loadError { try JsonPropertyLoader(string: "\n \(text)", name: "a.json").load() })
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
        try store.start([file])
        #expect(store.entries.map(\.name) == ["a"])
        for text in [#"{"a": 1, "$schema": 5}"#, #"{"a": 1, "b": {"$schema": "x"}}"#] {
            let other = JsonPropertyLoader(string: text, name: "a.json")
            #expect(throws: ConfigurationErrors.self) { try store.start([other]) }
        }
    }

    @Test(
        "Each kind of failure has its own reason",
        arguments: [
            ("a = 1\na = 2", PropertyLoadError.Reason.duplicate), ("a = 9e999", .unsupported), ("a = [[]]", .limit),
            ("a =", .syntax),
        ])
    func reasons(text: String, reason: PropertyLoadError.Reason) {
        let loader = TomlPropertyLoader(string: text, name: "a", limits: SyntaxLimits(depth: 1))
        #expect(loadError { try loader.load() }?.reason == reason)
    }
}
