/// Replaces the placeholders of a merged tree.
///
/// Before an element is replaced, the elements that it refers to are replaced, so the result does not depend on the
/// order of the elements. Each element is replaced once. The references in a default are followed only if the default
/// is needed.
///
/// An element whose references form a cycle fails, and so does each element that refers to a failed one. Their defaults
/// are not used, since a default replaces only a value that is missing, null or empty.
struct PlaceholderPass {
    /// The result of the pass.
    struct Outcome {
        /// The tree with all placeholders replaced; an element whose placeholders failed is null.
        var tree: PropertyTree
        /// The errors of the failed elements, which are null, and of the tables that contain them, by the index of the
        /// element. A table has the first error in it.
        var failures: [Int: PropertyLoadError] = [:]
        /// The error of the first failed element, or nil.
        var failure: PropertyLoadError?
    }

    /// An element that waits for the elements that it refers to.
    private struct Frame {
        let index: Int
        let steps: [PlaceholderTemplate.Step]
        /// The index of the next step to resolve.
        var next = 0
        /// The length of the longest chain of placeholders that this element refers to.
        var depth = 0
    }

    var tree: PropertyTree
    private let layers: [PropertyLayer]
    let isDeclaredSecret: (String) -> Bool
    private var isDone: [Bool]
    private(set) var failures: [Int: PropertyLoadError] = [:]
    /// The lengths of the longest chains of placeholders, by the index of the element where each chain begins.
    private var depths: [Int: Int] = [:]
    /// The stack of waiting elements: each waits for the next one. It replaces recursion, because a long chain would
    /// overflow the call stack.
    private var frames: [Frame] = []
    /// The position in `frames` of each waiting element.
    private var waiting: [Int: Int] = [:]
    /// The number of bytes that the placeholders have produced so far.
    var size: Int
    var secrets = SecretMarker()

    /// Replaces the placeholders of all layers for which that is enabled.
    static func run(
        _ tree: PropertyTree, _ layers: [PropertyLayer], isDeclaredSecret: @escaping (String) -> Bool
    ) -> Outcome {
        guard layers.indices.contains(where: { layers[$0].lookups != nil }) else { return Outcome(tree: tree) }
        var pass = PlaceholderPass(tree, layers, isDeclaredSecret)
        for index in tree.elements.indices { pass.resolve(index) }
        return pass.outcome
    }

    private init(_ tree: PropertyTree, _ layers: [PropertyLayer], _ isDeclaredSecret: @escaping (String) -> Bool) {
        self.tree = tree
        self.layers = layers
        self.isDeclaredSecret = isDeclaredSecret
        isDone = tree.elements.map { layers[Int($0.layer)].lookups == nil }
        size = layers.indices.reduce(0) { $0 + (layers[$1].lookups?.size ?? 0) }
    }

    private var outcome: Outcome {
        var outcome = Outcome(tree: tree, failures: failures)
        let indices = failures.keys.ordered(by: <)
        outcome.failure = indices.first.flatMap { failures[$0] }
        for index in indices {
            // A table that contains a failed element has no complete value, so it fails, too.
            var parent = tree.elements[index].parent
            while parent != PropertyTree.none, outcome.failures[Int(parent)] == nil {
                outcome.failures[Int(parent)] = failures[index]
                parent = tree.elements[Int(parent)].parent
            }
        }
        return outcome
    }
}

// MARK: - Order

extension PlaceholderPass {
    private mutating func resolve(_ index: Int) {
        wait(for: index)
        while let frame = frames.last {
            if frame.next < frame.steps.count {
                resolve(frame.steps[frame.next], of: frame.index)
            } else {
                finish(frame)
            }
        }
    }

    private mutating func wait(for index: Int) {
        guard !isDone[index], let lookups = lookups(of: index) else { return }
        waiting[index] = frames.count
        let steps = PlaceholderTemplate.steps(in: tree.elements[index].node.value, lookups.rules)
        frames.append(Frame(index: index, steps: steps))
    }

