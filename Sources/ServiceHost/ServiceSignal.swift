/// The request that a signal makes to a service.
public enum ServiceSignal: Sendable, Hashable {
    /// To stop: SIGTERM, which container runtimes and systemd send, or SIGINT, which Control-C sends.
    case stop
    /// To reload its settings: SIGHUP.
    case reload

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
    /// third one does not even wait for that. The signals are handled until
    /// the process ends, also when nobody iterates the sequence any more. A signal that arrives before the iteration is
    /// kept.
    ///
    /// SIGPIPE does not end the process any more: a write to a connection or pipe that the other side has closed fails
    /// instead.
    ///
    /// Call this method once. After a second call, only the new sequence gets the signals. If no descriptor is free, the
    /// signals keep their default handling, and the sequence has no elements.
    ///
    /// - Returns: the sequence, which never ends, for one reader.
    public static func handle() -> AsyncStream<ServiceSignal> {
        let (signals, continuation) = AsyncStream.makeStream(of: ServiceSignal.self)
        Platform.handleSignals { continuation.yield(ServiceSignal($0)) }
        return signals
    }
}
