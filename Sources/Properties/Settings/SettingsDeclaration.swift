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

/// The value of a declared settings type in one state.
final class BoundSettings: Sendable {
    let declaration: SettingsDeclaration
    /// The value, or nil if it has not been decoded in this state. It stands in an object, because each read casts it to
    /// its type, and the cast of an object looks up no conformance.
    private let kept = Lock<(any AnyObject & Sendable)?>(nil)

    private final class Kept<T: Settings>: Sendable {
        let value: T
        init(_ value: T) { self.value = value }
    }

    init(_ declaration: SettingsDeclaration) { self.declaration = declaration }

    /// Returns the value in the state to which this object belongs. It is decoded once, and errors are not kept.
    func value<T: Settings>(of type: T.Type, in state: MergedState) throws(ConfigurationErrors) -> T {
        if let kept = kept.withLock({ $0 }) as? Kept<T> { return kept.value }
        let source = StateSettings(state, declaration)
        var value: T?
        var failure: (any Error)?
        do { value = try T(from: SettingsReader(declaration.schema, source)) } catch { failure = error }
        let problems = state.misplaced(at: declaration.table, and: source.problems)
        guard let value, problems.isEmpty else {
            throw ConfigurationErrors(problems.isEmpty ? failure.map { [$0] } ?? [] : problems)
        }
        // Another thread may have kept its value meanwhile.
        let first = kept.withLock { kept in
            kept = kept ?? Kept(value)
            return kept
        }
        return (first as? Kept<T>)?.value ?? value
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

/// The places for the values of the settings types that were declared in a store or above.
final class SettingsPlaces: Sendable {
    /// The places of each type, in the order of the declarations.
    let byType: [ObjectIdentifier: [BoundSettings]]

    /// Creates the places of one state.
    ///
    /// - Parameters:
    ///   - declarations: what the store itself has declared.
    ///   - above: the places of the state of its parent.
    init(_ declarations: [SettingsDeclaration], above: SettingsPlaces?) {
        var all = above?.byType.mapValues { $0.map { BoundSettings($0.declaration) } } ?? [:]
        var tables = all.mapValues { Set($0.map(\.declaration.table)) }
        for declaration in declarations
        where tables[declaration.type, default: []].insert(declaration.table).inserted {
            all[declaration.type, default: []].append(BoundSettings(declaration))
        }
        byType = all
    }
}

extension MergedState {
    /// Returns the value of a declared settings type, and records the reads of its settings.
    func settings<T: Settings>(
        _ type: T.Type, at name: String?, _ logs: [ReadLog]
    ) throws(ConfigurationErrors) -> T {
        let places = settings.byType[ObjectIdentifier(type)] ?? []
        let key = name.map { PropertyKey($0) }
        let found = key == nil && places.count == 1 ? places[0] : places.first { $0.declaration.table == key }
        guard let bound = found else {
            throw ConfigurationErrors([
                UndeclaredSettings(place: "\(type)", places: places.map { $0.declaration.table?.rawValue })
            ])
        }
        if !logs.isEmpty {
            for name in bound.declaration.names { logs.add(name, in: self) }
        }
        return try bound.value(of: type, in: self)
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
        let snapshot = properties.snapshot
        return try snapshot.state.settings(type, at: name, snapshot.logs)
    }
}
