import PropertyLoaders

extension FuzzTarget {
    /// A text with URLs. At least what a simple model masks is masked, and nothing where there is nothing to hide.
    static let urlSecrets = FuzzTarget("url-secrets") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let masked = URLSecrets.masked(text)
        let utf8 = Array(text.utf8)
        let ranges = URLSecrets.ranges(in: utf8[...])
        try require(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }, "\(ranges) overlap")
        for expected in passwords(in: utf8) where !utf8[expected].starts(with: URLSecrets.mask.utf8) {
            let isMasked = expected.allSatisfy { offset in ranges.contains { $0.contains(offset) } }
            try require(isMasked, "\(String(decoding: utf8[expected], as: UTF8.self)) is shown")
        }
        let mayHide = utf8.contains(UInt8(ascii: "@")) || utf8.contains(UInt8(ascii: "="))
        try require(mayHide || ranges.isEmpty, "a text without a secret is masked: \(masked)")
        // A source shows parts of its lines.
        let source = SourceText(bytes: bytes)
        for offset in stride(from: 0, through: min(bytes.count, 200), by: 7) {
            let excerpt = source.excerpt(around: offset, before: 10, width: 30)
            try require((excerpt.before + excerpt.after).unicodeScalars.count <= 160 * 9, "an excerpt is long")
        }
    }

    /// The passwords in a text by the rule as a user reads it: between the first `:` after `scheme://` and the last `@`
    /// before the next `/`, `?`, `#` or white space, or else the last `@` of the word.
    private static func passwords(in text: [UInt8]) -> [Range<Int>] {
        let isBlank: (UInt8) -> Bool = { (9...13).contains($0) || $0 == 32 }
        return text.indices.compactMap { index in
            guard text[index...].starts(with: "://".utf8) else { return nil }
            let word = text[(index + 3)...].prefix { !isBlank($0) }
            guard let colon = word.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let rest = word[(colon + 1)...], stretch = rest.prefix { !"/?#".utf8.contains($0) }
            let at = stretch.lastIndex(of: UInt8(ascii: "@")) ?? rest.lastIndex(of: UInt8(ascii: "@"))
            return at.flatMap { $0 > colon + 1 ? colon + 1..<$0 : nil }
        }
    }
}
