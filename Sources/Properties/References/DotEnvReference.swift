/// Writes declared keys as a `.env` file.
package struct DotEnvReference {
    let prefix: String

    func text(of keys: [DeclaredKey]) -> String {
        let variables = keys.map { VariableSpelling.variable(for: $0.key.rawValue, prefix: prefix) }
        let counts = Dictionary(variables.compactMap { name in name.map { ($0, 1) } }, uniquingKeysWith: +)
        return zip(keys, variables).map { key, variable in
            let isUnique = variable.map { counts[$0] == 1 } ?? false
            return comment(on: key) + assignment(of: key, to: isUnique ? variable : nil)
        }.joined(separator: "\n")
    }

    private func comment(on key: DeclaredKey) -> String {
        var attributes = [key.expected]
        if key.isRequired { attributes.append("required") }
        if key.isSecret { attributes.append("secret") }
        let lines = (key.summary.map { [$0] } ?? []) + ["\(key.key): \(attributes.joined(separator: ", "))"]
        return lines.map { "# \(PrintableText.escaped($0))\n" }.joined()
    }

    private func assignment(of key: DeclaredKey, to variable: String?) -> String {
        guard let variable, !key.needsFile else { return "# It cannot be set by a variable.\n" }
        return "#\(variable)=\(key.defaultValue.flatMap(Self.text).map(Self.quoted) ?? "")\n"
    }

    /// Returns the text without a type of a value, or nil if there is none, or if it has a zero byte, which text in a
    /// `.env` file cannot have.
    package static func text(_ value: PropertyValue) -> String? {
        switch value {
        case .string(let text) where text.utf8.contains(0), .text(let text) where text.utf8.contains(0): nil
        case .string(let text), .text(let text): text
        case .null, .array, .table, .opaque: nil
        case .data(let bytes): Base64.text(of: bytes)
        case .bigInteger(let digits): digits
        default: ValueText.short(value)
        }
    }

    /// Returns a value in the grammar of `DotEnvPropertyLoader`, in quotes if it needs them.
    package static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte.isWordPart || "-./:@%+,=".utf8.contains(byte)
        }
        if isPlain { return text }
        let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\"" || scalar == "\\" || scalar == "$" { result += "\\" }
            result += PrintableText.escaped(scalar)
        }
        return "\"\(escaped)\""
    }
}

/// The variables that set properties: the reverse of what the loaders of the environment and of `.env` files do.
package enum VariableSpelling {
    /// Returns the variable that sets a property, or nil if there is none, since a level of the name is empty or has a
    /// character that variables cannot have.
    ///
    /// `api.baseURL` becomes `API__BASE_URL`. The store matches such names regardless of case, `_` and `-`.
    package static func variable(for name: String, prefix: String) -> String? {
        let prefix = prefix.isEmpty || prefix.utf8.last == UInt8(ascii: "_") ? prefix : prefix + "_"
        let levels = name.parts(between: ".").map { level(String($0)) }
        guard !levels.contains(where: { $0 == nil }) else { return nil }
        let variable = prefix + levels.compactMap { $0 }.joined(separator: "__")
        return variable.utf8.first.map(\.isDigit) == false ? variable : nil
    }

    private static func level(_ level: String) -> String? {
        let bytes = Array(level.utf8)
        guard bytes.allSatisfy({ $0.isWordPart || $0 == hyphen }) else { return nil }
        var words: [[UInt8]] = [[]]
        for (index, byte) in bytes.enumerated() {
            if byte == underscore || byte == hyphen {
                words.append([])
            } else {
                if isWordStart(bytes, index) { words.append([]) }
                words[words.count - 1].append(byte)
            }
        }
        let text = words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "_")
        return text.isEmpty ? nil : text.uppercased()
    }

    // A word starts at the `U` of `baseURL` and at the `P` of `URLPath`.
    private static func isWordStart(_ bytes: [UInt8], _ index: Int) -> Bool {
        guard index > 0, isUpper(bytes[index]) else { return false }
        if !isUpper(bytes[index - 1]) { return true }
        return index + 1 < bytes.count && isLower(bytes[index + 1])
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static let underscore = UInt8(ascii: "_")
    private static let hyphen = UInt8(ascii: "-")
}
