/// A name as relaxed sources spell it: its letters in lower case, and where it may be separated.
///
/// A spelling reaches a name if both have the same letters, each dot of the spelling is at a dot of the name, and each dot
/// of the name is at a dot, `_` or `-` of the spelling. `http_timeout` therefore reaches `http.timeout` and `httpTimeout`,
/// `http.timeout` only the former, and `httptimeout` only the latter.
package struct RelaxedName {
    /// The name without its separators, in lower case.
    package let letters: String
    /// The number of letters before each dot, in ascending order.
    let dots: [Int]
    /// The number of letters before each dot, `_` or `-`, in ascending order.
    private let separators: [Int]

    package init(_ name: String) {
        var letters: [UInt8] = [], dots: [Int] = [], separators: [Int] = []
        for byte in name.lowercased().utf8 {
            if byte == UInt8(ascii: ".") { dots.append(letters.count) }
            if Self.isSeparator(byte) { separators.append(letters.count) } else { letters.append(byte) }
        }
        self.letters = String(decoding: letters, as: UTF8.self)
        (self.dots, self.separators) = (dots, separators)
    }

    /// Whether this spelling can mean a name that has the same letters.
    package func reaches(_ name: RelaxedName) -> Bool {
        Self.includes(name.dots, dots) && Self.includes(separators, name.dots)
    }

    /// Returns a name, or a key of it, without its separators and in lower case.
    static func letters(of name: String) -> String {
        String(decoding: name.lowercased().utf8.filter { !isSeparator($0) }, as: UTF8.self)
    }

    /// Whether the first of two ascending lists has all elements of the second, each at least as often.
    private static func includes(_ all: [Int], _ some: [Int]) -> Bool {
        var rest = some[...]
        for element in all where element == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}

/// Names by their letters, which relaxed names are matched with.
struct Spellings: Sendable {
    /// A name, and its place if a source has it.
    struct Spelling: Sendable {
        let name: String
        let origin: PropertyOrigin?
    }

    private var names: Set<PropertyKey> = []
    private var byLetters: [PropertyKey: BoundedList<Spelling>] = [:]

    /// The maximum number of names with the same letters that are compared. More of them are ambiguous.
    private static let limit = 50

    func has(_ name: String) -> Bool { names.contains(PropertyKey(name)) }

    /// The names with the given letters.
    subscript(letters: String) -> BoundedList<Spelling>? { byLetters[PropertyKey(letters)] }

    mutating func add(_ name: String, _ letters: String? = nil, _ origin: PropertyOrigin? = nil) {
        guard names.insert(PropertyKey(name)).inserted else { return }
        let letters = letters ?? RelaxedName.letters(of: name)
        byLetters[PropertyKey(letters), default: BoundedList(limit: Self.limit)]
            .append(Spelling(name: name, origin: origin))
    }
}
