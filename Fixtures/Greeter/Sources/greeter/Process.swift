import Dispatch
import Foundation

/// Waits for SIGTERM, by which a container runtime stops a process, or SIGINT, which Control-C sends.
func stopSignal() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGTERM, SIGINT].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler { continuation.yield() }
        source.resume()
        return source
    }
    for await _ in signals { break }
    for source in sources { source.cancel() }
}

/// Prints a line at once. `print` alone would keep it in a buffer if the output is a pipe or a file.
func say(_ line: some CustomStringConvertible) {
    print(line)
    fflush(nil)
}

/// Prints a line to the standard error stream.
func warn(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
}
