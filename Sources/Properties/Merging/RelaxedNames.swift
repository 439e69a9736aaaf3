/// The names that relaxed spellings are matched with: those of the sources that are not relaxed, and what is declared.
struct RelaxedNames {
    /// All names, and the first names that have the same letters.
    private var spellings = Spellings()
    private let declared: DeclaredNode
    /// The tables of the sources of this program, with their places.
    private var tables: [PropertyKey: PropertyOrigin] = [:]

    init(in layers: [PropertyLayer], _ declared: Declarations) {
        self.declared = declared.root
        for layer in layers where layer.spelling != .relaxed { addSpellings(layer.table, "", letters: "") }
        for key in declared.keys {
            spellings.add(key.key.rawValue)
            for rule in key.rules { spellings.add(rule.form, below: key.key.rawValue) }
        }
    }

    private mutating func addSpellings(_ table: PropertyTable, _ prefix: String, letters: String) {
        for entry in table.entries {
            let letters = letters + RelaxedName.letters(of: entry.key)
            let name = prefix + entry.key
            spellings.add(name, letters, entry.keyOrigin)
            if case .table(let inner) = entry.node.value { addSpellings(inner, name + ".", letters: letters) }
        }
    }
}

// MARK: - Variables of other programs

extension RelaxedNames {
    /// Adds the tables of the layers of this program, which no variable of another program replaces.
    mutating func addTables(of layers: [PropertyLayer]) {
        for layer in layers where !layer.mayBeForeign { addTables(layer.table, nil) }
    }

    private mutating func addTables(_ table: PropertyTable, _ name: String?) {
        for entry in table.entries {
            guard case .table(let inner) = entry.node.value else { continue }
            let name = name.joined(path: ".\(entry.key)")
            tables[PropertyKey(name)] = entry.keyOrigin
            addTables(inner, name)
        }
    }

    /// Returns the warning about a variable that probably belongs to another program, because its name is that of a table
    /// here. Nil if it does not.
    func replacedTable(
        by node: PropertyNode, at path: [String], _ origin: PropertyOrigin
    ) -> PropertyLoadError? {
        let name = path.joined(separator: ".")
        if node.isTable || node.isNull { return nil }
        let declared = path.reduce(declared) { $0.child($1) }
        let table = declared.isKey ? nil : tables[PropertyKey(name)]
        let isDeclared = declared.passesOver(node)
        if !isDeclared, table == nil { return nil }
        return PropertyLoadError(
            .ignored,
            "'\(name)' is a table \(isDeclared ? "of settings" : "in another source"), so this variable is not loaded",
            at: origin, remedy: "Load the variables of this program only, by a prefix",
            notes: isDeclared ? [] : table.map { [.init("the table is at", at: $0)] } ?? [])
    }
}

// MARK: - The path of a relaxed spelling

extension RelaxedNames {
    /// Returns the path of a relaxed spelling. If there is no name for all of it, only its longest part with a name
    /// changes, and after it the names inside a declared value.
    func path(
        of path: [String], at origin: PropertyOrigin, _ known: KnownNames
    ) throws(PropertyLoadError) -> [String] {
        for count in path.indices.map({ $0 + 1 }).reversed() {
            guard let name = try Self.name(path.prefix(count), among: spellings, at: origin) else { continue }
            let start = known.path(of: name), rest = path.dropFirst(count)
            return rest.isEmpty ? start : try start + respelled(rest, below: declared.descendant(name), at: origin)
        }
        return path
    }

    /// Returns a path inside a declared value in the spelling of its settings. The key of a dictionary stays as it is.
    private func respelled(
        _ path: ArraySlice<String>, below declared: DeclaredNode, at origin: PropertyOrigin
    ) throws(PropertyLoadError) -> [String] {
        guard let first = path.first else { return [] }
        if declared.isDictionary {
            return try [first] + respelled(path.dropFirst(), below: declared.child(first), at: origin)
        }
        for schema in declared.schemas {
            let spellings = Spellings(schema)
            for count in (1...path.count).reversed() {
                guard let name = try Self.name(path.prefix(count), among: spellings, at: origin) else {
                    continue
                }
                return try name.parts(between: ".").map { String($0) }
                    + respelled(path.dropFirst(count), below: declared.descendant(name), at: origin)
            }
        }
        return Array(path)
    }

    /// Returns the name that a spelling means, or nil if there is none.
    private static func name(
        _ path: ArraySlice<String>, among spellings: Spellings, at origin: PropertyOrigin
    ) throws(PropertyLoadError) -> String? {
        let name = path.joined(separator: ".")
        if spellings.has(name) { return name }
        let spelling = RelaxedName(name)
        guard let similar = spellings[spelling.letters] else { return nil }
        let found = similar.elements.filter { spelling.reaches(RelaxedName($0.name)) }
        if found.isEmpty { return nil }
        guard similar.rest == 0, found.count == 1 else {
            let declared = found.filter { $0.origin == nil }.sorted(byName: \.name)
            var names = BoundedList(found.filter { $0.origin != nil } + declared, limit: ListLimit.names)
            names.skip(similar.rest)
            throw ambiguity(of: name, names, at: origin)
        }
        return found[0].name
    }

    private static func ambiguity(
        of name: String, _ names: BoundedList<Spellings.Spelling>, at origin: PropertyOrigin
    ) -> PropertyLoadError {
        // Two names with the same levels cannot be told apart by a variable.
        let areApart = Set(names.elements.map { RelaxedName($0.name).dots }).count == names.elements.count
        return PropertyLoadError(
            .ambiguous, "the name '\(name)' may mean \(names.map { "'\($0.name)'" }.text)", at: origin,
            remedy: areApart
                ? "Write the exact name; in a variable, write __ for each dot and no other _"
                : "Let all other sources spell the name in one way",
            notes: names.elements.compactMap { spelling in
                spelling.origin.map { .init("'\(spelling.name)' is at", at: $0) }
            })
    }
}

extension Spellings {
    /// Creates the names of the settings of a table, without those in arrays and dictionaries.
    init(_ schema: Schema) { add(.table(schema), below: nil) }

    /// Adds the names of the settings inside a value, without those in arrays and dictionaries.
    mutating func add(_ form: Form, below name: String?) {
        guard case .table(let schema) = form.unwrapped else { return }
        for field in schema.fields {
            let inner = name.joined(path: ".\(field.key)")
            add(inner)
            add(field.form, below: inner)
        }
    }
}
