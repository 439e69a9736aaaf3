/// Decodes a settings type, from the properties of a state or from a table inside a value.
///
/// It never throws because of a value, so that decoding finds the problems of all settings: a wrong value becomes its
/// default, or a setting that is not set, and the decoded type is not used.
final class SettingsReader: Decoder {
    /// The place of the values.
    private enum Place {
        /// The properties of a state that have these names.
        case names(MergedState, FlatNames)
        case table(InnerTable)
    }

    /// A table that a conversion has reached: an element of an array, or the value of an optional or a dictionary.
    private final class InnerTable {
        let node: PropertyNode
        let table: PropertyTable
        /// The context of the values of the table.
        let context: ConversionContext
        /// The path from the value of the outermost settings type.
        let path: String
        /// Whether the node is a table, and so is everything around it.
        let isTable: Bool

        init(_ node: PropertyNode, _ path: String, _ context: ConversionContext, isInTable: Bool = true) {
            (self.node, self.path, self.context) = (node, path, context.nested)
            isTable = isInTable && node.isTable
            if case .table(let table) = node.value { self.table = table } else { table = PropertyTable() }
        }

        /// Throws if the node cannot be read as a table.
        func check() throws(PropertyError) {
            guard node.isTable else {
                throw context.noTable(node)
            }
            try context.checkDepth(of: node)
        }

        /// Returns the node of a key, or nil if it is missing or null.
        func find(_ key: String) -> PropertyNode? { table.value(key) }
    }

    /// The problems of a type and of the types nested in it.
    private final class Problems {
        var all: [PropertyError] = []
    }

    private let schema: Schema
    private let fields: [Field]
    private let place: Place
    private let collected: Problems
    /// The number of properties that were read.
    private var position = 0

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init(_ schema: Schema, _ place: Place, _ collected: Problems) {
        (self.schema, fields, self.place, self.collected) = (schema, schema.fields, place, collected)
    }

    /// Reads the properties of a state by their flat names.
    convenience init(_ declaration: SettingsDeclaration, in state: MergedState) {
        self.init(declaration.schema, .names(state, declaration.flatNames), Problems())
    }

    /// Reads an empty table, to see what a type decodes.
    convenience init(checking schema: Schema) {
        self.init(schema, .table(InnerTable(PropertyNode([:]), "", ConversionContext())), Problems())
    }

    /// The problems that were found.
    var problems: [PropertyError] { collected.all }

    /// The property that would be decoded next, or nil if all were decoded.
    var nextProperty: String? { position < fields.count ? fields[position].property : nil }

    /// Decodes a settings type from a node inside a value.
    static func decode<T: Settings>(
        _ type: T.Type, from node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> T {
        let table = InnerTable(node, "", context)
        let reader = SettingsReader(.of(type), .table(table), Problems())
        reader.check(table)
        var value: T?
        do {
            let read = try T(from: reader)
            reader.checkSettingsRules(of: read)
            value = read
        } catch {
            // Only an `init(from:)` that the compiler has not written throws.
            throw PropertyError(.refused, node, expected: "a table for \(type)").with(thrownError: "\(error)")
        }
        let problems = reader.problems
        guard let value, problems.isEmpty else {
            throw problems.first?.with(others: problems.dropFirst())
                ?? PropertyError(.refused, node, expected: "a table for \(type)")
        }
        return value
    }

    private func check(_ table: InnerTable) {
        do throws(PropertyError) { try table.check() } catch { collected.all.append(error.inside(table.path)) }
    }
}

// MARK: - Values

extension SettingsReader {
    private enum Lookup {
        /// No source has a value, or it is null.
        case missing
        /// The value cannot be read. The problem is collected already.
        case failed
        case value(PropertyNode, ConversionContext)
    }

