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
