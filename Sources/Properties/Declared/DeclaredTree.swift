/// The declared names as a tree: the declarations by name at one path, and below it.
///
/// A settings type is declared as a table at its name, and its settings are not in this tree. `DeclaredNode` follows a path
/// through the tree and through the forms of values and tables.
struct DeclaredTree: Sendable {
    /// The declarations by this name itself. Boxed, because a walk of the tree copies its nodes.
    private var own: Own?
    private(set) var inner: [PropertyKey: DeclaredTree] = [:]
    /// Whether this is a table of settings, or contains one, also in the form of a value.
    private(set) var holdsSettings = false
    /// Whether this name, a name below it, or a setting in a form is secret.
    private(set) var holdsSecret = false
    /// Whether this name or a name below it is secret, not counting settings inside values.
    private(set) var hasSecretNames = false
    /// Whether a rule or a settings type is declared here or below, and not only the secrecy of a name.
    private(set) var declaresKeys = false
    /// Whether a setting has a former name, also inside values. It does not count tables that were moved.
    private(set) var holdsFormerNames = false

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

    /// Adds the declarations by a name, or for all properties for nil.
    mutating func add(_ new: Own, at name: PropertyKey?) {
        change(name?.rawValue.path.map { PropertyKey($0) }[...] ?? [], new)
    }

    private mutating func change(_ path: ArraySlice<PropertyKey>, _ new: Own) {
        holdsSettings = holdsSettings || !new.tables.isEmpty || new.rules.contains(where: \.form.hasSettings)
        let secretTable = new.tables.contains { $0.attributes.holdsSecret }
        hasSecretNames = hasSecretNames || new.isSecret || secretTable || new.rules.contains(where: \.isSecret)
        holdsSecret = holdsSecret || hasSecretNames || new.rules.contains(where: \.holdsSecret)
        declaresKeys = declaresKeys || !new.rules.isEmpty || !new.tables.isEmpty
        holdsFormerNames =
            holdsFormerNames || new.tables.contains { $0.attributes.holdsFormerNames }
            || new.rules.contains(where: \.form.holdsFormerNames)
        guard let first = path.first else { return own = own?.combined(with: new) ?? new }
        inner[first, default: DeclaredTree()].change(path.dropFirst(), new)
    }

    /// Returns the declarations of this tree and of another tree.
    func combined(with other: DeclaredTree) -> DeclaredTree {
        if isEmpty { return other }
        var all = self
        all.own = own?.combined(with: other.own) ?? other.own
        all.holdsSettings = holdsSettings || other.holdsSettings
        all.holdsSecret = holdsSecret || other.holdsSecret
        all.hasSecretNames = hasSecretNames || other.hasSecretNames
        all.declaresKeys = declaresKeys || other.declaresKeys
        all.holdsFormerNames = holdsFormerNames || other.holdsFormerNames
        all.inner.merge(other.inner) { $0.combined(with: $1) }
        return all
    }
}
