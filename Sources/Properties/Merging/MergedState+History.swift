import SharedState
import TextBasics

extension MergedState {
    /// Returns the values that a name had, the latest first.
    ///
    /// If the name is no longer in the tree, the first entry is the value that removed it: the new value of a table
    /// that contained the name.
    func history(of key: PropertyKey) -> [PropertyEntry] {
        var history: [PropertyEntry] = []
        var removal: PropertyEntry?
        var last: (layer: UInt32, place: UInt32)?
        var before: PropertyTree?
        for (layer, step) in zip(layers, mergeSteps.value(findMergeSteps)) {
            let old = before?.node(key)
            if let new = step.merged.node(key) {
                let isSet = step.layer.node(key).map { new.isTable || !$0.isTable } ?? false
                // A name below that of a value makes it a table, also in a layer that does not have its name.
                if isSet || old == nil || old?.isTable == false && new.isTable {
                    removal = nil
                    // A variable that is the setting's own may also have the prefix of the source.
                    if let last, last == (layer.id, new.place) { history.removeLast() }
                    last = (layer.id, new.place)
                    history.append(entry(key, new))
                }
            } else if old != nil {
                let removed = key.tables.last { before?.node($0) != nil && step.layer.node($0) != nil }
                removal = removed.flatMap { table in step.layer.node(table).map { entry(table, $0) } }
            }
            before = step.merged
        }
        // The current value has its placeholders replaced.
        if removal == nil, !history.isEmpty, let index = find(key) {
            history[history.count - 1] = entry(tree.all[index])
        }
        return (history + [removal].compactMap { $0 }).reversed()
    }

    /// Returns the value that removed a name; nil if the name exists or no source had it.
    func removal(of key: PropertyKey) -> PropertyEntry? { find(key) == nil ? history(of: key).first : nil }

    private func findMergeSteps() -> [MergeStep] {
        let builder = TableBuilder()
        return layers.map { layer in
            builder.merge(layer, keepingApart: merged.beginnings)
            return MergeStep(layer: PropertyTree(layer.table), merged: PropertyTree(builder.table))
        }
    }

    private func entry(_ key: PropertyKey, _ node: PropertyNode) -> PropertyEntry {
        PropertyEntry(name: key.rawValue, node: node.single)
    }
}

/// The names of one layer, and those of all layers up to it. They are made once for each state, because a report may ask
/// for the histories of many names.
struct MergeStep: Sendable {
    let layer: PropertyTree
    let merged: PropertyTree
}

// MARK: - Errors

// An error keeps its state. Parts of the text of the error are computed from the state on demand.
extension MergedState: PropertyHistory {
    func nearestName(to name: String) -> String? { tree.nearestName(to: name) }

    func origin(of key: PropertyKey) -> PropertyOrigin? { node(key)?.origin }

    /// Whether a property, or all properties for nil, is secret or contains a secret value.
    func holdsSecret(_ name: String?) -> Bool { nodeOrRoot(name)?.holdsSecret ?? false }

    func waysToSet(_ name: String) -> [String] {
        let key = PropertyKey(name), node = declarations.root.descendant(name),
            isDeclared = known?.isUnambiguous(name) ?? node.isKey
        // The key of a dictionary is a level of its own, and so is each name inside it.
        let isInDictionary = !isDeclared && !node.isEmpty && !node.isKey
        let name = isInDictionary ? SettingNaming.snakeCase.keys(for: name).joined(separator: ".") : name
        var ways: [String] = []
        let variables = declarations.variables.filter { $0.setting == key }
        let sources = layers.filter { $0.id != AppliedLayer.keptID }
        for layer in node.isSecret ? Self.secretLayers(sources) : sources {
            for variable in variables {
                guard let way = layer.variables?.howToSet(variable.name) else { continue }
                if !ways.contains(where: { $0.isSame(as: way) }) { ways.append(way) }
            }
            let way: String?
            // A variable that may be another program's is loaded only if its name is known.
            if layer.mayBeForeign, known?.has(name) != true, !isInDictionary { continue }
            if let howToSet = layer.howToSet {
                way = howToSet(name, isDeclared)
            } else {
                way = layer.source.map { "in \($0)" }
            }
            if let way, !ways.contains(where: { $0.isSame(as: way) }) { ways.append(way) }
        }
        return ways
    }

    /// Returns the layers that should have a secret, the best layers first: secret sources and variables, or otherwise
    /// files. Other users of the machine can see the arguments of a program.
    private static func secretLayers(_ layers: [AppliedLayer]) -> [AppliedLayer] {
        let safe = layers.filter { $0.isSecret } + layers.filter { !$0.isSecret && $0.medium == .variables }
        return safe.isEmpty ? layers.filter { $0.medium == .file } : safe
    }

