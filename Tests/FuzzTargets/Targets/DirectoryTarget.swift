import Foundation
import PropertyLoaders

extension FuzzTarget {
    /// Each line of the input is a file: its name, `=` and its content.
    static let directory = FuzzTarget("directory") { bytes in
        var files: [String: [UInt8]] = [:]
        // Few files, since creating them takes most of the time.
        for line in bytes.split(separator: 0x0A).prefix(12) {
            let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: parts[0].filter { $0 != 0 && $0 != UInt8(ascii: "/") }, as: UTF8.self)
            guard !name.isEmpty, name.utf8.count < 256, name != ".", name != "..", name != "..data" else { continue }
            // A second line of the same name is not a second file. `~` in a content is a line break.
            files[name] = parts.count == 2 ? parts[1].map { $0 == UInt8(ascii: "~") ? 0x0A : $0 } : []
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, content) in files {
            guard FileManager.default.createFile(atPath: folder.path + "/" + name, contents: Data(content)) else {
                return
            }
        }
        let model = Result { try DirectoryModel.value(files.map { (Array($0.utf8), $1) }) }
        try compare(DirectoryPropertyLoader(url: folder), with: model, count: bytes.count)
    }
}

/// The properties of a directory of files.
private enum DirectoryModel {
    /// Returns the tree of the files. Throws `Invalid` if two names contradict each other.
    static func value(_ files: [(name: [UInt8], content: [UInt8])]) throws -> ModelValue {
        let dot = UInt8(ascii: ".")
        let shown = files.filter { $0.name.first != dot }.sorted { one, other in
            one.name.count == other.name.count
                ? one.name.lexicographicallyPrecedes(other.name) : one.name.count < other.name.count
        }
        var values: [(path: [[UInt8]], value: ModelValue)] = []
        for (name, content) in shown {
            var path = name.split(separator: dot, omittingEmptySubsequences: false).map { Array($0) }
            // A name below the name of a file is one key with dots.
            if values.contains(where: { path.starts(with: $0.path) }) { path = [name] }
            values.append((path, value(of: content)))
        }
        return try NameModel.tree(values)
    }

    private static func value(of content: [UInt8]) -> ModelValue {
        guard !content.contains(0), String(validating: content, as: UTF8.self) != nil else { return .data(content) }
        if content.suffix(2) == [0x0D, 0x0A] { return .string(Array(content.dropLast(2))) }
        return .string(content.last == 0x0A ? Array(content.dropLast()) : content)
    }
}
