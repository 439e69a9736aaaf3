import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The password of a URL is masked in every description, and the value has it")
struct URLPasswordTests {
    private static let password = "hunter2xyz", url = "postgres://app:hunter2xyz@db/app"
    private static let shown = "postgres://app:********@db/app"

    private struct Database: Settings {
        @Setting("Where the data is") var url = "mysql://root:hunter2xyz@localhost"
        @Setting var replicas: [String] = []
        @Setting var byName: [String: String] = [:]
        @Setting("Its home", needsRestart: true) var home: URL?
    }

    private static let document = """
        copy = "${database.url}?x=1"
        [database]
        url = "\(url)"
        replicas = ["a", "\(url)"]
        home = "\(url)"
        byName = { first = "\(url)" }
        """

    private func dumped(_ value: Any) -> String {
        var text = "\(value)"
        dump(value, to: &text)
        return text
    }

    @Test("It is in no description of a store, of its values and of what was declared")
    func descriptions() throws {
        let store = PropertyStore(), text = TypedKey("fallback", default: "amqp://u:hunter2xyz@mq")
        store.declare(Database.self, at: "database")
        store.declare(text)
        try store.apply(TomlPropertyLoader(string: Self.document, name: "config.toml").replacingPlaceholders())
        try store.apply(
            EnvironmentPropertyLoader(prefix: "APP_", environment: ["APP_DATABASE_URL": Self.url + "?from=env"]))
        let names = ["copy", "database", "database.url", "database.replicas", "database.byName", "database.home"]
        let settings = try store.settings(Database.self, at: "database")
        var texts = try [
            store.json() ?? "", store.values.json, store.help(), store.template(), store.jsonSchema(), dumped(store),
            dumped(store.entries), dumped(store.snapshot), dumped(settings), dumped(text),
        ]
        for name in names {
            let explanation = try store.explain(name)
            texts += [dumped(explanation), explanation.json, dumped(store.history(of: name))]
        }
        for text in texts { #expect(!text.contains(Self.password), "\(text)") }
        #expect(
            try store.explain("copy").description.contains("\"\(Self.shown)?from=env?x=1\" (config.toml:1:8)"))
        #expect(store.values.json.contains("[\"a\", \"\(Self.shown)\"]"))
        #expect(store.help().contains("mysql://root:********@localhost"))
        // A default with asterisks would be another default.
        #expect(!store.template().contains("********") && !store.jsonSchema().contains("********"))

        #expect(store.property("copy") == Self.url + "?from=env?x=1")
        #expect(settings.url == Self.url + "?from=env" && settings.replicas[1] == Self.url)
        #expect(settings.home == URL(string: Self.url) && settings.byName["first"] == Self.url)
    }

    @Test("It is in no change of a value and in no pending restart")
    func changes() async throws {
        let store = PropertyStore()
        store.declare(Database.self, at: "database")
        store.declare(TypedKey("plain", default: ""))
        try store.start([TomlPropertyLoader(string: "database.home = \"\(Self.url)\"", name: "a")])
        var all = store.changes().makeAsyncIterator()
        var typed = store.changes(of: "plain", as: String.self).makeAsyncIterator()
        try store.apply(
            TomlPropertyLoader(
                string: "plain = \"u://v:hunter2xyz@w\"\ndatabase.home = \"x://y:hunter2xyz@z\"", name: "b"))
        let change = await typed.next()
        #expect(change?.description == "plain: none → u://v:********@w (b:1:9)")
        #expect(await all.next().map { dumped($0).contains(Self.password) } == false)
        #expect(store.status.pendingRestart.count == 1)
        #expect(!dumped(store.status).contains(Self.password) && !store.status.json.contains(Self.password))
    }

    static let wrong: [(document: String, message: String)] = [
        (
            "url = \"postgres://app:hunter2xyz @db/app\"",
            "c.toml:1:7: 'url' is the string \"postgres://app:********@db/app\"; expected a URL such as "
                + "\"https://example.com\"."
        ),
        (
            "url = [\"http://a\", \"postgres://app:hunter2xyz%@db/app\"]",
            "c.toml:1:20: 'url[1]' is the string \"postgres://app:********@db/app\"; expected a URL such as "
                + "\"https://example.com\"."
        ),
    ]

