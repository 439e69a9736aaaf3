import Synchronization

/// The declarations as a tree of names.
///
/// A typed key or a setting is a leaf; a settings type is a table of leaves and other tables. Declarations inside the
/// value of a leaf are not in this tree but in the leaf's form. `DeclaredNode` follows a path
/// through both.
struct DeclaredTree: Sendable {
    /// The combination of all declarations of this name, or nil if there is none.
    var key: DeclaredKey? { box?.key }
    // Boxed, because a walk of the tree copies its nodes.
    private var box: Box?
    /// Whether this is a table of settings, or contains one, also in the form of a value.
    private(set) var holdsSettings = false
    /// Whether this is the table of a settings type.
    private(set) var isSettings = false
    /// Whether this name, a name below it, or a setting in the form of a value is secret.
    private(set) var holdsSecret = false
    /// Whether a name here or inside is secret.
    private(set) var hasSecretNames = false
    private(set) var inner: [PropertyKey: DeclaredTree] = [:]

    private final class Box: Sendable {
        let key: DeclaredKey
        init(_ key: DeclaredKey) { self.key = key }
    }

    var isEmpty: Bool { key == nil && inner.isEmpty && !isSettings }

    /// Returns the keys without an order.
    var keys: [DeclaredKey] { [key].compactMap(\.self) + inner.values.flatMap(\.keys) }

    /// Whether a key is declared, and not only the secrecy of a name.
    var declaresKeys: Bool { key?.isDescribed == true || inner.values.contains { $0.declaresKeys } }

    /// Returns the key with a name, or nil.
    subscript(name: PropertyKey) -> DeclaredKey? { Self.path(name).reduce(self) { $0?.inner[$1] }?.key }

    /// Adds a declaration, combining it with earlier ones of the same name.
    mutating func add(_ key: DeclaredKey) {
        change(Self.path(key.key)[...], (key.isSecret, key.holdsSecret, key.forms.contains(where: \.hasSettings))) {
            tree in
            tree.box = Box(tree.key?.combined(with: key) ?? key)
        }
    }

    /// Adds the table of a settings type.
    mutating func addTable(_ name: PropertyKey) {
        change(Self.path(name)[...], (false, false, true)) { $0.isSettings = true }
    }

    /// Returns the declarations of this tree and of another one.
    func combined(with other: DeclaredTree) -> DeclaredTree {
        if isEmpty { return other }
        var all = self
        if let key = other.key { all.box = Box(self.key?.combined(with: key) ?? key) }
        all.isSettings = isSettings || other.isSettings
        all.holdsSettings = holdsSettings || other.holdsSettings
        all.holdsSecret = holdsSecret || other.holdsSecret
        all.hasSecretNames = hasSecretNames || other.hasSecretNames
        all.inner.merge(other.inner) { $0.combined(with: $1) }
        return all
    }

    private static func path(_ name: PropertyKey) -> [PropertyKey] {
        name.rawValue.parts(between: ".").map { PropertyKey(String($0)) }
    }

    private mutating func change(
        _ path: ArraySlice<PropertyKey>, _ adds: (isSecret: Bool, holdsSecret: Bool, holdsSettings: Bool),
        _ change: (inout DeclaredTree) -> Void
    ) {
        hasSecretNames = hasSecretNames || adds.isSecret
        holdsSecret = holdsSecret || adds.holdsSecret
        holdsSettings = holdsSettings || adds.holdsSettings
        guard let first = path.first else { return change(&self) }
        inner[first, default: DeclaredTree()].change(path.dropFirst(), adds, change)
    }
}

/// All declarations of a store and its parents.
final class Declarations: Sendable {
    let tree: DeclaredTree
    /// Identifies what the store itself has declared.
    private let number: UInt64
    private let above: Declarations?
    /// The settings types that the store itself has declared.
    private let settingsTypes: [SettingsDeclaration]
    private let made = AtomicLazyReference<List>()
    private let types = AtomicLazyReference<SettingsTypes>()

    private final class List: Sendable {
        let keys: [DeclaredKey]
        init(_ keys: [DeclaredKey]) { self.keys = keys }
    }

    private final class SettingsTypes: Sendable {
        let byType: [ObjectIdentifier: [SettingsDeclaration]]
        init(_ byType: [ObjectIdentifier: [SettingsDeclaration]]) { self.byType = byType }
    }

    /// Combines the declarations of a store with those above it.
    ///
    /// - Parameters:
    ///   - tree: the keys that the store itself has declared.
    ///   - settingsTypes: the settings types that it has declared.
    ///   - number: identifies both.
    ///   - above: the declarations above.
    init(_ tree: DeclaredTree, _ settingsTypes: [SettingsDeclaration], number: UInt64, above: Declarations?) {
        self.tree = above.map { $0.tree.combined(with: tree) } ?? tree
        (self.number, self.settingsTypes, self.above) = (number, settingsTypes, above)
    }

    /// Returns this object if it was made from the same tree and the same declarations above, otherwise nil.
    func reused(_ number: UInt64, above: Declarations?) -> Declarations? {
        self.number == number && self.above === above ? self : nil
    }

    /// The keys, sorted by name.
    var keys: [DeclaredKey] {
        if let list = made.load() { return list.keys }
        return made.storeIfNil(List(tree.keys.sorted(byName: \.key.rawValue))).keys
    }

    /// Returns the declarations of a settings type, in their order, one for each table.
    func settings(_ type: ObjectIdentifier) -> [SettingsDeclaration] { settingsByType.byType[type] ?? [] }

    /// Made when it is first asked for, because most states of a store that declares many types are never read.
    private var settingsByType: SettingsTypes {
        if let types = types.load() { return types }
        var all = above?.settingsByType.byType ?? [:]
        var tables = all.mapValues { Set($0.map(\.table)) }
        for declaration in settingsTypes
        where tables[declaration.type, default: []].insert(declaration.table).inserted {
            all[declaration.type, default: []].append(declaration)
        }
        return types.storeIfNil(SettingsTypes(all))
    }

    /// The node of all properties.
    var root: DeclaredNode { DeclaredNode(root: tree) }

    /// Returns the node of a flat name.
    func node(_ key: PropertyKey) -> DeclaredNode { root.descendant(key.rawValue) }

    /// Whether a value is secret because of its name or a setting.
    var holdSecrets: Bool { tree.holdsSecret }
}
