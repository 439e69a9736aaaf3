// The values that placeholders are replaced in, once those that they refer to are there.
extension PlaceholderPass {
    /// A value whose placeholders are replaced: an element's, or one in its array.
    struct Subject {
        let index: Int
        var node: PropertyNode
        let lookups: Lookups
    }

    /// A value with its placeholders replaced, and whether it has a secret from somewhere else in it.
    struct Replaced {
        var node: PropertyNode
        var holdsSecret = false
    }

    /// Replaces the placeholders of an element, or of a value in its array.
    mutating func replaced(
        _ subject: Subject, isInArray: Bool
    ) throws(PropertyLoadError) -> Replaced {
        var new = Replaced(node: subject.node)
        switch subject.node.value {
        case .string(let text), .text(let text):
            new.node.value = try replaced(text, subject, isInArray, &new.holdsSecret)
        case .array(var nodes):
            for index in nodes.indices {
                nodes[index] = try replacedPart(nodes[index], subject, isInArray: true, &new.holdsSecret)
            }
            new.node.value = .array(nodes)
        case .table(let table) where !table.isEmpty:
            var entries: [PropertyTable.Entry] = []
            for var entry in table {
                entry.node = try replacedPart(entry.node, subject, isInArray: isInArray, &new.holdsSecret)
                entries.append(entry)
            }
            new.node.value = .table(PropertyTable(entries: entries))
        default: break
        }
        if new.holdsSecret { markSecret(&new.node) }
        return new
    }

    private mutating func replacedPart(
        _ node: PropertyNode, _ outer: Subject, isInArray: Bool, _ holdsSecret: inout Bool
    ) throws(PropertyLoadError) -> PropertyNode {
        var inner = outer
        inner.node = node
        let new = try replaced(inner, isInArray: isInArray)
        holdsSecret = holdsSecret || new.holdsSecret
        return new.node
    }

    private mutating func replaced(
        _ text: String, _ subject: Subject, _ isInArray: Bool, _ holdsSecret: inout Bool
    ) throws(PropertyLoadError) -> PropertyValue {
        guard let template = try template(text, subject) else { return subject.node.value }
        if let reference = template.onlyReference {
            let value = try value(of: reference, subject, &holdsSecret)
            // An array of arrays that grow out of each other would double with each step.
            if isInArray, case .array = value { throw withoutText(reference, value, subject) }
            try count(value, subject)
            return value
        }
        let replaced = try self.text(of: template, subject, &holdsSecret)
        if case .string = subject.node.value { return .string(replaced) }
        return .text(replaced)
    }

    private mutating func value(
        of reference: PlaceholderTemplate.Reference, _ subject: Subject, _ holdsSecret: inout Bool
    ) throws(PropertyLoadError) -> PropertyValue {
        let found = try found(by: reference, subject)
        guard let found, !(reference.fallback == nil ? found.value.isNull : found.value.needsDefault) else {
            guard let fallback = reference.fallback else { throw missing(reference, subject) }
            return .text(try text(of: fallback, subject, &holdsSecret))
        }
        holdsSecret = holdsSecret || found.isSecret
        return found.value
    }

    /// What a reference leads to, and whether it is secret; nil where there is nothing.
    private func found(
        by reference: PlaceholderTemplate.Reference, _ subject: Subject
    ) throws(PropertyLoadError) -> (value: PropertyValue, isSecret: Bool)? {
        if subject.lookups.isLookup(reference) {
            do {
                return try subject.lookups(reference).map { (.text($0.text), $0.isSecret) }
            } catch is Lookups.Exceeded {
                throw tooLarge(subject)
            } catch {
                throw failed(reference, error, subject)
            }
        }
        guard let index = tree.find(PropertyKey(reference.name)) else { return nil }
        let node = tree.elements[index].node
        if case .table = node.value { throw withoutText(reference, node.value, subject) }
        return (node.value, node.origin.source.isSecret || isDeclaredSecret(reference.name))
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

    // What is used counts each time: what grows by a factor with each step ends soon.
    private mutating func count(_ value: PropertyValue, _ subject: Subject) throws(PropertyLoadError) {
        size += value.size
        guard size <= subject.lookups.rules.sizeLimit else { throw tooLarge(subject) }
    }

    // With all that is in it: an error about an inner value knows the origin of that value alone.
    private mutating func markSecret(_ node: inout PropertyNode) {
        let source = node.origin.source
        if !source.isSecret {
            let secret = secretSources[ObjectIdentifier(source)] ?? source.asSecret
            secretSources[ObjectIdentifier(source)] = secret
            node.origin = PropertyOrigin(source: secret, place: node.origin.place)
        }
        switch node.value {
        case .array(var nodes):
            for index in nodes.indices { markSecret(&nodes[index]) }
            node.value = .array(nodes)
        case .table(let table):
            var entries: [PropertyTable.Entry] = []
            for var entry in table {
                markSecret(&entry.node)
                entries.append(entry)
            }
            node.value = .table(PropertyTable(entries: entries))
        default: break
        }
    }
}

extension PropertyValue {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Whether a placeholder that leads here takes its default: for null and for the empty text.
    var needsDefault: Bool {
        switch self {
        case .null: true
        case .string(let text), .text(let text): text.isEmpty
        default: false
        }
    }

    /// How many bytes a copy of the value takes, about.
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

    /// The value as a part of a longer text; nil for what has no text.
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
