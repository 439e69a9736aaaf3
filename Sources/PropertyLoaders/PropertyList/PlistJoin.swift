internal import Foundation
internal import Properties

/// Joins the values that `PropertyListSerialization` made with the kinds and places that the guard saw.
struct PlistJoin {
    let source: PropertySource

    /// Parses the bytes, which the guard has passed, and joins.
    func root(of bytes: [UInt8], shape: PlistShape) throws(PlistFault) -> PropertyNode {
        let value: Any
        do {
            // Unsafe in its pointer to the format, which is nil.
            value = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
        } catch {
            throw PlistFault(.refused(Self.reason(of: error)), at: nil)
        }
        return try node(value, shape)
    }

    // A function or two a level, with little on the stack: the depth limit rests on it.
    private func node(_ value: Any, _ shape: PlistShape) throws(PlistFault) -> PropertyNode {
        let joined: PropertyValue?
        switch shape.kind {
        case .array(let shapes): joined = try array(value, shapes)
        case .dictionary(let entries): joined = try table(value, entries)
        default: joined = leaf(value, shape.kind)
        }
        // Cannot happen where the guard's grammar is the parser's; a wrong value would be the worse answer.
        guard let joined else {
            throw PlistFault(.disagreement, at: shape.place == PropertyOrigin.nowhere ? nil : Int(shape.place))
        }
        return PropertyNode(joined, origin: PropertyOrigin(source: source, place: shape.place))
    }

    private func leaf(_ value: Any, _ kind: PlistShape.Kind) -> PropertyValue? {
        switch kind {
        case .bool: (value as? Bool).map { .bool($0) }
        case .integer: (value as? NSNumber).flatMap(integer)
        case .real: (value as? NSNumber).map { .double($0.doubleValue) }
        case .string: (value as? String).map { .string($0) }
        case .data: (value as? Data).map { .data([UInt8]($0)) }
        case .date(let date): value is Date ? .dateTime(date) : nil
        case .array, .dictionary: nil
        }
    }

    private func array(_ value: Any, _ shapes: [PlistShape]) throws(PlistFault) -> PropertyValue? {
        guard let values = value as? [Any], values.count == shapes.count else { return nil }
        var nodes: [PropertyNode] = []
        nodes.reserveCapacity(shapes.count)
        for index in shapes.indices { nodes.append(try node(values[index], shapes[index])) }
        return .array(nodes)
    }

    private func table(_ value: Any, _ entries: [PlistShape.Entry]) throws(PlistFault) -> PropertyValue? {
        // As it comes: a cast to string keys would make all of it anew.
        guard let values = value as? [AnyHashable: Any], values.count == entries.count else { return nil }
        var joined: [PropertyTable.Entry] = []
        joined.reserveCapacity(entries.count)
        for entry in entries {
            guard let value = values[entry.key] else { return nil }
            joined.append(
                PropertyTable.Entry(key: entry.key, keyPlace: entry.keyPlace, node: try node(value, entry.value)))
        }
        return .table(PropertyTable(entries: joined))
    }

    private func integer(_ number: NSNumber) -> PropertyValue? {
        let text = number.stringValue
        if let small = Int64(text) { return .integer(small) }
        return UInt64(text).map { .unsigned($0) }
    }

    // On Linux the words are in the debug description alone.
    private static func reason(of error: any Error) -> String {
        let info = (error as NSError).userInfo
        return info["NSDebugDescription"] as? String ?? error.localizedDescription
    }
}
