import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("A mounted directory as a source")
struct DirectoryPropertyLoaderTests {
    private func store(_ scratch: Scratch, isSecret: Bool = false) throws -> PropertyStore {
        try PropertyStore(sources: DirectoryPropertyLoader(url: scratch.url, isSecret: isSecret))
    }

    @Test("Each file is a property, directories are levels of names, and what begins with a dot is left out")
    func files() throws {
        let scratch = try Scratch()
        for (name, text) in [
            ("user", "joe\n"), ("port", "80\r\n"), ("two", "x\n\n"), ("bare", "y\u{2028}"), ("empty", ""),
            ("api.timeout", "5"),
            (".hidden", "z"), ("sub/inner", "z"), ("sub/.hidden", "z"), (".git/config", "z"), ("a..b", "odd"),
        ] {
            try scratch.write(text, to: name)
        }
        let store = try store(scratch)
        #expect(
            store.values == [
                "a..b=\"odd\"", "api.timeout=\"5\"", "bare=\"y\\u{2028}\"", "empty=\"\"", "port=\"80\"",
                "sub.inner=\"z\"", "two=\"x\\n\"",
                "user=\"joe\"",
            ])
        #expect(store.property("port") == 80)
        #expect(store.property("api") == ["timeout": 5])
        #expect(store.history(of: "user").map { "\($0.node.origin)" } == ["\(scratch.url.path)/user"])
    }

    @Test("A file that is not text is data, with all of its bytes")
    func data() throws {
        let scratch = try Scratch()
        try Data([0xFF, 0xFE, 0x0A]).write(to: scratch.file("key"))
        try Data([0x41, 0x00]).write(to: scratch.file("zero"))
        let store = try store(scratch)
        #expect(store.property("key") == Data([0xFF, 0xFE, 0x0A]))
        #expect(store.property("zero") == Data([0x41, 0x00]))
        #expect(store.property("key") as String? == nil)
    }

    @Test("A file name that begins with the name of another file stays one key")
    func throughAnother() throws {
        let scratch = try Scratch()
        try scratch.write("1", to: "id_rsa.pub.old")
        try scratch.write("2", to: "id_rsa.pub")
        try scratch.write("3", to: "id_rsa")
        #expect(try store(scratch).values == ["id_rsa=\"3\"", "id_rsa.pub=\"2\"", "id_rsa.pub.old=\"1\""])
    }

    @Test("A file with a relaxed name inside a declared value is the declared key with a dot")
    func relaxedThroughAnother() throws {
        let scratch = try Scratch()
        for (name, text) in [("ca", "1"), ("ca-pub", "2"), ("ca-pub-old", "3")] { try scratch.write(text, to: name) }
        let store = PropertyStore()
        store.declare(TypedKey<String>("ca"), TypedKey<String>("ca.pub"), TypedKey<String>("ca.pub.old"))
        let loader = DirectoryPropertyLoader(url: scratch.url, isSecret: false)
        try store.start([loader])
        #expect(store.values == ["ca=\"1\"", "ca.pub=\"2\"", "ca.pub.old=\"3\""])
        #expect(store.history(of: "ca.pub").map { "\($0.node.origin)" } == ["\(scratch.url.path)/ca-pub"])
        // A later source has the same names.
        let variables = ["APP_CA": "4", "APP_CA_PUB": "5"]
        try store.start([loader, EnvironmentPropertyLoader(prefix: "APP", environment: variables)])
        #expect(store.values == ["ca=\"4\"", "ca.pub=\"5\"", "ca.pub.old=\"3\""])
    }

    @Test("A file with a relaxed name inside a value that is not declared is the setting of its name")
    func insideUndeclared() throws {
        let scratch = try Scratch()
        for (name, text) in [("ca", "1"), ("ca-pub", "2")] { try scratch.write(text, to: name) }
        let store = PropertyStore()
        store.declare(TypedKey<String>("ca.pub", default: ""))
        try store.apply(DirectoryPropertyLoader(url: scratch.url, isSecret: false))
        #expect(store.values == ["ca=\"1\"", "ca.pub=\"2\""])
    }

    @Test("Two directories, of which one has both names, contradict each other in nothing")
    func twoDirectories() throws {
        let one = try Scratch(), two = try Scratch()
        for (name, text) in [("ca", "1"), ("ca.pub", "2")] { try one.write(text, to: name) }
        try two.write("3", to: "ca.pub")
        let store = try PropertyStore(
            sources: DirectoryPropertyLoader(url: one.url, isSecret: false),
            DirectoryPropertyLoader(url: two.url, isSecret: false))
        #expect(store.values == ["ca=\"1\"", "ca.pub=\"3\""])
    }

    @Test("A Kubernetes mount is read through its link ..data")
    func kubernetes() throws {
        let mount = try KubernetesMount()
        try mount.swap(to: ["user": "joe\n", "api.timeout": "5"])
        let loader = DirectoryPropertyLoader(url: mount.url, isSecret: false)
        #expect(try PropertyStore(sources: loader).values == ["api.timeout=\"5\"", "user=\"joe\""])
        try mount.swap(to: ["user": "ann\n"])
        #expect(try PropertyStore(sources: loader).values == ["user=\"ann\""])
        #expect(try loader.load().files == [mount.url.path])
    }

    @Test("A missing directory, a file instead of it, and files that exceed the limit are errors that name the path")
    func errors() throws {
        let scratch = try Scratch()
        let missing = loadError {
            try DirectoryPropertyLoader(url: scratch.file("none")).load()
        }
        #expect(missing?.reason == .notFound)
        try scratch.write("12345", to: "a")
        try scratch.write("12345", to: "bb")
        let file = loadError {
            try DirectoryPropertyLoader(url: scratch.file("a")).load()
        }
        #expect(
            file?.description == "\(scratch.file("a").path): this is a file; expected a directory whose files are the "
                + "properties. Name the directory, or load the file in its own format.")
        #expect(loadError { try DirectoryPropertyLoader(url: scratch.file("a")).optional().load() } != nil)
        #expect(try DirectoryPropertyLoader(url: scratch.url, sizeLimit: 10).load().table.count == 2)
        let large = loadError {
            try DirectoryPropertyLoader(url: scratch.url, sizeLimit: 9).load()
        }
        #expect(large?.reason == .limit)
        #expect(large?.description.hasPrefix("\(scratch.url.path)/bb: 10 bytes are more than the limit of 9") == true)
    }

    @Test("An empty directory in place of a file is named where its property is missing")
    func idleDirectory() throws {
        let scratch = try Scratch(), path = scratch.url.path
        for name in ["token", "db-password", "api/key"] {
            try FileManager.default.createDirectory(at: scratch.file(name), withIntermediateDirectories: true)
        }
        try scratch.write("x", to: "api/other")
        let store = PropertyStore()
        for name in ["token", "db.password", "api.key", "none"] {
            store.declare(TypedKey<String>(name, isSecret: true))
        }
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([DirectoryPropertyLoader(url: scratch.url)], unknownKeys: .ignored)
        }
        let messages = error?.problems.map(\.message) ?? []
        let ends = [
            "api.key (\(path)/api/key is an empty directory now).",
            "db.password (\(path)/db-password is an empty directory now).", "none.",
            "token (\(path)/token is an empty directory now).",
        ]
        #expect(messages.count == ends.count)
        for (message, end) in zip(messages, ends) {
            #expect(message.hasSuffix("Set it in \(path)/" + end), "\(message)")
        }
    }

    @Test("A directory that this user may not read, such as lost+found, is ignored (in a child process)")
    func forbiddenDirectory() async throws {
        let scratch = try Scratch()
        try scratch.write("joe", to: "user")
        let manager = FileManager.default
        let path = scratch.file("lost+found").path
        try manager.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0])
        // A user who is not root cannot remove it otherwise.
        defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
        try manager.createDirectory(atPath: scratch.url.path + "/sub", withIntermediateDirectories: false)
        let root = scratch.url.path
        await #expect(processExitsWith: .success) { [root = root as String] in
            // Continues as the user nobody, because root may read everything.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            let loader = DirectoryPropertyLoader(url: URL(filePath: root), isSecret: false)
            #expect(try PropertyStore(sources: loader).values == ["user=\"joe\""])
            let store = PropertyStore()
            store.declare(TypedKey<String>("lost+found.key"))
            let error = #expect(throws: ConfigurationErrors.self) { try store.start([loader]) }
            let advice = "(\(root)/lost+found is a directory that this user may not read now)"
            #expect(error?.description.contains(advice) == true, "\(String(describing: error))")
            let inner = DirectoryPropertyLoader(url: URL(filePath: root + "/lost+found"))
            let text = loadError { try inner.load() }?.description ?? ""
            #expect(text.contains("the directory may not be read by this user. Check its permissions"), "\(text)")
        }
    }

    @Test("A file whose name is not UTF-8 is an error")
    func nameOfBytes() throws {
        let scratch = try Scratch()
        let path = Array(scratch.url.path.utf8) + Array("/k".utf8) + [0xFF, 0]
        let descriptor = unsafe path.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
            unsafe $0.baseAddress.map { unsafe open($0, O_CREAT | O_WRONLY, 0o600) } ?? -1
        }
        try #require(descriptor >= 0)
        close(descriptor)
        let error = loadError { try store(scratch) }
        #expect(
            error?.description == "\(scratch.url.path)/k\u{FFFD}: the name of this file is not text; "
                + "expected a name in UTF-8. Rename the file.")
        #expect(error?.reason == .unreadable)
    }

    @Test("A dangling link is an error that names it")
    func brokenLink() throws {
        let scratch = try Scratch()
        try FileManager.default.createSymbolicLink(
            at: scratch.file("broken"), withDestinationURL: scratch.file("nowhere"))
        let error = loadError { try store(scratch) }
        #expect(
            error?.description == "\(scratch.url.path)/broken: this link leads nowhere. "
                + "Remove the link, or put the file where it leads.")
        #expect(error?.reason == .unreadable)
    }

    @Test("A directory and a dot are the same level, so two files for one property are an error with both")
    func twice() throws {
        let scratch = try Scratch()
        try scratch.write("1", to: "database/primary/password")
        let value = try store(scratch)
        #expect(value.listing == ["database.primary.password=\"1\" (\(scratch.url.path)/database/primary/password)"])
        try scratch.write("2", to: "database.primary/password")
        let error = loadError { try store(scratch) }
        #expect(
            error?.description
                == "\(scratch.url.path)/database.primary/password: this file sets the same property as another file "
                + "(the other is \(scratch.url.path)/database/primary/password). Remove one of the two.")
        #expect(error?.reason == .duplicate)
    }

    @Test("A declared key is reached through directories and dashes")
    func relaxed() throws {
        let scratch = try Scratch()
        try scratch.write("1", to: "database/max-connections")
        let store = PropertyStore()
        store.declare(TypedKey<Int>("database.maxConnections"))
        try store.start([DirectoryPropertyLoader(url: scratch.url)])
        #expect(store.property("database.maxConnections") == 1)
    }

    @Test(
        "Links of directories to each other end the load: in a circle at once, and otherwise at the limit of the size")
    func circles() throws {
        let scratch = try Scratch()
        try scratch.write("1", to: "a/x")
        let manager = FileManager.default
        try manager.createSymbolicLink(at: scratch.file("a/back"), withDestinationURL: scratch.url)
        let error = loadError { try store(scratch) }
        #expect(
            error?.description == "\(scratch.url.path)/a/back: the links in this path lead in a circle. "
                + "Remove the link that leads back to its own path.")
        let wide = try Scratch()
        for level in 0..<40 {
            try manager.createDirectory(at: wide.file("d\(level)"), withIntermediateDirectories: true)
        }
        for level in 0..<39 {
            for name in ["p", "q"] {
                try manager.createSymbolicLink(
                    at: wide.file("d\(level)/\(name)"), withDestinationURL: wide.file("d\(level + 1)"))
            }
        }
        let large = loadError { try DirectoryPropertyLoader(url: wide.file("d0"), sizeLimit: 100_000).load() }
        #expect(large?.reason == .limit)
    }

    @Test("An empty directory, which a container runtime makes for a missing file, is a warning")
    func empty() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            at: scratch.file("db.password"), withIntermediateDirectories: false)
        #expect(
            try DirectoryPropertyLoader(url: scratch.url).load().warnings.map(\.description) == [
                "\(scratch.file("db.password").path): this directory is empty, so it sets nothing. If a file should be "
                    + "mounted here, check that the file exists: a container runtime makes a directory where it does not."
            ])
    }

    @Test("A file that every user can write is a warning")
    func warnings() throws {
        let scratch = try Scratch()
        try scratch.write("hunter2", to: "db/password")
        let path = scratch.file("db/password").path
        for (mode, count) in [(0o644, 0), (0o444, 0), (0o664, 0), (0o666, 1), (0o602, 1)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let warnings = try DirectoryPropertyLoader(url: scratch.url).load().warnings
            #expect(warnings.count == count)
            guard let warning = warnings.first else { continue }
            #expect(
                warning.description
                    == "\(path): every user of this machine can write this file. Remove that permission (chmod o-w).")
            #expect(warning.reason == .unprotected)
        }
    }
}
