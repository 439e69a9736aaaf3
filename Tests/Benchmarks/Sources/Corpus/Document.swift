/// A document for the measurements.
public struct Document: Sendable {
    /// The name of the document in the table of results.
    public let name: String
    /// The contents of the document.
    public let text: String

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    /// The same JSON without its `//` comments. In these documents, comments are only at the ends of lines.
    public var withoutComments: Document {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line
            while let slash = line.firstIndex(of: "/"), line[slash...].hasPrefix("//") { line = line[..<slash] }
            return line
        }
        return Document(name, lines.joined(separator: "\n"))
    }

    /// Appends numbered pieces to a text until it has at least the given number of bytes.
    static func grown(to bytes: Int, from start: String = "", _ piece: (Int) -> String) -> String {
        var text = start
        text.reserveCapacity(bytes + 1024)
        var number = 0
        while text.utf8.count < bytes {
            text += piece(number)
            number += 1
        }
        return text
    }
}

/// A generator of pseudo-random numbers and texts that are the same in every run.
struct Dice {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func roll(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: (state >> 33) % UInt64(count))
    }

    mutating func word() -> String {
        let words = [
            "service", "retry", "backoff", "cluster", "region", "upstream", "timeout", "database", "payload", "queue",
            "account", "latency", "budget", "window", "replica", "shard", "token", "issuer", "audience", "header",
        ]
        return words[roll(words.count)]
    }

    mutating func sentence(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

    mutating func hex(_ count: Int) -> String { (0..<count).map { _ in String(roll(16), radix: 16) }.joined() }
}
