public import Properties

/// A TOML 1.1 document, parsed and validated whole, whose values are made when they are read.
///
/// Where the specification leaves it to the parser: newlines in multi-line strings stay as written, fractions of a
/// second are truncated to nanoseconds, a float too large for 64 bits is an error as an integer is, and one too small
/// is the nearest, zero.
public struct TomlDocument: Sendable {
    private let tree: SyntaxTree

    /// Parses text.
    ///
    /// - Parameters:
    ///   - bytes: the text, in UTF-8.
    ///   - name: what messages call it.
    ///   - limits: how deep and how large it may be.
    /// - Throws: a `PropertyLoadError` that says where the text is no TOML, and why.
    public init(bytes: some Sequence<UInt8>, name: String, limits: SyntaxLimits = SyntaxLimits()) throws {
        try self.init(FileSource(bytes: bytes, name: name).read(limit: limits.bytes), limits)
    }

    init(_ content: FileSource.Content, _ limits: SyntaxLimits) throws(PropertyLoadError) {
        tree = try SyntaxTree(content) { TomlParser($0, limits: limits) }
    }

    /// What the document came from.
    public var source: PropertySource { tree.source }

    /// All values of the document.
    public var table: PropertyTable { tree.table(tree.document.storage[0]) }

    /// The value that a path of keys leads to, with all that is in it, or nil.
    public subscript(path: String...) -> PropertyNode? { tree.document.node(at: path).map(tree.node) }
}
