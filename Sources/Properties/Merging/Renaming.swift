import TextBasics

/// Replaces the former names in one layer by the current names, as if the source had the current names.
///
/// It runs before layers are merged, so that a later layer overrides an earlier layer, whichever name each of them has.
struct Renaming {
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

    /// Where the paths of values begin: at the root, or at an element of an array.
    private struct Start {
        /// The declarations of the element, or nil for the root.
        var declared: DeclaredNode?
        /// The flat name in the source, and the current flat name.
        var old: String?, new: String?

        /// Returns the flat name of a path: the current name, or the name in the source.
        func name(_ path: [String], now isNow: Bool) -> String {
            (isNow ? new : old).joined(path: path.map { ".\($0)" }.joined())
        }
    }

    private let original: AppliedLayer
    private let declarations: Declarations
    private var found: [Found] = []
    private var places: [PropertyKey: Int] = [:]
    /// The first value that has both names, or nil.
    private(set) var failure: PropertyLoadError?

    init(of layer: AppliedLayer, _ declarations: Declarations) {
        (original, self.declarations) = (layer, declarations)
    }

    /// Returns the layer with the current names, and with a warning for each former name.
    mutating func layer() -> AppliedLayer {
        guard let table = table(original.table, Start()) else { return original }
        var layer = original, warnings = BoundedList<PropertyLoadError>(limit: ListLimit.warnings)
        layer.replaceValues(by: table)
        for name in found { warnings.append(warning(about: name)) }
        layer.warnings += warnings.warnings(about: layer.given.source)
        return layer
    }

    /// Notes a former name that was found.
    private mutating func note(_ name: Found) {
        // All elements of an array have the same mistake.
        let parts = name.old.parts(between: "[").map { $0.drop { ("0"..."9").contains($0) } }
        let key = PropertyKey(parts.joined(separator: "["))
        if let place = places[key], parts.count > 1 {
            found[place].others += 1
        } else {
            places[key] = found.count
            found.append(name)
        }
    }

    private func warning(about name: Found) -> PropertyLoadError {
        let others =
            name.others == 0 ? "" : ", also in \(name.others.grouped) more \(name.others == 1 ? "element" : "elements")"
        let (new, isDeclared, _) = declarations.root.spelled(name.new)
        let way = name.isSpelling ? original.given.howToSet?(new, isDeclared) : nil
        return PropertyLoadError(
            .renamed, "'\(name.old)' is called '\(name.new)' now\(others)", at: name.origin,
            remedy: way.map { "Set it \($0)" } ?? "Rename it")
    }
}

// MARK: - Tables

extension Renaming {
    /// A value with its current path.
    private struct Value {
        let original: PropertyTable.Value
        var path: [String]
        var node: PropertyNode
        var isFormer = false

        init(_ original: PropertyTable.Value) {
            (self.original, path, node) = (original, original.path, original.node)
        }

        /// Whether the value has the same path inside a renamed table as before.
        func isPart(of outer: Value) -> Bool {
            let expected = outer.path + original.path.dropFirst(outer.original.path.count)
            return path.elementsEqual(expected) { $0.isSame(as: $1) }
        }

        /// Whether the value was inside another value in the source.
        func wasInside(_ outer: Value) -> Bool {
            original.path.starts(with: outer.original.path) { $0.isSame(as: $1) }
        }
    }

