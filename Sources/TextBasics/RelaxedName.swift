/// A name as relaxed sources compare it: its letters in lower case, and the positions of its dots and of all its
/// separators.
package struct RelaxedName {
    /// The name without its separators, in lower case.
    package let letters: String
    /// The number of letters before each dot, in ascending order.
    private let dots: [Int]
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

    /// Whether this spelling can mean a name that has the same letters: each of its dots is at a dot of the name.
    /// `http_timeout` can mean `http.timeout` and `httpTimeout`, and `http.timeout` only `http.timeout`.
    package func reaches(_ name: RelaxedName) -> Bool { Self.includes(name.dots, dots) }

    /// Whether this spelling can mean a name that has the same letters, and each dot of the name is at a separator of this
    /// spelling, too. `hostname` is not `host.name`.
    package func reachesStrictly(_ name: RelaxedName) -> Bool { reaches(name) && Self.includes(separators, name.dots) }

    /// Returns a name, or a key of it, without its separators and in lower case.
    package static func letters(of name: String) -> String {
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

extension String {
    /// Whether this name and another have the same letters.
    package func hasLetters(of other: String) -> Bool {
        RelaxedName.letters(of: self).isSame(as: RelaxedName.letters(of: other))
    }
}
