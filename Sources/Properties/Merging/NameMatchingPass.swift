import TextBasics

/// Replaces the names in one flat or relaxed layer by the paths of the known names that they mean.
struct NameMatchingPass {
    private let original: AppliedLayer
    private let declarations: Declarations
    private var builder: LayerBuilder
    /// Whether the text of a value was read as a table.
    private var hasParsed = false
    /// The dictionaries that the source sets to an empty text or to `{}`.
    private var emptied: [(path: [String], origin: PropertyOrigin)] = []
    /// The first contradiction, or nil.
    private(set) var failure: PropertyLoadError?
    /// The places of the declared variables.
    private let ownPlaces: Set<UInt32>

    init(_ layer: AppliedLayer, _ declarations: Declarations) {
        (original, self.declarations, builder) = (layer, declarations, LayerBuilder(layer))
        ownPlaces = Set(declarations.variables.compactMap { layer.given.variables?.find($0.name)?.origin.place })
    }

    /// Returns the layer with the paths of known names.
    mutating func layer(_ known: inout KnownNames) -> AppliedLayer {
        for value in original.table.values() { insert(value, &known) }
        var layer = original
        layer.replaceValues(by: builder.table)
        if !emptied.isEmpty { checkEmptied(in: PropertyTree(layer.table)) }
        if hasParsed {
            // A key of the JSON may be longer than a name may be.
            do throws(PropertyLoadError) { try layer.measure() } catch {
                failure = failure ?? error
                layer.replaceValues(by: original.table)
            }
        }
        return layer
    }

    private mutating func insert(_ value: PropertyTable.Value, _ known: inout KnownNames) {
        let levels = value.path.flatMap(\.path), origin = value.entry.keyOrigin
        var node = value.node, path = levels
        do throws(PropertyLoadError) {
            if original.given.spelling == .flat {
                path = known.path(of: levels)
            } else if original.given.mayBeForeign {
                let isTable = node.isTextOfTable
                guard let known = try known.path(ofForeign: levels, isTable: isTable, at: origin) else { return }
                path = known
            } else {
                path = try known.path(ofRelaxed: levels, at: origin)
                // A declared variable is not an unknown name as well.
                if ownPlaces.contains(node.origin.place), !known.has(path.joined(separator: ".")) { return }
            }
            if original.given.spelling == .relaxed {
                let declared = declarations.current(path).node
                if original.given.hasNoPrefix, node.isTextOfOther(than: declared) { return }
                if let table = node.parsedTable(declared) {
                    (node, hasParsed) = (table, true)
                    if declared.isDictionary, case .table(let table) = table.value, table.isEmpty {
                        emptied.append((path, origin))
                    }
                }
            }
        } catch {
            // The value keeps its own spelling. It is masked, because the name that was meant may be secret.
            failure = failure ?? error
            node = node.markedSecret
        }
        do throws(TableBuilder.Conflict) {
            try builder.insert(node, at: path, place: value.entry.keyPlace)
        } catch {
            let name = path.joined(separator: ".")
            failure = failure ?? PropertyLoadError(setTwice: name, at: origin, other: error.origin)
        }
    }
}

extension NameMatchingPass {
    /// Refuses entries of a dictionary that the same source also sets to empty. The tree finds a dictionary by its flat
    /// name, also if it is beside a value.
    private mutating func checkEmptied(in tree: PropertyTree) {
        for (path, origin) in emptied {
            let name = path.joined(separator: ".")
            guard let index = tree.find(PropertyKey(name)), case .table(let inner) = tree.all[index].node.value,
                let entry = inner.entries.first(where: { !$0.node.isNull })
            else { continue }
            failure =
                failure
                ?? PropertyLoadError(
                    .duplicate, "'\(name)' is empty here, and has entries in the same source",
                    at: origin, remedy: "Leave one of them out", notes: [.init("an entry is", at: entry.keyOrigin)])
        }
    }
}

extension AppliedLayer {
    /// Returns a layer with the declared variables of this source. Nil if it has none.
    ///
    /// - Throws: a `PropertyLoadError` if a key in the JSON of one of them exceeds a limit.
    func own(
        _ declarations: Declarations, _ known: KnownNames
    ) throws(PropertyLoadError) -> AppliedLayer? {
        guard let variables = given.variables else { return nil }
        let builder = TableBuilder()
        for variable in declarations.variables {
            guard let node = variables.find(variable.name) else { continue }
            let path = known.path(of: variable.setting.rawValue.path)
            // A setting may have two variables. The first counts.
            _ = try? builder.insert(node.parsedTable(declarations.current(path).node) ?? node, at: path)
        }
        let table = builder.table
        if table.isEmpty { return nil }
        var own = PropertyLayer(
            table, source: given.source, merge: given.merge, spelling: given.spelling, isSecret: given.isSecret)
        own.howToSet = { _, _ in nil }
        return try AppliedLayer(taking: &own, id: id, lookups: lookups)
    }
}

extension PropertyNode {
    /// Whether text is in place of a declared table or array of tables and is not meant as one, because it is neither
    /// JSON nor empty text that the declaration accepts. It then belongs to another program.
    fileprivate func isTextOfOther(than declared: DeclaredNode) -> Bool {
        guard case .text(let text) = single.value, declared.hasOnlyTables, !isTextOfTable else { return false }
        let isArray = declared.mustBeArray
        guard let first = text.utf8.first(where: { !$0.isAnySpace }) else {
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
