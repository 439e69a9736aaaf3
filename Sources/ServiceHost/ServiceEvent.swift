import Container
import Properties

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A line that a running service writes to its log.
///
/// `Container.run` passes each of them to its parameter `log`.
public struct ServiceEvent: Sendable {
    /// A kind of event. Later versions may add kinds, so a `switch` needs a `default`.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind in one word.
        public let description: String
        private init(_ description: String) { self.description = description }

        /// A property has another value.
        public static let changed = Kind("changed")
        /// A setting has another value after a restart.
        public static let pending = Kind("pending")
        /// A reload that SIGHUP has asked for was published.
        public static let reloaded = Kind("reloaded")
        /// A reload was refused, and the properties stay as they are.
        public static let refused = Kind("refused")
        /// A source or a registration probably has a mistake, but the service does not need to be stopped.
        public static let warning = Kind("warning")
        /// The start takes long. The text has a service under construction, or the loading of the sources.
        public static let starting = Kind("starting")
        /// The start has succeeded. If it took long, the text has the slowest services.
        public static let started = Kind("started")
        /// A new instance of a following service takes long.
        public static let replacing = Kind("replacing")
        /// A new instance of a following service has replaced the former one.
        public static let replaced = Kind("replaced")
        /// A replaced instance takes long to close.
        public static let closing = Kind("closing")
        /// A replaced instance is closed.
        public static let closed = Kind("closed")
        /// A reported problem is over: a refused reload, a warning, a source that could not be read, a setting that waited for a
        /// restart, or a following service that could not be replaced.
        public static let recovered = Kind("recovered")
        /// A signal has asked the process to stop, or the end takes long.
        public static let stopping = Kind("stopping")
        /// The service could not be started.
        public static let invalid = Kind("invalid")
        /// A service failed after the start: it was not built, replaced or closed.
        public static let failed = Kind("failed")
        /// The body has thrown an error, or has returned without a signal.
        public static let ended = Kind("ended")
        /// A part of the service did not end in its time, or a second signal has ended the process.
        public static let late = Kind("late")
        /// A part of the state of the process, after a signal that asks for it. The text is a JSON object.
        public static let dump = Kind("dump")
        /// Lines were dropped, because nobody has read the log, or because they could not be written.
        public static let dropped = Kind("dropped")
    }

    /// How urgent an event is. The raw values are the names of the levels in swift-log.
    public enum Level: String, Sendable {
        case info, warning, error
    }

    /// The time of the event.
    public let time: Date
    /// The kind of event.
    public let kind: Kind
    /// How urgent it is.
    public let level: Level
    /// The event as one line, with secrets masked.
    public let text: String
    /// The parts of the text, with secrets masked. All events have `event`, their kind. Some events have `key`, `old`,
    /// `new`, `file`, `line`, `column`, `service`, or `source`, which is the place of a value that is not in the text
    /// of a file. A replacement has `changed`, the names of the settings. If it has failed, it also has `cause`, and
    /// `nextTry`, the seconds until it is tried again. `instance` is `former` in events about replaced instances.
    public let fields: [String: String]
    /// The name and the JSON of a part of the state, in an event of `ServiceDump`. Nil for other events.
    private var part: (name: String, json: String)?

    /// Creates an event. Each is made from a line, so that the article lists all of them.
    init(_ line: ServiceLine, _ level: Level?, _ text: String, _ fields: [String: String]) {
        (kind, self.level, self.text) = (line.kind, level ?? line.level, PrintableText.escaped(text))
        time = .now
        self.fields = fields.merging(["event": line.kind.description]) { $1 }
    }

    /// Creates an event with a part of the state, for `ServiceDump`.
    ///
    /// - Parameters:
    ///   - name: the name of the part.
    ///   - json: its value as JSON on one line, with secrets masked.
    init(part name: String, _ json: String) {
        let line = ServiceLine.dump
        (kind, level, text, time) = (line.kind, line.level, "{\"\(name)\": \(json)}", .now)
        (fields, part) = (["event": line.kind.description], (name, json))
    }

    /// The event as a JSON object on one line: the time in UTC, the level, the text and the fields.
    public var json: String {
        let fields = fields.sorted { $0.key < $1.key }.map { ($0.key, PropertyValue.string($0.value)) }
        let time = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let table = [
            ("time", PropertyValue.string(time)), ("level", .string(level.rawValue)),
            ("text", .string(part?.name ?? text)),
        ]
        let object = JsonText.text(PropertyNode(.table(PropertyTable(table + fields))))
        return part.map { "\(object.dropLast()), \"\($0.name)\": \($0.json)}" } ?? object
    }
}

