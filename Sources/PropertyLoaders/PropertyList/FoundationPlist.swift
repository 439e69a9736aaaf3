internal import Foundation

/// Foundation's parsers of property lists.
enum FoundationPlist {
    /// Returns the value of a property list that has been checked against the limits.
    static func value(of bytes: [UInt8], isBinary: Bool) throws(Diagnostic) -> Any {
        do {
            var format = PropertyListSerialization.PropertyListFormat.openStep
            // If leaves were immutable, Foundation would look for equal strings, which takes 15 times as long.
            let value = try unsafe PropertyListSerialization.propertyList(
                from: Data(bytes), options: .mutableContainersAndLeaves, format: &format)
            guard format == (isBinary ? .binary : .xml) else { throw CocoaError(.propertyListReadCorrupt) }
            return value
        } catch {
            if isBinary { throw BinaryPlistGuard.invalid("the file", 0) }
            let reason = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "\(error)"
            let words = PrintableText.escaped(String(reason.unicodeScalars.prefix(120)))
            throw Diagnostic("this is not a valid property list: \"\(words)\"", at: offset(ofLineIn: reason, of: bytes))
        }
    }

    /// Returns the text of a `<string>`, or nil if it is not a text.
    static func string(_ content: some Sequence<UInt8>) throws(Diagnostic) -> String? {
        let document = Array("<plist><string>".utf8) + content + "</string></plist>".utf8
        return try value(of: document, isBinary: false) as? String
    }

    // Returns the start of the line that Foundation names, or the end of the text if it names none.
    private static func offset(ofLineIn reason: String, of text: [UInt8]) -> Int {
        let words = reason.utf8.split(separator: .space)
        let number = zip(words, words.dropFirst()).filter { $0.0.elementsEqual("line".utf8) }.last?.1
        guard let number, let line = Int(String(decoding: number, as: UTF8.self)), line > 0 else { return text.count }
        var rest = text[...]
        for _ in 1..<line { rest = rest.drop { $0 != .newline }.dropFirst() }
        return rest.firstIndex { !$0.isWhitespace } ?? text.count
    }
}
