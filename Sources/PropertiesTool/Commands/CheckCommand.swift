import PropertyLoaders

/// `properties check FILE…`
struct CheckCommand: Command {
    static let name = "check"
    static let synopsis = "check FILE…"
    static let summary = "Says of each file whether it is good, and how many properties it has, or what is wrong."
    static let options = [Option.format, .noComments]

    private let inputs: [Input]

    init(_ arguments: Arguments) throws {
        inputs = try arguments.words.map { try Input($0, arguments) }
        guard !inputs.isEmpty else { throw UsageError("no file is given") }
    }

    func run() throws -> Int32 {
        var status = Tool.Status.ok
        let all = PropertyStore()
        for input in inputs {
            do {
                try check(input, along: all)
            } catch {
                Output.failure(error, in: input.name)
                status = Tool.Status.badInput
            }
        }
        Output.kindChanges(of: all)
        return status
    }

    private func check(_ input: Input, along all: PropertyStore) throws {
        let layer = try ReportingLoader(loader: input.loader()).load()
        let store = PropertyStore()
        try store.apply(Loaded(layer: layer))
        try all.apply(Loaded(layer: layer))
        Output.line("\(PrintableText.escaped(input.name)): ok, \(Output.count(of: store))")
    }
}

/// What was loaded before: standard input can be read once only.
private struct Loaded: PropertyLoader {
    let layer: PropertyLayer

    func load() -> PropertyLayer { layer }
}
