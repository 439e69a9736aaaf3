import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Remedies of placeholders")
struct PlaceholderRemedyTests {
    private static func rules(_ variables: [String: String]) -> PropertyPlaceholders {
        PropertyPlaceholders(lookups: ["env": { .init(variables[$0]) }])
    }

    private static func text(
        _ text: String, _ variables: [String: String], _ properties: KeyValuePairs<String, PropertyValue> = [:]
    ) throws -> String {
        let given = Given("given", [:])
        var all = given
        all.table = PropertyTable(properties.map { ($0.key, $0.value) } + [("x", .string(text))])
        return try PropertyStore(sources: all.replacingPlaceholders(rules(variables))).require("x")
    }

    /// The placeholder that the message says to write.
    private static func remedy(for placeholder: String, _ variables: [String: String]) throws -> String {
        let error = try #require(loadError { _ = try text(placeholder, variables, ["host": "h", "server.port": 1]) })
        let words = error.description.split(separator: " ").filter { $0.hasPrefix("${") }
        let last = try #require(words.last)
        return String(last[...(try #require(last.lastIndex(of: "}")))])
    }

    /// Placeholders of other programs, what the message says to write, and its value without and with the variable.
    static let variables: [(String, remedy: String, without: String?)] = [
        ("${DB_HOST:localhost}", "${env:DB_HOST:-localhost}", "localhost"),
        ("${DB_HOST:=localhost}", "${env:DB_HOST:-localhost}", "localhost"),
        ("${DB_HOST-localhost}", "${env:DB_HOST:-localhost}", "localhost"),
        ("${DB_HOST=localhost}", "${env:DB_HOST:-localhost}", "localhost"),
        ("${DB_HOST:}", "${env:DB_HOST:-}", ""),
        ("${DB_HOST:http://a:80}", "${env:DB_HOST:-http://a:80}", "http://a:80"),
        ("${DB_HOST}", "${env:DB_HOST}", nil), ("${DB_HOST:?is needed}", "${env:DB_HOST}", nil),
        ("${env:DB_HOST:localhost}", "${env:DB_HOST:-localhost}", "localhost"),
        ("${env:DB_HOST=localhost}", "${env:DB_HOST:-localhost}", "localhost"),
        ("${ENV:DB_HOST:localhost}", "${env:DB_HOST:-localhost}", "localhost"),
        ("${env.DB_HOST}", "${env:DB_HOST}", nil), ("${env.DB_HOST:a}", "${env:DB_HOST:-a}", "a"),
    ]

    @Test("The remedy for the name of a variable reads the variable", arguments: variables)
    func variable(_ row: (placeholder: String, remedy: String, without: String?)) throws {
        let remedy = try Self.remedy(for: row.placeholder, [:])
        #expect(remedy == row.remedy)
        #expect(try Self.text(remedy, ["DB_HOST": "db.internal"]) == "db.internal")
        #expect((try? Self.text(remedy, [:])) == row.without)
    }

    @Test("The name of a variable that is set is a variable, whatever it looks like")
    func setVariable() throws {
        let variables = ["http_proxy": "p"]
        #expect(try Self.remedy(for: "${http_proxy:none}", variables) == "${env:http_proxy:-none}")
        #expect(try Self.remedy(for: "${http_proxy:none}", [:]) == "${http_proxy:-none}")
    }

    @Test("The remedy for the name of a property leads to the property, and for a misspelt one to the nearest")
    func properties() throws {
        let rows = [
            ("${host:localhost}", "${host:-localhost}"), ("${hots:localhost}", "${host:-localhost}"),
            ("${server_port:80}", "${server.port:-80}"), ("${SERVER.PORT:80}", "${server.port:-80}"),
            ("${none.such:80}", "${none.such:-80}"), ("${env.nmae}", "${env.nmae:-…}"),
        ]
        for (placeholder, remedy) in rows { #expect(try Self.remedy(for: placeholder, [:]) == remedy) }
    }

    @Test("Where no variable is allowed, the remedy is a property, or says how the program allows variables")
    func withoutVariables() {
        func message(_ text: PropertyValue, _ name: String) -> String? {
            let given = Given(["x": text, "\(name)": "p"])
            return loadError { try PropertyStore().apply(given.replacingPlaceholders(.properties)) }?.description
        }
        #expect(
            message("${DB_HOST:localhost}", "a")
                == "given: '${DB_HOST:localhost}' in 'x' leads to no property. Name a property, or let the program allow "
                + "variables and write ${env:DB_HOST:-localhost}.")
        #expect(
            message("${DB_HOST:localhost}", "db.host")
                == "given: '${DB_HOST:localhost}' in 'x' leads to no property. Perhaps ${db.host:-localhost} was meant."
        )
    }

    private struct Server: Settings {
        @Setting var host = "localhost"
        @Setting var port = 8080
        @Setting var tls: String?
        @Setting var hosts = ["a", "b"]
        @Setting(isSecret: true) var password = "hunter2"
        @Setting var required: String
    }

    @Test("A placeholder with the name of a setting that no source sets says so, and how it gets the default")
    func defaults() throws {
        let start = "given: '${"
        let end =
            "' in 'url' leads to no property, since a placeholder sees the sources only, and no default of the program"
        let rows = [
            ("server.host", "server.host}", "${server.host:-localhost}"),
            ("server.port", "server.port}", "${server.port:-8080}"),
            ("server.port", "server.port:9090}", "${server.port:-9090}"),
            ("server.tls", "server.tls}", "${server.tls:-…}"), ("server.hosts", "server.hosts}", "${server.hosts:-…}"),
            ("server.password", "server.password}", "${server.password:-…}"),
        ]
        for (name, placeholder, remedy) in rows {
            let store = PropertyStore()
            store.declare(Server.self, at: "server")
            let given = Given(["url": .string("http://${\(placeholder)"), "server.required": "r"])
            let error = loadError { try store.apply(given.replacingPlaceholders()) }
            #expect(
                error?.description == "\(start)\(placeholder)\(end). Set '\(name)' in a source, or write \(remedy).")
            if !remedy.contains("…") {
                let mended = Given(["url": .string(remedy), "server.required": "r"])
                try store.apply(mended.replacingPlaceholders())
                #expect(store.property("url") == remedy.split(separator: "-").last.map { String($0.dropLast()) })
            }
        }
    }
}
