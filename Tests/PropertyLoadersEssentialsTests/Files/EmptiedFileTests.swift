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
            try store.apply(.profileFiles(url: url))
            let optional = PropertyStore()
            try optional.apply([Self.optional(url)])
            let reloaded = isOptional ? optional : store
            try scratch.write(row.empty, to: row.name)
            let error = reload(reloaded)
            #expect(
                error?.description
                    == "\(url.path): this is empty; it had 2 properties. If that is meant, restart the service. The start fails if a required setting then has no value."
            )
            #expect((error?.problems.first?.error as? PropertyLoadError)?.reason == .emptied)
            #expect(reloaded.property("x") == 1 && reloaded.property("t.y") == 2)
            // It stays refused, until the file has properties again.
            #expect(reload(reloaded) != nil)
            try scratch.write(row.former.replacing("1", with: "3"), to: row.name)
            #expect(reload(reloaded) == nil)
            #expect(reloaded.property("x") == 3)
            // A new start takes the file as it is.
            try scratch.write(row.empty, to: row.name)
            #expect(throws: Never.self) { try PropertyStore().apply(.profileFiles(url: url)) }
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
                == "\(mount.url.path): this is empty; it had 1 property. If that is meant, restart the service. The start fails if a required setting then has no value."
        )
        #expect(store.property("password") == "hunter2")
    }

    /// Texts of a mounted file that has none any more.
    static let blanks = ["", "\n", "\r\n", " \t\n\n", "\u{FEFF}", "\u{FEFF}\n", "\u{200B}\n"]

    @Test("A mounted file that had text and is blank at a reload is refused, and the others stay", arguments: blanks)
    func blank(text: String) throws {
        let scratch = try Scratch(), folder = scratch.url.appending(path: "secrets")
        try scratch.write("abc\n", to: "secrets/token")
        try scratch.write("", to: "secrets/note")
        try scratch.write("hunter2", to: "secrets/db/password")
        let loaders: [any PropertyLoader] = [
            DirectoryPropertyLoader(url: folder), DirectoryPropertyLoader(url: folder, isSecret: false),
            DirectoryPropertyLoader(url: folder).optional().prefixed("p"),
            DirectoryPropertyLoader(url: folder).secret(),
        ]
        for loader in loaders {
            let store = try PropertyStore(sources: loader)
            let former = store.listing
            try scratch.write(text, to: "secrets/token")
            let refused = reload(store)
            #expect(
                refused?.description
                    == "\(folder.path)/token: this is empty; it had a value. If that is meant, restart the service. The start fails if a required setting then has no value."
            )
            #expect((refused?.problems.first?.error as? PropertyLoadError)?.reason == .emptied)
            #expect(store.listing == former && reload(store) != nil)
            // A start takes it.
            #expect(throws: Never.self) { try PropertyStore(sources: loader) }
            // A file that is removed is a removed key.
            try FileManager.default.removeItem(at: folder.appending(path: "token"))
            #expect(reload(store) == nil)
            #expect(store.listing.count == former.count - 1)
            try scratch.write("abc\n", to: "secrets/token")
            #expect(reload(store) == nil)
            #expect(store.listing == former)
            try scratch.write(text, to: "secrets/token")
            try scratch.write(text, to: "secrets/db/password")
            #expect(reload(store)?.problems.map(\.place) == ["\(folder.path)/db/password", "\(folder.path)/token"])
            try scratch.write("abc\n", to: "secrets/token")
            try scratch.write("hunter2", to: "secrets/db/password")
        }
    }

    @Test("Data that becomes blank is refused, and a blank text that stays blank or gets text is not")
    func blankData() throws {
        let mount = try KubernetesMount()
        try mount.swap(to: ["key": "\0\u{1}", "note": ""])
        let store = try PropertyStore(sources: DirectoryPropertyLoader(url: mount.url))
        try mount.swap(to: ["key": "\0\u{1}", "note": "\n"])
        #expect(reload(store) == nil)
        try mount.swap(to: ["key": "\0\u{1}", "note": "a"])
        #expect(reload(store) == nil)
        try mount.swap(to: ["key": "", "note": "b"])
        #expect(reload(store)?.problems.map(\.place) == ["\(mount.url.path)/key"])
        #expect(store.property("note") == "a")
    }

    @Test(
        "A file of a placeholder that had text and is blank at a reload is refused, also with a default",
        arguments: blanks)
    func blankPlaceholder(text: String) throws {
        let scratch = try Scratch()
        let token = try scratch.write("abc\n", to: "token")
        let values = ["${file:\(token.path)}", "Bearer ${file:\(token.path)}", "${file:\(token.path):-none}"]
        for value in values {
            try scratch.write("abc\n", to: "token")
            let config = try scratch.write("token = \"\(value)\"", to: "config.toml")
            let store = try PropertyStore(sources: TomlPropertyLoader(url: config).replacingPlaceholders())
            let former: String = try store.require("token")
            try scratch.write(text, to: "token")
            #expect(
                reload(store)?.description
                    == "\(token.path): this is empty; it had a value. If that is meant, restart the service. The start fails if a required setting then has no value."
            )
            #expect(store.property("token") == former)
            // The placeholder may go, and a start takes the file.
            try scratch.write("token = \"x\"", to: "config.toml")
            #expect(reload(store) == nil)
            try scratch.write("token = \"\(value)\"", to: "config.toml")
            #expect(throws: Never.self) {
                try PropertyStore(sources: TomlPropertyLoader(url: config).replacingPlaceholders())
            }
        }
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
