import PropertyLoaders

extension Command {
    /// `properties check FILE…`
    static let check = Command(
        name: "check", operands: "FILE…",
        summary: "Validates files and prints the number of properties in each, or its errors.",
        details: """
            It goes on after an error, and loads all sources together at the end. With --schema it also reports each \
            name that the schema does not have: as an error if its additionalProperties is false, and otherwise as a \
            warning.
            It judges no value. Only the service knows its types: run its own command "settings check".
            """,
        examples: ["config.toml", "--schema schema.json --env APP config.toml --profile staging"],
        options: StoreInput.options + [.json]
    ) { arguments in
        var check = Check(input: try StoreInput(arguments.words, arguments))
        try check.run()
        let report = check.report
        if arguments.has(.json) { report.printJSON() } else { report.printText() }
        return report.hasErrors ? ExitStatus.badInput : ExitStatus.success
    }
}

/// Checks sources one by one, and then all together.
private struct Check {
    /// A loader that returns a loaded layer. A layer is applied to two stores, and standard input can be read only
    /// once.
    private struct Loaded: PropertyLoader {
        let layer: PropertyLayer

        func load() -> PropertyLayer { layer }
    }

    let input: StoreInput
    private var files: [CheckReport.File] = []
    private var findings: [Finding] = []
    private var layers: [Loaded] = []

    init(input: StoreInput) { self.input = input }

    /// The findings, in the order of the sources and their lines.
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
        do {
            try store.apply(layers)
            // The other warnings come from the layers.
            for warning in store.warnings where warning.reason == .renamed {
                findings += Finding.findings(of: warning, as: .warning)
            }
        } catch {
            findings += Finding.findings(of: error)
        }
        guard let schema = input.schema else { return }
        let shared = layers.map(\.layer).filter(\.hasNoPrefix).compactMap { $0.source?.identity }
        let unknown = UnknownNames(in: store, schema, shared: Set(shared.map { PropertyKey($0) }))
        findings += unknown.errors.flatMap { Finding.findings(of: $0, as: schema.refusesOthers ? .error : .warning) }
        findings += unknown.warnings.flatMap { Finding.findings(of: $0, as: .warning) }
    }

    private mutating func add(_ source: StoreInput.Source) throws {
        let layer = try input.loading { try source.loader().namedLayer() }
        findings += (layer.warnings + layer.remarks).flatMap { Finding.findings(of: $0, as: .warning) }
        let own = PropertyStore()
        try own.apply(Loaded(layer: layer))
        layers.append(Loaded(layer: layer))
        files.append(CheckReport.File(name: layer.source?.name ?? source.name, properties: own.entries.count))
    }
}
