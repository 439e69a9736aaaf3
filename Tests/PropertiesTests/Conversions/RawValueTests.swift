import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Types with raw values")
struct RawValueTests {
    private enum Listed: String, CaseIterable { case debug, info }
    private enum Level: String { case debug, info }
    private enum Separator: Character { case comma = ",", wave = "e\u{301}" }
    private enum ListedSeparator: Character, CaseIterable { case comma = ",", dot = "." }
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

    private func read<T>(_ value: PropertyValue, _ type: T.Type) throws -> T? {
        try PropertyStore(Literal(["x": value])).property("x") as T?
    }

    @Test("A string of one character can be read as a Character, or as an enum whose raw values are characters")
    func characters() throws {
        #expect(try read(",", Separator.self) == .comma)
        #expect(try read(.text(","), Separator.self) == .comma)
        #expect(try read("e\u{301}", Separator.self) == .wave)
        #expect(try read(["a": ","], [String: Separator].self) == ["a": .comma])
        for wrong in ["", ",,", ", ", ".", 5, nil, true] as [PropertyValue] {
            #expect(try read(wrong, Separator.self) == nil)
        }
        #expect(try read("👩‍👩‍👧‍👦", Character.self) == "👩‍👩‍👧‍👦")
        #expect(
            try message("\";;\"", Separator.self)
                == "not parsable: c:1:5: 'x' is the string \";;\"; expected a string of one character. "
                + "Change the value.")
        #expect(
            try message("\";\"", ListedSeparator.self)
                == "not one of the cases: c:1:5: 'x' is the string \";\"; expected one of \",\", \".\". "
                + "Choose one of these.")
        #expect(
            try message("5", Character.self)
                == "wrong type: c:1:5: 'x' is the integer 5; expected a string of one character. Put it in quotes.")
    }
}
