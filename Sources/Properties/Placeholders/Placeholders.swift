import TextBasics

/// Replaces the placeholders of merged properties.
///
/// A property is evaluated recursively: first the properties to which its placeholders refer, so the order of the
/// properties does not matter. Each property is evaluated once. A default is evaluated only if it is needed.
///
/// A property whose placeholders refer to each other in a circle fails, and so does each property that refers to a
/// failed property. Their defaults are not used, since a default replaces only a value that is missing, null or empty.
struct Placeholders {
    private(set) var tree: PropertyTree
    /// The errors of properties, and of the tables that they are in, by index. A table has the first error in it.
    private(set) var causes: [Int: PropertyLoadError] = [:]

    /// A value with its placeholders replaced.
    private struct Replaced {
        var node: PropertyNode
        /// Whether it contains the text of a secret.
        var isSecret = false
        /// The length of the longest chain of placeholders that begins here.
        var depth = 0
    }

    /// A property that is being evaluated.
    private struct Subject {
        let name: String
        let lookups: PlaceholderLookups
        /// The origin of the text that is being replaced: the property itself, or a value inside it.
        var origin: PropertyOrigin
        /// Whether text that errors must not show is inserted into this text.
        var isHidden = false
        var result: Replaced
    }

    private var lookups: [UInt32: PlaceholderLookups] = [:]
    private var done: [Int: Result<Replaced, PropertyLoadError>] = [:]
    /// The properties that are being evaluated. Each waits for the next.
    private var evaluating: [Int] = []
    /// The number of bytes that the placeholders have produced so far.
    private var size = 0
    private var secrets = SecretMarker()
    private let currentName: (String) -> String?
    private let declaredDefault: (String) -> String?
    /// The warnings about placeholders with former names of settings.
    private(set) var renamed: [PropertyLoadError] = []

    /// Replaces the placeholders of all layers that have them enabled.
    ///
    /// - Parameters:
    ///   - tree: the merged properties.
    ///   - layers: the layers that they are from: the ID and the lookups of each.
    ///   - conflict: the error of the properties whose name the tree has twice.
    ///   - currentName: returns the name that a former name of a property has now, or nil.
    ///   - declaredDefault: returns the text of the default of a declared name, or `…` if it has none that a message may
    ///     show. It returns nil for a name that is not declared.
    init(
        _ tree: PropertyTree, _ layers: [(id: UInt32, lookups: PlaceholderLookups?)],
        conflict: PropertyLoadError?, currentName: @escaping (String) -> String?,
        declaredDefault: @escaping (String) -> String?
    ) {
        (self.tree, self.currentName, self.declaredDefault) = (tree, currentName, declaredDefault)
        for layer in layers { lookups[layer.id] = layer.lookups }
        size = lookups.values.reduce(0) { $0 + $1.size }
        if let conflict { for index in tree.duplicates { done[index] = .failure(conflict) } }
        if lookups.isEmpty && done.isEmpty { return }
        var nodes: [Int: PropertyNode] = [:]
        for index in tree.all.indices {
            do throws(PropertyLoadError) {
                let replaced = try evaluate(index)
                if done[index] != nil { nodes[index] = replaced.node }
            } catch {
                nodes[index] = PropertyNode(nil, origin: tree.all[index].node.origin)
                record(error, of: index)
            }
        }
        self.tree.replace(nodes)
    }

    /// Records the error of a property, and of the tables that contain it, which have no complete value either.
    private mutating func record(_ error: PropertyLoadError, of index: Int) {
        causes[index] = error
        var parent = Int(tree.all[index].parent)
        while parent >= 0, causes[parent] == nil {
            causes[parent] = error
            parent = Int(tree.all[parent].parent)
        }
    }
}

// MARK: - Evaluation