    /// Returns a table with the current names, also in arrays. Nil if it has no former names.
    private mutating func table(_ table: PropertyTable, _ start: Start) -> PropertyTable? {
        var values: [Value] = [], hasChanged = false
        // The renamed tables of the source around the value, each until it is noted.
        var outer: [(value: Value, found: Found?)] = []
        for original in table.values() {
            let current = current(original.path, start)
            if isSection(original, current, start) {
                hasChanged = hasChanged || original.entry.node.isEmptyTable
                continue
            }
            var value = Value(original)
            if current.isFormer, isRenamed(original, start) { (value.path, value.isFormer) = (current.path, true) }
            let old = start.name(original.path, now: false), new = start.name(value.path, now: true)
            let changed = inArray(value.node, current.node, Start(old: old, new: new))
            value.node = changed ?? value.node
            values.append(value)
            hasChanged = hasChanged || value.isFormer || changed != nil
            if !value.isFormer || value.path.isEmpty { continue }
            while let last = outer.last, !value.wasInside(last.value) { outer.removeLast() }
            let isSpelling = self.original.given.spelling == .relaxed && !original.isInTable && start.declared == nil
            let found = Found(old: old, new: new, origin: original.entry.keyOrigin, isSpelling: isSpelling)
            if let place = outer.firstIndex(where: { value.isPart(of: $0.value) }) {
                // A table that was moved is one change.
                if let found = outer[place].found { note(found) }
                outer[place].found = nil
            } else if original.entry.node.isTable, !original.entry.node.isEmptyTable {
                outer.append((value, found))
            } else {
                note(found)
            }
        }
        return hasChanged ? inserted(values, start) : nil
    }

    private func current(_ path: [String], _ start: Start) -> CurrentPath {
        start.declared?.current(path) ?? declarations.current(path)
    }

    /// Whether a value with a former name has another name now: a table only if it is empty or has a setting, since what
    /// else is in a former table stays there.
    private func isRenamed(_ value: PropertyTable.Value, _ start: Start) -> Bool {
        guard case .table(let table) = value.entry.node.value, !table.isEmpty else { return true }
        return table.contains { current(value.path + [$0.key], start).isFormer }
    }

    /// Whether a value is a table that exists only for the former names in it: it is not declared, and its path is the
    /// beginning of a former path. A value in it that keeps its name creates the table again.
    private func isSection(_ value: PropertyTable.Value, _ current: CurrentPath, _ start: Start) -> Bool {
        guard value.entry.node.isTable, current.node.isEmpty else { return false }
        return start.declared?.leadsToFormerNames(current.path[...]) ?? declarations.leadsToFormerNames(current.path)
    }

    /// Returns an array whose tables have the current names. Nil if nothing in it is renamed, and for any other value.
    private mutating func inArray(_ node: PropertyNode, _ declared: DeclaredNode, _ place: Start) -> PropertyNode? {
        // Text of an untyped source may be a JSON array.
        guard declared.holdsFormerNames, declared.hasElements, case .array(var nodes) = node.list.value else {
            return nil
        }
        let element = declared.element
        var hasChanged = false
        for index in nodes.indices {
            let start = Start(
                declared: element, old: "\(place.old ?? "")[\(index)]", new: "\(place.new ?? "")[\(index)]")
            if case .table(let inner) = nodes[index].value, let new = table(inner, start) {
                (nodes[index].value, hasChanged) = (.table(new), true)
            } else if let new = inArray(nodes[index], element, start) {
                (nodes[index], hasChanged) = (new, true)
            }
        }
        return hasChanged ? PropertyNode(.array(nodes), origin: node.origin) : nil
    }

    /// Returns the table of values with their current paths.
    private mutating func inserted(_ values: [Value], _ start: Start) -> PropertyTable {
        var builder = LayerBuilder(original)
        // Values with former names come last, so that the error about two names of one setting is at the former name.
        for value in values.filter({ !$0.isFormer }) + values.filter(\.isFormer) where !value.path.isEmpty {
            let place = value.original.entry.keyOrigin
            do throws(TableBuilder.Conflict) {
                try builder.insert(value.node, at: value.path, place: place.place)
            } catch {
                let old = start.name(value.original.path, now: false), new = start.name(value.path, now: true)
                failure = failure ?? PropertyLoadError(both: old, at: place, new, at: error.origin)
            }
        }
        return builder.table
    }
}

extension PropertyLoadError {
    /// Creates the error that a source has a setting by its former name and by its current name.
    fileprivate init(both old: String, at place: PropertyOrigin, _ new: String, at other: PropertyOrigin) {
        self.init(
            .duplicate, "'\(old)' is the former name of '\(new)', which is set, too", at: place,
            remedy: "Leave '\(old)' out", notes: [.init("'\(new)' is", at: other)])
    }
}
