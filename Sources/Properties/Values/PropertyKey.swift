/// The name of a property, declared as a constant so that the compiler checks its uses and editors complete it.
///
///     extension PropertyKey {
///         static let apiTimeout = PropertyKey("api.timeout")
///         static let debugMode: PropertyKey = "debug.enabled"
///     }
///
/// Keys are compared byte by byte, like all names in a store.
public struct PropertyKey: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    /// The flat name: the path's elements joined with dots.
    public let rawValue: String
    /// The hash of the name's bytes. It is kept, so that reading by a stored key is faster than reading by a string.
    let byteHash: Int

    /// Creates a key from a flat name.
    public init(_ name: String) {
        rawValue = name
        var hasher = Hasher()
        var name = name
        name.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        byteHash = hasher.finalize()
    }

    /// Creates a key from a flat name.
    public init(rawValue: String) { self.init(rawValue) }

    /// Creates a key from a flat name.
    public init(stringLiteral value: String) { self.init(value) }
}

// MARK: - Conformances

extension PropertyKey: Hashable, CustomStringConvertible {
    /// Whether both names consist of the same bytes.
    public static func == (one: PropertyKey, other: PropertyKey) -> Bool {
        one.byteHash == other.byteHash && one.rawValue.isSame(as: other.rawValue)
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(byteHash) }

    /// The flat name.
    public var description: String { rawValue }
}

extension String? {
    /// Returns this flat name with a path below it appended: `servers` and `[2].port` become `servers[2].port`.
    ///
    /// Nil is the root, which has no name. The path below it then loses a dot at its start.
    func joined(path: String) -> String {
        if let self { return self + path }
        return path.begins(with: ".") ? String(Substring(path.utf8.dropFirst())) : path
    }
}

extension String {
    /// The keys of a flat name.
    var path: [String] { parts(between: ".").map { String($0) } }

    /// Whether this name is another name, or a name inside its value: `servers[2].port` is at `servers`.
    func isAt(_ name: String) -> Bool { isSame(as: name) || begins(with: name + ".") || begins(with: name + "[") }
}

extension PropertyKey {
    /// The names of the tables that a flat name is in, from the outermost.
    var tables: [PropertyKey] {
        let name = rawValue
        return name.utf8.indices.filter { name.utf8[$0] == .dot }.map { PropertyKey(String(name[..<$0])) }
    }
}
