/// Loads properties from a program's arguments, and keeps the other arguments for the program.
///
/// | argument | property |
/// |---|---|
/// | `--api.timeout=5` | `api.timeout` is `5` |
/// | `--api.timeout 5` | the same |
/// | `--set api.timeout=5`, `--set=api.timeout=5` | the same |
/// | `--debug` | `debug` is `true`, as a boolean |
///
/// `--name value` is ambiguous: it could also be a flag and an argument of the program. The loader reads it as a name
/// and its value, unless `flags` contains the name, or the next argument begins with `-` and is neither a number nor
/// `-` alone. In these two cases the name is a flag. Write `--name=-x` for a value that begins with `-`.
///
/// A name may occur more than once. Read as a list, such as `[String]`, it has the elements of all its values in their
/// order: `--tags a --tags b,c` is `["a", "b", "c"]`. Read as any other type, it has the last value.
///
/// `remaining` contains all other arguments in their order:
/// those without dashes or with a single dash (`-v`), the names in `passthrough`, and `--` with everything after it.
///
/// Values are text without a type; a read converts them to the requested type. If a flag is read as any type but a
/// boolean, the error says that its value is missing. `--api-timeout` also sets `api.timeout`, if another source or a
/// declared key has that name (`NameSpelling.relaxed`).
public struct CommandLinePropertyLoader: PropertyLoader, NamedSource {
    /// The arguments that are not properties, for the program's own parser.
    public let remaining: [String]
    private let outcome: Result<PropertyLayer, any Error>
    /// The indices of the arguments before `--` that neither begin with two dashes nor are a value.
    private let others: [Int]
    private let arguments: [String]
    private let rules: (flags: Set<String>, passthrough: Set<String>, refusesOthers: Bool)

    /// Creates a loader, and parses the arguments. If an argument is invalid, `load` throws the error.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name; by default the arguments of the process.
    ///   - flags: names that never take the next argument as their value, such as `debug`. Spellings that reach the name
    ///     as a declared key are included: `--dry-run` with `dryRun` or `dry.run`.
    ///   - passthrough: names of the program's own options, such as `help`; they stay in `remaining`.
    ///   - refusesOthers: whether an argument before `--` that neither begins with two dashes nor is a value is invalid,
    ///     because the program has no use for it.
    public init(
        arguments: [String] = Array(CommandLine.arguments.dropFirst()), flags: Set<String> = [],
        passthrough: Set<String> = [], refusesOthers: Bool = false
    ) {
        self.init(arguments, skipping: 0, (flags, passthrough, refusesOthers))
    }

    private init(
        _ arguments: [String], skipping count: Int,
        _ rules: (flags: Set<String>, passthrough: Set<String>, refusesOthers: Bool)
    ) {
        var parser = ArgumentParser(
            arguments, skipping: count, flags: rules.flags, passthrough: rules.passthrough,
            refusesOthers: rules.refusesOthers)
        outcome = Result { try parser.layer() }
        (remaining, others) = (parser.remaining, parser.others)
        (self.arguments, self.rules) = (arguments, rules)
    }

    /// Returns a loader without the words and the options of a command.
    ///
    /// - Parameters:
    ///   - count: the number of the first arguments, which are the command.
    ///   - options: the names of its options, which stay in `remaining`.
    ///   - former: the arguments of the process. A loader of other arguments stays as it is.
    /// - Returns: the loader.
    package func skipping(
        _ count: Int, passing options: Set<String>, of former: some Sequence<String>
    ) -> CommandLinePropertyLoader {
        guard arguments.elementsEqual(former) else { return self }
        return CommandLinePropertyLoader(
            arguments, skipping: count, (rules.flags, rules.passthrough.union(options), rules.refusesOthers))
    }

    /// Finds the first argument that is invalid because it is neither an option nor a value, and that does not begin with
    /// a dash.
    ///
    /// - Parameter former: the arguments of the process.
    /// - Returns: its index, or nil if there is none, or if this is a loader of other arguments.
    package func firstRefusedWord(of former: some Sequence<String>) -> Int? {
        guard rules.refusesOthers, arguments.elementsEqual(former) else { return nil }
        return others.first { !arguments[$0].begins(with: "-") }
    }

