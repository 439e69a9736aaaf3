import Container
import Measuring
import PropertyLoadersEssentials

// swift run -c release --package-path Tests/Benchmarks GrowthBenchmarks
//
// How many times as long each command and call takes with ten times the input: about 10 where the time is proportional
// to the input, 100 where it is proportional to its square.

/// Returns the names of settings in tables of ten.
func names(_ count: Int) -> [String] { (0..<count).map { "table\($0 / 10).setting\($0 % 10)" } }

/// Returns a TOML document with these names, each with a number as its value.
func toml(_ names: [String]) -> String { names.map { "\($0) = 1\n" }.joined() }

/// The settings of one table.
struct TenSettings: Settings {
    @Setting var setting0: Int
    @Setting var setting1: Int
    @Setting var setting2: Int
    @Setting var setting3: Int
    @Setting var setting4: Int
    @Setting var setting5: Int
    @Setting var setting6: Int
    @Setting var setting7: Int
    @Setting var setting8: Int
    @Setting var setting9: Int
}

/// Tables of settings in an array and in a dictionary.
struct ManyTables: Settings {
    struct Entry: Settings {
        @Setting var name: String
        @Setting(isSecret: true) var token: String
        @Setting(in: 0...9) var level = 1
    }
    var list: [Entry] = []
    var named: [String: Entry] = [:]
}

/// Arrays of tables of settings in an array.
struct ManyArrays: Settings {
    struct Group: Settings { var entries: [ManyTables.Entry] = [] }
    var groups: [Group] = []
}

func apply(_ loader: any PropertyLoader, to store: PropertyStore = PropertyStore()) throws -> PropertyStore {
    try store.apply(loader)
    return store
}

/// A piece of work, and how it is made for a number of settings or services.
let cases: [(name: String, work: (Int) throws -> () throws -> Void)] = [
    (
        "load TOML",
        { count in
            let text = toml(names(count))
            return { keep(try apply(TomlPropertyLoader(string: text, name: "config.toml"))) }
        }
    ),
    (
        "report a broken statement in each line of TOML",
        { count in
            let text = String(repeating: "a = [1, 2x]\n", count: count)
            return {
                do {
                    try PropertyStore().apply(TomlPropertyLoader(string: text, name: "config.toml"))
                } catch {
                    keep("\(error)")
                }
            }
        }
    ),
    (
        "load JSON",
        { count in
            let text = "{\(names(count).map { "\"\($0)\": 1" }.joined(separator: ",\n"))}"
            return { keep(try apply(JsonPropertyLoader(string: text, name: "config.json"))) }
        }
    ),
    (
        "load a file and an environment that overrides all of it",
        { count in
            let names = names(count)
            let text = toml(names)
            let variables = Dictionary(
                uniqueKeysWithValues: names.map { ($0.replacing(".", with: "__").uppercased(), "2") })
            return {
                let store = try apply(TomlPropertyLoader(string: text, name: "config.toml"))
                keep(try apply(EnvironmentPropertyLoader(prefix: "", environment: variables), to: store))
            }
        }
    ),
    (
        "read values that take their text from others",
        { count in
            let text = names(count).map { "\($0) = 1\n\($0)-copy = \"${\($0)}\"\n" }.joined()
            return {
                let store = try apply(TomlPropertyLoader(string: text, name: "config.toml"))
                for name in names(count) { keep(store.property("\(name)-copy") as String?) }
            }
        }
    ),
    (
        "declare tables of ten settings, apply, verify",
        { count in
            let text = toml(names(count))
            return {
                let store = PropertyStore()
                for number in 0..<count / 10 { store.declare(TenSettings.self, at: "table\(number)") }
                try store.apply(TomlPropertyLoader(string: text, name: "config.toml"))
                try store.verify(unknownKeys: .refused)
            }
        }
    ),
    (
        "declare twice as many keys one by one, apply, verify and list them",
        { count in
            let names = names(2 * count)
            let text = toml(names)
            return {
                let store = PropertyStore()
                for name in names { store.declare(TypedKey<Int>(name)) }
                try store.apply(TomlPropertyLoader(string: text, name: "config.toml"))
                try store.verify(unknownKeys: .refused)
                keep(store.values.map(\.description))
                keep(store.help())
                keep(store.jsonSchema())
            }
        }
    ),
    (
        "check and read arrays of tables of settings in an array",
        { count in
            let group = #"{"entries": [{"name": "n", "token": "t"}, {"name": "m", "token": "u", "level": 5}]}"#
            let text = "{\"groups\": [\(Array(repeating: group, count: count).joined(separator: ",\n"))]}"
            return {
                let store = PropertyStore()
                store.declare(ManyArrays.self)
                try store.apply(JsonPropertyLoader(string: text, name: "config.json"))
                try store.verify(unknownKeys: .refused)
                keep(try store.settings(ManyArrays.self))
                keep(try store.json())
            }
        }
    ),
    (
        "report unknown keys, with as many declared ones",
        { count in
            let names = names(count)
            let text = toml(names.map { $0 + "x" })
            return {
                let store = PropertyStore()
                for name in names { store.declare(TypedKey<Int?>(name)) }
                try store.apply(TomlPropertyLoader(string: text, name: "config.toml"))
                do throws(ConfigurationErrors) {
                    try store.verify(unknownKeys: .refused)
                } catch {
                    keep("\(error)")
                }
            }
        }
    ),
    (
        "check, list and read tables of settings in an array and a dictionary, with secrets and unknown keys",
        { count in
            let entries = (0..<count / 2).map { #"{"name": "n", "token": "t\#($0)", "levle": 1}"# }
            let named = entries.enumerated().map { "\"k\($0)\": \($1)" }.joined(separator: ",\n")
            let text = "{\"list\": [\(entries.joined(separator: ",\n"))], \"named\": {\(named)}}"
            return {
                let store = PropertyStore()
                store.declare(ManyTables.self)
                try store.apply(JsonPropertyLoader(string: text, name: "config.json"))
                keep(store.entries.map(\.description))
                keep(try store.settings(ManyTables.self))
                do throws(ConfigurationErrors) {
                    try store.verify(unknownKeys: .refused)
                } catch {
                    keep("\(error)")
                }
            }
        }
    ),
    (
        "register, build and drop a chain of services",
        { count in
            {
                let container = Container()
                for number in 0..<count {
                    container.register(Int.self, name: "\(number)") { r in
                        number % 100 == 0 ? 0 : try r.require(Int.self, name: "\(number - 1)")
                    }.inObjectScope(.container)
                }
                for number in 0..<count { keep(try container.require(Int.self, name: "\(number)")) }
            }
        }
    ),
]

let width = (cases.map(\.name.count).max() ?? 0) + 2
for (name, work) in cases {
    let (small, large) = (try work(1_000), try work(10_000))
    // In turns, because the speed of a machine changes.
    let ratios = try (0..<5).map { _ in
        let one = try Stopwatch.median(samples: 1, small)
        return try Stopwatch.median(samples: 1, large) / one
    }
    let ratio = ratios.sorted()[ratios.count / 2]
    let padded = name + String(repeating: " ", count: width - name.count)
    print("\(padded)\(tenths(ratio))  (limit 20: \(ratio <= 20 ? "ok" : "MISSED"))")
}
