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
    /// The problem, the expected value and the remedy, without the place.
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
    ///   - source: the name of the source, for an error that does not name its source.
    ///   - severity: how serious the problems are.
    /// - Returns: the problems, at least one.
    static func findings(
        of error: any Error, in source: String? = nil, as severity: Severity = .error
    ) -> [Finding] {
        ConfigurationErrors([error]).problems.map { Finding($0, severity, in: source) }
    }

    /// Creates a finding.
    ///
    /// - Parameters:
    ///   - problem: the problem, as a report of the service has it.
    ///   - severity: how serious it is.
    ///   - name: the name of the source, for a problem that does not name its source.
    private init(_ problem: ConfigurationErrors.Problem, _ severity: Severity, in name: String? = nil) {
        self.severity = severity
        message = problem.message
        var reason = "input", text: String?
        switch problem.error {
        case let error as PropertyLoadError:
            (reason, origin, place) = (error.reason.description, error.origin, problem.place)
            text = error.report(as: severity.rawValue)
        case let error as PropertyError:
            (reason, origin) = (error.reason.description, error.cause?.origin ?? error.origin)
            place = origin == nil ? nil : problem.place
        default:
            origin = nil
            place = problem.place.isEmpty ? name.map(PrintableText.escaped) : problem.place
        }
        rule = reason.split(separator: " ").joined(separator: "-")
        source = origin?.source.name ?? name
        report = text ?? "\(place.map { "\($0): " } ?? "")\(severity.rawValue): \(message)"
    }
}
