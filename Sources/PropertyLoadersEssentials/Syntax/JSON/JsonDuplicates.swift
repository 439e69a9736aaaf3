import Properties

extension SyntaxTree {
    /// A warning for each key that took an earlier one's place.
    var duplicateWarnings: [PropertyLoadError] {
        document.duplicates.map { duplicate in
            let name = document.string(document.storage[duplicate.later].key)
            return PropertyLoadError(
                .duplicate, "the key `\(name)` stands twice, and this one counts", at: keyOrigin(duplicate.later),
                remedy: "Remove one of the two",
                notes: [PropertyLoadError.Note("first at", at: keyOrigin(duplicate.earlier))])
        }
    }

    private func keyOrigin(_ node: UInt32) -> PropertyOrigin {
        PropertyOrigin(source: source, place: document.keyPlace(of: node, document.storage[node]))
    }
}
