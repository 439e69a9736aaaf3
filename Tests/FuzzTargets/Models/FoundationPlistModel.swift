import Foundation

/// The values that Foundation reads from a property list.
enum FoundationPlistModel {
    /// Returns the value of a document. Throws `Invalid` if Foundation does not read it.
    ///
    /// Foundation crashes on some documents, so the caller must know that a loader or another model reads this one.
    static func value(_ bytes: [UInt8]) throws -> ModelValue {
        var format = PropertyListSerialization.PropertyListFormat.openStep
        let object = try? unsafe PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: &format)
        guard let object, format != .openStep else { throw Invalid() }
        return try value(object)
    }

    private static func value(_ object: Any) throws -> ModelValue {
        switch object {
        case let members as [String: Any]:
            .table(Dictionary(uniqueKeysWithValues: try members.map { (Array($0.utf8), try value($1)) }))
        case let objects as [Any]: .array(try objects.map(value))
        case let text as String: .string(Array(text.utf8))
        case let data as Data: .data(Array(data))
        case let date as Date: .date(try BinaryPlistModel.date(date.timeIntervalSinceReferenceDate))
        case let number as NSNumber:
            switch unsafe String(cString: number.objCType) {
            case "c": .bool(number.boolValue)
            case "f", "d": .real(number.doubleValue)
            default: .integer(number.stringValue)
            }
        default: throw Invalid()
        }
    }
}
