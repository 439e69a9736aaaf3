// Each error keeps the state in which it was found, for the parts of its text that are computed on demand.
extension PropertySnapshot: PropertyHistory {
    func nearestName(to name: String) -> String? { tree.nearestName(to: name) }

    func origin(of key: PropertyKey) -> PropertyOrigin? { find(key).map { tree.elements[$0].node.origin } }
}

extension PropertyError {
    /// A value that is not what was asked for.
    ///
    /// - Parameters:
    ///   - mismatch: what is wrong, and where inside the value that was read.
    ///   - name: the flat name of what was read, or nil for all properties.
    ///   - snapshot: the state in which it was read.
    ///   - isSecret: whether it was read by a key that is secret.
    init(_ mismatch: PropertyMismatch, at name: String?, _ snapshot: PropertySnapshot, isSecret: Bool = false) {
        let isAboutAll = name == nil && mismatch.path.isEmpty
        let inner = isAboutAll ? nil : name.joined(path: mismatch.path)
        let node = mismatch.node
        let cause = node.isNull ? snapshot.cause(of: PropertyKey(inner ?? "")) : nil
        // The elements of an array have no source of their own if a loader made them from literals.
        let hasOrigin = !node.origin.source.isUnknown
        let origin = hasOrigin ? node.origin : name.flatMap { snapshot.origin(of: PropertyKey($0)) }
        let holdsSecret = snapshot.holdsSecret(inner, node)
        let isMasked =
            isSecret || (node.isTable && hasOrigin ? holdsSecret : snapshot.isSecret(inner, origin))
            || (!hasOrigin && node.origin.source.isSecret)
        // A remedy and a type's complaint may quote the value.
        let mayQuote = !isMasked && !holdsSecret
        self.init(
            cause == nil ? mismatch.reason : .conflict, inner, at: origin,
            node: mismatch.reason == .missing ? nil : node, expected: mismatch.expected,
            remedy: mayQuote ? mismatch.remedy : nil, complaint: mayQuote && !node.isUntyped ? mismatch.complaint : nil,
            isSecret: isMasked, cause: cause, in: snapshot)
    }

    /// A name that no source has, or that a null masks.
    init(missing name: String, expected: String, _ snapshot: PropertySnapshot, isSecret: Bool = false) {
        let node = snapshot.node(PropertyKey(name))
        // A null is not secret, but what it masks may be.
        self.init(
            .missing, name, at: node?.origin, node: node, expected: expected,
            isSecret: isSecret || snapshot.isSecret(name, node?.origin), in: snapshot)
    }

    /// A key that nobody reads.
    init(unknown name: String, at origin: PropertyOrigin, _ candidates: Candidates, _ snapshot: PropertySnapshot) {
        self.init(
            .unknownKey, name, at: origin, expected: "a key that is read", candidates: candidates, in: snapshot)
    }

    /// Sources that contradict each other. The name is that of the property that has no value because of it, or nil for
    /// all properties.
    init(_ cause: PropertyLoadError, at name: String?, expected: String, _ snapshot: PropertySnapshot) {
        self.init(
            .conflict, name, at: cause.origin, expected: expected, remedy: cause.remedy,
            isSecret: snapshot.isSecret(name, cause.origin), cause: cause, in: snapshot)
    }
}
