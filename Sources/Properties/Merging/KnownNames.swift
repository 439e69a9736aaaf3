/// The names of the declarations, and of all sources that are not relaxed, among which the names of flat and relaxed
/// sources are looked up.
///
/// A flat or relaxed source has names and no tables. `NameMatching` enters the names that have a path, in this order, and
/// looks up each name of such a source once:
///
/// 1. The names of the sources with tables, each with its path. A key of these tables may have a dot.
/// 2. The names of flat sources (`NameSpelling.flat`), such as dictionary literals in a program, which take the paths of
///    the names of sources with tables.
/// 3. The declared names, and the names inside declared tables.
/// 4. The names that settings had in earlier versions, which are looked up if no other name fits.
///
/// The names of relaxed sources (`NameSpelling.relaxed`), which people type in the environment and elsewhere, are looked
/// up last, among all of these. They are not entered, so they never change the names of another source.
struct KnownNames {
    private let declarations: Declarations
    /// The paths with a dot in one of their keys, by their flat names. All other names are split at each dot.
    private var dotted: [PropertyKey: [String]] = [:]
    /// Whether there is a relaxed source, which finds names by their letters.
    private let isRelaxed: Bool
    /// The names by their letters. Empty if there is no relaxed source.
    private var spellings = Spellings()
    /// The names of the settings in a table, by the identity of its schema.
    private var inner: [ObjectIdentifier: Spellings] = [:]

    init(_ declarations: Declarations, isRelaxed: Bool) {
        (self.declarations, self.isRelaxed) = (declarations, isRelaxed)
    }

    /// Whether the path of every name is the name split at its dots.
    var hasPlainPaths: Bool { dotted.isEmpty }

    /// Enters the names of a source that is not relaxed.
    mutating func add(_ layer: AppliedLayer) {
        let isExact = layer.given.spelling == .exact
        if isRelaxed || isExact && layer.hasDots { add(layer.table, Place(keys: isExact ? [] : nil)) }
    }

    /// Enters the declared names, and the former names of settings, which relaxed sources may have.
    mutating func addDeclaredNames() {
        let declared = declarations.root
        for key in declarations.keys {
            // A table of settings may be declared as secret by its name.
            let isTable = !key.isDescribed && declared.descendant(key.key.rawValue).mustBeTable
            spellings.add(key.key.rawValue, isTable: isTable)
            for rule in key.rules { spellings.add(rule.form, below: key.key.rawValue) }
        }
        for table in declarations.tableNames where declared.descendant(table.rawValue).mustBeTable {
            spellings.add(table.rawValue, isTable: true)
        }
        for name in declarations.formerNames { spellings.add(former: name) }
    }

    /// The place of a table whose names are entered.
    private struct Place {
        var name: String?
        var letters = ""
        /// The keys of the path, or nil if they are not needed.
        var keys: [String]?
        /// Whether a key has a dot.
        var isDotted = false
    }

    private mutating func add(_ table: PropertyTable, _ outer: Place) {
        for entry in table.entries {
            var place = outer
            place.name = outer.name.joined(path: ".\(entry.key)")
            let name = place.name ?? ""
            // A key of the first level that has a dot is merged along its path.
            place.keys? += outer.name == nil ? entry.key.path : [entry.key]
            place.isDotted = outer.isDotted || outer.name != nil && entry.key.contains(byte: .dot)
            if place.isDotted, let keys = place.keys { dotted[PropertyKey(name)] = keys }
            if isRelaxed {
                place.letters += RelaxedName.letters(of: entry.key)
                spellings.add(name, place.letters, entry.keyOrigin, isTable: entry.node.isTable)
            }
            if case .table(let inner) = entry.node.value { add(inner, place) }
        }
    }
}

// MARK: - Looking up

