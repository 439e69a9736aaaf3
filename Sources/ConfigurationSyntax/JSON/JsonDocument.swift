package import TextBasics

/// A JSON document, parsed and validated whole.
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
/// | a key twice in one object | the last counts; `duplicateKeys` names both places |
/// | more nesting than the limit of depth, 128 by default | an error |
/// | any value at the top | accepted |
public struct JsonDocument: Sendable {
    /// The nodes, for what makes other values of them.
    package let nodes: SyntaxDocument

    /// Parses text.
    ///
    /// - Parameters:
    ///   - bytes: the text, in UTF-8.
    ///   - name: the name of the text in messages.
    ///   - limits: how deep and how large it may be.
    ///   - allowsComments: whether a comment may stand where white space may.
    ///   - allowsTrailingCommas: whether a comma may follow the last value of an array or object.
    /// - Throws: the first error of the text.
    public init(
        bytes: some Sequence<UInt8>, name: String, limits: SyntaxLimits = SyntaxLimits(),
        allowsComments: Bool = true, allowsTrailingCommas: Bool = false
    ) throws(SyntaxError) {
        let options = JsonParser.Options(allowsComments: allowsComments, allowsTrailingCommas: allowsTrailingCommas)
        nodes = try SyntaxDocument.parse(Array(bytes), name: name, limits: limits) {
            JsonParser($0, options: options, limits: limits)
        }
    }

    /// The value at the top.
    public var root: DocumentValue { DocumentValue(nodes, 0) }

    /// The value at the end of a path of keys, or nil.
    public subscript(path: String...) -> DocumentValue? { nodes.node(at: path).map { DocumentValue(nodes, $0) } }

    /// The keys that stand twice in their object, as errors that name both places; of very many, the first hundred.
    public var duplicateKeys: [SyntaxError] { nodes.duplicateKeys.elements }
}

extension SyntaxDocument {
    /// An error for each key that took an earlier one's place.
    package var duplicateKeys: BoundedList<SyntaxError> {
        duplicates.map { duplicate in
            let key = PrintableText.clipped(string(self[duplicate.later].key))
            return SyntaxError(
                reason: .duplicate, name: name, source: text, offset: keyOffset(duplicate.later),
                problem: "the key `\(key)` stands twice, and this one counts", expected: nil,
                remedy: "Remove one of the two",
                note: SyntaxError.Note(text: "first at", offset: keyOffset(duplicate.earlier)))
        }
    }

    private func keyOffset(_ node: UInt32) -> Int { Int(keyPlace(of: node, self[node])) }
}
