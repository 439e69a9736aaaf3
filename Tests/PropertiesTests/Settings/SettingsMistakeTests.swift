import Properties
import Testing

private enum Samples {
    struct Stored: Settings {
        @Setting var a = 1
        var cache: [String] = []
    }
    final class Shared: Settings, @unchecked Sendable {
        @Setting var a = 1
        init() {}
    }
    struct Twice: Settings {
        @Setting var a = 1
        @Setting(key: "a") var b = 2
    }
    struct Partial: Settings {
        @Setting var a = 1
        var inner = PoolSettings()
        enum CodingKeys: CodingKey { case a }
    }
    struct Dotted: Settings {
        @Setting(key: "b.c") var a = 1
    }
    struct Renamed: Settings {
        @Setting var a = 1
        var pool = PoolSettings()
        enum CodingKeys: String, CodingKey { case a, pool = "p" }
    }
    struct Reordered: Settings {
        @Setting var a = 1
        @Setting var b = 1
        enum CodingKeys: CodingKey { case b, a }
    }
    enum Count: Int, Codable, Sendable { case one = 1 }
    struct OtherKeys: Settings { @Setting var names: [[Count: String]]? }
    struct KeysOfTables: Settings { var pools: [Count: PoolSettings] = [:] }
    struct OwnInit: Settings {
        @Setting var a = 1
        init() {}
        init(from decoder: any Decoder) throws { a = try decoder.singleValueContainer().decode(Int.self) }
    }
    struct Stolen: Settings {
        @Setting(formerly: "b") var a = 1
        @Setting var b = 1
    }
    struct Inside: Settings {
        @Setting(formerly: "b.c") var a = 1
        @Setting var b: [String: Int] = [:]
    }
    struct SharedName: Settings {
        @Setting(formerly: "x.y") var a = 1
        @Setting(formerly: "x.y") var b = 1
    }
    struct Elsewhere: Settings {
        @Setting var a = 1
        struct Inner: Settings { @Setting var b = 1 }
        var computed: Inner {
            get { Inner() }
            set {}
        }
        static let rules: [SettingsRule<Self>] = [
            SettingsRule(\.$a, \.computed.$b, expected: "a is b") { $0 == $1 }
        ]
    }
    struct EmptyName: Settings { @Setting(formerly: "x..y") var a = 1 }
    struct Level: Settings { @Setting(in: 1...5) var level = 3 }
    struct OtherLevel: Settings { @Setting(in: 1...6) var level = 3 }
}

