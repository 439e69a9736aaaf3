/// Gives the values of one layer that have former names the names that they have now, as if the source had these.
///
/// It runs before layers are merged, so that a later layer overrides an earlier layer, whichever name each of them has.
/// It follows the declarations, as the marks of secrets do: `DeclaredNode` leads to each table of settings, also inside
/// arrays and dictionaries.
struct FormerNamePass {
    /// A former name that the layer has.
    private struct Found {
        let old: String
        let new: String
        let origin: PropertyOrigin
        /// Whether it is the name of a variable or an argument, and not a key.
        let isSpelling: Bool
        /// The number of further elements of arrays that have it.
        var others = 0
    }

    private let declarations: Declarations
    private var found: [Found] = []
    private var places: [PropertyKey: Int] = [:]
    /// The first value that has both names, or nil.
    private(set) var failure: PropertyLoadError?

    init(_ declarations: Declarations) { self.declarations = declarations }

    /// Returns the layer with the names of now, and with a warning for each former one.
    mutating func layer(_ original: PropertyLayer) -> PropertyLayer {
        var layer = original
        let moved = moved(original.table), table = moved ?? original.table
        if let new = self.table(table, declarations.root, at: nil) ?? moved {
            layer.setPrepared(new)
        }
        var warnings = BoundedList<PropertyLoadError>(limit: ListLimit.warnings)
        for name in found { warnings.append(warning(about: name, layer)) }
        layer.warnings += warnings.warnings(about: layer.source)
        return layer
    }

    /// Notes a former name that was found.
    ///
    /// - Parameters:
    ///   - old: the former name.
    ///   - new: the name of now.
    ///   - origin: its place.
    ///   - isSpelling: whether it is the name of a variable or an argument, and not a key.
    mutating func note(_ old: String, _ new: String, at origin: PropertyOrigin, isSpelling: Bool = false) {
        // All elements of an array have the same mistake, and all settings of a moved table.
        let parts = old.parts(between: "[").map { $0.drop { ("0"..."9").contains($0) } }
        let key = PropertyKey(parts.joined(separator: "["))
        if let place = places[key], !isSpelling {
            if parts.count > 1 { found[place].others += 1 }
            return
        }
        places[key] = found.count
        found.append(Found(old: old, new: new, origin: origin, isSpelling: isSpelling))
    }

    private func warning(about name: Found, _ layer: PropertyLayer) -> PropertyLoadError {
        let others =
            name.others == 0 ? "" : ", also in \(name.others.grouped) more \(name.others == 1 ? "element" : "elements")"
        let (new, isDeclared) = declarations.root.spelled(name.new)
        let way = name.isSpelling ? layer.howToSet?(new, isDeclared) : nil
        return PropertyLoadError(
            .renamed, "'\(name.old)' is called '\(name.new)' now\(others)", at: name.origin,
            remedy: way.map { "Set it \($0)" } ?? "Rename it")
    }
}

// MARK: - Tables

extension FormerNamePass {
    /// Returns all properties with the values of former flat names at the current names. Nil if there are none.
    private mutating func moved(_ table: PropertyTable) -> PropertyTable? {
        var new: PropertyTable?
        for move in declarations.moves {
            let current = new ?? table
            new = moveWholeTable(move, in: current) ?? moveSettings(move, in: current) ?? new
        }
        return renameFlatNames(in: new ?? table) ?? new
    }

    /// Moves a former table that is null or empty. Nil if the table is anything else.
    private mutating func moveWholeTable(_ move: MovedTable, in table: PropertyTable) -> PropertyTable? {
        var rest = table
        guard let whole = table.node(at: move.old[...]), whole.isNull || whole.isEmptyTable,
            let entry = rest.take(move.old[...])
        else { return nil }
        return insert([(FormerPath(old: move.old, new: move.new), entry)], into: rest, at: nil)
    }

