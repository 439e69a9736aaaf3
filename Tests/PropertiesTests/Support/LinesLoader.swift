import Properties

/// A loader of lines such as `api.timeout = 30` that records places, for tests that must not depend on a real format.
///
/// A value is null, true, false, a number, a date-time, a "string", an [array], {} or, after a ~, untyped text.
struct Lines: PropertyLoader {
    var name: String
    var text: String
    var isSecret = false

    init(_ name: String, _ text: String, isSecret: Bool = false) {
        (self.name, self.text, self.isSecret) = (name, text, isSecret)
    }

    func load() throws -> PropertyLayer {
        let source = PropertySource(name: name, text: SourceText(bytes: Array(text.utf8)), isSecret: isSecret)
        let builder = TableBuilder()
        var offset = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let equals = line.firstIndex(of: "=") {
                let key = line[..<equals].filter { $0 != " " }
                let value = line[equals...].drop { $0 == "=" || $0 == " " }
                let place = offset + line.utf8.count - value.utf8.count
                let path = key.split(separator: ".").map(String.init)
                let node = Self.node(value, source, place)
                do throws(TableBuilder.Conflict) {
                    try builder.insert(node, at: path, place: UInt32(offset))
                } catch {
                    throw PropertyLoadError(
                        .duplicate, "'\(key)' is defined twice", at: node.origin,
                        notes: [.init("first defined at", at: error.origin)])
                }
            }
            offset += line.utf8.count + 1
        }
        return PropertyLayer(builder.table, source: source, isSecret: isSecret)
    }

    private static func node(_ text: Substring, _ source: PropertySource, _ place: Int) -> PropertyNode {
        PropertyNode(value(text, source, place), origin: PropertyOrigin(source: source, place: UInt32(place)))
    }

    private static func value(_ text: Substring, _ source: PropertySource, _ place: Int) -> PropertyValue {
        switch text.first {
        case "\"": return .string(String(text.dropFirst().dropLast()))
        case "~": return .text(String(text.dropFirst()))
        case "{": return [:]
        case "[":
            var place = place + 1
            return .array(
                text.dropFirst().dropLast().split(separator: ",").map { element in
                    let spaces = element.prefix { $0 == " " }.count
                    defer { place += element.utf8.count + 1 }
                    return node(element.dropFirst(spaces), source, place + spaces)
                })
        default: break
        }
        if text == "null" { return nil }
        if let bool = Bool(String(text)) { return .bool(bool) }
        if let integer = Int64(text) { return .integer(integer) }
        if let double = Double(text) { return .double(double) }
        return PropertyDateTime(String(text)).map { .dateTime($0) } ?? .bigInteger(String(text))
    }
}
