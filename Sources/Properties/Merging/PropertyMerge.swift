/// Merges layers into one tree. All rules of merging are implemented here.
///
/// The tree has one element for each flat name, and the element keeps its index during the whole merge. A later layer
/// with the same name changes the element in its place, even if the layer has another path for the name: `a.b` may be
/// the key `b` in the table `a`, or the key `a.b`. Only a name that is not in the tree takes the layer's own path.
///
/// Each layer is merged in three steps, so that the order of its keys does not matter:
///
/// 1. `add` visits all entries of the layer, finds or appends an element for each name, and records which tables lose
///    their contents.
/// 2. `settle` removes these contents, then moves each name that is not in the tree to the layer's own path.
/// 3. `dropHusks` removes "husks": tables of the layer that are empty only because all their contents changed elements
///    at other paths.
///
/// Removing the contents of a table takes constant time: each element has an epoch, and its children record the epoch
/// in which they joined it. When the epoch of a table is incremented, its children no longer belong to it.
struct PropertyMerge {
    struct Link {
        var epoch: Int32 = 0
        /// The epoch of the parent when this element joined it. If the parent's epoch is different now, the element is
        /// not in the tree.
        var parentEpoch: Int32 = 0
        /// The table that contains this name in the last layer that defines it. It differs from the parent if that
        /// layer splits the flat name into other keys.
        var writtenIn: Int32
    }

    /// A table of an earlier layer, as it was before the table of a later layer was merged into it.
    struct MergedTable {
        let node: PropertyNode
        let keyPlace: UInt32
        let layer: Int32
        /// Whether the later layer's table has no entries.
        let isEmptyInLayer: Bool
    }

    /// The merged tree.
    private(set) var tree = PropertyTree()
    private var links: [Link] = []
    /// Whether some elements may no longer be in the tree.
    private var hasDropped = false
    /// Whether a key occurs twice in a table of a layer. The merge cannot undo the earlier entry, so it starts again
    /// with layers without duplicate keys.
    private var hasDuplicates = false
    /// Whether a layer changed an element at a path other than the layer's own path for the name.
    private(set) var hasDisplaced = false

    // MARK: State of the layer that is being merged

    /// The elements of earlier layers whose names occur in the layer, in the order of the layer.
    private var hits: [Int32] = []
    /// The hits that are tables and lose their contents.
    private var cleared: [Int32] = []
    /// The hits that are tables and keep their contents.
    private var merged: [Int32: MergedTable] = [:]
    /// Whether any hit is not in the tree, or has another path in the layer.
    private var hasOutsiders = false
    /// For the hits that have another path in the layer, the ranges of the layer's keys in `tree.keys`.
    private var otherKeys: [Int32: Range<Int>] = [:]

    /// Warnings about names that are a table in one layer and a plain value in an earlier one, or the reverse.
    private(set) var kindChanges = BoundedList<PropertyLoadError>(limit: ListLimit.warnings)
    /// The first kind-change warning of each layer that has one, by the number of the layer.
    private(set) var firstKindChanges: [Int32: PropertyLoadError] = [:]

    /// The error for the first layer in which two paths have the same flat name, or nil. The caller must refuse that
    /// layer.
    private(set) var collision: PropertyLoadError?

    /// Merges layers in the order in which they were applied.
    init(_ layers: [PropertyLayer]) {
        var count = 0
        for index in layers.indices { count += layers[index].nameCount }
        tree.reserve(count)
        links.reserveCapacity(count)
        addAll(layers)
        if hasDuplicates {
            self = PropertyMerge([])
            addAll(layers.map { $0.deduplicated() })
        }
        finish()
    }

    private mutating func addAll(_ layers: [PropertyLayer]) {
        for index in layers.indices { add(layers[index], number: index) }
    }

    /// Merges one more layer. If a table in it contains a key twice, sets `hasDuplicates`, and the result is not valid.
    mutating func add(_ layer: PropertyLayer, number: Int) {
        let step = Step(layer: Int32(number), source: layer.source ?? .unknown, rule: layer.merge)
        let first = tree.elements.count
        add(layer.table, to: PropertyTree.none, hash: NameHash(), step)
        guard !hits.isEmpty else { return }
        let husks = settle(from: first)
        if !husks.isEmpty { dropHusks(husks, step) }
        hits.removeAll(keepingCapacity: true)
        (cleared, merged, otherKeys, hasOutsiders) = ([], [:], [:], false)
    }

    struct Step {
        let layer: Int32
        let source: PropertySource
        let rule: MergeRule
        // A local copy of a static property, because each node is compared with it, and each access to a static
        // property checks whether the property is initialized.
        let unknown = PropertySource.unknown
    }
}

