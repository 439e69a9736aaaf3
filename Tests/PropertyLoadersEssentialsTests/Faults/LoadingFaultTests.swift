#if os(Linux)
    import Foundation
    import Properties
    import PropertyLoadersEssentials
    import TestSupport
    import Testing

    /// The error numbers of failing system calls in these tests.
    enum Fault {
        static let codes = LongRun.isRequested ? [EIO, EINTR, EMFILE, EACCES] : [EIO, EINTR]
    }

    /// One source of each kind that reads files: a file with `..` in its path, a `.env` file, a Kubernetes mount, and a
    /// file that a placeholder refers to. All of them have the same value. A file that cannot be read is not a missing one,
    /// so the loaders of two are optional.
    final class FaultySources: Sendable {
        let loaders: [any PropertyLoader]
        private let scratch: Scratch
        private let mount: KubernetesMount

        init(value: Int) throws {
            (scratch, mount) = (try Scratch(), try KubernetesMount())
            try scratch.write("", to: "folder/other")
            loaders = [
                TomlPropertyLoader(url: scratch.file("folder/../config.toml")).optional(),
                DotEnvPropertyLoader(url: scratch.file("config.env")),
                DirectoryPropertyLoader(url: mount.url).optional(),
                Given(["placeholder": .string("${file:\(scratch.file("secret").path)}")])
                    .replacingPlaceholders(.properties.files(under: scratch.url)),
            ]
            try set(value)
        }

        /// Replaces all files.
        func set(_ value: Int) throws {
            try Data("toml = \(value)".utf8).write(to: scratch.file("config.toml"), options: .atomic)
            try Data("ENV=\(value)".utf8).write(to: scratch.file("config.env"), options: .atomic)
            try Data("\(value)".utf8).write(to: scratch.file("secret"), options: .atomic)
            try mount.swap(to: ["mount": "\(value)"])
        }

        /// The value of each source in a store.
        static func values(in store: PropertyStore) -> [Int?] {
            ["toml", "env", "mount", "placeholder"].map { (name: String) -> Int? in
                store.property(name) ?? store.property(name).flatMap { (text: String) in Int(text) }
            }
        }
    }

    // Each test runs in its own process, because injected failures affect the whole process.
    @Suite("Loading while system calls fail", .hangLimit)
    struct LoadingFaultTests {
        @Test("Whichever call fails, the error has a place and a remedy, the state stays, and the next load succeeds")
        func eachCall() async {
            await #expect(processExitsWith: .success) {
                let sources = try FaultySources(value: 0), store = PropertyStore()
                try store.apply(sources.loaders)
                let files = store.files, descriptors = Self.descriptors
                var value = 0, failures = 0
                for call in InjectedFailures.Call.allCases {
                    for code in Fault.codes {
                        for number in 1... {
                            value += 1
                            try sources.set(value)
                            let calls = Calls()
                            InjectedFailures.set { $0 == call && calls.next($0) == number ? code : nil }
                            let failure = Self.failure { try store.apply(sources.loaders) }
                            InjectedFailures.set(nil)
                            let place: Comment = "\(call) \(number) fails with \(code)"
                            if let failure {
                                failures += 1
                                #expect(code != EINTR, place)
                                Self.check(failure, place)
                            }
                            let expected = failure == nil ? value : value - 1
                            #expect(FaultySources.values(in: store) == Array(repeating: expected, count: 4), place)
                            #expect(store.files == files, place)
                            try store.reload()
                            #expect(FaultySources.values(in: store) == Array(repeating: value, count: 4), place)
                            // An interrupted call is repeated, whichever it is.
                            if calls.count(call) < number || code == EINTR && !LongRun.isRequested { break }
                        }
                    }
                }
                #expect(failures > 10)
                #expect(Self.descriptors == descriptors)
            }
        }

        @Test("The error of each failure says what is wrong and what to do")
        func messages() async {
            await #expect(processExitsWith: .success) {
                let scratch = try Scratch()
                let file = try scratch.write("x = 1", to: "config.toml")
                let later = "Try again later; a running service does so by itself",
                    now = "the file cannot be read now: "
                let rows: [(CInt, PropertyLoadError.Reason, String)] = [
                    (EIO, .unavailable, "\(now)\(Self.text(EIO)). \(later)."),
                    (ENOMEM, .unavailable, "\(now)\(Self.text(ENOMEM)). \(later)."),
                    (ENOSPC, .unavailable, "\(now)\(Self.text(ENOSPC)). \(later)."),
                    (
                        EMFILE, .unavailable,
                        "\(now)\(Self.text(EMFILE)). Close files that are not needed, or raise the limit (ulimit -n); "
                            + "a running service tries again by itself."
                    ),
                    (
                        EACCES, .unreadable,
                        "the file may not be read by this user. Check the permissions of the file and of its "
                            + "directories."
                    ),
                    (
                        EINVAL, .unreadable,
                        "the file cannot be read: \(Self.text(EINVAL)). Check that this is the right file, and that its "
                            + "file system works."
                    ),
                ]
                for (code, reason, message) in rows {
                    InjectedFailures.set { $0 == .read ? code : nil }
                    let error = loadError { try TomlPropertyLoader(url: file).load() }
                    #expect(error?.reason == reason)
                    #expect(error?.description == "\(file.path): \(message)")
                }
            }
        }

        /// The number of open descriptors of this process.
        private static var descriptors: Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        }

        private static func text(_ code: CInt) -> String {
            // The type is explicit, because the result is optional on some platforms only.
            let text: UnsafeMutablePointer<CChar>? = unsafe strerror(code)
            return unsafe text.map { unsafe String(cString: $0) } ?? ""
        }

        private static func failure(_ body: () throws -> Void) -> (any Error)? {
            do { try body() } catch { return (error as? ConfigurationErrors)?.problems.first?.error ?? error }
            return nil
        }

        private static func check(_ failure: any Error, _ place: Comment) {
            guard let error = failure as? PropertyLoadError else {
                Issue.record("\(place): \(failure)")
                return
            }
            #expect([.unavailable, .unreadable].contains(error.reason), "\(place): \(failure)")
            #expect(error.remedy != nil, "\(place): \(failure)")
            #expect("\(error)".hasPrefix("/tmp/") || "\(error)".hasPrefix("given: "), "\(place): \(failure)")
        }
    }
#endif
