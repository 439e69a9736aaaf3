// TOML 1.1, Table, Inline Table, Array of Tables: who may define what, and where.
//
// That a dotted key adds only to tables of its own header follows from these rules alone: the way from another
// header's table to one that a dotted key defined always passes a table that some header defined, which is refused.
extension TomlParser {
    /// The table that a dotted key's part before the last names.
    mutating func dottedTable(_ key: SyntaxKey, in parent: UInt32) throws(SyntaxFault) -> UInt32 {
        let node = document.find(key, in: parent, cursor.bytes)
        if node == 0 { return newNode(key, in: parent, .table, .dotted, at: Int(key.place)) }
        let existing = document.nodes[node]
        switch (existing.kind, existing.definition) {
        case (.table, .implicit):
            document.nodes[node].definition = .dotted
            return node
        case (.table, .dotted): return node
        case (.table, .header): throw fault(.tableIsDefined, key, first: node)
        case (.table, _): throw fault(.tableIsInline, key, first: node)
        case (.array, .arrayOfTables): throw fault(.arrayInDottedKey, key, first: node)
        default: throw fault(.notATable, key, first: node)
        }
    }

    /// Sees to it that a table does not have a key so far.
    // Mutating, though it changes nothing: for a call that borrows, the compiler copies the parser.
    @inline(__always)
    mutating func checkNew(_ key: SyntaxKey, in table: UInt32) throws(SyntaxFault) {
        let node = document.find(key, in: table, cursor.bytes)
        guard node == 0 else { throw fault(.duplicateKey, key, first: node) }
    }

    /// The table that a header's part before the last names; of an array of tables its last one.
    ///
    /// - Parameter depth: how many tables and arrays the next part's table stands in, itself included.
    mutating func superTable(
        _ key: SyntaxKey, in parent: UInt32, depth: inout Int
    ) throws(SyntaxFault) -> UInt32 {
        depth += 1
        let node = document.find(key, in: parent, cursor.bytes)
        if node == 0 { return newNode(key, in: parent, .table, .implicit, at: Int(key.place)) }
        let existing = document.nodes[node]
        switch (existing.kind, existing.definition) {
        case (.table, .value): throw fault(.tableIsInline, key, first: node)
        case (.table, _): return node
        case (.array, .arrayOfTables):
            depth += 1
            return existing.last
        case (.array, _): throw fault(.arrayIsStatic, key, first: node)
        default: throw fault(.notATable, key, first: node)
        }
    }

    /// The table that `[key]` defines.
    mutating func standardTable(_ key: SyntaxKey, in parent: UInt32, at place: Int) throws(SyntaxFault) -> UInt32 {
        let node = document.find(key, in: parent, cursor.bytes)
        if node == 0 { return newNode(key, in: parent, .table, .header, at: place) }
        let existing = document.nodes[node]
        switch (existing.kind, existing.definition) {
        case (.table, .implicit):
            document.nodes[node].definition = .header
            document.nodes[node].place = UInt32(truncatingIfNeeded: place)
            return node
        case (.table, .header): throw fault(.tableTwice, key, first: node)
        case (.table, .dotted): throw fault(.tableIsDotted, key, first: node)
        case (.table, _): throw fault(.tableIsInline, key, first: node)
        case (.array, .arrayOfTables): throw fault(.arrayIsTable, key, first: node)
        default: throw fault(.duplicateKey, key, first: node)
        }
    }

    /// The table that `[[key]]` adds to its array.
    mutating func arrayTable(_ key: SyntaxKey, in parent: UInt32, at place: Int) throws(SyntaxFault) -> UInt32 {
        var node = document.find(key, in: parent, cursor.bytes)
        if node == 0 { node = newNode(key, in: parent, .array, .arrayOfTables, at: place) }
        let existing = document.nodes[node]
        switch (existing.kind, existing.definition) {
        case (.array, .arrayOfTables): break
        case (.array, _): throw fault(.arrayIsStatic, key, first: node)
        case (.table, _): throw fault(.tableIsArray, key, first: node)
        default: throw fault(.duplicateKey, key, first: node)
        }
        let table = document.append(.table, at: place)
        document.nodes[table].definition = .header
        document.link(table, to: node)
        document.nodes[node].extra += 1
        return table
    }

    private mutating func newNode(
        _ key: SyntaxKey, in parent: UInt32, _ kind: SyntaxNode.Kind, _ definition: SyntaxNode.Definition,
        at place: Int
    ) -> UInt32 {
        let node = document.append(kind, at: place, key: key)
        document.nodes[node].definition = definition
        document.add(node, key, in: parent, cursor.bytes)
        return node
    }

    // The first place is the header where one defined the table, else the key.
    private mutating func fault(_ problem: SyntaxFault.Problem, _ key: SyntaxKey, first node: UInt32) -> SyntaxFault {
        let existing = document.nodes[node]
        let isHeader = existing.definition == .header || existing.definition == .arrayOfTables
        let first = isHeader ? Int(existing.place) : document.keyPlace(of: node, cursor.bytes)
        return SyntaxFault(problem, at: Int(key.place), related: first)
    }
}
