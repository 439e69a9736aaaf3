/// Replaces the placeholders of merged properties.
///
/// A property is evaluated recursively: first the properties to which its placeholders refer, so the order of the
/// properties does not matter. Each property is evaluated once. A default is evaluated only if it is needed.
///
/// A property whose placeholders refer to each other in a circle fails, and so does each property that refers to a
/// failed one. Their defaults are not used, since a default replaces only a value that is missing, null or empty.
struct Placeholders {
    private(set) var names: PropertyNames
    /// The errors of properties, and of the tables that they are in, by index. A table has the first error in it.
    private(set) var failures: [Int: PropertyLoadError] = [:]
    /// The first error.
    private(set) var failure: PropertyLoadError?

    private struct Replaced {
        var node: PropertyNode
        /// Whether the text of a secret is in it.
        var isSecret = false
        /// The length of the longest chain of placeholders that begins here.
        var depth = 0
    }

    private enum Failure: Error {
        case own(PropertyLoadError)
        /// The error of a property to which the placeholders refer.
        case other(PropertyLoadError)
    }

    private var lookups: [UInt32: PlaceholderLookups] = [:]
    private let isDeclaredSecret: (String) -> Bool
    private var done: [Int: Result<Replaced, Failure>] = [:]
    private var nodes: [Int: PropertyNode] = [:]
    /// The properties that are being evaluated. Each waits for the next one.
    private var chain: [Int] = []
    /// The number of bytes that the placeholders have produced so far.
    private var size = 0
    private var secrets = SecretMarker()

    /// Replaces the placeholders of all layers for which that is enabled.
    ///
    /// - Parameters:
    ///   - names: the merged properties.
    ///   - layers: the layers that they are from.
    ///   - conflict: the error of the properties whose name the tree has twice.
    ///   - isDeclaredSecret: returns whether a name was declared secret.
    init(
        _ names: PropertyNames, _ layers: [PropertyLayer], conflict: PropertyLoadError?,
        isDeclaredSecret: @escaping (String) -> Bool
    ) {
        self.names = names
        self.isDeclaredSecret = isDeclaredSecret
        for layer in layers {
            guard let found = layer.lookups else { continue }
            lookups[layer.number] = found
            size += found.size
        }
        if let conflict {
            for index in names.duplicates { done[index] = .failure(.other(conflict)) }
        }
        if lookups.isEmpty && done.isEmpty { return }
        for index in names.all.indices { evaluate(index) }
        self.names.replace(nodes)
    }

    private mutating func evaluate(_ index: Int) {
        switch done[index] ?? evaluated(index) {
        case .success(let replaced): if done[index] != nil { nodes[index] = replaced.node }
        case .failure(.own(let error)), .failure(.other(let error)):
            nodes[index] = PropertyNode(nil, origin: names.all[index].node.origin)
            record(error, of: index)
        }
    }

    /// Records the error of a property, and of the tables that contain it, which have no complete value either.
    private mutating func record(_ error: PropertyLoadError, of index: Int) {
        failure = failure ?? error
        failures[index] = error
        var parent = names.all[index].parent
        while parent >= 0, failures[Int(parent)] == nil {
            failures[Int(parent)] = error
            parent = names.all[Int(parent)].parent
        }
    }
}

// MARK: - Evaluation

extension Placeholders {
    private mutating func evaluated(_ index: Int) -> Result<Replaced, Failure> {
        let named = names.all[index]
        if let known = done[index] { return known }
        guard let lookups = lookups[named.entry.layer], named.isLeaf else {
            return .success(Replaced(node: named.node))
        }
        let subject = Subject(index: index, node: named.node, lookups: lookups)
        if let start = chain.firstIndex(of: index) { return failCircle(Array(chain[start...])) }
        // The limit also bounds the stack. All properties of the chain have the error of the first one.
        guard chain.count <= lookups.rules.depthLimit else { return .failure(.other(tooLong(chain[0], lookups))) }
        chain.append(index)
        let result = Result { () throws(Failure) in try replaced(subject) }
        chain.removeLast()
        // A circle has recorded the errors of all its properties.
        let final = done[index] ?? result.mapError { .other(error(of: index, $0)) }
        done[index] = final
        return final
    }

