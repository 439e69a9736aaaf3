import ConfigurationSyntax
import TextBasics

/// The elements of a value that is read as a list.
struct ListElements {
    let nodes: [PropertyNode]
    /// Whether they are from text of an untyped source. Messages then count them from 1, and none of them is a list in
    /// text again.
    let isText: Bool

    /// Finds the elements of an array, of text of an untyped source, or of all values of a repeated argument.
    ///
    /// - Returns: the elements, or nil if the value is none of these.
    /// - Throws: the error about text that is not a valid list.
    init?(of node: PropertyNode, in context: ConversionContext = ConversionContext()) throws(PropertyError) {
        switch node.value {
        case .array(let values) where node.source.isRepeated:
            var nodes: [PropertyNode] = []
            for value in values {
                if case .text(let text) = value.value {
                    nodes += try Self.elements(of: text, value, after: nodes.count)
                } else {
                    nodes.append(value)
                }
            }
            (self.nodes, isText) = (nodes, true)
        case .array(let nodes): (self.nodes, isText) = (nodes, false)
        case .text(let text):
            guard !context.isInsideText else {
                throw [Any].mismatch(.wrongType, node, remedy: "Write the outer list as JSON too: [[\"a\", \"b\"]]")
            }
            (nodes, isText) = (try Self.elements(of: text, node, after: 0), true)
        default: return nil
        }
    }

    /// Returns the elements of text. Text that begins with `[` is JSON. Other text is split at its commas.
    private static func elements(
        of text: String, _ node: PropertyNode, after count: Int
    ) throws(PropertyError) -> [PropertyNode] {
        let bytes = trimmed(text.utf8[...])
        if bytes.isEmpty { return [] }
        if bytes.first == UInt8(ascii: "[") { return try JsonInText(bytes, node).elements }
        let parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(trimmed)
        let texts = parts.map { String(Substring($0)) }
        func refuse(_ index: Int?, _ expected: String, _ remedy: String) throws(PropertyError) {
            guard let index else { return }
            let element = PropertyNode(.text(texts[index]), origin: node.origin)
            throw PropertyError(.notParsable, element, expected: expected, remedy: remedy)
                .inElement(count + index, ofText: true)
        }
        try refuse(
            texts.firstIndex(where: \.isEmpty), "a value beside each comma",
            "Remove the comma, or write a JSON array: [\"a\", \"\"]")
        // The lines of a file or a variable are probably the elements.
        try refuse(
            parts.firstIndex { $0.contains { $0 == 0x0A || $0 == 0x0D } }, "a value without a line break",
            "Write commas between the elements, or a JSON array: [\"a\", \"b\"]")
        // The elements of "a","b" are probably a and b, without the marks.
        try refuse(
            texts.firstIndex(where: \.hasMarkAtAnEnd), "a value without a quotation mark at its start or end",
            "Leave the quotation marks out, or write a JSON array: [\"a\", \"b\"]")
        return texts.map { PropertyNode(.text($0), origin: node.origin) }
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        guard let first = bytes.firstIndex(where: { !$0.isAnySpace }),
            let last = bytes.lastIndex(where: { !$0.isAnySpace })
        else { return bytes.prefix(0) }
        return bytes[first...last]
    }
}

extension PropertyNode {
    /// The node with a list in text as an array. A node that is not a valid list does not change.
    package var list: PropertyNode {
        guard let list = try? ListElements(of: self), list.isText else { return self }
        return PropertyNode(.array(list.nodes), origin: origin)
    }
}

/// A JSON array or object in text. Its strings, numbers and booleans are text without a type, like the elements between commas.
struct JsonInText {
    private let document: SyntaxDocument
    private let bytes: [UInt8]
    private let origin: PropertyOrigin

    init(_ bytes: Substring.UTF8View, _ node: PropertyNode) throws(PropertyError) {
        (self.bytes, origin) = (Array(bytes), node.origin)
        do throws(SyntaxError) {
            document = try JsonDocument(bytes: self.bytes, name: "", allowsComments: false).nodes
        } catch {
            let isList = bytes.first == UInt8(ascii: "["), wanted = error.expected.map { "; expected \($0)" } ?? ""
            // The text may be an address, as [::1]:80.
            throw PropertyError(
                .notParsable, node,
                expected: isList ? "a JSON array, since it begins with [" : "a JSON object, since it begins with {",
                remedy: isList
                    ? "Write a JSON array, with quotation marks around each text: [\"a\", \"b\"]"
                    : "Correct the JSON: {\"key\": \"value\"}"
            ).changed { $0.thrownError = "character \(error.column): \(error.problem)\(wanted)" }
        }
    }

    /// The value.
    var root: PropertyNode { node(document.root) }

    /// The elements. The text begins with a bracket, so its value is an array.
    var elements: [PropertyNode] { document.children(of: document.root).map(node) }

    // Recursive: the parser has limited the depth.
    private func node(_ node: SyntaxNode) -> PropertyNode { PropertyNode(value(node), origin: origin) }

    private func value(_ node: SyntaxNode) -> PropertyValue {
        switch node.kind {
        case .null: .null
        case .bool: .text(node.bits != 0 ? "true" : "false")
        case .string: .text(document.string(node.text))
        case .array: .array(document.children(of: node).map(self.node))
        case .table:
            .table(
                PropertyTable(
                    entries: document.children(of: node).map { child in
                        PropertyTable.Entry(
                            key: document.string(child.key.text), keyPlace: origin.place, node: self.node(child))
                    }))
        case .integer, .unsigned, .bigInteger, .double, .dateTime: .text(number(node))
        }
    }

    /// Returns a number as it is written, so that no digit of it is lost.
    private func number(_ node: SyntaxNode) -> String {
        let digits = bytes[Int(node.start)...].prefix { $0.isDigit || "+-.eE".utf8.contains($0) }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension String {
    /// Whether the first or the last character is a quotation mark.
    fileprivate var hasMarkAtAnEnd: Bool {
        unicodeScalars.first?.isQuotationMark == true || unicodeScalars.last?.isQuotationMark == true
    }
}
