/// Text taken apart and compared by bytes, as the system and the formats do it.
///
/// Swift's strings compare and hash by normal form, which takes time quadratic in a run of combining characters, and by
/// whole characters, so that neither `hasPrefix("--")` nor `split(separator: ".")` finds its ASCII text before a combining
/// character. Nothing that came from input is compared that way: names that are looked up are a `PropertyKey`.
extension StringProtocol {
    /// Whether the bytes are the same.
    package func isSame(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Whether the bytes of some text stand at the start.
    package func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// Whether the bytes of some text stand at the end.
    package func ends(with end: String) -> Bool { utf8.suffix(end.utf8.count).elementsEqual(end.utf8) }

    /// Whether the bytes come first in byte order, in which names are listed everywhere.
    package func precedes(_ other: some StringProtocol) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension String {
    /// Whether Swift compares and hashes the text in linear time, since no run of combining characters is long.
    package var comparesInLinearTime: Bool {
        // Unicode Standard Annex 15, Stream-Safe Text Format: no text of any language has more than 30.
        let longestRun = 30
        guard utf8.count > longestRun else { return true }
        var run = 0
        for scalar in unicodeScalars {
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            if run > longestRun { return false }
        }
        return true
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The parts between bytes that separate them, empty ones included.
    package func parts(between separator: Unicode.Scalar) -> [Substring] {
        var parts: [Substring] = []
        var start = startIndex
        while let end = self[start...].utf8.firstIndex(where: { UInt32($0) == separator.value }) {
            parts.append(self[start..<end])
            start = utf8.index(after: end)
        }
        return parts + [self[start...]]
    }
}
