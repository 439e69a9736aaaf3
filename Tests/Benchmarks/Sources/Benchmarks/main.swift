import Corpus
import Measuring
import PropertyLoadersEssentials

// Run with: swift run -c release --package-path Tests/Benchmarks
// To measure only one format, and only the documents whose names contain a text:
// swift run -c release --package-path Tests/Benchmarks Benchmarks toml 'lock'

let arguments = CommandLine.arguments.dropFirst()
let formats = ["toml", "json"].filter { arguments.isEmpty || arguments.contains($0) }
let wanted = arguments.first { $0 != "toml" && $0 != "json" }

/// The functions to measure for a format: one parses a document, the other loads a tree of properties.
struct Reader {
    let document: ([UInt8]) throws -> Void
    let tree: ([UInt8]) throws -> Void
}

let readers = [
    "toml": Reader(
        document: { keep(try TomlDocument(bytes: $0, name: "toml")) },
        tree: { keep(try TomlPropertyLoader(bytes: $0, name: "toml").load()) }),
    "json": Reader(
        document: { keep(try JsonDocument(bytes: $0, name: "json")) },
        // The top value of a loader's document must be an object.
        tree: {
            keep(try JsonPropertyLoader(bytes: Array("{\"all\":".utf8) + $0 + Array("\n}".utf8), name: "json").load())
        }),
]

func time(_ bytes: [UInt8], _ read: ([UInt8]) throws -> Void) throws -> Double {
    try Stopwatch.median { try read(bytes) }
}

/// Returns how many times as long the large input takes as the small one. Both are measured in turns, because the speed
/// of a machine changes.
func growth<Input>(_ small: Input, _ large: Input, _ run: (Input) throws -> Void) throws -> Double {
    let ratios = try (0..<9).map { _ in
        let one = try Stopwatch.median(samples: 1) { try run(small) }
        return try Stopwatch.median(samples: 1) { try run(large) } / one
    }
    return ratios.sorted()[ratios.count / 2]
}

func pad(_ text: String, _ width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? text + blanks : blanks + text
}

func throughput(_ format: String, _ reader: Reader) throws {
    print("\n" + pad(format, -24) + pad("bytes", 10) + pad("document MB/s", 16) + pad("tree MB/s", 12))
    let documents = format == "toml" ? Document.toml() : Document.json()
    for document in documents where wanted.map({ document.name.contains($0) }) ?? true {
        let bytes = Array(document.text.utf8)
        let speeds = try [time(bytes, reader.document), time(bytes, reader.tree)].map { Double(bytes.count) / $0 / 1e6 }
        print(
            pad(document.name, -24) + pad("\(bytes.count)", 10) + pad("\(Int(speeds[0]))", 16)
                + pad("\(Int(speeds[1]))", 12))
    }
}

func scaling(_ format: String, _ reader: Reader) throws {
    print("\n" + pad("\(format), ten times the size", -36) + pad("document", 10) + pad("tree", 10) + "  times the time")
    let (small, large) =
        format == "toml"
        ? (Document.tomlScaling(1), Document.tomlScaling(10)) : (Document.jsonScaling(1), Document.jsonScaling(10))
    for (one, ten) in zip(small, large) where wanted.map({ one.name.contains($0) }) ?? true {
        let bytes = [Array(one.text.utf8), Array(ten.text.utf8)]
        let ratios = try [reader.document, reader.tree].map { try growth(bytes[0], bytes[1], $0) }
        // The larger text is a little more than ten times as long, because its numbers have more digits.
        let length = Double(bytes[1].count) / Double(bytes[0].count) / 10
        let texts = ratios.map { pad("\(Double(Int($0 / length * 10)) / 10)", 10) }
        print(pad(one.name, -36) + texts.joined())
    }
}

for format in formats {
    guard let reader = readers[format] else { continue }
    try throughput(format, reader)
    try scaling(format, reader)
}

/// Sets properties one by one, and then reads one of them.
func set(_ count: Int) throws {
    let store = PropertyStore()
    for number in 0..<count { try store.set("key.number\(number)", to: .integer(Int64(number))) }
    keep(store.property("key.number0") as Int?)
}

/// Declares keys one by one, applies a source that has all of them, and checks them.
func check(_ count: Int) throws {
    let store = PropertyStore()
    let text = (0..<count).map { "number\($0) = \($0)\n" }.joined()
    for number in 0..<count { store.declare(TypedKey<Int>("key.number\(number)")) }
    try store.apply(TomlPropertyLoader(string: "[key]\n" + text, name: "config.toml"))
    try store.verify(unknownKeys: .refused)
}

if wanted == nil {
    print("\n" + pad("2,000 keys, then ten times as many", -36) + "  times the time")
    print(pad("set one by one", -36) + pad("\(Double(Int(try growth(2000, 20_000, set) * 10)) / 10)", 10))
    print(
        pad("declare one by one, apply, verify", -36)
            + pad("\(Double(Int(try growth(2000, 20_000, check) * 10)) / 10)", 10))
}
