extension PropertyTree {
    /// Returns the existing name that is most similar to a missing one, or nil if none is similar. A similar name in
    /// the same table is preferred to all others.
    func nearestName(to name: String) -> String? {
        let wanted = Outline(name)
        guard wanted.count <= Suggestions.longest else { return nil }
        // The outlines rule out most names without creating their text, because a store may have very many names.
        let allowed = Suggestions.allowance(wanted.count)
        let table = Self.table(of: name)
        var siblings: [String] = [], others: [String] = []
        for index in elements.indices where siblings.count + others.count < Self.comparisonLimit {
            guard Outline(of: index, in: self, atMost: Suggestions.longest).isNear(wanted, within: allowed) else {
                continue
            }
            let other = self.name(of: index)
            if Self.table(of: other).isSame(as: table) {
                siblings.append(String(other[table.endIndex...]))
            } else if !name.begins(with: "\(other).") {
                others.append(other)
            }
        }
        if let key = Suggestions.nearest(to: String(name[table.endIndex...]), among: siblings) { return table + key }
        return Suggestions.nearest(to: name, among: others)
    }

    /// The maximum number of names that are compared in full.
    private static let comparisonLimit = 10_000

    /// Returns the part of a name up to its last dot, including the dot.
    private static func table(of name: String) -> Substring {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[...$0] } ?? ""
    }
}

/// The length and the set of letters of a name, for a fast first comparison.
private struct Outline {
    private(set) var count: Int
    /// A bit for each ASCII letter, digit or sign that occurs, ignoring case.
    private var letters: UInt64 = 0

    init(_ name: String) {
        count = name.utf8.count
        for byte in name.utf8 { add(byte) }
    }

    /// Creates the outline of an element's flat name. Stops when the name is longer than the limit, so the outline of a
    /// longer name is incomplete.
    init(of index: Int, in tree: PropertyTree, atMost limit: Int) {
        count = -1
        var current = Int32(index)
        while current != PropertyTree.none, count <= limit {
            let key = tree.elements[Int(current)].key
            count += 1 + key.count
            if count <= limit { for place in key { add(tree.keys[place]) } }
            current = tree.elements[Int(current)].parent
        }
    }

    /// Whether the edit distance may be within a limit: one edit removes at most one letter from the set and adds at
    /// most one.
    func isNear(_ other: Outline, within limit: Int) -> Bool {
        abs(count - other.count) <= limit && (letters ^ other.letters).nonzeroBitCount <= 2 * limit
    }

    private mutating func add(_ byte: UInt8) {
        // Ignores dots, because the dots between keys are not in `keys`, and letters of other alphabets, because there
        // are only 64 bits.
        if byte < 0x80, byte != UInt8(ascii: ".") { letters |= 1 << UInt64((byte | 0x20) & 63) }
    }
}
