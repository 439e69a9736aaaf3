import Properties

/// A loader that changes what a source says of itself: how it is merged, or what makes it the same source again.
protocol AdjustingLoader {
    /// What stands in for a source that is missing, changed as a layer of it would be.
    func adjusted(_ standIn: PropertyLayer) -> PropertyLayer
}

extension PropertyLoader {
    /// A stand-in's layer as this loader, and those that it wraps, would have made it.
    ///
    /// Two loaders of one missing file are two sources from the start, or only one of them would be loaded when it comes.
    func standIn(_ layer: PropertyLayer) -> PropertyLayer {
        (self as? any AdjustingLoader)?.adjusted(layer) ?? layer
    }
}

/// A loader that wraps another one, and shows its source's name alone.
protocol WrappingLoader: PropertyLoader, CustomStringConvertible, CustomReflectable, NamedSource {
    associatedtype Base: PropertyLoader
    var base: Base { get }
}

extension WrappingLoader {
    // A user's loader is not asked for its description, which shows what it holds where nobody wrote one.
    var sourceName: String { (base as? any NamedSource)?.sourceName ?? String(describing: Base.self) }
    var description: String { sourceName }
    var customMirror: Mirror { Mirror(describing: self) }
}

/// A loader whose layer is changed before anybody sees it.
struct AdjustedLoader<Base: PropertyLoader>: WrappingLoader, AdjustingLoader {
    let base: Base
    let adjust: @Sendable (inout PropertyLayer) -> Void

    func load() throws -> PropertyLayer {
        var layer = try base.namedLayer()
        adjust(&layer)
        return layer
    }

    func adjusted(_ standIn: PropertyLayer) -> PropertyLayer {
        var layer = base.standIn(standIn)
        adjust(&layer)
        return layer
    }
}
