public import Container
import Properties

extension [RegisteredService] {
    /// The registrations as a JSON array with an object for each. If the dependencies or the reads of a service are not
    /// known, their array is null.
    public var json: String { JsonText.lines(of: map { JsonText.text($0.node) }) }
}

extension JsonText {
    /// Returns a JSON array with a line for each element.
    ///
    /// - Parameter elements: the JSON texts of the elements.
    /// - Returns: the text.
    package static func lines(of elements: [String]) -> String {
        elements.isEmpty ? "[]" : "[\n  \(elements.joined(separator: ",\n  "))\n]"
    }
}

extension RegisteredService {
    fileprivate var node: PropertyNode {
        func text(_ text: String?) -> PropertyValue { text.map { .string($0) } ?? .null }
        let all = dependencies.map { dependency in
            Self.node([
                ("service", .string(dependency.service)), ("type", .string(dependency.key.typeName)),
                ("isDeferred", .bool(dependency.isDeferred)),
            ])
        }
        let reads = reads.map { PropertyNode(.string($0)) }
        return Self.node([
            ("service", .string(service)), ("type", .string(key.typeName)), ("name", text(name)),
            ("scope", .string(scope)), ("place", text(place)), ("replaces", text(replacedPlace)),
            ("target", text(target)), ("hasInstance", .bool(hasInstance)),
            ("followsSettings", .bool(followsSettings)), ("dependencies", isKnown ? .array(all) : .null),
            ("reads", hasInstance && followsSettings ? .array(reads) : .null),
        ])
    }

    private static func node(_ entries: [(String, PropertyValue)]) -> PropertyNode {
        PropertyNode(.table(PropertyTable(entries)))
    }
}
