/// A parsed and validated JSON document.
///
/// The grammar follows RFC 8259. By default it also allows comments: `//` to the end of the line, and `/* */`. A comma
/// after the last value of an array or an object is an error, unless it is allowed. Where the RFC leaves a choice to
/// the parser, the results are:
///
/// | input | result |
/// |---|---|
/// | a byte order mark at the start | ignored |
/// | UTF-16, invalid UTF-8, overlong forms, encoded surrogates | an error |
/// | an escape that is half of a surrogate pair (`"\ud800"`) | an error |
/// | an integer of any size (`-0` is 0) | kept without loss: as Int64, else as UInt64, else as its digits |
/// | a number with a fraction or an exponent (`1.0`, `1e3`, `-0.0`) | the nearest Double, ties to even |
/// | a number too large for a Double (`1e400`) | an error, never infinity |
/// | a number too small for a Double (`1e-400`) | zero, the nearest Double |
/// | an escaped U+0000, a non-character such as U+FFFF | text like any other |
/// | a duplicate key in an object | the last value is used; `duplicateKeys` has the positions of both keys |
/// | nesting deeper than the limit, 128 by default | an error |
/// | any value at the top | accepted |
public struct JsonDocument: Sendable {
    /// The nodes, for modules that convert them to their own values.
    package let nodes: SyntaxDocument

    /// Creates a document by parsing text.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - name: the name of the text in messages.
    ///   - limits: the maximum depth and size of the text.
    ///   - allowsComments: whether comments are allowed wherever white space is.
    ///   - allowsTrailingCommas: whether one comma may follow the last value of an array or an object.
    /// - Throws: the first error in the text.
    public init(
        bytes: some Sequence<UInt8>, name: String, limits: SyntaxLimits = SyntaxLimits(), allowsComments: Bool = true,
        allowsTrailingCommas: Bool = false
    ) throws(SyntaxError) {
        nodes = try SyntaxDocument(Array(bytes), name: name, limits: limits) {
            JsonParser(
                $0, allowsComments: allowsComments, allowsTrailingCommas: allowsTrailingCommas, limits: limits)
        }
    }

    /// The value at the top.
    public var root: DocumentValue { DocumentValue(nodes, nodes.root) }

    /// An error for each duplicate key, with the positions of both keys. There are at most 100 errors.
    ///
    /// Duplicate keys are valid in JSON. The last value is used.
    public var duplicateKeys: [SyntaxError] { nodes.duplicateKeys.elements }

    /// A warning for each comma after the last value of an array or an object, if they are allowed. There are at most
    /// 100 warnings.
    public var trailingCommas: [SyntaxError] { nodes.trailingCommas.elements }
}
