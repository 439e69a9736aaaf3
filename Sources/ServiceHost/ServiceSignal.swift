/// The request that a signal makes to a service. Later versions may add requests, so a `switch` needs a `default`.
public struct ServiceSignal: Sendable, Hashable, CustomStringConvertible {
    /// The request in one word.
    public let description: String
    private init(_ description: String) { self.description = description }

    /// To stop: SIGTERM, which container runtimes and systemd send, or SIGINT, which Control-C sends.
    public static let stop = ServiceSignal("stop")
    /// To reload its settings: SIGHUP.
    public static let reload = ServiceSignal("reload")
    /// To write its status and its values: the signal that `handle(dumpsAt:)` was given.
    public static let dump = ServiceSignal("dump")

    /// Handles the signals of this process from now on, and returns them as a sequence.
    ///
    ///     for await signal in ServiceSignal.handle() {
    ///         if signal == .stop { break }
    ///         try container.properties.reload()
    ///     }
    ///
    /// The sequence has at most one `.stop`. A second signal that asks the process to stop is ignored within a second of
    /// the first, because process managers and terminals often send one stop twice. A later one ends the process within a
    /// tenth of a second, with the status 128 + its number, whatever the program does, and without flushing `print`. A
    /// third one ends it at once. The signals are handled until the process ends, also when nobody iterates the sequence any
    /// more. A signal that arrives before the iteration is kept.
    ///
    /// SIGPIPE does not end the process any more: a write to a connection or pipe that the other side has closed fails
    /// instead.
    ///
    /// Call this method once. After a second call, only the new sequence gets the signals. If no descriptor is free, the
    /// signals keep their default handling, and the sequence never has an element.
    ///
    /// - Parameter signal: the signal that is passed on as `.dump`, or nil for none.
    /// - Returns: the sequence, which never ends, for one reader.
    public static func handle(dumpsAt signal: UserSignal? = nil) -> AsyncStream<ServiceSignal> {
        let (signals, continuation) = AsyncStream.makeStream(of: ServiceSignal.self)
        Platform.handleSignals(dumpsAt: signal) { continuation.yield(ServiceSignal($0)) }
        return signals
    }

    /// Creates a request from the number of a signal that is handled.
    init(_ number: CInt) {
        switch number {
        case Platform.hangup: self = .reload
        case UserSignal.usr1.number, UserSignal.usr2.number: self = .dump
        default: self = .stop
        }
    }
}

/// A signal without a meaning of its own, which a service can be told to take.
public struct UserSignal: Sendable, Hashable {
    let number: CInt
    /// The name in messages.
    var name: String { self == .usr1 ? "SIGUSR1" : "SIGUSR2" }

    /// SIGUSR1.
    public static let usr1 = UserSignal(number: Platform.userSignals.0)
    /// SIGUSR2.
    public static let usr2 = UserSignal(number: Platform.userSignals.1)
}