@Suite("Settings types that are mistakes of the program end it, with a message that names them")
struct SettingsMistakeTests {
    @Test("A property that is not a setting")
    func stored() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Stored.self)
        }
        #expect(
            text(result).contains(
                "Stored cannot be a settings type: the property 'cache' is not a @Setting, a settings type, or an optional, an array or a dictionary of a settings type"
            ))
    }

    @Test("A class, and a property that is not decoded")
    func kinds() async {
        let shared = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Shared.self)
        }
        #expect(text(shared).contains("Shared cannot be a settings type: it is not a struct"))
        let partial = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Partial.self)
        }
        #expect(text(partial).contains("Partial cannot be a settings type: it does not decode 'inner'"))
    }

    @Test("A dictionary whose keys cannot be the keys of a table")
    func otherKeys() async {
        let start = " cannot be a settings type: the keys of the dictionary"
        let end =
            "are of the type Count, which is not CodingKeyRepresentable. Declare this conformance, which needs no code for "
            + "an enum of strings or integers"
        let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.OtherKeys.self)
        }
        #expect(text(value).contains("OtherKeys\(start) 'names' \(end)"))
        let tables = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.KeysOfTables.self)
        }
        #expect(text(tables).contains("KeysOfTables\(start) 'pools' \(end)"))
    }

    @Test("Two properties with one key")
    func twice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Twice.self)
        }
        #expect(text(result).contains("Twice cannot be a settings type: 'a' and 'b' have the same key 'a'"))
    }

    @Test("A key with a dot, and coding that the compiler has not written")
    func coding() async {
        let keys = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Dotted.self)
        }
        #expect(text(keys).contains("Dotted cannot be a settings type: the key 'b.c' contains a dot"))
        let own = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.OwnInit.self)
        }
        #expect(text(own).contains("OwnInit cannot be a settings type: its init(from:) decodes a single value"))
    }

    @Test("Coding keys that differ from the properties")
    func codingKeys() async {
        let renamed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Renamed.self)
        }
        #expect(
            text(renamed).contains(
                "Renamed cannot be a settings type: its init(from:) decodes 'p' in place of the property 'pool'. Remove "
                    + "its CodingKeys, and name a key in its setting: @Setting(key: \"p\")"))
        let reordered = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Reordered.self)
        }
        #expect(
            text(reordered).contains("Reordered cannot be a settings type: its init(from:) decodes 'b' in place of"))
    }

    @Test("A second declaration that asks for something that the first does not have")
    func again() async {
        let variable = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = PropertyStore()
            store.declare(Samples.Level.self, at: "log", environment: ["level": "LEVEL"])
            // The same once more, and nothing else than the type.
            store.declare(Samples.Level.self, at: "log", environment: ["level": "LEVEL"])
            store.declare(Samples.Level.self, at: "log")
            store.declare(Samples.Level.self, at: "log", environment: ["level": "LOG_LEVEL"])
        }
        let message = """
            Level is declared at 'log' twice, and the second declaration has another 'environment:'. Declare it once, or the \
            same in both.
            """
        #expect(text(variable).contains(message))
        let former = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = PropertyStore()
            store.declare(Samples.Level.self)
            store.declare(Samples.Level.self, formerly: "logging")
        }
        #expect(
            text(former).contains(
                "Level is declared without a name twice, and the second declaration has another 'formerly:'."))
    }

    @Test("Two declarations of one name that differ")
    func different() async {
        let limits = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = PropertyStore()
            store.declare(Samples.Level.self, at: "log")
            store.declare(Samples.Level.self, at: "log")
            store.declare(TypedKey<Int>("log.level"))
            store.declare(Samples.OtherLevel.self, at: "log")
        }
        #expect(
            text(limits).contains(
                "'log.level' is declared as an integer from 1 to 5 and as an integer from 1 to 6. "
                    + "Give both settings the same attributes."))
    }

    @Test("A former name that is another name, too, and a rule about something else")
    func formerNames() async {
        let stolen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Stolen.self)
        }
        #expect(
            text(stolen).contains(
                "Stolen cannot be a settings type: the former name 'b' of 'a' is the setting 'b', or inside it"))
        let inside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Inside.self)
        }
        #expect(text(inside).contains("the former name 'b.c' of 'a' is the setting 'b', or inside it"))
        let shared = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.SharedName.self)
        }
        #expect(text(shared).contains("the former name 'x.y' of 'a' is also the former name of 'b', or contains it"))
        let rule = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Elsewhere.self)
        }
        #expect(text(rule).contains("the rule 'a is b' has a key path that does not lead to one of its settings"))
        let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.EmptyName.self)
        }
        #expect(text(empty).contains("the former name 'x..y' of 'a' has an empty part"))
    }

    @Test("A moved table whose former name is declared, in the same store or in a child")
    func movedTables() async {
        let declared = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = PropertyStore()
            store.declare(Samples.Level.self, at: "a", formerly: "log")
            store.declare(Samples.Level.self, at: "a", formerly: "log")
            PropertyStore(parent: store).declare(Samples.Level.self, at: "log")
        }
        #expect(
            text(declared).contains(
                "'log' is declared, but it is a former name of 'a', too. Remove one of the two."))
        let key = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = PropertyStore()
            store.declare(TypedKey<Int>("log.level"))
            store.declare(Samples.Level.self, at: "a", formerly: "log")
        }
        #expect(text(key).contains("'log' is declared, but it is a former name of 'a', too."))
        let two = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = PropertyStore()
            store.declare(Samples.Level.self, at: "a", formerly: "log")
            store.declare(Samples.Level.self, at: "b", formerly: "log")
        }
        #expect(text(two).contains("'log' is a former name of 'a' and of 'b'. Remove one of the two."))
        let same = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(Samples.Level.self, at: "log", formerly: "log")
        }
        #expect(
            text(same).contains("The former name of the table of Level cannot be 'log'. Give its earlier flat name."))
    }

    @Test("Reading a required setting that was never set")
    func unset() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ServerSettings().signingKey
        }
        #expect(
            text(result).contains(
                "A required setting (Signs the tokens) was not set; expected a string. Set it where the value is made.")
        )
        let nameless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = AccountSettings().user
        }
        #expect(text(nameless).contains("A required setting was not set; expected a string"))
    }

    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
}
