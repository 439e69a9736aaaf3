/// The name of a property, declared once so that its uses are checked and completed.
///
///     extension PropertyKey {
///         static let apiTimeout = PropertyKey("api.timeout")
///         static let debugMode: PropertyKey = "debug.enabled"
///     }
///
/// Keys compare byte by byte, as names do everywhere in the store.
public struct PropertyKey: RawRepresentable, ExpressibleByStringLiteral, Sendable {
    /// The flat name: the path's elements joined with dots.
    public let rawValue: String
    // Computed once, so that reading by a stored key is faster than reading by a string.
    @usableFromInline let nameHash: UInt32

    /// Makes a key of a flat name.
    public init(_ name: String) {
        rawValue = name
        nameHash = NameHash.value(of: name)
    }

    init(_ name: String, _ hash: UInt32) {
        rawValue = name
        nameHash = hash
    }

    /// Makes a key of a flat name.
    public init(rawValue: String) { self.init(rawValue) }

    /// Makes a key of a flat name.
    public init(stringLiteral value: String) { self.init(value) }
}

// MARK: - Conformances

extension PropertyKey: Hashable, CustomStringConvertible {
    /// Whether both are the same bytes.
    public static func == (one: PropertyKey, other: PropertyKey) -> Bool {
        one.nameHash == other.nameHash && one.rawValue.utf8.elementsEqual(other.rawValue.utf8)
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(nameHash)
    }

    /// The flat name.
    public var description: String { rawValue }
}

extension String? {
    /// A flat name continued by a path below it, such as `servers` and `[2].port`.
    ///
    /// Nil is the root, which has no name: a path from it has no dot at its start.
    func joined(path: String) -> String {
        if let self { return self + path }
        return path.begins(with: ".") ? String(Substring(path.utf8.dropFirst())) : path
    }
}
