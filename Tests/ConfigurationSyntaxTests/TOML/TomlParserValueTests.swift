import ConfigurationSyntax
import Testing

@Suite("TomlParser: floats")
struct TomlParserValueTests {
    @Test("A random float becomes the same Double as in the standard library")
    func floats() throws {
        for _ in 0..<2_000 {
            let digits = (0...Int.random(in: 0..<22)).map { _ in "\(Int.random(in: 0...9))" }.joined()
            let text = "\(Int.random(in: 0..<1000)).\(digits)e\(Int.random(in: -40..<40))"
            guard
                case .double(let value)? = try TomlDocument(bytes: "a = \(text)".utf8, name: "test").root["a"]?.content
            else {
                throw Unexpected()
            }
            #expect(value == Double(text), "\(text)")
        }
    }

    @Test("A random float of 16 to 20 digits, and one in the middle between two, becomes the nearest Double")
    func longFloats() throws {
        // 2^52 and 2^51 with a half of the distance to the next Double.
        let ties = ["4503599627370496.5", "4503599627370497.5", "2251799813685248.25", "2251799813685248.75"]
        let random = (0..<3_000).map { _ in
            let digits =
                "\(UInt64.random(in: 1 << 53...999_999_999_999_999_999))\(["", "5", "00"].randomElement() ?? "")"
            let point = digits.index(digits.startIndex, offsetBy: Int.random(in: 1..<16))
            return "\(digits[..<point]).\(digits[point...])e\(Int.random(in: -9..<9))"
        }
        let near = ties.flatMap { [$0, $0 + "00", $0 + "01"] }
        for text in near + random {
            let document = try TomlDocument(bytes: "a = \(text)".utf8, name: "test")
            guard case .double(let value)? = document.root["a"]?.content else { throw Unexpected() }
            #expect(value == Double(text), "\(text)")
        }
    }

    @Test("A very large exponent and a very long fraction cancel each other")
    func longFraction() throws {
        let zeros = String(repeating: "0", count: 100_001)
        #expect(try toml("a = 0.\(zeros)1e100002") == "{a: 1.0}")
        #expect(try json("[0.\(zeros)1e100003, -0.\(zeros)1e-9, 0e9999999]") == "[10.0, -0.0, 0.0]")
        for text in ["0.\(zeros)1e200001", "0.\(zeros)1e99999999999999999999"] {
            let error = try #require(throws: SyntaxError.self) { try json(text) }
            #expect(error.reason == .unsupported)
        }
    }
}
