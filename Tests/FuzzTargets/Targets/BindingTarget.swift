import Foundation
import PropertyLoaders

extension FuzzTarget {
    /// The first byte of the input, such as `0`, selects a type. The rest is a JSON object, whose members are read as
    /// this type.
    static let binding = FuzzTarget("binding") { bytes in
        guard let first = bytes.first, !bytes.starts(with: Array("{}".utf8)) else { return }
        let loader = JsonPropertyLoader(bytes: bytes.dropFirst(), name: "fuzz", limits: SyntaxLimits(depth: 50))
        guard let layer = try? loader.load() else { return }
        let store = PropertyStore()
        store.onWrongValue { _ in }
        do { try store.apply(FixedLoader(layer: layer)) } catch { return }
        let check = BindingCheck(store: store, count: bytes.count)
        switch (first &- UInt8(ascii: "0")) % 8 {
        case 0: try check.read(as: Server.self)
        case 1: try check.read(as: Tree.self)
        case 2: try check.read(as: Shape.self)
        case 3: try check.read(as: Pair.self)
        case 4:
            try check.read(as: [String: [Int]].self)
            try check.refuseInexactIntegers()
        case 5: try check.read(as: [Int: Level].self)
        case 6: try check.read(as: [[Double?]].self)
        default: try check.read(as: Child.self)
        }
    }
}

/// Comparisons of what the store decodes with what `JSONDecoder` decodes.
private struct BindingCheck {
    let store: PropertyStore
    let count: Int

    /// Reads each value at the top as a type. If the store returns a value, `JSONDecoder` returns it, too. (It accepts
    /// more, such as the number 1.0 for an integer.)
    func read<T: Decodable & Equatable>(as type: T.Type) throws {
        let before = store.entries.map(\.description)
        for entry in store.root {
            let value: T? = store.property(entry.key)
            switch (Result { () throws(PropertyError) in try store.require(entry.key, as: type) }) {
            case .success(let required):
                try require(value == required, "property and require differ for \(entry.key)")
                let text = JsonText.text(entry.node.withoutNullMembers)
                let decoded = Result { try JSONDecoder().decode(type, from: Data(text.utf8)) }
                try require((try? decoded.get()) == required, "\(entry.node) is \(required); expected \(decoded)")
            case .failure(let error):
                try require(value == nil, "property returns \(String(describing: value)), and require throws \(error)")
                try check(error, in: entry.key)
            }
        }
        try require(before == store.entries.map(\.description), "a read has changed the store")
    }

    /// Checks that no list of integers has a number that may be the nearest one to several integers, which
    /// `JSONDecoder` accepts.
    func refuseInexactIntegers() throws {
        for entry in store.root {
            guard case .array(let nodes) = entry.node.value else { continue }
            for case .double(let double) in nodes.map(\.value) where double.magnitude >= 0x1p53 {
                let integers: [Int]? = store.property(entry.key)
                try require(integers == nil, "\(double) is read as an integer of \(integers ?? [])")
            }
        }
    }

    /// Checks that an error names the value or a part of it, and has a place in the document.
    private func check(_ error: PropertyError, in key: String) throws {
        try require(error.name.utf8.starts(with: key.utf8), "the error about '\(key)' names '\(error.name)'")
        try require(error.description.unicodeScalars.allSatisfy { !$0.isControl }, "control characters: \(error)")
        if let origin = error.origin { try ErrorCheck(count).place(origin, of: "the error") }
    }
}

extension PropertyNode {
    /// The value without the members of tables that are null. A dictionary leaves them out, but `JSONDecoder` refuses
    /// them there. For all other types a null is the same as no member.
    fileprivate var withoutNullMembers: PropertyNode {
        switch value {
        case .table(let table):
            let members = table.compactMap { entry -> (String, PropertyValue)? in
                if case .null = entry.node.value { return nil }
                return (entry.key, entry.node.withoutNullMembers.value)
            }
            return PropertyNode(.table(PropertyTable(members)))
        case .array(let nodes): return PropertyNode(.array(nodes.map(\.withoutNullMembers)))
        default: return self
        }
    }
}

// MARK: - Types

private enum Level: String, Decodable { case debug, info, error }

private struct Server: Decodable, Equatable {
    var host: String
    var port: UInt16?
    var level: Level?
    var weights: [Double]?
    var limits: [String: Int]?
    var isOpen: Bool?
}

private final class Tree: Decodable, Equatable {
    let name: String?
    let children: [Tree]?
    let left: Tree?

    static func == (one: Tree, other: Tree) -> Bool {
        one.name == other.name && one.children == other.children && one.left == other.left
    }
}

private enum Shape: Decodable, Equatable {
    case point
    case circle(radius: Double, label: String?)
    indirect case group([Shape])
}

/// Two elements of an array of any length, read in order.
private struct Pair: Decodable, Equatable {
    let first: Int8
    let second: String?
    let rest: [Bool]

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        first = try container.decode(Int8.self)
        second = try container.decodeIfPresent(String.self)
        var rest: [Bool] = []
        while !container.isAtEnd { rest.append(try container.decode(Bool.self)) }
        self.rest = rest
    }
}

private class Parent: Decodable {
    let id: UInt64
}

private final class Child: Parent, Equatable {
    let tags: Set<String>
    let nested: [String: String]?

    private enum Key: String, CodingKey { case tags, nested, parent }
    private enum InnerKey: String, CodingKey { case deep }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        tags = try container.decode(Set<String>.self, forKey: .tags)
        if container.contains(.nested) {
            let inner = try container.nestedContainer(keyedBy: InnerKey.self, forKey: .nested)
            nested = try inner.decodeIfPresent([String: String].self, forKey: .deep)
        } else {
            nested = nil
        }
        try super.init(from: container.superDecoder(forKey: .parent))
    }

    static func == (one: Child, other: Child) -> Bool {
        one.id == other.id && one.tags == other.tags && one.nested == other.nested
    }
}
