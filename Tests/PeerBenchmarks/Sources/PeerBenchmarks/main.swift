import CPeers
import Corpus
import Foundation
import Measuring
import PropertyLoadersEssentials
import TOMLKit

// swift run -c release --package-path Tests/PeerBenchmarks [PART]

func pad(_ text: String, _ width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? text + blanks : blanks + text
}

func row(_ name: String, _ ratios: [Double]) {
    print(pad(name, -24) + ratios.map { pad("\((($0 * 100).rounded()) / 100)", 20) }.joined())
}

func table(_ title: String, _ comparisons: [Comparison]) {
    print("\n\(title): how many times as fast ours is")
    print(pad("", -24) + comparisons.map { pad($0.name, 20) }.joined())
}

func conclude(_ comparisons: [Comparison]) {
    row("geometric mean", comparisons.map(\.mean))
    row("target", comparisons.map(\.target))
}

/// Runs a C++ peer on a text.
func run(_ peer: (UnsafePointer<CChar>, Int) -> Bool, _ bytes: [CChar]) {
    bytes.withUnsafeBufferPointer { buffer in
        if let base = buffer.baseAddress { _ = peer(base, buffer.count) }
    }
}

/// Whether a C++ peer is available and can read the document.
func accepts(_ peer: (UnsafePointer<CChar>, Int) -> Bool, _ bytes: [CChar]) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { peer($0, buffer.count) } ?? false }
}

func toml() throws {
    var kitParse = Comparison("doc/TOMLKit parse", target: 18)
    var kitTree = Comparison("tree/TOMLKit [:]", target: 10)
    var plusDocument = Comparison("doc/toml++", target: 18)
    table("TOML", [kitParse, kitTree, plusDocument])
    for document in Document.toml() {
        let bytes = Array(document.text.utf8)
        let characters = bytes.map { CChar(bitPattern: $0) }
        let ourDocument = { keep(try TomlDocument(bytes: bytes, name: "toml")) }
        let ourTree = { keep(try TomlPropertyLoader(bytes: bytes, name: "toml").load()) }
        var ratios = [
            try kitParse.measure(ourDocument) { keep(try TOMLTable(string: document.text)) },
            try kitTree.measure(ourTree) { keep(try TOMLTable(string: document.text).dictionary) },
        ]
        if accepts(peer_tomlplusplus, characters) {
            ratios.append(try plusDocument.measure(ourDocument) { run(peer_tomlplusplus, characters) })
        }
        row(document.name, ratios)
    }
    conclude([kitParse, kitTree, plusDocument])
}

func json() throws {
    var foundation = Comparison("tree/JSONSerial.", target: 6)
    table("JSON", [foundation])
    for document in Document.json() {
        let bytes = Array(document.text.utf8)
        // The top value of a loader's document must be an object.
        let object = Array("{\"all\":".utf8) + bytes + Array("\n}".utf8)
        let data = Data(document.withoutComments.text.utf8)
        // Our loader reads the document with its comments, which JSONSerialization cannot read.
        let ratio = try foundation.measure {
            keep(try JsonPropertyLoader(bytes: object, name: "json").load())
        } _: {
            keep(try JSONSerialization.jsonObject(with: data))
        }
        row(document.name, [ratio])
    }
    conclude([foundation])
}

let parts: [(name: String, run: () throws -> Void)] = [
    ("toml", toml), ("json", json), ("start", starting), ("bind", binding), ("read", reading), ("services", resolving),
]

/// Runs a part in a process of its own. Otherwise memory that an earlier part has freed spares one side of the next part
/// its page faults, which changes a ratio by up to a third.
func runAlone(_ part: String) throws {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [part]
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { exit(EXIT_FAILURE) }
}

if let wanted = CommandLine.arguments.dropFirst().last {
    guard let part = parts.first(where: { $0.name == wanted }) else {
        print("unknown part '\(wanted)'; expected one of: \(parts.map(\.name).joined(separator: ", "))")
        exit(EX_USAGE)
    }
    try part.run()
} else {
    for part in parts { try runAlone(part.name) }
}
