package import Properties
package import Testing

/// Runs a closure that must fail because of a source: a loader, or a change of a store.
///
/// - Returns: the error of the source. If a store reports several problems, it is the first one.
@discardableResult
package func loadError<Result>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> PropertyLoadError? {
    do {
        _ = try body()
        Issue.record("no error", sourceLocation: sourceLocation)
        return nil
    } catch {
        let cause = (error as? ConfigurationErrors)?.problems.first?.error ?? error
        if let cause = cause as? PropertyLoadError { return cause }
        Issue.record("another error: \(error)", sourceLocation: sourceLocation)
        return nil
    }
}
