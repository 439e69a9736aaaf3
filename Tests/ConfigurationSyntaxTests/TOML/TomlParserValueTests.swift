import ConfigurationSyntax
import Testing

@Suite("TomlParser: strings, numbers and dates")
struct TomlParserValueTests {
    static let strings: [(String, String)] = [
        (#""""#, ""),
        (#""plain""#, "plain"),
        ("\"tab\tinside\"", "tab\tinside"),
        (#""\b\t\n\f\r\e\"\\""#, "\u{8}\t\n\u{C}\r\u{1B}\"\\"),
        (#""\x41\xe9\u00E9\U0001F600""#, "Aéé😀"),
        (#""before \u0000 after""#, "before \0 after"),
        (#"''"#, ""),
        (#"'C:\temp\n'"#, #"C:\temp\n"#),
        (#"'a "quoted" word'"#, #"a "quoted" word"#),
        ("\"# no comment\"", "# no comment"),
        (#""größer 日本 😀""#, "größer 日本 😀"),
        (#""""""""#, ""),
        (#""""one ""two"" three""""#, #"one ""two"" three"#),
        (#"""""quoted"""""#, #""quoted""#),
        (#"""""twice""""""#, #""twice"""#),
        ("\"\"\"\nfirst line\nsecond\"\"\"", "first line\nsecond"),
        ("\"\"\"\r\nfirst\r\nsecond\"\"\"", "first\r\nsecond"),
        ("\"\"\"\n\nfirst\"\"\"", "\nfirst"),
        ("\"\"\"one \\\n\n   two \\  \n three\"\"\"", "one two three"),
        ("\"\"\"\\\n   \"\"\"", ""),
        ("\"\"\"one \\\r\n  two\"\"\"", "one two"),
        (#""""ends with \\""""#, #"ends with \"#),
        ("'''\nliteral \\n\n'two' ''three'' '''", "literal \\n\n'two' ''three'' "),
        ("'''''quoted'''''", "''quoted''"),
        ("''''''", ""),
    ]

    @Test("The escapes of a string are replaced", arguments: strings)
    func string(_ text: String, _ value: String) throws {
        let document = try TomlDocument(bytes: "a = \(text) # comment".utf8, name: "test")
        guard case .string(let string)? = document["a"]?.content else { throw Unexpected() }
        #expect(Array(string.utf8) == Array(value.utf8))
    }

    static let numbers: [(String, String)] = [
        ("0", "0"), ("+0", "0"), ("-0", "0"), ("+99", "99"), ("-17", "-17"), ("1_000", "1000"), ("1_2_3", "123"),
        ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
        ("9_223_372_036_854_775_807", "9223372036854775807"),
        ("0xDEAD_beef", "3735928559"), ("0x00ff", "255"), ("0o755", "493"), ("0b1101_0110", "214"),
        ("0x7fffffffffffffff", "9223372036854775807"), ("0o777777777777777777777", "9223372036854775807"),
        ("1.0", "1.0"), ("+1.5", "1.5"), ("-0.01", "-0.01"), ("0.0", "0.0"), ("-0.0", "-0.0"), ("5e+22", "5e+22"),
        ("1e06", "1000000.0"), ("-2E-2", "-0.02"), ("6.626e-34", "6.626e-34"), ("1_0.2_5e1_0", "102500000000.0"),
        ("0e0", "0.0"), ("inf", "inf"), ("+inf", "inf"), ("-inf", "-inf"), ("nan", "nan"), ("+nan", "nan"),
        ("224_617.445_991_228", "224617.445991228"), ("1e-400", "0.0"), ("4.9e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("0.1000000000000000055511151231257827", "0.1"), ("9007199254740993.0", "9007199254740992.0"),
        ("3.141592653589793238462643383279", "3.141592653589793"),
    ]

    @Test("A number becomes the expected Int64, or the nearest Double", arguments: numbers)
    func number(_ text: String, _ value: String) throws {
        #expect(try toml("a = \(text)\n") == "{a: \(value)}")
    }

    @Test("A random float becomes the same Double as in the standard library")
    func floats() throws {
        for _ in 0..<2_000 {
            let digits = (0...Int.random(in: 0..<22)).map { _ in "\(Int.random(in: 0...9))" }.joined()
            let text = "\(Int.random(in: 0..<1000)).\(digits)e\(Int.random(in: -40..<40))"
            guard case .double(let value)? = try TomlDocument(bytes: "a = \(text)".utf8, name: "test")["a"]?.content
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

    static let dates: [(String, String)] = [
        ("1979-05-27T07:32:00Z", "datetime 1979-05-27T07:32:00Z"),
        ("1979-05-27t07:32:00z", "datetime 1979-05-27T07:32:00Z"),
        ("1979-05-27 07:32:00-07:00", "datetime 1979-05-27T07:32:00-07:00"),
        ("1979-05-27 07:32Z", "datetime 1979-05-27T07:32Z"),
        ("1979-05-27 07:32+05:45", "datetime 1979-05-27T07:32+05:45"),
        ("1979-05-27T00:32:00.999999-07:00", "datetime 1979-05-27T00:32:00.999999-07:00"),
        ("1979-05-27T07:32:00", "datetime-local 1979-05-27T07:32:00"),
        ("1979-05-27T07:32", "datetime-local 1979-05-27T07:32"),
        ("1979-05-27T07:32:00.123456789987", "datetime-local 1979-05-27T07:32:00.123456789"),
        ("1979-05-27", "date-local 1979-05-27"), ("0000-01-01", "date-local 0000-01-01"),
        ("2024-02-29", "date-local 2024-02-29"), ("07:32:00", "time-local 07:32:00"), ("07:32", "time-local 07:32"),
        ("23:59:60", "time-local 23:59:60"), ("00:32:00.5", "time-local 00:32:00.5"),
    ]

    @Test("A date-time has the parts that are in the text, and no others", arguments: dates)
    func date(_ text: String, _ value: String) throws {
        #expect(try toml("a = \(text)\n") == "{a: \(value)}")
        #expect(try toml("a = [\(text),\(text) ]") == "{a: [\(value), \(value)]}")
    }
}
