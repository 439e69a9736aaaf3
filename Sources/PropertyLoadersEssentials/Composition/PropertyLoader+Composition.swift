public import Properties

extension PropertyLoader {
    /// The same source, which need not be there: a missing file or directory gives no properties.
    ///
    /// One that is there and broken stays an error. A file that appears later is noticed by a `PropertyWatcher`.
    public func optional() -> some PropertyLoader { OptionalLoader(base: self) }

    /// The same source, below a name.
    ///
    ///     TomlPropertyLoader(url: databaseURL).prefixed("db")     // port = 5432 is db.port
    ///
    /// Two prefixes of one file are two sources. The merge rule `.firstLevel` replaces the first part of the name whole.
    ///
    /// - Parameter name: a flat name; a dot in it goes one level down.
    public func prefixed(_ name: String) -> some PropertyLoader {
        AdjustedLoader(base: self) { layer in
            layer.table = layer.table.below(name)
            layer.source = layer.source.map {
                PropertySource(
                    name: $0.name, identity: $0.identity.map { "\($0) at \(name)" }, isSecret: $0.isSecret)
            }
        }
    }

    /// The same source, its values masked in every description, dump and error.
    ///
    /// A file that every user may read is a warning.
    public func secret() -> some PropertyLoader { SecretLoader(base: self) }

    /// The same source under another rule for how its tables meet those of earlier sources.
    public func merge(_ rule: MergeRule) -> some PropertyLoader {
        AdjustedLoader(base: self) { $0.merge = rule }
    }
}

extension PropertyTable {
    /// The table under a name. One without keys stays so: an empty table there would be a value, over an earlier one.
    fileprivate func below(_ name: String) -> PropertyTable {
        guard !isEmpty else { return self }
        return name.parts(between: ".").filter { !$0.isEmpty }.reversed().reduce(self) { table, key in
            PropertyTable([(String(key), .table(table))])
        }
    }
}

private struct OptionalLoader<Base: PropertyLoader>: WrappingLoader, AdjustingLoader {
    let base: Base

    func load() throws -> PropertyLayer {
        do {
            return try base.namedLayer()
        } catch let error as PropertyLoadError where error.reason == .notFound {
            // The path is kept, so that the file is seen when it comes.
            let source = error.origin.source
            let files = [source.identity].compactMap { $0 }.filter { $0.begins(with: "/") }
            return base.standIn(PropertyLayer(PropertyTable(), source: source, files: files))
        }
    }

    func adjusted(_ standIn: PropertyLayer) -> PropertyLayer { base.standIn(standIn) }
}

private struct SecretLoader<Base: PropertyLoader>: WrappingLoader, AdjustingLoader {
    let base: Base

    func load() throws -> PropertyLayer {
        do {
            var layer = try base.namedLayer()
            layer.isSecret = true
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
        do throws(FileFault) {
            for file in layer.files { try secrets.add(file, source) }
        } catch {
            throw error.error(at: source)
        }
        return secrets.warnings
    }

    func adjusted(_ standIn: PropertyLayer) -> PropertyLayer {
        var layer = base.standIn(standIn)
        layer.isSecret = true
        return layer
    }
}
