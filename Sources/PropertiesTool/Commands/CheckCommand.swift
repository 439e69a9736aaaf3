import PropertyLoaders

extension Command {
    /// `properties check FILE…`
    static let check = Command(
        name: "check", operands: "FILE…",
        summary: "Validates files and prints the number of properties in each, or its error.",
        options: StoreInput.options
    ) { arguments in
        let input = try StoreInput(arguments.words, arguments)
        var status = ExitStatus.success
        var layers: [Loaded] = []
        for source in input.sources {
            do {
                let layer = try ReportingLoader(loader: source.loader()).load()
                let store = PropertyStore()
                try store.apply(Loaded(layer: layer))
                layers.append(Loaded(layer: layer))
                Output.line("\(PrintableText.escaped(source.name)): ok, \(Output.count(of: store))")
            } catch {
                Output.failure(error, in: source.name)
                status = ExitStatus.badInput
            }
        }
        let all = input.emptyStore()
        do {
            try all.apply(layers)
            Output.kindChanges(of: all)
        } catch {
            Output.failure(error)
            status = ExitStatus.badInput
        }
        return status
    }
}

/// A loader that returns a layer that is already loaded. `check` applies it to two stores, and standard input can be
/// read only once.
private struct Loaded: PropertyLoader {
    let layer: PropertyLayer

    func load() -> PropertyLayer { layer }
}
