import Container
import PropertyLoadersEssentials

/// The arguments of a process, and who reads them: the process itself, a source, or the program.
struct ServiceArguments: Sendable {
    /// The name of the program in messages.
    private let program: String
    /// The arguments without the program's name.
    private let arguments: [String]
    /// Whether the first arguments may be a command.
    let answersCommands: Bool
    /// The names of the program's own options, without dashes, and its own words.
    private let passthrough: Set<String>
    /// The variable of the format of the lines, which is not a property.
    private let formatVariable: String?
    /// The letters of the declared names.
    private let declared: Set<String>

    /// Creates the arguments of a process.
    ///
    /// - Parameters:
    ///   - all: the program's path and its arguments.
    ///   - properties: the store with the declared names.
    ///   - answersCommands: whether the first arguments may be a command.
    ///   - passthrough: the names that belong to the program.
    ///   - format: the format of the lines, whose option and variable are not properties.
    init(
        _ all: [String], _ properties: PropertyStore, answersCommands: Bool, passthrough: Set<String>,
        _ format: LogFormat
    ) {
        program = ServiceOptions.program(all)
        arguments = Array(all.dropFirst())
        self.answersCommands = answersCommands
        self.passthrough = passthrough.union([format.option].compactMap(\.self))
        formatVariable = format.variable
        declared = Set(properties.snapshot.declaredKeys.map { RelaxedName($0.key.rawValue).letters })
    }

    /// Parses the command, or returns nil if there is none.
    ///
    /// - Throws: a `UsageError` if the first word begins a command but the other words are not valid for it.
    func command() throws(UsageError) -> ServiceCommand? { answersCommands ? try ServiceCommand(arguments) : nil }

    /// Returns the sources without what the process reads itself: its options, the command, and the variable of the
    /// profile, unless a setting has this name.
    func without(_ command: ServiceCommand?, in sources: PropertySources) -> PropertySources {
        PropertySources(sources.loaders.map { $0.replacingInnermost { without(command, $0) } })
    }

    private func without(_ command: ServiceCommand?, _ loader: any AsyncPropertyLoader) -> any AsyncPropertyLoader {
        if let loader = loader as? EnvironmentPropertyLoader {
            let profile = declared.contains("profile") ? nil : loader.profileVariable
            return loader.excluding([profile, formatVariable].compactMap(\.self))
        }
        guard let loader = loader as? CommandLinePropertyLoader, loader.reads(arguments) else { return loader }
        return loader.changed { rules in
            let own = ownOptions(command)
            rules.skipped = command?.count ?? 0
            rules.flags.formUnion(own)
            rules.passthrough.formUnion(own.union(passthrough))
            rules.refusesOthers = rules.refusesOthers || answersCommands
        }
    }

    /// The options of the process and of a command, without dashes.
    private func ownOptions(_ command: ServiceCommand?) -> Set<String> {
        var names = ServiceOptions.names.union(command?.syntax.options.joined().map { String($0.dropFirst(2)) } ?? [])
        if arguments.prefix(while: { $0 != "--" }).contains("--check") { names.insert("json") }
        return names
    }

    // MARK: - Arguments that nobody reads

    /// Refuses an argument that nobody reads: it may be a misspelt option or command.
    ///
    /// - Parameters:
    ///   - sources: the sources without what the process reads itself.
    ///   - command: the command, or nil.
    /// - Throws: a `UsageError` about the first of these arguments.
    func refuseUnread(by sources: PropertySources, _ command: ServiceCommand?) throws(UsageError) {
        guard answersCommands else { return }
        let loaders = sources.loaders.compactMap { $0.innermost as? CommandLinePropertyLoader }
        guard let loader = loaders.first(where: { $0.reads(arguments) }) else {
            return try refuseUnread(usedElsewhere: loaders.flatMap(\.used), command)
        }
        if let index = loader.firstRefusedWord,
            let error = ServiceCommand.misplaced(at: index, in: arguments, of: program)
        {
            throw error
        }
        try refuseSingleDashes(loader, command)
        for name in loader.flags where !declared.contains(RelaxedName(name).letters) {
            guard let meant = Suggestions.nearest(to: name, among: ownOptions(command).sorted()) else { continue }
            throw UsageError(
                "command line --\(name): this is not an option of the service. Did you mean --\(meant)? If it is a "
                    + "setting, write --\(name)=true.")
        }
    }

