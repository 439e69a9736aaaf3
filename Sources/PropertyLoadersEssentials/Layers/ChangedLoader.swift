/// A loader that changes what another loader has loaded.
package protocol ChangedLoader {
    /// The other loader.
    var innermost: any PropertyLoader { get }

    /// Returns a copy with the same changes, whose innermost loader is the result of a function of this innermost
    /// loader.
    func replacingInnermost(_ change: (any PropertyLoader) -> (any PropertyLoader)?) -> Self
}

extension AsyncPropertyLoader {
    /// The loader, without the changes of `secret()`, `optional()` and others.
    package var innermost: any AsyncPropertyLoader { (self as? any ChangedLoader)?.innermost ?? self }

    /// Returns the loader with another innermost loader, with the same changes.
    package func replacingInnermost(
        _ change: (any AsyncPropertyLoader) -> any AsyncPropertyLoader
    ) -> any AsyncPropertyLoader {
        guard let loader = self as? any ChangedLoader else { return change(self) }
        return loader.replacingInnermost { change($0) as? any PropertyLoader } as? any AsyncPropertyLoader ?? self
    }
}
