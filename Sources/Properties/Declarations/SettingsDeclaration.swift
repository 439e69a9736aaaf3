import SharedState
import Synchronization

/// A settings type that was declared at a table. All states share it.
final class SettingsDeclaration: Sendable {
    let type: ObjectIdentifier
    /// The flat name of the table, or nil for all properties.
    let table: PropertyKey?
    /// The names of the tables of the type and of the types nested in it.
    let tables: [PropertyKey]
    /// The settings as declared keys.
    let keys: [DeclaredKey]
    /// The flat names of the settings.
    let names: [PropertyKey]
    let schema: SettingsSchema

    init(_ type: any Settings.Type, at name: String?) {
        schema = SchemaReference.of(type).schema
        let settings = SettingsKeys(schema, at: name)
        (self.type, table) = (ObjectIdentifier(type), name.map { PropertyKey($0) })
        (tables, keys, names) = (settings.tables, settings.keys, settings.keys.map(\.key))
    }
}

/// The settings of a type as declared keys.
struct SettingsKeys: SettingsVisitor {
    /// The names of the tables of the type and of the types nested in it.
    private(set) var tables: [PropertyKey]
    private(set) var keys: [DeclaredKey] = []

    /// Collects the settings of a type in the table with a flat name, or of all properties for nil.
    init(_ schema: SettingsSchema, at name: String?) {
        tables = name.map { [PropertyKey($0)] } ?? []
        schema.visit(name, &self)
    }

    mutating func visit<Value>(_ name: String, _ rule: KeyRule<Value>) {
        keys.append(DeclaredKey(PropertyKey(name), rule))
    }

    mutating func visit(table name: String) { tables.append(PropertyKey(name)) }
}

/// The values of the settings types that were read in one state. They are decoded once, and errors are not kept.
final class SettingsValues: Sendable {
    private let values = Lock<[Key: Value]>([:])

    /// A value as an object, which a read retains and releases faster than an existential value.
    final class Value: Sendable {
        private let value: any Settings
        init(_ value: any Settings) { self.value = value }

        /// Returns the value as its own type.
        func same<T: Settings>(as type: T.Type) -> T { value.same(as: type) }
    }

    /// A settings type, and the flat name with which it is read, or nil.
    struct Key: Hashable {
        let type: ObjectIdentifier
        let name: PropertyKey?

        init(_ type: any Settings.Type, _ name: PropertyKey?) {
            (self.type, self.name) = (ObjectIdentifier(type), name)
        }
    }

    /// Returns a value that was read before, or nil.
    func find(_ key: Key) -> Value? { values.withLock { $0[key] } }

    /// Keeps a value, unless another thread has kept one meanwhile.
    ///
    /// - Returns: the value that is kept.
    func keep(_ value: Value, for key: Key) -> Value {
        values.withLock { values in
            let first = values[key] ?? value
            values[key] = first
            return first
        }
    }
}

extension Settings {
    /// Returns this value as its own type, without a lookup of a conformance or of the metadata of a type.
    fileprivate func same<T>(as type: T.Type) -> T {
        precondition(Self.self == type, "a value is kept with its type")
        return BasicType.same(self, as: type)
    }
}
