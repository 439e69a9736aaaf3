import PropertyLoaders

extension FuzzTarget {
    /// A `.env` file. The names and the values come from a model.
    static let dotEnv = FuzzTarget("dot-env") { bytes in
        let model = Result {
            let assignments = try DotEnvModel.assignments(bytes)
            return NameModel.tree(
                NameModel.last(
                    assignments.map { (NameModel.path(ofVariable: Array($0.name.utf8)), .string($0.value)) }))
        }
        switch (Result { try DotEnvPropertyLoader(bytes: bytes, name: "fuzz").load() }, model) {
        case (.success(let layer), .success(let expected)):
            let value = ModelValue(.table(layer.table))
            try require(value == expected, "the value is \(value); expected \(expected)")
            for warning in layer.warnings { try ErrorCheck(bytes.count).check(warning) }
        case (.success, .failure): throw Violation(description: "it is accepted, and the model refuses it")
        case (.failure(let error), _):
            let errors = try loadErrors(in: error)
            for error in errors { try ErrorCheck(bytes.count).check(error) }
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
}
