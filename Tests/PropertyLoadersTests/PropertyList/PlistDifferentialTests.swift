import Foundation
import FuzzTargets
import PropertyLoaders
import TestSupport
import Testing

@Suite("PlistDocument: the same values as Foundation")
struct PlistDifferentialTests {
    @Test("Random values that Foundation writes as XML or as binary are read without a change")
    func randomValues() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<LongRun.rounds(20) {
            let object = Self.object(depth: 4, &random)
            for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
                let data = try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
                let root = try document([UInt8](data)).root
                #expect(FoundationPlistModel.isSame(root.value, object), "\(format): \(root) is not \(object)")
            }
        }
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