extension KnownNames {
    /// Returns the path of a name. If the name, or else its longest beginning, is at a path with a dot in a key, that
    /// path is used. The rest is split at its dots.
    func path(of levels: [String]) -> [String] {
        if dotted.isEmpty { return levels }
        for count in levels.indices.map({ $0 + 1 }).reversed() {
            let name = PropertyKey(levels.prefix(count).joined(separator: "."))
            if let start = dotted[name] { return start + levels.dropFirst(count) }
        }
        return levels
    }

    /// Returns the path of a relaxed name: the path of the known name that it means, or that its longest beginning
    /// means, and then the names inside that value. A name that means no known name is split at its dots.
    mutating func path(ofRelaxed levels: [String], at origin: PropertyOrigin) throws(PropertyLoadError) -> [String] {
        for count in levels.indices.map({ $0 + 1 }).reversed() {
            guard let name = try Self.name(levels.prefix(count), among: spellings, Reach(), origin) else { continue }
            let node = declarations.current(name.path).node
            return try path(of: name.path) + inside(levels.dropFirst(count), of: node, origin)
        }
        return path(of: levels)
    }

    /// Returns the path of a name that may be the variable of another program. It is the path of the known value that
    /// the name means, if each dot of the path is at a separator of the name, or of a value in a declared dictionary.
    /// If `isTable` is true, it may also be the name of a declared table. Nil for all other names.
    mutating func path(
        ofForeign levels: [String], isTable: Bool, at origin: PropertyOrigin
    ) throws(PropertyLoadError) -> [String]? {
        for count in levels.indices.map({ $0 + 1 }).reversed() {
            let reach = Reach(isStrict: true, findsTables: isTable && count == levels.count)
            guard let name = try Self.name(levels.prefix(count), among: spellings, reach, origin) else { continue }
            let current = declarations.current(name.path), rest = levels.dropFirst(count)
            let isValue = has(current.path.joined(separator: ".")) || current.node.mustBeTable
            if rest.isEmpty ? !isValue : !current.node.isDictionary { return nil }
            return try path(of: name.path) + inside(rest, of: current.node, origin)
        }
        return nil
    }

    /// Whether a name is known, and no other name has the same letters, so that every spelling of it means it.
    func isUnambiguous(_ name: String) -> Bool {
        let same = spellings.similar(to: RelaxedName.letters(of: name))
        return same.rest == 0 && same.names.count == 1 && same.names[0].name.isSame(as: name)
    }

    /// Whether a name belongs to a known value.
    func has(_ name: String) -> Bool { spellings.has(name, isValue: true) }

    /// Whether a name is neither declared nor that of a value in a source of another kind.
    func isForeign(_ name: String, _ declared: DeclaredNode) -> Bool { declared.forms.isEmpty && !has(name) }

    /// Returns the known names with the letters of some words.
    func names(like words: ArraySlice<String>) -> [String] {
        spellings.similar(to: RelaxedName.letters(of: words.joined())).names.map(\.name)
    }

    /// Returns the key of a dictionary, and the name in its value, that some words were probably meant for.
    func names(inDictionary node: DeclaredNode, _ words: ArraySlice<String>) -> [String] {
        guard let schema = node.child("").schemas.first else { return [words.joined(separator: "_")] }
        var inner = Spellings()
        inner.add(.table(schema), below: nil)
        for count in 1..<max(words.count, 1) {
            let letters = RelaxedName.letters(of: words.dropFirst(count).joined())
            guard let name = inner.similar(to: letters).names.first?.name else { continue }
            return [words.prefix(count).joined(separator: "_")] + SettingNaming.snakeCase.keys(for: name)
        }
        return [words.first ?? "", words.dropFirst().joined(separator: "_")].filter { !$0.isEmpty }
    }

