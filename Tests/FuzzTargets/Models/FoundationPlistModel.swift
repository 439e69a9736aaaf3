import Foundation
package import PropertyLoaders

/// The values that Foundation reads from a property list.
package enum FoundationPlistModel {
    /// Returns the value of a document, or nil if Foundation does not read it.
    ///
    /// Foundation crashes on some binary documents, so the caller must know that the loader reads this document.
    package static func object(in bytes: [UInt8]) -> Any? {
        var format = PropertyListSerialization.PropertyListFormat.openStep
        let object = try? unsafe PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: &format)
        return format == .openStep ? nil : object
    }

    /// Whether a loaded value is the one that Foundation has read.
    package static func isSame(_ value: PropertyValue, _ object: Any) -> Bool {
        switch (value, object) {
        case (.table(let table), let members as [String: Any]):
            let values = Dictionary(uniqueKeysWithValues: members.map { (Array($0.utf8), $1) })
            return table.count == values.count
                && table.allSatisfy { entry in
                    values[Array(entry.key.utf8)].map { isSame(entry.node.value, $0) } == true
                }
        case (.array(let nodes), let objects as [Any]):
            return nodes.count == objects.count && zip(nodes, objects).allSatisfy { isSame($0.value, $1) }
        case (.string(let text), let string as String): return text.utf8.elementsEqual(string.utf8)
        case (.data(let bytes), let data as Data): return bytes.elementsEqual(data)
        case (.dateTime(let date), let instant as Date):
            let seconds = instant.timeIntervalSinceReferenceDate
            return InstantModel.seconds("\(date)").map { abs($0 - seconds) <= max(1e-9, 2 * seconds.ulp) } == true
        case (let value, let number as NSNumber): return isSame(value, number)
        default: return false
        }
    }

    private static func isSame(_ value: PropertyValue, _ number: NSNumber) -> Bool {
        switch (unsafe String(cString: number.objCType), value) {
        case ("c", .bool(let bool)): bool == number.boolValue
        case ("f", .double(let double)), ("d", .double(let double)):
            ModelValue.real(double) == .real(number.doubleValue)
        case (_, .integer(let integer)): "\(integer)" == number.stringValue
        case (_, .unsigned(let integer)): "\(integer)" == number.stringValue
        default: false
        }
    }
}
