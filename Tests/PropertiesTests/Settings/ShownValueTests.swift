import Properties
import PropertyLoadersEssentials
import Testing

private enum Level: Int, Decodable { case low = 1, high }

private struct Pool: Settings {
    @Setting var size = 1
    @Setting var name = "?"
    @Setting var ports: [Int] = []
}

private struct Shown: Settings {
    @Setting var count = 1
    @Setting var isOn = false
    @Setting var load = 0.5
    @Setting var ratio: Float?
    @Setting var small: UInt8?
    @Setting var numbers: [Int] = []
    @Setting var flags: Set<Bool> = []
    @Setting var limits: [String: Int] = [:]
    @Setting var level: Level?
    @Setting var pause = Duration.seconds(1)
    @Setting var code = ""
    @Setting var codes: [String] = []
    @Setting var empty: Int?
    var pool = Pool()
    var pools: [String: Pool] = [:]
    var list: [Pool] = []
}

@Suite("A declared value is shown as what it is, whatever its source writes")
struct ShownValueTests {
    private static let rows: [(variable: String, text: String, name: String, json: String)] = [
        ("COUNT", "7", "count", "7"), ("COUNT", "+007", "count", "7"), ("IS_ON", "on", "isOn", "true"),
        ("LOAD", "1", "load", "1.0"), ("LOAD", "1e3", "load", "1000.0"), ("RATIO", "0.1", "ratio", "0.1"),
        ("SMALL", "255", "small", "255"), ("NUMBERS", #"[1, "2"]"#, "numbers", "[1, 2]"),
        ("NUMBERS", "1,2", "numbers", "[1, 2]"), ("NUMBERS", "", "numbers", "[]"), ("FLAGS", "no", "flags", "[false]"),
        ("LIMITS__A", "9", "limits", #"{"a": 9}"#), ("LEVEL", "2", "level", "2"), ("PAUSE", "90s", "pause", "\"90s\""),
        ("CODE", "7", "code", "\"7\""), ("CODES", "1,2", "codes", #"["1", "2"]"#), ("EMPTY", "", "empty", "null"),
        ("POOL_SIZE", "3", "pool.size", "3"), ("POOLS__A__SIZE", "3", "pools.a.size", "3"),
        ("LIST", #"[{"size": "3", "name": "4", "ports": [5]}]"#, "list[0].size", "3"),
        ("COUNT", "seven", "count", "\"seven\""), ("SMALL", "256", "small", "\"256\""),
    ]

    @Test("Text of a variable is shown as the value that a read returns")
    func variables() throws {
        #expect(Self.rows.count == 22)
        for row in Self.rows {
            let store = PropertyStore()
            store.declare(Shown.self)
            store.acceptUncheckedChanges()
            try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_" + row.variable: row.text]))
            let line = store.values.json.split(separator: "\n").first { $0.hasPrefix("  \"\(row.name)\":") }
            #expect(line?.hasPrefix("  \"\(row.name)\": {\"value\": \(row.json), ") == true, "\(line ?? "none")")
        }
    }

    @Test("The last value of a repeated argument is shown, and a flag is true")
    func arguments() throws {
        let store = PropertyStore()
        store.declare(Shown.self)
        try store.apply(
            CommandLinePropertyLoader(arguments: ["--count=1", "--count=2", "--isOn", "--numbers=1,2", "--numbers=3"]))
        let lines = store.values.map(\.description)
        #expect(lines.contains("count = 2 (command line --count)"), "\(lines)")
        #expect(lines.contains("isOn = true (command line --isOn)"), "\(lines)")
        #expect(lines.contains("numbers = [1, 2, 3] (command line --numbers)"), "\(lines)")
    }

    @Test("A secret is masked as before")
    func secret() throws {
        struct Hidden: Settings { @Setting(isSecret: true) var pin = 1 }
        let store = PropertyStore()
        store.declare(Hidden.self)
        try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_PIN": "4711"]))
        #expect(store.values.json.contains("\"value\": \"********\""))
    }
}
