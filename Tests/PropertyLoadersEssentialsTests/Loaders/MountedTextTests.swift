import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The text of mounted files")
struct MountedTextTests {
    private enum Mode: String, CaseIterable { case fast, slow }

    private static let place = "/run/secrets"

    private func store(_ files: [(String, [UInt8])], _ scratch: Scratch, isSecret: Bool = true) throws -> PropertyStore
    {
        for (name, bytes) in files { try Data(bytes).write(to: scratch.file(name)) }
        return try PropertyStore(sources: DirectoryPropertyLoader(url: scratch.url, isSecret: isSecret))
    }

    /// Returns a text with the path of the scratch folder replaced, which differs from run to run.
    private func shown(_ text: String, _ scratch: Scratch) -> String {
        text.replacingOccurrences(of: scratch.url.path, with: Self.place)
    }

    static let texts: [(text: String, value: String, warning: String?)] = [
        ("hunter2", "hunter2", nil), ("hunter2\n", "hunter2", nil), ("hunter2\r\n", "hunter2", nil), ("", "", nil),
        ("\n", "", nil), ("two words\n", "two words", nil), ("a\n\nb\n", "a\n\nb", nil),
        ("\u{FEFF}hunter2\n", "hunter2", nil), ("\u{FEFF}", "", nil),
        ("hunter2\n\n", "hunter2\n", "white space at its end (a line feed)"),
        ("hunter2\r\n\r\n", "hunter2\r\n", "white space at its end (a carriage return and a line feed)"),
        ("hunter2\n\n\n\n", "hunter2\n\n\n", "white space at its end (3 line feeds)"),
        ("hunter2\r", "hunter2\r", "white space at its end (a carriage return)"),
        ("hunter2\n\r", "hunter2\n\r", "white space at its end (a line feed and a carriage return)"),
        ("hunter2 \n", "hunter2 ", "white space at its end (a blank)"),
        ("hunter2  ", "hunter2  ", "white space at its end (2 blanks)"),
        ("\thunter2\n", "\thunter2", "white space at its start (a tab)"),
        (" hunter2\t \n", " hunter2\t ", "white space at both ends (a blank; a tab and a blank)"),
        ("hunter2\u{A0}\n", "hunter2\u{A0}", "white space at its end (a no-break space)"),
        ("hunter2\u{200B}", "hunter2\u{200B}", "white space at its end (a zero-width space)"),
        ("hunter2\u{FEFF}", "hunter2\u{FEFF}", "white space at its end (a byte order mark)"),
        ("\u{FEFF}\u{FEFF}hunter2", "\u{FEFF}hunter2", "white space at its start (a byte order mark)"),
        (
            "hunter2\u{3000}\u{2028}", "hunter2\u{3000}\u{2028}",
            "white space at its end (a character U+3000 and a character U+2028)"
        ),
        ("a\nhunter2\n\n", "a\nhunter2\n", nil),
        ("hunter2\u{1}", "hunter2\u{1}", "white space at its end (a character U+0001)"),
        (" \n", " ", "nothing but white space (a blank)"), ("\n\n", "\n", "nothing but white space (a line feed)"),
    ]

