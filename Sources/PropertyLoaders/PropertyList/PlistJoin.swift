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

    private func node(_ value: Any, _ shape: PlistShape) throws(PlistFault) -> PropertyNode {
        PropertyNode(
            try self.value(value, shape), origin: PropertyOrigin(source: source, place: shape.place))
    }

    private func value(_ value: Any, _ shape: PlistShape) throws(PlistFault) -> PropertyValue {
        switch shape.kind {
        case .bool:
            if let bool = value as? Bool { return .bool(bool) }
        case .integer:
            if let number = value as? NSNumber, let integer = integer(number) { return integer }
        case .real:
            if let number = value as? NSNumber { return .double(number.doubleValue) }
        case .string:
            if let string = value as? String { return .string(string) }
        case .data:
            if let data = value as? Data { return .data([UInt8](data)) }
        case .date(let date):
            if value is Date { return .dateTime(date) }
        case .array(let shapes):
            if let values = value as? [Any], values.count == shapes.count {
                var nodes: [PropertyNode] = []
                nodes.reserveCapacity(shapes.count)
                for (value, shape) in zip(values, shapes) { nodes.append(try node(value, shape)) }
                return .array(nodes)
            }
        case .dictionary(let entries):
            if let values = value as? [String: Any], values.count == entries.count {
                return .table(try table(values, entries))
            }
        }
        // Cannot happen where the guard's grammar is the parser's; a wrong value would be the worse answer.
        throw PlistFault(.disagreement, at: shape.place == PropertyOrigin.nowhere ? nil : Int(shape.place))
    }

    private func table(_ values: [String: Any], _ entries: [PlistShape.Entry]) throws(PlistFault) -> PropertyTable {
        var joined: [PropertyTable.Entry] = []
        joined.reserveCapacity(entries.count)
        for entry in entries {
            guard let value = values[entry.key] else {
                throw PlistFault(.disagreement, at: source.isText ? Int(entry.keyPlace) : nil)
            }
            joined.append(
                PropertyTable.Entry(key: entry.key, keyPlace: entry.keyPlace, node: try node(value, entry.value)))
        }
        return PropertyTable(entries: joined)
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

extension PropertySource {
    fileprivate var isText: Bool {
        if case .text = places { return true }
        return false
    }
}
