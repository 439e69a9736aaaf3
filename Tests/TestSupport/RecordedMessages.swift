import Foundation

/// The files `Messages/NAME.txt` of test targets. Every four lines are a document: what it shows, the text with the escapes
/// of a raw string, its message or its value, and an empty line.
///
/// To write the messages and values anew, run the tests with RECORD_MESSAGES=1 in the environment, and read the differences.
package enum RecordedMessages {
    /// Compares the messages of all documents in a file.
    ///
    /// - Parameters:
    ///   - name: the name of the file, without its extension.
    ///   - test: the path of a test, which is in a folder beside `Messages`.
    ///   - message: returns the message about a text or its value. Nil stands for the word "none".
    /// - Returns: the number of documents, and a description of each message or value that is not the recorded one.
    /// - Throws: an error if the file cannot be read or written.
    package static func compare(
        _ name: String, of test: String = #filePath, _ message: (String) -> String?
    ) throws -> (count: Int, differences: [String]) {
        let folder = URL(filePath: test).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "Messages/\(name).txt")
        var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let rows = stride(from: 0, to: lines.count - 2, by: 4)
        var differences: [String] = []
        for row in rows {
            let found = message(unescaped(lines[row + 1])) ?? "none"
            if !found.utf8.elementsEqual(lines[row + 2].utf8) { differences.append("\(lines[row]): \(found)") }
            lines[row + 2] = found
        }
        if ProcessInfo.processInfo.environment["RECORD_MESSAGES"] != nil {
            try Data(lines.joined(separator: "\n").utf8).write(to: file)
        }
        return (rows.underestimatedCount, differences)
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("\\#n", with: "\n").replacing("\\#r", with: "\r").replacing("\\#t", with: "\t")
            .replacing(/\\#u\{(\w+)\}/) { match in
                UInt32(match.1, radix: 16).flatMap { Unicode.Scalar($0) }.map { String($0) } ?? ""
            }
    }
}
