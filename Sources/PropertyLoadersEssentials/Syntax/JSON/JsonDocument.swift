public import Properties

/// A JSON document, parsed and validated whole, whose values are made when they are read.
///
/// JSON is what RFC 8259 says, and by default comments besides: `//` to the end of the line and `/* */`. Where the RFC
/// leaves it to the parser:
///
/// | what | here |
/// |---|---|
/// | a byte order mark at the start | passed over |
/// | UTF-16, invalid UTF-8, overlong forms, encoded surrogates | an error |
/// | half a surrogate pair as an escape (`"\ud800"`), in either order | an error |
/// | an integer of any size (`-0` too, which is 0) | kept exactly: as Int64, else UInt64, else its digits |
/// | a number with a fraction or an exponent (`1.0`, `1e3`, `-0.0`) | the nearest Double, ties to even |
/// | such a number too large for a Double (`1e400`) | an error, and never infinity |
/// | such a number too small for one (`1e-400`) | zero, which is the nearest |
/// | an escaped U+0000, a non-character such as U+FFFF | text like any other |
/// | a key twice in one object | the last counts; `warnings` names both places |
/// | more nesting than the limit of depth, 128 by default | an error |
/// | any value at the top | accepted here; a `JsonPropertyLoader` wants an object |
public struct JsonDocument: Sendable {
    private let tree: SyntaxTree

    /// Parses text.
    ///
    /// - Parameters:
    ///   - bytes: the text, in UTF-8.
    ///   - name: what messages call it.
    ///   - limits: how deep and how large it may be.
    ///   - allowsComments: whether a comment may stand where white space may.
    ///   - allowsTrailingCommas: whether a comma may follow the last value of an array or object.
    /// - Throws: a `PropertyLoadError` that says where the text is no JSON, and why.
    public init(
        bytes: some Sequence<UInt8>, name: String, limits: SyntaxLimits = SyntaxLimits(),
        allowsComments: Bool = true, allowsTrailingCommas: Bool = false
    ) throws {
        let options = JsonParser.Options(allowsComments: allowsComments, allowsTrailingCommas: allowsTrailingCommas)
        try self.init(FileSource(bytes: bytes, name: name).read(limit: limits.bytes), limits, options)
    }

    init(_ content: FileSource.Content, _ limits: SyntaxLimits, _ options: JsonParser.Options) throws(PropertyLoadError)
    {
        tree = try SyntaxTree(content) { JsonParser($0, options: options, limits: limits) }
    }

    /// What the document came from.
    public var source: PropertySource { tree.source }

    /// The value at the top, with all that is in it.
    public var root: PropertyNode { tree.node(0) }

    /// The value that a path of keys leads to, with all that is in it, or nil.
    public subscript(path: String...) -> PropertyNode? { tree.document.node(at: path).map(tree.node) }

    /// The keys that stand twice in their object; of very many, the first hundred.
    public var warnings: [PropertyLoadError] { tree.duplicateWarnings }
}
