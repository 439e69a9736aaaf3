import TestSupport
import FoundationEssentials
import Properties
import TestSupport

/// Performs the steps of a stack on stores and on the model, and compares both after each step.
struct StackPlayer {
    private let stack: RandomStack
    private let isQuick: Bool
    private var model = ModelStores()
    private let stores: [PropertyStore]
    private var writer: SourceWriter
    private var changing: [Int: ChangingLoader] = [:]
    /// The counts of what the stack contained.
    private(set) var seen = SeenInStacks()

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - stack: the stack to play.
    ///   - folder: the folder for the directories of directory sources.
    ///   - isQuick: whether only the list of properties of the changed store is compared after each step. Reads are
    ///     then compared only for one store after the last step, in every second stack. A debug build plays a stack in
    ///     three milliseconds this way.
    init(_ stack: RandomStack, folder: URL, isQuick: Bool = false) {
        self.stack = stack
        self.isQuick = isQuick
        let root = PropertyStore()
        root.onWrongValue { _ in }  // The model reads every value as every type.
        let child = PropertyStore(parent: root)
        stores = [root, child, PropertyStore(parent: child)]
        // The model declares keys without regard to their values. `CheckedReloadModelTests` has a model of the checks.
        root.acceptUncheckedChanges()
        writer = SourceWriter(random: SplitMix(state: stack.shuffleSeed), folder: folder)
    }

    /// Returns the first difference between the stores and the model, or nil if there is none.
    mutating func difference() -> String? {
        for (number, step) in stack.steps.enumerated() {
            let isLast = number == stack.steps.count - 1
            guard let difference = play(step, isLast: isLast) else { continue }
            return "after step \(number + 1) (\(step)): \(difference)"
        }
        return nil
    }

    private mutating func play(_ step: RandomStack.Step, isLast: Bool) -> String? {
        let expected = model.perform(step)
        for level in stores.indices { _ = model.view(level) }
        if model.isUndefined { return nil }
        seen.add(step, expected)
        let error = perform(step)
        if let difference = StackComparison.thrown(error, expected) { return difference }
        if let error, let leak = StackComparison.leak(in: error, step, model.view(step.level)) { return leak }
        for (level, store) in stores.enumerated() where !isQuick || isLast || level == step.level {
            let comparison = StackComparison(store: store, view: model.view(level), probes: stack.probes)
            let isThorough = isLast && (!isQuick || level == stack.quickLevel)
            guard let difference = comparison.difference(isThorough: isThorough, &seen) else { continue }
            return "\(["root", "child", "grandchild"][level]): \(difference)"
        }
        return nil
    }

    private mutating func perform(_ step: RandomStack.Step) -> (any Error)? {
        let store = stores[step.level]
        do {
            switch step.action {
            case .apply(let sources):
                let loaders = sources.map { loader(of: $0) }
                if loaders.count == 1 { try store.apply(loaders[0]) } else { try store.apply(loaders) }
            case .reload(let id, let entries):
                if let id { change(id, to: entries) }
                try store.reload()
            case .declare(let declaration): declaration.declare(to: store)
            case .replacePlaceholders: SourceWriter.replacePlaceholders(in: store)
            }
            return nil
        } catch {
            return error
        }
    }

    private mutating func loader(of source: ModelSource) -> any PropertyLoader {
        let loader = writer.loader(of: source)
        guard stack.changing.contains(source.id) else { return loader }
        let changingLoader = ChangingLoader(loader)
        changing[source.id] = changingLoader
        return changingLoader
    }

    private mutating func change(_ id: Int, to entries: [ModelEntry]) {
        let sources = stack.steps.flatMap { step -> [ModelSource] in
            if case .apply(let sources) = step.action { sources } else { [] }
        }
        guard var source = sources.first(where: { $0.id == id }) else { return }
        source.entries = entries
        let loader = writer.loader(of: source)
        changing[id]?.change(to: loader)
    }
}

extension ModelDeclaration {
    fileprivate func declare(to store: PropertyStore) {
        let name = name.text
        switch type {
        case nil: store.declareSecret(name)
        case .integer: declare(1, to: store)
        case .string: declare("x", to: store)
        case .bool: declare(true, to: store)
        case .double: declare(1.0, to: store)
        // The values of typed keys must be `Sendable`, and `Any` is not.
        case .table: declare([:] as [String: PropertyValue], to: store)
        }
    }

    private func declare<Value: Sendable>(_ value: Value, to store: PropertyStore) {
        let name = name.text
        store.declare(
            hasDefault ? TypedKey(name, default: value, isSecret: isSecret) : TypedKey(name, isSecret: isSecret))
    }
}
