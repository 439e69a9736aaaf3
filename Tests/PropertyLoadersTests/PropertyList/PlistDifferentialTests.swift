import Foundation
import PropertyLoaders
import Testing

@Suite("PlistDocument: the same values as Foundation")
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

    @Test("Random XML is read as Foundation reads it, or refused because Foundation misreads it", arguments: 1...20)
    func randomXML(seed: UInt64) throws {
        var random = Numbers(seed: seed)
        var read = 0, invalid = 0
        for _ in 0..<300 {
            let xml = "<plist version=\"1.0\">\(Self.xml(depth: 3, &random))</plist>"
            let object = try? unsafe PropertyListSerialization.propertyList(
                from: Data(xml.utf8), options: [], format: nil)
            let content = try FileSource(bytes: xml.utf8, name: "app.plist").read(limit: 1 << 20)
            do throws(PropertyLoadError) {
                let root = try PlistDocument(content).root
                read += 1
                #expect(Self.text(root) == object.map(Self.text(of:)), "\(xml)")
            } catch {
                if object == nil { invalid += 1 } else { #expect(error.reason == .unsupported, "\(xml): \(error)") }
            }
        }
        #expect(read > 50 && invalid > 10, "\(read) \(invalid)")
    }

    private static func xml(depth: Int, _ random: inout Numbers) -> String {
        let leaves = [
            "<integer>7</integer>", "<integer>+0x1F</integer>", "<integer> -9223372036854775808</integer>",
            "<integer>18446744073709551615</integer>", "<integer>00</integer>", "<real>1.5</real>", "<real>+inf</real>",
            "<real>-.5e-3</real>", "<real>&#49;e1</real>", "<real>NaN</real>", "<true/>", "<false></false>",
            "<string/>",
            "<string>a\n&lt;&#x1F600;]]&gt;</string>", "<string>é<![CDATA[<&>]]></string>", "<data>\nAQ ID\n</data>",
            "<data></data>", "<date>2024-02-29T23:59:59Z</date>", "<date>0001-01-01T00:00:00Z</date>", "<array/>",
            "<dict />", "<!-- <a> --><true/>", "<?a <b> ?><false/>",
        ]
        let wrong = [
            "<integer>1 </integer>", "<integer>0x</integer>", "<real>1e999</real>", "<real>0x1</real>",
            "<real>1 </real>",
            "<true>1</true>", "<string>&#;</string>", "<string>&x;</string>", "<string>a<!-- --></string>", "<x/>",
            "<data>AQI</data>", "<data>A-QID</data>", "<date>2023-02-29T00:00:00Z</date>", "<date>2023</date>",
            "<key>a</key>", "<string a='b'>c</string>", "<array>", "</dict>", "a", "<![CDATA[a]]>", "<data/>",
        ]
        let choice = random.next(below: depth > 0 ? 60 : 40)
        if choice == 0 { return wrong[random.next(below: wrong.count)] }
        if choice < 40 { return leaves[random.next(below: leaves.count)] }
        let isDictionary = choice < 50
        let elements = (0..<random.next(below: 8)).map { _ in
            let keys = ["a", "b", "&lt;", "<![CDATA[x]]>", "é", "c&#100;", ""]
            let key = isDictionary ? "<key>\(keys[random.next(below: keys.count)])</key>" : ""
            return key + xml(depth: depth - 1, &random)
        }
        let name = isDictionary ? "dict" : "array"
        return "<\(name)>\n\(elements.joined(separator: "\n"))</\(name)>"
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

    private static func text(of object: Any) -> String {
        switch object {
        case let members as [String: Any]:
            return "{\(members.map { "\($0):\(text(of: $1))" }.sorted().joined(separator: ","))}"
        case let objects as [Any]: return "[\(objects.map(text(of:)).joined(separator: ","))]"
        case let text as String: return "\"\(text)\""
        case let data as Data: return "\([UInt8](data))"
        case is Date: return "date"
        case let number as NSNumber:
            switch unsafe String(cString: number.objCType) {
            case "c": return "\(number.boolValue)"
            case "d": return "\(number.doubleValue)"
            default: return number.stringValue
            }
        default: return "something else"
        }
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
