import Foundation
import PropertyLoaders

/// The exit statuses of the tool.
enum ExitStatus {
    static let success: Int32 = 0
    /// A file or a value is invalid, or a property does not exist.
    static let badInput: Int32 = 1
    /// The command line is invalid.
    static let badUsage: Int32 = 2
}

/// The standard output and standard error of the tool.
enum Output {
    /// Whether the standard output is a terminal, and not a file or a pipe.
    private static let isTerminal = isatty(STDOUT_FILENO) == 1

    /// Prints a line on standard output, and exits if that fails, since the output then has no reader.
    static func line(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
        } catch {
            Self.error("properties: standard output cannot be written")
            exit(ExitStatus.badInput)
        }
    }

    /// Prints a value. Control characters are escaped on a terminal only, so that scripts get the value unchanged.
    static func value(_ text: String) { line(isTerminal ? PrintableText.controlsEscaped(text) : text) }

    /// Prints a node as JSON: on a terminal one element per line, and otherwise on one line.
    static func json(_ node: PropertyNode) {
        line(JsonText.text(node, layout: isTerminal ? .lines : .line, isMasked: nil))
    }

    /// Prints an error, or each of several errors, on standard error.
    static func failure(_ failure: any Error) {
        for finding in Finding.findings(of: failure) { error(finding.report) }
    }

    /// Prints a message on standard error. A failure to do so is ignored.
    static func error(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// A number of properties, as in `1 property`.
    static func count(_ count: Int) -> String { count == 1 ? "1 property" : "\(count) properties" }
}
