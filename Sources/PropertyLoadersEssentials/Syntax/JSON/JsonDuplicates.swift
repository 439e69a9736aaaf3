import Properties

extension SyntaxTree {
    /// A warning for each key that took an earlier one's place.
    var duplicateWarnings: [PropertyLoadError] {
        document.duplicates.map { later, earlier in
            let node = document.nodes[Int(later)]
            let name = document.string(Int(node.keyOffset)..<Int(node.keyOffset) + Int(node.keyCount))
            return PropertyLoadError(
                .duplicate, "the key `\(name)` stands twice, and this one counts", at: keyOrigin(later),
                remedy: "Remove one of the two",
                notes: [PropertyLoadError.Note("first at", at: keyOrigin(earlier))])
        }
    }

    private func keyOrigin(_ node: UInt32) -> PropertyOrigin {
        PropertyOrigin(source: source, place: document.keyPlace(of: node))
    }
}
