// A value is secret if its source is secret or its name was declared secret.
extension MergedState {
    /// Whether a value is masked because of its source or its flat name. The name of a value in an array includes the
    /// path inside the array. The name is nil for all properties.
    func isSecret(_ name: String?, _ origin: PropertyOrigin?) -> Bool {
        origin?.source.isSecret == true || name.map { isDeclared($0) } == true
    }

    private func isDeclared(_ name: String) -> Bool { Self.isDeclared(name, in: secretKeys) }

    /// Whether a name, or a table or array that it is in, was declared secret.
    static func isDeclared(_ name: String, in secretKeys: Set<PropertyKey>) -> Bool {
        guard !secretKeys.isEmpty else { return false }
        if secretKeys.contains(PropertyKey(name)) { return true }
        // Searches bytes, because a key may begin with a scalar that forms one character with the dot before it. Stops
        // after the length of the longest secret name, because a key may consist of megabytes of dots.
        let longest = secretKeys.reduce(0) { max($0, $1.rawValue.utf8.count) }
        let bytes = name.utf8
        return bytes.indices.prefix(longest + 1).contains { index in
            (bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: "["))
                && secretKeys.contains(PropertyKey(String(decoding: bytes[..<index], as: UTF8.self)))
        }
    }

    /// Whether a value is masked or contains a masked value. A null inside it is ignored.
    ///
    /// For a table, the contents are checked instead of the origin: its origin is only the last source that has the
    /// table, and other sources may have set its contents. The flat name is nil for all properties.
    func holdsSecret(_ name: String?, _ node: PropertyNode) -> Bool {
        switch node.value {
        case .table(let table) where !table.isEmpty:
            return isSecret(name, nil)
                || table.contains { !$0.node.isNull && holdsSecret(name.joined(path: ".\($0.key)"), $0.node) }
        case .array(let nodes):
            return isSecret(name, node.origin)
                || nodes.contains { !$0.isNull && holdsSecret(name.joined(path: "[]"), $0) }
        default: return isSecret(name, node.origin)
        }
    }
}
