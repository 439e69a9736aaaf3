extension PropertyLoader {
    /// Returns a loader of the same source that treats a missing file or directory as a source without properties.
    ///
    /// A link that leads nowhere counts as missing. A file that exists but cannot be loaded is still an error. A
    /// `PropertyWatcher` notices a file that appears later.
    public func optional() -> some PropertyLoader<PropertyLayer> {
        var loader = ComposedLoader(self)
        loader.isOptional = true
        return loader
    }

    /// Returns a loader of the same source that puts all of its properties below a name.
    ///
    ///     TomlPropertyLoader(url: databaseURL).prefixed("db")     // port = 5432 is db.port
    ///
    /// A store treats one file with two prefixes as two sources. With the merge rule `.firstLevel`, the table with the
    /// first part of the name replaces the same table of earlier sources as a whole.
    ///
    /// - Parameter name: the name of a table; dots separate its levels.
    /// - Returns: the loader.
    public func prefixed(_ name: String) -> some PropertyLoader<PropertyLayer> {
        ComposedLoader(self) { layer in
            layer.put(below: name)
            layer.howToSet = Self.howToSet(layer, below: name)
            let unset = layer.unset
            layer.unset = { property, variable in
                Self.inner(property, below: name).flatMap { unset?($0, variable) }
            }
            layer.source = layer.source.map {
                PropertySource(
                    name: $0.name, identity: $0.identity.map { "\($0) at \(name)" }, isSecret: $0.isSecret)
            }
        }
    }

    /// Returns how a source sets properties below a name. It sets no other properties.
    private static func howToSet(
        _ layer: PropertyLayer, below name: String
    ) -> @Sendable (_ name: String, _ isDeclared: Bool) -> String? {
        let source = layer.source?.description, howToSet = layer.howToSet
        return { property, isDeclared in
            guard let inner = inner(property, below: name) else { return nil }
            if let howToSet { return howToSet(inner, isDeclared) }
            return source.map { "in \($0)" }
        }
    }

    private static func inner(_ property: String, below name: String) -> String? {
        guard property.begins(with: name + ".") else { return nil }
        return String(decoding: property.utf8.dropFirst(name.utf8.count + 1), as: UTF8.self)
    }

    /// Returns a loader of the same source whose values are masked in every description, dump and error.
    public func secret() -> some PropertyLoader<PropertyLayer> {
        var loader = ComposedLoader(self) { $0.isSecret = true }
        loader.isMadeSecret = true
        return loader
    }

    /// Returns a loader of the same source with another rule for merging its tables into the tables of earlier sources.
    public func merge(_ rule: MergeRule) -> some PropertyLoader<PropertyLayer> {
        ComposedLoader(self) { $0.merge = rule }
    }
}

// MARK: - Implementation

/// A loader that changes the layer of another loader.
struct ComposedLoader: PropertyLoader, NamedSource, SecretLoader, ListedLoader, ChangedLoader {
    private var base: any PropertyLoader
    private var adjustments: [@Sendable (inout PropertyLayer) -> Void] = []
    fileprivate var isOptional = false
    /// Whether `secret()` was called.
    fileprivate var isMadeSecret = false

    package var isSecret: Bool { isMadeSecret || (base as? any SecretLoader)?.isSecret == true }

    /// Creates a loader. If `loader` is a composed loader, its changes are made, too.
    init(_ loader: some PropertyLoader, _ adjust: (@Sendable (inout PropertyLayer) -> Void)? = nil) {
        if let composed = loader as? ComposedLoader { self = composed } else { base = loader }
        if let adjust { adjustments.append(adjust) }
    }

    /// The loader whose layer is changed.
    var innermost: any PropertyLoader { base }

    func listed(with loaders: [any AsyncPropertyLoader]) -> any AsyncPropertyLoader {
        guard let base = base as? any ListedLoader else { return self }
        return replacingInnermost { _ in base.listed(with: loaders) as? any PropertyLoader }
    }

    func replacingInnermost(_ change: (any PropertyLoader) -> (any PropertyLoader)?) -> ComposedLoader {
        var loader = self
        loader.base = change(base) ?? base
        return loader
    }

    // The name of the loader's type, not its description: the default description shows all stored properties, which
    // may be secret.
    package var sourceName: String { (base as? any NamedSource)?.sourceName ?? String(describing: type(of: base)) }

    func load() throws -> PropertyLayer {
        do {
            var layer = try layerOfBase()
            // An empty layer is changed, too: two loaders of one missing file, such as two with different prefixes, must
            // not have the same identity. A store would keep only one of them.
            for adjust in adjustments { adjust(&layer) }
            return layer
        } catch let error as PropertyLoadError where isMadeSecret {
            // The error may show a line of the source, which may contain the secret.
            throw error.redacted()
        } catch let errors as ConfigurationErrors where isMadeSecret {
            throw ConfigurationErrors(
                errors.problems.map { ($0.error as? PropertyLoadError)?.redacted() ?? $0.error })
        }
    }

    private func layerOfBase() throws -> PropertyLayer {
        do {
            return try base.namedLayer()
        } catch let error as PropertyLoadError where isOptional && error.reason == .notFound {
            let file = error.origin.source.identity
            let identity = (base as? any NamedSource)?.identity(of: file) ?? file
            // Keeps the path, so that a watcher notices when the file appears.
            var layer = PropertyLayer(
                PropertyTable(), source: PropertySource(name: error.origin.source.name, identity: identity),
                files: [file].compactMap { $0 }.filter { $0.begins(with: "/") })
            layer.isAbsent = true
            return layer
        }
    }
}

extension PropertyLayer {
    /// Puts all values below a name, such as `db.primary`.
    ///
    /// An empty layer does not change: an empty table as the value of the name would override the value of an earlier
    /// source.
    fileprivate mutating func put(below name: String) {
        guard !table.isEmpty else { return }
        do throws(PropertyLoadError) {
            // The store splits only keys of the first level at their dots. These keys get a lower level, so they are
            // split here.
            if spelling == .exact { table = try table.splitAtDots(levels: 1) }
        } catch {
            splitFailure = splitFailure ?? error
        }
        let path = name.parts(between: ".").filter { !$0.isEmpty }.map { String($0) }
        if path.isEmpty { return }
        // A key with dots means the path between them, so it stays a key of the first level.
        let apart = table.filter { $0.key.contains(byte: .dot) }.map { entry in
            PropertyTable.Entry(
                key: (path + [entry.key]).joined(separator: "."), keyPlace: entry.keyPlace, node: entry.node)
        }
        let rest = PropertyTable(entries: table.filter { !$0.key.contains(byte: .dot) })
        let nested = path.reversed().reduce(rest) { PropertyTable([($1, .table($0))]) }
        table = PropertyTable(entries: (rest.isEmpty ? [] : Array(nested)) + apart)
    }
}
