import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("The path that a loader opens")
struct FilePathTests {
    private let scratch: Scratch

    /// Creates a link from `x/link` to `other/dir`. The path `x/link/..` is then `other`; removing its last two parts
    /// as text would wrongly leave `x`.
    init() throws {
        scratch = try Scratch()
        try scratch.write("v = \"wrong\"", to: "x/c.toml")
        try scratch.write("v = \"right\"", to: "other/c.toml")
        try scratch.write("wrong", to: "x/keys/v")
        try scratch.write("right", to: "other/keys/v")
        try FileManager.default.createDirectory(at: scratch.file("other/dir"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file("x/link").path, withDestinationPath: "../other/dir")
    }

    private func url(_ path: String) -> URL { URL(filePath: "\(scratch.url.path)/\(path)") }

    private var base: URL { URL(filePath: "\(scratch.url.path)/x/", directoryHint: .isDirectory) }

    @Test("A `..` after a link is resolved from the target of the link")
    func parentOfLink() throws {
        for file in [url("x/link/../c.toml"), URL(filePath: "link/../c.toml", relativeTo: base)] {
            let layer = try TomlPropertyLoader(url: file).load()
            #expect(try PropertyStore(sources: TomlPropertyLoader(url: file)).values == ["v=\"right\""])
            #expect(layer.files == ["\(scratch.url.path)/x/link/../c.toml"])
        }
        for directory in [url("x/link/../keys"), URL(filePath: "link/../keys", relativeTo: base)] {
            let loader = DirectoryPropertyLoader(url: directory, isSecret: false)
            #expect(try PropertyStore(sources: loader).values == ["v=\"right\""])
        }
    }

    @Test("Two files whose paths differ only in a link are two sources")
    func twoSources() throws {
        let store = try PropertyStore(
            sources: TomlPropertyLoader(url: url("x/link/../c.toml")), TomlPropertyLoader(url: url("x/c.toml")))
        #expect(store.history(of: "v").map(\.valueText) == ["\"wrong\"", "\"right\""])
    }

    @Test(
        "Different spellings of one path are one source",
        arguments: ["x/./c.toml", "x//c.toml"])
    func oneSource(_ path: String) throws {
        let store = try PropertyStore(
            sources: TomlPropertyLoader(url: url("x/c.toml")), TomlPropertyLoader(url: url(path)))
        #expect(store.history(of: "v").count == 1)
    }

    @Test("A source stays the same when a link in its path is changed")
    func movedLink() throws {
        let store = try PropertyStore(sources: DirectoryPropertyLoader(url: url("x/link")))
        let files = FileManager.default
        try files.removeItem(at: scratch.file("x/link"))
        try files.createSymbolicLink(atPath: scratch.file("x/link").path, withDestinationPath: "keys")
        try scratch.write("old", to: "other/dir/old")
        try store.apply(DirectoryPropertyLoader(url: url("x/link")))
        #expect(store.entries.map(\.name) == ["v"])
    }

    @Test("A URL whose path is not UTF-8 is an error, and not the working directory")
    func bytes() throws {
        let url = try #require(URL(string: "file:///tmp/a%FF"))
        let loaders: [any PropertyLoader] = [TomlPropertyLoader(url: url), DirectoryPropertyLoader(url: url)]
        for loader in loaders {
            let error = loadError { try loader.load() }
            #expect(
                error?.description
                    == "file:///tmp/a%FF: the path of this URL is not text; expected a path in UTF-8. "
                    + "Rename the file or the directory.")
        }
    }
}
