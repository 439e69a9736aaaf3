import Container
import Corpus
import Foundation
import Measuring
import PropertyLoadersEssentials

// swift run -c release --package-path Tests/Benchmarks ServiceBenchmarks
//
// What a service does with its configuration, compared with Foundation and with itself. Each comparison is measured in
// turns in one run, because the speed of a machine changes.

/// Prints how long our work takes, and how that compares with other work.
func compare(
    _ name: String, with other: String, atMost limit: Double, _ ours: () throws -> Void, _ theirs: () throws -> Void
) rethrows {
    var samples: [(ours: Double, theirs: Double)] = []
    for _ in 0..<5 {
        let mine = try Stopwatch.median(samples: 3, ours)
        samples.append((mine, try Stopwatch.median(samples: 3, theirs)))
    }
    let ratio = samples.map { $0.ours / $0.theirs }.sorted()[2]
    let time = samples.map(\.ours).sorted()[2] * 1e6
    let verdict = ratio <= limit ? "ok" : "MISSED"
    let label = name.padding(toLength: 44, withPad: " ", startingAt: 0)
    print("\(label)\(tenths(time)) µs  \(hundredths(ratio)) of \(other)  (limit \(limit): \(verdict))")
}

let toml = Document.startToml.text
let json = Document.startJson.text
let data = Data(json.utf8)

func parseJson() throws { keep(try JSONSerialization.jsonObject(with: data)) }

print("A configuration of 1 KB, at a start")
// 1 would need flat names and their hashes that are made only when somebody asks for them: they take a quarter of a start.
try compare("load TOML into a store, read ten values", with: "JSONSerialization", atMost: 1.2) {
    keep(try Loading.store(TomlPropertyLoader(string: toml, name: "config.toml")))
} _: {
    try parseJson()
}
// 1 would need a decoder that asks for no conformance at run time: the lookups take a quarter of a binding.
try compare("load TOML into a store, bind a type", with: "JSONDecoder", atMost: 1.2) {
    let store = PropertyStore()
    try store.apply(TomlPropertyLoader(string: toml, name: "config.toml"))
    keep(try store.bind(StartConfiguration.self))
} _: {
    keep(try JSONDecoder().decode(StartConfiguration.self, from: data))
}

print("\n10,000 keys")
let keys = Keys(count: 10_000)
let reloaded = try keys.store()
try compare("reload when one key has changed", with: "the load", atMost: 1.2) {
    try reloaded.reload()
} _: {
    keep(try keys.store())
}
