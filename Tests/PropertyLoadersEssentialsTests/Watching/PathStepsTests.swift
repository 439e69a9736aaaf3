import PropertyLoadersEssentials
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The directories and files to watch")
struct PathStepsTests {
    /// Returns the steps of files below the scratch directory, in the form `directory: name` or `file`.
    private func steps(_ scratch: Scratch, _ files: String...) -> Set<String> {
        let root = scratch.url.path
        var steps: Set<String> = []
        _ = PathSteps.follow(files.map { "\(root)/\($0)" }) { path, name in
            if path.hasPrefix(root) { steps.insert(path.dropFirst(root.count) + (name.map { ": \($0)" } ?? "")) }
            return true
        }
        return steps
    }

    @Test("Each directory in a path is watched for the next name in the path, and the file at its end")
    func onTheWay() throws {
        let scratch = try Scratch()
        try scratch.write("", to: "a/b/file")
        #expect(steps(scratch, "a/b/file", "a/b/other") == [": a", "/a: b", "/a/b: file", "/a/b: other", "/a/b/file"])
        #expect(steps(scratch, "a/../a/./b/file") == [": a", "/a: b", "/a/b: file", "/a/b/file"])
    }

    @Test("The steps begin at the root")
    func root() throws {
        let scratch = try Scratch()
        var paths: [String] = []
        #expect(
            PathSteps.follow([scratch.url.path]) { path, _ in
                paths.append(path)
                return true
            })
        #expect(paths.first == "/")
        #expect(paths.last == scratch.url.path)
    }

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

    @Test("A missing path is watched in its nearest existing ancestor")
    func missing() throws {
        let scratch = try Scratch()
        #expect(steps(scratch, "a/b/file") == [": a"])
    }

    @Test("Links and their targets are watched, also in cycles")
    func links() throws {
        let scratch = try Scratch()
        try scratch.write("", to: "real/in/file")
        func link(_ name: String, _ target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: scratch.file(name).path, withDestinationPath: target)
        }
        try link("link", "real/./in")
        try link("up", "real/../real/in")
        try link("absolute", scratch.file("real/in").path)
        try link("circle", "circle")
        let end: Set = ["/real: in", "/real/in: file", "/real/in/file"]
        #expect(steps(scratch, "link/file") == end.union([": link", ": real"]))
        #expect(steps(scratch, "up/file") == end.union([": real", ": up"]))
        #expect(steps(scratch, "absolute/file") == end.union([": absolute", ": real"]))
        #expect(steps(scratch, "circle/file") == [": circle"])
    }

    @Test("In a directory that is a source, all names are watched, and so are the targets of its links")
    func directory() throws {
        let scratch = try Scratch()
        try scratch.write("1", to: "mount/..1/key")
        for (name, target) in [("..data", "..1"), ("key", "..data/key")] {
            try FileManager.default.createSymbolicLink(
                atPath: scratch.file("mount/\(name)").path, withDestinationPath: target)
        }
        #expect(
            steps(scratch, "mount") == [
                ": mount", "/mount", "/mount: key", "/mount: ..data", "/mount: ..1", "/mount/..1: key",
                "/mount/..1/key",
            ])
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
