/// A value of a single source that stands in place of a declared table, of a table around one, or of an array.
///
/// Each source is checked by itself. After the merge, a later source may have the table again, without the entries that
/// the value has removed.
struct MisplacedValue: Sendable {
    /// The flat name.
    let name: String
    /// The error, as that of a conversion.
    let error: PropertyError

    static func all(in layer: PropertyLayer, _ declared: Declarations) -> [MisplacedValue] {
        var all: [MisplacedValue] = []
        // In a source that is not flat, a value in place of an array is already an error of the array's key.
        if !declared.tree.holdsSettings, layer.spelling == .exact { return all }
        find(in: layer.table, declared.root, nil, isExact: layer.spelling == .exact, &all)
        return all
    }

    private static func find(
        in table: PropertyTable, _ declared: DeclaredNode, _ name: String?, isExact: Bool, _ all: inout [MisplacedValue]
    ) {
        for index in table.entries.indices {
            let child = declared.child(table.entries[index].key)
            if child.isOpen { continue }
            let node = table.entries[index].node, name = name.joined(path: ".\(table.entries[index].key)")
            switch node.value {
            case .table(let inner) where child.mustBeArray && !isExact:
                all.append(MisplacedValue(name: name, error: numbered(node, inner)))
            case .table(let inner): find(in: inner, child, name, isExact: isExact, &all)
            case _ where child.refuses(node):
                all.append(MisplacedValue(name: name, error: PropertyError(.wrongType, node, expected: "a table")))
            default: break
            }
        }
    }

    /// Returns the error about a list of which each element has a name of its own, such as `APP_TAGS__0`.
    private static func numbered(_ node: PropertyNode, _ table: PropertyTable) -> PropertyError {
        let first = table.first, tail = "__\(first?.key ?? "")"
        let inner = PropertyNode(node.value, origin: first?.keyOrigin ?? node.origin)
        guard let label = first?.keyOrigin.label, label.utf8.count > tail.utf8.count,
            label.lowercased().ends(with: tail)
        else { return PropertyError(.wrongType, inner, expected: "an array") }
        return PropertyError(
            .wrongType, inner, expected: "an array",
            remedy: "Write \(label.dropLast(tail.count))=a,b, or JSON such as [\"a\", \"b\"]")
    }
}

extension DeclaredNode {
    /// Whether a value is invalid here because the declaration requires a table. Empty text is the same as no optional
    /// table.
    fileprivate func refuses(_ node: PropertyNode) -> Bool {
        mustBeTable && !node.isTable && !node.isNull && !(isOptional && node.isEmptyText)
    }

    /// Whether to ignore a variable of an environment without a prefix, because the declaration has names inside it, so
    /// that the variable probably belongs to another program.
    func passesOver(_ node: PropertyNode) -> Bool {
        refuses(node) || hasNames && forms.isEmpty && !node.isTable && !node.isNull
    }
}