    /// Returns how to set a value that an unknown name was probably meant for: one in a declared dictionary, whose key has
    /// `__` on both sides in a variable, or a list. Nil if there is none.
    func spelling(of name: String) -> String? {
        guard let index = find(PropertyKey(name)), let known, let layer = layer(of: index),
            layer.spelling == .relaxed, let howToSet = layer.howToSet
        else { return nil }
        if layer.medium == .arguments, name.isSame(as: Self.optionOfTestRunner) {
            return "In a test, give the sources no arguments: these are those of the test runner"
        }
        if let all = layer.variables, let own = declarations.variables.first(where: { $0.name.hasLetters(of: name) }) {
            return "Set it \(all.howToSet(own.name)): '\(own.setting.rawValue)' has this variable without a prefix"
        }
        // The brackets of `upstreams[0].weight` are no part of a name.
        let words = name.split { ".-_[]".contains($0) }.map { String($0) }
        // Many images read a secret from the file whose path is in PASSWORD_FILE.
        if layer.medium == .variables, words.count > 1, words.last?.lowercased() == "file",
            let setting = known.names(like: words.dropLast()).first(where: { declarations.root.descendant($0).isKey })
        {
            let ways = waysToSet(setting).joined(separator: " or ")
            return "Set '\(setting)' itself, \(ways): the path of its file is not read from a variable"
        }
        for count in words.indices.dropFirst().reversed() {
            for outer in known.names(like: words[..<count]) {
                let node = declarations.root.descendant(outer)
                if node.mustBeArray, let way = howToSet(outer, true) {
                    let fields = node.element.schemas.first?.fields ?? [], last = words.last ?? ""
                    let field = fields.first { $0.key.hasLetters(of: last) } ?? fields.first
                    let example = field.map { "[{\"\($0.key)\": …}]" }
                    return "Set the whole list \(way), \(example.map { "as JSON: \($0)" } ?? "with commas or as JSON")"
                }
                guard node.isDictionary else { continue }
                let inner = known.names(inDictionary: node, words[count...])
                let exact = SettingNaming.snakeCase.keys(for: outer) + inner
                if let way = howToSet(exact.joined(separator: "."), false) {
                    return "Set it \(way): the key of '\(outer)' is a level of its own"
                }
            }
        }
        return nil
    }

    func option(like name: String) -> String? {
        guard !name.contains(byte: .dot), let index = find(PropertyKey(name)), let layer = layer(of: index) else {
            return nil
        }
        return Suggestions.nearest(to: name, among: layer.options)
    }

    /// Returns the layer that has a property, by its index.
    func layer(of index: Int) -> AppliedLayer? {
        let id = tree.all[index].entry.layer
        return layers.last { $0.id == id }
    }

    func written(_ name: String, inSourceOf unknown: String) -> String? {
        guard let index = find(PropertyKey(unknown)), let layer = layer(of: index), layer.medium != .file,
            isWhole(unknown, tree.all[index].entry.keyOrigin),
            let way = layer.howToSet?(name, known?.isUnambiguous(name) ?? declarations.root.descendant(name).isKey)
        else { return nil }
        // "as APP_DATABASE_URL", "by --database-url", "as DATABASE_URL in .env". Others, such as "by --set a.b=…", have the
        // name itself.
        let spelled = way.split(separator: " ").dropFirst().first.map { String($0) }
        return spelled.flatMap { RelaxedName($0).letters.hasSuffix(RelaxedName(name).letters) ? $0 : nil }
    }

    /// Whether a variable or an argument has the whole name. Otherwise a part of the name is in its JSON.
    private func isWhole(_ name: String, _ origin: PropertyOrigin) -> Bool {
        guard let label = origin.label else { return true }
        return RelaxedName(label).letters.hasSuffix(RelaxedName(name).letters)
    }

    /// The first option that `swift test` gives to a test runner.
    private static let optionOfTestRunner = "testing-library"

    /// Whether a value is from an environment without a prefix, and so may belong to another program.
    fileprivate func mayBeForeign(_ node: PropertyNode) -> Bool {
        let identity = node.origin.source.identity
        return identity != nil && layers.contains { $0.mayBeForeign && $0.source?.identity == identity }
    }

    /// Whether one of the names belongs to a declared setting or key.
    func declares(_ names: String?...) -> Bool {
        let keys = names.compactMap { $0.map { PropertyKey($0) } }
        return keys.contains { declarations.node($0).isKey }
    }
}