    /// Returns the value, or the default if it is missing. If the value is wrong, or is missing without a default,
    /// collects the problem and returns the default or nil.
    ///
    /// - Returns: the value, and whether it is secret because of its source or another declaration of its name.
    @inline(__always)
    func read<Value>(_ rule: KeyRule<Value>, _ field: Field) -> (value: Value?, isSecret: Bool) {
        switch lookUp(field, rule) {
        case .failed: break
        case .missing:
            if rule.defaultValue == nil { collect(nil, field, rule) }
        case .value(let node, let context):
            do throws(PropertyError) {
                return (try rule.value(of: node, in: context), node.holdsSecret)
            } catch {
                collect(error, field, rule)
            }
        }
        return (rule.defaultValue, false)
    }

    private func lookUp(_ field: Field, _ rule: any Rule) -> Lookup {
        switch place {
        case .names(let state, let names):
            let name = names[field]
            if state.cause(of: name) != nil {
                collected.all += rule.problems(at: name, in: state)
                return .failed
            }
            guard let node = state.valueNode(name) else { return .missing }
            return .value(node, ConversionContext())
        case .table(let inner):
            guard let node = inner.find(field.key) else { return .missing }
            do throws(PropertyError) {
                try inner.context.checkDepth(of: node)
                return .value(node, inner.context)
            } catch {
                collected.all.append(error.inside("\(inner.path).\(field.key)"))
                return .failed
            }
        }
    }

    /// Collects the problem with a setting.
    ///
    /// - Parameters:
    ///   - error: the error of the conversion, or nil if a required value is missing.
    ///   - field: the property.
    ///   - rule: the rule of the setting.
    private func collect(_ error: PropertyError?, _ field: Field, _ rule: any Rule) {
        switch place {
        case .names(let state, let names):
            // The errors come from the checks of the declared name, with their history.
            collected.all += rule.problems(at: names[field], in: state)
        case .table(let inner):
            // If the value is not a table, that is reported already, so missing settings in it are not.
            guard let error = error ?? (inner.isTable ? PropertyError(.missing, inner.node, expected: "") : nil)
            else { return }
            collected.all += error.all.map {
                ($0.path.isEmpty ? $0.expecting(rule.noun, isLimited: rule.attributes.bounds != nil) : $0).inside(
                    "\(inner.path).\(field.key)")
            }
        }
    }

    /// Returns the reader of a nested table.
    private func nested(_ field: Field, _ schema: Schema) -> SettingsReader {
        switch place {
        case .names(let state, let names):
            return SettingsReader(schema, .names(state, names.nested(field)), collected)
        case .table(let inner):
            // The errors about missing settings have the place of this table. In a value that is not a table, no
            // setting is missing, since the value is the only problem.
            let node = inner.find(field.key) ?? PropertyNode([:], origin: inner.node.origin)
            let table = InnerTable(node, "\(inner.path).\(field.key)", inner.context, isInTable: inner.isTable)
            check(table)
            return SettingsReader(schema, .table(table), collected)
        }
    }
}

// MARK: - Rules of several settings

extension SettingsReader {
    /// Collects the problems with the rules of a type whose settings have been read.
    @inline(__always)
    func checkSettingsRules<T>(of value: T) {
        if !schema.settingsRules.isEmpty { checkSettingsRules(value) }
    }

    @inline(never)
    private func checkSettingsRules(_ value: Any) {
        if case .table(let inner) = place, !inner.isTable { return }
        guard let settings = value as? any Settings else { return }
        for rule in schema.settingsRules {
            // A kept value is old and may break a rule with new ones. `verify` checks the state after the restart.
            if rule.settings.contains(where: isKept) { continue }
            let involved = rule.settings.map(involved)
            // A problem of one setting is reported by itself.
            if involved.contains(where: hasProblem) || rule.isObeyed(settings) { continue }
            collected.all.append(brokenRule(rule, involved))
        }
    }

    private func brokenRule(_ rule: SchemaRule, _ involved: [InvolvedSetting]) -> PropertyError {
        switch place {
        case .names(let state, _):
            let error = PropertyError(broken: rule.expected, involved, in: nil)
            return PropertyError(error, at: error.name, state)
        case .table(let inner): return PropertyError(broken: rule.expected, involved, in: inner.node)
        }
    }

