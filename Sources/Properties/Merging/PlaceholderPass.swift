/// Replaces the placeholders of a merged tree.
///
/// The result does not depend on the order of the elements: before an element is replaced, those that it refers to are.
/// The references in a default count only if the default is needed. An element whose references lead back to it fails,
/// and so does each element that refers to a failed one, since a default replaces only what is missing, null or empty.
/// Each element is replaced once.
struct PlaceholderPass {
    /// The result.
    struct Outcome {
        /// The tree with all placeholders replaced; an element whose placeholders failed is null.
        var tree: PropertyTree
        /// Why elements are null, by their index. The failure of a table is the first one in it.
        var failures: [Int: PropertyLoadError] = [:]
        /// The first failure, with which the state must be refused.
        var failure: PropertyLoadError?
    }

    /// An element that waits for those that it refers to.
    private struct Frame {
        let index: Int
        let steps: [PlaceholderTemplate.Step]
        /// The next step to resolve.
        var next = 0
        /// The length of the longest chain of placeholders that this element refers to.
        var depth = 0
    }

    var tree: PropertyTree
    private let layers: [PropertyLayer]
    let isDeclaredSecret: (String) -> Bool
    private var isDone: [Bool]
    private(set) var failures: [Int: PropertyLoadError] = [:]
    /// The lengths of the chains of placeholders, by the element where each begins.
    private var depths: [Int: Int] = [:]
    /// The elements that wait, each for the next one. A long chain would overflow the call stack.
    private var frames: [Frame] = []
    /// The position in `frames` of each waiting element.
    private var waiting: [Int: Int] = [:]
    /// How many bytes the placeholders have produced so far.
    var size: Int
    var secrets = SecretMarker()

    /// Replaces the placeholders of all layers that have it enabled.
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
        let indices = failures.keys.sorted()
        outcome.failure = indices.first.flatMap { failures[$0] }
        for index in indices {
            // A table that contains one has no complete value.
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

    /// The error of each element of a circle.
    private func errors(about circle: [Int]) -> [PropertyLoadError] {
        let remedy = "Give one of them a value of its own"
        // The names of the others are part of an element's text.
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

    /// Fails an element that refers to a failed one.
    private mutating func fail(_ index: Int, as failure: PropertyLoadError) {
        guard isSecret(index) else { return fail(index, with: failure) }
        // The name of the other property is part of the secret text.
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

    /// Completes the element on top of the stack.
    private mutating func end(_ index: Int) {
        isDone[index] = true
        waiting[index] = nil
        frames.removeLast()
    }

    private func lookups(of index: Int) -> PlaceholderLookups? { layers[Int(tree.elements[index].layer)].lookups }

    /// The element that a reference names; nil for a lookup, or if there is no such property.
    private func target(of reference: PlaceholderTemplate.Reference, for index: Int) -> Int? {
        guard lookups(of: index)?.isLookup(reference) != true else { return nil }
        return tree.find(PropertyKey(reference.name))
    }

    /// Whether a lookup has a result that is not empty. A failed lookup counts, since it needs no default either.
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
