public import Foundation

extension TomlPropertyLoader {
    /// Creates a loader of a resource in a bundle. Each load looks the resource up and reads it again.
    ///
    /// - Parameters:
    ///   - bundle: the bundle. On Linux `.main` is the directory of the executable.
    ///   - name: the name of the resource, with or without `.toml`.
    ///   - limits: the maximum depth and size of the text.
    public init(bundle: Bundle = .main, name: String, limits: SyntaxLimits = SyntaxLimits()) {
        self.init(FileSource(bundle: bundle, name: name, extension: "toml"), limits)
    }
}

extension JsonPropertyLoader {
    /// Creates a loader of a resource in a bundle. Each load looks the resource up and reads it again.
    ///
    /// - Parameters:
    ///   - bundle: the bundle. On Linux `.main` is the directory of the executable.
    ///   - name: the name of the resource, with or without `.json`.
    ///   - limits: the maximum depth and size of the text.
    public init(bundle: Bundle = .main, name: String, limits: SyntaxLimits = SyntaxLimits()) {
        self.init(FileSource(bundle: bundle, name: name, extension: "json"), limits)
    }
}

extension FileSource {
    /// Creates a source for a resource in a bundle. Each `read` looks the resource up again.
    ///
    /// - Parameters:
    ///   - bundle: the bundle.
    ///   - name: the name of the resource, with or without its extension.
    ///   - extension: the extension without a dot.
    init(bundle: Bundle, name: String, extension: String) {
        let file = name.hasSuffix(".\(`extension`)") ? name : "\(name).\(`extension`)"
        self.init(lookup: {
            if let url = bundle.url(forResource: file, withExtension: nil) { return url }
            throw PropertyLoadError(
                .notFound, "the bundle \(bundle.bundlePath) has no such resource",
                at: PropertyOrigin(source: PropertySource(name: file)),
                remedy:
                    "On Linux `Bundle.main` is the directory of the executable, and the resources of a package are in "
                    + "`Bundle.module`")
        })
    }
}
