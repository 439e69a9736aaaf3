import TextBasics

/// A parsed and validated document: an array of nodes that refer to a copy of the source.
///
/// Node 0 is the root. Strings are created only when they are read.
package final class SyntaxDocument: Sendable {
    /// Two children of an object with the same key. The later child supersedes the earlier.
    struct Duplicate: Sendable {
        let later: SyntaxKey
        let earlier: SyntaxKey
    }

    /// The name of the source in messages.
    package let name: String
    /// The source, from which lines and columns are computed.
    package let text: SourceText
    // The source, zeros, and the unescaped text.
    private let bytes: [UInt8]
    private let nodes: [SyntaxNode]
    private let dates: [PropertyDateTime]
    // The list is bounded because a hostile source can have millions of duplicate keys.
    private let duplicates: BoundedList<Duplicate>
    private let commas: BoundedList<Int>

    /// Creates a document by parsing text.
    ///
    /// - Parameters:
    ///   - source: the text in UTF-8.
    ///   - name: the name of the text in messages.
    ///   - limits: the maximum depth and size.
    ///   - makeParser: creates the parser of the format.
    /// - Throws: the first error in the text, with the others as `furtherErrors`.
    init<Parser: SyntaxParser & ~Copyable>(
        _ source: [UInt8], name: String, limits: SyntaxLimits, _ makeParser: (Cursor) -> Parser
    ) throws(SyntaxError) {
        let text = SourceText(bytes: source)
        do throws(Diagnostic) {
            guard source.count <= limits.bytes else { throw limits.tooLarge(source.count) }
            // Before parsing, so that the parsers can rely on valid UTF-8.
            try UTF8Text.check(source)
        } catch {
            throw SyntaxError(error, name: name, source: text)
        }
        var errors: [Diagnostic] = []
        var builder: DocumentBuilder?
        // The parser works in the memory of the array, and does not outlive the closure.
        bytes = unsafe Array(unsafeUninitializedCapacity: Cursor.capacity(for: source)) { buffer, count in
            var parser = makeParser(unsafe Cursor(source, copiedTo: buffer))
            errors = parser.parse()
            builder = parser.document
            count = parser.cursor.textEnd
        }
        self.name = name
        self.text = text
        nodes = builder?.nodes ?? []
        dates = builder?.dates ?? []
        duplicates = builder?.duplicates ?? BoundedList(limit: 0)
        commas = builder?.trailingCommas ?? BoundedList(limit: 0)
        guard let first = errors.first else { return }
        let further = errors.dropFirst().map { SyntaxError($0, name: name, source: text) }
        throw SyntaxError(first, name: name, source: text, furtherErrors: further)
    }
}

/// A parser of a whole document.
protocol SyntaxParser: ~Copyable {
    var cursor: Cursor { get }
    var document: DocumentBuilder { get }

    /// Parses the whole source.
    ///
    /// - Returns: the errors in the order of the source, or an empty array if the source is valid.
    mutating func parse() -> [Diagnostic]
}

// MARK: - Reading

extension SyntaxDocument {
    /// The value at the top.
    package var root: SyntaxNode { nodes[0] }

    /// Returns the children of a table or an array.
    package func children(of parent: SyntaxNode) -> Children { Children(nodes, parent) }

    /// The children of a table or an array, without those that are superseded.
    package struct Children: Sequence, IteratorProtocol {
        private let nodes: [SyntaxNode]
        private var child: UInt32
        /// The number of children, including those that are superseded.
        package let greatestCount: Int

        fileprivate init(_ nodes: [SyntaxNode], _ parent: SyntaxNode) {
            (self.nodes, child) = (nodes, parent.first)
            greatestCount = Int(parent.childCount)
        }

        package mutating func next() -> SyntaxNode? {
            while child != 0 {
                let node = nodes[Int(child)]
                child = node.next
                if !node.isSuperseded { return node }
            }
            return nil
        }
    }

    /// Returns a text.
    package func string(_ text: SyntaxText) -> String {
        // Three times as fast for short texts as `String(decoding:as:)`. The closure initializes as many bytes as it
        // returns, and the buffer has room for them.
        unsafe String(unsafeUninitializedCapacity: Int(text.count)) { buffer in
            unsafe buffer.initialize(fromContentsOf: bytes[text.range])
        }
    }

    /// Returns the date-time of a node of the kind `dateTime`.
    package func dateTime(_ node: SyntaxNode) -> PropertyDateTime { dates[Int(node.bits)] }

    /// An error for each key that occurs again in the same object. The later key supersedes the earlier one.
    package var duplicateKeys: BoundedList<SyntaxError> {
        duplicates.map { duplicate in
            let key = PrintableText.clipped(string(duplicate.later.text))
            let diagnostic = Diagnostic(
                "the key `\(key)` is defined twice, and this value counts", at: Int(duplicate.later.start),
                remedy: "Remove one of the two", note: ("first at", Int(duplicate.earlier.start)), kind: .duplicate)
            return SyntaxError(diagnostic, name: name, source: text)
        }
    }

    /// A warning for each comma before a closing bracket.
    package var trailingCommas: BoundedList<SyntaxError> {
        if commas.elements.isEmpty { return BoundedList(limit: 0) }
        return commas.map { offset in
            let diagnostic = Diagnostic(
                "a comma follows the last value, which many parsers of JSON refuse", at: offset,
                remedy: "Remove this comma")
            return SyntaxError(diagnostic, name: name, source: text)
        }
    }
}