extension Placeholders {
    private mutating func evaluate(_ index: Int) throws(PropertyLoadError) -> Replaced {
        if let known = done[index] { return try known.get() }
        let named = tree.all[index], result = Replaced(node: named.node)
        guard let lookups = lookups[named.entry.layer], named.isLeaf else { return result }
        if let start = evaluating.firstIndex(of: index) { throw circle(evaluating[start...]) }
        var subject = Subject(name: named.name, lookups: lookups, origin: named.node.origin, result: result)
        // The limit also bounds the stack.
        guard evaluating.count <= lookups.rules.depthLimit else { throw tooLong(subject) }
        evaluating.append(index)
        do throws(PropertyLoadError) {
            subject.result.node = try replaced(named.node, &subject)
            guard subject.result.depth <= lookups.rules.depthLimit else { throw tooLong(subject) }
            // Marks the values inside the node, too: an error about an inner value knows only the origin of that value.
            if subject.result.isSecret {
                subject.result.node = secrets.node(subject.result.node, levels: PropertyTable.depthLimit)
            }
            done[index] = .success(subject.result)
        } catch {
            // The elements of an array that a loader created from literals have no source of their own.
            done[index] = .failure(
                hides(index, at: error.origin)
                    ? Self.hidden(named.name, at: named.node.origin, error.reason) : error.known(in: named.node.source))
        }
        evaluating.removeLast()
        return try done[index]?.get() ?? result
    }

    private mutating func replaced(
        _ node: PropertyNode, _ subject: inout Subject
    ) throws(PropertyLoadError) -> PropertyNode {
        var node = node
        switch node.value {
        case .string(let text), .text(let text):
            subject.origin = node.origin
            guard let template = try template(text, subject) else { return node }
            subject.isHidden = false
            if template.parts.count == 1, case .reference(let reference) = template.parts[0] {
                let inserted = try value(of: reference, &subject)
                node.value = inserted.value
                // A read as a string returns the value as its source writes it.
                node.insertedText = inserted.writtenText
                // Counts the size, because arrays that contain the previous array twice grow exponentially.
                try count(node.value, subject)
            } else {
                let new = try self.text(of: template, &subject)
                if case .text = node.value { node.value = .text(new) } else { node.value = .string(new) }
            }
            // No error shows a string that contains text of the environment, as no error shows that text itself.
            if subject.isHidden { node.origin = node.origin.limited(to: .places) }
        case .array(var nodes):
            for index in nodes.indices { nodes[index] = try replaced(nodes[index], &subject) }
            node.value = .array(nodes)
        case .table(let table):
            let new = try table.mapNodes { (inner) throws(PropertyLoadError) in
                try replaced(inner, &subject)
            }
            node.value = .table(new)
        default: break
        }
        return node
    }

    /// Returns what replaces a placeholder: a property, the result of a lookup, or the default.
    private mutating func value(
        of reference: PlaceholderTemplate.Reference, _ subject: inout Subject
    ) throws(PropertyLoadError) -> PropertyNode {
        subject.result.depth = max(subject.result.depth, 1)
        let found = try found(by: reference, &subject)
        if let found, !found.isNull, reference.fallback == nil || found.value.plainText != "" {
            if found.isHidden { subject.isHidden = true }
            // A number has more digits than its `Double` only while it keeps its place in the text of its source, so a
            // copy has them as text.
            return found.longNumber.map { PropertyNode(.text($0)) } ?? found
        }
        guard let fallback = reference.fallback else { throw missing(reference, subject) }
        return PropertyNode(.text(try text(of: fallback, &subject)))
    }

    private mutating func found(
        by reference: PlaceholderTemplate.Reference, _ subject: inout Subject
    ) throws(PropertyLoadError) -> PropertyNode? {
        // The result is secret even if the secret is empty and a default replaces it, because the default then serves
        // as the secret. A null reveals nothing.
        try count(.null, subject)
        switch subject.lookups[reference] {
        case .success(let found)?:
            guard let text = found.text else { return nil }
            subject.result.isSecret = subject.result.isSecret || found.isSecret
            return PropertyNode(.text(text))
        case .failure(let error)?: throw failed(reference, error, subject)
        case nil: break
        }
        guard let index = index(of: reference, subject) else { return nil }
        let other = try evaluate(index)
        if other.node.isTable { throw withoutText(reference, other.node.value, subject) }
        subject.result.depth = max(subject.result.depth, other.depth + 1)
        let isSecret = other.isSecret || tree.all[index].node.source.isSecret
        if isSecret, !other.node.isNull { subject.result.isSecret = true }
        // A reference to a repeated argument means its last value.
        return other.node.single
    }

