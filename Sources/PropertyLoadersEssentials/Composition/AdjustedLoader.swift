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

/// A loader whose layer is changed before anybody sees it.
struct AdjustedLoader<Base: PropertyLoader>: PropertyLoader, AdjustingLoader {
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
