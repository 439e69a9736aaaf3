import TextBasics

/// What stands before a place of a text: the open brackets, and the last token.
///
/// The text before the place must be valid, since the outline is made without a parser.
struct Outline {
    /// What a parser expects at the place.
    enum Expectation { case key, assignment, value, separator, end }

    /// The offsets of the open brackets, the outermost first.
    private(set) var open: [Int] = []
    /// The offset of the line that starts the TOML statement; 0 in JSON.
    private(set) var statement: Int
    /// The offset of the last byte that is neither white space nor part of a comment, or nil if the statement has none.
    private(set) var last: Int?
    /// Whether the TOML statement is the header of a table.
    private(set) var isHeader = false
    /// The string that contains the place, or nil.
    private(set) var string: Range<Int>?
    /// The comment that contains the place, or nil.
    private(set) var comment: Range<Int>?
    // Whether a colon or an equals sign follows the key of the current member.
    private var isAssigned = false

    /// Creates the outline of the text before an offset.
    init(of text: RepairText, to end: Int) {
        statement = 0
        var offset = UTF8Text.start(of: text.bytes)
        while offset < end {
            if let next = text.endOfComment(at: offset) {
                if next > end {
                    comment = offset..<next
                    return
                }
                offset = next
            } else if let next = text.endOfString(at: offset) {
                if next > end {
                    string = offset..<next
                    return
                }
                last = next - 1
                offset = next
            } else {
                add(text[offset], at: offset, text.format)
                offset += 1
            }
        }
    }

    private mutating func add(_ byte: UInt8, at offset: Int, _ format: RepairText.Format) {
        switch byte {
        case .space, .tab, .carriageReturn: return
        case .newline:
            if format == .toml, open.isEmpty { (statement, last, isHeader) = (offset + 1, nil, false) }
            return
        case .openBracket where format == .toml && open.isEmpty && last == nil: isHeader = true
        case _ where isHeader: break
        case .openBracket, .openBrace:
            open.append(offset)
            isAssigned = false
        case .closeBracket, .closeBrace:
            _ = open.popLast()
            isAssigned = true
        case .comma: isAssigned = false
        case format.assignment: isAssigned = true
        default: break
        }
        last = offset
    }

    /// Returns what a parser expects at the place, if it is in brackets or in JSON.
    func expectation(in text: RepairText) -> Expectation {
        guard let last else { return .value }
        guard let top = open.last else { return .end }
        let isTable = text[top] == .openBrace
        if last == top || text[last] == .comma { return isTable ? .key : .value }
        if isTable, !isAssigned { return .assignment }
        return text[last] == text.format.assignment ? .value : .separator
    }
}