    /// Returns the index of the property that a placeholder names, also by a former name. Nil if there is none.
    private mutating func index(of reference: PlaceholderTemplate.Reference, _ subject: Subject) -> Int? {
        if let index = tree.find(PropertyKey(reference.name)) { return index }
        guard let name = currentName(reference.name), let index = tree.find(PropertyKey(name)) else { return nil }
        // The names in the text of a secret property are a part of its text.
        if !subject.origin.source.isSecret, renamed.count < ListLimit.warnings {
            let warning = PropertyLoadError(
                .renamed, "'\(reference.name)' in '\(subject.name)' is called '\(name)' now", at: subject.origin,
                remedy: "Rename it")
            renamed.append(warning)
        }
        return index
    }

    private mutating func text(
        of template: PlaceholderTemplate, _ subject: inout Subject
    ) throws(PropertyLoadError) -> String {
        var text = ""
        for part in template.parts {
            switch part {
            case .literal(let literal): text += literal
            case .reference(let reference):
                let inserted = try value(of: reference, &subject)
                guard let piece = inserted.writtenText else { throw withoutText(reference, inserted.value, subject) }
                try count(.text(piece), subject)
                text += piece
            }
        }
        return text
    }

    // Adds the size of a value to the total. Each use is added, so values that grow exponentially reach the limit soon.
    private mutating func count(_ value: PropertyValue, _ subject: Subject) throws(PropertyLoadError) {
        size += value.size
        let limit = subject.lookups.rules.sizeLimit
        guard size > limit else { return }
        throw error(
            .limit, "what the placeholders produce has more than \(limit) bytes", subject,
            remedy: "Check that no placeholder repeats what is large")
    }

    /// Whether errors must not show the text of a property, and so none of the names in its placeholders. Text that is
    /// a line of a document, such as YAML, may be shown if the line may be.
    private func hides(_ index: Int, at origin: PropertyOrigin) -> Bool {
        tree.all[index].node.isHidden && !origin.isInShownLine
    }
}

// MARK: - Errors

extension Placeholders {
    /// Returns the error of a property whose text errors must not show.
    private static func hidden(
        _ name: String, at origin: PropertyOrigin, _ reason: PropertyLoadError.Reason
    ) -> PropertyLoadError {
        PropertyLoadError(
            reason, "a placeholder in '\(name)' leads to no property or text (\(reason))", at: origin,
            remedy: "Set what it refers to, or write $${ for a literal ${", quotes: false)
    }

    /// Returns the error of each property in a circle.
    private func circle(_ indices: ArraySlice<Int>) -> PropertyLoadError {
        // The names in the text of a hidden property are a part of its text.
        if let secret = indices.first(where: { hides($0, at: tree.all[$0].node.origin) }) {
            return Self.hidden(tree.all[secret].name, at: tree.all[secret].node.origin, .cycle)
        }
        let first = indices.indices.min { indices[$0] < indices[$1] } ?? 0
        var path = (indices[first...] + indices[..<first]).map { tree.all[$0].name }
        if path.count > 10 { path.replaceSubrange(9..., with: ["\(path.count - 9) more"]) }
        return PropertyLoadError(
            .cycle, "the placeholders go in a circle: \((path + [path[0]]).joined(separator: " → "))",
            at: tree.all[indices[first]].node.origin, remedy: "Give one of them a value of its own", quotes: true)
    }

    private func tooLong(_ subject: Subject) -> PropertyLoadError {
        error(
            .limit, "more than \(subject.lookups.rules.depthLimit) placeholders lead from one to the next", subject,
            remedy: "Name the last of them directly")
    }

    private func template(_ text: String, _ subject: Subject) throws(PropertyLoadError) -> PlaceholderTemplate? {
        do throws(Diagnostic) {
            return try PlaceholderTemplate(text, of: subject.name, depthLimit: subject.lookups.rules.depthLimit)
        } catch {
            let reason = error.kind == .limit ? PropertyLoadError.Reason.limit : .syntax
            throw self.error(
                reason, error.problem.text, subject, expected: error.expected?.text, remedy: error.remedy?.text,
                quotes: false)
        }
    }

