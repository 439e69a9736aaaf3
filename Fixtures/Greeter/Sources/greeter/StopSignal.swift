import Dispatch
import Foundation

/// Waits for SIGTERM, which ends a container, or SIGINT, which is Control-C.
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
