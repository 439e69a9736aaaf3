#if os(Linux)
    import FoundationEssentials
    import Properties
    import PropertyLoadersEssentials
    import Testing

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    // A name on Linux may have any bytes but zero and the slash. Foundation decodes names as UTF-8, and replaces
    // invalid bytes by U+FFFD.
    @Suite("Paths that are not UTF-8", .hangLimit)
    struct PathOfBytesTests {
        /// A directory of one file, `config.toml`. The name of the directory is an `a` and the byte 0xFF.
        private struct Folder {
            let path: [CChar]

            init(in scratch: Scratch) throws {
                path = (Array("\(scratch.url.path)/a".utf8) + [0xFF, 0]).map { CChar(bitPattern: $0) }
                try #require(unsafe mkdir(path, 0o700) == 0)
            }

            private var file: [CChar] { path.dropLast() + "/config.toml\0".utf8.map { CChar(bitPattern: $0) } }

            /// Writes the file in place.
            func set(_ text: String) throws {
                let descriptor = unsafe open(file, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
                try #require(descriptor >= 0)
                defer { close(descriptor) }
                #expect(unsafe write(descriptor, text, text.utf8.count) == text.utf8.count)
            }

            /// Creates a link to the file.
            func link(at link: URL) throws { try #require(unsafe symlink(file, link.path) == 0) }
        }

        @Test("A URL of such a path is an error, and not the working directory")
        func url() throws {
            let url = try #require(URL(string: "file:///tmp/a%FF"))
            let loaders: [any PropertyLoader] = [TomlPropertyLoader(url: url), DirectoryPropertyLoader(url: url)]
            for loader in loaders {
                let error = #expect(throws: PropertyLoadError.self) { try loader.load() }
                #expect(
                    error?.description
                        == "file:///tmp/a%FF: the path of this URL is not text; expected a path in UTF-8. "
                        + "Rename the file or the directory.")
            }
        }

        @Test("The error of a path that was decoded says which part to rename")
        func decoded() throws {
            let scratch = try Scratch()
            try Folder(in: scratch).set("x = 1")
            let folder = scratch.file("a\u{FFFD}"), file = folder.appending(path: "config.toml")
            let loaders: [(any PropertyLoader, URL)] = [
                (TomlPropertyLoader(url: file), file), (DirectoryPropertyLoader(url: folder), folder),
            ]
            for (loader, url) in loaders {
                let error = #expect(throws: PropertyLoadError.self) { try loader.load() }
                #expect(
                    error?.description == "\(url.path): no such file; expected a path in UTF-8. Rename each part of "
                        + "'\(url.path)' that has U+FFFD in place of bytes that are not UTF-8.")
                #expect(error?.reason == .notFound)
            }
        }

        @Test("The error of a relative path has the working directory")
        func relative() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch(), folder = try Folder(in: scratch)
                try folder.set("x = 1")
                try #require(unsafe chdir(folder.path) == 0)
                let loader = TomlPropertyLoader(url: URL(filePath: "config.toml"))
                let error = #expect(throws: PropertyLoadError.self) { try loader.load() }
                #expect(error?.description.hasPrefix("config.toml: no such file; expected a path in UTF-8.") == true)
                #expect(error?.description.contains("'\(scratch.url.path)/a\u{FFFD}/config.toml'") == true)
            }
        }

        @Test("A change of a file behind a link to such a path is loaded")
        func watched() async throws {
            let scratch = try Scratch(), folder = try Folder(in: scratch)
            try folder.set("x = 1")
            try folder.link(at: scratch.file("link.toml"))
            #expect(!WatchPlan([scratch.file("link.toml").path]).isComplete)
            let running = Running(try PropertyStore(sources: TomlPropertyLoader(url: scratch.file("link.toml"))))
            try folder.set("x = 2")
            await running.wait(for: "x", 2)
            // The watcher has set its watches by now.
            try folder.set("x = 3")
            await running.wait(for: "x", 3)
            try await running.stop()
        }
    }
#endif
