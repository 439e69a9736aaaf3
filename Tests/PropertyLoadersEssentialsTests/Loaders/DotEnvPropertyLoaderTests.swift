import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("A .env file as a source")
struct DotEnvPropertyLoaderTests {
    static let values: [(text: String, values: [String])] = [
        ("", []),
        ("# only a comment", []),
        ("\n \n\t\n", []),
        ("A=1", ["a=1"]),
        ("A=1\nB=2\n", ["a=1", "b=2"]),
        ("A=1\r\nB=2\r\n", ["a=1", "b=2"]),
        ("# c\r\nA=1 # c\r\n# c\r", ["a=1"]),
        ("\u{FEFF}A=1", ["a=1"]),
        ("  export   A = 1  ", ["a=1"]),
        ("export=1", ["export=1"]),
        ("export = 1", ["export=1"]),
        ("API__TIMEOUT=30\nAPI__URL=x", ["api.timeout=30", "api.url=x"]),
        ("api.timeout=30", ["api.timeout=30"]),
        ("A-B=1", ["a-b=1"]),
        ("A=", ["a="]),
        ("A= # nothing", ["a="]),
        ("A=\t#nothing\nB=1", ["a=", "b=1"]),
        ("A=#ff0000\nB=#1secret # c", ["a=#ff0000", "b=#1secret"]),
        ("A =#a #b", ["a=#a"]),
        ("A=#", ["a=#"]),
        ("A='' #c\nB=''\t#c", ["a=", "b="]),
        ("A=\nB=2", ["a=", "b=2"]),
        ("A=''\nB=\"\"", ["a=", "b="]),
        ("A=one two # three", ["a=one two"]),
        ("A=one#two", ["a=one#two"]),
        ("A=it's \"so\"", ["a=it's \"so\""]),
        ("A=C:\\new $HOME", ["a=C:\\new $HOME"]),
        ("A=b=c", ["a=b=c"]),
        ("A='b # \\n \"c\" '  # d", ["a=b # \\n \"c\" "]),
        ("A=\"b # 'c' \"  # d", ["a=b # 'c' "]),
        ("A='b\nc'\nD=1", ["a=b\nc", "d=1"]),
        ("A='b\r\nc'\r\nD=1", ["a=b\nc", "d=1"]),
        ("A=\"b\nc\"", ["a=b\nc"]),
        (#"A="\n\r\t\"\\\$\u{48}\u{1F600}""#, ["a=\n\r\t\"\\$H😀"]),
        ("A=\"b\\\nc\\\r\nd\"", ["a=bcd"]),
        ("A=käse", ["a=käse"]),
        ("A=1\nB=2\nA=3", ["a=3", "b=2"]),
    ]

    @Test("Each form of the grammar has the expected value", arguments: values)
    func value(_ row: (text: String, values: [String])) throws {
        let store = try PropertyStore(sources: DotEnvPropertyLoader(string: row.text, name: ".env"))
        #expect(try store.entries.map { "\($0.name)=\(try store.require($0.name, as: String.self))" } == row.values)
    }

    @Test("Each error has a line, a column and a remedy")
    func mistakes() throws {
        let mistakes = try RecordedMessages.compare("env") { text in
            loadError {
                try DotEnvPropertyLoader(string: text, name: ".env").load()
            }?.description
        }
        #expect(mistakes == (18, []))
    }

    @Test("The path of a file is in its origins, and the file is watched")
    func file() throws {
        let scratch = try Scratch()
        let url = try scratch.write("# x\nexport APP_PORT=80\nOTHER=1\n", to: ".env")
        let loader = DotEnvPropertyLoader(url: url, prefix: "APP_")
        #expect(try PropertyStore(sources: loader).listing == ["port=\"80\" (\(url.path):2:17)"])
        #expect(try loader.load().files == [url.path])
    }

    @Test("Loaders of one file with different prefixes are different sources")
    func prefixes() throws {
        let text = "A_X=1\nB_Y=1\n"
        let store = try PropertyStore(
            sources: DotEnvPropertyLoader(string: text, name: ".env", prefix: "A_"),
            DotEnvPropertyLoader(string: text, name: ".env", prefix: "B_"))
        #expect(store.values == ["x=\"1\"", "y=\"1\""])
        try store.apply(DotEnvPropertyLoader(string: "A_Z=1", name: ".env", prefix: "A_"))
        #expect(store.values == ["y=\"1\"", "z=\"1\""])
    }

    @Test("A missing file, a directory, invalid UTF-8 and a file that is too large are errors")
    func hostile() throws {
        let scratch = try Scratch()
        func reason(_ url: URL, limit: Int = 100) -> PropertyLoadError.Reason? {
            loadError {
                try DotEnvPropertyLoader(url: url, sizeLimit: limit).load()
            }?.reason
        }
        #expect(reason(scratch.file("none.env")) == .notFound)
        #expect(reason(scratch.url) == .unreadable)
        #expect(reason(try scratch.write("A=123", to: "large.env"), limit: 4) == .limit)
        try Data([0x41, 0x3D, 0xFF]).write(to: scratch.file("bytes.env"))
        #expect(reason(scratch.file("bytes.env")) == .syntax)
    }

    @Test("A name that is set twice is a warning with both places")
    func warning() throws {
        let layer = try DotEnvPropertyLoader(string: "A=1\nA=2", name: ".env").load()
        #expect(
            layer.warnings.map(\.description) == [
                ".env:1:3: this name is set again further down (the one that counts is at .env:2:3). Leave one of them out."
            ])
    }
}
