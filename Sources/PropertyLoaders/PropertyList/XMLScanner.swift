/// A scanner that finds the elements of an XML property list and their positions, before Foundation reads it.
///
/// It divides the text into tags by the same rules as Foundation, counts the elements, and refuses markup that
/// Foundation ignores. It does not check that the document is well-formed. Foundation does, and up to a place where the
/// document is not, both find the same elements.
struct XMLScanner {
    enum Element: String { case plist, dict, array, key, string, integer, real, date, data, `true`, `false` }

    struct Item {
        let element: Element
        /// The offset of the start tag.
        let offset: Int
        /// The range between the tags.
        var content: Range<Int>
        /// The index of the first item after this item and everything in it.
        var end: Int
    }

    /// The elements in the order of the text.
    private(set) var items: [Item] = []
    private let text: [UInt8]
    private var offset = 0
    private var budget: PlistBudget
    // The indexes of the elements that have no end tag yet.
    private var open: [Int] = []

    /// Scans a text, which must be valid UTF-8.
    init(_ text: [UInt8], _ budget: PlistBudget) throws(Diagnostic) {
        (self.text, self.budget) = (text, budget)
        while offset < text.count {
            if !items.isEmpty, open.isEmpty, !text[offset].isWhitespace, !isAt("<!--"), !isAt("<?") {
                throw Self.refused("there is more text after `</plist>`", offset, "Remove it")
            }
            if text[offset] != .lessThan {
                offset += 1
            } else if isAt("<?>") || items.isEmpty && isAt("<!---->") {
                // Foundation ends an instruction at this `?>`, and does not end a comment at this `-->`.
                throw Self.refused("there is an empty comment or instruction", offset, "Remove it")
            } else if isAt("<!--") {
                skip(past: "-->", from: 4)
            } else if isAt("<?") {
                try checkEncoding()
                skip(past: "?>", from: 2)
            } else if isAt("<![CDATA[") {
                skip(past: "]]>", from: 9)
            } else if isAt("<!") {
                skip(past: ">", from: 2)
            } else {
                try scanTag()
            }
        }
    }

    private static func refused(_ problem: MessageText, _ offset: Int, _ remedy: MessageText) -> Diagnostic {
        Diagnostic(problem, at: offset, remedy: remedy, kind: .unsupported)
    }

    private func isAt(_ markup: StaticString) -> Bool {
        text[offset] == .lessThan && text[offset...].starts(with: markup.description.utf8)
    }

    private mutating func skip(past end: String, from distance: Int) {
        let start = min(offset + distance, text.count)
        offset = text[start...].firstRange(of: Array(end.utf8))?.upperBound ?? text.count
    }

    // Foundation would convert the text from a declared encoding, and the positions would be wrong.
    private func checkEncoding() throws(Diagnostic) {
        let declaration = text[offset...].prefix { $0 != .greaterThan }
        guard isAt("<?xml"), let name = declaration.firstRange(of: Array("encoding=".utf8)) else { return }
        let value = declaration[name.upperBound...].dropFirst().prefix { !$0.isQuote }
        let encoding = String(decoding: value, as: UTF8.self)
        if value.count > 5 || !["utf-8", "utf8"].contains(encoding.lowercased()) {
            let problem: MessageText = "the declared encoding is \(PrintableText.quoted(encoding))"
            throw Self.refused(problem, offset, "Save the file as UTF-8 and declare that")
        }
    }

    // A tag ends at the first `>`, and its name at the first white space.
    private mutating func scanTag() throws(Diagnostic) {
        let tagStart = offset
        let end = text[tagStart...].firstIndex(of: .greaterThan) ?? text.count
        offset = min(end + 1, text.count)
        let tag = text[(tagStart + 1)..<end]
        if tag.first == .slash { return try close(at: tagStart) }
        let isEmpty = tag.last == .slash
        let name = tag.dropLast(isEmpty ? 1 : 0).prefix { !$0.isWhitespace }
        let rest = tag.dropLast(isEmpty ? 1 : 0)[name.endIndex...].drop(while: \.isWhitespace)
        guard name.count < 8, let element = Element(rawValue: String(decoding: name, as: UTF8.self)) else {
            // Foundation reads no further.
            return offset = text.count
        }
        if element == .plist {
            // Foundation overflows the stack if many of them are nested.
            if !items.isEmpty {
                throw Self.refused("there is a `<plist>` in an element", tagStart, "Remove its two tags")
            }
        } else if !rest.isEmpty {
            let attribute = String(decoding: rest.prefix { $0 != .equals }, as: UTF8.self)
            throw Self.refused("there is an attribute \(PrintableText.quoted(attribute))", rest.startIndex, "Remove it")
        }
        if element == .dict || element == .array { try budget.open(at: tagStart) }
        open.append(items.count)
        items.append(Item(element: element, offset: tagStart, content: offset..<offset, end: items.count + 1))
        if isEmpty { try close(at: offset) }
    }

    private mutating func close(at end: Int) throws(Diagnostic) {
        guard let index = open.popLast() else { return }
        items[index].content = items[index].content.lowerBound..<end
        items[index].end = items.count
        switch items[index].element {
        case .dict, .array: budget.close()
        case .key: try budget.addKey(items[index].content.count, at: items[index].offset)
        default: break
        }
    }
}
