/// Replaces the placeholders of a merged tree.
struct PlaceholderPass {
    private var tree: PropertyTree
    /// Why an element is null, by its index.
    private var failures: [Int: PropertyLoadError] = [:]
    private var failure: PropertyLoadError?

    private let layers: [PropertyLayer]
    private let isSecret: (String) -> Bool
    private var isDone: [Bool]
    /// The elements that are being replaced, each for the one before it.
    private var chain: [Int] = []
    private var size = 0
    private var twins: [ObjectIdentifier: PropertySource] = [:]

    /// Replaces what the layers want replaced.
    ///
    /// - Parameter isSecret: whether a name was declared secret.
    /// - Returns: the tree with all placeholders replaced, null where that failed; the first failure, for which the
    ///   state must be refused; and all of them by the index of the element that is null for it.
    static func run(
        _ tree: PropertyTree, _ layers: [PropertyLayer], isSecret: @escaping (String) -> Bool
    ) -> (tree: PropertyTree, failure: PropertyLoadError?, failures: [Int: PropertyLoadError]) {
        guard layers.indices.contains(where: { layers[$0].lookups != nil }) else { return (tree, nil, [:]) }
        var pass = PlaceholderPass(tree, layers, isSecret: isSecret)
        for index in tree.elements.indices { pass.finish(index) }
        return (pass.tree, pass.failure, pass.failures)
    }

    private init(_ tree: PropertyTree, _ layers: [PropertyLayer], isSecret: @escaping (String) -> Bool) {
        self.tree = tree
        self.layers = layers
        self.isSecret = isSecret
        isDone = tree.elements.map { layers[Int($0.layer)].lookups == nil }
    }

    private mutating func finish(_ index: Int) {
        do throws(PropertyLoadError) {
            try replace(index)
        } catch {
            failure = failure ?? error
            failures[index] = error
            tree.elements[index].node.value = .null
            isDone[index] = true
            chain = []
        }
    }

    private mutating func replace(_ index: Int) throws(PropertyLoadError) {
        guard !isDone[index], let lookups = layers[Int(tree.elements[index].layer)].lookups else { return }
        let node = tree.elements[index].node
        if let start = chain.firstIndex(of: index) { throw circle(chain[start...] + [index], at: node) }
        guard chain.count < lookups.rules.depthLimit else {
            throw PropertyLoadError(
                .limit, "more than \(lookups.rules.depthLimit) placeholders lead from one to the next", at: node.origin,
                remedy: "Name the last of them directly")
        }
        chain.append(index)
        var isTainted = false
        var new = node
        new.value = try replaced(node, lookups, isInArray: false, &isTainted)
        if isTainted { taint(&new) }
        chain.removeLast()
        tree.elements[index].node = new
        isDone[index] = true
    }

    private mutating func replaced(
        _ node: PropertyNode, _ lookups: Lookups, isInArray: Bool, _ isTainted: inout Bool
    ) throws(PropertyLoadError) -> PropertyValue {
        switch node.value {
        case .string(let text), .text(let text):
            guard let template = try template(text, node, lookups) else { return node.value }
            if let reference = template.onlyReference {
                let value = try value(of: reference, node, lookups, &isTainted)
                // An array of arrays that grow out of each other would double with each step.
                if isInArray, case .array = value { throw noText(reference, value, node) }
                return value
            }
            let replaced = try self.text(of: template, node, lookups, &isTainted)
            if case .string = node.value { return .string(replaced) }
            return .text(replaced)
        case .array(let nodes):
            var new = nodes
            for index in nodes.indices {
                var isInnerTainted = false
                new[index].value = try replaced(nodes[index], lookups, isInArray: true, &isInnerTainted)
                if isInnerTainted { taint(&new[index]) }
                isTainted = isTainted || isInnerTainted
            }
            return .array(new)
        case .table(let table):
            var entries: [PropertyTable.Entry] = []
            for var entry in table {
                var isInnerTainted = false
                entry.node.value = try replaced(entry.node, lookups, isInArray: isInArray, &isInnerTainted)
                if isInnerTainted { taint(&entry.node) }
                isTainted = isTainted || isInnerTainted
                entries.append(entry)
            }
            return .table(PropertyTable(entries: entries))
        default: return node.value
        }
    }

    private mutating func value(
        of reference: PlaceholderTemplate.Reference, _ node: PropertyNode, _ lookups: Lookups, _ isTainted: inout Bool
    ) throws(PropertyLoadError) -> PropertyValue {
        if let value = try target(of: reference, node, lookups, &isTainted) { return value }
        guard let fallback = reference.fallback else { throw missing(reference, node, lookups) }
        return .text(try text(of: fallback, node, lookups, &isTainted))
    }

    private mutating func target(
        of reference: PlaceholderTemplate.Reference, _ node: PropertyNode, _ lookups: Lookups, _ isTainted: inout Bool
    ) throws(PropertyLoadError) -> PropertyValue? {
        if lookups.isLookup(reference) {
            do {
                let found = try lookups(reference)
                if found?.isSecret == true { isTainted = true }
                if let found { try count(found.text, node, lookups) }
                return found.map { .text($0.text) }
            } catch {
                throw failed(reference, error, node)
            }
        }
        guard let index = tree.find(PropertyKey(reference.name)) else { return nil }
        try replace(index)
        let target = tree.elements[index].node
        if target.origin.source.isSecret || isSecret(reference.name) { isTainted = true }
        switch target.value {
        case .null: return nil
        case .table: throw noText(reference, target.value, node)
        default: return target.value
        }
    }

