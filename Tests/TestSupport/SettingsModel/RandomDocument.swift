package import Properties

/// Makes random documents for a settings type. All texts in them differ, so that each can be found.
package struct RandomDocument {
    /// The beginning of each text.
    package static let mark = "CANARY"

    private var random: SplitMix
    /// One value in so many is a mistake; none for nil.
    private let mistakes: Int?
    private let extra: ModelExtra?
    private var count = 0

    package init(_ random: SplitMix, mistakes: Int?, _ extra: ModelExtra? = nil) {
        (self.random, self.mistakes, self.extra) = (random, mistakes, extra)
    }

    /// Returns the table of the settings.
    package mutating func document(_ table: ModelTable, at name: String) -> PropertyValue {
        self.table(table, name, depth: 0)
    }

    private mutating func text() -> PropertyValue {
        count += 1
        return .string("\(Self.mark)\(count)X")
    }

    private mutating func chance(_ all: Int) -> Bool { Int.random(in: 0..<all, using: &random) == 0 }
    private mutating func isMistake() -> Bool { mistakes.map { chance($0) } ?? false }
    private mutating func some<T>(of values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    private mutating func table(_ table: ModelTable, _ name: String, depth: Int) -> PropertyValue {
        var entries: [(String, PropertyValue)] = []
        for field in table.fields {
            let isRequired = field.isRequired
            if isRequired ? mistakes != nil && chance(4) : chance(3) { continue }
            if isMistake() || chance(20) && !isRequired {
                entries.append((field.key, nil))
            } else {
                entries.append((field.key, value(field.form, "\(name).\(field.key)", depth: depth + 1)))
            }
        }
        if let order = table.order, mistakes == nil {
            // A document without mistakes obeys the rule, with the defaults 2 and 7, too. Two such documents may break it
            // together, if one value is kept until a restart.
            entries.removeAll { $0.0 == order.low || $0.0 == order.high }
            let (hasLow, hasHigh) = (chance(2), chance(2))
            let low = hasLow ? Int64.random(in: 1...(hasHigh ? 9 : 7), using: &random) : 2
            if hasLow { entries.append((order.low, .integer(low))) }
            if hasHigh { entries.append((order.high, .integer(Int64.random(in: low...9, using: &random)))) }
        }
        for (index, entry) in entries.enumerated() {
            // Some values have the names that they had.
            let former = table.fields.first { $0.key == entry.0 }?.former
            if let former, chance(2) { entries[index] = Self.former(former, entry.1) }
        }
        entries = Self.merged(entries)
        if isMistake() { entries.append((some(of: ["zz", "nam", "ke", "Level", "own2"]), text())) }
        if extra?.name == "\(name).extra", chance(2) { entries.append(("extra", isMistake() ? 5 : text())) }
        return .table(PropertyTable(entries))
    }

    private static func former(_ path: [String], _ value: PropertyValue) -> (String, PropertyValue) {
        (path[0], path.dropFirst().reversed().reduce(value) { .table(PropertyTable([($1, $0)])) })
    }

    /// Returns the entries with the tables of equal keys as one.
    private static func merged(_ entries: [(String, PropertyValue)]) -> [(String, PropertyValue)] {
        entries.reduce(into: []) { all, entry in
            guard let index = all.firstIndex(where: { $0.0 == entry.0 }), case .table(let one) = all[index].1,
                case .table(let other) = entry.1
            else { return all.append(entry) }
            let inner = merged(one.map { ($0.key, $0.node.value) } + other.map { ($0.key, $0.node.value) })
            all[index].1 = .table(PropertyTable(inner))
        }
    }

    private mutating func value(_ form: ModelForm, _ name: String, depth: Int) -> PropertyValue {
        if isMistake() { return mistake(for: form) }
        // A type that contains itself ends here.
        let count = depth > 5 ? 0 : Int.random(in: 0...2, using: &random)
        switch form {
        case .table(let table): return self.table(table(), name, depth: depth)
        case .optional(let form): return value(form, name, depth: depth)
        case .array(let form):
            return .array(
                (0..<count).map { index in PropertyNode(value(form, "\(name)[\(index)]", depth: depth + 1)) })
        case .dictionary(let form):
            return .table(
                PropertyTable(["m", "n"].prefix(count).map { ($0, value(form, "\(name).\($0)", depth: depth + 1)) }))
        case .value(let kind): return value(kind)
        }
    }

    private mutating func value(_ kind: ModelKind) -> PropertyValue {
        switch kind {
        case .text: text()
        case .level: .integer(some(of: [1, 5, 9]))
        case .flag: .bool(chance(2))
        case .wait: .string(some(of: ["1s", "5ms"]))
        case .mode: .string(some(of: RandomMode.allCases).rawValue)
        case .numbers: some(of: [[], [4], [4, -5]])
        case .counts: some(of: [[:], ["a": 4], ["a": 4, "b": 5]])
        }
    }

    /// Returns a value of another kind than the form has.
    private mutating func mistake(for form: ModelForm) -> PropertyValue {
        let text = text(), list = PropertyValue.array([PropertyNode(text)]), table: PropertyValue = ["q": text]
        switch form {
        case .optional(let form): return mistake(for: form)
        case .table, .dictionary: return some(of: [text, list, 5, true])
        case .array: return some(of: [text, table, 5])
        case .value(.text): return some(of: [5, list, table])
        case .value(.level): return some(of: [text, 0, list, 2.5, true])
        case .value(.numbers): return some(of: [text, [4, text], 5])
        case .value(.counts): return some(of: [text, ["a": text], list])
        case .value(.flag), .value(.wait), .value(.mode): return some(of: [text, 5, list, table])
        }
    }
}
