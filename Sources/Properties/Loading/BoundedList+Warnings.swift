package import TextBasics

extension BoundedList<PropertyLoadError> {
    /// The warnings and, where some were left out, one more that says how many.
    ///
    /// - Parameter source: what all of them are about; left out, what the last one is about.
    package func warnings(about source: PropertySource? = nil) -> [PropertyLoadError] {
        guard rest > 0, let last = elements.last else { return elements }
        let others = rest == 1 ? "there is 1 more warning" : "there are \(rest.grouped) more warnings"
        return elements + [
            PropertyLoadError(
                last.reason, "\(others) of this kind", at: PropertyOrigin(source: source ?? last.origin.source))
        ]
    }
}
