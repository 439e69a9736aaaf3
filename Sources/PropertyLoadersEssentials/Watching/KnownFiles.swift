import Properties
import Synchronization

/// Signals when a store gets sources with other files than those that are watched.
final class KnownFiles: Sendable {
    private struct State {
        var files: [String] = []
        /// The watcher compares the files itself while it reloads.
        var isSuspended = true
    }

    private let store: PropertyStore
    private let state = Mutex(State())
    private let signal: @Sendable () -> Void
    private let observer = Mutex<Int?>(nil)

    /// Begins suspended.
    init(of store: PropertyStore, signal: @escaping @Sendable () -> Void) {
        self.store = store
        self.signal = signal
        // Weak, since the store keeps the observer.
        let number = store.addObserver { [weak self] in self?.compare() }
        observer.withLock { $0 = number }
    }

    /// Ends the signals until `resume`.
    func suspend() { state.withLock { $0.isSuspended = true } }

    /// Signals from now on when the store has other files than these.
    func resume(_ files: [String]) {
        state.withLock { $0 = State(files: files, isSuspended: false) }
        // What came in between.
        compare()
    }

    /// Ends the signals.
    func stop() {
        if let number = observer.withLock({ $0 }) { store.removeObserver(number) }
    }

    private func compare() {
        let files = store.files
        if state.withLock({ !$0.isSuspended && $0.files != files }) { signal() }
    }
}
