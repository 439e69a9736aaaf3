import TestSupport
import Properties
import TestSupport

/// Creates random stacks with few and similar names, so that sources often have the same or related names.
struct StackGenerator {
    private var random: SplitMix
    /// The keys of this stack.
    private var keys: [String] = []
    private var nextToken = ModelToken.first + 100
    private var nextID = 1

    private static let allKeys = ["a", "b", "c", "a.b", "b.c", "a.b.c", "", "a.", ".a", "A", "aB", "a_b", "a-b", "ab"]
    private static let maximumEntries = 5

    init(seed: UInt64) { random = SplitMix(state: seed) }

    mutating func stack() -> RandomStack {
        keys = ["a", "b"] + (0..<4).map { _ in pick(Self.allKeys) }
        var applied: [(level: Int, source: ModelSource)] = []
        let steps = (0..<number(2...6)).map { _ in step(&applied) }
        let probes = Set(keys + (0..<6).map { _ in flatName() }).sorted().map { Name($0) }
        return RandomStack(steps: steps, probes: probes, shuffleSeed: random.next(), quickLevel: number(0...5))
    }

    private mutating func step(_ applied: inout [(level: Int, source: ModelSource)]) -> RandomStack.Step {
        let level = number(0...2)
        switch number(0...19) {
        case 0: return .init(level: level, action: .replacePlaceholders)
        case 1, 2, 3, 4: return .init(level: level, action: .declare(declaration()))
        case 5, 6:
            guard let (level, source) = applied.randomElement(using: &random) else { fallthrough }
            guard !isOneIn(4) else { return .init(level: level, action: .reload(changing: nil, to: [])) }
            return .init(level: level, action: .reload(changing: source.id, to: entries(of: source)))
        default:
            let sources = (0..<(isOneIn(3) ? number(0...3) : 1)).map { _ in source() }
            applied += sources.map { (level, $0) }
            return .init(level: level, action: .apply(sources))
        }
    }

    private mutating func declaration() -> ModelDeclaration {
        let type = isOneIn(3) ? nil : pick(ModelType.allCases)
        return ModelDeclaration(
            name: Name(flatName()), type: type, isSecret: type == nil || isOneIn(3),
            hasDefault: type == .integer && isOneIn(3))
    }

    private mutating func source() -> ModelSource {
        defer { nextID += 1 }
        var kind = pick(ModelSource.Kind.allCases)
        // Failing loaders and directories are rare. Directories are slow, because they are written to the disk.
        if kind == .failing || kind == .directory, !isOneIn(4) { kind = .json }
        var source = ModelSource(
            id: nextID, kind: kind, number: number(0...(kind == .environment ? 2 : 1)),
            isNamed: kind == .directory || isOneIn(2), entries: [],
            merge: isOneIn(3) ? pick([.deep, .firstLevel]) : nil)
        source.isSecret = kind == .directory || isOneIn(8)
        source.replacesPlaceholders = isOneIn(3)
        if isOneIn(12), !source.isShared { source.prefix = Name(pick(["a", "b", "a.b"])) }
        source.entries = entries(of: source)
        return source
    }
}

// MARK: - Contents

extension StackGenerator {
    private mutating func entries(of source: ModelSource) -> [ModelEntry] {
        if source.isUntyped { return untypedEntries(of: source) }
        return table(in: source, depth: 0)
    }

    private mutating func table(in source: ModelSource, depth: Int) -> [ModelEntry] {
        let most = depth == 0 ? Self.maximumEntries : 2
        let count = isOneIn(8) ? 0 : number(1...most)
        var entries: [ModelEntry] = []
        for _ in 0..<count {
            let key = Name(source.kind == .fields && depth == 0 ? pick(SourceWriter.fieldNames) : pick(keys))
            // Of the typed sources, only JSON and tables can repeat a key.
            let mayRepeat = (source.kind == .json || source.kind == .table) && isOneIn(3)
            if entries.contains(where: { $0.key == key }), !mayRepeat { continue }
            entries.append(ModelEntry(key: key, value: value(in: source, depth: depth + 1)))
        }
        return entries
    }

    private mutating func value(in source: ModelSource, depth: Int) -> ModelValue {
        switch number(0...19) {
        case 0...6 where depth < 4: return .table(table(in: source, depth: depth))
        case 7...8 where source.kind != .toml: return .null
        case 9: return .array((0..<number(0...2)).map { _ in plain(in: source) })
        // A table in an array: its keys are not names of properties.
        case 10 where isOneIn(2):
            return .array([.table([ModelEntry(key: Name("x"), value: plain(in: source))])])
        default: return plain(in: source)
        }
    }

