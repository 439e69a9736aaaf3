/// A parsed and validated TOML 1.1 document.
///
///     let document = try TomlDocument(bytes: bytes, name: "config.toml")
///     if let port = document["server", "port"], case .integer(let number) = port.content {
///         print("line \(port.line): \(number)")
///     }
///
/// Where the specification leaves a choice to the parser: newlines in multi-line strings are kept as written, fractions
/// of a second are truncated to nanoseconds, and an integer or a float that is too large for 64 bits is an error. A
/// float that is too small becomes zero.
public struct TomlDocument: Sendable {
    /// The nodes, for code that converts them to other values.
    package let nodes: SyntaxDocument

    /// Parses text.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - name: the name of the text in messages.
    ///   - limits: the greatest depth and size of the text.
    /// - Throws: the first error of the text.
    public init(
        bytes: some Sequence<UInt8>, name: String, limits: SyntaxLimits = SyntaxLimits()
    ) throws(SyntaxError) {
        nodes = try SyntaxDocument.parse(Array(bytes), name: name, limits: limits) { TomlParser($0, limits: limits) }
    }

    /// The table at the top.
    public var root: DocumentValue { DocumentValue(nodes, 0) }

    /// The value at the end of a path of keys, or nil.
    ///
    /// - Parameter path: the keys, from the outermost.
    public subscript(path: String...) -> DocumentValue? { nodes.node(at: path).map { DocumentValue(nodes, $0) } }
}
