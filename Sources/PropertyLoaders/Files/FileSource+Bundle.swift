internal import Foundation
internal import Properties
internal import PropertyLoadersEssentials

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
