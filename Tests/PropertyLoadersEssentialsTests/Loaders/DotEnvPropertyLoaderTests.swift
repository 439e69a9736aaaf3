import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("A .env file as a source")
struct DotEnvPropertyLoaderTests {
    @Test("Each form of the grammar has the recorded values")
    func values() throws {
        let values = try RecordedMessages.compare("env-values") { text in
            try? PropertyStore(sources: DotEnvPropertyLoader(string: text, name: ".env")).values.joined(separator: " ")
        }
        #expect(values == (53, []))
    }

    @Test("Each error has a line, a column and a remedy")
    func mistakes() throws {
        let mistakes = try RecordedMessages.compare("env") { text in
            loadError {
                try DotEnvPropertyLoader(string: text, name: ".env").load()
            }?.description
        }
        #expect(mistakes == (51, []))
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

    @Test("After an error, parsing goes on at the next assignment")
    func recovery() throws {
        let positions = try RecordedMessages.compare("env-further") { text in
            do {
                _ = try DotEnvPropertyLoader(string: text, name: ".env").load()
                return ""
            } catch {
                let places = ConfigurationErrors([error]).problems.map(\.place)
                return places.map { $0.dropFirst(".env:".count) }.joined(separator: " ")
            }
        }
        #expect(positions == (16, []))
    }

    @Test("After 20 errors, a further one says that there may be more")
    func limit() throws {
        let text = String(repeating: "A 1\nB=1\n", count: 100)
        let error = try #require(loadError { try DotEnvPropertyLoader(string: text, name: ".env").load() })
        #expect(error.furtherErrors.count == 20)
        #expect(
            error.furtherErrors.last?.description == ".env:41:3: there may be more errors from here on. "
                + "Correct the errors before this place, and check the text again.")
    }
}
