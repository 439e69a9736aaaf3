import TextBasics

/// An entry in the list of a store's properties: the flat name, the value and its origin.
public struct PropertyEntry: Sendable {
    /// The flat name: the path's elements joined with dots.
    public let name: String
    /// The value and its origin.
    public let node: PropertyNode
    /// Whether the value is masked in every description: it is secret, or contains a secret value.
    public var isSecret: Bool { node.holdsSecret }

    /// The entry with its value marked as secret.
    var masked: PropertyEntry { PropertyEntry(name: name, node: node.markedSecret) }

    /// The value as human-readable text, with strings quoted and secrets masked.
    public var valueText: String {
        isSecret ? ValueText.mask : node.insertedText.map(PrintableText.clipped) ?? ValueText.short(node.value)
    }

    /// The value as JSON text on one line, with secrets masked. A table that holds one shows its other values.
    package var json: String { JsonText.text(node) }

    /// The value with all that is in it, and its place: `[{"host": "a"}] (config.toml:12:11)`. Secrets are masked.
    package var fullText: String {
        PrintableText.escaped("\(node.isContainer ? json : valueText) (\(node.origin))")
    }
}

extension PropertyEntry: DescriptionOnly {
    /// `api.timeout = 30 (config.toml:12:11)`, with control characters escaped.
    public var description: String {
        PrintableText.escaped("\(name) = \(valueText) (\(node.origin))")
    }
}
