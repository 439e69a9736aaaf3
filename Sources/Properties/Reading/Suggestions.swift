/// Finds the name that somebody probably meant.
package enum Suggestions {
    /// The nearest name by edit distance, or nil where none is near: the keys beside it first, then all names.
    ///
    /// - Parameters:
    ///   - name: a flat name that there is not.
    ///   - tree: the names that there are.
    static func nearest(to name: String, in tree: PropertyTree) -> String? {
        let wanted = Outline(name)
        guard wanted.count <= longest else { return nil }
        // Most names are out by their outlines, with no text made of them: a store may have very many.
        let allowed = allowance(wanted.count)
        let table = parent(of: name)
        var siblings: [String] = [], others: [String] = []
        for index in tree.elements.indices where siblings.count + others.count < greatestCount {
            guard Outline(of: index, in: tree, atMost: longest).isNear(wanted, within: allowed) else { continue }
            let other = tree.name(of: index)
            if parent(of: other).isSame(as: table) {
                siblings.append(String(other[table.endIndex...]))
            } else if !name.begins(with: "\(other).") {
                others.append(other)
            }
        }
        if let key = nearest(to: String(name[table.endIndex...]), among: siblings) { return table + key }
        return nearest(to: name, among: others)
    }

    /// The nearest of some candidates, or nil where none is near: a third of the name may differ, three characters at
    /// the most.
    static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        guard name.utf8.count <= longest else { return nil }
        let wanted = Array(name.lowercased().utf8)
        let allowed = allowance(wanted.count)
        var best: (name: String, distance: Int)?
        for candidate in candidates where abs(candidate.utf8.count - wanted.count) <= allowed {
            let limit = best.map { $0.distance - 1 } ?? allowed
            if let distance = distance(wanted, Array(candidate.lowercased().utf8), within: limit) {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    // Of a name of one or two letters nothing but the case may differ: any other name would be near.
    private static func allowance(_ count: Int) -> Int { min(3, count / 3) }

    /// The longest name that is compared, in bytes.
    private static let longest = 200
    /// So many names are compared.
    private static let greatestCount = 10_000

    /// The part of a name up to its last dot, the dot included.
    private static func parent(of name: String) -> Substring {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[...$0] } ?? ""
    }

    /// How many bytes have to be put in, taken out, changed or swapped with their neighbour. Nil where that is more than
    /// `limit`.
    package static func distance(_ a: [UInt8], _ b: [UInt8], within limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        let far = limit + 1
        var beforeLast = [Int](), last = (0...b.count).map { min($0, far) }
        for i in a.indices {
            var row = [Int](repeating: far, count: b.count + 1)
            row[0] = min(i + 1, far)
            var least = row[0]
            // What is further from the diagonal than the limit costs more than the limit.
            for j in max(0, i - limit)..<min(b.count, i + far) {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row[j + 1] = min(cost, far)
                least = min(least, cost)
            }
            // Nor does it become less again: each way to a later row goes through this one, or past it at the price of 1.
            if least > limit { return nil }
            (beforeLast, last) = (last, row)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}

/// What of a name is compared first: how long it is, and which letters it has.
private struct Outline {
    private(set) var count: Int
    /// A bit for each ASCII letter, digit or sign in it, capitals as small letters.
    private var letters: UInt64 = 0

    init(_ name: String) {
        count = name.utf8.count
        for byte in name.utf8 { add(byte) }
    }

    /// The outline of an element's flat name, as far as the limit goes.
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

    /// Whether the edit distance may be within a limit: an edit takes one letter away and adds one at the most.
    func isNear(_ other: Outline, within limit: Int) -> Bool {
        abs(count - other.count) <= limit && (letters ^ other.letters).nonzeroBitCount <= 2 * limit
    }

    private mutating func add(_ byte: UInt8) {
        // The dots of a path are between its keys and in them, and other alphabets have more letters than there are bits.
        if byte < 0x80, byte != UInt8(ascii: ".") { letters |= 1 << UInt64((byte | 0x20) & 63) }
    }
}
