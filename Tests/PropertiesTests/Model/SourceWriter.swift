import TestSupport
import FoundationEssentials
import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport

/// Creates the loader of a random source, with the keys of its tables in a random order.
struct SourceWriter {
    /// The random numbers for the order of the keys.
    var random: SplitMix
    /// The folder of the directories of directory sources.
    let folder: URL

    static let fieldNames = ["a", "b", "c", "aB", "ab"]

    private static let rules = PropertyPlaceholders(lookups: [
        "m": { argument in
            if argument == ModelPlaceholders.secretLookup.name {
                return .init(ModelPlaceholders.secretLookup.text, isSecret: true)
            }
            return .init(ModelPlaceholders.lookups[argument])
        }
    ])

    static func replacePlaceholders(in store: PropertyStore) { store.replacePlaceholders(rules) }

    mutating func loader(of source: ModelSource) -> any PropertyLoader {
        var source = source
        // The arguments in their order are the identity of the source.
        if source.kind != .arguments { source.entries = shuffled(source.entries) }
        let layered = Self.plainLoader(of: source, folder)
        guard let layered else { return Self.adjusted(own(source), source) }
        return Self.adjusted(layered, source)
    }

    // A custom loader sets its options in the layer that it returns.
    private func own(_ source: ModelSource) -> any PropertyLoader { OwnLoader(source: source, rules: Self.rules) }

    private static func plainLoader(of source: ModelSource, _ folder: URL) -> (any PropertyLoader)? {
        let name = source.sourceName
        switch source.kind {
        case .json:
            let loader = JsonPropertyLoader(string: JsonWriter.text(source.entries), name: name)
            return source.merge.map { loader.merge($0) } ?? loader
        case .toml:
            let loader = TomlPropertyLoader(string: TomlWriter.text(source.entries), name: name)
            return source.merge.map { loader.merge($0) } ?? loader
        case .dictionary:
            let dictionary = SwiftValues.dictionary(source.entries)
            // A dictionary of `Any`, such as one from Foundation, is not `Sendable`.
            return source.isNamed
                ? StructPropertyLoader(dictionary, name: name)
                : StructPropertyLoader(unchecked: dictionary as [String: Any])
        case .fields: return StructPropertyLoader(Fields(source.entries), name: source.isNamed ? name : nil)
        case .environment:
            return EnvironmentPropertyLoader(prefix: source.variablePrefix, environment: texts(source))
        case .dotEnv:
            let lines = source.entries.map { "\($0.key.text)='\(text($0))'\n" }
            return DotEnvPropertyLoader(string: lines.joined(), name: name)
        case .arguments:
            return CommandLinePropertyLoader(arguments: source.entries.map { "--\($0.key.text)=\(text($0))" })
        case .directory:
            return FilesLoader(url: folder.appending(path: name), files: texts(source))
        case .literal, .table, .failing: return nil
        }
    }

    private static func texts(_ source: ModelSource) -> [String: String] {
        Dictionary(uniqueKeysWithValues: source.entries.map { ($0.key.text, text($0)) })
    }

    private static func text(_ entry: ModelEntry) -> String {
        if case .text(let text) = entry.value { text } else { "" }
    }

    private static func adjusted(_ loader: any PropertyLoader, _ source: ModelSource) -> any PropertyLoader {
        var loader = loader
        if !(loader is OwnLoader) {
            let takesRule = source.kind == .json || source.kind == .toml
            if let rule = source.merge, !takesRule { loader = loader.merge(rule) }
            if source.isSecret { loader = loader.secret() }
            if source.replacesPlaceholders { loader = loader.replacingPlaceholders(rules) }
        }
        if let prefix = source.prefix { loader = loader.prefixed(prefix.text) }
        return loader
    }

    // A table with a repeated key stays as it is, because its order matters. Two variables can have the same key, too.
    private mutating func shuffled(_ entries: [ModelEntry]) -> [ModelEntry] {
        var inner = entries
        for index in inner.indices {
            if case .table(let table) = inner[index].value { inner[index].value = .table(shuffled(table)) }
        }
        let names = entries.map { $0.key.text.lowercased().replacing("__", with: ".") }
        guard Set(names).count == entries.count else { return inner }
        return inner.shuffled(using: &random)
    }
}

// MARK: - Loaders

/// A custom loader that returns a dictionary literal or a table.
private struct OwnLoader: PropertyLoader {
    struct Failure: Error {}

    let source: ModelSource
    let rules: PropertyPlaceholders

    func load() throws -> PropertyLayer {
        guard source.kind != .failing else { throw Failure() }
        let name = source.sourceName
        var layer =
            source.kind == .literal ? Literals.layer(source.entries) : PropertyLayer(Literals.table(source.entries))
        layer.source = source.isNamed ? PropertySource(name: name, identity: name) : PropertySource(name: name)
        layer.merge = source.rule
        layer.isSecret = source.isSecret
        if source.replacesPlaceholders { layer.placeholders = rules }
        return layer
    }
}

/// Creates a directory of files and loads it.
private struct FilesLoader: PropertyLoader {
    let url: URL
    let files: [String: String]

    func load() throws -> PropertyLayer {
        try? FileManager.default.removeItem(at: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: url.appending(path: name)) }
        return try DirectoryPropertyLoader(url: url).load()
    }
}

/// A loader whose contents can be replaced later.
final class ChangingLoader: PropertyLoader {
    private let current: Mutex<any PropertyLoader>

    init(_ loader: any PropertyLoader) { current = Mutex(loader) }

    func change(to loader: any PropertyLoader) { current.withLock { $0 = loader } }

    func load() throws -> PropertyLayer { try current.withLock(\.self).load().propertyLayer }
}
