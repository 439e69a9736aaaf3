import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

private struct Database: Settings {
    @Setting("Where the data are") var url: String?
    @Setting var hosts: [String] = []
    @Setting var labels: [String: String] = [:]
    @Setting var port = 5432
}

@Suite("Names of other programs in a .env file without a prefix")
struct SharedDotEnvTests {
    private func dotEnv(_ text: String, prefix: String = "") -> DotEnvPropertyLoader {
        DotEnvPropertyLoader(string: text, name: ".env", prefix: prefix)
    }

    private func store(_ loaders: [any PropertyLoader], _ unknownKeys: UnknownKeys? = nil) throws -> PropertyStore {
        let store = PropertyStore.quiet
        store.declare(Database.self, at: "database")
        try store.start(loaders, unknownKeys: unknownKeys)
        return store
    }

    private static let compose = "DOMAIN=example.com\nCOMPOSE_PROJECT_NAME=shop\nPROXY__TOKEN=t0ps3cret\nEMPTY=\n"

    @Test("They are ignored by every check, and their values are masked")
    func ignored() throws {
        let store = try store([dotEnv(Self.compose + "DATABASE_URL=postgres://db\n")], .refused)
        #expect(try store.settings(Database.self).url == "postgres://db")
        #expect(store.warnings.isEmpty)
        try store.verify(unknownKeys: .refused)
        try store.reload()
        #expect(
            store.entries.map(\.description) == [
                "compose_project_name = ******** (.env:2:22)", #"database.url = "postgres://db" (.env:5:14)"#,
                "domain = ******** (.env:1:8)", "empty = ******** (.env:4:7)", "proxy.token = ******** (.env:3:14)",
            ])
        for text in ["\(try store.explain("domain"))", store.allValues.json, "\(store.history(of: "proxy.token"))"] {
            #expect(!text.contains("example.com") && !text.contains("t0ps3cret"), "\(text)")
        }
    }

    @Test("A name that is nearly a known one is a warning with both", arguments: spellings.indices)
    func similar(index: Int) throws {
        #expect(Self.spellings.count == 6)
        let store = try store([dotEnv(Self.compose + Self.spellings[index].line)])
        #expect(store.warnings.map(\.description) == [Self.spellings[index].warning])
        #expect(!store.warnings.map(\.longDescription).joined().contains("hidden"))
    }

    private static let spellings: [(line: String, warning: String)] = [
        (
            "DATABSE_URL=hidden",
            ".env:5:1: DATABSE_URL is ignored, because nothing has this name. Did you mean DATABASE_URL?"
        ),
        (
            "DATABASE__PROT=hidden",
            ".env:5:1: DATABASE__PROT is ignored, because nothing has this name. Did you mean DATABASE_PORT?"
        ),
        (
            "URL=hidden", ".env:5:1: URL is ignored, because nothing has this name. Did you mean DATABASE_URL?"
        ),
        (
            "DATABASE_HOSTS_0=hidden",
            ".env:5:1: DATABASE_HOSTS_0 is ignored, because nothing has this name. Set the whole list as DATABASE_HOSTS "
                + "in .env, with commas or as JSON."
        ),
        (
            "DATABASE_LABELS_TEAM=hidden",
            ".env:5:1: DATABASE_LABELS_TEAM is ignored, because nothing has this name. Set it as DATABASE__LABELS__TEAM "
                + "in .env: the key of 'database.labels' is a level of its own."
        ),
        (
            "DATABASE_URL_FILE=hidden",
            ".env:5:1: DATABASE_URL_FILE is ignored, because nothing has this name. Set 'database.url' itself, as "
                + "DATABASE_URL in .env: the path of its file is not read from a variable."
        ),
    ]

    @Test("With a prefix, and in a file of another kind, they are refused", arguments: 0..<4)
    func refused(index: Int) throws {
        let loaders: [[any PropertyLoader]] = [
            [dotEnv("APP_DOMAIN=x", prefix: "APP")],
            [TomlPropertyLoader(string: "domain = 1", name: "a.toml")],
            // The file still has the name.
            [TomlPropertyLoader(string: "domain = 1", name: "a.toml"), dotEnv("DOMAIN=x")],
            // A key in the JSON of a known variable belongs to nobody else.
            [dotEnv(#"DATABASE={"domain": "x"}"#)],
        ]
        #expect(throws: ConfigurationErrors.self) { try store(loaders[index]) }
    }

    @Test("A reload may add one, and a warning about one ends when it is gone")
    func reload() throws {
        let loader = Changing(dotEnv("DATABASE_PORT=1"))
        let store = try store([loader])
        loader.loader = dotEnv("DATABASE_PORT=2\n" + Self.compose + "DATABASE_ULR=3")
        try store.reload()
        #expect(store.warnings.count == 1)
        loader.loader = dotEnv("DATABASE_PORT=2\nOTHER=x")
        try store.reload()
        #expect(store.warnings.isEmpty)
        #expect(try store.settings(Database.self).port == 2)
    }

    @Test("An undeclared name that code reads is found, and is no misspelling")
    func read() throws {
        let store = try store([dotEnv("DATABASE_URI=a\nDOMAIN=example.com")])
        #expect(store.property("database_uri") == "a")
        #expect(store.property("domain") == "example.com")
        let byHand = PropertyStore.quiet
        try byHand.apply([dotEnv(Self.compose)])
        #expect(byHand.property("domain") == "example.com")
        #expect(byHand.property("proxy.token") == "t0ps3cret")
        #expect(byHand.warnings.isEmpty)
        try byHand.verify(unknownKeys: .refused)
    }

    @Test("A placeholder in the value of one need not have a value")
    func placeholders() throws {
        let store = PropertyStore.quiet
        store.replacePlaceholders()
        store.declare(Database.self, at: "database")
        try store.start([dotEnv("SITE=https://${DOMAIN}\nPROXY__A=${NONE}\nPROXY__B=${NONE}\nDATABASE_PORT=1")])
        try store.reload()
        #expect(store.warnings.isEmpty)
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.apply([dotEnv("SITE=https://${DOMAIN}\nDATABASE_URL=${SITE}/x")])
        }
        #expect(error?.problems.isEmpty == false)
    }
}

/// A loader that a test replaces.
private final class Changing: PropertyLoader {
    private let current: Mutex<DotEnvPropertyLoader>

    var loader: DotEnvPropertyLoader {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    init(_ loader: DotEnvPropertyLoader) { current = Mutex(loader) }

    func load() throws -> PropertyLayer { try loader.load() }
}
