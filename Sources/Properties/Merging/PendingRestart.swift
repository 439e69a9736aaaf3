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
        let waiting = Self.text(waiting: next, next.text(besides: current))
        return PrintableText.escaped("\(name) stays \(current.text(besides: next)) until a restart; \(waiting)")
    }

    /// Describes a value that waits for a restart, after the source that has it: "config.toml:3:8 says 8199".
    fileprivate static func text(waiting next: PropertyEntry, _ text: String) -> String {
        let origin = next.node.origin
        return (origin == DeclaredKey.defaultOrigin ? "the default is " : "\(origin) says ") + text
    }
}

/// The value that a setting had when the service started.
struct StartValue: Sendable {
    /// The flat name of the setting.
    let key: PropertyKey
    /// The value, or nil if no source had one.
    private let node: PropertyNode?
    private let rule: any Rule

    /// Reads the value of a setting that needs a restart from a state. Nil if it cannot be read.
    init?(of setting: DeclaredKey, in state: MergedState) {
        guard let rule = setting.rules.first(where: \.needsRestart) else { return nil }
        (key, self.rule, node) = (setting.key, rule, state.valueNode(setting.key))
        if state.cause(of: key) != nil || rule.verify(node) != nil { return nil }
    }

    /// Whether the setting has an equal value in a state.
    func isEqual(in state: MergedState) -> Bool {
        state.cause(of: key) == nil && rule.areEqual(node, state.valueNode(key))
    }

    /// Returns the value as a source that is applied after all other sources. A table replaces the table of other
    /// sources as a whole.
    ///
    /// - Parameters:
    ///   - path: the path that the name has in the sources.
    ///   - next: the value after a restart.
    /// - Returns: the layer, or nil if a source cannot have it.
    func layer(at path: [String], next: PropertyEntry?) -> AppliedLayer? {
        // The place of the value at the start may be the place of the next value now.
        let place = "kept since the start",
            waiting = next.map { "; \(PendingRestart.text(waiting: $0, $0.valueText))" } ?? ""
        let source = PropertySource(name: place)
        var node = (node ?? PropertyNode(nil)).kept(source)
        node.origin = PropertyOrigin(
            source: PropertySource(name: place + waiting).limited(like: node.origin.source))
        let builder = TableBuilder()
        _ = try? builder.insert(node, at: path)
        var layer = PropertyLayer(builder.table, source: source, merge: .firstLevel)
        // The placeholders in it are replaced already.
        return try? AppliedLayer(taking: &layer, id: AppliedLayer.keptID)
    }
}

extension PropertyNode {
    /// Returns the node with a source that has no places, in place of the sources of all its values.
    @inline(never)  // Otherwise the compiler inlines several levels of the recursion.
    fileprivate func kept(_ source: PropertySource) -> PropertyNode {
        let value: PropertyValue =
            switch value {
            case .table(let table): .table(table.mapNodes { $0.kept(source) })
            case .array(let nodes): .array(nodes.map { $0.kept(source) })
            // A number has more digits than its `Double` only while it keeps its place in the text of its source, so a
            // copy has them as text.
            case .double: longNumber.map { .text($0) } ?? value
            default: value
            }
        return PropertyNode(value, origin: PropertyOrigin(source: source.limited(like: origin.source)))
    }
}

extension MergedState {
    /// Returns this state if the settings that need a restart have the values of the start. Otherwise returns a state
    /// with these values.
    func keepingStartValues() -> MergedState {
        if contents.startValues.isEmpty { return self }
        let others = changedStartValues
        if others.isEmpty { return self }
        let kept = others.compactMap { other in
            let next = declaration(at: other.key.rawValue).flatMap { value(of: $0) }
            return other.layer(at: merged.path(of: other.key), next: next)
        }
        return MergedState(contents, parentState: parentState, kept: kept, stateAfterRestart: self)
    }

    /// Whether a name has a value that is kept until a restart, in this store or a parent.
    func keeps(_ key: PropertyKey) -> Bool {
        find(key).map { tree.all[$0].entry.layer == AppliedLayer.keptID } ?? false
    }

    /// The settings of this store and its parents that have other values after a restart, sorted by name.
    var pendingRestart: [PendingRestart] {
        let keys = Set(stateAfterRestart?.changedStartValues.map(\.key) ?? [])
        let declared = keys.isEmpty ? [] : declarations.keys.filter { keys.contains($0.key) }
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
        contents.startValues.values.filter { node($0.key)?.source.isSet != true && !$0.isEqual(in: self) }
            .sorted(byName: \.key.rawValue)
    }
}
