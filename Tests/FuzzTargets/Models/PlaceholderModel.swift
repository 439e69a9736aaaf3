/// The replacement of placeholders in texts, each name on its own.
struct PlaceholderModel {
    /// The texts by name.
    private let texts: [[UInt8]: [UInt8]]
    /// The texts of the names that have been computed, and the lengths of the longest chains of placeholders that begin
    /// there. Without them, names that use another one twice would take exponential time.
    private var results: [[UInt8]: (text: [UInt8], length: Int)] = [:]
    private var chain: [[UInt8]] = []
    /// The length of the longest chain that the placeholders of the current text lead to. Nil if it has none.
    private var longest: Int?

    /// The limits of the model, which the loader has too: the depth and the size of the results.
    static let depthLimit = 32
    static let sizeLimit = 1 << 16

    /// The input exceeds a limit.
    enum Exceeded: Error {
        case depth
        /// The size of one text. The loader limits the size of all texts together.
        case size
    }

    /// Creates a model of texts, in which placeholders refer to other texts. The lookup `m` returns its argument, or
    /// nothing for `none`.
    init(_ texts: [[UInt8]: [UInt8]]) { self.texts = texts }

    /// Returns all texts with their placeholders replaced. Throws `Invalid` if one of them has none.
    mutating func values() throws -> ModelValue {
        .table(Dictionary(uniqueKeysWithValues: try texts.keys.map { ($0, .string(try value(of: $0))) }))
    }

    private mutating func value(of name: [UInt8]) throws -> [UInt8] {
        if results[name] == nil {
            guard !chain.contains(name), let text = texts[name] else { throw Invalid() }
            guard chain.count < 2 * Self.depthLimit else { throw Exceeded.depth }
            chain.append(name)
            let outer = longest
            longest = nil
            var cursor = ModelCursor(text)
            let result = try template(&cursor, depth: 0)
            let length = longest.map { $0 + 1 } ?? 0
            guard length <= Self.depthLimit else { throw Exceeded.depth }
            results[name] = (result, length)
            longest = outer
            chain.removeLast()
        }
        guard let result = results[name] else { throw Invalid() }
        longest = max(longest ?? 0, result.length)
        return result.text
    }

    /// Replaces the placeholders of a text.
    private mutating func template(_ cursor: inout ModelCursor, depth: Int) throws -> [UInt8] {
        guard depth < Self.depthLimit else { throw Exceeded.depth }
        var result: [UInt8] = []
        while !cursor.isAtEnd {
            if cursor.skip("$${") {
                result += Array("${".utf8)
            } else if cursor.skip("${") {
                result += try reference(&cursor, depth: depth)
            } else {
                result.append(try cursor.next())
            }
            if result.count > Self.sizeLimit { throw Exceeded.size }
        }
        return result
    }

    private mutating func reference(_ cursor: inout ModelCursor, depth: Int) throws -> [UInt8] {
        var name: [UInt8] = []
        while !cursor.isAt("}"), !cursor.isAt(":-") { name.append(try cursor.next()) }
        // The syntax of a default is checked even if the default is not needed.
        var fallback: ModelCursor?
        if cursor.skip(":-") {
            let start = cursor.place
            try Self.skipTemplate(&cursor, depth: depth + 1)
            fallback = ModelCursor(Array(cursor.bytes[start..<cursor.place]))
        }
        try cursor.expect("}")
        if name.isEmpty { throw Invalid() }
        longest = longest ?? 0
        if let found = try found(name), fallback == nil || !found.isEmpty { return found }
        guard var fallback else { throw Invalid() }
        return try template(&fallback, depth: depth + 1)
    }

    private mutating func found(_ name: [UInt8]) throws -> [UInt8]? {
        if name.starts(with: "m:".utf8) {
            let argument = Array(name.dropFirst(2))
            return argument == Array("none".utf8) ? nil : argument
        }
        return texts[name] == nil ? nil : try value(of: name)
    }

    /// Advances to the brace that ends a default.
    private static func skipTemplate(_ cursor: inout ModelCursor, depth: Int) throws {
        guard depth < depthLimit else { throw Exceeded.depth }
        while !cursor.isAt("}") {
            if cursor.skip("$${") { continue }
            guard cursor.skip("${") else {
                _ = try cursor.next()
                continue
            }
            let start = cursor.place
            while !cursor.isAt("}"), !cursor.isAt(":-") { _ = try cursor.next() }
            if cursor.place == start { throw Invalid() }
            if cursor.skip(":-") { try skipTemplate(&cursor, depth: depth + 1) }
            try cursor.expect("}")
        }
    }
}
