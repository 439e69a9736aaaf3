/// A source whose name for messages is known before it is loaded.
///
/// `print` and `dump` show only this name, since the other properties of the source may contain secrets.
package protocol NamedSource: DescriptionOnly {
    var sourceName: String { get }

    /// Returns the identity of the source if its file has an identity.
    func identity(of file: String?) -> String?
}

extension NamedSource {
    package func identity(of file: String?) -> String? { file }

    /// The name that messages use.
    public var description: String { sourceName }
}
