import Container
import PropertyLoaders

extension Trouble {
    /// The kinds of `PropertyError`.
    static let values: [Trouble] = [
        Trouble(
            "missing",
            cause: "No source has the key, or a null hides it.",
            remedy:
                "Set it in a source. If the message suggests a name, correct the spelling in the source or in the "
                + "program. If the value may be missing, declare a default."
        ) {
            _ = try PropertyStore().require("db.password", as: String.self)
            return nil
        },
        Trouble(
            "wrongType",
            cause: "The value has another type than your program asks for. Values are never converted with a loss.",
            remedy: "Change the value in the source that the message names, often only its quotes."
        ) {
            _ = try Trouble.store("[api]\ntimeout = \"30\"").require("api.timeout", as: Int.self)
            return nil
        },
        Trouble(
            "outOfRange",
            cause: "The value is a number that the type of your program cannot hold exactly.",
            remedy: "Choose a value in the range, or read it as a larger type."
        ) {
            _ = try Trouble.store("retries = 300").require("retries", as: UInt8.self)
            return nil
        },
        Trouble(
            "notACase", cause: "The value is not a raw value of the enum.",
            remedy: "Write one of the values that the message lists."
        ) {
            _ = try Trouble.store("level = \"debg\"").require("level", as: Level.self)
            return nil
        },
        Trouble(
            "notParsable",
            cause:
                "The value is a text that does not have the form of the type. The text of a variable, an argument "
                + "or a `.env` file may be secret, so the message shows it only if you have declared the key.",
            remedy: "Correct the text at the place that the message names."
        ) {
            let store = PropertyStore()
            try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_PORT": "http"]))
            _ = try store.require("port", as: Int.self)
            return nil
        },
        Trouble(
            "refused",
            cause:
                "The value has the right type, but your program does not accept it: it exceeds the limits of its "
                + "key, or a check or the `init(from:)` of its type refuses it.",
            remedy: "Choose a value within the limits."
        ) {
            _ = try Trouble.store("[server]\nport = 0").require(TypedKey("server.port", default: 8080, in: 1...65535))
            return nil
        },
        Trouble(
            "brokenRule",
            cause: "Each of several settings is right by itself, but together they break a rule of their type.",
            remedy: "Change one of the settings that the message names."
        ) {
            let store = try Trouble.store("[pool]\nmin = 8\nmax = 4")
            store.declare(Pool.self, at: "pool")
            try store.verify()
            return nil
        },
        Trouble(
            "limit",
            cause: "A table that is read as a dictionary has a key that is too long, or values are nested too deep.",
            remedy: "Check that this is the right file. Shorten the key, or make the values flatter."
        ) {
            let store = try Trouble.store("[hosts]\n\(String(repeating: "k", count: 5000)) = 1")
            _ = try store.require("hosts", as: [String: Int].self)
            return nil
        },
        Trouble(
            "unknownKey",
            cause:
                "A source has a key that is not declared, and that no service has read while the start built it. You get "
                + "the error if your program declares keys, or passes `unknownKeys: .refused`. Services do not read keys "
                + "in the tables of settings, so of these the message says that they are not read.",
            remedy:
                "Correct its name, or remove it. If only the body of your program, or a service that the start does not "
                + "build, reads it, declare it, or pass `unknownKeys: .ignored`."
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
            cause:
                "A change of the parent, or a declaration, has made a state wrong that was right before. The "
                + "message is the message of the cause: see the next section.",
            remedy: "Follow the message of the cause, or undo the change."
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