    @Test("A byte order mark and one line break go, and other white space at the ends is a warning without the value")
    func ends() throws {
        for (text, value, warning) in Self.texts {
            let scratch = try Scratch()
            let store = try store([("password", Array(text.utf8))], scratch)
            let found = try store.require("password", as: String.self)
            #expect(Array(found.utf8) == Array(value.utf8), "\(text.debugDescription)")
            let expected = warning.map {
                "\(Self.place)/password: the value has \($0), which is a part of it. Remove it if that is not meant."
            }
            #expect(
                store.warnings.map { shown($0.description, scratch) } == [expected].compactMap(\.self),
                "\(text.debugDescription)")
            #expect(!store.warnings.contains { $0.longDescription.contains("hunter2") })
        }
        #expect(Self.texts.count == 27)
    }

    @Test("Quotation marks around a text stay, with a warning, unless there are more of them inside")
    func marks() throws {
        let scratch = try Scratch()
        let store = try store(
            [
                ("double", Array("\"hunter2\"\n".utf8)), ("single", Array("'hunter2'".utf8)),
                ("two", Array("\"a\",\"b\"".utf8)),
                ("one", Array("\"".utf8)), ("half", Array("\"hunter2".utf8)), ("port", Array("\"5432\"".utf8)),
            ], scratch)
        #expect(store.property("double") == "\"hunter2\"")
        #expect(
            store.warnings.map { shown($0.description, scratch) }
                == ["double", "port", "single"].map {
                    "\(Self.place)/\($0): the value has quotation marks around it, which are a part of it. Remove them if that is not meant."
                })
        let error = #expect(throws: PropertyError.self) { try store.require("port", as: Int.self) }
        #expect(
            error.map { shown($0.description, scratch) }
                == "\(Self.place)/port: 'port' is a text that is secret, with quotation marks around it; expected an integer. "
                + "Remove the quotation marks.")
    }

    @Test("Variables with a prefix have the same warnings, and others have none")
    func variables() throws {
        let variables = [
            "APP_HOST": "db\r", "APP_URL": "\"https://a.b\"", "APP_PORT": "'80'", "APP_KEY": "-----BEGIN\nEND-----\n",
            "APP_NAME": "two words", "APP_LIST": "\"a\",\"b\"", "APP_EMPTY": "", "PS1": "$ ",
        ]
        let store = try PropertyStore(sources: EnvironmentPropertyLoader(prefix: "APP", environment: variables))
        #expect(
            store.warnings.map(\.description) == [
                "environment APP_HOST: the value has white space at its end (a carriage return), which is a part of it. "
                    + "Remove it if that is not meant.",
                "environment APP_PORT: the value has quotation marks around it, which are a part of it. "
                    + "Remove them if that is not meant.",
                "environment APP_URL: the value has quotation marks around it, which are a part of it. "
                    + "Remove them if that is not meant.",
            ])
        #expect(store.property("host") == "db\r")
        store.declare(TypedKey<Int>("port"), TypedKey<Int>("port"))
        let error = #expect(throws: PropertyError.self) { try store.require("port", as: Int.self) }
        #expect(
            error?.description
                == "environment APP_PORT: 'port' is the text \"'80'\", with quotation marks around it; expected an integer. "
                + "Remove the quotation marks.")
        let all = try PropertyStore(sources: EnvironmentPropertyLoader(prefix: "", environment: variables))
        #expect(all.warnings.isEmpty)
    }

    @Test("Text in UTF-16 is an error, and other bytes that are not UTF-8 are data")
    func encodings() throws {
        let text: [[UInt8]] = [
            [0xFF, 0xFE, 0x68, 0, 0x69, 0], [0xFE, 0xFF, 0, 0x68, 0, 0x69], [0xFF, 0xFE, 0x68, 0, 0x0D, 0, 0x0A, 0],
            [0x68, 0, 0x69, 0], [0, 0x68, 0, 0x69], [0xFF, 0xFE], [0xFF, 0xFE, 0x3F, 0x04, 0x30, 0x04, 0x31, 0],
        ]
        for bytes in text {
            let scratch = try Scratch()
            let error = loadError { try store([("key", bytes)], scratch) }
            #expect(
                error.map { shown($0.description, scratch) }
                    == "\(Self.place)/key: the text is in UTF-16; expected UTF-8. Save the file as UTF-8.", "\(bytes)")
            #expect(error?.reason == .syntax)
        }
        let data: [[UInt8]] = [
            [0xFF, 0xFE, 0x0A], [0x41, 0], [0xFF], [0, 0, 0, 1], [0xFF, 0xFE, 0, 0xD8, 1, 2], [0x41, 0, 0, 0x42],
            [0xFF, 0xFE, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0x0F], [0xEF, 0xBB, 0xBF, 0xFF],
            [0x41, 0x42, 0, 0x0A],
        ]
        for bytes in data {
            let scratch = try Scratch()
            let store = try store([("key", bytes)], scratch)
            #expect(try store.require("key", as: Data.self) == Data(bytes), "\(bytes)")
            #expect(store.warnings.isEmpty)
        }
        #expect(text.count + data.count == 16)
    }

    @Test("The error of a conversion names white space at the ends if that is why")
    func conversions() throws {
        let scratch = try Scratch()
        let store = try store(
            [
                ("port", Array("5432 \n".utf8)), ("url", Array("https://a.b/\n\n".utf8)),
                ("mode", Array("fast\u{A0}".utf8)),
                ("debug", Array("\ttrue".utf8)), ("wrong", Array("x \n".utf8)), ("range", Array("300\r".utf8)),
                ("ports", Array("80 , 443 \n".utf8)),
            ], scratch)
        func message<T>(_ name: String, _ type: T.Type) -> String? {
            let error = #expect(throws: PropertyError.self) { try store.require(name, as: type) }
            return error.map { shown($0.description, scratch) }
        }
        let secret = "is a text that is secret"
        #expect(
            [
                message("port", Int.self), message("url", URL.self), message("mode", Mode.self),
                message("debug", Bool.self),
                message("wrong", Int.self), message("range", UInt8.self),
            ] == [
                "\(Self.place)/port: 'port' \(secret), with white space at its end (a blank); expected an integer. Remove the white space.",
                "\(Self.place)/url: 'url' \(secret), with white space at its end (a line feed); expected a URL such as \"https://example.com\". Remove the white space.",
                "\(Self.place)/mode: 'mode' \(secret), with white space at its end (a no-break space); expected one of \"fast\", \"slow\". Remove the white space.",
                "\(Self.place)/debug: 'debug' \(secret), with white space at its start (a tab); expected true or false. Remove the white space.",
                "\(Self.place)/wrong: 'wrong' \(secret); expected an integer. Write decimal digits.",
                "\(Self.place)/range: 'range' \(secret); expected an integer. Write decimal digits.",
            ])
        #expect(try store.require("ports", as: [Int].self) == [80, 443])
        #expect(try store.require("mode", as: String.self) == "fast\u{A0}")
    }

    @Test("The error about a string of a typed source names white space at its ends, too")
    func typed() throws {
        let store = try PropertyStore(
            sources: JsonPropertyLoader(string: #"{"url": "https://a.b/\t"}"#, name: "c.json"))
        let error = #expect(throws: PropertyError.self) { try store.require("url", as: URL.self) }
        #expect(
            error?.description
                == #"c.json:1:9: 'url' is the string "https://a.b/\t", with white space at its end (a tab); expected a URL such as "https://example.com". Remove the white space."#
        )
    }

    @Test("A file in a placeholder is read in the same way, and its warning is one of the layer")
    func placeholders() throws {
        let scratch = try Scratch()
        for (name, text) in [("mark", "\u{FEFF}a\n"), ("lines", "b\n\n"), ("utf16", "\u{0}c\u{0}d")] {
            try Data(text.utf8).write(to: scratch.file(name))
        }
        func store(_ name: String) throws -> PropertyStore {
            let text = "x = \"<${file:\(scratch.url.path)/\(name)}>\"\ny = \"${file:\(scratch.url.path)/\(name)}\""
            return try PropertyStore(sources: TomlPropertyLoader(string: text, name: "c.toml").replacingPlaceholders())
        }
        let mark = try store("mark")
        #expect(mark.property("x") == "<a>")
        #expect(mark.warnings.isEmpty)
        let lines = try store("lines")
        #expect(lines.property("x") == "<b\n>")
        #expect(
            lines.warnings.map { shown($0.description, scratch) } == [
                "\(Self.place)/lines: the value has white space at its end (a line feed), which is a part of it. "
                    + "Remove it if that is not meant."
            ])
        let error = loadError { try store("utf16") }
        #expect(error?.description.contains("the text is in UTF-16; expected UTF-8") == true)
    }
}
