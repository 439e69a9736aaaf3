/// Writes values as JSON (RFC 8259), with keys in the order of their table.
///
/// Values that JSON cannot express become strings: dates and times as in RFC 3339, data as base64, and the numbers
/// `nan` and `inf`.
package struct JsonText {
    /// How arrays and tables are laid out.
    package enum Layout {
        /// Everything on one line.
        case line
        /// One element per line, indented by two spaces per level.
        case lines
    }

    private var text = ""
    private var level = 0
    private let layout: Layout
    private let isMasked: ((_ name: String?, PropertyNode) -> Bool)?

    /// Returns a node as JSON text.
    ///
    /// - Parameters:
    ///   - node: the node to write.
    ///   - name: the flat name of the node, or nil if the node is the table of all properties.
    ///   - layout: the layout of arrays and tables.
    ///   - isMasked: returns whether a node, given with its flat name, is replaced by asterisks. By default, secret
    ///     nodes are. The secrets of URLs are masked, too. Nil masks nothing.
    /// - Returns: the JSON text.
    package static func text(
        _ node: PropertyNode, name: String? = nil, layout: Layout = .line,
        isMasked: ((_ name: String?, PropertyNode) -> Bool)? = { $1.origin.source.isSecret }
    ) -> String {
        var writer = JsonText(layout: layout, isMasked: isMasked)
        writer.write(node, name: name)
        return writer.text
    }

    private mutating func write(_ node: PropertyNode, name: String?) {
        switch node.value {
        case .table(let table):
            write("{", "}", table) { json, entry in
                json.write(entry.key)
                json.text += ": "
                json.write(entry.node, name: name.joined(path: ".\(entry.key)"))
            }
        case _ where isMasked?(name, node) == true: write(ValueText.mask)
        case .array(let nodes): write("[", "]", nodes) { $0.write($1, name: name.joined(path: "[]")) }
        case .null: text += "null"
        case .bool(let bool): text += "\(bool)"
        case .integer(let integer): text += "\(integer)"
        case .unsigned(let integer): text += "\(integer)"
        case .bigInteger(let digits): text += digits
        case .double(let double) where double.isFinite: text += node.longNumber ?? double.description
        case .double(let double): write(double.description)
        case .string(let string), .text(let string): write(string)
        case .data(let bytes): write(Base64.text(of: bytes))
        case .dateTime(let dateTime): write(dateTime.description)
        case .opaque(let opaque): write(String(describing: opaque.value))
        }
    }

    private mutating func write<Items: Collection>(
        _ open: String, _ close: String, _ items: Items, item: (inout JsonText, Items.Element) -> Void
    ) {
        text += open
        level += 1
        var separator = layout == .line ? "" : newline
        for element in items {
            text += separator
            item(&self, element)
            separator = layout == .line ? ", " : "," + newline
        }
        level -= 1
        if layout == .lines, !items.isEmpty { text += newline }
        text += close
    }

    private var newline: String { "\n" + String(repeating: "  ", count: level) }

    private mutating func write(_ string: String) {
        text += JsonString.quoted(isMasked == nil ? string : URLSecrets.masked(string))
    }
}
