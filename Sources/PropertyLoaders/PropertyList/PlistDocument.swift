internal import Foundation

/// A property list, XML or binary. The command `properties decode` prints it.
package struct PlistDocument {
    /// The value at the top, of any type.
    package let root: PropertyNode
    /// The source of the values.
    package let source: PropertySource
    /// A warning for each duplicate key of an XML property list.
    package let warnings: [PropertyLoadError]

    /// Reads a property list.
    ///
    /// - Parameters:
    ///   - content: the bytes of the property list and the name of its source.
    ///   - limits: the maximum depth and size.
    ///   - entries: the maximum number of entries of a dictionary.
    /// - Throws: a `PropertyLoadError` if the property list breaks a rule of its format or exceeds a limit.
    package init(
        _ content: FileSource.Content, limits: SyntaxLimits = SyntaxLimits(),
        entries: Int = PlistPropertyLoader.defaultEntries
    ) throws(PropertyLoadError) {
        let isBinary = content.bytes.starts(with: "bplist".utf8)
        do throws(Diagnostic) { try Self.checkIsUnsigned(content.bytes) } catch {
            throw PropertyLoadError(error, in: content.source())
        }
        // XML 1.0, 2.11: each line end becomes one line feed. Foundation keeps `\r\n`.
        let bytes = isBinary ? content.bytes : UTF8Text.withLineFeeds(content.bytes)
        let budget = PlistBudget(limits, entries: entries)
        let source = isBinary ? content.source() : content.source(text: SourceText(bytes: bytes))
        do throws(Diagnostic) {
            if isBinary { try BinaryPlistGuard(bytes, budget) } else { try Self.checkXML(bytes) }
            let items = isBinary ? [] : try XMLScanner(bytes, budget).items
            let value = try FoundationPlist.value(of: bytes, isBinary: isBinary)
            var values = PlistValues(source: source, items: items, text: bytes)
            root = try values.node(value, items.first?.element == .plist ? 1 : 0)
            warnings = values.warnings.map { PropertyLoadError($0, in: source) }.warnings(about: source)
        } catch {
            throw PropertyLoadError(error, in: source)
        }
        self.source = source
    }

    // Throws an error if the bytes do not look like XML in UTF-8. Foundation would read text such as `hello` as an
    // old-style property list.
    private static func checkXML(_ bytes: [UInt8]) throws(Diagnostic) {
        try UTF8Text.check(bytes)
        let start = bytes[UTF8Text.start(of: bytes)...].firstIndex { !$0.isWhitespace }
        guard let start, bytes[start] == .lessThan else {
            throw Diagnostic(
                "this is not a property list", at: start, expected: "XML or a binary property list",
                remedy: "Convert an old-style (OpenStep) one with `plutil -convert xml1`", kind: .unsupported)
        }
    }

    // Throws an error if the bytes are those of a signed or encrypted file, such as a configuration profile.
    private static func checkIsUnsigned(_ bytes: [UInt8]) throws(Diagnostic) {
        let start = bytes.prefix(32), form: MessageText
        // RFC 5652: a sequence that begins with an identifier below 1.2.840.113549.1.7.
        let identifier: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
        if start.first == 0x30, start.indices.contains(where: { start[$0...].starts(with: identifier) }) {
            form = "DER"
        } else if ["PKCS7", "CMS"].contains(where: { start.starts(with: "-----BEGIN \($0)-----".utf8) }) {
            form = "PEM"
        } else if start.starts(with: "MIME-Version:".utf8) {
            form = "SMIME"
        } else {
            return
        }
        throw Diagnostic(
            "this is a signed or encrypted file", at: nil, expected: "XML or a binary property list",
            remedy: "Extract the property list of a signed one: openssl cms -verify -noverify -inform \(form) -in FILE",
            kind: .unsupported)
    }
}
