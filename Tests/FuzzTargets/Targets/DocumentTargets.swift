import PropertyLoaders

// The documents that are trees of values. If a parser accepts a document, the model accepts it, too, with the same
// value, and the other way round.
extension FuzzTarget {
    /// JSON, strict in the first pass, with comments and trailing commas in the second one.
    static let json = FuzzTarget("json") { bytes in
        for isStrict in [true, false] {
            let model = Result { try JsonModel.value(bytes, isStrict: isStrict) }
            let node = try DocumentCheck(bytes, model).node { content throws(PropertyLoadError) in
                let document = try DocumentProperties(
                    json: content, allowsComments: !isStrict, allowsTrailingCommas: !isStrict)
                return (document.root, document.warnings + document.remarks)
            }
            if let node { try readsBack(node) }
        }
    }

    static let toml = FuzzTarget("toml") { bytes in
        let model = Result { try TomlModel.value(bytes) }
        _ = try DocumentCheck(bytes, model, rootLevels: 0).node { content throws(PropertyLoadError) in
            let document = try DocumentProperties(toml: content)
            return (document.root, document.warnings)
        }
    }

    static let xmlPlist = FuzzTarget("xml-plist") { bytes in
        if !bytes.starts(with: "bplist".utf8) { try checkPlist(bytes, limits: SyntaxLimits()) }
    }

    static let binaryPlist = FuzzTarget("binary-plist") { bytes in
        let bytes = bytes.starts(with: "bplist".utf8) ? bytes : Array("bplist00".utf8) + bytes
        try checkPlist(bytes, limits: SyntaxLimits(bytes: 1 << 16))
    }

    /// Checks that a property list has the values that Foundation reads, with the dates and the data of the text, and
    /// that XML is refused as invalid only if Foundation does not read it.
    private static func checkPlist(_ bytes: [UInt8], limits: SyntaxLimits) throws {
        let content = try FileSource(bytes: bytes, name: "fuzz").read(limit: .max)
        let document: PlistDocument
        do throws(PropertyLoadError) {
            document = try PlistDocument(content, limits: limits)
        } catch {
            try ErrorCheck(bytes.count).check(error)
            // Foundation reads some text that is not UTF-8.
            let isInvalidXML =
                error.reason == .syntax && !bytes.starts(with: "bplist".utf8)
                && String(validating: bytes, as: UTF8.self) != nil
            let isRead = isInvalidXML && FoundationPlistModel.object(in: bytes) != nil
            return try require(!isRead, "Foundation reads it, and the error is: \(error)")
        }
        try DocumentCheck(bytes, .success(ModelValue(document.root.value))).checkPlaces(of: document.root)
        // Foundation keeps carriage returns, and drops byte order marks.
        if bytes.contains(0x0D) || bytes.contains(0xEF) || bytes.contains(UInt8(ascii: "#")) { return }
        let isSame = FoundationPlistModel.object(in: bytes).map { FoundationPlistModel.isSame(document.root.value, $0) }
        try require(isSame == true, "the value is \(document.root), and Foundation reads another one")
        let text = String(decoding: bytes.filter { !" \t\n".utf8.contains($0) }, as: UTF8.self)
        if text.hasPrefix("<"), !text.contains("&"), !text.contains("<!") {
            try isWritten(document.root.value, in: text)
        }
    }

    /// Checks that the dates and the data of a value are in the XML without white space: Foundation moves days that do
    /// not exist, and skips characters that are not base64.
    private static func isWritten(_ value: PropertyValue, in text: String) throws {
        switch value {
        case .dateTime(let date): try require(text.contains("<date>\(date)</date>"), "\(date) is not in \(text)")
        case .data(let bytes):
            let data = Base64.text(of: bytes)
            try require(text.contains(">\(data)</data>") || bytes.isEmpty, "\(data) is not in \(text)")
        case .array(let nodes): for node in nodes { try isWritten(node.value, in: text) }
        case .table(let table): for entry in table { try isWritten(entry.node.value, in: text) }
        default: break
        }
    }

    /// Checks that a value that is printed as JSON reads back as the same value.
    private static func readsBack(_ node: PropertyNode) throws {
        for layout in [JsonText.Layout.line, .lines] {
            let text = JsonText.text(node, layout: layout)
            let again = Result { try JsonModel.value(Array(text.utf8), isStrict: true) }
            try require((try? again.get()) == ModelValue(node.value), "printed as \(text), it does not read back")
        }
    }
}

