import Properties

/// What is done to three stores, each the child of the one before it.
struct RandomStack: Sendable {
    enum Action: Sendable {
        /// Applies sources in one step.
        case apply([ModelSource])
        /// Gives a source other contents, then loads all sources of a store again.
        case reload(changing: Int?, to: [ModelEntry])
        case declare(ModelDeclaration)
        case replacePlaceholders
        case refuseKindChanges
    }

    struct Step: Sendable {
        let level: Int
        var action: Action
    }

    static let levels = 3

    var steps: [Step]
    /// Names to look for, there or not.
    let probes: [Name]
    /// What the order of keys in each source comes from.
    let shuffleSeed: UInt64
    /// The store of which all kinds of reads are compared in a quick run; of every second stack none, by a number past the last.
    let quickLevel: Int

    /// The sources that other contents are given to later.
    var changing: Set<Int> {
        Set(
            steps.compactMap { step in
                guard case .reload(let id, _) = step.action else { return nil }
                return id
            })
    }
}

/// A key that a store is told of.
struct ModelDeclaration: Sendable {
    let name: Name
    /// The type that it is read as, or nil where only its secrecy is declared.
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
        case .refuseKindChanges: "refuse changes of kind"
        }
    }
}
