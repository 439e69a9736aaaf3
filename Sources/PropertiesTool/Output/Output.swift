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
    static func value(_ text: String) { line(isatty(STDOUT_FILENO) == 1 ? PrintableText.escaped(text) : text) }

    /// Prints an error on standard error.
    ///
    /// - Parameters:
    ///   - failure: the error.
    ///   - source: the file that the error is about. Not used for a `PropertyLoadError`, which names the file itself.
    static func failure(_ failure: any Error, in source: String? = nil) {
        if let failure = failure as? PropertyLoadError { return error(failure.longDescription) }
        let place = source.map { PrintableText.escaped($0) + ": " } ?? ""
        error("\(place)error: \(PrintableText.escapedLines("\(failure)"))")
    }

    /// Prints a line on standard error. A failure to do so is ignored.
    static func error(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// The number of properties in a store, as in `1 property`.
    static func count(of store: PropertyStore) -> String {
        let count = store.entries.count
        return count == 1 ? "1 property" : "\(count) properties"
    }

    /// Prints the warnings about tables that override plain values, and plain values that override tables.
    /// `ReportingLoader` prints all other warnings.
    static func kindChanges(of store: PropertyStore) {
        for warning in store.warnings where warning.reason == .kindChange { error(warning.report(as: "warning")) }
    }
}
