import Dispatch
import Properties
package import SharedState

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The log of a service. It never blocks the caller: each stream has a queue and a thread of its own, and so has the
/// function of the service.
struct ServiceLog: Sendable {
    /// The function of the service, or nil for the standard streams.
    private let write: (@Sendable (ServiceEvent) -> Void)?
    /// The form of the lines of the standard streams.
    private let style: LogFormat.Style
    private let output: LogQueue
    /// For the function of the service, this is the same queue as `output`.
    private let errors: LogQueue
    /// Gets the events that are its status, or nil.
    private var manager: ProcessManager?

    /// How long the end of the process waits for lines that cannot be written, because nobody reads them.
    static let longestWait = Duration.seconds(1)

    init(write: (@Sendable (ServiceEvent) -> Void)?, as style: LogFormat.Style = .text) {
        (self.write, self.style) = (write, style)
        errors = LogQueue("ServiceHost.log") { count in
            let event = ServiceEvent.dropped(count, because: "nobody has read it")
            if let write { write(event) } else { style.write(style.line(of: event), to: .errors, for: count) }
        }
        // A dropped line is reported where an operator looks for problems.
        output = write == nil ? LogQueue("ServiceHost.output") { [errors] in errors.addDropped($0) } : errors
    }

    /// The same log, whose events are also the status of the service for a process manager.
    func reporting(to manager: ProcessManager) -> ServiceLog {
        var log = self
        log.manager = manager
        return log
    }

    /// The text of an event for a standard stream.
    static func text(of event: ServiceEvent) -> String {
        event.kind == .warning ? "warning: \(event.text)" : event.text
    }

    /// Writes an event. The standard output has the changes, and the standard error stream everything else.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - isKept: whether it may not be dropped.
    ///   - isStatus: whether it may be the status of the service for a process manager.
    func add(_ event: ServiceEvent, isKept: Bool = false, isStatus: Bool = true) {
        if isStatus { manager?.report(event) }
        if let write {
            return errors.add(LogQueue.Line(event.level, size: event.size, isKept: isKept) { write(event) })
        }
        add(style.line(of: event), event.level, isKept: isKept, to: event.kind == .changed ? .output : .errors)
    }

    /// Writes a text to a standard stream.
    private func add(
        _ text: String, _ level: ServiceEvent.Level, isKept: Bool, to stream: LineStream = .errors
    ) {
        let line = LogQueue.Line(level, size: text.utf8.count, isKept: isKept) { [style] in
            style.write(text, to: stream)
        }
        (stream === LineStream.output ? output : errors).add(line)
    }

    /// Writes a report: as one event for each problem if the service has a `log` function or writes JSON, otherwise as a
    /// table, or with the prefix in front of each line. If `isKept` is true, no part of it may be dropped.
    func add(_ line: ServiceLine, _ report: ConfigurationErrors, prefix: String = "", isKept: Bool = false) {
        let (problems, notes) = report.shown
        for problem in problems.prefix(1) { manager?.report(ServiceEvent(line, prefix, problem)) }
        if write == nil, style != .json {
            let lines = prefix.isEmpty ? ["\(report)"] : problems.map { "\($0)" } + notes
            let text = lines.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false)
            let beginning = style.beginning(.now, line.level)
            return add(text.map { beginning + prefix + $0 }.joined(separator: "\n"), line.level, isKept: isKept)
        }
        for problem in problems { add(ServiceEvent(line, prefix, problem), isKept: isKept, isStatus: false) }
        for note in notes { add(line.event(text: prefix + note), isKept: isKept, isStatus: false) }
    }

    // MARK: The end

    /// Waits until everything is written that was added before, but not longer than a second.
    func drain() async {
        let deadline = Deadline(after: Self.longestWait)
        // The thread of the output may add the number of its dropped lines to the errors.
        for (queue, stream) in [(output, LineStream.output), (errors, .errors)] {
            if write == nil { queue.add(LogQueue.Line(.error, size: 0, isKept: true) { style.finish(stream) }) }
            _ = await queue.mark().value(before: deadline)
        }
        _ = await manager?.sent?.value(before: deadline)
        deadline.cancel()
    }

    /// Blocks the thread until everything is written that was added before, but not longer than a second.
    func waitUntilWritten() { block(for: Self.longestWait) }

    @discardableResult
    private func block(for time: Duration) -> Bool {
        let deadline = Deadline(after: time), written = errors.mark()
        deadline.whenReached { written.wake() }
        defer { deadline.cancel() }
        return written.block(until: { deadline.isReached }) != nil
    }

    /// Writes the last event of a process that is about to be ended, and waits for it, but not longer than a time. If the
    /// function of the service hangs, the standard error stream gets the text, unless it would block, too.
    func addLast(_ event: ServiceEvent, waiting time: Duration) {
        add(event, isKept: true)
        if !block(for: time), write != nil { LineStream.errors.tryWrite(Self.text(of: event)) }
    }
}

