// What the merge has to say about sources that do not fit together.
extension PropertyMerge {
    func describeCollision(_ index: Int, _ entry: PropertyTable.Entry, _ step: Step) -> PropertyLoadError {
        let first = tree.elements[index]
        var origin = entry.keyOrigin
        if origin.source === PropertySource.unknown { origin = PropertyOrigin(source: step.source) }
        return PropertyLoadError(
            .duplicate, "two keys have the flat name '\(tree.name(of: index))'", at: origin,
            remedy: "Write the name in one way only",
            notes: [
                .init("the other is at", at: PropertyOrigin(source: first.node.origin.source, place: first.keyPlace))
            ])
    }

    /// Tells of a table over a plain value, or the reverse. Called before the element is replaced.
    func describeChange(of index: Int, to entry: PropertyTable.Entry, _ step: Step) -> PropertyLoadError {
        let old = tree.elements[index]
        var origin = entry.node.origin
        if origin.source === PropertySource.unknown { origin = PropertyOrigin(source: step.source) }
        let name = tree.name(of: index)
        return PropertyLoadError(
            .kindChange, "'\(name)' is \(TypeName.noun(of: entry.node.value))", at: origin,
            expected: TypeName.noun(of: old.node.value), remedy: "Rename one of them",
            notes: [.init("which it is at", at: old.node.origin)])
    }
}
