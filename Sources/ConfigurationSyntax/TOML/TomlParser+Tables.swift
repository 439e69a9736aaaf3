import TextBasics

// The rules for definitions that add to an existing table or array (TOML 1.1: Table, Inline Table, Array of Tables).
//
// A table that dotted keys define must not get more keys from dotted keys below another header. No function checks
// this, because the other rules imply it: the path of such keys contains a table that a header defines, which is an
// error.
extension TomlParser {
    /// Returns the table that a part of a dotted key names, and creates it if it does not exist.
    ///
    /// The last part of a dotted key names a value, not a table.
    mutating func dottedTable(_ key: SyntaxKey, in parent: UInt32) throws(Diagnostic) -> UInt32 {
        let node = document.find(key, in: parent)
        if node == 0 { return newNode(key, in: parent, .table, .dotted, at: Int(key.start)) }
        let existing = document.nodes[Int(node)]
        switch (existing.kind, existing.definition) {
        case (.table, .implicit):
            document.nodes[Int(node)].definition = .dotted
            return node
        case (.table, .dotted): return node
        case (.table, .header):
            throw conflict(key, first: node, remedy: "Put the key under that header") {
                "the table \($0) has a header of its own"
            }
        case (.table, _): throw closedTable(key, first: node)
        case (.array, .arrayOfTables):
            throw conflict(key, first: node, remedy: "Put the key under that array's header") {
                "a dotted key leads into the array of tables \($0)"
            }
        default: throw notATable(key, first: node)
        }
    }

    /// Throws an error if a table already has a key.
    // It is mutating although it changes nothing, because the compiler would copy the parser to call a borrowing
    // method.
    @inline(__always)
    mutating func checkNew(_ key: SyntaxKey, in table: UInt32) throws(Diagnostic) {
        let node = document.find(key, in: table)
        guard node == 0 else { throw duplicateKey(key, first: node) }
    }

    /// Returns the table that a part of a header names, and creates it if it does not exist. The part is not the last.
    ///
    /// If the part names an array of tables, the result is the last table of the array.
    ///
    /// - Parameters:
    ///   - key: the part of the header.
    ///   - parent: the table that may have the part.
    ///   - depth: on entry the depth of `parent`, on return the depth of the returned table.
    /// - Returns: the node of the table.
    /// - Throws: an error if the part does not name a table that a header may add to.
    mutating func superTable(_ key: SyntaxKey, in parent: UInt32, depth: inout Int) throws(Diagnostic) -> UInt32 {
        depth += 1
        let node = document.find(key, in: parent)
        if node == 0 { return newNode(key, in: parent, .table, .implicit, at: Int(key.start)) }
        let existing = document.nodes[Int(node)]
        switch (existing.kind, existing.definition) {
        case (.table, .value): throw closedTable(key, first: node)
        case (.table, _): return node
        case (.array, .arrayOfTables):
            depth += 1
            return existing.last
        case (.array, _): throw closedArray(key, first: node)
        default: throw notATable(key, first: node)
        }
    }

    /// Returns the table that `[key]` defines.
    mutating func standardTable(_ key: SyntaxKey, in parent: UInt32, at offset: Int) throws(Diagnostic) -> UInt32 {
        let node = document.find(key, in: parent)
        if node == 0 { return newNode(key, in: parent, .table, .header, at: offset) }
        let existing = document.nodes[Int(node)]
        switch (existing.kind, existing.definition) {
        case (.table, .implicit):
            document.nodes[Int(node)].definition = .header
            document.nodes[Int(node)].start = UInt32(truncatingIfNeeded: offset)
            return node
        case (.table, .header):
            throw conflict(key, first: node, remedy: "Put all its keys under one header") {
                "the table \($0) is defined twice"
            }
        case (.table, .dotted):
            throw conflict(key, first: node, remedy: "Add to it there, with dotted keys") {
                "the table \($0) was defined by dotted keys"
            }
        case (.table, _): throw closedTable(key, first: node)
        case (.array, .arrayOfTables):
            throw conflict(key, first: node, remedy: "Write its header in double brackets, or choose another name") {
                "\($0) is an array of tables"
            }
        default: throw duplicateKey(key, first: node)
        }
    }

    /// Returns the table that `[[key]]` appends to its array.
    mutating func arrayTable(_ key: SyntaxKey, in parent: UInt32, at offset: Int) throws(Diagnostic) -> UInt32 {
        var node = document.find(key, in: parent)
        if node == 0 { node = newNode(key, in: parent, .array, .arrayOfTables, at: offset) }
        let existing = document.nodes[Int(node)]
        switch (existing.kind, existing.definition) {
        case (.array, .arrayOfTables): break
        case (.array, _): throw closedArray(key, first: node)
        case (.table, _):
            throw conflict(key, first: node, remedy: "Choose another name for one of the two") {
                "\($0) is a table, not an array of tables"
            }
        default: throw duplicateKey(key, first: node)
        }
        let table = document.append(.table, at: offset)
        document.nodes[Int(table)].definition = .header
        document.link(table, to: node)
        return table
    }

    private mutating func newNode(
        _ key: SyntaxKey, in parent: UInt32, _ kind: SyntaxNode.Kind, _ definition: SyntaxNode.Definition,
        at offset: Int
    ) -> UInt32 {
        let node = document.append(kind, at: offset, key: key)
        document.nodes[Int(node)].definition = definition
        document.add(node, in: parent)
        return node
    }

    private mutating func duplicateKey(_ key: SyntaxKey, first node: UInt32) -> Diagnostic {
        conflict(key, first: node, remedy: "Remove one of the two") { "the key \($0) is defined twice" }
    }

    private mutating func closedTable(_ key: SyntaxKey, first node: UInt32) -> Diagnostic {
        conflict(key, first: node, remedy: "Put the new keys into the braces") {
            "the table \($0) is closed: it was written in braces"
        }
    }

    private mutating func closedArray(_ key: SyntaxKey, first node: UInt32) -> Diagnostic {
        conflict(key, first: node, remedy: "Put the new table into the brackets") {
            "the array \($0) is closed: it was written in brackets"
        }
    }

    private mutating func notATable(_ key: SyntaxKey, first node: UInt32) -> Diagnostic {
        conflict(key, first: node, remedy: "Choose another name for one of the two") {
            "the key \($0) has a value that is not a table"
        }
    }

    // Returns the error for a definition that conflicts with an earlier definition. Its note has the position of the
    // earlier definition: the header if a header defined the table, else the key.
    @inline(never)
    private mutating func conflict(
        _ key: SyntaxKey, first node: UInt32, remedy: MessageText, problem: (String) -> MessageText
    ) -> Diagnostic {
        let existing = document.nodes[Int(node)]
        let isHeader = existing.definition == .header || existing.definition == .arrayOfTables
        let first = isHeader ? Int(existing.start) : Int(existing.key.start)
        let offset = Int(key.start)
        return Diagnostic(
            problem(cursor.quotedKey(at: offset)), at: offset, remedy: remedy, note: ("first at", first),
            kind: .duplicate
        )
    }
}
