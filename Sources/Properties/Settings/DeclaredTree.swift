import Synchronization

/// The declarations as a tree of names.
///
/// A typed key or a setting is a leaf; a settings type is a table of leaves and other tables. Declarations inside the
/// value of a leaf are not in this tree but in the leaf's form. `Place` follows a path through both.
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
    fileprivate private(set) var inner: [PropertyKey: DeclaredTree] = [:]

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

/// The declarations at one path of the properties: those of names, and those in the forms of values.
///
/// A path may have several declarations, such as the dictionary `pools` and the key `pools.main.size`. They add up: a
/// name is known if one of them declares it, and secret if one of them makes it secret.
struct Place {
    /// The declared names at and below this path, or nil.
    private let names: DeclaredTree?
    /// The forms of the value at this path.
    let forms: [Form]
    /// Whether everything here is secret.
    let isSecret: Bool

    /// The place of all properties.
    init(root: DeclaredTree) { self.init(root, [], false) }

    private init(_ names: DeclaredTree?, _ forms: [Form], _ isSecret: Bool) {
        self.names = names
        // Only the secrecy of a name says nothing about the form of a table of settings there.
        let own = names?.key.flatMap { $0.isDescribed || names?.holdsSettings != true ? $0.forms : nil }
        self.forms = forms + (own ?? [])
        self.isSecret = isSecret || names?.key?.isSecret == true
    }

    /// Whether nothing is declared here.
    var isEmpty: Bool { names == nil && forms.isEmpty }

    /// Whether a name at or below this path, or a setting in a form here, is secret.
    var holdsSecret: Bool { isSecret || names?.holdsSecret == true || hasSecretSettings }

    /// Whether a setting inside the value at this path is secret.
    var hasSecretSettings: Bool { forms.contains(where: \.holdsSecret) }

    /// Whether a name at or below this path is declared as secret by its name.
    var hasSecretNames: Bool { names?.hasSecretNames == true }

    /// The settings of the tables that may be here.
    var schemas: [SettingsSchema] {
        forms.compactMap { if case .table(let reference) = $0.unwrapped { reference.schema } else { nil } }
    }

    /// Whether this is a table of settings, in which every other key is a mistake.
    var isTableOfSettings: Bool { names?.isSettings == true || !schemas.isEmpty }

    /// Whether a key with this name is declared, and not only its secrecy.
    var isKey: Bool { names?.key?.isDescribed == true }

    /// Whether names are declared in this table.
    var hasNames: Bool { names.map { !$0.inner.isEmpty || $0.isSettings } ?? false }

    /// Whether the value must be a table: a table of settings, a table that contains one, or a dictionary of such
    /// tables.
    var mustBeTable: Bool {
        let isTable = forms.contains { form in
            switch form.unwrapped {
            case .table: true
            case .dictionary(let values, _): values.hasSettings
            case .array, .value, .optional: false
            }
        }
        let isOther = forms.contains { form in
            switch form.unwrapped {
            case .table, .dictionary: false
            case .array, .value, .optional: true
            }
        }
        return !isOther && (isTable || names?.holdsSettings == true)
    }

    /// Whether only an array may be here.
    var mustBeArray: Bool {
        !forms.isEmpty && !hasNames && forms.allSatisfy { if case .array = $0.unwrapped { true } else { false } }
    }

    /// Whether nothing is declared inside the value here.
    var isOpen: Bool {
        !hasNames && forms.allSatisfy { if case .value = $0.unwrapped { true } else { false } }
    }

    /// Whether the value may be absent.
    var isOptional: Bool { forms.contains { if case .optional = $0 { true } else { false } } }

    /// Whether the keys here are those of a dictionary, which a variable separates by `__` on both sides.
    var isDictionary: Bool {
        forms.contains { if case .dictionary = $0.unwrapped { true } else { false } }
    }

    /// Whether something is declared inside the keys of a table here.
    var hasKeys: Bool {
        hasNames
            || forms.contains { form in
                switch form.unwrapped {
                case .table, .dictionary: true
                case .array, .value, .optional: false
                }
            }
    }

    /// Whether something may be declared inside the elements of an array here.
    var hasElements: Bool { forms.contains(where: \.isList) }

    /// The keys of the settings of this place, without those of nested tables.
    var settingKeys: [String] {
        schemas.flatMap { $0.fields.map(\.key) } + (names?.inner.keys.map(\.rawValue) ?? [])
    }

    /// Returns the place of the value of a key in the table here.
    func child(_ key: String) -> Place {
        let whole = PropertyKey(key)
        let found = forms.compactMap { $0.child(whole) }
        let place = Place(names?.inner[whole], found.map(\.form), isSecret || found.contains(where: \.isSecret))
        guard let names, names.inner[whole] == nil, key.contains(byte: .dot) else { return place }
        // A key with dots is the name of a value in inner tables. The key of a dictionary is whole, but no declaration
        // unmasks what another one masks.
        let inner = along(key.parts(between: "."), from: names)
        return Place(inner.names, found.map(\.form), place.isSecret || inner.isSecret)
    }

    private func along(_ keys: [Substring], from names: DeclaredTree) -> Place {
        var names = names, isSecret = isSecret
        for key in keys {
            // A name below a secret one is secret, although it belongs to no declared value.
            guard let inner = names.inner[PropertyKey(String(key))] else { return Place(nil, [], isSecret) }
            names = inner
            isSecret = isSecret || names.key?.isSecret == true
        }
        return Place(names, [], isSecret)
    }

    /// Leads to the elements of an array.
    var element: Place { Place(nil, forms.map(\.element), isSecret) }

    /// Returns the place at a path with indices, such as `servers[2].port`.
    func descendant(path: String) -> Place {
        path.parts(between: ".").reduce(self) { place, part in
            let key = part.prefix { $0 != "[" }
            return part.dropFirst(key.count).reduce(place.child(String(key))) { $1 == "[" ? $0.element : $0 }
        }
    }

    /// Leads to the value of a flat name.
    func descendant(_ name: String) -> Place { name.parts(between: ".").reduce(self) { $0.child(String($1)) } }
}

extension Form {
    /// The form of the value of a key of a table, and whether it is declared secret. Nil if there is no such key.
    fileprivate func child(_ key: PropertyKey) -> (form: Form, isSecret: Bool)? {
        switch self {
        case .table(let reference): reference.schema.field(key).map { ($0.form, $0.isSecret) }
        case .optional(let form): form.child(key)
        case .dictionary(let form, _): (form, false)
        // A value of another kind is an error as a whole, so nothing inside it is reported.
        case .array, .value: (.value(Any.self), false)
        }
    }

    /// The form of the elements of an array.
    fileprivate var element: Form {
        if case .array(let element) = unwrapped { element } else { .value(Any.self) }
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
    ///   - contents: what the store itself has declared.
    ///   - above: the declarations above.
    init(_ contents: StoreContents, above: Declarations?) {
        tree = above.map { $0.tree.combined(with: contents.declared) } ?? contents.declared
        (number, settingsTypes, self.above) = (contents.declaredNumber, contents.settingsTypes, above)
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

    /// The place of all properties.
    var root: Place { Place(root: tree) }

    /// Returns the place of a flat name.
    func place(_ key: PropertyKey) -> Place { root.descendant(key.rawValue) }

    /// Whether a value is secret because of its name or a setting.
    var holdSecrets: Bool { tree.holdsSecret }
}
