import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("A named pipe in place of a .env file")
struct NamedPipeTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.file(".env").path
        try #require(unsafe mkfifo(path, 0o600) == 0)
    }

    private func loader(within timeout: Duration = .seconds(600), limit: Int = 1000) -> DotEnvPropertyLoader {
        DotEnvPropertyLoader(FileSource(url: URL(filePath: path), pipeTimeout: timeout), "", limit)
    }

    /// Writes to the pipe when it is read, as a password manager does. A thread of its own, because the reader may block
    /// the threads of all tasks.
    private func write(_ text: String) {
        Thread.detachNewThread { [path] in
            let handle = FileHandle(forWritingAtPath: path)
            try? handle?.write(contentsOf: Data(text.utf8))
            try? handle?.close()
        }
    }

    @Test("It is read until its writer closes it, kept at a reload, and not watched")
    func read() throws {
        let store = PropertyStore()
        write("A=1\nB='two'\n")
        try store.apply(loader())
        #expect(store.values == ["a=\"1\"", "b=\"two\""])
        // Nobody writes to it.
        try store.reload()
        #expect(store.values == ["a=\"1\"", "b=\"two\""])
        #expect(PropertyWatcher(store) { _ in }.description == "PropertyWatcher of 0 files")
    }

    @Test("A pipe without a writer is an error when the time is over, and a later one is read")
    func late() throws {
        let loader = loader(within: .milliseconds(30))
        let error = loadError { try PropertyStore().apply(loader) }
        #expect(
            error?.description
                == "\(path): nothing was written to this pipe within 0.03 seconds. Check the program that "
                + "writes to it, such as a password manager.")
        #expect(error?.reason == .unavailable)
        write("A=1")
        let store = try PropertyStore(sources: self.loader())
        #expect(store.values == ["a=\"1\""])
    }

    @Test("A writer that does not close the pipe, and one that writes too much, are errors")
    func wrong() throws {
        // It keeps the pipe open until the end of the test.
        let open = unsafe fopen(path, "r+")
        defer { if let open = unsafe open { unsafe _ = fclose(open) } }
        if let open = unsafe open {
            unsafe fputs("A=1\n", open)
            unsafe fflush(open)
        }
        let error = loadError { try PropertyStore().apply(loader(within: .milliseconds(30))) }
        #expect(error?.problem == "the writer of this pipe did not close it within 0.03 seconds")
        if let open = unsafe open {
            unsafe fputs("B=2345678\n", open)
            unsafe fflush(open)
        }
        #expect(loadError { try PropertyStore().apply(loader(limit: 5)) }?.reason == .limit)
    }

    @Test("No other loader reads one")
    func others() {
        let url = URL(filePath: path)
        for loader in [TomlPropertyLoader(url: url), JsonPropertyLoader(url: url)] as [any PropertyLoader] {
            #expect(loadError { try PropertyStore().apply(loader) }?.problem == "this is a pipe, a socket or a device")
        }
    }
}