    package var sourceName: String { ArgumentParser.sourceName }

    /// Returns the properties of the arguments.
    ///
    /// - Throws: a `PropertyLoadError` that names the invalid argument, or `ConfigurationErrors` if several are
    ///   invalid.
    public func load() throws -> PropertyLayer { try outcome.get() }
}

/// Parses the arguments in one pass.
private struct ArgumentParser {
    private(set) var remaining: [String] = []
    private(set) var others: [Int] = []
    private let flags: [RelaxedName]
    private let passthrough: Set<PropertyKey>
    private let refusesOthers: Bool
    private let identity: String
    private let count: Int
    private var arguments: ArraySlice<String>
    /// The properties in the order of the arguments. Messages show the label: the argument without its value.
    private var found: [(path: [String], value: PropertyValue, label: String)] = []

    init(
        _ arguments: [String], skipping skipped: Int, flags: Set<String>, passthrough: Set<String>, refusesOthers: Bool
    ) {
        // A zero byte separates the arguments, because no argument contains one. The identity contains the values,
        // which may be secret; it is only compared and never printed.
        identity = "command line " + arguments.joined(separator: "\0")
        count = arguments.count
        self.arguments = arguments.dropFirst(skipped)
        self.flags = flags.map { RelaxedName($0) }
        self.passthrough = Set(passthrough.map { PropertyKey($0) })
        self.refusesOthers = refusesOthers
    }

    mutating func layer() throws -> PropertyLayer {
        var failures: [PropertyLoadError] = []
        while let argument = arguments.popFirst() {
            if argument.isSame(as: "--") {
                // With the dashes, so that the program's parser takes no argument after them for an option.
                remaining += [argument] + arguments
                break
            }
            do throws(PropertyLoadError) {
                try take(argument)
            } catch {
                // The loop continues after an error, so that all errors are reported and `remaining` is complete.
                failures.append(error)
            }
        }
        if failures.count > 1 { throw ConfigurationErrors(failures) }
        if let failure = failures.first { throw failure }
        return try layerOfFound()
    }

    private mutating func take(_ argument: String) throws(PropertyLoadError) {
        guard argument.begins(with: "--") else { return try takeOther(argument) }
        let (name, value) = Self.parts(of: Substring(argument.utf8.dropFirst(2)))
        if passthrough.contains(PropertyKey(String(name))) { return remaining.append(argument) }
        if name.isSame(as: "set") { return try takeAssignment(value ?? arguments.popFirst()) }
        try checkIsText(argument)
        let label = "--\(name)"
        let path = try path(of: name)
        // A flag is a boolean and not the text "true", so that it is not read as the value of a string.
        let text = value ?? valueAfter(name)
        if let text { try checkIsText(text) }
        found.append((path, text.map { .text($0) } ?? true, label))
    }

    private mutating func takeOther(_ argument: String) throws(PropertyLoadError) {
        others.append(count - arguments.count - 1)
        guard refusesOthers else { return remaining.append(argument) }
        let own = "the program's own arguments after --"
        // After an option, a word is probably the second one of its value.
        let isRest = !found.isEmpty && !argument.begins(with: "-")
        throw Self.error(
            "this is not an option", at: position, expected: "--name=value",
            remedy: isRest ? "Put a value with blanks in quotes, and \(own)" : "Put \(own)")
    }

    /// The place of an argument whose text no message shows, because it may be a secret value.
    private var position: String { "argument \(count - arguments.count)" }

    /// Adds the property of `--set name=value`.
    private mutating func takeAssignment(_ assignment: String?) throws(PropertyLoadError) {
        guard let assignment, case (let name, let value?) = Self.parts(of: assignment[...]) else {
            // The message does not show the argument: although it has no "=", it may consist of a name and a secret.
            throw Self.error(
                assignment == nil ? "nothing follows" : "\(position) has no =", at: "--set",
                expected: "a name, = and a value", remedy: "Write --set name=value")
        }
        try checkIsText(assignment)
        let label = "--set \(name)"
        found.append((try path(of: name), .text(value), label))
    }