    /// Moves the settings of a former table to its current name. Nil if there are none.
    private mutating func moveSettings(_ move: MovedTable, in table: PropertyTable) -> PropertyTable? {
        var rest = table
        let taken = rest.take(move.names.map { FormerPath(old: move.old + $0.old, new: move.new + $0.new) })
        if taken.isEmpty { return nil }
        // A table that its source has written replaces the table of an earlier source, if the layer has this rule.
        let isWritten = table.entry(at: move.old[...])?.isImplied == false
        let whole = isWritten && !move.new.isEmpty ? table.node(at: move.old[...]) : nil
        return insert(taken, into: rest, at: nil, move, whole.map { PropertyNode([:], origin: $0.origin) })
    }

    /// Gives the values of single former names, outside of moved tables, their current names. Nil if there are none.
    private mutating func renameFlatNames(in table: PropertyTable) -> PropertyTable? {
        var rest = table
        // What a former table has beside its settings stays there, as an unknown name.
        let tables = Set(declarations.moves.map { PropertyKey($0.old.joined(separator: ".")) })
        let names = declarations.formerNames.filter { !tables.contains(PropertyKey($0.old)) }
        let taken = rest.take(names.map { FormerPath(old: $0.old.path, new: $0.new.path) })
        let hasDropped = rest.dropEmpty(names.map(\.old.path), declarations.root)
        return taken.isEmpty && !hasDropped ? nil : insert(taken, into: rest, at: nil)
    }

    /// Returns a table with the names of now, also in arrays and dictionaries. Nil if it has no former ones.
    private mutating func table(
        _ table: PropertyTable, _ declared: DeclaredNode, at name: String?
    ) -> PropertyTable? {
        guard declared.holdsFormerNames else { return nil }
        var rest = table, hasChanged = false
        let names = declared.schemas.flatMap(\.formerNames), taken = rest.take(names)
        hasChanged = rest.dropEmpty(names.map(\.old), declared)
        if !taken.isEmpty { (rest, hasChanged) = (insert(taken, into: rest, at: name), true) }
        var entries = rest.entries
        for index in entries.indices {
            let child = declared.child(entries[index].key)
            guard child.holdsFormerNames,
                let new = node(entries[index].node, child, at: name.joined(path: ".\(entries[index].key)"))
            else { continue }
            (entries[index].node, hasChanged) = (new, true)
        }
        return hasChanged ? PropertyTable(entries: entries) : nil
    }

    @inline(never)  // Otherwise each level of the recursion needs more stack.
    private mutating func node(_ node: PropertyNode, _ declared: DeclaredNode, at name: String) -> PropertyNode? {
        var new = node
        switch node.value {
        case .table(let inner):
            guard let inner = table(inner, declared, at: name) else { return nil }
            new.value = .table(inner)
            return new
        case .array, .text:
            // Text of an untyped source may be a JSON array.
            guard declared.hasElements, case .array(var nodes) = node.list.value else { return nil }
            let element = declared.element
            var hasChanged = false
            for index in nodes.indices {
                guard let changed = self.node(nodes[index], element, at: "\(name)[\(index)]") else { continue }
                (nodes[index], hasChanged) = (changed, true)
            }
            new.value = .array(nodes)
            return hasChanged ? new : nil
        default: return nil
        }
    }

    private typealias Taken = [(name: FormerPath, entry: PropertyTable.Entry)]

