import Properties

/// One source of a random stack: its kind, its contents and its options.
struct ModelSource: Sendable {
    enum Kind: CaseIterable, Sendable {
        case json, toml
        /// A custom loader that returns a dictionary literal.
        case literal
        /// A custom loader that returns a table, whose keys may contain dots.
        case table
        /// A Swift dictionary, loaded by reflection.
        case dictionary
        /// A Swift struct, loaded by reflection.
        case fields
        case environment, dotEnv, arguments, directory
        /// A loader that throws.
        case failing
    }

    /// Identifies the source within its stack.
    let id: Int
    let kind: Kind
    /// A part of the source's name or path. Two sources with the same name or path are the same source.
    let number: Int
    /// Whether the source has a name that identifies it, if its kind makes that optional.
    let isNamed: Bool
    /// The contents. For untyped sources, the keys are variables, arguments or file names, and the values are texts.
    var entries: [ModelEntry]
    /// The merge rule, or nil for the default of the kind.
    var merge: MergeRule?
    var isSecret = false
    var replacesPlaceholders = false
    /// The name below which all properties of the source are put, or nil.
    var prefix: Name?

    /// Whether dots in its names separate the keys of a path.
    var isFlat: Bool { isUntyped || [.literal, .dictionary, .fields].contains(kind) }

    /// Whether its values are untyped texts, and its names are relaxed.
    var isUntyped: Bool { [.environment, .dotEnv, .arguments, .directory].contains(kind) }

    /// The merge rule that applies. The default is the first level for JSON and deep for all other kinds.
    var rule: MergeRule { merge ?? (kind == .json ? .firstLevel : .deep) }

    /// The identity by which the source replaces an earlier application of itself, or nil if each application is a new
    /// source.
    var identity: String? {
        let own: String? =
            switch kind {
            case .arguments: "arguments \(ModelText.text(entries))"
            case .environment: "environment \(variablePrefix)"
            case .json, .toml, .dotEnv: sourceName
            case .directory: "directory \(number)"
            case .literal, .table, .dictionary, .fields: isNamed ? sourceName : nil
            case .failing: nil
            }
        guard let own, let prefix else { return own }
        return "\(own) at \(prefix.text)"
    }

    /// The name of the source in messages.
    var sourceName: String {
        switch kind {
        case .environment: "environment"
        case .arguments: "command line"
        case .dictionary where !isNamed: "\([String: Any].self)"
        case .fields where !isNamed: "\(Fields.self)"
        default: "\(kind) \(number)\(isNamed ? "" : " unnamed")"
        }
    }

    /// The prefix of its environment variables.
    var variablePrefix: String { kind == .environment ? ["APP", "SVC_", ""][number % 3] : "" }

    /// Whether it is an environment without a prefix, whose variables may belong to other programs.
    var isShared: Bool { kind == .environment && variablePrefix.isEmpty }

    /// Whether the names of its variables have no prefix, so that text in place of a declared table belongs to another
    /// program.
    var hasNoPrefix: Bool { (kind == .environment || kind == .dotEnv) && variablePrefix.isEmpty }
}

extension ModelSource: CustomStringConvertible {
    var description: String {
        let notes = [
            merge.map { ".\($0)" }, isSecret ? "secret" : nil, replacesPlaceholders ? "placeholders" : nil,
            prefix.map { "below '\($0.text)'" },
        ].compactMap(\.self)
        return "\(sourceName)\(notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))") \(ModelText.text(entries))"
    }
}

extension ModelValue: CustomStringConvertible {
    var description: String { ModelText.text(self) }
}

/// Formats values for failure messages, close to JSON, with `~` before untyped text.
enum ModelText {
    static func text(_ entries: [ModelEntry]) -> String {
        "{\(entries.map { "\"\($0.key.text)\": \(text($0.value))" }.joined(separator: ", "))}"
    }

    static func text(_ value: ModelValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .string(let text): "\"\(text)\""
        case .text(let text): "~\"\(text)\""
        case .array(let elements): "[\(elements.map { text($0) }.joined(separator: ", "))]"
        case .table(let entries): text(entries)
        }
    }
}
