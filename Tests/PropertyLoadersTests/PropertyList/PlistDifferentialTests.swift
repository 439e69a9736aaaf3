import Foundation
import PropertyLoaders
import Testing

@Suite("PlistDocument: property lists written by Foundation")
struct PlistDifferentialTests {
    @Test("Random values that Foundation writes as XML or as binary are read without a change", arguments: 1...20)
    func randomValues(seed: UInt64) throws {
        var random = Numbers(seed: seed)
        for _ in 0..<20 {
            let written = Self.value(depth: 4, &random)
            for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
                let data = try PropertyListSerialization.data(
                    fromPropertyList: written.object, format: format, options: 0)
                #expect(Self.text(try document([UInt8](data)).root) == written.text, "\(format)")
            }
        }
    }

    /// Returns a random value for Foundation, and the text that the loaded value must have.
    private static func value(depth: Int, _ random: inout Numbers) -> (object: Any, text: String) {
        switch random.next(below: depth > 0 ? 9 : 7) {
        case 0:
            let bool = random.next(below: 2) == 0
            return (bool, "\(bool)")
        case 1:
            let integers = [0, 1, -1, 127, 255, 256, 65_535, 65_536, Int(Int32.max), -70_000, .max, .min]
            let integer = integers[random.next(below: integers.count)]
            return (integer, "\(integer)")
        case 2: return (UInt64.max - 3, "\(UInt64.max - 3)")
        case 3:
            let doubles = [0.5, -0.1, 1e300, 2.0, 1.0 / 3, -.infinity]
            let double = doubles[random.next(below: doubles.count)]
            return (double, "\(double)")
        case 4:
            let text = string(&random)
            return (text, "\"\(text)\"")
        case 5:
            let bytes = (0..<random.next(below: 40)).map { UInt8($0) }
            return (Data(bytes), "\(bytes)")
        case 6:
            return (Date(timeIntervalSinceReferenceDate: Double(86_400 * random.next(below: 366))), "date")
        case 7:
            let values = (0..<random.next(below: 20)).map { _ in value(depth: depth - 1, &random) }
            return (values.map(\.object), "[\(values.map(\.text).joined(separator: ","))]")
        default:
            var values: [String: (object: Any, text: String)] = [:]
            for _ in 0..<random.next(below: 20) { values[string(&random)] = value(depth: depth - 1, &random) }
            let entries = values.map { "\($0):\($1.text)" }.sorted()
            return (values.mapValues(\.object), "{\(entries.joined(separator: ","))}")
        }
    }

    private static func string(_ random: inout Numbers) -> String {
        let parts = ["a", "é", "<", "&", "\n", "\t", "]]>", "\"", "😀", " ", "&#13;", "%", "0"]
        return (0..<random.next(below: 24)).map { _ in parts[random.next(below: parts.count)] }.joined()
    }

    private static func text(_ node: PropertyNode) -> String {
        switch node.value {
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .unsigned(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .string(let string): "\"\(string)\""
        case .data(let bytes): "\(bytes)"
        case .dateTime: "date"
        case .array(let nodes): "[\(nodes.map(text).joined(separator: ","))]"
        case .table(let table): "{\(table.map { "\($0.key):\(text($0.node))" }.sorted().joined(separator: ","))}"
        default: "something else"
        }
    }
}
