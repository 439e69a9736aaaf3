import Container
import Foundation
import PropertyLoaders
import Testing

@Suite("YAML", .timeLimit(.minutes(60)))
struct YamlTests {
    private let container = Container()
    private var store: PropertyStore { container.properties }

    private func load(_ text: String) throws {
        try store.apply(YamlPropertyLoader(bytes: Array(text.utf8), name: "config.yaml"))
    }

    private func message(_ text: String) -> String {
        do {
            try load(text)
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test("A plain scalar is text, which a read converts; a quoted one is a string")
    func scalars() throws {
        try load(
            """
            api:
              host: example.com
              port: 8080
              ratio: 0.5
              tls: no
              version: 1.10
              quoted: "30"
              nothing: ~
              missing:
              time: 22:22
              motto: |
                two
                lines
            hosts: [a, b]
            ports:
              - 80
              - 443
            """)
        #expect(store.property("api.host") == "example.com")
        #expect(store.property("api.port") == 8080)
        #expect(store.property("api.ratio") == 0.5)
        #expect(store.property("api.tls") == false)
        #expect(store.property("api.tls") == "no")
        #expect(store.property("api.version") == "1.10")
        #expect(store.property("api.quoted") == "30")
        #expect(store.property("api.quoted") as Int? == nil)
        #expect(store.property("api.nothing") as String? == nil)
        #expect(store.property("api.missing") as String? == nil)
        #expect(store.property("api.time") == "22:22")
        #expect(store.property("api.time") as Int? == nil)
        #expect(store.property("api.motto") == "two\nlines\n")
        #expect(store.property("hosts") == ["a", "b"])
        #expect(store.property("ports") == [80, 443])
    }

    @Test("Each value has its line and column, also after other scripts and line endings")
    func places() throws {
        try load("# Größe 🏁\r\nä: {b: \"é\", c: 1}\r\nd:\r\n  - x\r\n  - y\r\n")
        let places = Dictionary(uniqueKeysWithValues: store.entries.map { ($0.name, "\($0.node.origin)") })
        #expect(places == ["ä.b": "config.yaml:2:8", "ä.c": "config.yaml:2:16", "d": "config.yaml:4:3"])
    }

    private struct ServerSettings: Settings {
        @Setting("Where clients connect", in: 1...65535) var port = 8080
        @Setting("The data centre") var region = "eu"
    }

    @Test("Checks report wrong values and unknown keys with their places")
    func checks() throws {
        store.declare(ServerSettings.self, at: "server")
        let text = "server:\n  region: no\n  port: eighty\n  prot: 1\n"
        let loader = YamlPropertyLoader(bytes: Array(text.utf8), name: "config.yaml")
        let errors = try #require(throws: ConfigurationErrors.self) { try store.start([loader]) }
        #expect(
            errors.description == """
                The configuration has 2 problems:
                  config.yaml:3:9  'server.port' is the text "eighty"; expected an integer from 1 to 65535. Write \
                decimal digits.
                  config.yaml:4:3  'server.prot' is not a key that is read. Check its spelling, or remove it.
                """)
    }

    @Test("Aliases and merge keys")
    func aliases() throws {
        try load(
            """
            base: &base {host: a, port: 1}
            other: &other {port: 2, name: o}
            one: *base
            two: {<<: *base, port: 3}
            three:
              <<: [*base, *other]
              host: b
            """)
        #expect(store.property("one") == ["host": "a", "port": "1"])
        #expect(store.property("two") == ["host": "a", "port": "3"])
        #expect(store.property("three") == ["host": "b", "port": "1", "name": "o"])
        #expect(store.entries.first { $0.name == "two.host" }.map { "\($0.node.origin)" } == "config.yaml:1:20")
    }

    @Test(
        "A document that cannot be read is an error with its place",
        arguments: [
            ("a: 1\nb: \"x\n", "config.yaml:3:1: found unexpected end of stream"),
            ("a: 1\n\tb: 2\n", "config.yaml:2:1: found a tab character that violates indentation"),
            ("a: 1\na: 2\n", "config.yaml:1:1: the key 'a' occurs twice"),
            ("a: 1\n---\nb: 2\n", "config.yaml:2:1: but found another document"),
            ("- a\n- b\n", "config.yaml:1:1: the document is not a mapping"),
            ("a: 1\nb: !!int \"3\"\n", "config.yaml:2:4: the tag 'tag:yaml.org,2002:int' is not supported"),
            ("a: !include x\n", "config.yaml:1:4: the tag '!include' is not supported"),
            ("? [a]\n: 1\n", "config.yaml:1:3: a key is not a scalar"),
            ("a: {<<: 1}\n", "config.yaml:1:9: the value of '<<' is not a mapping"),
            ("a: *b\n", "config.yaml:1:4: found undefined alias"),
        ])
    func refused(text: String, expected: String) {
        #expect(message(text) == expected)
    }

    @Test("Text that is not UTF-8 is refused")
    func encoding() {
        let error = #expect(throws: PropertyLoadError.self) {
            try YamlPropertyLoader(bytes: [0x61, 0x3A, 0x20, 0xFF], name: "config.yaml").load()
        }
        #expect(error?.description == "config.yaml: the text is not UTF-8")
    }

    @Test("Aliases that repeat each other are refused before they use much memory")
    func expansion() {
        let lines = (1...30).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }
        #expect(message("a0: &a0 x\n" + lines.joined()).hasSuffix("there are more than 100,000 values"))
    }

    @Test("A document without values has no properties", arguments: ["", "# comment\n", "---\n", "~\n", "{}\n"])
    func empty(text: String) throws {
        try load(text)
        #expect(store.entries.isEmpty)
    }

    @Test("A file is a source like others: it may be missing, later sources override it, and its path is watched")
    func file() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let error = #expect(throws: PropertyLoadError.self) { try YamlPropertyLoader(url: file).load() }
        #expect(error?.reason == .notFound)
        try store.apply(YamlPropertyLoader(url: file).optional())
        #expect(store.entries.isEmpty)

        try Data("server:\n  port: 8080\n".utf8).write(to: file)
        let environment = ["APP_SERVER_PORT": "80"]
        try container.properties.apply([
            YamlPropertyLoader(url: file), EnvironmentPropertyLoader(prefix: "APP", environment: environment),
        ])
        #expect(store.property("server.port") == 80)
        #expect(try YamlPropertyLoader(url: file).load().files == [file.path])
    }
}