    private mutating func resolve(_ step: PlaceholderTemplate.Step, of index: Int) {
        let top = frames.count - 1
        guard let target = target(of: step.reference, for: index) else {
            frames[top].next += hasText(step.reference, for: index) ? 1 + step.countInDefault : 1
            return
        }
        if let start = waiting[target] { return failCircle(from: start) }
        guard isDone[target] else { return wait(for: target) }
        if let failure = failures[target] { return fail(index, as: failure) }
        frames[top].depth = max(frames[top].depth, depths[target] ?? 0)
        frames[top].next += tree.elements[target].node.value.needsDefault ? 1 : 1 + step.countInDefault
    }

    private mutating func finish(_ frame: Frame) {
        guard let lookups = lookups(of: frame.index) else { return end(frame.index) }
        let text = Subject(index: frame.index, node: tree.elements[frame.index].node, lookups: lookups)
        do throws(PropertyLoadError) {
            if !frame.steps.isEmpty {
                let limit = lookups.rules.depthLimit
                guard frame.depth < limit else {
                    throw error(
                        .limit, "more than \(limit) placeholders lead from one to the next", text,
                        remedy: "Name the last of them directly", citation: .nothing)
                }
                depths[frame.index] = frame.depth + 1
            }
            tree.elements[frame.index].node = try replaced(text)
            end(frame.index)
        } catch {
            fail(frame.index, with: error)
        }
    }

    private mutating func failCircle(from start: Int) {
        let circle = frames[start...].map(\.index)
        let errors = errors(about: circle)
        for (index, error) in zip(circle, errors).reversed() { fail(index, with: error) }
    }

    /// Returns the error of each element of a cycle.
    private func errors(about circle: [Int]) -> [PropertyLoadError] {
        let remedy = "Give one of them a value of its own"
        // The messages contain no other names, because the names in a placeholder are part of the secret text.
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

    /// Records the failure of an element that refers to a failed one.
    private mutating func fail(_ index: Int, as failure: PropertyLoadError) {
        guard isSecret(index) else { return fail(index, with: failure) }
        // The message does not contain the name of the other property, because it is part of the secret text.
        fail(
            index,
            with: PropertyLoadError(
                failure.reason, "a placeholder in '\(tree.name(of: index))' leads to a property that cannot be read",
                at: tree.elements[index].node.origin, citation: .nothing))
    }

    private mutating func fail(_ index: Int, with error: PropertyLoadError) {
        failures[index] = error
        tree.elements[index].node.value = .null
        end(index)
    }

    /// Completes an element, which must be on top of the stack.
    private mutating func end(_ index: Int) {
        isDone[index] = true
        waiting[index] = nil
        frames.removeLast()
    }

    private func lookups(of index: Int) -> PlaceholderLookups? { layers[Int(tree.elements[index].layer)].lookups }

    /// Returns the index of the element that a reference names. Returns nil for a lookup, or if there is no such
    /// property.
    private func target(of reference: PlaceholderTemplate.Reference, for index: Int) -> Int? {
        guard lookups(of: index)?.isLookup(reference) != true else { return nil }
        return tree.find(PropertyKey(reference.name))
    }

    /// Whether the reference is a lookup that needs no default: its result is not empty, or it failed, which is an
    /// error anyway.
    private func hasText(_ reference: PlaceholderTemplate.Reference, for index: Int) -> Bool {
        guard let lookups = lookups(of: index), lookups.isLookup(reference) else { return false }
        do {
            return try lookups(reference).map { !$0.text.isEmpty } ?? false
        } catch {
            return true
        }
    }

    /// Whether the text of an element is secret.
    func isSecret(_ index: Int) -> Bool {
        tree.elements[index].node.origin.source.isSecret || isDeclaredSecret(tree.name(of: index))
    }
}
