import ConfigurationSyntax
import TextBasics

extension PropertyNode {
    /// Whether the value is text of an untyped source that begins with a brace, as a JSON object does.
    var isTextOfTable: Bool {
        guard case .text(let text) = single.value else { return false }
        return text.utf8.first { !$0.isAnySpace } == UInt8(ascii: "{")
    }

    /// Returns the table of a JSON object in text. Any other node does not change.
    ///
    /// Strings, numbers and booleans in it are text without a type, like the elements of a list.
    ///
    /// - Throws: the error about text that begins with a brace and is not valid JSON.
    func withTextAsTable() throws(PropertyError) -> PropertyNode {
        let node = single
        guard node.isTextOfTable, case .text(let text) = node.value else { return self }
        let bytes = text.utf8.drop(while: \.isAnySpace)
        return try JsonInText(bytes, node).root
    }

    /// The node with a JSON object in text as a table. Any other node does not change.
    package var textTable: PropertyNode { (try? withTextAsTable()) ?? self }
}
