public import Foundation
public import Properties
public import PropertyLoadersEssentials

extension TomlPropertyLoader {
    /// Loads a resource of a bundle.
    ///
    /// - Parameters:
    ///   - bundle: the bundle; on Linux `.main` is the folder of the executable.
    ///   - name: the resource's name, with or without `.toml`.
    ///   - merge: how its tables meet those of earlier sources.
    ///   - limits: how deep and how large the text may be.
    public init(
        bundle: Bundle = .main, name: String, merge: MergeRule = .deep, limits: SyntaxLimits = SyntaxLimits()
    ) {
        self.init(FileSource(bundle: bundle, name: name, extension: "toml"), merge, limits)
    }
}

extension JsonPropertyLoader {
    /// Loads a resource of a bundle.
    ///
    /// - Parameters:
    ///   - bundle: the bundle; on Linux `.main` is the folder of the executable.
    ///   - name: the resource's name, with or without `.json`.
    ///   - merge: how its objects meet those of earlier sources.
    ///   - limits: how deep and how large the text may be.
    ///   - allowsComments: whether `//` and `/* */` comments may stand where white space may.
    ///   - allowsTrailingCommas: whether a comma may follow the last value of an array or object.
    public init(
        bundle: Bundle = .main, name: String, merge: MergeRule = .firstLevel, limits: SyntaxLimits = SyntaxLimits(),
        allowsComments: Bool = true, allowsTrailingCommas: Bool = false
    ) {
        self.init(
            FileSource(bundle: bundle, name: name, extension: "json"), merge, limits, allowsComments,
            allowsTrailingCommas)
    }
}

extension FileSource {
    /// Reads a resource of a bundle, which is looked up on each call of `read`.
    ///
    /// - Parameters:
    ///   - name: the resource's name, with or without its extension.
    ///   - extension: the extension, without its dot.
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
