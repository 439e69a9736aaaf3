import PropertyLoaders

/// What a command fills its store with: the inputs in their order, then the environment, then the values of `--set`.
struct StoreInput {
    /// The options that decide what is in the store.
    static let options = [Option.format, .noComments, .environment, .set]

    private let inputs: [Input]
    private let prefix: String?
    private let settings: [String]

    /// Takes the inputs of a command line.
    ///
    /// - Throws: a `UsageError` if there is none, or a setting is not `KEY=VALUE`.
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

    /// Takes a command line that has a key before its files.
    static func keyed(_ arguments: Arguments) throws -> (key: String, input: StoreInput) {
        guard let key = arguments.words.first else { throw UsageError("no key is given") }
        return (key, try StoreInput(arguments.words.dropFirst(), arguments))
    }

    /// Loads everything, and prints the warnings on standard error.
    func load() throws -> PropertyStore {
        var loaders = try inputs.map { try $0.loader() }
        if let prefix { loaders.append(EnvironmentPropertyLoader(prefix: prefix)) }
        if !settings.isEmpty {
            loaders.append(CommandLinePropertyLoader(arguments: settings.flatMap { ["--set", $0] }))
        }
        let store = PropertyStore()
        try store.apply(loaders.map { ReportingLoader(loader: $0) })
        Output.kindChanges(of: store)
        return store
    }
}

/// Prints a source's warnings each time that the source is loaded.
struct ReportingLoader: PropertyLoader {
    let loader: any PropertyLoader

    func load() throws -> PropertyLayer {
        let layer = try loader.load()
        for warning in layer.warnings { Output.error(warning.report(as: "warning")) }
        return layer
    }
}
