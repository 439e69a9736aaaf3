package import TextBasics

extension SyntaxDocument {
    /// An error for each key that took an earlier one's place.
    package var duplicateKeys: BoundedList<SyntaxError> {
        duplicates.map { duplicate in
            let key = PrintableText.clipped(string(self[duplicate.later].key))
            return SyntaxError(
                reason: .duplicate, name: name, source: text, offset: keyOffset(duplicate.later),
                problem: "the key `\(key)` stands twice, and this one counts", expected: nil,
                remedy: "Remove one of the two",
                note: SyntaxError.Note(text: "first at", offset: keyOffset(duplicate.earlier)))
        }
    }

    private func keyOffset(_ node: UInt32) -> Int { Int(keyPlace(of: node, self[node])) }
}
