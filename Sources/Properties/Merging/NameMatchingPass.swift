/// Gives the names of one flat or relaxed layer the paths of the known names that they mean.
struct NameMatchingPass {
    /// A value with its path.
    private struct Value {
        let node: PropertyNode
        let path: [String]
        let place: UInt32
        let origin: PropertyOrigin
        let former: FormerFlatName?
    }

    private let original: PropertyLayer
    private let declared: DeclaredNode
    private let builder = TableBuilder()
    /// The values by their flat names, of a layer where two names may mean the same.
    private var valuesByName: [PropertyKey: PropertyValue] = [:]
    /// Whether the text of a value was read as a table.
    private var hasParsed = false
    /// The first contradiction, or nil.
    private(set) var failure: PropertyLoadError?
    /// The former names of settings that were found, with their places.
    private(set) var former: [(name: FormerFlatName, origin: PropertyOrigin)] = []

    /// The places of the variables that settings have as their own.
    private let ownPlaces: Set<UInt32>

    init(_ layer: PropertyLayer, _ declared: DeclaredNode, _ variables: [DeclaredVariable]) {
        (original, self.declared) = (layer, declared)
        ownPlaces = Set(variables.compactMap { layer.variables?.find($0.name)?.origin.place })
    }

    /// Returns the layer with the paths of known names.
    mutating func layer(_ known: inout KnownNames) -> PropertyLayer {
        var values: [Value] = []
        collect(original.table, at: [], into: &values, &known)
        // The error about two names of one setting is about the former name.
        for value in values where value.former == nil { insert(value) }
        for value in values where value.former != nil { insert(value) }
        var layer = original
        layer.setPrepared(builder.table)
        if hasParsed {
            // A key of the JSON may be longer than a name may be.
            do throws(PropertyLoadError) { try layer.measure() } catch {
                failure = failure ?? error
                layer.setPrepared(original.values)
            }
        }
        return layer
    }

    private mutating func collect(
        _ table: PropertyTable, at path: [String], into values: inout [Value], _ known: inout KnownNames
    ) {
        for entry in table.entries {
            let path = path + entry.key.path
            guard case .table(let inner) = entry.node.value, !inner.isEmpty else {
                add(entry.node, at: path, entry, to: &values, &known)
                continue
            }
            if !entry.isImplied {
                add(PropertyNode([:], origin: entry.node.origin), at: path, entry, to: &values, &known)
            }
            collect(inner, at: path, into: &values, &known)
        }
    }

    private mutating func add(
        _ node: PropertyNode, at levels: [String], _ entry: PropertyTable.Entry, to values: inout [Value],
        _ known: inout KnownNames
    ) {
        let origin = entry.keyOrigin
        var node = node, found = KnownNames.Found(path: levels)
        do throws(PropertyLoadError) {
            if original.spelling == .flat {
                found.path = known.path(of: levels)
            } else if original.mayBeForeign {
                let isTable = node.isTextOfTable
                guard let known = try known.path(ofForeign: levels, isTable: isTable, at: origin) else { return }
                found = known
            } else {
                found = try known.path(ofRelaxed: levels, at: origin)
                // A variable that a setting has as its own is not an unknown name, too.
                if ownPlaces.contains(node.origin.place), !known.has(found.path.joined(separator: ".")) { return }
            }
            if original.spelling == .relaxed {
                let declared = found.path.reduce(declared) { $0.child($1) }
                if original.hasNoPrefix, node.isTextOfOther(than: declared) { return }
                if let table = node.parsedTable(declared) { (node, hasParsed) = (table, true) }
            }
        } catch {
            // The value keeps its own spelling. It is masked, because the name that was meant may be secret.
            failure = failure ?? error
            node = node.markedSecret
        }
        if let name = found.former { former.append((name, origin)) }
        values.append(
            Value(node: node, path: found.path, place: entry.keyPlace, origin: origin, former: found.former))
    }

    private mutating func insert(_ value: Value) {
        if original.mayBeForeign {
            let name = PropertyKey(value.path.joined(separator: "."))
            let other = valuesByName.updateValue(value.node.value, forKey: name)
            if let other, PropertyValue.isSame(other, value.node.value) { return }
        }
        do throws(TableBuilder.Conflict) {
            try builder.insert(value.node, at: value.path, place: value.place)
        } catch {
            let name = value.path.joined(separator: "."), former = value.former
            failure =
                failure ?? former.map { PropertyLoadError(both: $0.old, at: value.origin, name, at: error.origin) }
                ?? PropertyLoadError(setTwice: name, at: value.origin, other: error.origin)
        }
    }
}

extension PropertyLayer {
    /// Returns a layer with the variables of this source that settings have as their own. Nil if there are none.
    ///
    /// - Throws: a `PropertyLoadError` if a key in the JSON of one of them exceeds a limit.
    func own(
        _ declaredVariables: [DeclaredVariable], _ known: KnownNames, _ root: DeclaredNode
    ) throws(PropertyLoadError) -> PropertyLayer? {
        guard let variables else { return nil }
        let builder = TableBuilder()
        for variable in declaredVariables {
            guard let node = variables.find(variable.name) else { continue }
            let path = known.path(of: variable.setting.rawValue.path)
            // A setting may have two variables. The first counts.
            _ = try? builder.insert(node.parsedTable(path.reduce(root) { $0.child($1) }) ?? node, at: path)
        }
        let table = builder.table
        if table.isEmpty { return nil }
        var own = PropertyLayer(table, source: source, merge: merge, spelling: spelling, isSecret: isSecret)
        (own.placeholders, own.lookups, own.id) = (placeholders, lookups, id)
        own.howToSet = { _, _ in nil }
        try own.measure()
        // The values of the layer are marked if the source is secret, those of the table are not.
        own.setPrepared(own.values)
        return own
    }
}

extension PropertyNode {
    /// Whether text is in place of a declared table or array of tables and is not meant as one, because it is neither
    /// JSON nor empty text that the declaration accepts. It then belongs to another program.
    fileprivate func isTextOfOther(than declared: DeclaredNode) -> Bool {
        guard case .text(let text) = single.value, declared.hasOnlyTables, !isTextOfTable else { return false }
        let isArray = declared.mustBeArray
        guard let first = text.utf8.first(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) else {
            return !(isArray || declared.isOptional || declared.isDictionary)
        }
        return !(isArray && first == UInt8(ascii: "["))
    }

    /// Returns the table of a JSON object in text if a table is declared here, otherwise nil. Empty text is the empty
    /// dictionary.
    fileprivate func parsedTable(_ declared: DeclaredNode) -> PropertyNode? {
        if declared.isDictionary, !declared.isOptional, single.isEmptyText {
            return PropertyNode([:], origin: single.origin)
        }
        let isTable = declared.isDictionary || declared.mustBeTable || declared.isTableOfSettings
        return isTable && isTextOfTable ? try? withTextAsTable() : nil
    }
}
