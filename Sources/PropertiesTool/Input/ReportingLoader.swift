import PropertyLoaders

/// Shows a source's warnings each time that it is loaded.
struct ReportingLoader: PropertyLoader {
    let loader: any PropertyLoader

    func load() throws -> PropertyLayer {
        let layer = try loader.load()
        for warning in layer.warnings { Output.error(warning.report(as: "warning")) }
        return layer
    }
}
