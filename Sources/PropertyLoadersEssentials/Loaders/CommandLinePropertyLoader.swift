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
    /// The values of the options that are not properties, by their names.
    package let values: [String: String]
    /// The arguments that the loader uses: properties, options, and the names in `passthrough`.
    package let used: [String]
    /// The names of the options without a value that are properties.
    package let flags: [String]
    private let outcome: Result<PropertyLayer, any Error>
    /// The indices of the invalid arguments before `--` that do not begin with two dashes.
    package let refused: [Int]
    private let arguments: [String]
    private let rules: Rules

    /// How the arguments are read.
    package struct Rules: Sendable {
        /// The number of the first arguments, which are a command.
        package var skipped = 0
        package var flags: Set<String> = []
        package var passthrough: Set<String> = []
        /// The options that choose a path, and are not properties.
        package var options: [PathOption] = []
        package var refusesOthers = false

        package init() {}
    }

    /// Creates a loader, and parses the arguments. If an argument is invalid, `load` throws the error.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name; by default the arguments of the process.
    ///   - flags: names that never take the next argument as their value, such as `debug`. Spellings that reach the name
    ///     as a declared key are included: `--dry-run` with `dryRun` or `dry.run`.
    ///   - passthrough: names of the program's own options, such as `help`; they stay in `remaining`. Their values and
    ///     other arguments stay there, too.
    ///   - refusesOthers: whether an argument before `--` that neither begins with two dashes nor is a value is invalid,
    ///     because the program has no use for it. The names in `passthrough`, without dashes, are allowed.
    public init(
        arguments: [String] = Array(CommandLine.arguments.dropFirst()), flags: Set<String> = [],
        passthrough: Set<String> = [], refusesOthers: Bool = false
    ) {
        var rules = Rules()
        (rules.flags, rules.passthrough, rules.refusesOthers) = (flags, passthrough, refusesOthers)
        self.init(arguments, rules)
    }

    package init(_ arguments: [String], _ rules: Rules) {
        var parser = ArgumentParser(arguments, rules)
        outcome = Result { try parser.layer() }
        (remaining, refused, values, used) = (parser.remaining, parser.refused, parser.values, parser.used)
        flags = parser.flags
        (self.arguments, self.rules) = (arguments, rules)
    }

    /// The options that choose a path.
    package var options: [PathOption] { rules.options }

    /// Whether this loader reads the given arguments.
    package func reads(_ arguments: [String]) -> Bool { self.arguments == arguments }

    /// Returns an argument without the dashes at its beginning, and without a value.
    package static func bareName(of argument: String) -> String {
        String(Substring(argument.utf8.drop { $0 == UInt8(ascii: "-") }.prefix { $0 != UInt8(ascii: "=") }))
    }

    /// Returns a loader of the same arguments with other rules.
    package func changed(_ change: (inout Rules) -> Void) -> CommandLinePropertyLoader {
        var rules = rules
        change(&rules)
        return CommandLinePropertyLoader(arguments, rules)
    }

    /// The index of the first invalid argument that does not begin with a dash. Nil if there is none.
    package var firstRefusedWord: Int? { refused.first { !arguments[$0].begins(with: "-") } }

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
    private(set) var refused: [Int] = []
    private(set) var values: [String: String] = [:]
    private(set) var used: [String] = []
    private(set) var flags: [String] = []
    private let flagNames: [RelaxedName]
    private let passthrough: Set<PropertyKey>
    private let options: Set<PropertyKey>
    private let refusesOthers: Bool
    private let identity: String
    private let count: Int
    private var arguments: ArraySlice<String>
    /// The properties in the order of the arguments. Messages show the label: the argument without its value.
    private var found: [(path: [String], value: PropertyValue, label: String)] = []

    init(_ arguments: [String], _ rules: CommandLinePropertyLoader.Rules) {
        // A zero byte separates the arguments, because no argument contains one. The identity contains the values,
        // which may be secret; it is only compared and never printed.
        identity = "command line " + arguments.joined(separator: "\0")
        count = arguments.count
        self.arguments = arguments.dropFirst(rules.skipped)
        flagNames = rules.flags.map { RelaxedName($0) }
        passthrough = Set(rules.passthrough.map { PropertyKey($0) })
        options = Set(rules.options.map { PropertyKey($0.name) })
        refusesOthers = rules.refusesOthers
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
        let key = PropertyKey(String(name))
        if passthrough.contains(key) { return pass(argument, name, hasValue: value != nil) }
        used.append(argument)
        if name.isSame(as: "set") { return try takeAssignment(value ?? popUsed()) }
        try checkIsText(argument)
        let label = "--\(name)"
        if options.contains(key) { return try takeOption(String(name), value ?? valueAfter(name)) }
        let path = try path(of: name)
        // A flag is a boolean and not the text "true", so that it is not read as the value of a string.
        let text = value ?? valueAfter(name)
        if let text { try checkIsText(text) } else { flags.append(String(name)) }
        found.append((path, text.map { .text($0) } ?? true, label))
    }

    /// Leaves an option of the program in `remaining`, with its value.
    private mutating func pass(_ argument: String, _ name: Substring, hasValue: Bool) {
        remaining.append(argument)
        used.append(argument)
        if !hasValue, let value = valueAfter(name) { remaining.append(value) }
    }

    private mutating func takeOption(_ name: String, _ value: String?) throws(PropertyLoadError) {
        guard let value else {
            throw Self.error(
                "nothing follows", at: "--\(name)", expected: "a path", remedy: "Write --\(name) PATH")
        }
        try checkIsText(value)
        values[name] = value
    }

    /// Removes the next argument, which is a value.
    private mutating func popUsed() -> String? {
        guard let next = arguments.popFirst() else { return nil }
        used.append(next)
        return next
    }

    private mutating func takeOther(_ argument: String) throws(PropertyLoadError) {
        // A flag, such as `help`, has two dashes.
        let name = CommandLinePropertyLoader.bareName(of: argument)
        let isPassed = passthrough.contains(PropertyKey(name)) && !isFlag(name)
        if isPassed { used.append(argument) }
        guard refusesOthers, !isPassed else { return remaining.append(argument) }
        refused.append(count - arguments.count - 1)
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
        return popUsed()
    }

    /// Whether a name is the name of a flag, or a relaxed spelling of one.
    private func isFlag(_ name: String) -> Bool {
        let spelling = RelaxedName(name)
        return flagNames.contains { $0.letters.isSame(as: spelling.letters) && spelling.reaches($0) }
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
        let reserved = passthrough.union(options)
        loaded.options = (reserved.map(\.rawValue) + ["set"]).sorted(byName: \.self)
        loaded.howToSet = { name, isDeclared in
            guard let argument = SpelledName.argument(name, isDeclared: isDeclared), !argument.isSame(as: "set"),
                !reserved.contains(PropertyKey(argument))
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
