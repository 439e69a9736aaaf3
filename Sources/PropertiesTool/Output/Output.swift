import Foundation
import PropertyLoaders

/// Where the tool's words go.
enum Output {
    /// Prints a line on standard output.
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    /// Prints a line on standard error.
    static func error(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Warns of tables over plain values, and the reverse: what the sources say of themselves is shown as they are loaded.
    static func kindChanges(of store: PropertyStore) {
        for warning in store.warnings where warning.reason == .kindChange { error(warning.report(as: "warning")) }
    }
}
