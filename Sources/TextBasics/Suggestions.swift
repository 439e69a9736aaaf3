/// Finds the name that was probably meant.
package enum Suggestions {
    /// Returns the candidate that is most similar to a name, or nil if none is similar. The edit distance may be up to
    /// a third of the bytes of the name, but at most three. Parts that both names begin with do not count, since
    /// `server.port` is not similar to `server.host`.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - candidates: the names to compare. At most 1,000 that may be similar are compared in full.
    ///   - isAllowed: returns whether a candidate may be returned.
    ///   - spelling: returns the form in which names are compared.
    /// - Returns: the candidate.
    package static func nearest(
        to name: String, among candidates: some Sequence<String>, where isAllowed: (String) -> Bool = { _ in true },
        by spelling: (String) -> String = { $0 }
    ) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let name = spelling(name)
        let wanted = Array(name.lowercased().utf8), outline = NameOutline(name)
        let allowed = allowance(wanted.count)
        var best: (name: String, distance: Int)?
        var comparisons = 0
        for candidate in candidates {
            let spelled = spelling(candidate)
            guard outline.isNear(NameOutline(spelled), within: allowed), isAllowed(candidate) else { continue }
            comparisons += 1
            guard comparisons <= comparisonLimit else { break }
            let other = Array(spelled.lowercased().utf8)
            let limit = min(
                allowance(wanted.count - commonParts(wanted, other)), best.map { $0.distance - 1 } ?? allowed)
            if let distance = distance(wanted, other, within: limit) { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Returns the only candidate whose last words are those of a name, as `server.port` for `port`, or nil.
    package static func only(among candidates: some Sequence<String>, endingWith name: String) -> String? {
        let end = "." + words(of: name)
        var found: String?
        for candidate in candidates where words(of: candidate).ends(with: end) {
            if found != nil { return nil }
            found = candidate
        }
        return found
    }

    /// Returns the words of a name, joined with dots: `api.base.url` of `api.baseURL` and of `API_BASE_URL`. Relaxed
    /// spellings of one name have the same words.
    package static func words(of name: String) -> String {
        var words: [UInt8] = [], isInWord = false
        for byte in name.utf8 {
            let isSeparator = byte == .dot || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            if isCapital, isInWord { words.append(.dot) }
            words.append(isSeparator ? .dot : isCapital ? byte | 0x20 : byte)
            isInWord = !isSeparator && !isCapital
        }
        return String(decoding: words, as: UTF8.self)
    }

    // Returns the number of bytes up to the last dot before the first difference.
    private static func commonParts(_ one: [UInt8], _ other: [UInt8]) -> Int {
        let start = zip(one, other).prefix { $0 == $1 }.map(\.0)
        return start.lastIndex(of: .dot).map { $0 + 1 } ?? 0
    }

    // Returns the maximum edit distance for a name of `count` bytes. It is 0 for names of one or two letters, where
    // only the case may differ. Otherwise all of these names would be similar to each other.
    package static func allowance(_ count: Int) -> Int { min(3, count / 3) }

    /// The maximum size of a name that is compared, in bytes.
    package static let longest = 200

    /// The maximum number of names that are compared in full.
    package static let comparisonLimit = 1000

    /// Returns the edit distance in bytes, where insertions, deletions, replacements and swaps of neighbours count 1
    /// each. Returns nil if the distance is more than `limit`.
    package static func distance(_ a: [UInt8], _ b: [UInt8], within limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        let far = limit + 1
        var beforeLast = [Int](), last = (0...b.count).map { min($0, far) }
        for i in a.indices {
            var row = [Int](repeating: far, count: b.count + 1)
            row[0] = min(i + 1, far)
            var least = row[0]
            // Skips cells that are farther from the diagonal than the limit, since their cost is greater than the
            // limit.
            for j in max(0, i - limit)..<min(b.count, i + far) {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row[j + 1] = min(cost, far)
                least = min(least, cost)
            }
            // Later rows cost at least as much: each path to them passes through this row, or skips it by a swap, which
            // costs 1.
            if least > limit { return nil }
            (beforeLast, last) = (last, row)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}

/// The size and the set of letters of a name, for a fast first comparison.
struct NameOutline {
    private let count: Int
    /// A bit for each ASCII letter, digit or sign that occurs, ignoring case. Other alphabets are ignored.
    private var letters: UInt64 = 0

    init(_ name: String) {
        count = name.utf8.count
        guard count <= Suggestions.longest * 2 else { return }
        for byte in name.utf8 where byte < 0x80 { letters |= 1 << UInt64((byte | 0x20) & 63) }
    }

    /// Whether the edit distance may be within a limit: one edit removes at most one letter from the set and adds at
    /// most one.
    func isNear(_ other: NameOutline, within limit: Int) -> Bool {
        abs(count - other.count) <= limit && (letters ^ other.letters).nonzeroBitCount <= 2 * limit
    }
}
