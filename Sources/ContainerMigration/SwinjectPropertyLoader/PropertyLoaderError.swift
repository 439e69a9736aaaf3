public import Container
public import Foundation

/// The error of `applyPropertyLoader(_:)` in SwinjectPropertyLoader.
@available(*, deprecated, renamed: "ConfigurationErrors")
public typealias PropertyLoaderError = ConfigurationErrors

/// The cases of the former error, which loaders of one's own throw.
@available(*, deprecated, message: "Throw a PropertyLoadError(.notFound, …), and compare its reason")
extension ConfigurationErrors {
    /// Creates the error of a resource that is not in its bundle.
    public static func missingResource(bundle: Bundle, name: String) -> ConfigurationErrors {
        ConfigurationErrors([
            PropertyLoadError(.notFound, "the bundle \(bundle.bundlePath) has no such resource", at: .source(name))
        ])
    }

    /// Creates the error of a file that does not exist.
    public static func missingResourceURL(_ url: URL) -> ConfigurationErrors {
        ConfigurationErrors([PropertyLoadError(.notFound, "there is no such file", at: .source(url.path))])
    }
}

extension PropertyOrigin {
    fileprivate static func source(_ name: String) -> PropertyOrigin {
        PropertyOrigin(source: PropertySource(name: name))
    }
}
