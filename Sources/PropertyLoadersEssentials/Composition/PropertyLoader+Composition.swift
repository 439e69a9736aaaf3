public import Properties

extension PropertyLoader {
    /// Returns a loader of the same source that treats a missing file or directory as a source without properties.
    ///
    /// A file that exists but cannot be loaded is still an error. A `PropertyWatcher` notices a file that appears
    /// later.
    public func optional() -> some PropertyLoader<PropertyLayer> { OptionalLoader(base: self) }

    /// Returns a loader of the same source that puts all of its properties below a name.
    ///
    ///     TomlPropertyLoader(url: databaseURL).prefixed("db")     // port = 5432 is db.port
    ///
    /// A store treats one file with two prefixes as two sources. With the merge rule `.firstLevel`, the table with the
    /// first part of the name replaces that of earlier sources as a whole.
    ///
    /// - Parameter name: the name of a table; dots separate its levels.
    /// - Returns: the loader.
    public func prefixed(_ name: String) -> some PropertyLoader<PropertyLayer> {
        AdjustedLoader(base: self) { layer in
            layer.put(below: name)
            layer.source = layer.source.map {
                PropertySource(
                    name: $0.name, identity: $0.identity.map { "\($0) at \(name)" }, isSecret: $0.isSecret)
            }
        }
    }

    /// Returns a loader of the same source whose values are masked in every description, dump and error.
    ///
    /// If every user may read the file of the source, the layer has a warning.
    public func secret() -> some PropertyLoader<PropertyLayer> {
        SecretLoader(base: AdjustedLoader(base: self) { $0.isSecret = true })
    }

    /// Returns a loader of the same source with another rule for merging its tables into those of earlier sources.
    public func merge(_ rule: MergeRule) -> some PropertyLoader<PropertyLayer> {
        AdjustedLoader(base: self) { $0.merge = rule }
    }
}

// MARK: - Implementation

/// A loader that wraps another loader and has the same source name.
private protocol WrappingLoader: AdjustingLoader, NamedSource {
    associatedtype Base: PropertyLoader
    var base: Base { get }
}

extension WrappingLoader {
    // The name of the loader's type, not its description: the default description shows all stored properties, which
    // may be secret.
    package var sourceName: String { (base as? any NamedSource)?.sourceName ?? String(describing: Base.self) }

    func adjusted(_ emptyLayer: PropertyLayer) -> PropertyLayer { base.adjustedIfNeeded(emptyLayer) }
}

/// A loader that changes the layer of another loader.
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
            // Keeps the path, so that a watcher notices when the file appears.
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
            // The error may show a line of the source, which may contain the secret.
            throw error.redacted()
        } catch let errors as ConfigurationErrors {
            throw ConfigurationErrors(
                errors.problems.map { ($0.error as? PropertyLoadError)?.redacted() ?? $0.error })
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
