import Properties

/// A text with placeholders, taken apart.
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

/// Replaces the placeholders in merged names, each on its own, so that no order can count.
struct ModelPlaceholders {
    /// A value and whether something secret went into it.
    struct Replaced {
        var value: ModelValue
        var isSecret = false
    }

    let places: [Name: ModelMerge.Place]
    let layers: [ModelLayer]
    /// Whether a name was declared secret.
    let isDeclaredSecret: (Name) -> Bool

    /// What the lookup `m` gives.
    static let lookups = ["one": "1", "word": "w700001q", "empty": ""]
    /// What it gives as a secret.
    static let secretLookup = (name: "key", text: "s700002q")

    /// The value that a name has in the end.
    ///
    /// - Parameter chain: the names that wait for this one.
    func value(of name: Name, _ place: ModelMerge.Place, chain: [Name] = []) throws(ModelFailure) -> Replaced {
        let layer = layers[place.layer]
        var result = Replaced(value: place.value)
        if layer.source.replacesPlaceholders {
            if chain.contains(name) { throw ModelFailure(.cycle) }
            result = try replaced(place.value, isInArray: false, chain + [name])
        }
        if layer.source.isSecret || isDeclaredSecret(name) { result.isSecret = true }
        return result
    }

    private func replaced(_ value: ModelValue, isInArray: Bool, _ chain: [Name]) throws(ModelFailure) -> Replaced {
        switch value {
        case .string(let text):
            return try replaced(text, isInArray: isInArray, chain) { .string($0) }
        case .text(let text):
            return try replaced(text, isInArray: isInArray, chain) { .text($0) }
        case .array(let elements):
            var all: [Replaced] = []
            for element in elements { all.append(try replaced(element, isInArray: true, chain)) }
            return Replaced(value: .array(all.map(\.value)), isSecret: all.contains(where: \.isSecret))
        case .table(let entries):
            var all: [Replaced] = []
            for entry in entries { all.append(try replaced(entry.value, isInArray: isInArray, chain)) }
            let new = zip(entries, all).map { ModelEntry(key: $0.key, value: $1.value) }
            return Replaced(value: .table(new), isSecret: all.contains(where: \.isSecret))
        default: return Replaced(value: value)
        }
    }

    private func replaced(
        _ text: String, isInArray: Bool, _ chain: [Name], _ wrap: (String) -> ModelValue
    ) throws(ModelFailure) -> Replaced {
        let template = try ModelTemplate(text)
        // A text that is one placeholder and nothing else becomes the value as it is.
        if template.parts.count == 1, case .reference(let name, let fallback) = template.parts[0] {
            let result = try target(name, fallback, chain)
            if isInArray, case .array = result.value { throw ModelFailure(.unsupported) }
            return result
        }
        let joined = try joined(template, chain)
        return Replaced(value: wrap(joined.text), isSecret: joined.isSecret)
    }

    private func joined(
        _ template: ModelTemplate, _ chain: [Name]
    ) throws(ModelFailure) -> (text: String, isSecret: Bool) {
        var (text, isSecret) = ("", false)
        for part in template.parts {
            switch part {
            case .literal(let literal): text += literal
            case .reference(let name, let fallback):
                let piece = try target(name, fallback, chain)
                text += try Self.text(of: piece.value)
                isSecret = isSecret || piece.isSecret
            }
        }
        return (text, isSecret)
    }

    // The default stands in where the name is missing, null or empty text; it is text without a type.
    private func target(
        _ name: String, _ fallback: ModelTemplate?, _ chain: [Name]
    ) throws(ModelFailure) -> Replaced {
        let found = try found(name, chain)
        if let found, fallback == nil || !Self.isEmptyText(found.value) { return found }
        guard let fallback else { throw ModelFailure(.unresolved) }
        let joined = try joined(fallback, chain)
        return Replaced(value: .text(joined.text), isSecret: joined.isSecret)
    }

    private func found(_ name: String, _ chain: [Name]) throws(ModelFailure) -> Replaced? {
        if name.hasPrefix("m:") {
            let argument = String(name.dropFirst(2))
            if argument == Self.secretLookup.name {
                return Replaced(value: .text(Self.secretLookup.text), isSecret: true)
            }
            return Self.lookups[argument].map { Replaced(value: .text($0)) }
        }
        guard let place = places[Name(name)] else { return nil }
        let target = try value(of: Name(name), place, chain: chain)
        if target.value == .null { return nil }
        if target.value.isTable { throw ModelFailure(.unsupported) }
        return target
    }

    private static func isEmptyText(_ value: ModelValue) -> Bool { value == .string("") || value == .text("") }

    private static func text(of value: ModelValue) throws(ModelFailure) -> String {
        switch value {
        case .bool(let bool): return "\(bool)"
        case .integer(let integer): return "\(integer)"
        case .double(let double): return "\(double)"
        case .string(let text), .text(let text): return text
        case .null, .array, .table: throw ModelFailure(.unsupported)
        }
    }
}
