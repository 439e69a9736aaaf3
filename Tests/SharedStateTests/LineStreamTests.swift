import Foundation
import SharedState
import Testing

/// A file that a process can write up to a size, as if its disk was full.
///
/// The limit is one of the whole process, so each test has a process of its own.
private final class LimitedFile {
    private let url = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString)")
    private let descriptor: Int32
    let stream: LineStream

    init(limit: UInt) {
        _ = signal(SIGXFSZ, SIG_IGN)
        descriptor = unsafe open(url.path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        stream = LineStream(descriptor)
        setLimit(limit)
    }

    func setLimit(_ size: UInt) {
        var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t(1_000_000_000))
        #if canImport(Glibc)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
            _ = unsafe setrlimit(RLIMIT_FSIZE, &limit)
        #endif
    }

    var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }
    func truncate(to size: off_t) { _ = ftruncate(descriptor, size) }
    func append(_ text: String) { _ = unsafe Foundation.write(descriptor, text, text.utf8.count) }

    /// Writes a line, and before it how many were lost.
    func write(_ line: String) {
        stream.write(line) { "\($0.count) lost: \($0.cause)" }
    }

    deinit {
        close(descriptor)
        try? FileManager.default.removeItem(at: url)
    }
}

@Suite("Lines of a stream whose disk is full for a while")
struct LineStreamTests {
    @Test("A line that was written by half is completed before the next one, and the lost lines are counted before it")
    func completed() async {
        await #expect(processExitsWith: .success) {
            let file = LimitedFile(limit: 20)
            for line in ["0123456789", "abcdefghijkl", "lost", "lost, too"] { file.write(line) }
            #expect(file.text == "0123456789\nabcdefghi")
            file.setLimit(1000)
            for line in ["next", "last"] { file.write(line) }
            #expect(file.text == "0123456789\nabcdefghijkl\n2 lost: File too large\nnext\nlast\n")
        }
    }

    @Test("Where only the end of a line is missing, it is written first, and a line that fits exactly is not lost")
    func ends() async {
        await #expect(processExitsWith: .success) {
            let file = LimitedFile(limit: 10)
            for line in ["0123456789", "lost"] { file.write(line) }
            #expect(file.text == "0123456789")
            file.setLimit(39)
            file.write("next")
            #expect(file.text == "0123456789\n1 lost: File too large\nnext\n")
            file.write("lost")
            file.setLimit(100)
            file.write("last")
            #expect(file.text.hasSuffix("\nnext\n1 lost: File too large\nlast\n"))
        }
    }

    @Test("The rest of a line is written in as many parts as there is space for")
    func parts() async {
        await #expect(processExitsWith: .success) {
            let file = LimitedFile(limit: 3)
            for size in 3...8 {
                file.setLimit(UInt(size))
                file.stream.write("0123456")
                #expect(file.text == "0123456\n".prefix(size))
            }
            file.setLimit(100)
            file.write("next")
            #expect(file.text == "0123456\n5 lost: File too large\nnext\n")
        }
    }

    @Test("A file that was emptied after the beginning of a line begins with a whole line, and the line is lost")
    func emptied() async {
        await #expect(processExitsWith: .success) {
            let file = LimitedFile(limit: 20)
            for line in ["0123456789", "abcdefghijkl", "lost"] { file.write(line) }
            file.truncate(to: 0)
            file.setLimit(100)
            file.write("next")
            #expect(file.text == "2 lost: File too large\nnext\n")
        }
    }

    @Test("A line that was cut, or followed by another program's, is given up, and the next one begins on its own line")
    func givenUp() async {
        await #expect(processExitsWith: .success) {
            for isCut in [true, false] {
                let file = LimitedFile(limit: 6)
                file.write("0123456789")
                file.setLimit(100)
                if isCut { file.truncate(to: 3) } else { file.append("xyz") }
                file.write("next")
                #expect(file.text == (isCut ? "012" : "012345xyz") + "\n1 lost: File too large\nnext\n")
            }
        }
    }

    @Test("A report that was written by half is completed, and one that is given up counts as the lines in it")
    func halfReport() async {
        await #expect(processExitsWith: .success) {
            for isEmptied in [true, false] {
                let file = LimitedFile(limit: 2)
                for line in ["0", "lost", "lost"] { file.write(line) }
                file.setLimit(10)
                file.write("lost")
                #expect(file.text == "0\n2 lost: ")
                file.setLimit(100)
                if isEmptied { file.truncate(to: 0) }
                file.write("next")
                let report = isEmptied ? "3 lost: " : "0\n2 lost: File too large\n1 lost: "
                #expect(file.text == report + "File too large\nnext\n")
            }
        }
    }

    @Test("What is held back is written without another line, too, and lines without a report are counted further")
    func finished() async {
        await #expect(processExitsWith: .success) {
            let file = LimitedFile(limit: 6)
            for line in ["0123456789", "lost"] { file.stream.write(line) }
            file.setLimit(100)
            file.stream.finish()
            #expect(file.text == "0123456789\n")
            #expect(file.stream.write("next"))
            #expect(file.stream.takeLoss().map { "\($0.count) \($0.cause)" } == "1 File too large")
            #expect(file.stream.takeLoss() == nil)
            file.stream.finish { "\($0.count) lost" }
            #expect(file.text == "0123456789\nnext\n")
        }
    }

    @Test("A pipe without a reader loses whole lines, and so does a device that is full")
    func pipeAndDevice() async {
        await #expect(processExitsWith: .success) {
            _ = signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [-1, -1]
            #expect(unsafe pipe(&ends) == 0)
            close(ends[0])
            let pipe = LineStream(ends[1])
            #expect(!pipe.write("lost") && !pipe.write("lost"))
            #expect(pipe.takeLoss().map { "\($0.count) \($0.cause)" } == "2 Broken pipe")
            #if os(Linux)
                let full = LineStream(unsafe open("/dev/full", O_WRONLY))
                #expect(!full.write("lost", for: 7))
                #expect(full.takeLoss().map { "\($0.count) \($0.cause)" } == "7 No space left on device")
            #endif
            // Nobody wants what goes to a closed descriptor.
            close(ends[1])
            #expect(pipe.write("line") && pipe.takeLoss() == nil)
        }
    }
}
