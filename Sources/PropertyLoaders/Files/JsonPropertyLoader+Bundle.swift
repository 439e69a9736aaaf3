public import Foundation
public import Properties
public import PropertyLoadersEssentials

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