    /// Inserts values that were taken out at their former names.
    ///
    /// - Parameters:
    ///   - taken: the values.
    ///   - rest: what else is in the table.
    ///   - name: the flat name of the table, or nil for all properties.
    ///   - move: the moved table that they are from, or nil.
    ///   - emptyTableAtNewName: a table that is inserted before them, so that the source writes the moved table, or nil.
    /// - Returns: the table with all of them.
    private mutating func insert(
        _ taken: Taken, into rest: PropertyTable, at name: String?, _ move: MovedTable? = nil,
        _ emptyTableAtNewName: PropertyNode? = nil
    ) -> PropertyTable {
        let builder = TableBuilder(rest)
        if let move, let emptyTableAtNewName {
            // What is at that name and is not a table is a mistake that is reported later.
            _ = try? builder.insert(emptyTableAtNewName, at: move.new)
        }
        for (former, entry) in taken {
            func flat(_ path: [String]) -> String { name.joined(path: path.map { ".\($0)" }.joined()) }
            let old = flat(former.old), new = flat(former.new)
            do throws(TableBuilder.Conflict) {
                try builder.insert(entry.node, at: former.new, place: entry.keyPlace)
            } catch {
                failure = failure ?? PropertyLoadError(both: old, at: entry.keyOrigin, new, at: error.origin)
                continue
            }
            // A table that was moved is one change.
            if let move, former.isOnlyMoved(by: move), let table = emptyTableAtNewName {
                note(move.old.joined(separator: "."), move.new.joined(separator: "."), at: table.origin)
            } else {
                self.note(old, new, at: entry.keyOrigin)
            }
        }
        return builder.table
    }
}

extension PropertyLoadError {
    /// Creates the error that a source has a setting by its former name and by its current name.
    init(both old: String, at place: PropertyOrigin, _ new: String, at other: PropertyOrigin) {
        self.init(
            .duplicate, "'\(old)' is the former name of '\(new)', which is set, too", at: place,
            remedy: "Leave '\(old)' out", notes: [.init("'\(new)' is", at: other)])
    }
}

extension FormerPath {
    /// Whether the setting has the same key in the former table and in the table of now.
    fileprivate func isOnlyMoved(by move: MovedTable) -> Bool {
        old.dropFirst(move.old.count).elementsEqual(new.dropFirst(move.new.count)) { $0.isSame(as: $1) }
    }
}

extension PropertyTable {
    /// Takes values out of the table.
    fileprivate mutating func take(_ names: [FormerPath]) -> [(name: FormerPath, entry: Entry)] {
        var taken: [(name: FormerPath, entry: Entry)] = []
        for name in names {
            if let entry = take(name.old[...]) { taken.append((name, entry)) }
        }
        return taken
    }

    /// Takes the value at a path out of the table, and the tables that are empty without it. A key with dots may be a part of
    /// the path.
    fileprivate mutating func take(_ path: ArraySlice<String>) -> Entry? {
        for index in entries.indices.reversed() {
            let key = entries[index].key, keys = key.contains(byte: .dot) ? key.path : [key]
            guard path.starts(with: keys, by: { $0.isSame(as: $1) }) else { continue }
            let rest = path.dropFirst(keys.count)
            if rest.isEmpty { return entries.remove(at: index) }
            guard case .table(var inner) = entries[index].node.value, let entry = inner.take(rest) else { continue }
            if inner.isEmpty { entries.remove(at: index) } else { entries[index].node.value = .table(inner) }
            return entry
        }
        return nil
    }

    /// Drops the empty tables on the way to former names: sections of a file without values. What is declared stays.
    ///
    /// - Returns: whether there was one.
    fileprivate mutating func dropEmpty(_ paths: [[String]], _ declared: DeclaredNode) -> Bool {
        var hasDropped = false
        for path in paths {
            for count in path.indices.dropFirst().reversed() {
                let outer = path[..<count]
                guard entry(at: outer)?.node.isEmptyTable == true, outer.reduce(declared, { $0.child($1) }).isEmpty
                else { continue }
                hasDropped = take(outer) != nil || hasDropped
            }
        }
        return hasDropped
    }

    /// Returns the entry at a path, or nil.
    fileprivate func entry(at path: ArraySlice<String>) -> Entry? {
        guard let key = path.first, let index = lastIndex(of: key) else { return nil }
        if path.count == 1 { return entries[index] }
        guard case .table(let inner) = entries[index].node.value else { return nil }
        return inner.entry(at: path.dropFirst())
    }
}

extension PropertyNode {
    fileprivate var isEmptyTable: Bool { if case .table(let table) = value { table.isEmpty } else { false } }
}
