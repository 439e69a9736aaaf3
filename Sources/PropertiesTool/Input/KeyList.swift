import PropertyLoaders

/// The names of a service's keys, from a file with one name on each line.
///
/// Blank lines are left out, and so are comments, which begin with `#`.
struct KeyList {
    private let names: [String]

    /// Loads a list.
    ///
    /// - Parameter input: the file.
    /// - Throws: a `PropertyLoadError` if the file cannot be read, is not text, or has no name.
    init(_ input: Input) throws {
        let content = try input.content()
        let source = content.source(text: SourceText(bytes: content.bytes))
        if let offset = UTF8Text.firstInvalidByte(in: content.bytes) {
            throw PropertyLoadError(
                .syntax, "the list is not text", at: PropertyOrigin(source: source, place: UInt32(clamping: offset)),
                expected: "UTF-8")
        }
        let start = UTF8Text.start(of: content.bytes)
        names = String(decoding: content.bytes[start...], as: UTF8.self).parts(between: "\n")
            .map { line in
                let text = line.utf8.drop { $0.isWhitespace }
                let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? text.startIndex
                return String(decoding: text[..<end], as: UTF8.self)
            }
            .filter { !$0.isEmpty && !$0.begins(with: "#") }
        if names.isEmpty {
            throw PropertyLoadError(
                .syntax, "the list has no key", at: PropertyOrigin(source: source),
                expected: "one name on each line, such as 'server.port'")
        }
    }

    /// Declares the keys in a store, with any value. Properties below a key, such as `server.port` below `server`, are
    /// known, too.
    func declare(in store: PropertyStore) {
        store.declare(
            names.map {
                SchemaKey(
                    $0, expected: SchemaConversion.any.noun, isRequired: false, isSecret: false,
                    convert: SchemaConversion.any.convert)
            })
    }
}