    /// Whether a setting has a value that is kept until a restart.
    private func isKept(_ path: [Field]) -> Bool {
        switch place {
        case .names(let state, let names): state.keeps(names[path: path])
        // The outermost value is kept as a whole, and its settings obey the rules together.
        case .table: false
        }
    }

    private func involved(_ path: [Field]) -> InvolvedSetting {
        let rule = path.last?.rule, isSecret = rule?.isSecret ?? false, fallback = rule?.openDefault
        // Text as the number that it is read as, like the defaults beside it.
        func shown(_ node: PropertyNode?) -> PropertyNode? { node.map { rule?.form.shown($0) ?? $0 } }
        switch place {
        case .names(let state, let names):
            let name = names[path: path], node = state.valueNode(name)
            let isMasked = isSecret || state.declarations.node(name).isSecret
            return InvolvedSetting(name: name.rawValue, node: shown(node), isSecret: isMasked, fallback: fallback)
        case .table(let inner):
            let step = path.map { ".\($0.key)" }.joined(), keys = path.map(\.key)
            return InvolvedSetting(
                path: inner.path + step, node: shown(inner.table.node(at: keys[...])), isSecret: isSecret,
                fallback: fallback)
        }
    }

    /// Whether a problem with a setting, with a value inside it, or with a table around it was found.
    private func hasProblem(_ setting: InvolvedSetting) -> Bool {
        collected.all.contains { error in
            let (one, other) = setting.name == nil ? (error.path, setting.path) : (error.name, setting.flatName)
            return one.isAt(other) || other.isAt(one)
        }
    }
}

extension String {
    /// Whether this path equals another path, or is inside it.
    fileprivate func isAt(_ path: String) -> Bool {
        isSame(as: path) || begins(with: path + ".") || begins(with: path + "[")
    }
}

// MARK: - Decoding

extension SettingsReader {
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(SettingsContainer(reader: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw DecodingError.unsupported("an array") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw DecodingError.unsupported("a single value")
    }

    fileprivate func decode<T: Decodable>(_ type: T.Type, _ name: String) throws -> T {
        let field = try next(name)
        switch field.content {
        case .value(let rule): return try rule.read(as: type, field, self)
        case .table(let schema):
            let reader = nested(field, schema), value = try T(from: reader)
            reader.checkSettingsRules(of: value)
            return value
        }
    }

    /// Decodes an optional without a wrapper, which is not a table.
    fileprivate func decodeOptional<T: Decodable>(_ type: T?.Type, _ name: String) throws -> T? {
        let field = try next(name)
        guard let rule = field.rule else { throw DecodingError.unsupported("'\(name)' as \(type)") }
        return try rule.read(as: type, field, self)
    }

    private func next(_ name: String) throws -> Field {
        guard position < fields.count else { throw DecodingError.unsupported("'\(name)', which is not a property") }
        let field = fields[position]
        guard field.property == name else {
            throw DecodingError.unsupported(
                "'\(name)' in place of the property '\(field.property)'. Remove its CodingKeys, and name a key in its "
                    + "setting: @Setting(key: \"\(name)\")")
        }
        position += 1
        return field
    }

    fileprivate var properties: [String] { fields.map(\.property) }
}

extension DecodingError {
    /// The error of a settings type whose `init(from:)` the compiler has not written.
    static func unsupported(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "its init(from:) decodes \(what)"))
    }
}

/// The properties of a settings type, as the `init(from:)` that the compiler writes decodes them: neither nested
/// containers nor a super type.
private struct SettingsContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: SettingsReader

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { reader.properties.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { reader.nextProperty == key.stringValue }
    func decodeNil(forKey key: Key) -> Bool { false }
    // These generic methods implement all decode methods of the protocol.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try reader.decode(type, key.stringValue)
    }
    // The compiler writes this for an optional without a wrapper.
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try reader.decodeOptional(T?.self, key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw DecodingError.unsupported("a nested container") }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw DecodingError.unsupported("a nested container")
    }
    func superDecoder() throws -> any Decoder { throw DecodingError.unsupported("a super type") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw DecodingError.unsupported("a super type") }
}
