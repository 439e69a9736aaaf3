import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

@Suite("Placeholders without a value, beside other mistakes")
struct UnresolvedPlaceholderTests {
    private struct Server: Settings {
        struct TLS: Settings {
            @Setting var cert: String
        }
        @Setting(in: 1...65535) var port = 80
        @Setting(in: 1...9) var low = 1
        @Setting var url: String
        var tls: TLS?
        @Setting var hosts = [1, 2]
    }

    private static func report(_ text: String, by start: (PropertyStore, any PropertyLoader) throws -> Void) -> [String]
    {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        do {
            try start(store, TomlPropertyLoader(string: text, name: "c.toml").replacingPlaceholders(.properties))
            return []
        } catch let error as ConfigurationErrors {
            return error.problems.map { "\($0.place): \($0.message)" }
        } catch {
            return ["\(error)"]
        }
    }

    private static let ends = (
        none: "leads to no property. Set the property, or write a default: ",
        low: "expected an integer from 1 to 9."
    )

    @Test("A start reports all placeholders without a value, and all other mistakes")
    func all() {
        let text = """
            [server]
            url = "${a}/${b}"
            port = "${none.such:8080}"
            low = 12
            hosts = ["${a}", "x"]
            prot = 1
            again = "${server.url}"
            """
        let expected = [
            "c.toml:2:7: '${a}' in 'server.url' \(Self.ends.none)${a:-…}.",
            "c.toml:3:8: '${none.such:8080}' in 'server.port' leads to no property. Perhaps ${none.such:-8080} was meant.",
            "c.toml:4:7: 'server.low' is the integer 12; \(Self.ends.low) Change the value.",
            "c.toml:5:10: '${a}' in 'server.hosts' \(Self.ends.none)${a:-…}.",
            "c.toml:6:1: 'server.prot' is not a key that is read. Check its spelling, or remove it.",
            "c.toml:7:1: 'server.again' is not a key that is read. Check its spelling, or remove it.",
        ]
        #expect(Self.report(text) { try $0.start([$1]) } == expected)
        // `apply` ignores unknown keys.
        #expect(Self.report(text) { try $0.apply($1) } == Array(expected.prefix(4)))
    }

    @Test("What could not be checked because of a placeholder is not reported as wrong or missing")
    func consequences() {
        let text = "[server]\nurl = \"u\"\ntls = \"${a}\"\nlow = \"${b}\"\nport = 0"
        let problems = Self.report(text) { try $0.start([$1]) }
        #expect(
            problems == [
                "c.toml:3:7: '${a}' in 'server.tls' \(Self.ends.none)${a:-…}.",
                "c.toml:4:7: '${b}' in 'server.low' \(Self.ends.none)${b:-…}.",
                "c.toml:5:8: 'server.port' is the integer 0; expected an integer from 1 to 65535. Change the value.",
            ])
    }

    @Test("A reload is refused with all mistakes, and a missing setting is one of them")
    func reload() throws {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        let loader = ChangingToml("[server]\nurl = \"u\"")
        store.replacePlaceholders()
        try store.start([loader])
        loader.set("[server]\nlow = 10\nport = \"${p}\"")
        let error = #expect(throws: ConfigurationErrors.self) { try store.reload() }
        #expect(
            error?.problems.map(\.place) == ["c.toml:2:7", "c.toml:3:8", "in no source"],
            "\(error.map { "\($0)" } ?? "")")
    }

    @Test("Two paths of one name are reported with wrong values, but not with missing and unknown names")
    func contradiction() {
        let other = TomlPropertyLoader(string: "[x]\n\"a.b\" = 1", name: "d.toml")
        let problems = Self.report("[server]\nlow = 12\n[x.a]\nb = 2") { try $0.start([$1, other]) }
        #expect(problems.contains { $0.contains("two keys have the flat name 'x.a.b'") }, "\(problems)")
        #expect(problems.contains { $0.contains("'server.low' is the integer 12") }, "\(problems)")
        #expect(
            !problems.contains {
                $0.contains("is missing") || $0.contains("not a key that is read") || $0.contains("neither declared")
            }, "\(problems)")
    }
}

/// A document whose text changes.
private final class ChangingToml: PropertyLoader {
    private let text: Mutex<String>
    init(_ text: String) { self.text = Mutex(text) }
    func set(_ new: String) { text.withLock { $0 = new } }
    func load() throws -> PropertyLayer {
        try TomlPropertyLoader(string: text.withLock(\.self), name: "c.toml").load()
    }
}
