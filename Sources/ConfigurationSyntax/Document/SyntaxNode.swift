import TextBasics

/// A value of a document, with its key and a link to its next sibling.
package struct SyntaxNode: BitwiseCopyable, Sendable {
    /// The kind of a value, which decides the meaning of `bits`.
    package enum Kind: UInt8, BitwiseCopyable, Sendable {
        case null
        /// `bits` is 0 or 1.
        case bool
        /// `bits` is an Int64.
        case integer
        /// `bits` is a UInt64 above `Int64.max`.
        case unsigned
        /// `bits` is a `SyntaxText`, the digits.
        case bigInteger
        /// `bits` is the bit pattern of a Double.
        case double
        /// `bits` is a `SyntaxText`.
        case string
        /// `bits` is an index into the document's dates.
        case dateTime
        /// `bits` holds the numbers of the first and the last child.
        case array
        /// `bits` holds the numbers of the first and the last child.
        case table
    }

    /// How a TOML table or array was defined, which decides whether later definitions may add to it.
    enum Definition: UInt8, BitwiseCopyable, Sendable {
        /// An inline table or a static array, or any table or array of JSON. No later definition may add to it.
        case value
        /// A table that only occurs in the path of a header. A header or a dotted key may still define it.
        case implicit
        /// A table defined by a header.
        case header
        /// A table defined by a dotted key.
        case dotted
        /// An array of tables. More headers may add to it.
        case arrayOfTables
    }

    package let kind: Kind
    var definition = Definition.value
    /// Whether a later child of the same object has the same key and supersedes this child.
    var isSuperseded = false
    /// The number of the next child of the same parent, or 0 if there is none.
    var next: UInt32 = 0
    /// The number of children of a table or an array, including superseded children.
    var childCount: UInt32 = 0
    /// The number of the index of a table's keys, or 0 if it has none.
    var index: UInt32 = 0
    /// The offset of the value.
    package var start: UInt32
    /// The key of the value. An element of an array has an empty key.
    package let key: SyntaxKey
    package var bits: UInt64

    /// The number of the first child, or 0 if there is none.
    var first: UInt32 { UInt32(truncatingIfNeeded: bits) }

    /// The number of the last child, or 0 if there is none.
    var last: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }

    /// The text of a string or a big integer.
    package var text: SyntaxText { SyntaxText(bits: bits) }
}

/// A key of a table.
package struct SyntaxKey: BitwiseCopyable, Sendable {
    package let text: SyntaxText
    /// The offset in the source at which the key starts. For a quoted key, it is the offset of the quote.
    package let start: UInt32

    init(_ text: SyntaxText, at start: Int) {
        self.text = text
        self.start = UInt32(truncatingIfNeeded: start)
    }

    /// A placeholder for values without a key: elements of arrays, and the root.
    static var none: SyntaxKey { SyntaxKey(SyntaxText(0..<0), at: 0) }
}