    private func error(of index: Int, _ failure: Failure) -> PropertyLoadError {
        switch failure {
        case .own(let error): error
        case .other(let error): hides(index) ? unreadable(index, error.reason) : error
        }
    }

    private mutating func failCircle(_ circle: [Int]) -> Result<Replaced, Failure> {
        for index in circle { done[index] = .failure(.other(self.circle(circle, index))) }
        return done[circle[0]] ?? .failure(.other(self.circle(circle, circle[0])))
    }

    private mutating func replaced(_ subject: Subject) throws(Failure) -> Replaced {
        var result = Replaced(node: subject.node)
        result.node = try replaced(subject, isInArray: false, &result)
        guard result.depth <= subject.lookups.rules.depthLimit else {
            throw .own(tooLong(subject.index, subject.lookups))
        }
        // Marks the values inside the node, too, because an error about an inner value knows only the origin of that
        // value.
        if result.isSecret { result.node = secrets.node(result.node, levels: PropertyLayer.depthLimit) }
        return result
    }

    private mutating func replaced(
        _ subject: Subject, isInArray: Bool, _ result: inout Replaced
    ) throws(Failure) -> PropertyNode {
        var node = subject.node
        switch node.value {
        case .string(let text), .text(let text): return try replaced(text, subject, isInArray, &result)
        case .array(var nodes):
            for index in nodes.indices {
                nodes[index] = try replaced(subject.part(nodes[index]), isInArray: true, &result)
            }
            node.value = .array(nodes)
        case .table(let table):
            let new = try table.mapNodes { (inner) throws(Failure) in
                try replaced(subject.part(inner), isInArray: isInArray, &result)
            }
            node.value = .table(new)
        default: break
        }
        return node
    }

    private mutating func replaced(
        _ text: String, _ subject: Subject, _ isInArray: Bool, _ result: inout Replaced
    ) throws(Failure) -> PropertyNode {
        guard let template = try template(text, subject) else { return subject.node }
        var node = subject.node
        let isUntyped: Bool
        if template.parts.count == 1, case .reference(let reference) = template.parts[0] {
            (node.value, isUntyped) = try value(of: reference, subject, &result)
            // A placeholder inside an array must not insert another array. If each of several arrays contained the
            // previous one twice, the size would double with each of them.
            if isInArray, node.isArray { throw .own(withoutText(reference, node.value, subject)) }
            try count(node.value, subject)
        } else {
            let (text, isPartUntyped) = try self.text(of: template, subject, &result)
            if case .text = node.value { node.value = .text(text) } else { node.value = .string(text) }
            isUntyped = isPartUntyped
        }
        // A string that contains text of the environment is shown in no error, like that text itself.
        if isUntyped { node.origin = PropertyOrigin(source: node.source.withoutText, place: node.place) }
        return node
    }

    /// Returns the value that replaces a placeholder: a property, the result of a lookup, or the default.
    private mutating func value(
        of reference: PlaceholderTemplate.Reference, _ subject: Subject, _ result: inout Replaced
    ) throws(Failure) -> (PropertyValue, isUntyped: Bool) {
        result.depth = max(result.depth, 1)
        let found = try found(by: reference, subject, &result)
        if let found, !(reference.fallback == nil ? found.isNull : found.value.needsDefault) {
            return (found.value, found.isUntyped)
        }
        guard let fallback = reference.fallback else { throw .own(missing(reference, subject)) }
        let (text, isUntyped) = try text(of: fallback, subject, &result)
        return (.text(text), isUntyped)
    }

    private mutating func found(
        by reference: PlaceholderTemplate.Reference, _ subject: Subject, _ result: inout Replaced
    ) throws(Failure) -> PropertyNode? {
        // The result is secret even if the secret is empty and a default replaces it, because the default then serves
        // as the secret. A null reveals nothing.
        if subject.lookups.isLookup(reference) {
            let found = try lookedUp(reference, subject)
            result.isSecret = result.isSecret || found?.isSecret == true
            return found.map { PropertyNode(.text($0.text)) }
        }
        guard let index = names.find(PropertyKey(reference.name)) else { return nil }
        let other = try evaluated(index).get()
        if other.node.isTable { throw .own(withoutText(reference, other.node.value, subject)) }
        result.depth = max(result.depth, other.depth + 1)
        result.isSecret = result.isSecret || !other.node.isNull && (other.isSecret || isSecret(index))
        return other.node
    }

