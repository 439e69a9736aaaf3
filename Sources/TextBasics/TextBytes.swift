/// Comparing and splitting text by bytes, as the operating system and the formats do.
///
/// Swift compares and hashes strings by canonical equivalence, in time quadratic in the length of a run of combining
/// characters, and by characters: `hasPrefix("--")` and `split(separator: ".")` miss ASCII text before a combining
/// character. Text that comes from input is therefore compared by bytes, and names are looked up as a `PropertyKey`.
extension StringProtocol {
    /// Returns whether both texts have the same bytes.
    package func isSame(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// Returns whether the bytes start with those of another text.
    package func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// Returns whether the bytes end with those of another text.
    package func ends(with end: String) -> Bool { utf8.suffix(end.utf8.count).elementsEqual(end.utf8) }

    /// Returns whether the bytes sort before those of another text. All listings of names are sorted by bytes.
    package func precedes(_ other: some StringProtocol) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension String {
    /// Whether Swift compares and hashes the text in linear time: no run of combining characters is long.
    package var comparesInLinearTime: Bool {
        // Unicode Standard Annex 15, Stream-Safe Text Format: real text has at most 30 in a row.
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
    /// Splits the text at each byte that is the separator. Empty parts are included.
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
