extension AppliedLayer {
    /// Marks the values that are declared secret.
    mutating func markSecrets(_ declared: DeclaredNode) {
        var marker = SecretMarker(outer: given.source)
        table = table.marked(declared, &marker)
    }

    /// Marks the values of foreign names, because they may be secrets of other programs.
    mutating func markForeignNames(_ known: KnownNames, _ root: DeclaredNode) {
        var marker = SecretMarker(outer: given.source)
        table = table.marked(foreignTo: known, root, below: nil, &marker)
    }
}

extension PropertyTable {
    fileprivate func marked(_ declared: DeclaredNode, _ marker: inout SecretMarker) -> PropertyTable {
        // Hides the value of a misspelt key in a table that has secrets, because it may be the secret.
        let hidesUnknown = declared.isTableOfSettings
        var new = entries
        for index in new.indices {
            let child = declared.child(new[index].key)
            if child.isEmpty, !child.isSecret {
                if hidesUnknown { new[index].node = marker.node(new[index].node, levels: PropertyTable.depthLimit) }
            } else {
                new[index].node = new[index].node.marked(child, &marker)
            }
        }
        return PropertyTable(entries: new)
    }

    fileprivate func marked(
        foreignTo known: KnownNames, _ root: DeclaredNode, below outer: String?, _ marker: inout SecretMarker
    ) -> PropertyTable {
        var new = entries
        for index in new.indices {
            let name = outer.joined(path: ".\(new[index].key)")
            if case .table(let inner) = new[index].node.value {
                new[index].node.value = .table(inner.marked(foreignTo: known, root, below: name, &marker))
            } else if known.isForeign(name, root.descendant(name)) {
                new[index].node = marker.node(new[index].node, levels: PropertyTable.depthLimit)
            }
        }
        return PropertyTable(entries: new)
    }
}

extension PropertyNode {
    @inline(never)  // Otherwise the compiler inlines several levels of the recursion.
    fileprivate func marked(_ declared: DeclaredNode, _ marker: inout SecretMarker) -> PropertyNode {
        if declared.isSecret { return marker.node(self, levels: PropertyTable.depthLimit) }
        guard declared.holdsSecret else { return self }
        var new = self
        switch value {
        case .table(let table) where declared.hasKeys: new.value = .table(table.marked(declared, &marker))
        case .array(let nodes) where declared.hasElements:
            let element = declared.element
            new.value = .array(nodes.map { $0.marked(element, &marker) })
        case .null: break
        // A value in place of a table with secrets, or of an array of these tables, may contain them in another form,
        // so it is marked as secret.
        default:
            let isMistake =
                declared.mustBeTable || declared.hasSecretSettings || declared.hasSecretNames && !declared.isKey
            return isMistake ? marker.node(self, levels: PropertyTable.depthLimit) : self
        }
        return new
    }
}