    private func lookedUp(
        _ reference: PlaceholderTemplate.Reference, _ subject: Subject
    ) throws(Failure) -> PropertyPlaceholders.LookupResult? {
        do {
            return try subject.lookups(reference)
        } catch is PlaceholderLookups.Exceeded {
            throw .own(tooLarge(subject))
        } catch {
            throw .own(failed(reference, error, subject))
        }
    }

    private mutating func text(
        of template: PlaceholderTemplate, _ subject: Subject, _ result: inout Replaced
    ) throws(Failure) -> (text: String, isUntyped: Bool) {
        var text = "", isUntyped = false
        for part in template.parts {
            switch part {
            case .literal(let literal): text += literal
            case .reference(let reference):
                let (value, isPartUntyped) = try value(of: reference, subject, &result)
                guard let piece = value.placeholderText else { throw .own(withoutText(reference, value, subject)) }
                try count(.text(piece), subject)
                text += piece
                isUntyped = isUntyped || isPartUntyped
            }
        }
        return (text, isUntyped)
    }

    private func template(_ text: String, _ subject: Subject) throws(Failure) -> PlaceholderTemplate? {
        do throws(PlaceholderTemplate.ParseError) {
            return try PlaceholderTemplate(text, depthLimit: subject.lookups.rules.depthLimit)
        } catch {
            throw .own(invalid(error, subject))
        }
    }

    // Adds the size of a value to the total. Each use is added, so values that grow exponentially reach the limit soon.
    private mutating func count(_ value: PropertyValue, _ subject: Subject) throws(Failure) {
        size += value.size
        guard size <= subject.lookups.rules.sizeLimit else { throw .own(tooLarge(subject)) }
    }

    /// Whether a property is secret.
    fileprivate func isSecret(_ index: Int) -> Bool {
        names.all[index].node.origin.source.isSecret || isDeclaredSecret(names.all[index].name)
    }

    /// Whether errors must not show the text of a property, and so no name in its placeholders.
    fileprivate func hides(_ index: Int) -> Bool { isSecret(index) || names.all[index].node.isUntyped }
}

// MARK: - Errors

/// A value whose placeholders are to be replaced: the value of a property, or a value inside it.
private struct Subject {
    let index: Int
    var node: PropertyNode
    let lookups: PlaceholderLookups

    /// Returns the subject for a value inside this one.
    func part(_ node: PropertyNode) -> Subject { Subject(index: index, node: node, lookups: lookups) }
}

extension Placeholders {
    private func tooLong(_ index: Int, _ lookups: PlaceholderLookups) -> PropertyLoadError {
        error(
            .limit, "more than \(lookups.rules.depthLimit) placeholders lead from one to the next",
            Subject(index: index, node: names.all[index].node, lookups: lookups),
            remedy: "Name the last of them directly", citation: .nothing)
    }

    private func tooLarge(_ subject: Subject) -> PropertyLoadError {
        error(
            .limit, "what the placeholders produce has more than \(subject.lookups.rules.sizeLimit) bytes", subject,
            remedy: "Check that no placeholder repeats what is large", citation: .nothing)
    }

    /// Returns the error of one property of a circle.
    private func circle(_ circle: [Int], _ index: Int) -> PropertyLoadError {
        let remedy = "Give one of them a value of its own"
        // The names in a placeholder are part of a text that may be secret.
        if circle.contains(where: { hides($0) }) {
            return PropertyLoadError(
                .cycle, "the placeholders in '\(names.all[index].name)' lead back to it",
                at: names.all[index].node.origin, remedy: remedy, citation: .nothing)
        }
        let first = circle.indices.min { circle[$0] < circle[$1] } ?? 0
        var path = (circle[first...] + circle[..<first]).map { names.all[$0].name }
        if path.count > 10 { path.replaceSubrange(9..., with: ["\(path.count - 9) more"]) }
        return PropertyLoadError(
            .cycle, "the placeholders go in a circle: \((path + [path[0]]).joined(separator: " → "))",
            at: names.all[circle[first]].node.origin, remedy: remedy, citation: .words)
    }