// MARK: - Step 1

extension PropertyMerge {
    private mutating func add(_ table: PropertyTable, to parent: Int32, hash: NameHash, _ step: Step) {
        var prefix = hash
        if parent != PropertyTree.none { prefix.addDot() }
        let entries = table.entries
        // By index, since copying an entry retains its contents.
        for position in entries.indices {
            var hash = prefix
            var key = entries[position].key
            let index = key.withUTF8 { key in
                unsafe hash.add(key)
                return unsafe insert(key, entries, position, in: parent, hash: hash.value, step)
            }
            if case .table(let inner) = entries[position].node.value, index != PropertyTree.none {
                add(inner, to: index, hash: hash, step)
            }
        }
    }

    /// Finds or appends the element of one entry of a table.
    ///
    /// - Returns: the index of the element, or `none` if another entry of the layer has the same flat name.
    // Not inlined into the recursive function, so that each level needs less stack: 512 levels must fit into 512 KB.
    @inline(never)
    private mutating func insert(
        _ key: UnsafeBufferPointer<UInt8>, _ entries: [PropertyTable.Entry], _ position: Int, in parent: Int32,
        hash: UInt32, _ step: Step
    ) -> Int32 {
        if let index = unsafe find(key, in: parent, hash: hash) {
            let isNew = unsafe assign(entries[position], key, in: parent, to: index, step)
            return isNew ? Int32(index) : PropertyTree.none
        }
        let index = Int32(tree.elements.count)
        tree.elements.append(
            .init(
                key: unsafe addKey(key), node: shallow(entries[position].node, step),
                keyPlace: entries[position].keyPlace, hash: hash, parent: parent, layer: step.layer))
        links.append(Link(parentEpoch: epoch(of: parent), writtenIn: parent))
        tree.index(index)
        return index
    }

    /// Assigns an entry to the existing element of its name. Does not move the element in the tree; step 2 does that if
    /// necessary.
    ///
    /// - Returns: false if another entry of the layer has the same flat name.
    // Not inlined, for the same reason.
    @inline(never)
    private mutating func assign(
        _ entry: PropertyTable.Entry, _ key: UnsafeBufferPointer<UInt8>, in parent: Int32, to index: Int, _ step: Step
    ) -> Bool {
        let old = tree.elements[index]
        guard old.layer != step.layer else {
            // If the earlier entry is in the same table, the key occurs twice there. Otherwise two paths have the same
            // flat name.
            if links[index].writtenIn == parent {
                hasDuplicates = true
            } else if collision == nil {
                collision = PropertyLoadError(
                    .duplicate, "two keys have the flat name '\(tree.name(of: index))'",
                    at: entry.keyOrigin.known(in: step.source), remedy: "Write the name in one way only",
                    notes: [.init("the other is at", at: tree.keyOrigin(of: index))])
            }
            return false
        }
        // Step 2 removes what this layer replaces. Until then, `isInTree` returns the state after the earlier layers.
        let isInTree = isInTree(index), isTable = entry.node.isTable
        if isInTree {
            if old.isTable != isTable, !old.node.isNull, !entry.node.isNull {
                recordKindChange(of: index, to: entry, step)
            }
            if old.isTable { recordContents(of: index, old, entry, step) }
        }
        if old.parent != parent { unsafe otherKeys[Int32(index)] = addKey(key) }
        hasOutsiders = hasOutsiders || !isInTree || old.parent != parent
        hits.append(Int32(index))
        links[index].writtenIn = parent
        tree.elements[index].node = shallow(entry.node, step)
        tree.elements[index].keyPlace = entry.keyPlace
        tree.elements[index].layer = step.layer
        return true
    }

    /// Records that a table replaces a plain value, or the reverse. Must be called before the element is changed.
    private mutating func recordKindChange(of index: Int, to entry: PropertyTable.Entry, _ step: Step) {
        let isFirst = firstKindChanges[step.layer] == nil
        guard isFirst || !kindChanges.isFull else { return kindChanges.skip() }
        let old = tree.elements[index].node
        let change = PropertyLoadError(
            .kindChange, "'\(tree.name(of: index))' is \(ValueText.noun(of: entry.node.value))",
            at: entry.node.origin.known(in: step.source), expected: ValueText.noun(of: old.value),
            remedy: "Rename one of them", notes: [.init("which it is at", at: old.origin)])
        if isFirst { firstKindChanges[step.layer] = change }
        kindChanges.append(change)
    }

