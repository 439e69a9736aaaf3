/// A setting that keeps its value until a restart, although the sources have another value.
///
/// Its description is a line for a log: `server.port stays 8123 until a restart; config.toml:3:8 says 8199`.
public struct PendingRestart: Sendable {
    /// The value in force, with the origin that it had when the service started.
    public let current: PropertyEntry
    /// The value after a restart.
    public let next: PropertyEntry
    /// The flat name.
    public var name: String { current.name }
}

extension PendingRestart: CustomStringConvertible {
    /// One line, with control characters escaped and secrets masked.
    public var description: String {
        let origin = next.node.origin
        let source = origin == DeclaredKey.defaultOrigin ? "the default is" : "\(origin) says"
        return PrintableText.escaped("\(name) stays \(current.valueText) until a restart; \(source) \(next.valueText)")
    }
}

/// The value that a setting had when the service started.
struct StartValue: Sendable {
    /// The flat name of the setting.
    let key: PropertyKey
    /// The value, or a null if no source had one.
    private let node: PropertyNode
    /// Whether the setting has an equal value in a state.
    let isEqual: @Sendable (MergedState) -> Bool

    /// Reads the value from a state. Nil if it cannot be read.
    init?<Value>(of key: PropertyKey, _ rule: KeyRule<Value>, in state: MergedState) {
        guard let value = try? rule.require(key, in: state) else { return nil }
        let isMissing = state.isMissing(key)
        let node = (isMissing ? nil : state.node(key)) ?? PropertyNode(nil, origin: DeclaredKey.defaultOrigin)
        (self.key, self.node) = (key, node)
        let start = OpaqueValue(unchecked: value), fallback = rule.sourceDefault ?? .null
        @Sendable func source(_ node: PropertyNode?) -> PropertyValue {
            if let node, !node.isNull { node.value } else { fallback }
        }
        isEqual = { other in
            // A value that equals the default is the same as no value, also if its type is not Equatable.
            if PropertyValue.isSame(source(node), source(other.node(key))) { return true }
            guard let current = try? rule.require(key, in: other) else { return false }
            return PropertyValue.areEqual(start.value, current)
        }
    }

    /// Returns the value as a source that is applied after all other sources. A table replaces the table of other
    /// sources as a whole.
    ///
    /// - Parameter path: the path that the name has in the sources.
    /// - Returns: the layer, or nil if a source cannot have it.
    func layer(at path: [String]) -> PropertyLayer? {
        var entry = PropertyTable.Entry(key: path.last ?? "", node: node)
        for key in path.dropLast().reversed() {
            let table = PropertyNode(.table(PropertyTable(entries: [entry])), origin: .unknown)
            entry = PropertyTable.Entry(key: key, node: table)
            entry.markImplied()
        }
        var layer = PropertyLayer(
            PropertyTable(entries: [entry]), source: node.origin.source, merge: .firstLevel)
        // The placeholders in it are replaced already.
        return (try? layer.prepare(id: PropertyLayer.keptID)) == nil ? nil : layer
    }
}

extension DeclaredKey {
    /// Returns the value of a setting that needs a restart, to keep it. Nil if it cannot be read.
    func startValue(in state: MergedState) -> StartValue? {
        rules.first(where: \.needsRestart)?.startValue(at: key, in: state)
    }
}

extension KeyRule {
    func startValue(at key: PropertyKey, in state: MergedState) -> StartValue? { StartValue(of: key, self, in: state) }
}

extension MergedState {
    /// Returns this state if the settings that need a restart have the values of the start. Otherwise returns a state
    /// with these values.
    func keepingStartValues() -> MergedState {
        if contents.startValues.isEmpty { return self }
        let others = changedStartValues
        return others.isEmpty
            ? self
            : MergedState(
                contents, parentState: parentState, kept: others.compactMap { $0.layer(at: path(of: $0.key)) },
                stateAfterRestart: self)
    }

    /// Whether a name has a value that is kept until a restart, in this store or a parent.
    func keeps(_ key: PropertyKey) -> Bool {
        find(key).map { tree.all[$0].entry.layer == PropertyLayer.keptID } ?? false
    }

    /// The settings of this store and its parents that have other values after a restart, sorted by name.
    var pendingRestart: [PendingRestart] {
        let keys = Set(stateAfterRestart?.changedStartValues.map(\.key) ?? [])
        let declared = keys.isEmpty ? [] : declaredKeys.filter { keys.contains($0.key) }
        let own = declared.compactMap { declaration -> PendingRestart? in
            guard let current = value(of: declaration), let next = stateAfterRestart?.value(of: declaration) else {
                return nil
            }
            return PendingRestart(current: current, next: next)
        }
        let inherited = (parentState?.pendingRestart ?? []).filter { !keys.contains(PropertyKey($0.name)) }
        return (inherited + own).sorted(byName: \.name)
    }

    private var changedStartValues: [StartValue] {
        // A value that the program sets is in force at once.
        contents.startValues.values.filter { node($0.key)?.source.isSet != true && !$0.isEqual(self) }
            .sorted(byName: \.key.rawValue)
    }
}
