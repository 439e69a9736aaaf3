import PropertyLoaders

/// A mistake in the command line.
struct UsageError: Error, CustomStringConvertible {
    let problem: String

    init(_ problem: String) { self.problem = problem }

    /// Creates the error about a word that the tool does not know, with the most similar word.
    init(unknown kind: String, _ word: some StringProtocol, known: [String]) {
        let similar = Suggestions.nearest(to: String(word), among: known).map { ". Did you mean '\($0)'?" }
        self.init("unknown \(kind) '\(word)'\(similar ?? "")")
    }

    var description: String { problem }
}

/// The words after the name of a command: options, and other words such as files.
struct Arguments {
    /// The words that are not options, in their order.
    let words: [String]
    private let values: [String: [String]]

    /// Parses the words. After `--` all words are taken literally, even those with dashes.
    ///
    /// - Throws: a `UsageError` for an unknown option, an option without its value, an invalid value, or a flag with a
    ///   value.
    init(_ arguments: [String], options: [Option]) throws {
        var words: [String] = []
        var values: [String: [String]] = [:]
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word.isSame(as: "--") {
                words += rest
                break
            }
            guard word.begins(with: "-"), !word.isSame(as: "-") else {
                words.append(word)
                continue
            }
            let equals = word.utf8.firstIndex(of: UInt8(ascii: "="))
            let name = word[..<(equals ?? word.endIndex)]
            guard let option = options.first(where: { name.isSame(as: $0.name) }) else {
                throw UsageError(unknown: "option", name, known: (options + [.help]).map(\.name))
            }
            let inline = equals.map { String(word[word.utf8.index(after: $0)...]) }
            values[option.name, default: []].append(try Self.value(of: option, inline, &rest))
        }
        self.words = words
        self.values = values
    }

    /// Whether an option was given.
    func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// The value of an option, or nil if the option was not given. If it was given several times, the last value.
    subscript(option: Option) -> String? { values[option.name]?.last }

    /// All values of an option that may be given several times, in their order.
    func all(_ option: Option) -> [String] { values[option.name] ?? [] }

    private static func value(
        of option: Option, _ inline: String?, _ rest: inout ArraySlice<String>
    ) throws -> String {
        guard let name = option.value else {
            if inline != nil { throw UsageError("\(option.name) takes no value") }
            return ""
        }
        guard let value = inline ?? rest.popFirst() else { throw UsageError("\(option.text): the value is missing") }
        // A word that begins with `--` is probably the next option, and the value was forgotten. The message does not
        // show the word, since it may be a secret.
        guard inline != nil || !value.begins(with: "--") else {
            throw UsageError(
                "\(option.text): an option follows; expected the value. "
                    + "Write \(option.name)=\(name) if it begins with --")
        }
        guard option.choices.isEmpty || option.choices.contains(where: value.isSame) else {
            throw UsageError(
                "\(option.text): '\(value)' is not valid; expected one of \(option.choices.joined(separator: ", "))")
        }
        return value
    }
}
