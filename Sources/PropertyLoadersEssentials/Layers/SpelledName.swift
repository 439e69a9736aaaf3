/// The names of properties as messages advise to write them in sources with flat names.
enum SpelledName {
    /// Returns the words of a name in lower case: `api`, `base` and `url` of `api.baseURL`. A relaxed source that joins them
    /// in any way reaches the declared name. Nil if it has other characters than ASCII letters, digits, `.`, `_` and `-`.
    static func words(of name: String) -> [String]? {
        var words: [[UInt8]] = [[]]
        let bytes = Array(name.utf8)
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") {
                words.append([])
                continue
            }
            guard byte.isLetter || byte.isDigit else { return nil }
            // A capital begins a word, unless it is inside an abbreviation: `baseURL`, `URLOfHost`.
            let isInside = index > 0 && isCapital(bytes[index - 1]) && !isLowercase(bytes, index + 1)
            if isCapital(byte), !isInside { words.append([]) }
            words[words.count - 1].append(isCapital(byte) ? byte | 0x20 : byte)
        }
        let texts = words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
        return texts.isEmpty ? nil : texts
    }

    /// Returns the name of the environment variable, without a prefix, that sets a property. Nil if no variable can.
    static func variable(_ name: String, isDeclared: Bool) -> String? {
        if isDeclared { return words(of: name)?.joined(separator: "_").uppercased() }
        // Without a declaration the letters of a variable become lower case, and only `__` separates levels.
        let isExact = name.utf8.allSatisfy { byte in
            byte.isDigit || byte == .underscore || byte == .dot || (byte.isLetter && !isCapital(byte))
        }
        let levels = name.parts(between: ".")
        let isSplit = levels.allSatisfy { level in
            !level.isEmpty && level.utf8.first != .underscore && level.utf8.last != .underscore
                && !level.contains("__")
        }
        return isExact && isSplit ? levels.joined(separator: "__").uppercased() : nil
    }

    /// Returns the argument, without dashes, that sets a property. Nil if no argument can.
    static func argument(_ name: String, isDeclared: Bool) -> String? {
        if isDeclared, let words = words(of: name) { return words.joined(separator: "-") }
        let isPlain = name.utf8.allSatisfy { byte in byte.isLetter || byte.isDigit || "._-".utf8.contains(byte) }
        let hasLevels = name.parts(between: ".").allSatisfy { !$0.isEmpty }
        return isPlain && hasLevels && name.utf8.first != .minus ? name : nil
    }

    /// Returns the name of the file in a directory that sets a property. Nil if no file can.
    static func file(_ name: String) -> String? {
        name.isEmpty || name.utf8.first == .dot || name.utf8.contains(.slash) || name.utf8.contains(0) ? nil : name
    }

    private static func isCapital(_ byte: UInt8) -> Bool { byte.isLetter && byte & 0x20 == 0 }

    private static func isLowercase(_ bytes: [UInt8], _ index: Int) -> Bool {
        bytes.indices.contains(index) && bytes[index].isLetter && !isCapital(bytes[index])
    }
}
