import Foundation
import PropertyLoadersEssentials
import Testing

@Suite("The directories and files to watch")
struct PathStepsTests {
    @Test("Two canonically equivalent names, and names that begin with a combining mark, are watched")
    func sameCharacters() throws {
        let scratch = try Scratch()
        let names = ["\u{E9}", "e\u{301}", "\u{301}b"]
        for name in names { try scratch.write("", to: "\(name)/\u{301}file") }
        var found: Set<[UInt8]> = []
        _ = PathSteps.follow(names.map { "\(scratch.url.path)/\($0)/\u{301}file" }) { path, name in
            found.insert(Array("\(path) \(name ?? "")".utf8))
            return true
        }
        for name in names {
            let directory = "\(scratch.url.path)/\(name)"
            #expect(found.contains(Array("\(scratch.url.path) \(name)".utf8)))
            #expect(found.contains(Array("\(directory) \u{301}file".utf8)))
            #expect(found.contains(Array("\(directory)/\u{301}file ".utf8)))
        }
    }

    @Test("A directory that is created while its parent begins to be watched is watched")
    func created() throws {
        let scratch = try Scratch()
        var last = ""
        let seesEveryChange = PathSteps.follow([scratch.file("a/file").path]) { path, name in
            if name == "a" { _ = try? scratch.write("", to: "a/other") }
            last = "\(path)/\(name ?? "")"
            return true
        }
        #expect(seesEveryChange)
        #expect(last == scratch.file("a/file").path)
    }

    @Test("If a step cannot be watched, or a path is relative, the files must be polled")
    func incomplete() throws {
        let scratch = try Scratch()
        #expect(PathSteps.follow([scratch.url.path]) { _, _ in true })
        #expect(!PathSteps.follow([scratch.url.path]) { _, name in name != nil })
        #expect(!PathSteps.follow(["config.toml"]) { _, _ in true })
    }
}