extension ServiceEvent: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}

// MARK: - Events of the properties

extension ServiceEvent {
    /// The change of a property.
    init(_ change: PropertyChange<PropertyEntry>) {
        var fields = Self.fields(of: change.origin)
        fields["key"] = change.name
        if let old = change.old { fields["old"] = change.text(of: old) }
        if let new = change.new { fields["new"] = change.text(of: new) }
        self = ServiceLine.changed.event(text: "\(change)", fields: fields)
    }

    /// A setting that waits for a restart.
    init(_ pending: PendingRestart) {
        var fields = Self.fields(of: pending.next.node.origin)
        fields["key"] = pending.name
        fields["old"] = pending.current.text(besides: pending.next)
        fields["new"] = pending.next.text(besides: pending.current)
        self = ServiceLine.pending.event(text: "\(pending)", fields: fields)
    }

    /// A warning about a value that was read as nil because it is wrong.
    init(wrong error: PropertyError) {
        var fields = Self.fields(of: error.origin)
        fields["key"] = error.name
        self = ServiceLine.warning.event(text: error.textOfRead, fields: fields)
    }

    /// A warning about a source.
    init(_ warning: PropertyLoadError) {
        self = ServiceLine.warning.event(text: "\(warning)", fields: Self.fields(of: warning.origin))
    }

    /// The error of a service.
    init(_ error: ResolutionError) {
        // The services work, but not with the registration that is later or in the child.
        let isWarning = [.unseenOverride, .registeredLate].contains(error.reason)
        let line = isWarning ? ServiceLine.warning : .failed
        var fields = ["service": error.path.joined(separator: " → ")]
        if error.isFormer { fields["instance"] = "former" }
        if let failure = error.failedTry {
            fields["cause"] = error.cause.map { PrintableText.escaped("\($0)") }
            let names = BoundedList(failure.changes.map(\.name), limit: ListLimit.names)
            if !names.elements.isEmpty { fields["changed"] = names.text }
            fields["nextTry"] = failure.nextTry.map { "\($0 / .seconds(1))" }
        }
        self = line.event(text: "\(error)", fields: fields)
    }

    /// One of the problems of a report. Its text begins with the prefix.
    init(_ line: ServiceLine, _ prefix: String, _ problem: ConfigurationErrors.Problem) {
        let (error, text) = (problem.error, "\(prefix)\(problem)")
        switch error {
        case let error as PropertyError:
            var fields = Self.fields(of: error.cause?.origin ?? error.origin)
            if !error.name.isEmpty { fields["key"] = error.name }
            self = line.event(text: text, fields: fields)
        case let error as PropertyLoadError: self = line.event(text: text, fields: Self.fields(of: error.origin))
        case let error as ResolutionError:
            self = line.event(text: text, fields: ["service": error.path.joined(separator: " → ")])
        default: self = line.event(text: text, fields: problem.place.isEmpty ? [:] : ["source": problem.place])
        }
    }

    private static func fields(of origin: PropertyOrigin?) -> [String: String] {
        guard let origin else { return [:] }
        guard let line = origin.line, let column = origin.column else { return ["source": "\(origin)"] }
        return ["file": "\(origin.source)", "line": "\(line)", "column": "\(column)"]
    }
}
