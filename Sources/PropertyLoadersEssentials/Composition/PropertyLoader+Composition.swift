public import Properties

extension PropertyLoader {
    /// Returns a loader of the same source that may be missing: a missing file or directory has no properties.
    ///
    /// A file that exists and cannot be loaded is still an error. A `PropertyWatcher` notices a file that appears later.
    public func optional() -> some PropertyLoader { OptionalLoader(base: self) }

    /// Returns a loader of the same source that puts all of its properties below a name.
    ///
    ///     TomlPropertyLoader(url: databaseURL).prefixed("db")     // port = 5432 is db.port
    ///
    /// Two prefixes of one file are two sources. The merge rule `.firstLevel` replaces the first part of the name whole.
    ///
    /// - Parameter name: a flat name; a dot in it goes one level down.
    /// - Returns: the loader.
    public func prefixed(_ name: String) -> some PropertyLoader {
        AdjustedLoader(base: self) { layer in
            layer.table = layer.table.below(name)
            layer.source = layer.source.map {
                PropertySource(
                    name: $0.name, identity: $0.identity.map { "\($0) at \(name)" }, isSecret: $0.isSecret)
            }
        }
    }

    /// Returns a loader of the same source whose values are masked in every description, dump and error.
    ///
    /// A file that every user may read is a warning.
    public func secret() -> some PropertyLoader {
        SecretLoader(base: AdjustedLoader(base: self) { $0.isSecret = true })
    }

    /// Returns a loader of the same source with another rule for merging its tables into those of earlier sources.
    public func merge(_ rule: MergeRule) -> some PropertyLoader {
        AdjustedLoader(base: self) { $0.merge = rule }
    }
}

extension PropertyTable {
    /// The table under a name. An empty table stays as it is: under the name it would be a value, over an earlier one.
    fileprivate func below(_ name: String) -> PropertyTable {
        guard !isEmpty else { return self }
        return name.parts(between: ".").filter { !$0.isEmpty }.reversed().reduce(self) { table, key in
            PropertyTable([(String(key), .table(table))])
        }
    }
}

// MARK: - The loaders behind them

/// A loader that wraps another one, and has the name of its source.
private protocol WrappingLoader: AdjustingLoader, NamedSource {
    associatedtype Base: PropertyLoader
    var base: Base { get }
}

extension WrappingLoader {
    // Not the description of a user's loader: the default one shows all that the loader holds.
    package var sourceName: String { (base as? any NamedSource)?.sourceName ?? String(describing: Base.self) }

    func adjusted(_ emptyLayer: PropertyLayer) -> PropertyLayer { base.adjustedIfNeeded(emptyLayer) }
}

/// A loader whose layer is changed before anybody sees it.
struct AdjustedLoader<Base: PropertyLoader>: WrappingLoader {
    let base: Base
    let adjust: @Sendable (inout PropertyLayer) -> Void

    func load() throws -> PropertyLayer {
        var layer = try base.namedLayer()
        adjust(&layer)
        return layer
    }

    func adjusted(_ emptyLayer: PropertyLayer) -> PropertyLayer {
        var layer = base.adjustedIfNeeded(emptyLayer)
        adjust(&layer)
        return layer
    }
}

private struct OptionalLoader<Base: PropertyLoader>: WrappingLoader {
    let base: Base

    func load() throws -> PropertyLayer {
        do {
            return try base.namedLayer()
        } catch let error as PropertyLoadError where error.reason == .notFound {
            // The path is kept, so that a watcher sees the file appear.
            let source = error.origin.source
            let files = [source.identity].compactMap { $0 }.filter { $0.begins(with: "/") }
            return adjusted(PropertyLayer(PropertyTable(), source: source, files: files))
        }
    }
}

private struct SecretLoader<Base: PropertyLoader>: WrappingLoader {
    let base: Base

    func load() throws -> PropertyLayer {
        do {
            var layer = try base.namedLayer()
            layer.warnings += try exposures(of: layer)
            return layer
        } catch let error as PropertyLoadError {
            // A line of the source may have the secret in it.
            throw error.redacted()
        }
    }

    private func exposures(of layer: PropertyLayer) throws -> [PropertyLoadError] {
        guard let source = layer.source else { return [] }
        var secrets = SecretFiles()
        try source.naming { () throws(FileDiagnostic) in
            for file in layer.files { try secrets.add(file, source) }
        }
        return secrets.warnings
    }
}
