// Replaces the placeholders of one element. The elements that it refers to have been replaced before.
extension PlaceholderPass {
    /// A value whose placeholders are to be replaced: the value of an element, or a value inside it.
    struct Subject {
        let index: Int
        var node: PropertyNode
        let lookups: PlaceholderLookups

        /// Returns the subject for a value inside this one.
        fileprivate func part(_ node: PropertyNode) -> Subject {
            Subject(index: index, node: node, lookups: lookups)
        }
    }

    /// Returns the value of an element with its placeholders replaced.
    mutating func replaced(_ subject: Subject) throws(PropertyLoadError) -> PropertyNode {
        var holdsSecret = false
        let node = try replaced(subject, isInArray: false, &holdsSecret)
        // Marks the values inside the node, too, because an error about an inner value knows only the origin of that
        // value.
        return holdsSecret ? secrets.node(node, levels: PropertyLayer.depthLimit) : node
    }

    /// Replaces the placeholders of a value. Sets `holdsSecret` to true if a secret was inserted into the result.
    private mutating func replaced(
        _ subject: Subject, isInArray: Bool, _ holdsSecret: inout Bool
    ) throws(PropertyLoadError) -> PropertyNode {
        var node = subject.node
        switch node.value {
        case .string(let text), .text(let text):
            node.value = try replaced(text, subject, isInArray, &holdsSecret)
        case .array(var nodes):
            for index in nodes.indices {
                nodes[index] = try replaced(subject.part(nodes[index]), isInArray: true, &holdsSecret)
            }
            node.value = .array(nodes)
        case .table(let table) where !table.isEmpty:
            let new = try table.mapNodes { (inner) throws(PropertyLoadError) in
                try replaced(subject.part(inner), isInArray: isInArray, &holdsSecret)
            }
            node.value = .table(new)
        default: break
        }
        return node
    }

    private mutating func replaced(
        _ text: String, _ subject: Subject, _ isInArray: Bool, _ holdsSecret: inout Bool
    ) throws(PropertyLoadError) -> PropertyValue {
        guard let template = try template(text, subject) else { return subject.node.value }
        if let reference = template.onlyReference {
            let value = try value(of: reference, subject, &holdsSecret)
            // A placeholder inside an array must not insert another array. If each of several arrays contained the
            // previous one twice, the size would double with each of them.
            if isInArray, case .array = value { throw withoutText(reference, value, subject) }
            try count(value, subject)
            return value
        }
        let replaced = try self.text(of: template, subject, &holdsSecret)
        if case .string = subject.node.value { return .string(replaced) }
        return .text(replaced)
    }

