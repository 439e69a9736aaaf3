import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Files that are not ordinary files")
struct SpecialFileTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Every loader that reads a file. The last one reads a directory whose only file leads to it.
    private func loaders(of path: String) throws -> [any PropertyLoader] {
        let url = URL(filePath: path)
        try? FileManager.default.createDirectory(at: scratch.file("values"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.file("values/value").path, withDestinationPath: path)
        return [
            TomlPropertyLoader(url: url), JsonPropertyLoader(url: url), DotEnvPropertyLoader(url: url),
            Given(["a": .string("${file:\(path)}")]).replacingPlaceholders(),
            DirectoryPropertyLoader(url: scratch.file("values")),
        ]
    }

    /// Expects that each loader fails with one problem and one remedy.
    private func expect(_ problem: String, remedy: String, of path: String, isPipe: Bool = false) throws {
        let places = [
            path, path, path, "given: '${file:\(path)}' in 'a' cannot be looked up",
            "\(scratch.url.path)/values/value",
        ]
        for (place, loader) in zip(places, try loaders(of: path)) {
            // It waits for a writer: `NamedPipeTests`.
            if isPipe, loader is DotEnvPropertyLoader { continue }
            let error = loadError { try PropertyStore().apply(loader) }
            let note = place.hasPrefix("given") ? " (reported by \(path))" : ""
            #expect(error?.description == "\(place): \(problem)\(note). \(remedy).")
        }
    }

    @Test("A pipe without a writer and devices are rejected without waiting", arguments: 0..<4)
    func notRegular(_ index: Int) throws {
        let path = [scratch.file("pipe").path, "/dev/zero", "/dev/null", "/dev/random"][index]
        if index == 0 { try #require(unsafe mkfifo(path, 0o600) == 0) }
        try expect(
            "this is a pipe, a socket or a device; expected a regular file",
            remedy: "Copy its contents to a file, and name the file; "
                + "the command-line tool takes it on standard input, as '-'",
            of: path, isPipe: index == 0)
    }

    @Test("Links that lead in a circle are an error, as a file and as a directory", arguments: ["a", "b", "self"])
    func circle(_ name: String) throws {
        for (link, target) in [("a", "b"), ("b", "a"), ("self", "self"), ("up/..data", "..data")] {
            try? FileManager.default.createDirectory(at: scratch.file("up"), withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: scratch.file(link).path, withDestinationPath: target)
        }
        let problem = "the links in this path lead in a circle"
        let remedy = "Remove the link that leads back to its own path"
        try expect(problem, remedy: remedy, of: scratch.file(name).path)
        for directory in [name, "up"] {
            let error = try #require(
                loadError {
                    try DirectoryPropertyLoader(url: scratch.file(directory)).optional().load()
                })
            #expect("\(error)" == "\(scratch.file(directory).path): \(problem). \(remedy).")
        }
    }

    @Test("A name that is longer than the system allows is an error")
    func longName() throws {
        let path = scratch.file(String(repeating: "n", count: 300)).path
        let error = try #require(
            loadError {
                try TomlPropertyLoader(url: URL(filePath: path)).optional().load()
            })
        #expect(
            "\(error)" == "\(path): this path, or a name in it, is too long for the system. Use a shorter path.")
    }

    @Test("A file of a terabyte without content is rejected before it is read")
    func sparse() throws {
        let path = try scratch.write("", to: "sparse").path
        try #require(unsafe truncate(path, 1 << 40) == 0)
        for (index, loader) in try loaders(of: path).enumerated() {
            let error = try #require(loadError { try PropertyStore().apply(loader) })
            #expect(error.reason == .limit)
            #expect(error.problem.contains("1099511627776 bytes are more than the limit of "), "\(index)")
        }
    }

    #if os(Linux)
        @Test("Files in /proc, which report no size, are read")
        func proc() throws {
            let source = DirectoryPropertyLoader(url: URL(filePath: "/proc/sys/kernel/random"), isSecret: false)
            let id: String = try #require(try PropertyStore(sources: source).property("boot_id"))
            #expect(id.utf8.count == 36)
            let name: String? = try PropertyStore(
                sources: Given(["name": .string("${file:/proc/self/comm}")]).replacingPlaceholders()
            ).property("name")
            #expect(name?.isEmpty == false)
        }

        @Test("A file in /proc that cannot be read, or has no end, is an error")
        func endless() throws {
            let memory = try #require(
                loadError {
                    try TomlPropertyLoader(url: URL(filePath: "/proc/self/mem")).load()
                })
            #expect(
                "\(memory)" == "/proc/self/mem: the file cannot be read now: Input/output error. "
                    + "Try again later; a running service does so by itself.")
            let pages = try #require(
                loadError {
                    try DotEnvPropertyLoader(url: URL(filePath: "/proc/self/pagemap")).load()
                })
            #expect(pages.reason == .limit)
        }
    #endif
}
