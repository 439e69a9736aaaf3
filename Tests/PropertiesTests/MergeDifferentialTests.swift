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
    }

    private struct Seen {
        var collisions = 0, applied = 0, again = 0, places = 0
    }

    private func playOne(_ random: inout SplitMix, _ seen: inout Seen) throws {
        var stores = [PropertyStore()]
        while stores.count < 3 { stores.append(PropertyStore(parent: stores.last)) }
        var layers: [[PropertyLayer]] = [[], [], []]
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let level = Int.random(in: 0..<3, using: &random)
            let layer = random.layer()
            let isCollision = MergeReference([layer]).collided
            #expect(apply(layer, to: stores[level]) == !isCollision)
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
                let reference = MergeReference(Array(layers[...level].joined()))
                let found = listing(of: store.root)
                #expect(found == reference.listing)
                seen.places += found.count
                try compareReads(store, reference)
            }
        }
    }

    private func apply(_ layer: PropertyLayer, to store: PropertyStore) -> Bool {
        do {
            try store.apply(Fixed(layer: layer))
            return true
        } catch {
            return false
        }
    }

    /// Each name leads to its own node, and the names that are not there lead nowhere.
    private func compareReads(_ store: PropertyStore, _ reference: MergeReference) throws {
        for (path, place) in reference.places {
            let name = path.joined(separator: ".")
            guard let text = place.text else {
                #expect(store.property(name) as [String: Any]? != nil)
                continue
            }
            #expect(store.explain(name).first?.valueText == text)
        }
        for name in ["a.c.a", "b.a.b", "c", ".", "a."] {
            let isThere = reference.places.keys.contains { $0.joined(separator: ".") == name }
            #expect(store.explain(name).isEmpty == !isThere)
        }
    }

    private func listing(of table: PropertyTable, at path: String? = nil) -> [String] {
        let lines = table.flatMap { entry -> [String] in
            let path = path.map { "\($0)/\(entry.key)" } ?? entry.key
            guard case .table(let inner) = entry.node.value else {
                return ["\(path)=\(ValueText.short(entry.node.value))"]
            }
            return ["\(path)=table"] + listing(of: inner, at: path)
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
            table(depth: 0), source: PropertySource(name: name), merge: Bool.random(using: &self) ? .deep : .firstLevel)
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