    @Test("It is not in the error about a value", arguments: wrong)
    func errors(_ row: (document: String, message: String)) throws {
        let store = try PropertyStore(sources: TomlPropertyLoader(string: row.document, name: "c.toml"))
        let isList = row.message.contains("[1]")
        let error = #expect(throws: PropertyError.self) {
            if isList {
                _ = try store.require("url", as: [URL].self)
            } else {
                _ = try store.require("url", as: URL.self)
            }
        }
        #expect(error.map { dumped($0).contains(Self.password) } == false)
        #expect(error?.description.hasPrefix(String(row.message.dropLast())) == true, "\(error?.description ?? "")")
    }

    static let broken = [
        "url = \"postgres://app:hun\\qter2xyz@db\"", "url = \"postgres://app:hunter2xyz@db",
        "url = postgres://a:hunter2xyz@db",
        "url = 'postgres://app:'hunter2xyz@db", "url = \"x\" postgres://app:hunter2xyz@db",
        "url = \"postgres://app:hunter2xyz@db\"\nurl = \"postgres://app:hunter2xyz@db\"",
        "url = \"postgres://app:hunter2xyz@db\" x", "\"postgres://app:hunter2xyz@db\"",
        "postgres://app:hunter2xyz@db = 1",
        "a = 1\n[postgres://app:hunter2xyz@db]",
    ]

    @Test(
        "It is not in the error about the text of a file, and not in the line that the error shows", arguments: broken)
    func syntax(document: String) throws {
        let json = "{" + document.replacing("url =", with: "\"url\":") + "}"
        let loaders: [any PropertyLoader] = [
            TomlPropertyLoader(string: document, name: "c.toml"), JsonPropertyLoader(string: json, name: "c.json"),
            DotEnvPropertyLoader(string: document.replacing("url = ", with: "URL="), name: ".env"),
        ]
        for loader in loaders {
            // Some are valid in one of the formats.
            let errors =
                (try? loader.load()) == nil ? loadError { try loader.load() }.map { [$0] + $0.furtherErrors } : []
            for part in errors ?? [] {
                let texts = [dumped(part), part.longDescription, part.problem, part.remedy ?? "", part.expected ?? ""]
                for text in texts { #expect(!text.contains("ter2xyz"), "\(text)") }
            }
        }
    }

    @Test("The line that an error shows has the marker under the same character")
    func marker() throws {
        let loader = TomlPropertyLoader(string: "url = \"postgres://app:hunter2xyz@db\" x", name: "c.toml")
        let error = loadError { try PropertyStore().apply(loader) }
        let lines: [Substring] = try #require(error).longDescription.split(separator: "\n").suffix(2)
        #expect(lines.first == "    1 | url = \"postgres://app:********@db\" x")
        #expect(lines.first?.count == lines.last?.count)
    }

    @Test("An address of several hosts, which is not a URL, is to be read as a string")
    func severalHosts() {
        for (text, isOfHosts) in [
            ("mongodb://h1:1,h2:2/db", true), ("mongodb://u:p@h1:1,h2:2/db?a=b", true),
            ("redis://[::1]:1,[::2]:2", true),
            ("kafka://a:9092,b:9092", true), ("https://a b/x,y", false), ("https://u:p@a b", false), ("a,b c", false),
        ] {
            let store = PropertyStore()
            store.declare(TypedKey<URL>("url"))
            let error = #expect(throws: ConfigurationErrors.self) {
                try store.start([TomlPropertyLoader(string: "url = '\(text)'", name: "c.toml")])
            }
            let isAdvised = error?.description.hasSuffix("Let the program read it as a String: a URL has one host.")
            #expect(isAdvised == isOfHosts, "\(String(describing: error))")
        }
    }
}