    /// Refuses an option of the process that is written with one dash, such as `-check`.
    ///
    /// - Parameters:
    ///   - loader: the source that reads the arguments.
    ///   - command: the command, or nil.
    /// - Throws: a `UsageError` about the first of these arguments.
    private func refuseSingleDashes(
        _ loader: CommandLinePropertyLoader, _ command: ServiceCommand?
    ) throws(UsageError) {
        let own = ownOptions(command).union(loader.options.map(\.name)).sorted()
        for index in loader.refused where arguments[index].hasPrefix("-") {
            let name = CommandLinePropertyLoader.bareName(of: arguments[index])
            guard let meant = Suggestions.nearest(to: name, among: own) else { continue }
            throw unread(place(arguments[index], name, at: index), meant)
        }
    }

    /// Refuses an argument if no source reads the arguments of the process.
    ///
    /// - Parameters:
    ///   - used: the arguments that sources read.
    ///   - command: the command, or nil.
    /// - Throws: a `UsageError` about the first of these arguments.
    private func refuseUnread(usedElsewhere used: [String], _ command: ServiceCommand?) throws(UsageError) {
        var used = used, isValue = false
        let own = ownOptions(command)
        for (index, argument) in arguments.enumerated().dropFirst(command?.count ?? 0) {
            if argument == "--" { return }
            let name = CommandLinePropertyLoader.bareName(of: argument)
            if isValue, !argument.hasPrefix("-") {
                isValue = false
            } else if let place = used.firstIndex(of: argument) {
                used.remove(at: place)
            } else if passthrough.contains(name) {
                isValue = argument.hasPrefix("--") && !argument.contains("=")
            } else if argument != "-h", !argument.hasPrefix("--") || !own.contains(name) {
                throw unread(argument, name, at: index, own)
            }
        }
    }

    private func unread(_ argument: String, _ name: String, at index: Int, _ own: Set<String>) -> UsageError {
        if let error = ServiceCommand.misplaced(at: index, in: arguments, of: program) { return error }
        let place = self.place(argument, name, at: index)
        if argument.hasPrefix("-"), let meant = Suggestions.nearest(to: name, among: own.sorted()) {
            return unread(place, meant)
        }
        let remark = index == 0 && !argument.hasPrefix("-") ? "\n\(ServiceCommand.remark(on: argument).text)" : ""
        return UsageError(
            "\(place): no source of the service reads this argument; expected --check, --help or --version. Put the "
                + "program's own arguments after --.\(remark)")
    }

    private func unread(_ place: String, _ meant: String) -> UsageError {
        UsageError("\(place): this is not an option of the service. Did you mean --\(meant)?")
    }

    /// The place of an argument in messages, which do not show a word, because it may be a secret.
    private func place(_ argument: String, _ name: String, at index: Int) -> String {
        "command line \(argument.hasPrefix("--") ? "--\(name)" : "argument \(index + 1)")"
    }

    /// Whether the first argument is a word that a source has refused, so that it may be meant as a command.
    func isFirstRefused(by sources: PropertySources) -> Bool {
        answersCommands
            && sources.loaders.contains { source in
                let loader = source.innermost as? CommandLinePropertyLoader
                return loader?.reads(arguments) == true && loader?.firstRefusedWord == 0
            }
    }

    /// The line about a first word that is not a command.
    var remark: ServiceEvent { ServiceCommand.remark(on: arguments.first ?? "") }
}

extension PropertySources {
    /// The options that choose a path.
    var pathOptions: [PathOption] {
        loaders.flatMap { ($0.innermost as? CommandLinePropertyLoader)?.options ?? [] }
    }

    /// A sentence for each path that the user has chosen.
    var choices: [String] {
        pathOptions.compactMap { option in
            option.choice.map { "\(PrintableText.escaped($0.path)) was chosen by \($0.chooser)." }
        }
    }
}
