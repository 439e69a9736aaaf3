/// What became of one property.
public struct PropertyChange<Value> {
    /// The flat name.
    public let name: String
    /// The value before, or nil where there was none.
    public let old: Value?
    /// The value now, or nil where there is none.
    public let new: Value?
    /// Why `new` is nil although a source says the name: what it says is no `Value`.
    public let error: PropertyError?

    init(name: String, old: Value?, new: Value?, error: PropertyError? = nil) {
        self.name = name
        self.old = old
        self.new = new
        self.error = error
    }
}

extension PropertyChange: Sendable where Value: Sendable {}

extension PropertyChange: CustomStringConvertible where Value == PropertyEntry {
    /// `api.timeout: 30 → 5 (config.toml:12:11)`, with secrets masked.
    public var description: String {
        let place = (new ?? old).map { " (\($0.node.origin))" } ?? ""
        return "\(name): \(old?.valueText ?? "none") → \(new?.valueText ?? "none")\(place)"
    }
}
