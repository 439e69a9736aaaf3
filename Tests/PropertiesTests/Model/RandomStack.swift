import Properties

/// Actions on three stores, where each store is the child of the previous store.
struct RandomStack: Sendable {
    enum Action: Sendable {
        /// Applies sources in one call.
        case apply([ModelSource])
        /// Changes the contents of the source with the ID `changing`, if there is one, and then reloads all sources of
        /// a store.
        case reload(changing: Int?, to: [ModelEntry])
        case declare(ModelDeclaration)
        case replacePlaceholders
    }

    struct Step: Sendable {
        let level: Int
        var action: Action
    }

    static let levels = 3

    var steps: [Step]
    /// Names to read, whether they exist or not.
    let probes: [Name]
    /// The seed for the order of the keys in each source.
    let shuffleSeed: UInt64
    /// In a quick run, the only store whose reads are all compared. Half of the stacks have a number beyond the last
    /// store, so that no store is compared.
    let quickLevel: Int

    /// The IDs of the sources whose contents change later.
    var changing: Set<Int> {
        Set(
            steps.compactMap { step in
                guard case .reload(let id, _) = step.action else { return nil }
                return id
            })
    }
}

/// A declaration of a key in a store.
struct ModelDeclaration: Sendable {
    let name: Name
    /// The type of the key, or nil if only its secrecy is declared.
    let type: ModelType?
    let isSecret: Bool
    let hasDefault: Bool
}

// MARK: - Text

extension RandomStack: CustomStringConvertible {
    /// One line for each step.
    var description: String { steps.map(\.description).joined(separator: "\n") }
}

extension RandomStack.Step: CustomStringConvertible {
    var description: String {
        "\(["root", "child", "grandchild"][level]): \(action)"
    }
}

extension RandomStack.Action: CustomStringConvertible {
    var description: String {
        switch self {
        case .apply(let sources): "apply \(sources.map { "#\($0.id) \($0)" }.joined(separator: "\n    and "))"
        case .reload(nil, _): "reload"
        case .reload(let id?, let entries): "reload with #\(id) \(ModelText.text(entries))"
        case .declare(let declaration):
            "declare '\(declaration.name.text)' \(declaration.type.map { "\($0)" } ?? "")"
                + (declaration.isSecret ? " secret" : "") + (declaration.hasDefault ? " with a default" : "")
        case .replacePlaceholders: "replace placeholders from now on"
        }
    }
}
