extension PropertyValue {
    /// Returns the warning about white space or quotation marks around a text without a type, which stay a part of the
    /// value, or nil if there are none.
    func warningAboutEnds(at origin: PropertyOrigin) -> PropertyLoadError? {
        guard case .text(let text) = self, let flaw = TextFlaw(text) else { return nil }
        // A text of several lines, such as a key, usually ends with a line break.
        if text.isSame(as: flaw.repaired + "\n"), flaw.repaired.contains(byte: .newline) { return nil }
        let isWhiteSpace = flaw.kind == .whiteSpace
        return PropertyLoadError(
            isWhiteSpace ? .whiteSpace : .quotationMarks,
            "the value has \(flaw.description), which \(isWhiteSpace ? "is" : "are") a part of it", at: origin,
            remedy: "Remove \(isWhiteSpace ? "it" : "them") if that is not meant")
    }
}
