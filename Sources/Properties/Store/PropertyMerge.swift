/// Merges layers into one tree: the only code that knows how sources meet.
///
/// The flat name is an element's identity (a later node of that name replaces the earlier one, path included).
/// While merging, an element knows its parent only; what a replaced table held is not searched for but cut off: each
/// element has an epoch, its children remember the one that they joined in, and replacing it begins another.
struct PropertyMerge {
    private struct Link {
        var epoch: Int32 = 0
        /// The parent's epoch when this element joined it.
        var parentEpoch: Int32 = 0
    }

    /// What came of it.
    private(set) var tree = PropertyTree()
    private var links: [Link] = []
    /// The tables of which a child moved to another path: one that is empty for that reason goes away with its layer.
    private var losers: [Int32] = []
    /// An element was set more than once, so that something may have been replaced.
    private var isReplacing = false
    /// A key stood twice in one table, which the merge does not undo: it begins anew without the earlier one.
    private var hasDuplicates = false

    /// Where a layer has a table over another one's plain value, or the reverse.
    private(set) var kindChanges: [KindChange] = []

    struct KindChange {
        let layer: Int
        let error: PropertyLoadError
    }

    /// The first two paths of one layer that have one flat name; the layer must then be refused.
    private(set) var collision: PropertyLoadError?

    /// Merges layers in the order in which they were applied.
    init(_ layers: [PropertyLayer]) {
        var count = 0
        for index in layers.indices { count += layers[index].nameCount }
        tree.reserve(count)
        links.reserveCapacity(count)
        run(layers)
        if hasDuplicates {
            (tree, links, collision, kindChanges) = (PropertyTree(), [], nil, [])
            run(layers.map { $0.deduplicated() })
        }
        finish()
    }

    private mutating func run(_ layers: [PropertyLayer]) {
        for index in layers.indices { add(layers[index], number: index) }
    }

    /// Merges one more layer, which has no key twice in a table.
    mutating func add(_ layer: PropertyLayer, number: Int) {
        let step = Step(layer: Int32(number), source: layer.source ?? .unknown, rule: layer.merge)
        add(layer.table, to: PropertyTree.none, hash: NameHash(), step)
        dropEmptied(by: step)
    }

    /// What a layer made of a name, while merging goes on; nil where another one set it last, or none.
    func state(of key: PropertyKey, by number: Int) -> (tree: PropertyTree, index: Int)? {
        guard let index = tree.find(key), isAlive(index), tree.elements[index].layer == number else { return nil }
        let place = tree.elements[..<index].indices.count { isAlive($0) }
        var merge = self
        merge.finish()
        return (merge.tree, place)
    }

    struct Step {
        let layer: Int32
        let source: PropertySource
        let rule: MergeRule
        // At hand, since each node is asked whether it is its source.
        let unknown = PropertySource.unknown
    }

    private mutating func add(_ table: PropertyTable, to parent: Int32, hash: NameHash, _ step: Step) {
        var prefix = hash
        if parent != PropertyTree.none { prefix.addDot() }
        let entries = table.entries
        // By position: an entry handed on whole would count its references.
        for position in entries.indices {
            var hash = prefix
            var key = entries[position].key
            let index = key.withUTF8 { key in
                unsafe hash.add(key)
                return unsafe place(key, entries, position, in: parent, hash: hash.value, step)
            }
            if case .table(let inner) = entries[position].node.value {
                add(inner, to: index, hash: hash, step)
            }
        }
    }

    /// Puts one entry of a table where its flat name belongs and gives the element's index.
    private mutating func place(
        _ key: UnsafeBufferPointer<UInt8>, _ entries: [PropertyTable.Entry], _ position: Int, in parent: Int32,
        hash: UInt32, _ step: Step
    ) -> Int32 {
        if let index = unsafe find(key, in: parent, hash: hash) {
            unsafe replace(index, with: entries[position], key, in: parent, step)
            return Int32(index)
        }
        let index = Int32(tree.elements.count)
        tree.elements.append(
            .init(
                key: unsafe addKey(key), node: shallow(entries[position].node, step),
                keyPlace: entries[position].keyPlace, hash: hash, parent: parent, layer: step.layer))
        links.append(Link(parentEpoch: epoch(of: parent)))
        tree.index(index)
        return index
    }

    // Kept apart from what recurses, so that a level takes little of the stack.
    @inline(never)
    private mutating func replace(
        _ index: Int, with entry: PropertyTable.Entry, _ key: UnsafeBufferPointer<UInt8>, in parent: Int32, _ step: Step
    ) {
        isReplacing = true
        let samePath = unsafe tree.elements[index].parent == parent && hasKey(index, key)
        let isAlive = isAlive(index)
        let old = tree.elements[index]
        if isAlive, old.layer == step.layer {
            if samePath {
                hasDuplicates = true
            } else if collision == nil {
                collision = describeCollision(index, entry, step)
            }
        }
        if !samePath {
            if isAlive, old.parent != PropertyTree.none { losers.append(old.parent) }
            tree.elements[index].parent = parent
            tree.elements[index].key = unsafe addKey(key)
        }
        let isTable = entry.node.isTable
        if isAlive, old.layer != step.layer, old.isTable != isTable, !old.node.isNull, !entry.node.isNull {
            kindChanges.append(describeChange(of: index, to: entry, step))
        }
        let isMerged = isAlive && step.rule == .deep && old.layer != step.layer && old.isTable && isTable
        if !isMerged { links[index].epoch += 1 }
        tree.elements[index].node = shallow(entry.node, step)
        tree.elements[index].keyPlace = entry.keyPlace
        tree.elements[index].layer = step.layer
        links[index].parentEpoch = epoch(of: parent)
    }

