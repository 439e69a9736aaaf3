/// A parsed and validated TOML 1.1 document.
///
///     let document = try TomlDocument(bytes: bytes, name: "config.toml")
///     if let port = document.root["server", "port"], case .integer(let number) = port.content {
///         print("line \(port.line): \(number)")
///     }
///
/// Where the specification leaves a choice to the parser, the results are: A newline in a multi-line string is LF even
/// if the file has CRLF; an escaped `\r` stays. Fractions of a second are truncated to nanoseconds. An integer or a
/// float that is too large for 64 bits is an error. A float that is too small becomes zero.
public struct TomlDocument: Sendable {
    /// The nodes, for modules that convert them to their own values.
    package let nodes: SyntaxDocument

    /// Creates a document by parsing text.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - name: the name of the text in messages.
    ///   - limits: the maximum depth and size of the text.
    /// - Throws: the first error in the text, with the others as `furtherErrors`.
    public init(
        bytes: some Sequence<UInt8>, name: String, limits: SyntaxLimits = SyntaxLimits()
    ) throws(SyntaxError) {
        nodes = try SyntaxDocument(Array(bytes), name: name, limits: limits) {
            TomlParser($0, limits: limits)
        }
    }

    /// The table at the top.
    public var root: DocumentValue { DocumentValue(nodes, nodes.root) }
}
