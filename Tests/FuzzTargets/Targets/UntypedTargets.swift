import PropertyLoaders

// The sources whose values are text without a type. Each one is compared with a model.
extension FuzzTarget {
    static let dotEnv = FuzzTarget("dot-env") { bytes in
        let model = Result {
            let assignments = try DotEnvModel.assignments(bytes)
            return try NameModel.tree(
                NameModel.last(
                    assignments.map { (NameModel.path(ofVariable: Array($0.name.utf8)), .string($0.value)) }))
        }
        try compare(DotEnvPropertyLoader(bytes: bytes, name: "fuzz"), with: model, count: bytes.count)
    }

    /// The first line of the input is the prefix, the others are variables.
    static let environment = FuzzTarget("environment") { bytes in
        var lines = texts(in: bytes)[...]
        let prefix = lines.popFirst() ?? ""
        let pairs = lines.map { line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
        }
        let variables = Dictionary(pairs) { $1 }
        let model = Result {
            try NameModel.tree(
                variables.compactMap { name, value in
                    NameModel.name(Array(name.utf8), without: Array(prefix.utf8)).map { name in
                        (NameModel.path(ofVariable: name), .string(Array(value.utf8)))
                    }
                })
        }
        let all = EnvironmentPropertyLoader(prefix: prefix, includesServiceLinks: true, environment: variables)
        try compare(all, with: model, count: bytes.count)
        // What is left out as the link of a service was there before.
        let settings = EnvironmentPropertyLoader(prefix: prefix, environment: variables)
        // A name of too many levels is an error, and the model has no limits.
        if case .success(let expected) = model, let layer = try? settings.load(), let whole = try? all.load() {
            let names = try flatNames(of: layer), known = try flatNames(of: whole)
            try require(names.isSubset(of: known), "\(names) are not all in \(known)")
            try require(layer.warnings.isEmpty == (ModelValue(.table(layer.table)) == expected), "no warning")
        }
    }

    /// Each line of the input is an argument.
    static let commandLine = FuzzTarget("command-line") { bytes in
        let arguments = texts(in: bytes)
        let parsed = CommandLineModel(arguments.map { Array($0.utf8) })
        let model = Result {
            guard parsed.isValid else { throw Invalid() }
            return try NameModel.tree(NameModel.last(parsed.values))
        }
        let loader = CommandLinePropertyLoader(arguments: arguments, flags: ["debug"], passthrough: ["help"])
        let remaining = loader.remaining.map { Array($0.utf8) }
        try require(remaining == parsed.remaining, "\(loader.remaining) remain of \(arguments)")
        try compare(loader, with: model, count: bytes.count)
    }

    /// The lines of an input as text, as the names and values that the system hands to a process.
    static func texts(in bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0.filter { $0 != 0 }, as: UTF8.self) }
    }

    /// Compares what a loader returns with a model.
    static func compare(
        _ loader: some PropertyLoader, with model: Result<ModelValue, any Error>, count: Int
    ) throws {
        switch (Result { try loader.load().propertyLayer }, model) {
        case (.success(let layer), .success(let expected)):
            let value = ModelValue(.table(layer.table))
            try require(value == expected, "the value is \(value); expected \(expected)")
            for warning in layer.warnings { try ErrorCheck(count).check(warning) }
        case (.success, .failure): throw Violation(description: "it is accepted, and the model refuses it")
        case (.failure(let error), _):
            let errors = try loadErrors(in: error)
            for error in errors { try ErrorCheck(count).check(error) }
            if case .success = model, errors.contains(where: { $0.reason != .limit }) {
                throw Violation(description: "the model accepts it, and the error is: \(error)")
            }
        }
    }

    /// The errors of a source that an error consists of.
    static func loadErrors(in error: any Error) throws -> [PropertyLoadError] {
        if let error = error as? PropertyLoadError { return [error] }
        guard let errors = error as? ConfigurationErrors else {
            throw Violation(description: "the error is a \(type(of: error)): \(error)")
        }
        return try errors.problems.flatMap { try loadErrors(in: $0.error) }
    }

    private static func flatNames(of layer: PropertyLayer) throws -> Set<[UInt8]> {
        let store = PropertyStore()
        try store.apply(FixedLoader(layer: layer))
        return Set(store.entries.map { Array($0.name.utf8) })
    }
}

/// A loader that returns the same layer each time.
struct FixedLoader: PropertyLoader {
    let layer: PropertyLayer

    func load() -> PropertyLayer { layer }
}
