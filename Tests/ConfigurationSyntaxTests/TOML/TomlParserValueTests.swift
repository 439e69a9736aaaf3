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