extension ServiceEvent {
    /// Returns the event for lines that are missing in the log.
    static func dropped(_ count: Int, because cause: String) -> ServiceEvent {
        ServiceLine.dropped.event(count == 1 ? "1 line" : "\(count) lines", cause)
    }

    /// The approximate size in memory.
    fileprivate var size: Int { fields.reduce(text.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count } }
}

/// The lines that wait for one stream, and the thread that writes them.
///
/// A stream that nobody reads blocks only this thread. The queue is bounded. A line that does not fit is dropped, or a
/// less urgent line in its place, and the number of dropped lines is written where they are missing.
package final class LogQueue: Sendable {
    /// A line that waits.
    package struct Line: Sendable {
        let level: ServiceEvent.Level
        /// The size in bytes.
        let size: Int
        /// Whether the line is never dropped.
        let isKept: Bool
        /// Writes the line, and may block.
        let write: @Sendable () -> Void
        /// The number of lines that were dropped here, for a line that reports it.
        fileprivate var dropped = 0

        package init(_ level: ServiceEvent.Level, size: Int, isKept: Bool, write: @escaping @Sendable () -> Void) {
            (self.level, self.size, self.isKept, self.write) = (level, size, isKept, write)
        }
    }

    /// The maximum number of lines that wait.
    package static let maximumCount = 1000
    /// The maximum number of their bytes.
    package static let maximumSize = 1_000_000

    private let thread: DispatchQueue
    private let reportDropped: @Sendable (Int) -> Void
    private let state = Guarded(State())

    fileprivate struct State {
        var lines: [Line] = []
        /// The number and the size of the lines that may be dropped.
        var count = 0, size = 0
        var isWriting = false
    }

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - label: the name of the thread, for debuggers.
    ///   - reportDropped: writes that a number of lines was dropped.
    package init(_ label: String, reportDropped: @escaping @Sendable (Int) -> Void) {
        thread = DispatchQueue(label: label)
        self.reportDropped = reportDropped
    }

    package func add(_ line: Line) { change { $0.add(line) } }

    /// Adds the report that a number of lines was dropped.
    func addDropped(_ count: Int) { change { $0.drop(count) } }

    /// Returns a signal that is sent when everything is written that was added before.
    package func mark() -> Signal<Void> {
        let signal = Signal<Void>()
        add(Line(.error, size: 0, isKept: true) { signal.send(()) })
        return signal
    }

    private func change(_ add: (inout State) -> Void) {
        let begins = state.withLock { state in
            add(&state)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { thread.async { self.writeAll() } }
    }

    private func writeAll() {
        while let line = state.withLock({ $0.next() }) {
            if line.dropped > 0 { reportDropped(line.dropped) } else { line.write() }
        }
    }
}

extension LogQueue.State {
    fileprivate mutating func add(_ line: LogQueue.Line) {
        while !line.isKept, !fits(line) {
            guard line.size <= LogQueue.maximumSize, let index = leastUrgent(below: line.level) else { return drop(1) }
            discount(lines.remove(at: index))
            drop(1)
        }
        lines.append(line)
        if !line.isKept { (count, size) = (count + 1, size + line.size) }
    }

    private func fits(_ line: LogQueue.Line) -> Bool {
        count == 0 || count < LogQueue.maximumCount && size + line.size <= LogQueue.maximumSize
    }

    private mutating func discount(_ line: LogQueue.Line) {
        if !line.isKept { (count, size) = (count - 1, size - line.size) }
    }

    /// The index of the latest of the least urgent lines, or nil if no line is less urgent than the level.
    private func leastUrgent(below level: ServiceEvent.Level) -> Int? {
        let all = lines.indices.filter { !lines[$0].isKept && lines[$0].level.urgency < level.urgency }
        return all.reversed().min { lines[$0].level.urgency < lines[$1].level.urgency }
    }

    /// Counts dropped lines in the last report that waits, or in a new one.
    fileprivate mutating func drop(_ count: Int) {
        if let index = lines.lastIndex(where: { $0.dropped > 0 }) { return lines[index].dropped += count }
        var report = LogQueue.Line(.error, size: 0, isKept: true) {}
        report.dropped = count
        lines.append(report)
    }

    /// Removes the first line and returns it, or nil at the end of the queue.
    fileprivate mutating func next() -> LogQueue.Line? {
        isWriting = !lines.isEmpty
        guard isWriting else { return nil }
        discount(lines[0])
        return lines.removeFirst()
    }
}

extension ServiceEvent.Level {
    fileprivate var urgency: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }
}
