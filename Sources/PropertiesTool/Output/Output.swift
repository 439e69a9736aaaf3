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
