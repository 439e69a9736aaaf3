import Explorer
import Foundation

/// An atomic operation of `SharedState` whose ordering the proof in `SharedState.md` needs.
enum Point: String, CaseIterable {
    case begin = "R1, the store of the hazard"
    case read = "R2, the load of a reference"
    case end = "R3, the clearing of the hazard"
    case exchange = "W1, the exchange of a reference"
    case replace = "W1, the comparison and exchange of a reference"
    case look = "W2, the load of a hazard"
    case addSlot = "the addition of a slot to the list"
    case listSlots = "the load of the list by a writer"
    case findSlot = "the load of the list by a thread that needs a slot"
    case takeSlot = "the taking of a slot"
    case leaveSlot = "the leaving of a slot"
    case addKey = "the storing of a key"
    case loadKey = "the load of a key"

    /// The source file, and texts that follow each other in it. The ordering follows the last one.
    private var place: (file: String, texts: [String]) {
        switch self {
        case .begin: ("Hazard", ["hazard.store(number, ordering: ."])
        case .read: ("AtomicReference", ["func load()", "address.load(ordering: ."])
        case .end: ("Hazard", ["func end()", "hazard.store(0, ordering: ."])
        case .exchange: ("AtomicReference", ["address.exchange(Self.retained(new), ordering: ."])
        case .replace: ("AtomicReference", ["expected: expected, desired: desired, ordering: ."])
        case .look: ("Hazard", ["func waitForReaders()", "hazard.load(ordering: ."])
        case .addSlot: ("ThreadSlot", ["expected: next, desired: slot, ordering: ."])
        case .listSlots: ("ThreadSlot", ["func forEach", "newest.load(ordering: ."])
        case .findSlot: ("ThreadSlot", ["var free:", "newest.load(ordering: ."])
        case .takeSlot: ("ThreadSlot", ["expected: false, desired: true, ordering: ."])
        case .leaveSlot: ("ThreadSlot", ["deinit", "isTaken.store(false, ordering: ."])
        case .addKey: ("Platform", ["desired: UInt(truncatingIfNeeded: new) &+ 1, ordering: ."])
        case .loadKey: ("Platform", ["static func object<Object>", "key.load(ordering: ."])
        }
    }

    /// Reads the ordering that the sources use.
    ///
    /// - Parameter folder: the folder of the sources of `SharedState`.
    /// - Returns: the ordering.
    /// - Throws: `Mismatch` if the operation is not found, and an error of Foundation if the file cannot be read.
    func ordering(in folder: URL) throws -> MemoryOrdering {
        let file = folder.appending(path: place.file + ".swift")
        var rest = try String(contentsOf: file, encoding: .utf8)[...]
        for text in place.texts {
            guard let found = rest.range(of: text) else { throw Mismatch(point: self, file: place.file, text: text) }
            rest = rest[found.upperBound...]
        }
        guard let ordering = MemoryOrdering(rawValue: String(rest.prefix(while: \.isLetter))) else {
            throw Mismatch(point: self, file: place.file, text: String(rest.prefix(24)))
        }
        return ordering
    }

    struct Mismatch: Error, CustomStringConvertible {
        let point: Point, file: String, text: String
        var description: String {
            "\(file).swift: '\(text)' was not found for \(point.rawValue). Change Point.swift too."
        }
    }
}

/// The ordering of each operation.
struct Orderings {
    private var all: [Point: MemoryOrdering]

    init(sources folder: URL) throws {
        all = [:]
        for point in Point.allCases { all[point] = try point.ordering(in: folder) }
    }

    subscript(point: Point) -> MemoryOrdering { all[point] ?? .relaxed }

    func with(_ ordering: MemoryOrdering, at point: Point) -> Orderings {
        var new = self
        new.all[point] = ordering
        return new
    }

    /// The orderings that are one step weaker at a point.
    func weaker(at point: Point) -> [MemoryOrdering] {
        switch self[point] {
        case .none, .relaxed: []
        case .acquiring, .releasing: [.relaxed]
        case .acquiringAndReleasing: [.acquiring, .releasing]
        case .sequentiallyConsistent:
            switch point {
            case .begin, .end, .leaveSlot: [.releasing]
            case .read, .look, .listSlots, .findSlot, .loadKey: [.acquiring]
            case .exchange, .replace, .addSlot, .takeSlot, .addKey: [.acquiringAndReleasing]
            }
        }
    }
}
