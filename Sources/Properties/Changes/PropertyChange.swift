/// The change of one property.
public struct PropertyChange<Value> {
    /// The flat name. Inside an array of tables, it has the index of the element: `servers[2].port`.
    public let name: String
    /// The value before, or nil if there was none.
    public let old: Value?
    /// The value now, or nil if there is none.
    public let new: Value?
    /// The origin of the new value; if there is none, of the old value.
    public let origin: PropertyOrigin?
    let isSecret: Bool
    /// The values in force before and after the change, if it is the change of an entry: a missing value has its
    /// default.
    var inForce: (old: PropertyEntry?, new: PropertyEntry?)?
    /// The error if `new` is nil although a source has the name: the value cannot be converted to `Value`, the check of
    /// a typed key refuses it, or its placeholders have no value.
    public let error: PropertyError?
}

extension PropertyChange: Sendable where Value: Sendable {}

extension PropertyChange: DescriptionOnly {
    /// `api.timeout: 30 → 5 (config.toml:12:11)`, with secrets masked. The change of an entry has the values in force with
    /// their places: `api.timeout: 30 (default) → 5 (config.toml:12:11)`.
    public var description: String {
        if let inForce {
            func text(_ entry: PropertyEntry?, besides other: PropertyEntry?) -> String {
                guard let entry else { return "none" }
                let text = isSecret ? ValueText.mask : other.map { entry.text(besides: $0) } ?? entry.valueText
                return "\(text) (\(entry.node.origin))"
            }
            let (old, new) = (text(inForce.old, besides: inForce.new), text(inForce.new, besides: inForce.old))
            return PrintableText.escaped("\(name): \(old) → \(new)")
        }
        let change = "\(name): \(text(of: old)) → \(text(of: new))"
        return PrintableText.escaped(change + (origin.map { " (\($0))" } ?? ""))
    }

    /// Returns one of the two values as text, masked if the change is secret.
    package func text(of value: Value?) -> String {
        guard let value else { return "none" }
        if isSecret { return ValueText.mask }
        guard let entry = value as? PropertyEntry else { return URLSecrets.masked(String(describing: value)) }
        let others = [old, new].compactMap { $0 as? PropertyEntry }
        return others.first { !$0.json.isSame(as: entry.json) }.map { entry.text(besides: $0) } ?? entry.valueText
    }
}

extension PropertyEntry {
    /// The number of scalars before the first difference that a text shows.
    private static let shownBefore = 20

    /// Returns the value as text. If the short text of the other value is the same, because the difference is cut off,
    /// the text begins shortly before the first difference.
    package func text(besides other: PropertyEntry) -> String {
        guard valueText.isSame(as: other.valueText) else { return valueText }
        let own = json.unicodeScalars, same = zip(own, other.json.unicodeScalars).prefix { $0 == $1 }.count
        // The difference is masked, or it is only in the text that a placeholder has inserted.
        if same == own.count, same == other.json.unicodeScalars.count { return valueText }
        let skipped = max(0, same - Self.shownBefore)
        return (skipped > 0 ? "…" : "")
            + PrintableText.clipped(String(String.UnicodeScalarView(own.dropFirst(skipped))))
    }
}
