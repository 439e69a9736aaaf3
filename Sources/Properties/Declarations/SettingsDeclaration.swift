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

        fileprivate init(_ type: any Settings.Type, _ name: PropertyKey?) {
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

extension SettingsDeclaration {
    /// Decodes the value in a state.
    fileprivate func value<T: Settings>(of type: T.Type, in state: MergedState) throws(ConfigurationErrors) -> T {
        let source = StateSettings(state, self)
        var value: T?
        var failure: (any Error)?
        do { value = try T(from: SettingsReader(schema, source)) } catch { failure = error }
        let problems = state.addingMisplaced(at: table, to: source.problems)
        guard let value, problems.isEmpty else {
            throw ConfigurationErrors(problems.isEmpty ? failure.map { [$0] } ?? [] : problems)
        }
        return value
    }
}

/// The values of a declared settings type, by their flat names.
private final class StateSettings: SettingsSource {
    private let state: MergedState
    private let keys: [DeclaredKey]
    private let names: [PropertyKey]
    private(set) var problems: [PropertyError] = []

    init(_ state: MergedState, _ settings: SettingsDeclaration) {
        (self.state, keys, names) = (state, settings.keys, settings.names)
    }

    func find(_ key: String, number: Int) -> FoundSetting {
        let name = names[number]
        if state.cause(of: name) != nil {
            problems += keys[number].problems(in: state)
            return .failed
        }
        guard let node = state.node(name), !node.isNull else { return .missing }
        return .value(node, ConversionContext())
    }

    func collect(_ error: PropertyError?, _ key: String, number: Int, expected noun: () -> String) {
        // The errors are those of the checks of the declared key, with their history.
        problems += keys[number].problems(in: state)
    }

    func table(_ key: String) -> any SettingsSource { self }
}

extension MergedState {
    /// Returns the value of a settings type that has not been read with this name, or whose reads are recorded.
    fileprivate func settings<T: Settings>(
        _ type: T.Type, for key: SettingsValues.Key, _ logs: [ReadLog]
    ) throws(ConfigurationErrors) -> T {
        let all = declared.settings(key.type)
        let found = key.name == nil && all.count == 1 ? all[0] : all.first { $0.table == key.name }
        guard let declaration = found else {
            throw ConfigurationErrors([UndeclaredSettings(place: "\(type)", places: all.map { $0.table?.rawValue })])
        }
        if !logs.isEmpty {
            for name in declaration.names { logs.add(name, in: self) }
        }
        let own = SettingsValues.Key(type, declaration.table)
        var value = settings.find(own)
        if value == nil { value = settings.keep(.init(try declaration.value(of: type, in: self)), for: own) }
        guard let value else { preconditionFailure("a value was found or kept") }
        return settings.keep(value, for: key).same(as: type)
    }
}

/// The error of reading a settings type that is not declared, or not at the given name.
private struct UndeclaredSettings: PlacedError, CustomStringConvertible {
    let place: String
    let places: [String?]

    var message: String {
        if places.isEmpty { return "is not declared. Call declare(\(place).self, at: \"name of its table\") first" }
        let names = places.map { $0.map { "at: \"\($0)\"" } ?? "no name" }
        return "is not declared with this name. Read it with \(names.joined(separator: " or "))"
    }

    var description: String { "\(place) \(message)" }
}

// MARK: - Declaring and reading

extension PropertyStore {
    /// Declares a settings type: each of its settings becomes a declared key.
    ///
    ///     store.declare(ServerSettings.self, at: "server")
    ///     let settings = try store.settings(ServerSettings.self)
    ///
    /// A type can be declared in several tables. A type that cannot be a settings type, and a setting that another type
    /// declares with other attributes, end the process.
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the flat name of its table, or nil if its settings are on the first level of the sources.
    public func declare<T: Settings>(_ type: T.Type, at name: String? = nil) {
        let declaration = SettingsDeclaration(type, at: name)
        change { $0.declare(declaration) }
    }
}

extension PropertyReading {
    /// Returns the value of a declared settings type.
    ///
    ///     let settings = try r.settings(ServerSettings.self)
    ///
    /// All settings are read from one state. The value is kept with the state, so that a second call returns the same
    /// one.
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the name of its table, if it is declared in several.
    /// - Returns: the value.
    /// - Throws: `ConfigurationErrors` with all settings that are missing or wrong, each with its place.
    public func settings<T: Settings>(
        _ type: T.Type = T.self, at name: String? = nil
    ) throws(ConfigurationErrors) -> T {
        try properties.settings(type, at: name)
    }
}

extension PropertyStore {
    /// Returns the value of a declared settings type.
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the name of its table, if it is declared in several.
    /// - Returns: the value.
    /// - Throws: `ConfigurationErrors` with all settings that are missing or wrong, each with its place.
    public func settings<T: Settings>(
        _ type: T.Type = T.self, at name: String? = nil
    ) throws(ConfigurationErrors) -> T {
        let key = SettingsValues.Key(type, name.map { PropertyKey($0) })
        if let value = settings(read: key) { return value.same(as: type) }
        return try snapshot.settings(type, for: key)
    }
}

extension PropertySnapshot {
    /// Returns the value of a declared settings type.
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the name of its table, if it is declared in several.
    /// - Returns: the value.
    /// - Throws: `ConfigurationErrors` with all settings that are missing or wrong, each with its place.
    public func settings<T: Settings>(
        _ type: T.Type = T.self, at name: String? = nil
    ) throws(ConfigurationErrors) -> T {
        try settings(type, for: SettingsValues.Key(type, name.map { PropertyKey($0) }))
    }

    fileprivate func settings<T: Settings>(
        _ type: T.Type, for key: SettingsValues.Key
    ) throws(ConfigurationErrors) -> T {
        if logs.isEmpty, let value = state.settings.find(key) { return value.same(as: type) }
        return try state.settings(type, for: key, logs)
    }
}
