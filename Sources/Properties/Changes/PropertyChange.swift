/// What became of one property.
public struct PropertyChange<Value> {
    /// The flat name.
    public let name: String
    /// The value before, or nil where there was none.
    public let old: Value?
    /// The value now, or nil where there is none.
    public let new: Value?
    /// Where the new value stands, or the old one where there is no new one.
    public let origin: PropertyOrigin?
    /// Why `new` is nil although a source says the name: what it says is no `Value`.
    public let error: PropertyError?
    private let isSecret: Bool

    init(
        name: String, old: Value?, new: Value?, origin: PropertyOrigin?, isSecret: Bool, error: PropertyError? = nil
    ) {
        self.name = name
        self.old = old
        self.new = new
        self.origin = origin
        self.isSecret = isSecret
        self.error = error
    }
}

extension PropertyChange: Sendable where Value: Sendable {}

extension PropertyChange: CustomStringConvertible {
    /// `api.timeout: 30 → 5 (config.toml:12:11)`, with secrets masked.
    public var description: String {
        let change = "\(name): \(text(of: old)) → \(text(of: new))"
        return PrintableText.escaped(change + (origin.map { " (\($0))" } ?? ""))
    }

    private func text(of value: Value?) -> String {
        guard let value else { return "none" }
        if isSecret { return ValueText.mask }
        return (value as? PropertyEntry)?.valueText ?? String(describing: value)
    }
}

// A dump would show the values in any case.
extension PropertyChange: CustomReflectable {
    /// The description alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
