import Foundation
import PropertyLoaders

/// Where the tool's words go.
enum Output {
    /// Prints a line on standard output. Where that cannot be written the tool ends: nobody gets its words.
    static func line(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
        } catch {
            Self.error("properties: standard output cannot be written")
            exit(Tool.Status.badInput)
        }
    }

    /// Prints what a script reads: as it is to a file or a pipe, control characters escaped on a terminal.
    static func value(_ text: String) { line(isatty(STDOUT_FILENO) == 1 ? PrintableText.escaped(text) : text) }

    /// Prints an error on standard error.
    ///
    /// - Parameter source: the file that it is about, where the error itself may not name it.
    static func failure(_ failure: any Error, in source: String? = nil) {
        if let failure = failure as? PropertyLoadError { return error(failure.longDescription) }
        let place = source.map { PrintableText.escaped($0) + ": " } ?? ""
        error("\(place)error: \(PrintableText.escapedLines("\(failure)"))")
    }

    /// Prints a line on standard error, if somebody takes it.
    static func error(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// How many properties a store has, in words.
    static func count(of store: PropertyStore) -> String {
        let count = store.entries.count
        return count == 1 ? "1 property" : "\(count) properties"
    }

    /// Warns of tables over plain values, and the reverse: what the sources say of themselves is shown as they are loaded.
    static func kindChanges(of store: PropertyStore) {
        for warning in store.warnings where warning.reason == .kindChange { error(warning.report(as: "warning")) }
    }
}