    /// The node as an element keeps it: a table without its entries, and with the layer's source where it has none.
    private func shallow(_ node: PropertyNode, _ step: Step) -> PropertyNode {
        let isUnknown = node.source === step.unknown
        return PropertyNode(
            node.isTable ? .table(PropertyTable()) : node.value, source: isUnknown ? step.source : node.source,
            place: isUnknown ? PropertyOrigin.nowhere : node.place)
    }

    private mutating func addKey(_ key: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let start = tree.keys.count
        unsafe tree.keys.append(contentsOf: key)
        return start..<tree.keys.count
    }
}

// MARK: - Finding

extension PropertyMerge {
    private func find(_ key: UnsafeBufferPointer<UInt8>, in parent: Int32, hash: UInt32) -> Int? {
        guard !tree.slots.isEmpty else { return nil }
        let mask = tree.slots.count - 1
        var slot = Int(hash) & mask
        while tree.slots[slot] != 0 {
            let index = Int(tree.slots[slot]) - 1
            if tree.elements[index].hash == hash {
                let isSibling = tree.elements[index].parent == parent
                if unsafe isSibling ? hasKey(index, key) : isNamed(index, key, in: parent) { return index }
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func hasKey(_ index: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe tree.keys[tree.elements[index].key].elementsEqual(key)
    }

    /// Whether an element of another path has the flat name that a key would have here. Rare: keys with dots only.
    private func isNamed(_ index: Int, _ key: UnsafeBufferPointer<UInt8>, in parent: Int32) -> Bool {
        let key = unsafe String(decoding: key, as: UTF8.self)
        let name = parent == PropertyTree.none ? key : tree.name(of: Int(parent)) + "." + key
        return tree.name(of: index).utf8.elementsEqual(name.utf8)
    }

    private func epoch(of parent: Int32) -> Int32 {
        parent == PropertyTree.none ? 0 : links[Int(parent)].epoch
    }

    /// Whether an element, and every table that it is in, is still part of what was merged so far.
    private func isAlive(_ index: Int) -> Bool {
        var current = index
        while true {
            let parent = tree.elements[current].parent
            guard links[current].parentEpoch == epoch(of: parent) else { return false }
            if parent == PropertyTree.none { return true }
            current = Int(parent)
        }
    }
}

// MARK: - Finishing

extension PropertyMerge {
    /// Takes out what was replaced, and links each table's children in their order.
    private mutating func finish() {
        if isReplacing {
            let isKept = tree.elements.indices.map { isAlive($0) }
            if isKept.contains(false) { compact(isKept) }
        }
        tree.linkChildren()
    }

    /// Drops the tables that are empty since their last child moved to another path. One that the layer itself has stays.
    private mutating func dropEmptied(by step: Step) {
        guard !losers.isEmpty else { return }
        var children = [Int](repeating: 0, count: links.count)
        for (index, element) in tree.elements.enumerated() where element.parent != PropertyTree.none && isAlive(index) {
            children[Int(element.parent)] += 1
        }
        for loser in losers {
            var index = Int(loser)
            while isAlive(index), tree.elements[index].isTable, tree.elements[index].layer != step.layer,
                children[index] == 0
            {
                // No epoch is negative: whatever its parent becomes, it is out until a layer has it again.
                links[index].parentEpoch = -1
                let parent = tree.elements[index].parent
                if parent == PropertyTree.none { break }
                children[Int(parent)] -= 1
                index = Int(parent)
            }
        }
        losers = []
    }

    private mutating func compact(_ isKept: [Bool]) {
        var kept = PropertyTree()
        var newIndex = [Int32](repeating: PropertyTree.none, count: isKept.count)
        for (index, element) in tree.elements.enumerated() where isKept[index] {
            newIndex[index] = Int32(kept.elements.count)
            let start = kept.keys.count
            kept.keys.append(contentsOf: tree.keys[element.key])
            kept.elements.append(element)
            kept.elements[kept.elements.count - 1].key = start..<kept.keys.count
        }
        for index in kept.elements.indices where kept.elements[index].parent != PropertyTree.none {
            kept.elements[index].parent = newIndex[Int(kept.elements[index].parent)]
        }
        tree = kept
    }
}

extension PropertyTree {
    fileprivate mutating func reserve(_ count: Int) {
        elements.reserveCapacity(count)
        keys.reserveCapacity(count * 16)
        var size = 16
        while size < count * 2 { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
    }

    /// Enters an element into the index, which grows so that it is never more than half full.
    fileprivate mutating func index(_ index: Int32) {
        if (Int(index) + 1) * 2 > slots.count {
            slots = [Int32](repeating: 0, count: Swift.max(16, slots.count * 2))
            for earlier in 0..<index { enter(earlier) }
        }
        enter(index)
    }

    private mutating func enter(_ index: Int32) {
        let mask = slots.count - 1
        var slot = Int(elements[Int(index)].hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = index + 1
    }

    fileprivate mutating func linkChildren() {
        firstRoot = Self.none
        for index in elements.indices {
            elements[index].firstChild = Self.none
            elements[index].nextSibling = Self.none
        }
        // From the last to the first, so that each goes before its next sibling.
        for index in elements.indices.reversed() {
            let parent = elements[index].parent
            if parent == Self.none {
                elements[index].nextSibling = firstRoot
                firstRoot = Int32(index)
            } else {
                elements[index].nextSibling = elements[Int(parent)].firstChild
                elements[Int(parent)].firstChild = Int32(index)
            }
        }
    }
}
