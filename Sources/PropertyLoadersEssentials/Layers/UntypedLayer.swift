/// Builds the table of a source whose values are text without a type and whose names are paths, such as the
/// environment.
///
/// A name beside a value, as `ca.crt` beside `ca`, becomes a single key of the first level, which has dots.
struct UntypedLayer {
    private let builder = TableBuilder()

    /// The table of all values that were added.
    var table: PropertyTable { builder.table }

    /// The maximum number of levels of a name. Every traversal of a table recurses once per level.
    static let depthLimit = 128

    static func tooDeep(at origin: PropertyOrigin) -> PropertyLoadError {
        PropertyLoadError(
            .limit, "the name has more than \(depthLimit) levels", at: origin,
            remedy: "Use fewer dots or double underscores in it")
    }

    /// Returns for each path the index of the last path with the same name. Only the values at these indices are used.
    static func lastIndices(of paths: [[String]]) -> [Int] {
        let names = paths.map { PropertyKey($0.joined(separator: ".")) }
        let last = Dictionary(names.enumerated().map { ($1, $0) }) { $1 }
        return names.indices.map { last[names[$0]] ?? $0 }
    }

    /// Adds a value.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - path: the path of the property.
    ///   - origin: where the value is.
    ///   - keyPlace: where the name is, by default the place of the value.
    /// - Throws: a `PropertyLoadError` if the path is too deep, or if another value has the same path.
    mutating func add(
        _ value: PropertyValue, at path: [String], origin: PropertyOrigin, keyPlace: UInt32? = nil
    ) throws(PropertyLoadError) {
        guard path.count <= Self.depthLimit else { throw Self.tooDeep(at: origin) }
        do throws(TableBuilder.Conflict) {
            try builder.insert(PropertyNode(value, origin: origin), at: path, place: keyPlace)
        } catch {
            throw PropertyLoadError(
                .duplicate, "this name is set twice", at: origin, remedy: "Leave one of them out",
                notes: [.init("the other is", at: error.origin)])
        }
    }
}

/// Converts names of environment variables to paths of properties.
enum VariableName {
    /// Returns the path of the property that a variable sets, or nil if the variable does not begin with the prefix.
    ///
    /// A dot, or `__` between two characters, separates two levels. The letters become lower case, unless one of them is
    /// lower case already. An underscore at the end of the prefix is optional.
    static func path(of variable: String, prefix: String) -> [String]? {
        let prefix = withUnderscore(prefix)
        guard variable.begins(with: prefix), variable.utf8.count > prefix.utf8.count else { return nil }
        let name = String(Substring(variable.utf8.dropFirst(prefix.utf8.count)))
        let isExact = name.unicodeScalars.contains(where: \.properties.isLowercase)
        return levels(of: (isExact ? name : name.lowercased()).utf8[...])
    }

    /// Returns a prefix with its underscore at the end.
    static func withUnderscore(_ prefix: String) -> String {
        prefix.isEmpty || prefix.utf8.last == underscore ? prefix : prefix + "_"
    }

    // All other underscores belong to a level: `__X` is the single level `__x`, and `A___B` has the levels `a` and
    // `_b`.
    private static func levels(of name: Substring.UTF8View) -> [String] {
        var levels: [[UInt8]] = [[]]
        var rest = name
        while let first = rest.first {
            let isBetween = levels.last != [] && rest.count > 2
            if first == UInt8(ascii: ".") {
                levels.append([])
                rest = rest.dropFirst()
            } else if isBetween, rest.starts(with: [underscore, underscore]) {
                levels.append([])
                rest = rest.dropFirst(2)
            } else {
                levels[levels.count - 1].append(first)
                rest = rest.dropFirst()
            }
        }
        return levels.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let underscore = UInt8(ascii: "_")
}