extension PropertyError {
    /// Creates the error about a value that a conversion did not accept.
    ///
    /// - Parameters:
    ///   - error: the error of the conversion, with the path inside the value that was read.
    ///   - name: the flat name that was read, or nil for all properties.
    ///   - state: the state that the value was read from.
    ///   - isSecret: whether the value was read by a secret key.
    init(_ error: PropertyError, at name: String?, _ state: MergedState, isSecret: Bool = false) {
        if let name, error.reason == .missing, error.node == nil {
            self.init(missing: name, expected: error.expected, state, isSecret: isSecret)
            return
        }
        let isAboutAll = name == nil && error.path.isEmpty
        let inner = isAboutAll ? nil : name.joined(path: error.path)
        let node = error.node ?? PropertyNode(nil)
        let cause = node.isNull ? state.cause(of: PropertyKey(inner ?? "")) : nil
        // Elements of an array that a loader created from literals have no source. For them, the origin of the name
        // that was read is used.
        let hasOrigin = !node.origin.source.isUnknown
        let own = error.reason == .wrongType ? node.placedOrigin : node.origin
        let origin = hasOrigin ? own : name.flatMap { state.origin(of: PropertyKey($0)) }
        // A conversion may throw a node of its own, which has no mark, and a missing value has no node.
        let isSecretPlace = inner.map { state.declarations.root.descendant(path: $0).isSecret } ?? false
        let isMasked = isSecret || node.holdsSecret || isSecretPlace || (!hasOrigin && state.holdsSecret(name))
        // The remedy of another module's conversion, and the error that a type has thrown, may quote the value.
        let isDeclared = state.declares(name, inner)
        let disclosure = isMasked ? .masked : node.disclosure(isDeclared: isDeclared)
        var parts = error.parts
        (parts.name, parts.origin, parts.history) = (name, origin, state)
        (parts.isSecret, parts.isDeclared, parts.mayBeForeign) = (isMasked, isDeclared, state.mayBeForeign(node))
        if let cause { (parts.reason, parts.cause) = (.conflict, cause) }
        let isMissing = error.reason == .missing
        (parts.node, parts.isEmptyText) = (isMissing ? nil : node, isMissing && node.isEmptyText)
        parts.expected = error.checkExpectation(about: node, disclosure) ?? error.expected
        if disclosure >= .values { parts.remedy = parts.quotedRemedy ?? parts.remedy } else { parts.thrownError = nil }
        if disclosure == .masked, !parts.isPlainRemedy { parts.remedy = nil }
        parts.involved = parts.involved.map { setting in
            let inner = (setting.name ?? name).joined(path: setting.path)
            let declared = state.declarations.root.descendant(path: inner)
            var setting = setting.read(at: name, isSecret: declared.isSecret)
            // Text as the number that it is read as, like the defaults beside it.
            setting.node = setting.node.map { declared.rule?.form.shown($0) ?? $0 }
            return setting
        }
        parts.others = error.all.dropFirst().map { PropertyError($0, at: name, state, isSecret: isSecret) }
        self.init(parts)
    }

    /// Returns the expectation of the key's check, or nil if it quotes a value that the message must not show.
    private func checkExpectation(about node: PropertyNode, _ disclosure: PropertySource.Disclosure) -> String? {
        let text = disclosure < .values ? node.single.value.plainText ?? "" : ""
        return parts.checkExpectation.flatMap { !text.isEmpty && $0.firstIndex(ofText: text) != nil ? nil : $0 }
    }

    /// Creates the error about a name that no source has, or that a null hides.
    init(missing name: String, expected: String, _ state: MergedState, isSecret: Bool = false) {
        let node = state.node(PropertyKey(name)).flatMap { $0.isNull ? $0 : nil }
        // A null itself is not secret, but the value that it hides may be.
        self.init(
            Parts(
                reason: .missing, name: name, origin: node?.origin, node: node, expected: expected,
                isSecret: isSecret || state.declarations.node(PropertyKey(name)).isSecret,
                isDeclared: state.declares(name), history: state))
    }

    /// Creates the error about a key that nobody reads. Services read only keys outside of the tables of settings.
    init(
        unknown name: String, at origin: PropertyOrigin?, isInSettings: Bool = true, _ candidates: Candidates,
        _ state: MergedState
    ) {
        self.init(
            Parts(
                reason: .unknownKey, name: name, origin: origin,
                expected: isInSettings ? "a key that is read" : Self.declaredOrRead,
                candidates: candidates, history: state))
    }

    /// Creates the error about a variable or an argument that was probably meant to set a name.
    init(unused name: String, _ cause: PropertyLoadError, _ state: MergedState) {
        self.init(
            Parts(
                reason: .unknownKey, name: name, origin: cause.origin, expected: "a key that is read", cause: cause,
                history: state))
    }

    /// Creates the error about sources that contradict each other. The name belongs to the property that has no value
    /// for this reason, or is nil for all properties.
    init(_ cause: PropertyLoadError, at name: String?, expected: String, _ state: MergedState) {
        self.init(
            Parts(
                reason: .conflict, name: name, origin: cause.origin, expected: expected, remedy: cause.remedy,
                isSecret: name.map { state.declarations.node(PropertyKey($0)).isSecret } ?? false
                    || cause.origin.source.isSecret, cause: cause, history: state))
    }
}