    private func template(_ text: String, _ subject: Subject) throws(PropertyLoadError) -> PlaceholderTemplate? {
        do throws(PlaceholderTemplate.ParseError) {
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

    private mutating func value(
        of reference: PlaceholderTemplate.Reference, _ subject: Subject, _ holdsSecret: inout Bool
    ) throws(PropertyLoadError) -> PropertyValue {
        let found = try found(by: reference, subject)
        // The result is secret even if the secret is empty and a default replaces it, because the default then serves
        // as the secret. A null reveals nothing.
        if let found, found.isSecret, !found.node.isNull { holdsSecret = true }
        guard let found, !(reference.fallback == nil ? found.node.isNull : found.node.value.needsDefault) else {
            guard let fallback = reference.fallback else { throw missing(reference, subject) }
            return .text(try text(of: fallback, subject, &holdsSecret))
        }
        return found.node.value
    }

    /// Returns the value of a reference and whether it is secret, or nil if there is no value.
    private func found(
        by reference: PlaceholderTemplate.Reference, _ subject: Subject
    ) throws(PropertyLoadError) -> (node: PropertyNode, isSecret: Bool)? {
        if subject.lookups.isLookup(reference) {
            do {
                return try subject.lookups(reference).map { (PropertyNode(.text($0.text)), $0.isSecret) }
            } catch is PlaceholderLookups.Exceeded {
                throw tooLarge(subject)
            } catch {
                throw failed(reference, error, subject)
            }
        }
        guard let index = tree.find(PropertyKey(reference.name)) else { return nil }
        let node = tree.elements[index].node
        if node.isTable { throw withoutText(reference, node.value, subject) }
        return (node, node.origin.source.isSecret || isDeclaredSecret(reference.name))
    }

    private mutating func text(
        of template: PlaceholderTemplate, _ subject: Subject, _ holdsSecret: inout Bool
    ) throws(PropertyLoadError) -> String {
        var text = ""
        for part in template.parts {
            switch part {
            case .literal(let literal): text += literal
            case .reference(let reference):
                let value = try value(of: reference, subject, &holdsSecret)
                guard let piece = value.placeholderText else { throw withoutText(reference, value, subject) }
                try count(.text(piece), subject)
                text += piece
            }
        }
        return text
    }

    // Adds the size of a value to the total. Each use is added, so values that grow exponentially reach the limit soon.
    private mutating func count(_ value: PropertyValue, _ subject: Subject) throws(PropertyLoadError) {
        size += value.size
        guard size <= subject.lookups.rules.sizeLimit else { throw tooLarge(subject) }
    }
}

// MARK: - Errors

// Errors about a secret text contain nothing of it.
extension PlaceholderPass {
    private func tooLarge(_ subject: Subject) -> PropertyLoadError {
        error(
            .limit, "what the placeholders produce has more than \(subject.lookups.rules.sizeLimit) bytes", subject,
            remedy: "Check that no placeholder repeats what is large", citation: .nothing)
    }

    private func missing(_ reference: PlaceholderTemplate.Reference, _ subject: Subject) -> PropertyLoadError {
        let text = describe(reference, subject)
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

    /// Returns the reference that was probably meant, or nil.
    private func nearest(to reference: PlaceholderTemplate.Reference) -> String? {
        // ${port:8080} is most likely meant as a name with a default.
        if let (name, fallback) = reference.lookup { return "\(name):-\(fallback)" }
        // Only the first failure has a suggestion, because the search visits all names and only that failure is shown.
        return failures.isEmpty ? tree.nearestName(to: reference.name) : nil
    }

    private func failed(
        _ reference: PlaceholderTemplate.Reference, _ error: any Error, _ subject: Subject
    ) -> PropertyLoadError {
        let cause = error as? PropertyLoadError
        let reason = cause?.reason ?? .unresolved
        let text = "\(describe(reference, subject)) cannot be looked up"
        guard !isSecret(subject) else { return self.error(reason, text, subject) }
        guard let cause else { return self.error(reason, "\(text): \(error)", subject) }
        return PropertyLoadError(
            reason, "\(text): \(cause.problem)", at: origin(of: subject), expected: cause.expected,
            remedy: cause.remedy, notes: cause.notes + [.init("reported by", at: cause.origin)], citation: .words)
    }

    private func withoutText(
        _ reference: PlaceholderTemplate.Reference, _ value: PropertyValue, _ subject: Subject
    ) -> PropertyLoadError {
        error(
            .unsupported, "\(describe(reference, subject)) leads to \(ValueText.noun(of: value))", subject,
            expected: "a single value that has a text")
    }

    private func describe(_ reference: PlaceholderTemplate.Reference, _ subject: Subject) -> String {
        let name = tree.name(of: subject.index)
        return isSecret(subject) ? "a placeholder in '\(name)'" : "'${\(reference.name)}' in '\(name)'"
    }

    func error(
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

    // Elements of an array that a loader created from literals have no source. For them, the origin of the array is
    // used.
    private func origin(of subject: Subject) -> PropertyOrigin {
        let origin = subject.node.origin
        return origin.source.isUnknown ? tree.elements[subject.index].node.origin : origin
    }
}

// MARK: - Values

extension PropertyValue {
    /// Whether a placeholder with this value uses its default: if the value is null or empty text.
    var needsDefault: Bool {
        switch self {
        case .null: true
        case .string(let text), .text(let text): text.isEmpty
        default: false
        }
    }

    /// The approximate size of a copy of the value, in bytes.
    fileprivate var size: Int {
        switch self {
        case .string(let text), .text(let text), .bigInteger(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .array(let nodes): nodes.reduce(0) { $0 + MemoryLayout<PropertyNode>.stride + $1.value.size }
        case .table(let table):
            table.reduce(0) { $0 + MemoryLayout<PropertyTable.Entry>.stride + $1.key.utf8.count + $1.node.value.size }
        default: 0
        }
    }

    /// The text of the value inside a longer text, or nil if the value has no text.
    fileprivate var placeholderText: String? {
        switch self {
        case .bool(let bool): String(bool)
        case .integer(let integer): String(integer)
        case .unsigned(let integer): String(integer)
        case .bigInteger(let digits): digits
        case .double(let double): String(double)
        case .string(let text), .text(let text): text
        case .dateTime(let dateTime): dateTime.description
        case .opaque(let opaque): (opaque.value as? any CustomStringConvertible)?.description
        case .null, .data, .array, .table: nil
        }
    }
}