    /// Returns a path that begins inside a declared value, in the spelling of its settings. The key of a dictionary stays
    /// as it is.
    private mutating func inside(
        _ levels: ArraySlice<String>, of declared: DeclaredNode, _ origin: PropertyOrigin
    ) throws(PropertyLoadError) -> [String] {
        guard let first = levels.first else { return [] }
        if declared.isDictionary {
            return try [first] + inside(levels.dropFirst(), of: declared.child(first), origin)
        }
        for schema in declared.schemas {
            let known = spellings(of: schema)
            for count in (1...levels.count).reversed() {
                guard let name = try Self.name(levels.prefix(count), among: known, Reach(), origin) else { continue }
                let node = declared.current(name.path).node
                return try name.path + inside(levels.dropFirst(count), of: node, origin)
            }
        }
        return Array(levels)
    }

    private mutating func spellings(of schema: Schema) -> Spellings {
        if let known = inner[ObjectIdentifier(schema)] { return known }
        var known = Spellings()
        known.add(.table(schema), below: nil)
        for name in SettingsDeclaration.formerNames(schema, from: [], to: nil) { known.add(former: name) }
        inner[ObjectIdentifier(schema)] = known
        return known
    }

    /// Which names a spelling can mean.
    private struct Reach {
        /// Whether each dot of the name must be at a separator.
        var isStrict = false
        /// Whether it can mean the name of a table.
        var findsTables = true
    }

    /// Returns the name that a spelling means, or nil if there is none: the name with the same bytes, or otherwise the
    /// only name that has the same letters. A former name is found if no other name is.
    private static func name(
        _ levels: ArraySlice<String>, among spellings: Spellings, _ reach: Reach, _ origin: PropertyOrigin
    ) throws(PropertyLoadError) -> String? {
        let name = levels.joined(separator: ".")
        if spellings.has(name, isValue: !reach.findsTables) { return name }
        let spelling = RelaxedName(name), similar = spellings.similar(to: spelling.letters)
        func isMeant(_ other: String) -> Bool {
            let other = RelaxedName(other)
            return reach.isStrict ? spelling.reachesStrictly(other) : spelling.reaches(other)
        }
        let all = similar.names.filter { (reach.findsTables || !$0.isTable) && isMeant($0.name) }
        if all.isEmpty {
            return try formerName(
                name, among: spellings.former(spelling.letters).filter { isMeant($0.oldName) }, origin)
        }
        // Any other name takes precedence over a declared table.
        let others = all.filter { !$0.isTable || $0.origin != nil }, found = others.isEmpty ? all : others
        guard similar.rest == 0, found.count == 1 else {
            let declaredNames = found.filter { $0.origin == nil }.sorted(byName: \.name)
            var names = BoundedList(found.filter { $0.origin != nil } + declaredNames, limit: ListLimit.names)
            names.skip(similar.rest)
            throw ambiguity(of: name, names, at: origin)
        }
        return found[0].name
    }

    /// Returns the former name that a spelling means. Several former names of one setting are one.
    private static func formerName(
        _ name: String, among names: [FormerPath], _ origin: PropertyOrigin
    ) throws(PropertyLoadError) -> String? {
        let exact = names.first { $0.oldName.isSame(as: name) }
        guard exact != nil || Set(names.map { PropertyKey($0.newName) }).count < 2 else {
            let all = names.map { Spellings.Spelling(name: $0.oldName, origin: nil, isTable: false) }
            throw ambiguity(of: name, BoundedList(all.sorted(byName: \.name), limit: ListLimit.names), at: origin)
        }
        return (exact ?? names.first)?.oldName
    }

    private static func ambiguity(
        of name: String, _ names: BoundedList<Spellings.Spelling>, at origin: PropertyOrigin
    ) -> PropertyLoadError {
        PropertyLoadError(
            .ambiguous, "the name '\(name)' may mean \(names.map { "'\($0.name)'" }.text)", at: origin,
            remedy: "Write one of them exactly, in a variable with __ for each dot and in its own case",
            notes: names.elements.compactMap { spelling in
                spelling.origin.map { .init("'\(spelling.name)' is at", at: $0) }
            })
    }
}