    /// Returns the error of a property that refers to a failed one.
    private func unreadable(_ index: Int, _ reason: PropertyLoadError.Reason) -> PropertyLoadError {
        PropertyLoadError(
            reason, "a placeholder in '\(names.all[index].name)' leads to a property that cannot be read",
            at: names.all[index].node.origin, citation: .nothing)
    }

    private func invalid(_ failure: PlaceholderTemplate.ParseError, _ subject: Subject) -> PropertyLoadError {
        let name = names.all[subject.index].name, remedy = "Write $${ for a literal ${"
        return switch failure {
        case .unclosed: error(.syntax, "a '${' in '\(name)' has no end", subject, expected: "'}'", remedy: remedy)
        case .empty:
            error(
                .syntax, "a placeholder in '\(name)' is empty", subject, expected: "a name between the braces",
                remedy: remedy)
        case .tooDeep:
            error(
                .limit,
                "the defaults in '\(name)' stand more than \(subject.lookups.rules.depthLimit) deep in each other",
                subject)
        }
    }

    private func missing(_ reference: PlaceholderTemplate.Reference, _ subject: Subject) -> PropertyLoadError {
        let text = describe(reference, subject), isLookup = subject.lookups.isLookup(reference)
        let remedy = isLookup ? "Provide it, or write a default" : "Set the property, or write a default"
        if hides(subject) {
            return error(
                .unresolved, "\(text) leads \(isLookup ? "nowhere" : "to no property")", subject, remedy: remedy)
        }
        let full = "\(remedy): ${\(reference.name):-…}"
        guard isLookup, let (scheme, argument) = reference.lookup else {
            let nearest = nearest(to: reference).map { "Perhaps ${\($0)} was meant" }
            return error(.unresolved, "\(text) leads to no property", subject, remedy: nearest ?? full)
        }
        return error(
            .unresolved, "\(text) leads nowhere: '\(scheme)' has no '\(argument)'", subject, remedy: full)
    }

    /// Returns the reference that was probably meant, or nil.
    private func nearest(to reference: PlaceholderTemplate.Reference) -> String? {
        // ${port:8080} is most likely meant as a name with a default.
        if let (name, fallback) = reference.lookup { return "\(name):-\(fallback)" }
        // Only the first failure has a suggestion, because the search visits all names and only that failure is shown.
        return failures.isEmpty ? names.nearestName(to: reference.name) : nil
    }

    private func failed(
        _ reference: PlaceholderTemplate.Reference, _ failure: any Error, _ subject: Subject
    ) -> PropertyLoadError {
        let cause = failure as? PropertyLoadError, reason = cause?.reason ?? .unresolved
        let text = "\(describe(reference, subject)) cannot be looked up"
        guard !hides(subject) else { return error(reason, text, subject) }
        guard let cause else { return error(reason, "\(text): \(failure)", subject) }
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
        let name = names.all[subject.index].name
        return hides(subject) ? "a placeholder in '\(name)'" : "'${\(reference.name)}' in '\(name)'"
    }

    private func error(
        _ reason: PropertyLoadError.Reason, _ problem: String, _ subject: Subject, expected: String? = nil,
        remedy: String? = nil, citation: PropertyLoadError.Citation = .words
    ) -> PropertyLoadError {
        PropertyLoadError(
            reason, problem, at: origin(of: subject), expected: expected, remedy: remedy,
            citation: hides(subject) ? .nothing : citation)
    }

    private func hides(_ subject: Subject) -> Bool {
        subject.node.origin.source.isSecret || subject.node.isUntyped || hides(subject.index)
    }

    // Elements of an array that a loader created from literals have no source. For them, the origin of the array is
    // used.
    private func origin(of subject: Subject) -> PropertyOrigin {
        let origin = subject.node.origin
        return origin.source.isUnknown ? names.all[subject.index].node.origin : origin
    }
}

// MARK: - Values

extension PropertyValue {
    /// Whether a placeholder with this value uses its default: if the value is null or empty text.
    fileprivate var needsDefault: Bool {
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
