/// A line that a running service can write: its text, and its meaning for an operator.
///
/// Every event is made from a line, and the article on the lines is made from `all`.
package struct ServiceLine: Sendable {
    package let kind: ServiceEvent.Kind
    package let level: ServiceEvent.Level
    /// The text. The parts that vary are in angle brackets, and the parts that may be missing in square brackets.
    package let pattern: String
    /// When it is written, and the remedy, as sentences.
    package let meaning: String

    private init(
        _ kind: ServiceEvent.Kind, _ level: ServiceEvent.Level, _ pattern: String, _ meaning: String
    ) {
        (self.kind, self.level, self.pattern, self.meaning) = (kind, level, pattern, meaning)
    }

    /// Returns the event with values for the angle brackets, in order. A nil leaves out the square brackets around it.
    func event(_ values: String?..., level: ServiceEvent.Level? = nil, fields: [String: String] = [:]) -> ServiceEvent {
        event(text: text(values), level: level, fields: fields)
    }

    /// Returns the event with a text that the properties or the container have made.
    func event(
        text: String, level: ServiceEvent.Level? = nil, fields: [String: String] = [:]
    ) -> ServiceEvent { ServiceEvent(self, level, text, fields) }

    private func text(_ values: [String?]) -> String {
        var values = values[...]
        let segments = pattern.split(omittingEmptySubsequences: false) { $0 == "[" || $0 == "]" }
        return segments.map { segment in
            var isComplete = true
            let parts = segment.split(omittingEmptySubsequences: false) { $0 == "<" || $0 == ">" }
            let texts = parts.enumerated().map { index, part in
                if index % 2 == 0 { return String(part) }
                let value = values.popFirst() ?? nil
                isComplete = isComplete && value != nil
                return value ?? ""
            }
            return isComplete ? texts.joined() : ""
        }.joined()
    }
}

// MARK: - The lines

