import Properties

/// The types as which the test reads properties.
enum ModelType: CaseIterable, Sendable {
    case integer, string, bool, double, table

    /// Converts a value to this type, or returns the reason why it cannot be converted.
    func read(_ value: ModelValue) -> Result<ModelValue, ModelReadFailure> {
        if value == .null { return .failure(.missing) }
        switch (self, value) {
        case (.integer, .integer), (.string, .string), (.bool, .bool), (.double, .double), (.table, .table):
            return .success(value)
        case (.integer, .double(let double)):
            return Int(exactly: double).map { .success(.integer($0)) } ?? .failure(.wrongType)
        case (.double, .integer(let integer)):
            return .success(.double(Double(integer)))
        case (.string, .text(let text)): return .success(.string(text))
        case (.integer, .text(let text)): return Int(text).map { .success(.integer($0)) } ?? .failure(.notParsable)
        case (.double, .text(let text)): return Double(text).map { .success(.double($0)) } ?? .failure(.notParsable)
        case (.bool, .text(let text)):
            return switch text {
            case "true", "1": .success(.bool(true))
            case "false", "0", "no": .success(.bool(false))
            default: .failure(.notParsable)
            }
        default: return .failure(.wrongType)
        }
    }
}

/// The reason why a property cannot be read as a type.
struct ModelReadFailure: Error, Equatable {
    let reason: PropertyError.Reason

    static let missing = Self(reason: .missing)
    static let wrongType = Self(reason: .wrongType)
    static let notParsable = Self(reason: .notParsable)
    static let conflict = Self(reason: .conflict)
}

extension ModelReadFailure: CustomStringConvertible {
    var description: String { reason.description }
}

extension ModelView {
    /// Reads a property as a type.
    func read(_ name: Name, as type: ModelType) -> Result<ModelValue, ModelReadFailure> {
        guard let place = merge.places[name] else { return .failure(.missing) }
        if type != .table, isBeside(name) {
            // A placeholder without a value in one of the longer names is an error of all names around it.
            return .failure((try? natural(name, place)) == nil ? .conflict : .missing)
        }
        do {
            let value = try natural(name, place)
            // A text of one placeholder has the text of its value, too.
            if type == .string, isOnePlaceholder(place), let text = ModelPlaceholders.text(of: value) {
                return .success(.string(text))
            }
            return type.read(value)
        } catch {
            return .failure(error)
        }
    }

    private func isOnePlaceholder(_ place: ModelMerge.Place) -> Bool {
        guard layers[place.layer].source.replacesPlaceholders else { return false }
        switch place.value {
        case .string(let text), .text(let text):
            guard let parts = try? ModelTemplate(text).parts, case .reference? = parts.first else { return false }
            return parts.count == 1
        default: return false
        }
    }

    /// Whether the value is empty text of an untyped source, which does not satisfy a required key.
    func isEmptyText(_ name: Name) -> Bool { (try? outcomes[name]?.get().value) == .text("") }

    private func natural(_ name: Name, _ place: ModelMerge.Place) throws(ModelReadFailure) -> ModelValue {
        guard let value = try? outcomes[name]?.get().value else { throw .conflict }
        return place.isTable ? try table(at: place.path) : value
    }

    // Builds the table from the names in it alone, so that the table cannot disagree with its leaves.
    private func table(at path: [Name]) throws(ModelReadFailure) -> ModelValue {
        var entries: [ModelEntry] = []
        for name in merge.children(of: path) {
            guard let place = merge.places[name], let key = place.path.last else { continue }
            entries.append(ModelEntry(key: key, value: try natural(name, place)))
        }
        return .table(entries)
    }
}

extension ModelValue {
    /// The value after a read as Swift's natural types: tables contain no nulls, untyped text is a string, and the keys
    /// are sorted.
    var natural: ModelValue {
        switch self {
        case .text(let text): .string(text)
        case .array(let elements): .array(elements.map(\.natural))
        case .table(let entries):
            .table(
                entries.filter { $0.value != .null }
                    .map { ModelEntry(key: $0.key, value: $0.value.natural) }
                    .sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) })
        default: self
        }
    }

    /// Creates the model's form of a Swift value that a store returned, or nil for a type that no random source
    /// contains.
    init?(natural value: Any) {
        switch value {
        case let bool as Bool: self = .bool(bool)
        case let integer as Int: self = .integer(integer)
        case let double as Double: self = .double(double)
        case let text as String: self = .string(text)
        case let elements as [Any]: self = .array(elements.compactMap { ModelValue(natural: $0) })
        case let table as [String: Any]:
            self =
                ModelValue.table(
                    table.compactMap { key, value in
                        ModelValue(natural: value).map { ModelEntry(key: Name(key), value: $0) }
                    }
                ).natural
        default: return nil
        }
    }
}
