import TOMLKit

// Converts TOMLKit's values to Swift values that do not refer to the document.
extension TOMLTable {
    var dictionary: [String: Any] {
        var result: [String: Any] = [:]
        for (key, value) in self { result[key] = owned(value) }
        return result
    }
}

private func owned(_ value: any TOMLValueConvertible) -> Any {
    switch value.type {
    case .table: value.table?.dictionary ?? [:]
    case .array: value.array?.map { owned($0) } ?? []
    case .string: value.string ?? ""
    case .int: value.int ?? 0
    case .double: value.double ?? 0
    case .bool: value.bool ?? false
    case .date: value.date ?? value
    case .time: value.time ?? value
    case .dateTime: value.dateTime ?? value
    }
}
