import FoundationEssentials

extension RandomStack {
    /// Removes parts of the stack one by one while a difference remains. Returns the smallest stack and its difference.
    func shrunk(_ difference: String, folder: URL) -> (stack: RandomStack, difference: String) {
        var smallest = (stack: self, difference: difference)
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in smallest.stack.smaller {
                var player = StackPlayer(candidate, folder: folder)
                guard let difference = player.difference() else { continue }
                smallest = (candidate, difference)
                isSmaller = true
                break
            }
        }
        return smallest
    }

    /// All variants of this stack that lack one step or one part of a step.
    private var smaller: [RandomStack] {
        let withoutStep = steps.indices.map { index in
            var copy = self
            copy.steps.remove(at: index)
            return copy
        }
        let withoutPart = steps.indices.flatMap { index in
            steps[index].action.smaller.map { action in
                var copy = self
                copy.steps[index].action = action
                return copy
            }
        }
        return withoutStep + withoutPart
    }
}

extension RandomStack.Action {
    fileprivate var smaller: [RandomStack.Action] {
        switch self {
        case .apply(let sources):
            let fewer = sources.indices.map { index in
                RandomStack.Action.apply(sources.enumerated().filter { $0.offset != index }.map(\.element))
            }
            let simpler = sources.indices.flatMap { index in
                sources[index].smaller.map { source in
                    var sources = sources
                    sources[index] = source
                    return RandomStack.Action.apply(sources)
                }
            }
            return (sources.count > 1 ? fewer : []) + simpler
        case .reload(let id, let entries): return entries.smaller.map { .reload(changing: id, to: $0) }
        case .declare, .replacePlaceholders: return []
        }
    }
}

extension ModelSource {
    fileprivate var smaller: [ModelSource] {
        var all = entries.smaller.map { entries in
            var copy = self
            copy.entries = entries
            return copy
        }
        if replacesPlaceholders {
            var copy = self
            copy.replacesPlaceholders = false
            all.append(copy)
        }
        if prefix != nil {
            var copy = self
            copy.prefix = nil
            all.append(copy)
        }
        return all
    }
}

extension [ModelEntry] {
    /// All variants of the entries that lack one entry, also of an inner table.
    fileprivate var smaller: [[ModelEntry]] {
        indices.flatMap { index -> [[ModelEntry]] in
            var fewer = self
            fewer.remove(at: index)
            guard case .table(let inner) = self[index].value else { return [fewer] }
            return [fewer]
                + inner.smaller.map { inner in
                    var copy = self
                    copy[index].value = .table(inner)
                    return copy
                }
        }
    }
}
