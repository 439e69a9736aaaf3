import Dispatch

/// Runs the jobs of an actor on a queue of its own.
///
/// Reading a file may block, and tasks share a small pool of threads.
final class WatchExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "PropertyWatcher")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
