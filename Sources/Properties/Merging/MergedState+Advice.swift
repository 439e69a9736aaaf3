import TextBasics

// The advice how to set a value, and what a name was probably meant for.
extension MergedState {
    func waysToSet(_ name: String) -> [String] {
        let (spelled, isDeclared, isInDictionary) = declarations.root.spelled(name, isKnown: known?.isUnambiguous(name))
        let variables = declarations.variables.filter { $0.setting == PropertyKey(name) }
        let sources = layers.filter { $0.id != AppliedLayer.keptID }
        let isSecret = declarations.root.descendant(name).isSecret
        let ways = (isSecret ? Self.secretLayers(sources) : sources).flatMap { layer in
            let own = variables.map { layer.given.variables?.howToSet($0.name) }
            // A variable that may be another program's is loaded only if its name is known.
            if layer.given.mayBeForeign, known?.has(name) != true, !isInDictionary { return own }
            return own + [layer.given.howToSet.map { $0(spelled, isDeclared) } ?? layer.given.source.map { "in \($0)" }]
        }
        var said: Set<PropertyKey> = []
        return ways.compactMap(\.self).filter { said.insert(PropertyKey($0)).inserted }
    }

    /// Returns the layers where a secret should be set, the best layers first: secret sources and variables, or
    /// otherwise files, but not arguments, which other users of the machine can see.
    private static func secretLayers(_ layers: [AppliedLayer]) -> [AppliedLayer] {
        let secret = layers.filter(\.given.isSecret)
        let safe = secret + layers.filter { !$0.given.isSecret && $0.given.medium == .variables }
        return safe.isEmpty ? layers.filter { $0.given.medium == .file } : safe
    }

    /// Returns how to set a value that an unknown name was probably meant for: one in a declared dictionary, whose key has
    /// `__` on both sides in a variable, or a list. Nil if there is none.
    func spelling(of name: String) -> String? {
        guard let index = find(PropertyKey(name)), let known, let layer = layer(of: index),
            layer.given.spelling == .relaxed, let howToSet = layer.given.howToSet
        else { return nil }
        if layer.given.medium == .arguments, name.isSame(as: Self.optionOfTestRunner) {
            return "In a test, give the sources no arguments: these are those of the test runner"
        }
        let own = declarations.variables.first { $0.name.hasLetters(of: name) }
        if let all = layer.given.variables, let own {
            return "Set it \(all.howToSet(own.name)): '\(own.setting.rawValue)' has this variable without a prefix"
        }
        // The brackets of `upstreams[0].weight` are not a part of a name.
        let words = name.split { ".-_[]".contains($0) }.map { String($0) }
        // Many images read a secret from the file whose path is in PASSWORD_FILE.
        if layer.given.medium == .variables, words.count > 1, words.last?.lowercased() == "file",
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
        return Suggestions.nearest(to: name, among: layer.given.options)
    }

    /// Returns the layer that has a property, by its index.
    func layer(of index: Int) -> AppliedLayer? {
        let id = tree.all[index].entry.layer
        return layers.last { $0.id == id }
    }

    func written(_ name: String, inSourceOf unknown: String) -> String? {
        guard let index = find(PropertyKey(unknown)), let layer = layer(of: index), layer.given.medium != .file,
            isWhole(unknown, tree.all[index].entry.keyOrigin),
            let way = layer.given.howToSet?(
                name, declarations.root.spelled(name, isKnown: known?.isUnambiguous(name)).isDeclared)
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
}