extension ServiceLine {
    static let invalid = ServiceLine(
        .invalid, .error, "[<place>: ]<problem>",
        "The service cannot start, or has ended, because of this problem. Correct what the line reports. Several problems "
            + "are a table.")
    static let wrongWord = ServiceLine(
        .invalid, .error, "Argument 1 is not a command[. Did you mean '<command>'?][; --help lists the commands.]",
        "The command line has a word that is neither a command nor the value of an option.")
    static let loading = ServiceLine(
        .starting, .warning, "still starting: loading the sources <time>",
        "The start takes long, because a source does not answer.")
    static let starting = ServiceLine(
        .starting, .warning, "still starting: <service> <time>[, waiting for <services>]",
        "The start takes long. Look at the service that waits for no other service.")
    static let started = ServiceLine(
        .started, .info, "started in <time>[: <how many services>][; slowest: <services>]",
        "The start has succeeded. If it took long, the line has the slowest services.")
    static let startLate = ServiceLine(
        .late, .error, "the service did not start within <time>[; still open: <what it waits for>]",
        "The start used up its time. What it has built is closed, and the process ends with 69.")
    static let warning = ServiceLine(
        .warning, .warning, "<place>: <problem>",
        "A source or a registration probably has a mistake, and the service works with it. The line begins with "
            + "`warning: ` on the standard error stream.")
    static let warningOver = ServiceLine(
        .recovered, .info, "<place>: the warning is over: <problem>",
        "A reload has not found any more what a warning was about.")
    static let changed = ServiceLine(
        .changed, .info, "<setting>: <value>[ (<place>)] → <value>[ (<place>)]",
        "A setting has another value in force. The place of a default is `default`, and `none` means that there is no "
            + "value.")
    static let pending = ServiceLine(
        .pending, .warning, "<setting> stays <value> until a restart; <place> says <value>",
        "Restart the service when it is convenient.")
    static let notPending = ServiceLine(
        .recovered, .info, "<setting> needs no restart any more; its value is <value>",
        "The sources have the value again that the service was started with.")
    static let reloaded = ServiceLine(
        .reloaded, .info,
        "reloaded: <how many properties> changed[; <how many settings> for a restart][; not asked: <source and problem>]",
        "The answer to SIGHUP. A source that could not be asked keeps its last values; then the level is `warning`.")
    static let refused = ServiceLine(
        .refused, .error, "not reloaded: [<place>: ]<problem>",
        "The new settings have a problem, or a source cannot be read. The service goes on with the last good settings. "
            + "Correct what the line reports; no restart is needed. A last line names what other sources have changed, "
            + "such as a rotated secret: that waits, too.")
    static let noHangup = ServiceLine(
        .refused, .warning, "not reloaded: the service does not reload its settings at SIGHUP",
        "Restart the service to give it other settings.")
    static let stoppingHangup = ServiceLine(
        .refused, .warning, "not reloaded: the service is stopping", "SIGHUP came too late.")
    static let valid = ServiceLine(
        .recovered, .info, "reloaded: the settings are valid again", "The problem of `not reloaded` is over.")
    static let sourceBack = ServiceLine(
        .recovered, .info, "<source> can be read again, after <time>",
        "The problem of `not reloaded` with a source is over.")
    static let dump = ServiceLine(
        .dump, .info, "{<the name of a part>: <a JSON value>}",
        "An answer to the signal that asks for it: the status, the values in force, and the outdated services, each on one line. "
            + "Secrets are masked, and so are values whose names are usual for secrets.")
    static let failed = ServiceLine(
        .failed, .error, "<service>: <problem>",
        "A service was not built, replaced or closed. After a replacement that failed, the former instance stays, and the "
            + "line has the changed settings and the time of the next try. SIGHUP tries at once.")
    static let stillReplacing = ServiceLine(
        .replacing, .warning, "still replacing <service> <time>",
        "The settings of the service have changed, and its new instance takes long. The former one stays until then.")
    static let replaced = ServiceLine(
        .replaced, .info,
        "<service> was replaced in <time>[: <settings>][; its factory has returned <the same object>]",
        "The settings of the service have changed, and everybody gets its new instance. The former one is closed after "
            + "the drain time, unless it is the same object.")
    static let stillClosing = ServiceLine(
        .closing, .warning, "still closing the former <service> <time>",
        "The former instance takes long to close, and may use a former password. At its limit, it is reported as a "
            + "service that was not closed, and nothing waits for it any more.")
    static let formerClosed = ServiceLine(
        .closed, .info, "the former <service> is closed[, after <time>]",
        "Nothing of this process uses the former settings of the service any more.")
    static let upToDate = ServiceLine(
        .recovered, .info, "<service> is up to date again, after <time>",
        "The problem of its replacement is over, which an earlier line reported.")
    static let ended = ServiceLine(
        .ended, .error, "the service threw <type>: <error>", "The service itself has ended. The process ends with 69.")
    static let endedByItself = ServiceLine(
        .ended, .info, "the service ended by itself",
        "Its task has returned without a signal. The process ends with 0, and a process manager that restarts only after "
            + "failures does not start it again.")
    static let stopping = ServiceLine(
        .stopping, .info,
        "stopping: <signal>[, serving on for <time>]; another signal after a second ends the process at once",
        "A signal has asked the process to stop. A second signal within a second is ignored, since it often belongs to "
            + "the same stop.")
    static let stillStopping = ServiceLine(
        .stopping, .warning, "still stopping: <what delays it> <time>",
        "The end takes long, because of the service itself, such as its requests in flight, or of the construction or the "
            + "closing that the line names.")
    static let bodyLate = ServiceLine(
        .late, .error, "the service did not end within <time> of its cancellation",
        "The service itself used up its time to end. What it has built is closed, and the process ends with 70.")
    static let partsLate = ServiceLine(
        .late, .error, "<how many parts> of the service did not end: <names>", "The process ends with 70.")
    static let processLate = ServiceLine(
        .late, .error, "the process did not end within <time> of <the signal>",
        "Its tasks block all their threads, or its log cannot be written. The process is ended, with 70, or with 69 after "
            + "the deadline of its start.")
    static let secondSignal = ServiceLine(
        .late, .error, "ended by another signal: <signal>[; still open: <what delays the end>]",
        "Nothing else is closed, and the process ends with 128 + the number of the signal.")
    static let dropped = ServiceLine(
        .dropped, .error, "<how many lines> of the log dropped: <cause>",
        "Nobody has read the log for a while, and the lines did not fit into memory. Or they could not be written, for "
            + "example because the disk was full.")

    /// All lines, in the order of a service's life.
    package static let all = [
        invalid, wrongWord, loading, starting, started, startLate, warning, warningOver, changed, pending,
        notPending, reloaded, refused, noHangup, stoppingHangup, valid, sourceBack, stillReplacing, replaced,
        stillClosing, formerClosed, dump, failed, upToDate, ended, endedByItself, stopping, stillStopping, bodyLate,
        partsLate, processLate, secondSignal, dropped,
    ]

    /// The lines with their levels and meanings, as the article on operations shows them.
    package static var reference: String {
        all.map { line in
            let meaning = "\(line.level): \(line.meaning)".split(separator: " ").reduce(into: [""]) { rows, word in
                if rows[rows.count - 1].count + word.count > 90 { rows.append("") }
                rows[rows.count - 1] += rows[rows.count - 1].isEmpty ? String(word) : " \(word)"
            }
            return ([line.pattern] + meaning.map { "    \($0)" }).joined(separator: "\n")
        }
        .joined(separator: "\n\n")
    }
}