    /// Throws the error about an argument that was not valid UTF-8. Swift has replaced its invalid bytes by U+FFFD, so
    /// that another value would be read.
    private func checkIsText(_ argument: String) throws(PropertyLoadError) {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return }
        throw Self.error(
            "this is not valid UTF-8, or has the replacement character U+FFFD", at: position, expected: "text in UTF-8",
            remedy: "Check the encoding of the terminal or of the script")
    }

    // Splits a text at its first "=".
    private static func parts(of text: Substring) -> (name: Substring, value: String?) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (text, nil) }
        return (text[..<equals], String(text[text.utf8.index(after: equals)...]))
    }

    private mutating func valueAfter(_ name: Substring) -> String? {
        guard let next = arguments.first, !isFlag(String(name)) else { return nil }
        guard !next.begins(with: "-") || next.isSame(as: "-") || Double(next) != nil else { return nil }
        return arguments.popFirst()
    }

    /// Whether a name is the name of a flag, or a relaxed spelling of one.
    private func isFlag(_ name: String) -> Bool {
        let spelling = RelaxedName(name)
        return flags.contains { $0.letters.isSame(as: spelling.letters) && spelling.reaches($0) }
    }

    private func path(of name: Substring) throws(PropertyLoadError) -> [String] {
        let parts = name.parts(between: ".").map { String($0) }
        guard !name.begins(with: "-"), !parts.contains(where: \.isEmpty) else {
            throw Self.error(
                "this is not a valid name of a property", at: position,
                expected: "a name such as api.timeout, with no dot or dash at its start, and no dot at its end",
                remedy: "Put the program's own arguments after --")
        }
        // The message does not show the name: it may be a part of a secret.
        guard parts.count <= UntypedLayer.depthLimit else { throw UntypedLayer.tooDeep(at: Self.origin(position)) }
        return parts
    }

    private func layerOfFound() throws(PropertyLoadError) -> PropertyLayer {
        let source = PropertySource(name: Self.sourceName, identity: identity, labels: found.map(\.label))
        let repeated = source.repeated
        let last = UntypedLayer.lastIndices(of: found.map(\.path))
        var values: [Int: [PropertyNode]] = [:]
        for (place, item) in found.enumerated() {
            let node = PropertyNode(item.value, origin: PropertyOrigin(source, at: place))
            values[last[place], default: []].append(node)
        }
        var layer = UntypedLayer()
        for (place, item) in found.enumerated() {
            guard let nodes = values[place] else { continue }
            let isSingle = nodes.count == 1
            try layer.add(
                isSingle ? item.value : .array(nodes), at: item.path,
                origin: PropertyOrigin(isSingle ? source : repeated, at: place))
        }
        var loaded = PropertyLayer(layer.table, source: source, spelling: .relaxed)
        loaded.medium = .arguments
        let passthrough = passthrough
        loaded.options = (passthrough.map(\.rawValue) + ["set"]).sorted(byName: \.self)
        loaded.howToSet = { name, isDeclared in
            guard let argument = SpelledName.argument(name, isDeclared: isDeclared), !argument.isSame(as: "set"),
                !passthrough.contains(PropertyKey(argument))
            else { return nil }
            return "by --\(argument)"
        }
        return loaded
    }

    static let sourceName = PropertySource.commandLine

    private static func error(
        _ problem: String, at label: String, expected: String, remedy: String
    ) -> PropertyLoadError {
        // None of the texts contains an argument.
        PropertyLoadError(
            .syntax, problem, at: origin(label), expected: expected, remedy: remedy, quotes: false)
    }

    private static func origin(_ label: String) -> PropertyOrigin {
        PropertyOrigin(source: PropertySource(name: sourceName, labels: [label]), place: 0)
    }
}
