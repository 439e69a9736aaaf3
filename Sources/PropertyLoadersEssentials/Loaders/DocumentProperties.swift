/// Converts a parsed document to properties of one source.
package struct DocumentProperties {
    private let document: SyntaxDocument
    /// The source of all values, with the name and the text that messages show.
    package let source: PropertySource
    /// The warnings about duplicate keys. TOML has none, since a duplicate key is an error there.
    package private(set) var warnings: [PropertyLoadError] = []
    /// The warnings about trailing commas, which only JSON can have.
    package private(set) var remarks: [PropertyLoadError] = []

    /// Parses TOML.
    ///
    /// - Throws: a `PropertyLoadError` with the place where the text is not valid TOML, and the reason.
    package init(toml content: FileSource.Content, limits: SyntaxLimits = SyntaxLimits()) throws(PropertyLoadError) {
        do throws(SyntaxError) {
            self.init(try TomlDocument(bytes: content.bytes, name: content.name, limits: limits).nodes, content)
        } catch {
            let source = content.source(text: error.source)
            throw PropertyLoadError(error.diagnostic, in: source)
                .followed(by: error.furtherErrors.map { PropertyLoadError($0.diagnostic, in: source) })
        }
    }

    /// Parses JSON.
    ///
    /// - Throws: a `PropertyLoadError` with the place where the text is not valid JSON, and the reason.
    package init(
        json content: FileSource.Content, limits: SyntaxLimits = SyntaxLimits(), allowsComments: Bool = true,
        allowsTrailingCommas: Bool = false
    ) throws(PropertyLoadError) {
        do throws(SyntaxError) {
            let document = try JsonDocument(
                bytes: content.bytes, name: content.name, limits: limits, allowsComments: allowsComments,
                allowsTrailingCommas: allowsTrailingCommas)
            self.init(document.nodes, content)
        } catch {
            throw PropertyLoadError(error.diagnostic, in: content.source(text: error.source))
        }
        warnings = Self.warnings(document.duplicateKeys, source)
        remarks = Self.warnings(document.trailingCommas, source)
    }

    private init(_ document: SyntaxDocument, _ content: FileSource.Content) {
        self.document = document
        source = content.source(text: document.text)
    }

    private static func warnings(
        _ errors: BoundedList<SyntaxError>, _ source: PropertySource
    ) -> [PropertyLoadError] {
        if errors.elements.isEmpty { return [] }
        return errors.map { PropertyLoadError($0.diagnostic, in: source) }.warnings(about: source)
    }
}

// MARK: - Values

extension DocumentProperties {
    /// The top-level value.
    package var root: PropertyNode { node(document.root) }

    /// The members of the top-level value, which must be a table.
    package var table: PropertyTable { table(document.root) }

    private func node(_ node: SyntaxNode) -> PropertyNode {
        PropertyNode(value(node), source: source, place: node.start)
    }

    // Recursive: the parser has limited the depth of the document.
    private func value(_ node: SyntaxNode) -> PropertyValue {
        switch node.kind {
        case .null: .null
        case .bool: .bool(node.bits != 0)
        case .integer: .integer(Int64(bitPattern: node.bits))
        case .unsigned: .unsigned(node.bits)
        case .bigInteger: .bigInteger(document.string(node.text))
        case .double: .double(Double(bitPattern: node.bits))
        case .string: .string(document.string(node.text))
        case .dateTime: .dateTime(document.dateTime(node))
        case .array: .array(array(node))
        case .table: .table(table(node))
        }
    }

    private func table(_ table: SyntaxNode) -> PropertyTable {
        PropertyTable(
            uniqueEntries: all(of: table) { child in
                PropertyTable.Entry(
                    key: document.string(child.key.text), keyPlace: child.key.start, node: node(child))
            })
    }

    private func array(_ array: SyntaxNode) -> [PropertyNode] { all(of: array, node) }

    private func all<Element>(of parent: SyntaxNode, _ make: (SyntaxNode) -> Element) -> [Element] {
        let children = document.children(of: parent)
        var elements: [Element] = []
        elements.reserveCapacity(children.greatestCount)
        for child in children { elements.append(make(child)) }
        return elements
    }
}