    private mutating func text(
        of template: PlaceholderTemplate, _ node: PropertyNode, _ lookups: Lookups, _ isTainted: inout Bool
    ) throws(PropertyLoadError) -> String {
        var text = ""
        for part in template.parts {
            switch part {
            case .literal(let literal): text += literal
            case .reference(let reference):
                let value = try value(of: reference, node, lookups, &isTainted)
                guard let piece = value.placeholderText else { throw noText(reference, value, node) }
                try count(piece, node, lookups)
                text += piece
            }
        }
        return text
    }

    // Each piece counts each time that it is used: what grows by a factor with each step ends soon.
    private mutating func count(
        _ text: String, _ node: PropertyNode, _ lookups: Lookups
    ) throws(PropertyLoadError) {
        size += text.utf8.count
        guard size <= lookups.rules.sizeLimit else {
            throw PropertyLoadError(
                .limit, "the replaced texts have more than \(lookups.rules.sizeLimit) bytes", at: node.origin,
                remedy: "Check that no placeholder repeats what is large")
        }
    }

    // With all that is in it: an error about an element knows the element's own origin alone.
    private mutating func taint(_ node: inout PropertyNode) {
        let source = node.origin.source
        if !source.isSecret {
            let twin = twins[ObjectIdentifier(source)] ?? source.asSecret
            twins[ObjectIdentifier(source)] = twin
            node.origin = PropertyOrigin(source: twin, place: node.origin.place)
        }
        guard case .array(var nodes) = node.value else { return }
        for index in nodes.indices { taint(&nodes[index]) }
        node.value = .array(nodes)
    }
}

extension PropertyValue {
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

// MARK: - Errors

extension PlaceholderPass {
    private func template(
        _ text: String, _ node: PropertyNode, _ lookups: Lookups
    ) throws(PropertyLoadError) -> PlaceholderTemplate? {
        do throws(PlaceholderTemplate.Mistake) {
            return try PlaceholderTemplate(text, depthLimit: lookups.rules.depthLimit)
        } catch {
            let remedy = "Write $${ for a literal ${"
            switch error {
            case .unclosed:
                throw PropertyLoadError(
                    .syntax, "a '${' in \(place) has no end", at: node.origin, expected: "'}'", remedy: remedy)
            case .empty:
                throw PropertyLoadError(
                    .syntax, "a placeholder in \(place) is empty", at: node.origin,
                    expected: "a name between the braces", remedy: remedy)
            case .tooDeep:
                throw PropertyLoadError(
                    .limit, "the defaults in \(place) stand more than \(lookups.rules.depthLimit) deep in each other",
                    at: node.origin)
            }
        }
    }

    private func missing(
        _ reference: PlaceholderTemplate.Reference, _ node: PropertyNode, _ lookups: Lookups
    ) -> PropertyLoadError {
        if let (scheme, argument) = reference.lookup, lookups.isLookup(reference) {
            return PropertyLoadError(
                .unresolved, "'${\(reference.name)}' in \(place) leads nowhere: '\(scheme)' has no '\(argument)'",
                at: node.origin, remedy: "Provide it, or write a default: ${\(reference.name):-…}")
        }
        let remedy = nearest(to: reference).map { "Perhaps ${\($0)} was meant" }
        return PropertyLoadError(
            .unresolved, "'${\(reference.name)}' in \(place) leads to no property", at: node.origin,
            remedy: remedy ?? "Set the property, or write a default: ${\(reference.name):-…}")
    }

    /// What was probably meant instead of a name that there is not.
    private func nearest(to reference: PlaceholderTemplate.Reference) -> String? {
        // Shells, too, take ${port:-8080}; a name before a colon that is no lookup is most likely that, misspelled.
        if let (name, fallback) = reference.lookup { return "\(name):-\(fallback)" }
        // To look for it is a look at all names, and of all failures the first alone is told with it.
        return failure == nil ? Suggestions.nearest(to: reference.name, in: tree) : nil
    }

    private func failed(
        _ reference: PlaceholderTemplate.Reference, _ error: any Error, _ node: PropertyNode
    ) -> PropertyLoadError {
        guard let error = error as? PropertyLoadError else {
            return PropertyLoadError(
                .unresolved, "'${\(reference.name)}' in \(place) cannot be looked up: \(error)", at: node.origin)
        }
        guard error.reason != .limit || error.origin != node.origin else { return error }
        return PropertyLoadError(
            error.reason, error.problem, at: error.origin, expected: error.expected, remedy: error.remedy,
            notes: error.notes + [.init("wanted by '${\(reference.name)}' at", at: node.origin)])
    }

    private func noText(
        _ reference: PlaceholderTemplate.Reference, _ value: PropertyValue, _ node: PropertyNode
    ) -> PropertyLoadError {
        PropertyLoadError(
            .unsupported, "'${\(reference.name)}' in \(place) leads to \(TypeName.noun(of: value))", at: node.origin,
            expected: "a single value that has a text")
    }

    private func circle(_ elements: ArraySlice<Int>, at node: PropertyNode) -> PropertyLoadError {
        let names = elements.map { tree.name(of: $0) }.joined(separator: " → ")
        return PropertyLoadError(
            .cycle, "the placeholders go in a circle: \(names)", at: node.origin,
            remedy: "Give one of them a value of its own")
    }

    /// Which property is being replaced.
    private var place: String { chain.last.map { "'\(tree.name(of: $0))'" } ?? "a value" }
}
