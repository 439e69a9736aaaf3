import SharedState
import Synchronization

/// A table of settings: the properties of a settings type, with the defaults of the type or of one place.
///
/// The properties are found when they are first asked for, so that a type may contain itself.
final class Schema: Sendable {
    private let make: @Sendable () -> Fields
    private let made = AtomicLazyReference<Fields>()
    private let known = Lazily<DeclaredTraits>()

    init(_ make: @escaping @Sendable () -> Fields) { self.make = make }

    /// The properties of a settings type.
    final class Fields: Sendable {
        /// The properties, in the decoding order of the type.
        let all: [Field]
        /// The number of values, including the values of nested tables.
        let count: Int
        /// The former names of the properties.
        let formerNames: [FormerPath]
        /// The rules that several properties obey together.
        let settingsRules: [SchemaRule]
        fileprivate let indices: [PropertyKey: Int]

        init(_ fields: [Field], _ rules: [SchemaRule] = []) {
            (all, settingsRules) = (fields, rules)
            count = fields.reduce(0) { $0 + $1.count }
            formerNames = fields.compactMap { field in
                field.rule?.attributes.formerName.map { FormerPath(old: $0.path, new: [field.key]) }
            }
            indices = Dictionary(fields.enumerated().map { (PropertyKey($1.key), $0) }) { $1 }
        }
    }

    // Made without a lock, because the initializer of the type is user code.
    private var content: Fields { made.load() ?? made.storeIfNil(make()) }

    /// The properties, in the decoding order of the type.
    var fields: [Field] { content.all }
    /// The number of values, including the values of nested tables.
    var count: Int { content.count }
    /// The rules that several properties obey together.
    var settingsRules: [SchemaRule] { content.settingsRules }
    /// The former names of the properties, which begin at this table.
    var formerNames: [FormerPath] { content.formerNames }

    /// Returns the property with a key, or nil.
    func field(_ key: PropertyKey) -> Field? {
        let content = content
        return content.indices[key].map { content.all[$0] }
    }

    /// The schemas of all types that were declared or decoded in this process. They are never freed, like the metadata of
    /// the types.
    private static let cache = Guarded<[ObjectIdentifier: Schema]>([:])

    /// Returns the schema of a type with the defaults of the type. A type that cannot be a settings type ends the process
    /// when its properties are first asked for.
    static func of(_ type: any Settings.Type) -> Schema {
        cache.withLock { cache in
            let key = ObjectIdentifier(type)
            if let known = cache[key] { return known }
            let new = Schema { Fields(checking: type) }
            cache[key] = new
            return new
        }
    }
}

/// A property of a settings type. It is a class, because each read passes it on several times.
final class Field: Sendable {
    /// The name of the property, by which the type decodes it.
    let property: String
    /// The key in a table.
    let key: String
    /// The index of its first value among all values of its type, including the values of nested tables: see `FlatNames`.
    let valueIndex: Int
    let content: Content

    init(property: String, key: String, valueIndex: Int, content: Content) {
        (self.property, self.key, self.valueIndex, self.content) = (property, key, valueIndex, content)
    }

    enum Content: Sendable {
        case value(any Rule)
        /// Another settings type, which is a table of its own.
        case table(Schema)
    }

    /// The number of values in it.
    var count: Int { if case .table(let schema) = content { schema.count } else { 1 } }

    var form: Form {
        switch content {
        case .value(let rule): rule.form
        case .table(let schema): .table(schema)
        }
    }

    /// The rule, or nil for a table.
    var rule: (any Rule)? { if case .value(let rule) = content { rule } else { nil } }

    /// The schema of a nested table, or nil for a value.
    var table: Schema? { if case .table(let schema) = content { schema } else { nil } }
}

// MARK: - Traits of all settings

extension Schema {
    /// The traits of the settings, also of those in tables inside it.
    var traits: DeclaredTraits {
        known.value {
            var seen: Set<ObjectIdentifier> = [], rest = [self], traits = DeclaredTraits.settings
            // A type may contain itself.
            while let schema = rest.popLast() {
                guard seen.insert(ObjectIdentifier(schema)).inserted else { continue }
                if !schema.formerNames.isEmpty { traits.insert(.formerNames) }
                if !schema.settingsRules.isEmpty { traits.insert(.settingsRules) }
                for field in schema.fields {
                    if field.rule?.isSecret == true { traits.insert(.secrets) }
                    if field.rule?.attributes.needsRestart == true { traits.insert(.restarts) }
                    rest += [field.form.schema].compactMap(\.self)
                }
            }
            return traits
        }
    }
}

// MARK: - Defaults

extension Schema {
    /// Returns the defaults as the table of a source.
    ///
    /// - Parameter original: the schema of the type. The values of the table replace its defaults, which a null would
    ///   not.
    /// - Returns: the table, or nil if a source cannot have one of the values.
    func table(instead original: Schema) -> PropertyValue? {
        var entries: [(String, PropertyValue)] = []
        for (field, other) in zip(fields, original.fields) {
            guard let value = field.default(instead: other), !PropertyNode(value).isOpaque else { return nil }
            if !PropertyNode(value).isNull {
                entries.append((field.key, value))
            } else if other.default(instead: other).map({ PropertyNode($0).isNull }) != true {
                return nil
            }
        }
        return .table(PropertyTable(entries))
    }
}

extension Field {
    /// Returns the default as a source would contain it. Nil if there is none, or if a source cannot have it.
    fileprivate func `default`(instead original: Field) -> PropertyValue? {
        switch (content, original.content) {
        case (.value(let rule), _): rule.sourceDefault
        case (.table(let schema), .table(let other)): schema.table(instead: other)
        case (.table, .value): nil
        }
    }
}

/// The flat names of the values of a settings type at one place, and of the values of its nested tables.
///
/// They are made once for each declaration, so that a read joins no names.
struct FlatNames: Sendable {
    /// The names in the order of `Schema.keys(at:)`, of the outermost type.
    let all: [PropertyKey]
    /// The index of the first value of this type.
    private let first: Int

    /// Creates the names of the outermost type.
    init(_ all: [PropertyKey]) { self.init(all: all, first: 0) }

    private init(all: [PropertyKey], first: Int) { (self.all, self.first) = (all, first) }

    /// The name of a value of this type.
    subscript(field: Field) -> PropertyKey { all[first + field.valueIndex] }

    /// The name of the value at a path of properties.
    subscript(path path: [Field]) -> PropertyKey { all[path.reduce(first) { $0 + $1.valueIndex }] }

    /// Returns the names of a nested table of this type.
    func nested(_ table: Field) -> FlatNames { FlatNames(all: all, first: first + table.valueIndex) }
}
