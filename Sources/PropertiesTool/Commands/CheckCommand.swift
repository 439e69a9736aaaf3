import PropertyLoaders

extension Command {
    /// `properties check FILE…`
    static let check = Command(
        name: "check", operands: "FILE…",
        summary: "Validates files and prints the number of properties in each, or its errors.",
        details: """
            It goes on after an error. With --schema it also checks all sources together: each key that no source has \
            although it is required, each value of the wrong type or out of bounds, and each unknown key.
            The schema is what `store.jsonSchema()` prints. If its additionalProperties is false, \
            unknown keys are errors, and otherwise warnings.
            """,
        examples: ["config.toml", "--schema schema.json --env APP config.toml --profile staging"],
        options: StoreInput.options + [.withoutSecrets, .json]
    ) { arguments in
        if arguments.has(.withoutSecrets), !arguments.has(.schema) {
            throw UsageError("\(Option.withoutSecrets.text) needs --schema, which tells the secrets")
        }
        var check = Check(input: try StoreInput(arguments.words, arguments))
        try check.run()
        let report = check.report
        if arguments.has(.json) { report.printJSON() } else { report.printText() }
        return report.hasErrors ? ExitStatus.badInput : ExitStatus.success
    }
}

/// Checks sources one by one, and then all together.
private struct Check {
    /// A loader that returns a layer that is already loaded. A layer is applied to two stores, and standard input can
    /// be read only once.
    private struct Loaded: PropertyLoader {
        let layer: PropertyLayer

        func load() -> PropertyLayer { layer }
    }

    let input: StoreInput
    private var files: [CheckReport.File] = []
    private var findings: [Finding] = []
    private var layers: [Loaded] = []

    init(input: StoreInput) { self.input = input }

    /// What was found, in the order of the sources and their lines.
    var report: CheckReport { CheckReport(files: files, findings: findings, sources: input.sources.map(\.name)) }

    /// - Throws: the error if the schema cannot be loaded.
    mutating func run() throws {
        let store = input.emptyStore()
        for source in input.sources {
            do {
                try add(source)
            } catch {
                findings += Finding.findings(of: error, in: source.name)
            }
        }
        var isComplete = layers.count == input.sources.count
        do {
            try store.apply(layers)
        } catch {
            findings += Finding.findings(of: error)
            isComplete = false
        }
        if let schema = input.schema {
            findings += Finding.findings(
                in: store, refusesUnknownKeys: schema.refusesUnknownKeys, isComplete: isComplete)
        }
    }

    private mutating func add(_ source: StoreInput.Source) throws {
        let layer = try source.loader().namedLayer()
        findings += layer.warnings.flatMap { Finding.findings(of: $0, as: .warning) }
        let own = PropertyStore()
        try own.apply(Loaded(layer: layer))
        layers.append(Loaded(layer: layer))
        files.append(CheckReport.File(name: layer.source?.name ?? source.name, properties: own.entries.count))
    }
}
