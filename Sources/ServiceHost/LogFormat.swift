import Properties
import PropertyLoadersEssentials
import SharedState

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How `Container.run` writes its lines to the standard streams.
///
///     await container.run(sources, logFormat: .chosen(variable: "APP_LOG_FORMAT", option: "log-format")) { … }
public struct LogFormat: Sendable {
    /// The form of a line.
    public enum Style: String, Sendable, CaseIterable {
        /// The text.
        case text
        /// The time in UTC, the level and the text.
        case detailed
        /// The event as a JSON object, as in ``ServiceEvent/json``.
        case json
    }

    /// The style if the user chooses none.
    let style: Style
    /// The variable and the option by which the user chooses a style. Neither is a property.
    let variable: String?, option: String?

    /// Lines of a style that the user of the service cannot change.
    public static func style(_ style: Style) -> LogFormat { LogFormat(style: style, variable: nil, option: nil) }

    /// Lines of a style that the user of the service chooses: `APP_LOG_FORMAT=json`, or `--log-format=json`.
    ///
    /// - Parameters:
    ///   - variable: the variable, which is not a property, or nil. An empty one chooses nothing.
    ///   - option: the name of the option without dashes, which is not a property, or nil. It overrides the variable.
    ///   - style: the style if the user chooses none.
    /// - Returns: the format.
    public static func chosen(
        variable: String? = nil, option: String? = nil, default style: Style = .text
    ) -> LogFormat {
        LogFormat(style: style, variable: variable, option: option)
    }

    /// Returns the style that the user has chosen.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name. Those after `--` are not options.
    ///   - environment: returns the value of a variable, or nil.
    /// - Returns: the style.
    /// - Throws: a `UsageError` if the option has no style, or a `Mistake` if the variable has none.
    func style(_ arguments: [String], _ environment: (String) -> String?) throws -> Style {
        if let option, let value = Self.value(of: option, in: arguments) {
            guard let style = Style(rawValue: value) else {
                throw UsageError("command line --\(option): this is not a format of lines; expected \(Self.styles).")
            }
            return style
        }
        guard let variable, let value = environment(variable), !value.isEmpty else { return style }
        guard let style = Style(rawValue: value) else {
            throw Mistake(text: "environment \(variable): this is not a format of lines; expected \(Self.styles).")
        }
        return style
    }

    /// A wrong value of the variable. It is a problem of the configuration.
    struct Mistake: Error {
        static let status: Int32 = 78
        let text: String
    }

    private static var styles: String {
        let all = Style.allCases.map(\.rawValue)
        return all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
    }

    /// The last value of an option, or nil if it is not there. An option without a value has an empty one.
    private static func value(of option: String, in arguments: [String]) -> String? {
        let all = Array(arguments.prefix { $0 != "--" })
        guard let index = all.lastIndex(where: { $0 == "--\(option)" || $0.hasPrefix("--\(option)=") }) else {
            return nil
        }
        if all[index] != "--\(option)" { return String(all[index].dropFirst(option.count + 3)) }
        return all.indices.contains(index + 1) ? all[index + 1] : ""
    }

    /// The line of `--help` about the option, or nil.
    var help: String? {
        guard let option else { return nil }
        let label = "  --\(option) <\(Style.allCases.map(\.rawValue).joined(separator: "|"))>"
        let environment = variable.map { " [env: \($0)]" } ?? ""
        let text = "How lines are written. (default: \(style.rawValue))\(environment)"
        return "\(label)\n\(String(repeating: " ", count: 26))\(text)\n"
    }
}

extension LogFormat.Style {
    /// Returns the line of an event.
    func line(of event: ServiceEvent) -> String {
        switch self {
        case .json: event.json
        case .detailed where event.kind != .dump: "\(beginning(event.time, event.level))\(event.text)"
        case .text, .detailed: ServiceLog.text(of: event)
        }
    }

    /// Writes a line to a stream. If lines were lost before, the standard error stream gets their number.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - stream: the stream.
    ///   - count: the number of lines that are lost if the line cannot be written.
    func write(_ line: String, to stream: LineStream, for count: Int = 1) {
        if stream === LineStream.errors {
            stream.write(line, for: count, report: report(of:))
        } else if stream.write(line, for: count) {
            reportLoss(of: stream)
        }
    }

    /// Writes what a full disk has held back, if it can be written now.
    func finish(_ stream: LineStream) {
        if stream === LineStream.errors { return stream.finish(report: report(of:)) }
        stream.finish()
        reportLoss(of: stream)
    }

    private func reportLoss(of stream: LineStream) {
        guard let loss = stream.takeLoss() else { return }
        LineStream.errors.write(report(of: loss), for: loss.count, report: report(of:))
    }

    private func report(of loss: LineStream.Loss) -> String {
        line(of: .dropped(loss.count, because: loss.cause))
    }

    /// The beginning of a line in this style: nothing, or a time and a level.
    func beginning(_ time: Date, _ level: ServiceEvent.Level) -> String {
        if self != .detailed { return "" }
        return "\(time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))) \(level.rawValue) "
    }
}

extension ServiceEvent {
    /// Writes the event as `Container.run` does without a `log` function: a changed property to the standard output, and
    /// everything else to the standard error stream. It waits while nobody reads the stream.
    ///
    ///     await container.run(sources, log: { event in
    ///         counter.increment(event.kind)
    ///         event.write()
    ///     }) { … }
    ///
    /// Lines that cannot be written, such as to a full disk, are lost. A line says how many when it is written again.
    ///
    /// - Parameter style: the form of the line.
    public func write(as style: LogFormat.Style = .text) {
        style.write(style.line(of: self), to: kind == .changed ? .output : .errors)
    }
}
