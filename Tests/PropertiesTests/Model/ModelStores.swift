import Properties

/// The model of the stores of a stack: the sources applied to each, its declarations and its settings.
struct ModelStores {
    struct Applied {
        /// The source with the contents that its loader would return now.
        var current: ModelSource
        /// The layer from the latest load that was published.
        var layer: ModelLayer
        /// The identity of that layer.
        var identity: String?
    }

    struct Store {
        var applied: [Applied] = []
        var declarations: [ModelDeclaration] = []
        var replacesPlaceholders = false
    }

    private(set) var stores = [Store](repeating: Store(), count: RandomStack.levels)

    /// Whether a step has led to a state for which there is no rule.
    private(set) var isUndefined = false

    // Cached until the store or one of its parents changes.
    private var views = [ModelView?](repeating: nil, count: RandomStack.levels)

    /// Returns the view of a store, which merges its parents' sources and then its own.
    mutating func view(_ level: Int) -> ModelView {
        if let view = views[level] { return view }
        let view = ModelView(stores[...level])
        isUndefined = isUndefined || view.hasDotsBeside
        views[level] = view
        return view
    }

    /// Performs a step, or changes nothing if the step fails.
    ///
    /// - Returns: the errors that apply. The store must throw one of them. Empty if the step succeeds.
    mutating func perform(_ step: RandomStack.Step) -> Set<ModelFailure> {
        switch step.action {
        case .declare(let declaration):
            stores[step.level].declarations.append(declaration)
            forget(step.level)
        case .replacePlaceholders: stores[step.level].replacesPlaceholders = true
        case .apply(let sources): return apply(sources, step.level)
        case .reload(let id, let entries):
            if let index = stores[step.level].applied.firstIndex(where: { $0.current.id == id }) {
                stores[step.level].applied[index].current.entries = entries
            }
            return reload(step.level)
        }
        return []
    }

    private mutating func apply(_ sources: [ModelSource], _ level: Int) -> Set<ModelFailure> {
        var new: [Applied] = []
        do throws(ModelFailure) {
            for var source in sources {
                if stores[level].replacesPlaceholders { source.replacesPlaceholders = true }
                new.append(Applied(current: source, layer: try ModelLayer(source), identity: source.identity))
            }
        } catch {
            return [error]
        }
        return change(level) { store in
            // A source that is applied again loses its earlier layer. The sources of one step do not replace each
            // other.
            let identities = new.compactMap(\.identity)
            store.applied.removeAll { $0.identity.map { identities.contains($0) } ?? false }
            store.applied += new
        }
    }

    private mutating func reload(_ level: Int) -> Set<ModelFailure> {
        var new = stores[level].applied
        do throws(ModelFailure) {
            for index in new.indices {
                let layer = try ModelLayer(new[index].current)
                // Only the directories of a stack are on a disk. One that had files and is empty is refused, and so is a
                // file that had text.
                let isDirectory = layer.source.kind == .directory, former = new[index].layer
                if isDirectory, layer.leaves.isEmpty, !former.leaves.isEmpty { throw ModelFailure(.emptied) }
                if layer.isEmptied(since: former) { throw ModelFailure(.emptied) }
                new[index].layer = layer
                new[index].identity = new[index].current.identity
            }
        } catch {
            return [error]
        }
        return change(level) { $0.applied = new }
    }

    private mutating func change(_ level: Int, _ body: (inout Store) -> Void) -> Set<ModelFailure> {
        var trial = self
        body(&trial.stores[level])
        trial.forget(level)
        let view = trial.view(level), failures = view.failures
        if failures.isEmpty { self = trial }
        isUndefined = isUndefined || view.hasDotsBeside
        return failures
    }

    private mutating func forget(_ level: Int) {
        for index in level..<views.count { views[index] = nil }
    }
}