    /// Records whether an earlier table keeps or loses its contents.
    private mutating func recordContents(
        of index: Int, _ old: PropertyTree.Element, _ entry: PropertyTable.Entry, _ step: Step
    ) {
        guard case .table(let table) = entry.node.value, step.rule == .deep else {
            cleared.append(Int32(index))
            return
        }
        merged[Int32(index)] = MergedTable(
            node: old.node, keyPlace: old.keyPlace, layer: old.layer, isEmptyInLayer: table.isEmpty)
    }

    /// Returns the node as an element stores it: a table without its entries, and the source of the layer if the source
    /// is unknown.
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
        var slot = NameHash.slot(hash, mask)
        while tree.slots[slot] != 0 {
            let index = Int(tree.slots[slot]) - 1
            if tree.elements[index].hash == hash {
                let isSibling = tree.elements[index].parent == parent
                if unsafe isSibling ? hasKey(index, key) : tree.isNamed(index, key, in: parent) { return index }
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func hasKey(_ index: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe tree.keys[tree.elements[index].key].elementsEqual(key)
    }

    private func epoch(of parent: Int32) -> Int32 {
        parent == PropertyTree.none ? 0 : links[Int(parent)].epoch
    }

    /// Whether an element and all tables that it is in are in the tree.
    func isInTree(_ index: Int) -> Bool {
        var current = index
        while true {
            let parent = tree.elements[current].parent
            guard links[current].parentEpoch == epoch(of: parent) else { return false }
            if parent == PropertyTree.none { return true }
            current = Int(parent)
        }
    }
}

// MARK: - Step 2

extension PropertyMerge {
    /// Removes the contents of replaced tables and moves names that are not in the tree to the layer's paths.
    ///
    /// - Parameter first: the index of the first element that the layer appended.
    /// - Returns: the layer's tables that may be husks.
    private mutating func settle(from first: Int) -> [Int32] {
        for index in cleared { links[Int(index)].epoch += 1 }
        if !cleared.isEmpty { hasDropped = true }
        guard hasOutsiders || !cleared.isEmpty else { return [] }
        var husks: [Int32] = []
        // In `hits`, a table comes before its contents, so the epoch of the table is final when the contents join it.
        for hit in hits {
            let index = Int(hit), parent = links[index].writtenIn
            if !isInTree(index) {
                move(index, to: parent)
            } else if tree.elements[index].parent != parent {
                hasDisplaced = true
                if parent != PropertyTree.none { husks.append(parent) }
            }
        }
        for index in first..<links.count { links[index].parentEpoch = epoch(of: tree.elements[index].parent) }
        return husks
    }

    /// Moves an element that is not in the tree into a table, without its earlier contents.
    private mutating func move(_ index: Int, to parent: Int32) {
        if let key = otherKeys[Int32(index)] { tree.elements[index].key = key }
        tree.elements[index].parent = parent
        links[index].epoch += 1
        links[index].parentEpoch = epoch(of: parent)
        hasDropped = true
    }
}

// MARK: - Step 3

extension PropertyMerge {
    /// Removes the tables of the layer that are empty although the layer has entries in them, and then each parent that
    /// becomes empty because of that.
    private mutating func dropHusks(_ husks: [Int32], _ step: Step) {
        var children = [Int](repeating: 0, count: links.count)
        for (index, element) in tree.elements.enumerated() where element.parent != PropertyTree.none && isInTree(index)
        {
            children[Int(element.parent)] += 1
        }
        for husk in husks {
            var index = Int(husk)
            while children[index] == 0, tree.elements[index].layer == step.layer, isInTree(index) {
                if let table = merged[Int32(index)] {
                    if !table.isEmptyInLayer { restore(index, table) }
                    break
                }
                // Epochs are never negative, so -1 keeps the element out of the tree until a later layer has its name.
                links[index].parentEpoch = -1
                hasDropped = true
                let parent = tree.elements[index].parent
                if parent == PropertyTree.none { break }
                children[Int(parent)] -= 1
                index = Int(parent)
            }
        }
    }

    private mutating func restore(_ index: Int, _ table: MergedTable) {
        tree.elements[index].node = table.node
        tree.elements[index].keyPlace = table.keyPlace
        tree.elements[index].layer = table.layer
    }
}

// MARK: - Finishing

extension PropertyMerge {
    /// Removes the elements that are not in the tree, and links the children of each table in order.
    private mutating func finish() {
        if hasDropped {
            let isKept = tree.elements.indices.map { isInTree($0) }
            if isKept.contains(false) { tree = tree.compacted(isKept) }
        }
        tree.linkChildren()
    }

    /// Returns the finished tree of the layers so far, and the new index of an element in it.
    func finished(with index: Int) -> (tree: PropertyTree, index: Int) {
        let place = tree.elements[..<index].indices.count { isInTree($0) }
        var merge = self
        merge.finish()
        return (merge.tree, place)
    }
}
