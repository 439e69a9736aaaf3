import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Files and variables in placeholders")
struct PlaceholderFileTests {
    private func read(_ text: String, _ rules: PropertyPlaceholders?) throws -> String? {
        let store = PropertyStore()
        store.replacePlaceholders(rules)
        try store.apply(Given(["x": .string(text)]))
        return store.property("x")
    }

    @Test("By default, the placeholders of a whole store refer only to properties")
    func storeWide() throws {
        let store = PropertyStore()
        store.replacePlaceholders()
        try store.apply(Given(["host": "h", "url": "//${host}/"]))
        #expect(store.property("url") == "//h/")
        for text in ["${env:PATH}", "${file:/etc/passwd}"] {
            let error = loadError {
                try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_S": text]))
            }
            #expect(error?.reason == .unresolved)
        }
        #expect(try read("${env:PATH}", .properties.environment()) == ProcessInfo.processInfo.environment["PATH"])
        loadError { try read("${file:/etc/passwd}", .properties.environment()) }
    }

    @Test("Environment variables can be made secret")
    func secretVariables() throws {
        for isSecret in [false, true] {
            let store = PropertyStore()
            store.replacePlaceholders(.properties.environment(isSecret: isSecret))
            try store.apply(Given(["x": "${env:PATH}", "y": "${env:NONE_OF_THESE:-d}"]))
            #expect(store.entries.map(\.isSecret) == [isSecret, false])
        }
    }

    @Test("Files in the given directory can be read, and no path or link leads out of it")
    func directory() throws {
        let scratch = try Scratch()
        let files = FileManager.default
        try scratch.write("inner\n", to: "in/key")
        try scratch.write("deep", to: "in/a/b/key")
        try scratch.write("outer", to: "out/key")
        try scratch.write("other", to: "in.d/key")
        try Data([0xFF]).write(to: scratch.file("in/binary"))
        func link(_ name: String, to target: String) throws {
            try files.createSymbolicLink(atPath: scratch.file(name).path, withDestinationPath: target)
        }
        try link("in/near", to: "a/b/key")
        try link("in/far", to: "../out/key")
        try link("in/absolute", to: scratch.file("out/key").path)
        try link("in/folder", to: "../out")
        try link("in/dangling", to: "../out/none")
        try link("alias", to: "in")
        let root = scratch.url.path
        let rules = PropertyPlaceholders.properties.files(under: scratch.file("in"))
        let inside = [
            "in/key": "inner", "in/a/b/key": "deep", "in/near": "deep", "in/a/../key": "inner", "in/./key": "inner",
            "in//a/b/../../near": "deep", "out/../in/key": "inner", "in/none": "d", "in/key/none": "d",
            "in/folder/../in/key": "inner",
        ]
        for (path, value) in inside {
            #expect(try read("${file:\(root)/\(path):-d}", rules) == value, "\(path)")
        }
        let outside = [
            "in/far", "in/absolute", "in/folder/key", "out/key", "in/../out/key", "in.d/key", "in/folder/../out/key",
            "in/../out/none", "in", "in/", "alias/key", "in/a", "in/binary",
        ]
        for path in outside {
            let error = loadError {
                try read("${file:\(root)/\(path):-d}", rules)
            }
            #expect(error?.reason == .unreadable)
        }
        let relative = loadError { try read("${file:in/key:-d}", rules) }
        #expect(relative?.expected == "an absolute path" && relative?.remedy == "Begin the path with /")
        let alias = PropertyPlaceholders.properties.files(under: scratch.file("alias"))
        #expect(try read("${file:\(root)/alias/key}", alias) == "inner")
        #expect(try read("${file:\(root)/in/key}", .properties.files(under: URL(filePath: "/"))) == "inner")
        let web = PropertyPlaceholders.properties.files(under: try #require(URL(string: "https://host\(root)/in")))
        loadError { try read("${file:\(root)/in/key}", web) }
        let error = loadError { try read("${file:\(root)/out/key}", rules) }
        #expect(
            error?.problem == "'${file:\(root)/out/key}' in 'x' cannot be looked up: "
                + "the file is outside of the directory that placeholders may read")
        #expect(error?.expected == "a file in '\(root)/in'")
    }

    @Test("A missing file under the directory is watched, and one outside is not")
    func watched() throws {
        let scratch = try Scratch()
        let store = PropertyStore()
        store.replacePlaceholders(.properties.files(under: scratch.url))
        try store.apply(Given(["x": .string("${file:\(scratch.url.path)/later:-d}")]))
        #expect(store.files == [scratch.url.path + "/later"])
    }

}
