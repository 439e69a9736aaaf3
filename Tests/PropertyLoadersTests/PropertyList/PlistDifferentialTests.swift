import Foundation
import FuzzTargets
import PropertyLoaders
import Testing

@Suite("PlistDocument: the same values as Foundation")
struct PlistDifferentialTests {
    @Test("Random values that Foundation writes as XML or as binary are read without a change")
    func randomValues() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let object = Self.object(depth: 4, &random)
            for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
                let data = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
                let root = try document([UInt8](data)).root
                #expect(FoundationPlistModel.isSame(root.value, object), "\(format): \(root) is not \(object)")
            }
        }
    }

    @Test("Random XML is read as Foundation reads it, or refused because Foundation misreads it")
    func randomXML() throws {
        var random = SystemRandomNumberGenerator()
        var read = 0, invalid = 0
        for _ in 0..<1000 {
            let xml = "<plist version=\"1.0\">\(Self.xml(depth: 3, &random))</plist>"
            let object = FoundationPlistModel.object(in: Array(xml.utf8))
            let content = try FileSource(bytes: xml.utf8, name: "app.plist").read(limit: 1 << 20)
            do throws(PropertyLoadError) {
                let root = try PlistDocument(content).root
                read += 1
                let isSame = object.map { FoundationPlistModel.isSame(root.value, $0) }
                #expect(isSame == true, "\(xml)")
            } catch {
                if object == nil { invalid += 1 } else { #expect(error.reason == .unsupported, "\(xml): \(error)") }
            }
        }
        #expect(read > 200 && invalid > 30, "\(read) \(invalid)")
    }

    private static func xml(depth: Int, _ random: inout some RandomNumberGenerator) -> String {
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
        let choice = Int.random(in: 0..<(depth > 0 ? 60 : 40), using: &random)
        if choice == 0 { return wrong.randomElement(using: &random) ?? "" }
        if choice < 40 { return leaves.randomElement(using: &random) ?? "" }
        let isDictionary = choice < 50
        let elements = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
            let keys = ["a", "b", "&lt;", "<![CDATA[x]]>", "é", "c&#100;", ""]
            let key = isDictionary ? "<key>\(keys.randomElement(using: &random) ?? "")</key>" : ""
            return key + xml(depth: depth - 1, &random)
        }
        let name = isDictionary ? "dict" : "array"
        return "<\(name)>\n\(elements.joined(separator: "\n"))</\(name)>"
    }

    /// Returns a random value for Foundation.
    private static func object(depth: Int, _ random: inout some RandomNumberGenerator) -> Any {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &random) {
        case 0: return Bool.random(using: &random)
        case 1:
            let integers = [0, 1, -1, 127, 255, 256, 65_535, 65_536, Int(Int32.max), -70_000, .max, .min]
            return integers.randomElement(using: &random) ?? 0
        case 2: return UInt64.max - 3
        case 3: return [0.5, -0.1, 1e300, 2.0, 1.0 / 3, -.infinity].randomElement(using: &random) ?? 0.5
        case 4: return string(&random)
        case 5: return Data((0..<Int.random(in: 0..<40, using: &random)).map { UInt8($0) })
        case 6:
            return Date(timeIntervalSinceReferenceDate: Double(86_400 * Int.random(in: 0..<366, using: &random)))
        case 7: return (0..<Int.random(in: 0..<20, using: &random)).map { _ in object(depth: depth - 1, &random) }
        default:
            let pairs = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                (string(&random), object(depth: depth - 1, &random))
            }
            return Dictionary(pairs) { $1 }
        }
    }

    private static func string(_ random: inout some RandomNumberGenerator) -> String {
        let parts = ["a", "é", "<", "&", "\n", "\t", "]]>", "\"", "😀", " ", "&#13;", "%", "0"]
        return (0..<Int.random(in: 0..<24, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
            .joined()
    }
}
