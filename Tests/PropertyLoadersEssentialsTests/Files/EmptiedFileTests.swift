import Foundation
import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

@Suite("A file that is empty at a reload")
struct EmptiedFileTests {
    private func reload(_ store: PropertyStore) -> ConfigurationErrors? {
        do throws(ConfigurationErrors) {
            try store.reload()
            return nil
        } catch {
            return error
        }
    }

    private static func optional(_ url: URL) -> any PropertyLoader {
        switch url.pathExtension {
        case "toml": TomlPropertyLoader(url: url).optional()
        case "json": JsonPropertyLoader(url: url).optional()
        default: DotEnvPropertyLoader(url: url).optional()
        }
    }

    static let empties: [(name: String, former: String, empty: String)] = [
        ("a.toml", "x = 1\n[t]\ny = 2", ""), ("a.toml", "x = 1\n[t]\ny = 2", " \n# all gone\n"),
        ("a.toml", "x = 1\n[t]\ny = 2", "[t]\n"), ("a.json", "{\"x\": 1, \"t\": {\"y\": 2}}", "{}"),
        ("a.json", "{\"x\": 1, \"t\": {\"y\": 2}}", "{\"$schema\": \"s.json\"} // none"),
        (".env", "X=1\nT__Y=2", ""), (".env", "X=1\nT__Y=2", "# none\n"),
    ]

    @Test("A reload of a file without properties is refused, with the values kept", arguments: empties)
    func refused(_ row: (name: String, former: String, empty: String)) throws {
        let scratch = try Scratch()
        let url = try scratch.write(row.former, to: row.name)
        for isOptional in [false, true] {
            try scratch.write(row.former, to: row.name)
            let store = PropertyStore()
            try store.apply(.standardSources(file: url))
            let optional = PropertyStore()
            try optional.apply([Self.optional(url)])
            let reloaded = isOptional ? optional : store
            try scratch.write(row.empty, to: row.name)
            let error = reload(reloaded)
            #expect(
                error?.description
                    == "\(url.path): this is empty; it had 2 properties. Restart the service if that is meant.")
            #expect((error?.problems.first?.error as? PropertyLoadError)?.reason == .emptied)
            #expect(reloaded.property("x") == 1 && reloaded.property("t.y") == 2)
            // It stays refused, until the file has properties again.
            #expect(reload(reloaded) != nil)
            try scratch.write(row.former.replacing("1", with: "3"), to: row.name)
            #expect(reload(reloaded) == nil)
            #expect(reloaded.property("x") == 3)
            // A new start takes the file as it is.
            try scratch.write(row.empty, to: row.name)
            #expect(throws: Never.self) { try PropertyStore().apply(.standardSources(file: url)) }
        }
    }

    @Test("A required file that is gone is refused, and an optional one is a source without properties")
    func gone() throws {
        let scratch = try Scratch()
        let url = try scratch.write("x = 1", to: "a.toml")
        let store = try PropertyStore(sources: TomlPropertyLoader(url: url))
        let optional = try PropertyStore(sources: TomlPropertyLoader(url: url).optional().prefixed("p"))
        try FileManager.default.removeItem(at: url)
        #expect(reload(store) != nil)
        #expect(store.property("x") == 1)
        #expect(reload(optional) == nil)
        #expect(optional.entries.isEmpty)
        // An editor may create the file before it writes it.
        try scratch.write("", to: "a.toml")
        #expect(reload(optional) == nil)
    }

    @Test("A directory without files is refused, and names one property as such")
    func directory() throws {
        let mount = try KubernetesMount()
        try mount.swap(to: ["password": "hunter2"])
        let store = try PropertyStore(sources: DirectoryPropertyLoader(url: mount.url).optional())
        try mount.swap(to: [:])
        let error = reload(store)
        #expect(
            error?.description
                == "\(mount.url.path): this is empty; it had 1 property. Restart the service if that is meant.")
        #expect(store.property("password") == "hunter2")
    }

    @Test("Sources that are set in the program may become empty")
    func exempt() throws {
        final class Values: PropertyLoader {
            let isEmpty = Flag()
            func load() -> PropertyLayer { isEmpty.value ? [:] : ["x": 1] }
        }
        let values = Values()
        let store = try PropertyStore(sources: values, TomlPropertyLoader(string: "", name: "none"))
        values.isEmpty.set()
        #expect(reload(store) == nil)
        #expect(store.entries.isEmpty)
    }
}

/// A flag that a test sets.
private final class Flag: Sendable {
    private let state = Mutex(false)
    var value: Bool { state.withLock(\.self) }
    func set() { state.withLock { $0 = true } }
}
