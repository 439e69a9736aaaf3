package import Properties
package import PropertyLoadersEssentials

/// A parsed property list, XML or binary. The command `properties decode` prints it.
package struct PlistDocument {
    /// The value at the top, of any type.
    package let root: PropertyNode
    /// The source of the values.
    package let source: PropertySource
    /// A warning for each duplicate key of an XML property list.
    package let warnings: [PropertyLoadError]

    /// Parses a property list.
    ///
    /// - Parameters:
    ///   - content: the bytes of the property list and the name of its source.
    ///   - limits: the maximum depth, size and number of values.
    /// - Throws: a `PropertyLoadError` if the property list breaks a rule of its format or exceeds a limit.
    package init(_ content: FileSource.Content, limits: PlistLimits = PlistLimits()) throws(PropertyLoadError) {
        let bytes = content.bytes
        let isBinary = bytes.starts(with: "bplist".utf8)
        let source = isBinary ? content.source() : content.source(text: SourceText(bytes: bytes))
        do throws(Diagnostic) {
            if isBinary {
                var reader = try BinaryPlistReader(bytes, source: source, limits: limits)
                root = try reader.document()
                warnings = []
            } else {
                try Self.checkXML(bytes)
                var reader = XMLPlistReader(bytes, source: source, limits: limits)
                root = try reader.document()
                warnings = reader.warnings.map { PropertyLoadError($0, in: source, isBinary: false) }
                    .warnings(about: source)
            }
        } catch {
            throw PropertyLoadError(error, in: source, isBinary: isBinary)
        }
        self.source = source
    }

    // Throws an error if the bytes do not look like XML in UTF-8. Foundation would read text such as `hello` as an
    // old-style property list.
    private static func checkXML(_ bytes: [UInt8]) throws(Diagnostic) {
        if UTF8Text.isUTF16(bytes) {
            throw Diagnostic(
                "the text is in UTF-16", at: nil, expected: "UTF-8", remedy: "Save the file as UTF-8",
                kind: .unsupported)
        }
        let text = bytes[UTF8Text.start(of: bytes)...]
        guard let start = text.firstIndex(where: { !$0.isWhitespace }) else {
            throw Diagnostic(
                "the file is empty", at: nil, expected: "a property list", remedy: "Check that this is the right file")
        }
        switch bytes[start] {
        case .lessThan: break
        case .openBrace, UInt8(ascii: "("), .slash, .quote:
            throw Diagnostic(
                "this looks like an old-style (OpenStep) property list, or like JSON", at: start,
                expected: "an XML or a binary property list", remedy: "Convert it with `plutil -convert xml1`",
                kind: .unsupported)
        default:
            throw Diagnostic(
                "this is not a property list", at: start, expected: "`<?xml`, `<plist` or `bplist00` at the start",
                remedy: "Check that this is the right file")
        }
        if let offset = UTF8Text.firstInvalidByte(in: bytes) {
            throw Diagnostic(
                "this is not valid UTF-8", at: offset, expected: "UTF-8 text", remedy: "Save the file as UTF-8")
        }
    }
}

extension PropertyLoadError {
    // Creates a public error from a diagnostic. A binary property list has no lines, so the message contains the byte
    // offset.
    fileprivate init(_ diagnostic: Diagnostic, in source: PropertySource, isBinary: Bool) {
        let reason: Reason =
            switch diagnostic.kind {
            case .syntax, .unrecoverable: .syntax
            case .duplicate: .duplicate
            case .unsupported: .unsupported
            case .limit: .limit
            }
        func origin(_ offset: Int?) -> PropertyOrigin {
            let place = isBinary ? nil : offset.flatMap { UInt32(exactly: $0) }
            return PropertyOrigin(source: source, place: place ?? PropertyOrigin.nowhere)
        }
        let place = isBinary ? diagnostic.offset.map { " at byte \($0)" } ?? "" : ""
        self.init(
            reason, diagnostic.problem + place, at: origin(diagnostic.offset), expected: diagnostic.expected,
            remedy: diagnostic.remedy, notes: diagnostic.note.map { [Note($0.text, at: origin($0.offset))] } ?? [])
    }
}

/// The entries of a dictionary while it is read. A later entry replaces an earlier one with the same key.
struct PlistEntries {
    private var entries: [PropertyTable.Entry] = []
    // `PropertyKey`s are compared by bytes. Comparing strings takes quadratic time for a long run of combining
    // characters.
    private var indexes: [PropertyKey: Int] = [:]

    /// The table of all entries.
    var table: PropertyTable { PropertyTable(entries: entries) }

    /// Returns the offset at which an earlier entry has the same key, or nil if there is none.
    func place(of key: PropertyKey) -> UInt32? { indexes[key].map { entries[$0].keyPlace } }

    /// Appends an entry, or replaces the one with the same key.
    mutating func set(_ node: PropertyNode, for key: PropertyKey, at place: UInt32) {
        let entry = PropertyTable.Entry(key: key.rawValue, keyPlace: place, node: node)
        if let index = indexes[key] {
            entries[index] = entry
        } else {
            indexes[key] = entries.count
            entries.append(entry)
        }
    }
}
