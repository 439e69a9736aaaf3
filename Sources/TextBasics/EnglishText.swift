/// The forms of words in messages.
package enum EnglishText {
    /// Returns a noun with its article: `an integer`.
    package static func withArticle(_ noun: String) -> String {
        let vowels: Set<Character> = ["a", "e", "i", "o", "A", "E", "I", "O"]
        return noun.first.map(vowels.contains) == true ? "an \(noun)" : "a \(noun)"
    }

    /// Returns a number with a noun: `1 key`, `2 keys`.
    package static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Joins texts as an enumeration: `a, b and c`.
    package static func enumeration(_ texts: [String]) -> String {
        texts.count < 2
            ? texts.joined() : texts.dropLast().joined(separator: ", ") + " and " + texts[texts.count - 1]
    }

    /// Joins texts as alternatives: `a`, `a or b`, `a, b, or c`.
    package static func alternatives(_ texts: [String]) -> String {
        if texts.count < 3 { return texts.joined(separator: " or ") }
        return texts.dropLast().joined(separator: ", ") + ", or " + texts[texts.count - 1]
    }

    /// Returns the words of an identifier in lower case, with a separator between them: `base_url` of `baseURL`.
    package static func words(of identifier: String, separator: Character) -> String {
        let letters = Array(identifier)
        return letters.indices.reduce(into: "") { key, index in
            let letter = letters[index], next = letters[index...].dropFirst().first
            // A capital begins a word unless it is inside an abbreviation: `baseURL`, `URLOfHost`.
            let isInside = index > 0 && letters[index - 1].isUppercase && next?.isLowercase != true
            if index > 0, letter.isUppercase, !isInside, letters[index - 1] != "_" { key.append(separator) }
            key += letter == "_" ? String(separator) : letter.lowercased()
        }
    }
}

extension String {
    /// The text with its first letter in upper case, unless its first word is a name, such as "iPhone" or "min_size".
    package var capitalizedFirst: String {
        let isName = prefix { $0 != " " }.contains { $0.isUppercase || $0 == "_" || $0 == "." }
        return isName ? self : (first?.uppercased() ?? "") + dropFirst()
    }
}