/// A comparison of what a parser makes of a document with what a model makes of it.
struct DocumentCheck {
    private let bytes: [UInt8]
    private let model: Result<ModelValue, any Error>
    private let depthLimit: Int

    /// Creates a comparison for a parser with the default limit of the depth, 128 levels.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - model: the value or the error of the model.
    ///   - rootLevels: 1 if the parser counts the root as a level; 0 if it does not.
    init(_ bytes: [UInt8], _ model: Result<ModelValue, any Error>, rootLevels: Int = 1) {
        (self.bytes, self.model, depthLimit) = (bytes, model, 129 - rootLevels)
    }

    /// Runs a parser, and compares its value or its error with the model.
    ///
    /// - Returns: the value, or nil if the document is invalid.
    func node(
        parsedBy parse: (FileSource.Content) throws(PropertyLoadError) -> (PropertyNode, [PropertyLoadError])
    ) throws -> PropertyNode? {
        let content = try FileSource(bytes: bytes, name: "fuzz").read(limit: .max)
        let parsed = Result { () throws(PropertyLoadError) in try parse(content) }
        switch (parsed, model) {
        case (.success(let (node, warnings)), .success(let expected)):
            let value = ModelValue(node.value)
            try require(value == expected, "the value is \(value); expected \(expected)")
            try checkPlaces(of: node)
            for warning in warnings { try ErrorCheck(bytes.count).check(warning) }
            return node
        case (.success, .failure): throw Violation(description: "it is accepted, and the model refuses it")
        case (.failure(let error), _):
            try ErrorCheck(bytes.count).check(error)
            if case .success(let expected) = model, error.reason != .limit || expected.depth <= depthLimit {
                throw Violation(description: "the model accepts it, and the error is: \(error)")
            }
            return nil
        }
    }

    /// Checks the depth of a value, and that all its places are in the document.
    func checkPlaces(of node: PropertyNode) throws {
        let depth = ModelValue(node.value).depth
        try require(depth <= depthLimit, "the depth is \(depth); expected a limit of \(depthLimit)")
        try places(of: node)
    }

    private func places(of node: PropertyNode) throws {
        try ErrorCheck(bytes.count).place(node.origin, of: "a value")
        switch node.value {
        case .array(let nodes): for node in nodes { try places(of: node) }
        case .table(let table):
            try require(Set(table.map { PropertyKey($0.key) }).count == table.count, "a key is twice in \(table)")
            for entry in table {
                try ErrorCheck(bytes.count).place(entry.keyOrigin, of: "a key")
                try places(of: entry.node)
            }
        default: break
        }
    }
}

/// Checks of an error about a document.
struct ErrorCheck {
    private let count: Int

    /// Creates checks for a document of `count` bytes.
    init(_ count: Int) { self.count = count }

    /// Checks an error, and the errors after it in the same text.
    func check(_ error: PropertyLoadError) throws {
        try checkAlone(error)
        let further = error.furtherErrors
        // The last one may say that there are more.
        try require(further.count <= ListLimit.errors, "there are \(further.count) further errors")
        for next in further {
            try checkAlone(next)
            try require(next.furtherErrors.isEmpty, "a further error has errors after it")
        }
        let texts = ([error] + further).map(\.description)
        try require(Set(texts).count == texts.count, "an error is reported twice: \(texts)")
    }

    /// Checks that all places are in the document, and that the texts are complete and printable.
    private func checkAlone(_ error: PropertyLoadError) throws {
        try place(error.origin, of: "the error")
        for note in error.notes { try place(note.origin, of: "a note") }
        try require(!error.problem.isEmpty, "the error has no text")
        for text in [error.description, error.longDescription] {
            let isPrintable = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !$0.isControl }
            try require(isPrintable, "the error has control characters: \(text)")
        }
        try require(!error.description.utf8.contains(UInt8(ascii: "\n")), "the error has two lines: \(error)")
    }

    func place(_ origin: PropertyOrigin, of what: String) throws {
        guard case .text = origin.source.places, origin.place != PropertyOrigin.nowhere else { return }
        try require(Int(origin.place) <= count, "\(what) is at \(origin.place) of \(count) bytes")
        let line = origin.line ?? 0, column = origin.column ?? 0
        try require(line >= 1 && column >= 1 && line + column <= count + 2, "\(what) is at \(line):\(column)")
    }
}
