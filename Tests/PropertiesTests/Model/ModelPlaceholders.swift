import Properties

/// A text, parsed into literals and placeholders.
struct ModelTemplate {
    enum Part {
        case literal(String)
        case reference(name: String, fallback: ModelTemplate?)
    }

    var parts: [Part] = []

    init(_ text: String) throws(ModelFailure) {
        var rest = Substring(text)
        try self.init(&rest, isInside: false)
    }

    private init(_ rest: inout Substring, isInside: Bool) throws(ModelFailure) {
        var literal = ""
        while !rest.isEmpty, !isInside || !rest.hasPrefix("}") {
            if rest.hasPrefix("$${") {
                literal += "${"
                rest = rest.dropFirst(3)
            } else if rest.hasPrefix("${") {
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                rest = rest.dropFirst(2)
                parts.append(try Self.reference(&rest))
            } else {
                literal.append(rest.removeFirst())
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    private static func reference(_ rest: inout Substring) throws(ModelFailure) -> Part {
        var name = ""
        while !rest.isEmpty, !rest.hasPrefix("}"), !rest.hasPrefix(":-") { name.append(rest.removeFirst()) }
        var fallback: ModelTemplate?
        if rest.hasPrefix(":-") {
            rest = rest.dropFirst(2)
            fallback = try ModelTemplate(&rest, isInside: true)
        }
        guard rest.hasPrefix("}"), !name.isEmpty else { throw ModelFailure(.syntax) }
        rest = rest.dropFirst()
        return .reference(name: name, fallback: fallback)
    }
}

/// Replaces the placeholders in merged names. The value of each name is computed on its own, so that no order can
/// affect it.
struct ModelPlaceholders {
    /// A value, and whether any part of it is secret.
    struct Replaced {
        var value: ModelValue
        var isSecret = false
    }

    typealias Outcome = Result<Replaced, ModelFailures>

    let places: [Name: ModelMerge.Place]
    let layers: [ModelLayer]
    /// Whether a value of a name, in a layer, is masked although its source is not.
    let isMasked: (Name, ModelValue, Int) -> Bool

    /// The results of the lookup `m`, by argument.
    static let lookups = ["one": "1", "word": "w700001q", "empty": ""]
    /// An argument of the lookup `m` with a secret result.
    static let secretLookup = (name: "key", text: "s700002q")

    /// Returns the value of a name with all placeholders replaced, or all errors in it.
    ///
    /// `chain` contains the names whose values are being computed and need this value. A name that needs itself is a
    /// cycle.
    func value(of name: Name, _ place: ModelMerge.Place, chain: [Name] = []) -> Outcome {
        let source = layers[place.layer].source
        var result = Outcome.success(Replaced(value: place.value))
        if source.replacesPlaceholders {
            if chain.contains(name) { return .failure([.cycle]) }
            result = replaced(place.value, chain + [name])
        }
        return result.map {
            Replaced(
                value: $0.value, isSecret: $0.isSecret || source.isSecret || isMasked(name, place.value, place.layer))
        }
    }

    private func replaced(_ value: ModelValue, _ chain: [Name]) -> Outcome {
        switch value {
        case .string(let text): return replaced(text, chain) { .string($0) }
        case .text(let text): return replaced(text, chain) { .text($0) }
        case .array(let elements):
            return Self.all(elements.map { replaced($0, chain) }) { .array($0) }
        case .table(let entries):
            return Self.all(entries.map { replaced($0.value, chain) }) { values in
                .table(zip(entries, values).map { ModelEntry(key: $0.key, value: $1) })
            }
        default: return .success(Replaced(value: value))
        }
    }

    private func replaced(_ text: String, _ chain: [Name], _ wrap: (String) -> ModelValue) -> Outcome {
        guard let template = try? ModelTemplate(text) else { return .failure([.syntax]) }
        // A text that consists of one placeholder becomes the value of that property, with its type.
        if template.parts.count == 1, case .reference(let name, let fallback) = template.parts[0] {
            return target(name, fallback, chain)
        }
        return joined(template, chain, wrap)
    }

    private func joined(_ template: ModelTemplate, _ chain: [Name], _ wrap: (String) -> ModelValue) -> Outcome {
        let pieces = template.parts.map { part -> Outcome in
            switch part {
            case .literal(let literal): .success(Replaced(value: .text(literal)))
            case .reference(let name, let fallback):
                target(name, fallback, chain).flatMap { piece in
                    Self.text(of: piece.value).map {
                        .success(Replaced(value: .text($0), isSecret: piece.isSecret))
                    } ?? .failure([.unsupported])
                }
            }
        }
        return Self.all(pieces) { wrap($0.compactMap { Self.text(of: $0) }.joined()) }
    }

    private static func all(_ outcomes: [Outcome], _ wrap: ([ModelValue]) -> ModelValue) -> Outcome {
        var (values, isSecret, failures) = ([ModelValue](), false, ModelFailures())
        for outcome in outcomes {
            switch outcome {
            case .success(let replaced):
                values.append(replaced.value)
                isSecret = isSecret || replaced.isSecret
            case .failure(let more): failures.all.formUnion(more.all)
            }
        }
        return failures.all.isEmpty ? .success(Replaced(value: wrap(values), isSecret: isSecret)) : .failure(failures)
    }

    // The default is used only if the name is missing, null or an empty text. The default is untyped text.
    private func target(_ name: String, _ fallback: ModelTemplate?, _ chain: [Name]) -> Outcome {
        guard let found = found(name, chain) else { return fallbackValue(fallback, chain) }
        guard case .success(let replaced) = found else { return found }
        if replaced.value.isTable { return .failure([.unsupported]) }
        if replaced.value == .null { return fallbackValue(fallback, chain) }
        let isEmpty = replaced.value == .string("") || replaced.value == .text("")
        guard isEmpty, fallback != nil else { return found }
        // The default for an empty secret is secret too.
        return fallbackValue(fallback, chain).map {
            Replaced(value: $0.value, isSecret: $0.isSecret || replaced.isSecret)
        }
    }

    private func fallbackValue(_ fallback: ModelTemplate?, _ chain: [Name]) -> Outcome {
        guard let fallback else { return .failure([.unresolved]) }
        return joined(fallback, chain) { .text($0) }
    }

    private func found(_ name: String, _ chain: [Name]) -> Outcome? {
        guard name.hasPrefix("m:") else {
            return places[Name(name)].map { value(of: Name(name), $0, chain: chain) }
        }
        let argument = String(name.dropFirst(2))
        if argument == Self.secretLookup.name {
            return .success(Replaced(value: .text(Self.secretLookup.text), isSecret: true))
        }
        return Self.lookups[argument].map { .success(Replaced(value: .text($0))) }
    }

    static func text(of value: ModelValue) -> String? {
        switch value {
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .string(let text), .text(let text): text
        case .null, .array, .table: nil
        }
    }
}

/// All errors in one value. The store throws one of them.
struct ModelFailures: Error, ExpressibleByArrayLiteral {
    var all: Set<ModelFailure> = []

    init(arrayLiteral reasons: PropertyLoadError.Reason...) { all = Set(reasons.map { ModelFailure($0) }) }
}