    private mutating func plain(in source: ModelSource) -> ModelValue {
        switch number(0...9) {
        case 0: return .bool(isOneIn(2))
        case 1: return .double(pick([30.0, 2.5, Double(token()) + 0.5]))
        case 2, 3, 4: return .integer(token())
        default:
            let isText = (source.kind == .literal || source.kind == .table) && isOneIn(4)
            let text = text(in: source)
            return isText ? .text(text) : .string(text)
        }
    }

    private mutating func text(in source: ModelSource) -> String {
        if source.replacesPlaceholders || isOneIn(8), isOneIn(2) { return template(depth: 0) }
        return isOneIn(8) ? "" : "v\(token())q"
    }

    private mutating func template(depth: Int) -> String {
        switch number(0...23) {
        case 0: return "$${\(flatName())}"
        case 1: return pick(["${", "${}", "x${a", "${:-x}", "}", "$a"])
        case 2: return "\(reference(depth: depth)) v\(token())q"
        case 3: return "\(reference(depth: depth))\(reference(depth: depth))"
        default: return reference(depth: depth)
        }
    }

    private mutating func reference(depth: Int) -> String {
        let name = isOneIn(5) ? "m:\(pick(["one", "word", "empty", "key", "none"]))" : flatName()
        switch number(0...9) {
        case 0...2: return "${\(name)}"
        case 3...5 where depth < 2: return "${\(name):-\(template(depth: depth + 1))}"
        case 6: return "${\(name):-}"
        default: return "${\(name):-d\(token())q}"
        }
    }

    private mutating func token() -> Int {
        defer { nextToken += 1 }
        return nextToken
    }
}

// MARK: - Names

extension StackGenerator {
    /// Returns a flat name of one to three keys. A property with this name may exist.
    private mutating func flatName() -> String {
        (0..<pick([1, 1, 2, 2, 3])).map { _ in pick(keys) }.joined(separator: ".")
    }

    private mutating func untypedEntries(of source: ModelSource) -> [ModelEntry] {
        var entries: [ModelEntry] = []
        for _ in 0..<(isOneIn(10) ? 0 : number(1...3)) {
            guard let key = untypedName(in: source).map({ Name($0) }) else { continue }
            // Only a `.env` file and arguments can repeat a name.
            let mayRepeat = source.kind == .dotEnv || source.kind == .arguments
            if !mayRepeat, entries.contains(where: { isSame($0.key, key, in: source) }) { continue }
            let text = isOneIn(4) ? pick(["true", "1", "30", "2.5", "\(token())", "no"]) : text(in: source)
            // A placeholder in any value of a repeated argument is replaced, which `TextListTests` test.
            let repeated = entries.filter { $0.key == key }.map(\.value) + [.text(text)]
            let hasPlaceholder = "\(repeated)".contains("${")
            if source.kind == .arguments, repeated.count > 1, hasPlaceholder { continue }
            entries.append(ModelEntry(key: key, value: .text(text)))
        }
        return entries
    }

    /// Whether a source cannot have both names.
    private func isSame(_ one: Name, _ other: Name, in source: ModelSource) -> Bool {
        // Some file systems do not distinguish `a` from `A`.
        if source.kind == .directory { return one.text.lowercased() == other.text.lowercased() }
        // `SharedEnvironmentTests` test variables that differ only in case.
        if source.isShared {
            let (one, other) = (ModelLayer.levels(of: one.text), ModelLayer.levels(of: other.text))
            return Name(path: one) == Name(path: other)
        }
        return one == other
    }

    private mutating func untypedName(in source: ModelSource) -> String? {
        let name = flatName()
        switch source.kind {
        case .environment:
            let variable = variable(name)
            let prefix = source.variablePrefix + (source.isShared || source.variablePrefix.hasSuffix("_") ? "" : "_")
            return isOneIn(10) ? variable : prefix + variable
        case .dotEnv:
            let variable = variable(name)
            return variable.isEmpty || variable.hasPrefix(".") || variable.hasPrefix("-") ? nil : variable
        case .arguments:
            // A name with an empty part is an error, so most of them are left out.
            let isGood = !name.split(separator: ".", omittingEmptySubsequences: false).contains("")
            return isGood || isOneIn(12) ? name : nil
        // A file cannot have the name `.` or `..`.
        default: return name.allSatisfy { $0 == "." } ? nil : name
        }
    }

    private mutating func variable(_ name: String) -> String {
        var variable = ""
        for character in name {
            switch character {
            case ".": variable += isOneIn(6) ? "." : "__"
            case "-": variable += isOneIn(2) ? "-" : "_"
            case _ where character.isUppercase: variable += isOneIn(2) ? "_\(character)" : "\(character)"
            default: variable += isOneIn(12) ? "\(character)" : character.uppercased()
            }
        }
        return variable
    }
}

// MARK: - Numbers

extension StackGenerator {
    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func isOneIn(_ count: Int) -> Bool { number(1...count) == 1 }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[number(0...(items.count - 1))] }
}
