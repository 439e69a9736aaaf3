import PropertyLoaders

/// The sources that a command loads into its store: the inputs in their order, then the environment, then the values of
/// `--set`.
struct StoreInput {
    /// The options that change the contents of the store.
    static let options = [Option.format, .noComments, .environment, .set]

    private let inputs: [Input]
    private let prefix: String?
    private let settings: [String]

    /// Creates the sources from files and arguments.
    ///
    /// - Throws: a `UsageError` if there is no source, or a value of `--set` is not `KEY=VALUE`.
    init(_ files: some Sequence<String>, _ arguments: Arguments) throws {
        inputs = try files.map { try Input($0, arguments) }
        prefix = arguments[.environment]
        settings = arguments.all(.set)
        if let place = settings.firstIndex(where: { !$0.utf8.contains(UInt8(ascii: "=")) }) {
            // The message does not show the text: although it has no "=", it may consist of a name and a secret.
            throw UsageError("\(Option.set.text): number \(place + 1) of them has no =; expected KEY=VALUE")
        }
        if inputs.isEmpty, prefix == nil, settings.isEmpty { throw UsageError("no file is given") }
    }

    /// Splits the arguments of a command into a key, which comes first, and the sources.
    static func keyed(_ arguments: Arguments) throws -> (key: String, input: StoreInput) {
        guard let key = arguments.words.first else { throw UsageError("no key is given") }
        return (key, try StoreInput(arguments.words.dropFirst(), arguments))
    }

    /// Loads all sources, and prints their warnings on standard error.
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

/// A loader that prints the warnings of another loader on each load.
struct ReportingLoader: PropertyLoader {
    let loader: any PropertyLoader

    func load() throws -> PropertyLayer {
        let layer = try loader.load()
        for warning in layer.warnings { Output.error(warning.report(as: "warning")) }
        return layer
    }
}
