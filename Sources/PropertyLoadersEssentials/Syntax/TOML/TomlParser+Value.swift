extension TomlParser {
    /// ABNF: `val = string / boolean / array / inline-table / date-time / float / integer`.
    ///
    /// - Parameters:
    ///   - node: the node that becomes the value.
    ///   - depth: how many arrays and tables it stands in.
    mutating func val(_ node: UInt32, depth: Int) throws(SyntaxFault) {
        let place = cursor.offset
        switch cursor.byte {
        case .quote, .apostrophe:
            document.set(node, .string, at: place, text: try string())
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            if cursor.isDateOrTime {
                document.set(node, at: place, try cursor.dateTime())
            } else {
                try number(node)
            }
        case UInt8(ascii: "t") where cursor.isWord(Words.true, count: 4):
            cursor.advance(4)
            document.set(node, .bool, at: place, bits: 1)
        case UInt8(ascii: "f") where cursor.isWord(Words.false, count: 5):
            cursor.advance(5)
            document.set(node, .bool, at: place, bits: 0)
        case UInt8(ascii: "["):
            try array(node, depth: depth + 1)
        case UInt8(ascii: "{"):
            try inlineTable(node, depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "i"), UInt8(ascii: "n"):
            try number(node)
        default:
            throw faultForValue()
        }
    }

    /// ABNF: `array = array-open [ array-values ] ws-comment-newline array-close`; a comma may follow the last value.
    private mutating func array(_ node: UInt32, depth: Int) throws(SyntaxFault) {
        let open = cursor.offset
        document.set(node, .array, at: open, bits: 0)
        guard depth <= limits.depth else { throw SyntaxFault(.tooDeep, at: open) }
        cursor.advance()
        try whitespaceCommentNewline()
        while cursor.byte != UInt8(ascii: "]") {
            guard cursor.byte != UInt8(ascii: ",") else { throw SyntaxFault(.extraComma, at: cursor.offset) }
            if cursor.isAtEnd { throw SyntaxFault(.unclosedArray, at: open) }
            let item = document.append(to: node)
            try val(item, depth: depth)
            try whitespaceCommentNewline()
            guard try comma(before: UInt8(ascii: "]"), open: open) else { break }
        }
        cursor.advance()
    }

    /// ABNF: `inline-table = inline-table-open [ inline-table-keyvals ] ws-comment-newline inline-table-close`.
    private mutating func inlineTable(_ node: UInt32, depth: Int) throws(SyntaxFault) {
        let open = cursor.offset
        document.set(node, .table, at: open, bits: 0)
        guard depth <= limits.depth else { throw SyntaxFault(.tooDeep, at: open) }
        cursor.advance()
        try whitespaceCommentNewline()
        while cursor.byte != UInt8(ascii: "}") {
            guard cursor.byte != UInt8(ascii: ",") else { throw SyntaxFault(.extraComma, at: cursor.offset) }
            if cursor.isAtEnd { throw SyntaxFault(.unclosedTable, at: open) }
            try keyval(in: node, depth: depth)
            try whitespaceCommentNewline()
            guard try comma(before: UInt8(ascii: "}"), open: open) else { break }
        }
        cursor.advance()
    }

    // Whether a comma stands here, which is passed; else it is the closing bracket, which is not.
    private mutating func comma(before close: UInt8, open: Int) throws(SyntaxFault) -> Bool {
        if cursor.byte == close { return false }
        guard cursor.byte == UInt8(ascii: ",") else { throw faultForComma(before: close, open: open) }
        cursor.advance()
        try whitespaceCommentNewline()
        return true
    }

    /// ABNF: `ws-comment-newline = *( wschar / [ comment ] newline )`.
    private mutating func whitespaceCommentNewline() throws(SyntaxFault) {
        while true {
            switch cursor.byte {
            case .space: cursor.skipSpaces()
            case .tab, .newline: cursor.advance()
            case .carriageReturn where cursor.peek(1) == .newline: cursor.advance(2)
            case UInt8(ascii: "#"): try comment()
            default: return
            }
        }
    }
}
