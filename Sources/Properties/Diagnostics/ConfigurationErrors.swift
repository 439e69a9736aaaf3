import SharedState

/// All problems of a configuration: sources that cannot be loaded, values that are missing or wrong, unknown keys, and
/// services that cannot be built.
///
///     do {
///         try await container.start(sources)
///     } catch {
///         error.reportAndExit()
///     }
public struct ConfigurationErrors: Error, Sendable {
    /// One problem.
    public struct Problem: Sendable {
        /// Where the problem is: a file with line and column, a variable, an argument, or the path of a service.
        public let place: String
        /// The problem, the expected value and the remedy. The text is computed on each access, because a suggestion
        /// takes a comparison with many names and a report shows only some of the problems.
        public var message: String { Self.message(of: failure, at: place) }
        /// The error itself, such as a `PropertyLoadError` or a `PropertyError`.
        public var error: any Error { (failure as? LoaderFailure)?.error ?? failure }

        fileprivate let failure: any Error
        /// The place in a source, or nil.
        let origin: PropertyOrigin?
        /// Two problems with equal identities are repetitions.
        fileprivate let identity: [PropertyKey]

        /// Decides the order of the report.
        fileprivate let position: Position
    }

    /// The problems, sorted by source and place, and otherwise in the order of their discovery. Problems without a
    /// source follow, and problems of services are the last.
    public let problems: [Problem]
    /// The sentence about the checks that could not be made, or nil if all were made.
    private let limitation: String?

    /// Creates the report of errors. An error that consists of several errors becomes several problems.
    ///
    /// - Parameter errors: at least one error. A repeated error is left out, and so is the error of a service that
    ///   could not be built because of another problem of the report.
    public init(_ errors: [any Error]) { self.init(errors, nil) }

    init(_ errors: [any Error], _ limitation: String?) {
        self.limitation = limitation ?? errors.lazy.compactMap { ($0 as? ConfigurationErrors)?.limitation }.first
        let all = errors.flatMap(Self.parts).map(Problem.init)
        var reported: Set<[PropertyKey]> = []
        let distinct = all.filter { reported.insert($0.identity).inserted }
        // The sort is stable.
        problems = distinct.filter { !$0.isConsequence(of: reported) }.sorted { $0.position.precedes($1.position) }
    }

    /// Returns the report with a last sentence.
    package func adding(_ sentence: String) -> ConfigurationErrors {
        ConfigurationErrors([self], [limitation, sentence].compactMap(\.self).joined(separator: " "))
    }

    private static func parts(of error: any Error) -> [any Error] {
        if let error = error as? PropertyLoadError { return error.parts }
        // `failure` and not `error`, because it also has the place of the error of a custom loader.
        if let report = error as? ConfigurationErrors { return report.problems.map(\.failure) }
        guard let parts = (error as? any CompositeError)?.parts else { return [error] }
        return parts.flatMap(Self.parts)
    }
}

extension ConfigurationErrors {
    /// The exit status of a program that could not start: 64 (`EX_USAGE` in sysexits.h) if a problem is on the command
    /// line, otherwise 78 (`EX_CONFIG`) if one is in the configuration, and otherwise 69 (`EX_UNAVAILABLE`), for
    /// example if a database is down or a source is unavailable, or if there is no problem in the report. A supervisor
    /// may restart the program after 69.
    ///
    /// Besides other problems, an unknown key that is similar to no known name does not count: a service that was not
    /// built because of them may read it.
    public var exitStatus: Int32 {
        let others = problems.filter { !$0.isOfUnknownKey }
        // Each suggestion takes a comparison with many names.
        let misspelt = problems.lazy.filter(\.isOfUnknownKey).prefix(Self.limit)
            .filter { ($0.error as? PropertyError)?.isMisspelt == true }
        let deciding = others.isEmpty ? problems : others + misspelt
        if deciding.contains(where: \.isOfCommandLine) { return Self.usageStatus }
        return deciding.contains { Self.isOfConfiguration($0.error) } ? 78 : Self.unavailableStatus
    }

    /// `EX_USAGE` in sysexits.h.
    package static let usageStatus: Int32 = 64
    /// EX_UNAVAILABLE of sysexits.h: something that the service needs is not available.
    package static let unavailableStatus: Int32 = 69

    /// Writes the report to the standard error stream, and ends the process with `exitStatus`.
    public func reportAndExit() -> Never { StandardError.fail(description, status: exitStatus) }

    private static func isOfConfiguration(_ error: any Error) -> Bool {
        if let error = error as? PropertyLoadError { return error.reason != .unavailable }
        if error is PropertyError { return true }
        if let parts = (error as? any CompositeError)?.parts { return parts.contains(where: isOfConfiguration) }
        return (error as? any PlacedError)?.underlying.map(isOfConfiguration) ?? false
    }
}

// MARK: - Parts of errors

/// An error that consists of several errors.
package protocol CompositeError: Error {
    /// The errors, at least one.
    var parts: [any Error] { get }
}

/// An error whose text begins with a place.
package protocol PlacedError: Error {
    /// The place, or an empty text for an error that has none.
    var place: String { get }
    /// The text without the place.
    var message: String { get }
    /// The origin if the place is in a source.
    var origin: PropertyOrigin? { get }
    /// The error that caused this error.
    var underlying: (any Error)? { get }
}

extension PlacedError {
    package var origin: PropertyOrigin? { nil }
    package var underlying: (any Error)? { nil }
}

