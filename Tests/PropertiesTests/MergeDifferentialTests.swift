import Properties
import Testing

@Suite("Merging: the store agrees with a reference that is slow and plain")
struct MergeDifferentialTests {
    @Test("Random sources, in stores three deep, come to what the reference says", arguments: 0..<4)
    func random(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var seen = Seen()
        for _ in 0..<100 { try playOne(&random, &seen) }
        // The test is worth its name only where it met all of this.
        #expect(seen.collisions > 3)
        #expect(seen.applied > 300)
        #expect(seen.again > 40)
        #expect(seen.places > 1200)
        #expect(seen.removed > 200)
    }

    private struct Seen {
        var collisions = 0, applied = 0, again = 0, places = 0, removed = 0
    }

    private func playOne(_ random: inout SplitMix, _ seen: inout Seen) throws {
        let stores = Self.threeDeep(), shuffled = Self.threeDeep()
        var layers: [[PropertyLayer]] = [[], [], []]
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let level = Int.random(in: 0..<3, using: &random)
            let layer = random.layer()
            let other = random.shuffled(layer)
            let isCollision = MergeReference([layer]).collided
            #expect(apply(layer, to: stores[level]) == !isCollision)
            #expect(apply(other, to: shuffled[level]) == !isCollision)
            if isCollision {
                seen.collisions += 1
            } else {
                let before = layers[level].count
                layers[level].removeAll { $0.source?.identity == layer.source?.identity }
                seen.again += before - layers[level].count
                layers[level].append(layer)
                seen.applied += 1
            }
            for (level, store) in stores.enumerated() {
                let all = Array(layers[...level].joined())
                let reference = MergeReference(all)
                let found = listing(of: store.root)
                #expect(found == reference.listing(all))
                #expect(listing(of: shuffled[level].root) == found)
                #expect(kindChanges(in: store) == reference.kindChanges.sorted())
                seen.places += found.count
                try compareReads(store, reference, &seen)
            }
        }
    }

    private static func threeDeep() -> [PropertyStore] {
        let top = PropertyStore(), middle = PropertyStore(parent: top)
        return [top, middle, PropertyStore(parent: middle)]
    }

    private func apply(_ layer: PropertyLayer, to store: PropertyStore) -> Bool {
        do {
            try store.apply(Fixed(layer: layer))
            return true
        } catch {
            return false
        }
    }

    /// Each name leads to its own node and its history, and the names that are not there lead nowhere.
    private func compareReads(_ store: PropertyStore, _ reference: MergeReference, _ seen: inout Seen) throws {
        let places = Dictionary(reference.places.map { ($0.joined(separator: "."), $1) }) { one, _ in one }
        for (name, place) in places where place.isTable {
            #expect(store.property(name) as [String: Any]? != nil)
        }
        for (name, history) in reference.history {
            var found = store.explain(name)
            if places[name] == nil {
                // What removed it stands before what it was.
                let removal = found.removeFirst()
                #expect("\(name).".hasPrefix("\(removal.name)."))
                #expect(throws: PropertyError.self) { _ = try store.require(name, as: PropertyNode.self) }
                seen.removed += 1
            }
            let texts = found.map { entry in
                if case .table = entry.node.value { return "table" }
                return entry.valueText
            }
            #expect(texts == history.reversed().map { $0.text ?? "table" }, "\(name)")
        }
        for name in ["a.c.a", "b.a.b", "c", ".", "a."] where reference.history[name] == nil {
            #expect(store.explain(name).isEmpty)
        }
    }

    private func kindChanges(in store: PropertyStore) -> [String] {
        store.warnings.filter { $0.reason == .kindChange }.compactMap { warning in
            warning.problem.split(separator: "'", omittingEmptySubsequences: false).dropFirst().first.map { String($0) }
        }.sorted()
    }

    private func listing(of table: PropertyTable, at path: String? = nil) -> [String] {
        let lines = table.flatMap { entry -> [String] in
            let path = path.map { "\($0)/\(entry.key)" } ?? entry.key
            let origin = entry.node.origin.source.name
            guard case .table(let inner) = entry.node.value else {
                return ["\(path)=\(ValueText.short(entry.node.value)) (\(origin))"]
            }
            return ["\(path)=table (\(origin))"] + listing(of: inner, at: path)
        }
        return path == nil ? lines.sorted() : lines
    }
}

private struct Fixed: PropertyLoader {
    let layer: PropertyLayer
    func load() -> PropertyLayer { layer }
}

/// Random numbers that are the same in each run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SplitMix {
    /// A source of few names, most with dots in them, so that they meet often.
    fileprivate mutating func layer() -> PropertyLayer {
        let name = ["one", "two", "three", "four"].randomElement(using: &self) ?? ""
        return PropertyLayer(
            table(depth: 0), source: PropertySource(name: name, identity: name),
            merge: Bool.random(using: &self) ? .deep : .firstLevel)
    }

    /// The same source with its keys in another order; of keys that are twice in a table the last one remains.
    fileprivate mutating func shuffled(_ layer: PropertyLayer) -> PropertyLayer {
        PropertyLayer(shuffled(layer.table), source: layer.source, merge: layer.merge)
    }

    private mutating func shuffled(_ table: PropertyTable) -> PropertyTable {
        let last = table.enumerated().filter { index, entry in
            !table[(index + 1)...].contains { $0.key == entry.key }
        }
        return PropertyTable(
            entries: last.map(\.element).shuffled(using: &self).map { entry in
                guard case .table(let inner) = entry.node.value else { return entry }
                return .init(key: entry.key, node: PropertyNode(.table(shuffled(inner))))
            })
    }

    private mutating func table(depth: Int) -> PropertyTable {
        let keys = ["a", "b", "c", "a.b", "b.c", "a.b.c", "", "a."]
        let count = Int.random(in: 0...(depth == 0 ? 4 : 2), using: &self)
        return PropertyTable(
            (0..<count).map { _ in (keys.randomElement(using: &self) ?? "", value(depth: depth + 1)) })
    }

    private mutating func value(depth: Int) -> PropertyValue {
        switch Int.random(in: 0..<10, using: &self) {
        case 0: nil
        case 1: [1, 2]
        case 2..<7 where depth < 4: .table(table(depth: depth))
        default: .integer(Int64.random(in: 0..<1000, using: &self))
        }
    }
}