    private func missing(_ reference: PlaceholderTemplate.Reference, _ subject: Subject) -> PropertyLoadError {
        // What follows the name, as in `${PW:?…}`, may be the secret itself.
        let mayShowSecret = subject.origin.mayShowSecret || SecretName.looksSecret(subject.name)
        func meant(_ text: String, _ operators: String? = nil) -> IntendedPlaceholder {
            let meant = IntendedPlaceholder(text, operators: operators)
            return mayShowSecret ? meant.withoutText : meant
        }
        let whole = meant(reference.name), shown = mayShowSecret ? whole.shortened : "\(reference)"
        // A name with other characters may contain a default in another notation, as in `${pw-…}`.
        let isPlain = whole.name.utf8.allSatisfy { $0.isWordPart || "./:".utf8.contains($0) }
        if mayShowSecret, !isPlain { return Self.hidden(subject.name, at: subject.origin, .unresolved) }
        var problem = "'\(shown)' in '\(subject.name)' leads to no property"
        let remedy: String
        if subject.lookups[reference] != nil, let (scheme, argument) = reference.lookup {
            // A path may have any other character.
            let inner = scheme.isSame(as: "env") ? whole : meant(argument, ":")
            let isWhole = inner.name.isSame(as: argument)
            let shown = mayShowSecret && !isWhole ? "\(inner.name)…" : argument
            problem = "'${\(scheme):\(shown)}' in '\(subject.name)' leads nowhere: '\(scheme)' has no '\(shown)'"
            remedy =
                isWhole
                ? "Provide it, or write a default: ${\(reference.name):-…}"
                : "Perhaps \(inner.named("\(scheme):\(inner.name)")) was meant"
        } else if let declared = declaredDefault(whole.name), tree.find(PropertyKey(whole.name)) == nil {
            problem += ", since a placeholder sees the sources only, and no default of the program"
            remedy = "Set '\(whole.name)' in a source, or write ${\(whole.name):-\(whole.fallback ?? declared)}"
        } else {
            remedy = self.remedy(whole, for: reference, subject.lookups)
        }
        return error(.unresolved, problem, subject, remedy: remedy).missing(whole.name)
    }

    /// Returns the remedy for a placeholder whose name is not the name of a property. It corrects the name before it
    /// advises a default, because a default would hide that the name is wrong.
    private func remedy(
        _ meant: IntendedPlaceholder, for reference: PlaceholderTemplate.Reference, _ lookups: PlaceholderLookups
    ) -> String {
        func perhaps(_ name: String) -> String { "Perhaps \(meant.named(name)) was meant" }
        if tree.find(PropertyKey(meant.name)) != nil { return perhaps(meant.name) }
        let isVariable = meant.isVariable || lookups.isVariable(reference)
        if isVariable, lookups.rules.lookups["env"] != nil { return perhaps("env:\(meant.name)") }
        // The search visits all names, so only the first failures have its result.
        if causes.count < ListLimit.errors, let name = tree.nearestName(to: meant.name) { return perhaps(name) }
        if isVariable {
            return "Name a property, or let the program allow variables and write \(meant.named("env:\(meant.name)"))"
        }
        if meant.fallback != nil { return perhaps(meant.name) }
        return "Set the property, or write a default: ${\(meant.name):-…}"
    }

    private func failed(
        _ reference: PlaceholderTemplate.Reference, _ failure: any Error, _ subject: Subject
    ) -> PropertyLoadError {
        let cause = failure as? PropertyLoadError, problem = cause?.problem ?? "\(failure)"
        return error(
            cause?.reason ?? .unresolved, "'\(reference)' in '\(subject.name)' cannot be looked up: \(problem)",
            subject,
            expected: cause?.expected, remedy: cause?.remedy,
            notes: cause.map { $0.notes + [.init("reported by", at: $0.origin)] } ?? [])
    }

    private func withoutText(
        _ reference: PlaceholderTemplate.Reference, _ value: PropertyValue, _ subject: Subject
    ) -> PropertyLoadError {
        error(
            .unsupported, "'\(reference)' in '\(subject.name)' leads to \(ValueText.noun(of: value))", subject,
            expected: "a single value that has a text")
    }

    private func error(
        _ reason: PropertyLoadError.Reason, _ problem: String, _ subject: Subject, expected: String? = nil,
        remedy: String? = nil, notes: [PropertyLoadError.Note] = [], quotes: Bool = true
    ) -> PropertyLoadError {
        PropertyLoadError(
            reason, problem, at: subject.origin, expected: expected, remedy: remedy, notes: notes, quotes: quotes)
    }
}

extension PropertyNode {
    /// Whether errors about a placeholder must not show the value, whose name may not be declared.
    fileprivate var isHidden: Bool { disclosure(isDeclared: false) < .values }
}
