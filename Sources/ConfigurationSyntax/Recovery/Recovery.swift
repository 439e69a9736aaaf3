import TextBasics

/// Finds the further errors of a text whose first error is known.
///
/// It mends each error in a copy of the text by a small change, and parses the copy again. So a further error is what
/// the parser reports after the earlier errors are corrected.
struct Recovery {
    /// The maximum number of bytes that are parsed again for a text, so that a hostile text costs little.
    private static let byteLimit = 4 << 20
    /// The maximum number of parses for each error. Most errors need one.
    private static let parsesPerError = 4

    /// The error that a parser has thrown.
    struct Failure {
        let diagnostic: Diagnostic
        /// The offset at which the TOML parser stopped, which may be after the error. The JSON parser does not record
        /// it.
        let stop: Int
    }

    /// A change that mends an error.
    struct Repair {
        /// The bytes that are replaced.
        let range: Range<Int>
        /// The bytes that replace them.
        let replacement: String
        /// The first offset, in the text before the change, at which errors are reported again. Errors before it are
        /// consequences of the mended one.
        let resumption: Int
    }

    /// Parses a text and returns its first error, or nil if it is valid.
    typealias Parser = @Sendable ([UInt8]) -> Failure?
    /// Returns a change that mends an error of a text, or nil if the text after the error cannot be understood.
    typealias Repairer = @Sendable (Failure, [UInt8]) -> Repair?

    private var text: MendedText
    private var further: [Diagnostic] = []

    /// Finds further errors.
    ///
    /// - Parameters:
    ///   - first: the first error.
    ///   - bytes: the text.
    ///   - parse: the parser of the format.
    ///   - repair: the repairs of the format.
    /// - Returns: the errors after the first one. If the search ended early, the last one says so.
    static func errors(
        after first: Failure, in bytes: [UInt8], parse: Parser, repair: Repairer
    ) -> [Diagnostic] {
        guard first.diagnostic.kind != .limit, first.diagnostic.kind != .otherFormat else { return [] }
        guard bytes.count <= byteLimit else { return [.moreErrors(at: first.diagnostic.offset)] }
        var recovery = Recovery(text: MendedText(bytes))
        recovery.run(first, parse, repair)
        return recovery.further
    }

    private mutating func run(_ first: Failure, _ parse: Parser, _ repair: Repairer) {
        var failure = first
        var resumption = 0
        var rest = Self.byteLimit
        for _ in 0..<ListLimit.errors * Self.parsesPerError {
            guard let repair = repair(failure, text.bytes) else { return }
            resumption = max(resumption, text.origin(of: repair.resumption))
            text.replace(repair.range, with: repair.replacement)
            rest -= text.bytes.count
            guard rest >= 0 else { break }
            guard let next = parse(text.bytes) else { return }
            failure = next
            let place = text.origin(of: failure.diagnostic.offset ?? 0)
            guard place >= resumption || failure.diagnostic.kind == .unclosed else { continue }
            let diagnostic = moved(failure.diagnostic)
            // A repair that does not mend its error leads to the same error again.
            let isReported = ([first.diagnostic] + further).contains {
                $0.offset == diagnostic.offset && $0.problem == diagnostic.problem
            }
            if isReported { continue }
            if further.count + 1 == ListLimit.errors { return further.append(Diagnostic.moreErrors(at: place)) }
            further.append(diagnostic)
            resumption = max(resumption, place + 1)
        }
        // After an error at the end of the text there is no place.
        further.append(Diagnostic.moreErrors(at: min(resumption, text.originalCount)))
    }

    /// Returns a diagnostic with its offsets in the original text.
    private func moved(_ diagnostic: Diagnostic) -> Diagnostic {
        Diagnostic(
            diagnostic.problem, at: diagnostic.offset.map(text.origin), expected: diagnostic.expected,
            remedy: diagnostic.remedy, note: diagnostic.note.map { ($0.text, text.origin(of: $0.offset)) },
            kind: diagnostic.kind)
    }
}