extension ConfigurationErrors: CompositeError {
    package var parts: [any Error] { problems.map(\.error) }
}

/// The error of a custom loader, with the name of its source.
struct LoaderFailure: PlacedError {
    let place: String
    let error: any Error

    var message: String { PrintableText.escaped("\(error)") }
    var underlying: (any Error)? { error }

    /// Returns an error that names its place: the error itself if it does, and otherwise an error with the name of the
    /// source.
    static func located(_ error: any Error, _ source: String) -> any Error {
        let hasPlace = error is PropertyLoadError || error is any CompositeError || error is LoaderFailure
        return hasPlace ? error : LoaderFailure(place: source, error: error)
    }
}

// MARK: - Order and repetitions

extension ConfigurationErrors {
    /// The position of a problem in the report.
    fileprivate struct Position {
        let group: Int
        let source: String
        let offset: Int

        func precedes(_ other: Position) -> Bool {
            if group != other.group { return group < other.group }
            if !source.isSame(as: other.source) { return source.precedes(other.source) }
            return offset < other.offset
        }
    }
}

extension ConfigurationErrors.Problem {
    fileprivate init(_ failure: any Error) {
        self.failure = failure
        origin =
            (failure as? PropertyError).map { $0.cause?.origin ?? $0.origin } ?? (failure as? PropertyLoadError)?.origin
        switch failure {
        case is PropertyError, is PropertyLoadError:
            place = origin.map { PrintableText.escaped("\($0)") } ?? "in no source"
        default: place = (failure as? any PlacedError)?.place ?? ""
        }
        if let error = failure as? PropertyError, error.cause == nil {
            identity = [PropertyKey(place)] + error.identity
        } else {
            identity = [PropertyKey(place), PropertyKey(Self.message(of: failure, at: place))]
        }
        let group = origin != nil || failure is LoaderFailure ? 0 : failure is PropertyError ? 1 : 2
        position = ConfigurationErrors.Position(
            group: group, source: origin?.source.name ?? place, offset: origin?.offset ?? -1)
    }

    private static func message(of failure: any Error, at place: String) -> String {
        switch failure {
        case is PropertyError, is PropertyLoadError:
            let text = "\((failure as? PropertyError)?.withoutNote ?? failure)"
            guard text.begins(with: "\(place): ") else { return text }
            return String(decoding: text.utf8.dropFirst(place.utf8.count + 2), as: UTF8.self)
        case let failure as any PlacedError: return failure.message
        default: return PrintableText.escaped("\(failure)")
        }
    }

    /// Whether the problem is an argument of the program.
    fileprivate var isOfCommandLine: Bool { origin?.source.isCommandLine == true }

    /// Whether the problem is a key that a service may read.
    fileprivate var isOfUnknownKey: Bool {
        guard let error = error as? PropertyError, error.reason == .unknownKey else { return false }
        return error.expected == PropertyError.declaredOrRead
    }

    /// Whether the problem was caused only by other problems in the report.
    fileprivate func isConsequence(of reported: Set<[PropertyKey]>) -> Bool {
        guard !(error is PropertyError), let cause = (error as? any PlacedError)?.underlying else { return false }
        let causes = ConfigurationErrors([cause]).problems
        return causes.allSatisfy { $0.error is PropertyError && reported.contains($0.identity) }
    }
}

// MARK: - Text

extension ConfigurationErrors.Problem: CustomStringConvertible {
    /// The error with its place.
    public var description: String {
        failure is LoaderFailure ? "\(place): \(message)" : "\((failure as? PropertyError)?.withoutNote ?? failure)"
    }
}

extension ConfigurationErrors: DescriptionOnly {
    /// The maximum number of problems in the description.
    private static let limit = 100
    /// The maximum width of the column of places, in Unicode scalars.
    private static let widest = 40

    /// The number of further problems, which were counted and not kept.
    private var rest: Int { problems.reduce(0) { $0 + (($1.error as? PropertyError)?.rest ?? 0) } }

    /// The problems that a report shows, and then its sentences about the other problems and the missing checks.
    package var shown: (problems: [Problem], notes: [String]) {
        var shown = BoundedList(problems, limit: Self.limit)
        shown.skip(rest)
        let rest = shown.rest > 0 ? ["There are \(shown.rest.grouped) more problems."] : []
        let notes = shown.elements.lazy.compactMap { ($0.error as? PropertyError)?.note }
        return (shown.elements, [notes.first].compactMap(\.self) + rest + [limitation].compactMap(\.self))
    }

    /// The description of the only problem, or a title and a line for each problem, up to 100: its place and the
    /// problem, in columns.
    public var description: String {
        let (shown, notes) = shown
        return ((problems.count == 1 ? ["\(problems[0])"] : table(of: shown)) + notes).joined(separator: "\n")
    }

    private func table(of shown: [Problem]) -> [String] {
        let width = shown.map(\.place.unicodeScalars.count).filter { $0 <= Self.widest }.max() ?? 0
        return ["The configuration has \((problems.count + rest).grouped) problems:"] + shown.map { row($0, width) }
    }

    private func row(_ problem: Problem, _ width: Int) -> String {
        let gap = String(repeating: " ", count: max(0, width - problem.place.unicodeScalars.count))
        let indent = String(repeating: " ", count: width + 4)
        let lines = problem.message.parts(between: "\n").map { String($0) }
        return "  \(problem.place)\(gap)  " + lines.joined(separator: "\n\(indent)")
    }
}
