extension PropertyLoadError {
    /// Creates the error of a source from what a parser found in it.
    ///
    /// A source that is not text, such as a binary property list, has no lines. The message contains the byte offset.
    ///
    /// - Parameters:
    ///   - diagnostic: what was found.
    ///   - source: the source.
    ///   - citation: whether the messages quote values of the source.
    package init(_ diagnostic: Diagnostic, in source: PropertySource, citation: Citation = .unknown) {
        let isText = if case .text = source.places { true } else { false }
        func origin(_ offset: Int?) -> PropertyOrigin {
            guard isText, let offset else { return PropertyOrigin(source: source) }
            return PropertyOrigin(source, at: offset)
        }
        let reasons: [Diagnostic.Kind: Reason] = [.duplicate: .duplicate, .unsupported: .unsupported, .limit: .limit]
        let place = isText ? "" : diagnostic.offset.map { " at byte \($0)" } ?? ""
        self.init(
            reasons[diagnostic.kind] ?? .syntax, diagnostic.problem + place, at: origin(diagnostic.offset),
            expected: diagnostic.expected, remedy: diagnostic.remedy,
            notes: diagnostic.note.map { [Note($0.text, at: origin($0.offset))] } ?? [], citation: citation)
    }
}
