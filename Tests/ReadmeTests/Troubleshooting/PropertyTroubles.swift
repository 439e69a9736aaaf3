import Container
import PropertyLoaders

extension Trouble {
    /// The kinds of `PropertyError`.
    static let values: [Trouble] = [
        Trouble(
            "missing",
            "No source has the key, or a null hides it. If the value may be missing, declare a default."
        ) {
            _ = try PropertyStore().require("db.password", as: String.self)
            return nil
        },
        Trouble(
            "wrongType",
            "The value has another type than your program asks for. Values are never converted with a loss."
        ) {
            _ = try Trouble.store("[api]\ntimeout = \"30\"").require("api.timeout", as: Int.self)
            return nil
        },
        Trouble(
            "outOfRange",
            "The type of your program cannot hold the number exactly. Choose another number, or read it as a "
                + "larger type."
        ) {
            _ = try Trouble.store("retries = 300").require("retries", as: UInt8.self)
            return nil
        },
        Trouble("notACase", "The value is not a raw value of the enum.") {
            _ = try Trouble.store("level = \"debg\"").require("level", as: Level.self)
            return nil
        },
        Trouble(
            "notParsable",
            "The text does not have the form of the type. The text of a variable, an argument or a `.env` file "
                + "may be secret, so the message shows it only if you have declared the key."
        ) {
            let store = PropertyStore()
            try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_PORT": "http"]))
            _ = try store.require("port", as: Int.self)
            return nil
        },
        Trouble(
            "refused",
            "The value has the right type, but it exceeds the limits of its key, or a check or the `init(from:)` "
                + "of its type refuses it."
        ) {
            _ = try Trouble.store("[server]\nport = 0").require(TypedKey("server.port", default: 8080, in: 1...65535))
            return nil
        },
        Trouble(
            "brokenRule",
            "Each of the settings is right by itself, but together they break a rule of their type."
        ) {
            let store = try Trouble.store("[pool]\nmin = 8\nmax = 4")
            store.declare(Pool.self, at: "pool")
            try store.verify()
            return nil
        },
        Trouble(
            "limit",
            "A table that is read as a dictionary has a key that is too long, or values are nested too deep. "
                + "Check that this is the right file."
        ) {
            let store = try Trouble.store("[hosts]\n\(String(repeating: "k", count: 5000)) = 1")
            _ = try store.require("hosts", as: [String: Int].self)
            return nil
        },
        Trouble(
            "unknownKey",
            "A source has a key that is not declared, and that no service has read while the start built it. If "
                + "only the body of your program, or a service that the start does not build, reads the key, declare "
                + "it, or pass `unknownKeys: .ignored`."
        ) {
            let store = try Trouble.store("[server]\nprot = 8081")
            store.declare(TypedKey("server.port", default: 8080))
            do throws(ConfigurationErrors) { try store.verify() } catch {
                return error.problems.first?.error
            }
            return nil
        },
        Trouble(
            "conflict",
            "A change of the parent, or a declaration, has made a state wrong that was right before. Follow the "
                + "message, or undo the change."
        ) {
            let parent = PropertyStore(), child = PropertyStore(parent: parent)
            try parent.set("host", to: "example.com")
            try child.apply(
                TomlPropertyLoader(string: "url = \"https://${host}/\"", name: "child.toml").replacingPlaceholders())
            try parent.unset("host")
            _ = try child.require("url", as: String.self)
            return nil
        },
    ]

    private enum Level: String, CaseIterable { case debug, info }

    private struct Pool: Settings {
        @Setting var min = 1
        @Setting var max = 10
        static let rules: [SettingsRule<Self>] = [
            SettingsRule(\.$min, \.$max, expected: "min is at most max") { $0 <= $1 }
        ]
    }

    static func store(_ toml: String) throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(TomlPropertyLoader(string: toml, name: "config.toml"))
        return store
    }
}
