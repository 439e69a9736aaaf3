import PropertyLoaders

/// The store that a command reads: its inputs in their order, then the environment, then what `--set` says.
struct LazyStore {
    /// The options that say what is in a store.
    static let options = [Option.format, .noComments, .environment, .set]

    private let inputs: [Input]
    private let prefix: String?
    private let settings: [String]

    /// Takes the inputs of a command line.
    ///
    /// - Throws: a `UsageError` where there is none, or a setting is no `KEY=VALUE`.
    init(_ files: some Sequence<String>, _ arguments: Arguments) throws {
        inputs = try files.map { try Input($0, arguments) }
        prefix = arguments[.environment]
        settings = arguments.all(.set)
        if let place = settings.firstIndex(where: { !$0.utf8.contains(UInt8(ascii: "=")) }) {
            // The text is not shown: without its "=" it may be a name and a secret.
            throw UsageError("\(Option.set.text): number \(place + 1) of them has no =; expected KEY=VALUE")
        }
        if inputs.isEmpty, prefix == nil, settings.isEmpty { throw UsageError("no file is given") }
    }

    /// Takes a command line of a key and files.
    static func keyed(_ arguments: Arguments) throws -> (key: String, store: LazyStore) {
        guard let key = arguments.words.first else { throw UsageError("no key is given") }
        return (key, try LazyStore(arguments.words.dropFirst(), arguments))
    }

    /// Loads everything, which shows the warnings on standard error.
    func loaded() throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(loaders().map { ReportingLoader(loader: $0) })
        Output.kindChanges(of: store)
        return store
    }

    private func loaders() throws -> [any PropertyLoader] {
        var loaders = try inputs.map { try $0.loader() }
        if let prefix { loaders.append(EnvironmentPropertyLoader(prefix: prefix)) }
        if !settings.isEmpty {
            loaders.append(CommandLinePropertyLoader(arguments: settings.flatMap { ["--set", $0] }))
        }
        return loaders
    }
}
