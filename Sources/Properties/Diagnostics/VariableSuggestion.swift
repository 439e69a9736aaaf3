/// Finds the environment variable that was probably meant by one whose name does not separate the levels of a key.
///
/// In a variable, `__` separates two levels: `SHOP_RATE_LIMIT__PER_SECOND` is `rate_limit.per_second`. With a single
/// underscore, the variable is the key `rate_limit_per_second`, which nobody reads.
enum VariableSuggestion {
    /// Returns the variable that sets a key, unless a given variable differs from it in more than its separators.
    ///
    /// - Parameters:
    ///   - key: the flat name of the key.
    ///   - variable: the variable that was set, with its prefix.
    ///   - name: the flat name of the property that the variable sets.
    /// - Returns: the variable, such as `SHOP_RATE_LIMIT__PER_SECOND`, or nil.
    static func variable(for key: String, insteadOf variable: String, named name: String) -> String? {
        guard !key.isSame(as: name), isSimilar(key, name) else { return nil }
        var rest = Array(variable.utf8)[...]
        var levels: [String] = []
        var gap: [UInt8] = []
        for level in key.parts(between: ".").reversed() {
            levels.insert(takeLast(letters(level).count, of: &rest), at: 0)
            gap = Array(rest.reversed().prefix { isSeparator($0) })
            rest.removeLast(gap.count)
        }
        let tail = levels.joined(separator: "__")
        guard letters(tail) == letters(key) else { return nil }
        return String(decoding: rest + gap, as: UTF8.self) + tail
    }

    /// Whether a key and a name are equal regardless of their case and separators.
    static func isSimilar(_ key: String, _ name: String) -> Bool {
        NameOutline(key).mayDifferOnlyInSeparators(from: NameOutline(name)) && letters(key) == letters(name)
    }

    /// Removes a number of letters from the end of a text, with the separators between them. Returns them with one
    /// underscore for several separators in a row, since two would begin another level.
    private static func takeLast(_ count: Int, of rest: inout ArraySlice<UInt8>) -> String {
        var taken: [UInt8] = []
        var missing = count
        while missing > 0, let last = rest.popLast() {
            if !isSeparator(last) {
                taken.append(last)
                missing -= 1
            } else if taken.last != UInt8(ascii: "_") {
                taken.append(UInt8(ascii: "_"))
            }
        }
        return String(decoding: taken.reversed(), as: UTF8.self)
    }

    private static func letters(_ text: some StringProtocol) -> [UInt8] {
        text.lowercased().utf8.filter { !isSeparator($0) }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
