/// A value of one source that cannot be where it is. It is in place of a declared table, of a table around one, or of
/// an array. Or it is an empty dictionary in text, which would not remove the entries of earlier sources.
///
/// Each source is checked by itself. After the merge, a later source may have the table again, without the entries that
/// the value has removed.
struct MisplacedValue: Sendable {
    /// The flat name.
    let name: String
    /// The error, in the form of a conversion's error.
    let error: PropertyError

    static func all(in merged: MergedLayers, _ declarations: Declarations) -> [MisplacedValue] {
        // Without declarations, no value can be misplaced.
        if declarations.traits.isEmpty { return [] }
        return merged.layers.enumerated().flatMap { index, layer -> [MisplacedValue] in
            // In a source that is not flat, a value in place of an array is already an error of the array's key.
            if !declarations.traits.contains(.settings), layer.given.spelling == .exact { return [] }
            let earlier = Set(merged.layers[..<index].map(\.id)).subtracting([layer.id])
            var search = Search(spelling: layer.given.spelling, earlier: earlier, tree: merged.tree)
            search.find(in: layer.table, declarations.root, nil)
            return search.found
        }
    }

    /// Finds the misplaced values of one layer.
    private struct Search {
        let spelling: NameSpelling
        /// The earlier layers, whose entries an empty dictionary of a relaxed layer does not remove.
        let earlier: Set<UInt32>
        let tree: PropertyTree
        var found: [MisplacedValue] = []

        mutating func find(in table: PropertyTable, _ declared: DeclaredNode, _ name: String?) {
            for index in table.entries.indices {
                let child = declared.child(table.entries[index].key)
                if child.isOpen { continue }
                let node = table.entries[index].node, name = name.joined(path: ".\(table.entries[index].key)")
                switch node.value {
                case .table(let inner) where child.mustBeArray && spelling != .exact:
                    found.append(MisplacedValue(name: name, error: numbered(node, inner, child)))
                case .table(let inner) where inner.isEmpty && spelling == .relaxed && child.isDictionary:
                    if let merged = tree.find(PropertyKey(name)), tree.all[merged].node.hasEntries(of: earlier) {
                        found.append(MisplacedValue(name: name, error: emptied(node)))
                    }
                case .table(let inner): find(in: inner, child, name)
                case _ where child.refuses(node): found.append(MisplacedValue(name: name, error: noTable(node)))
                default: break
                }
            }
        }
    }

    /// Returns the error about a value in place of a table. If it is text that begins with a brace, the error says why
    /// it is not valid JSON.
    private static func noTable(_ node: PropertyNode) -> PropertyError {
        do throws(PropertyError) { _ = try node.withTextAsTable() } catch { return error }
        return PropertyError(.wrongType, node, expected: "a table")
    }

    /// Returns the error about an empty dictionary that removes no entries of earlier sources.
    private static func emptied(_ node: PropertyNode) -> PropertyError {
        PropertyError(
            .refused, node, expected: "entries, since those of earlier sources stay; {\"key\": null} removes one",
            remedy: "Write a null for each entry to remove, or leave it out")
    }

    /// Returns the error about a list whose elements have names of their own, such as `APP_TAGS__0` and `--tags.0`.
    private static func numbered(
        _ node: PropertyNode, _ table: PropertyTable, _ declared: DeclaredNode
    ) -> PropertyError {
        var keys: [String] = [], inner = table
        while let first = inner.first {
            keys.append(first.key)
            guard case .table(let next) = first.node.value else { break }
            inner = next
        }
        let first = PropertyNode(node.value, origin: table.first?.keyOrigin ?? node.origin)
        let tails = ["__", "."].map { $0 + keys.joined(separator: $0) }, label = first.origin.label ?? ""
        let end = tails.first { label.utf8.count > $0.utf8.count && label.lowercased().ends(with: $0.lowercased()) }
        guard let tail = end else { return PropertyError(.wrongType, first, expected: "an array") }
        let name = label.dropLast(tail.count), key = declared.element.schemas.first?.fields.first?.key
        let remedy =
            key.map { "Write the whole list as JSON: \(name)=[{\"\($0)\": …}]" }
            ?? "Write \(name)=a,b, or JSON such as [\"a\", \"b\"]"
        return PropertyError(.wrongType, first, expected: "an array", remedy: remedy)
    }
}

extension PropertyNode {
    /// Whether a table has a value of one of the given layers.
    fileprivate func hasEntries(of layers: Set<UInt32>) -> Bool {
        guard case .table(let table) = value else { return false }
        return table.entries.contains { entry in
            !entry.node.isNull && layers.contains(entry.layer) || entry.node.hasEntries(of: layers)
        }
    }
}

extension DeclaredNode {
    /// Whether a value is invalid here because the declaration requires a table. Empty text is the same as no optional
    /// table.
    fileprivate func refuses(_ node: PropertyNode) -> Bool {
        mustBeTable && !node.isTable && !node.isNull && !(isOptional && node.isEmptyText)
    }
}
