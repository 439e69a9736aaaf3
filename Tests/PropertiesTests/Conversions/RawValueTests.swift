import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Types with raw values")
struct RawValueTests {
    private enum Listed: String, CaseIterable { case debug, info }
    private enum Level: String { case debug, info }
    private struct Percent: RawRepresentable {
        let rawValue: Int
        init?(rawValue: Int) {
            guard (0...100).contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }
    }

    private func message<T>(_ text: String, _ type: T.Type) throws -> String? {
        let store = PropertyStore()
        try store.apply(Lines("c", "x = \(text)"))
        let error = #expect(throws: PropertyError.self) { try store.require("x", as: type) }
        return error.map { "\($0.reason): \($0.description)" }
    }

    @Test("The error about a rejected raw value names the type, or lists its cases if they are known")
    func refused() throws {
        #expect(
            try message("\"debg\"", Listed.self) == """
                not one of the cases: c:1:5: 'x' is the string "debg"; expected one of "debug", "info". \
                Did you mean "debug"?
                """)
        #expect(
            try message("\"loud\"", Level.self)
                == "not one of the cases: c:1:5: 'x' is the string \"loud\"; expected a string that Level accepts. "
                + "Change the value.")
        #expect(
            try message("101", Percent.self)
                == "not one of the cases: c:1:5: 'x' is the integer 101; expected an integer that Percent accepts. "
                + "Change the value.")
        #expect(
            try message("1", Level.self)
                == "wrong type: c:1:5: 'x' is the integer 1; expected a string. Put it in quotes.")
    }
}
