import Foundation
import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Warnings about exposed secret files")
struct SecretFilesTests {
    private let scratch: Scratch
    private let keys: URL

    /// Creates a directory that every user can reach, with one secret that only its owner may read.
    init() throws {
        scratch = try Scratch()
        keys = scratch.file("keys")
        try write("good", to: "keys/good", 0o600)
        for directory in [scratch.url, keys] { try allow(0o755, directory) }
    }

    private func write(_ text: String, to name: String, _ permissions: Int) throws {
        try allow(permissions, scratch.write(text, to: name))
    }

    private func allow(_ permissions: Int, _ url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
    }

    private func warnings(_ loader: some PropertyLoader) throws -> [String] {
        try PropertyStore(sources: loader).warnings.map(\.description)
    }

    @Test("Files in a directory that every user may read share one warning")
    func readable() throws {
        try write("a", to: "keys/a", 0o604)
        try write("bb", to: "keys/bb", 0o644)
        #expect(
            try warnings(DirectoryPropertyLoader(url: keys)) == [
                "\(keys.path)/a: every user may read this secret file (and 1 more like it). "
                    + "Take the permission away with chmod o-r; in Kubernetes set defaultMode to 0400."
            ])
        #expect(try warnings(DirectoryPropertyLoader(url: keys, isSecret: false)) == [])
        try allow(0o750, scratch.url)
        #expect(try warnings(DirectoryPropertyLoader(url: keys)) == [])
    }

    @Test("A file of a secret source that every user may read is a warning")
    func secretSource() throws {
        try write("x = 1", to: "c.toml", 0o644)
        let loader = TomlPropertyLoader(url: scratch.file("c.toml"))
        #expect(try warnings(loader) == [])
        #expect(try warnings(loader.secret()).map { $0.contains("every user may read this secret file") } == [true])
        try allow(0o640, scratch.file("c.toml"))
        #expect(try warnings(loader.secret()) == [])
        #expect(try warnings(TomlPropertyLoader(url: scratch.file("none.toml")).optional().secret()) == [])
    }
}
