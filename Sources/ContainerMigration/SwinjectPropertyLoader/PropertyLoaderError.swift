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

    /// Creates the error of a resource that cannot be read.
    public static func invalidResourceDataFormat(bundle: Bundle, name: String) -> ConfigurationErrors {
        ConfigurationErrors([PropertyLoadError(.unreadable, "the resource cannot be read", at: .source(name))])
    }

    /// Creates the error of a resource that is not a JSON object.
    public static func invalidJSONFormat(bundle: Bundle, name: String) -> ConfigurationErrors {
        invalid(name, "a JSON object")
    }

    /// Creates the error of a file that is not a JSON object.
    public static func invalidJSONFormatURL(_ url: URL) -> ConfigurationErrors { invalid(url.path, "a JSON object") }

    /// Creates the error of a resource that is not a property list with a dictionary.
    public static func invalidPlistFormat(bundle: Bundle, name: String) -> ConfigurationErrors {
        invalid(name, "a property list with a dictionary")
    }

    /// Creates the error of a file that is not a property list with a dictionary.
    public static func invalidPlistFormatURL(_ url: URL) -> ConfigurationErrors {
        invalid(url.path, "a property list with a dictionary")
    }

    /// Creates the error of a resource that is not a TOML document.
    public static func invalidTOMLFormat(bundle: Bundle, name: String) -> ConfigurationErrors {
        invalid(name, "a TOML document")
    }

    /// Creates the error of a file that is not a TOML document.
    public static func invalidTOMLFormatURL(_ url: URL) -> ConfigurationErrors { invalid(url.path, "a TOML document") }

    private static func invalid(_ source: String, _ expected: String) -> ConfigurationErrors {
        ConfigurationErrors([
            PropertyLoadError(.syntax, "the document is invalid", at: .source(source), expected: expected)
        ])
    }
}

extension PropertyOrigin {
    fileprivate static func source(_ name: String) -> PropertyOrigin {
        PropertyOrigin(source: PropertySource(name: name))
    }
}
