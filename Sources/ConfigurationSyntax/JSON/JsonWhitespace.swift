import TextBasics

/// What stands between the values of JSON: white space, and comments where they are allowed.
struct JsonWhitespace {
    let bytes: SourceBytes
    /// How many bytes the source has.
    let count: Int
    let allowsComments: Bool

    /// RFC 8259 2: `ws = *( space / tab / line feed / carriage return )`; a comment may stand wherever it may.
    func end(from start: Int) throws(SyntaxFault) -> Int {
        var place = start
        while true {
            switch bytes[place] {
            case .space, .newline: place = bytes.endOfSpaces(from: place + 1)
            case .carriageReturn, .tab: place += 1
            case UInt8(ascii: "/"): place = try comment(at: place)
            default: return place
            }
        }
    }

    /// Our extension: `//` to the end of the line, or `/*` to the next `*/`, over lines, without nesting.
    private func comment(at open: Int) throws(SyntaxFault) -> Int {
        let second = bytes[open + 1]
        guard second == UInt8(ascii: "/") || second == UInt8(ascii: "*") else {
            throw SyntaxFault(.loneSlash, at: open)
        }
        guard allowsComments else { throw SyntaxFault(.commentsOff, at: open) }
        return second == UInt8(ascii: "/") ? lineComment(at: open) : try blockComment(at: open)
    }

    private func lineComment(at open: Int) -> Int {
        var place = open + 2
        while true {
            place = bytes.endOfText(from: place, until: .newline)
            if place >= count || bytes[place] == .newline || bytes[place] == .carriageReturn { return place }
            place += 1
        }
    }

    private func blockComment(at open: Int) throws(SyntaxFault) -> Int {
        var place = open + 2
        while true {
            place = bytes.endOfText(from: place, until: UInt8(ascii: "*"))
            if place >= count { throw SyntaxFault(.unclosedComment, at: open) }
            place += 1
            if bytes[place - 1] == UInt8(ascii: "*"), bytes[place] == UInt8(ascii: "/") { return place + 1 }
        }
    }
}
