package import Properties
package import PropertyLoadersEssentials

/// A property list, XML or binary, as a tree of values with places: what `properties decode` prints.
package struct PlistDocument {
    /// The value at the top, of any type.
    package let root: PropertyNode
    /// What it came from.
    package let source: PropertySource
    /// The keys that stand twice.
    package let warnings: [PropertyLoadError]

    /// Reads a property list.
    ///
    /// - Throws: a `PropertyLoadError` where it breaks a rule of its format or is over a limit.
    package init(_ content: FileSource.Content, limits: PlistLimits = PlistLimits()) throws(PropertyLoadError) {
        let bytes = content.bytes
        switch PlistSignature(bytes) {
        case .binary:
            source = content.source()
            warnings = []
            do throws(PlistFault) {
                var reader = try BinaryPlistReader(bytes, source: source, limits: limits)
                root = try reader.document()
            } catch {
                throw error.loadError(in: source, isBinary: true)
            }
        case .xml:
            source = content.source(text: SourceText(bytes: bytes))
            do throws(PlistFault) {
                var reader = try XMLPlistReader(bytes, source: source, limits: limits)
                root = try reader.document()
                let source = source
                warnings = reader.warnings.map { $0.loadError(in: source, isBinary: false) }.warnings(about: source)
            } catch {
                throw error.loadError(in: source, isBinary: false)
            }
        case .none(let fault):
            throw fault.loadError(in: content.source(text: SourceText(bytes: bytes)), isBinary: false)
        }
    }
}

/// What the first bytes say that a file is.
private enum PlistSignature {
    case xml
    case binary
    case none(PlistFault)

    init(_ bytes: [UInt8]) {
        if bytes.starts(with: Array("bplist".utf8)) {
            self = .binary
            return
        }
        // The marks of UTF-16, and a `<` of it without a mark.
        for mark: [UInt8] in [[0xFE, 0xFF], [0xFF, 0xFE], [0x3C, 0], [0, 0x3C]] where bytes.starts(with: mark) {
            self = .none(PlistFault(.utf16, at: nil))
            return
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var start = bytes.starts(with: mark) ? mark.count : 0
        while start < bytes.count, XMLCharacter.isSpace(bytes[start]) { start += 1 }
        guard start < bytes.count else {
            self = .none(PlistFault(.empty, at: nil))
            return
        }
        switch bytes[start] {
        case UInt8(ascii: "<"): self = .xml
        case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "/"), UInt8(ascii: "\""):
            self = .none(PlistFault(.openStep, at: start))
        default: self = .none(PlistFault(.noPropertyList, at: start))
        }
    }
}
