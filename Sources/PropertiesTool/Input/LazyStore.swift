import PropertyLoaders

/// The store that a command reads: its inputs in their order.
struct LazyStore {
    private let inputs: [Input]

    init(_ inputs: [Input]) {
        self.inputs = inputs
    }

    /// Takes a command line of a key and files.
    static func keyed(_ arguments: Arguments) throws -> (key: String, store: LazyStore) {
        guard let key = arguments.words.first else { throw UsageError("no key is given") }
        return (key, LazyStore(try Input.all(arguments.words.dropFirst(), arguments)))
    }

    /// Loads the inputs, which shows their warnings on standard error.
    func loaded() throws -> PropertyStore {
        let store = PropertyStore()
        for input in inputs {
            let layer = try input.layer()
            for warning in layer.warnings { Output.error(warning.report(as: "warning")) }
            try store.apply(Loaded(layer: layer))
        }
        return store
    }
}
