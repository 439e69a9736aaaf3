import PropertyLoaders

/// One problem that the tool reports.
struct Finding {
    /// How serious a problem is.
    enum Severity: String {
        case error, warning
    }

    let severity: Severity
    /// The kind of problem in one word, such as `syntax` or `wrong-type`.
    let rule: String
    /// The name of the source, or nil if the problem is in no source.
    let source: String?
    /// Where the problem is, as text; nil if it is in no source.
    let place: String?
    /// What is wrong, what was expected and what to do, without the place.
    let message: String
    /// The message for a terminal, with the place, and with the line of the source.
    let report: String
    private let origin: PropertyOrigin?

    /// The name of the file, or nil if the problem is not in a file.
    var file: String? { origin?.source.identity?.begins(with: "/") == true ? origin?.source.name : nil }
    /// The line, counted from 1, or nil if it is not known.
    var line: Int? { origin?.line }
    /// The column in Unicode scalars, counted from 1, or nil if it is not known.
    var column: Int? { origin?.column }

    /// Returns the problems that an error consists of. A parser that finds several problems in a file throws them
    /// together.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - source: the name of the source that an error is about if it does not name one itself.
    /// - Returns: the problems, at least one.
    static func findings(of error: any Error, in source: String? = nil) -> [Finding] {
        ConfigurationErrors([error]).problems.map { problem in
            switch problem.error {
            case let error as PropertyLoadError: Finding(error, .error)
            case let error as PropertyError: Finding(error, problem, .error)
            default: Finding(problem, in: source)
            }
        }
    }

    /// Checks the declared keys of a store, as a service does at its start.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - refusesUnknownKeys: whether unknown keys are errors, and not warnings.
    ///   - isComplete: whether all sources could be loaded. If not, a key that seems to be missing may be in another
    ///     source, and is no problem.
    /// - Returns: the problems, in the order of the service's report.
    static func findings(in store: PropertyStore, refusesUnknownKeys: Bool, isComplete: Bool = true) -> [Finding] {
        do throws(ConfigurationErrors) {
            try store.verify(unknownKeys: .refused)
            return []
        } catch {
            return error.problems.compactMap { problem in
                guard let error = problem.error as? PropertyError else { return nil }
                if error.reason == .missing, !isComplete { return nil }
                // The sources contradict each other, which `apply` has reported.
                if error.reason == .conflict { return nil }
                return Finding(error, problem, error.reason == .unknownKey && !refusesUnknownKeys ? .warning : .error)
            }
        }
    }

    /// Creates the finding of a warning or an error about a source.
    init(_ error: PropertyLoadError, _ severity: Severity) {
        let problem = ConfigurationErrors([error]).problems[0]
        self.init(
            severity, error.reason.description, error.origin, problem.place, problem.message,
            report: error.report(as: severity.rawValue))
    }

    private init(_ error: PropertyError, _ problem: ConfigurationErrors.Problem, _ severity: Severity) {
        let origin = error.cause?.origin ?? error.origin
        self.init(severity, error.reason.description, origin, origin.map { _ in problem.place }, problem.message)
    }

    private init(_ problem: ConfigurationErrors.Problem, in source: String?) {
        let place = problem.place.isEmpty ? source.map(PrintableText.escaped) : problem.place
        self.init(.error, "input", nil, place, problem.message, source: source)
    }

    private init(
        _ severity: Severity, _ rule: String, _ origin: PropertyOrigin?, _ place: String?, _ message: String,
        report: String? = nil, source: String? = nil
    ) {
        self.severity = severity
        self.rule = rule.split(separator: " ").joined(separator: "-")
        self.origin = origin
        self.place = place
        self.message = message
        self.report = report ?? "\(place.map { "\($0): " } ?? "")\(severity.rawValue): \(message)"
        self.source = origin?.source.name ?? source
    }
}
