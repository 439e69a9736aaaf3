/// The declared names as a tree: the declarations by name at one path, and below it.
///
/// A settings type is declared as a table at its name, and its settings are not in this tree. `DeclaredNode` follows a path
/// through the tree and through the forms of values and tables.
struct DeclaredTree: Sendable {
    /// The declarations by this name itself. Boxed, because a walk of the tree copies its nodes.
    private var own: Own?
    private(set) var inner: [PropertyKey: DeclaredTree] = [:]
    /// The kinds of declarations at this name and below it.
    private(set) var traits: DeclaredTraits = []

    /// The declarations by one name.
    final class Own: Sendable {
        /// The rules of typed keys.
        let rules: [any Rule]
        /// The settings types.
        let tables: [Schema]
        /// Whether the name is declared as secret.
        let isSecret: Bool

        init(rules: [any Rule] = [], tables: [Schema] = [], isSecret: Bool = false) {
            (self.rules, self.tables, self.isSecret) = (rules, tables, isSecret)
        }

        fileprivate var traits: DeclaredTraits {
            var traits: DeclaredTraits = rules.isEmpty && tables.isEmpty ? [] : .keys
            for table in tables { traits.formUnion(table.traits) }
            if isSecret || traits.contains(.secrets) || rules.contains(where: \.isSecret) {
                traits.formUnion([.secrets, .secretNames])
            }
            return rules.reduce(into: traits) { $0.formUnion($1.form.traits) }
        }

        fileprivate func combined(with other: Own?) -> Own {
            guard let other else { return self }
            // A child store may declare the same again.
            return Own(
                rules: rules + other.rules.filter { rule in !rules.contains { $0 === rule } },
                tables: tables + other.tables.filter { table in !tables.contains { $0 === table } },
                isSecret: isSecret || other.isSecret)
        }
    }

    var rules: [any Rule] { own?.rules ?? [] }
    var tables: [Schema] { own?.tables ?? [] }
    /// Whether this name is declared as secret, without a rule.
    var isSecret: Bool { own?.isSecret ?? false }
    /// Whether this name itself is declared in any way.
    var isDeclared: Bool { own != nil }
    var isEmpty: Bool { own == nil && inner.isEmpty }

    /// Whether something with a trait is declared here or below.
    func holds(_ trait: DeclaredTraits) -> Bool { traits.contains(trait) }

    /// Adds the declarations by a name, or for all properties for nil.
    mutating func add(_ new: Own, at name: PropertyKey?) {
        change(name?.rawValue.path.map { PropertyKey($0) }[...] ?? [], new)
    }

    private mutating func change(_ path: ArraySlice<PropertyKey>, _ new: Own) {
        traits.formUnion(new.traits)
        guard let first = path.first else { return own = own?.combined(with: new) ?? new }
        inner[first, default: DeclaredTree()].change(path.dropFirst(), new)
    }

    /// Returns the declarations of this tree and of another tree.
    func combined(with other: DeclaredTree) -> DeclaredTree {
        if isEmpty { return other }
        var all = self
        all.own = own?.combined(with: other.own) ?? other.own
        all.traits.formUnion(other.traits)
        all.inner.merge(other.inner) { $0.combined(with: $1) }
        return all
    }
}
