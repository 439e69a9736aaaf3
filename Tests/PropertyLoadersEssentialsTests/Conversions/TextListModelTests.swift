import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

/// Writes random lists in each form that a list in text has.
private struct ListWriter {
    var random: SplitMix

    private static let pieces = [
        "a", "B", "7", " ", ",", "[", "]", "{", "\"", "\\", "é", "e\u{301}", "\u{301}", "\u{1F600}", "=", "-", "x y",
        "\t", "\n", "\r\n",
        "true", "null", "1.50",
    ]

    mutating func list() -> [String] {
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
            (0..<Int.random(in: 0...3, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
                .joined()
        }
    }

    /// Returns the text of a list: with commas if that can express it, or as JSON.
    mutating func text(_ list: [String]) throws -> String {
        let isPlain = list.indices.allSatisfy { index in
            let bytes = Array(list[index].utf8)
            let isTrimmed =
                bytes.first.map { !Self.isBlank($0) } == true && bytes.last.map { !Self.isBlank($0) } == true
            let isMarked = [bytes.first, bytes.last].contains(UInt8(ascii: "\""))
            return isTrimmed && !isMarked && !bytes.contains { $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }
                && (index > 0 || bytes.first != UInt8(ascii: "["))
        }
        let before = blank(), after = blank()
        guard isPlain, Bool.random(using: &random) else {
            return before + String(decoding: try JSONEncoder().encode(list), as: UTF8.self) + after
        }
        return list.map { blank() + $0 + blank() }.joined(separator: ",")
    }

    private mutating func blank() -> String { ["", "", " ", "  ", "\t"].randomElement(using: &random) ?? "" }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

@Suite("Random lists in text")
struct TextListModelTests {
    private struct Plain: Decodable {
        var list: [String]
    }

    @Test("Each list reads back from a variable, a file of a directory, and one or several arguments")
    func lists() throws {
        var writer = ListWriter(random: SplitMix(state: 11))
        var repeated = 0
        for _ in 0..<LongRun.rounds(300) {
            let parts = (0..<Int.random(in: 1...3, using: &writer.random)).map { _ in writer.list() }
            let texts = try parts.map { try writer.text($0) }
            let all = parts.flatMap(\.self)
            if parts.count > 1 { repeated += 1 }
            let arguments = PropertyStore.quiet
            try arguments.apply(CommandLinePropertyLoader(arguments: texts.map { "--list=\($0)" }))
            try check(arguments, all, text: texts[texts.count - 1])
            let variable = PropertyStore.quiet
            try variable.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_LIST": texts[0]]))
            try check(variable, parts[0], text: texts[0])
        }
        #expect(repeated > 50)
    }

    private func check(_ store: PropertyStore, _ list: [String], text: String) throws {
        func bytes(_ list: [String]) -> [[UInt8]] { list.map { Array($0.utf8) } }
        #expect(bytes(try store.require("list", as: [String].self)) == bytes(list), "\(text.debugDescription)")
        #expect(bytes(try store.bind(Plain.self).list) == bytes(list), "\(text.debugDescription)")
        #expect(try store.require("list", as: Set<String>.self) == Set(list), "\(text.debugDescription)")
        #expect(try store.require("list", as: String.self).utf8.elementsEqual(text.utf8))
        // An integer is read as from a text of its own.
        let numbers = list.map { element in (try? PropertyStore.integer(element)) ?? nil }
        #expect(store.property("list") as [Int]? == (numbers.contains(nil) ? nil : numbers.compactMap(\.self)))
    }
}

extension PropertyStore {
    /// Reads a text as an integer.
    fileprivate static func integer(_ text: String) throws -> Int? {
        let store = PropertyStore.quiet
        try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_X": text]))
        return store.property("x")
    }
}
