// The one place that puts into words why placeholders fail. Of a secret text nothing is shown.
extension PlaceholderPass {
    func template(
        _ text: String, _ subject: Subject
    ) throws(PropertyLoadError) -> PlaceholderTemplate? {
        do throws(PlaceholderTemplate.Mistake) {
            return try PlaceholderTemplate(text, depthLimit: subject.lookups.rules.depthLimit)
        } catch {
            let name = tree.name(of: subject.index)
            let remedy = "Write $${ for a literal ${"
            switch error {
            case .unclosed:
                throw self.error(
                    .syntax, "a '${' in '\(name)' has no end", subject, expected: "'}'", remedy: remedy)
            case .empty:
                throw self.error(
                    .syntax, "a placeholder in '\(name)' is empty", subject, expected: "a name between the braces",
                    remedy: remedy)
            case .tooDeep:
                let limit = subject.lookups.rules.depthLimit
                throw self.error(
                    .limit, "the defaults in '\(name)' stand more than \(limit) deep in each other", subject)
            }
        }
    }

    func tooDeep(_ subject: Subject) -> PropertyLoadError {
        let limit = subject.lookups.rules.depthLimit
        return error(
            .limit, "more than \(limit) placeholders lead from one to the next", subject,
            remedy: "Name the last of them directly", citation: .nothing)
    }

    func tooLarge(_ subject: Subject) -> PropertyLoadError {
        error(
            .limit, "what the placeholders produce has more than \(subject.lookups.rules.sizeLimit) bytes", subject,
            remedy: "Check that no placeholder repeats what is large", citation: .nothing)
    }

    func missing(_ reference: PlaceholderTemplate.Reference, _ subject: Subject) -> PropertyLoadError {
        let text = words(reference, subject)
        let isLookup = subject.lookups.isLookup(reference)
        if isSecret(subject) {
            return error(
                .unresolved, isLookup ? "\(text) leads nowhere" : "\(text) leads to no property", subject,
                remedy: isLookup ? "Provide it, or write a default" : "Set the property, or write a default")
        }
        if isLookup, let (scheme, argument) = reference.lookup {
            return error(
                .unresolved, "\(text) leads nowhere: '\(scheme)' has no '\(argument)'", subject,
                remedy: "Provide it, or write a default: ${\(reference.name):-…}")
        }
        let remedy = nearest(to: reference).map { "Perhaps ${\($0)} was meant" }
        return error(
            .unresolved, "\(text) leads to no property", subject,
            remedy: remedy ?? "Set the property, or write a default: ${\(reference.name):-…}")
    }

    /// What was probably meant instead of a name that no property has.
    private func nearest(to reference: PlaceholderTemplate.Reference) -> String? {
        // Shells, too, take ${port:-8080}; a name before a colon that is no lookup is most likely that, misspelled.
        if let (name, fallback) = reference.lookup { return "\(name):-\(fallback)" }
        // The search goes over all names, and of all failures only the first is shown with its remedy.
        return failures.isEmpty ? Suggestions.nearest(to: reference.name, in: tree) : nil
    }

    func failed(
        _ reference: PlaceholderTemplate.Reference, _ error: any Error, _ subject: Subject
    ) -> PropertyLoadError {
        let cause = error as? PropertyLoadError
        let reason = cause?.reason ?? .unresolved
        let text = "\(words(reference, subject)) cannot be looked up"
        guard !isSecret(subject) else { return self.error(reason, text, subject) }
        guard let cause else { return self.error(reason, "\(text): \(error)", subject) }
        return PropertyLoadError(
            reason, "\(text): \(cause.problem)", at: origin(of: subject), expected: cause.expected,
            remedy: cause.remedy, notes: cause.notes + [.init("reported by", at: cause.origin)], citation: .words)
    }

    func withoutText(
        _ reference: PlaceholderTemplate.Reference, _ value: PropertyValue, _ subject: Subject
    ) -> PropertyLoadError {
        error(
            .unsupported, "\(words(reference, subject)) leads to \(TypeName.noun(of: value))", subject,
            expected: "a single value that has a text")
    }

    /// Why each element of a circle fails.
    func circleErrors(_ circle: [Int]) -> [PropertyLoadError] {
        let remedy = "Give one of them a value of its own"
        // The names are what stands in the texts.
        if circle.contains(where: { isSecret($0) }) {
            return circle.map { index in
                PropertyLoadError(
                    .cycle, "the placeholders in '\(tree.name(of: index))' lead back to it",
                    at: tree.elements[index].node.origin, remedy: remedy, citation: .nothing)
            }
        }
        let first = circle.indices.min { circle[$0] < circle[$1] } ?? 0
        let path = circle[first...] + circle[..<first] + circle[first...first]
        let names = path.map { tree.name(of: $0) }.joined(separator: " → ")
        let error = PropertyLoadError(
            .cycle, "the placeholders go in a circle: \(names)", at: tree.elements[circle[first]].node.origin,
            remedy: remedy, citation: .words)
        return circle.map { _ in error }
    }

    /// Why an element with a secret text fails that refers to one that failed.
    func leadingToFailure(_ index: Int, _ reason: PropertyLoadError.Reason) -> PropertyLoadError {
        PropertyLoadError(
            reason, "a placeholder in '\(tree.name(of: index))' leads to a property that cannot be read",
            at: tree.elements[index].node.origin, citation: .nothing)
    }

    private func words(_ reference: PlaceholderTemplate.Reference, _ subject: Subject) -> String {
        let name = tree.name(of: subject.index)
        return isSecret(subject) ? "a placeholder in '\(name)'" : "'${\(reference.name)}' in '\(name)'"
    }

    private func error(
        _ reason: PropertyLoadError.Reason, _ problem: String, _ subject: Subject, expected: String? = nil,
        remedy: String? = nil, citation: PropertyLoadError.Citation = .words
    ) -> PropertyLoadError {
        PropertyLoadError(
            reason, problem, at: origin(of: subject), expected: expected, remedy: remedy,
            citation: isSecret(subject) ? .nothing : citation)
    }

    private func isSecret(_ subject: Subject) -> Bool {
        subject.node.origin.source.isSecret || isSecret(subject.index)
    }

    // The elements of an array have no source of their own where a loader made them of literals.
    private func origin(of subject: Subject) -> PropertyOrigin {
        let origin = subject.node.origin
        return origin.source === PropertySource.unknown ? tree.elements[subject.index].node.origin : origin
    }
}
