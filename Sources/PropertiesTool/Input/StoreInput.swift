import Foundation
import PropertyLoaders
import TextBasics

/// The sources that a command loads into its store, in the order of `standardSources`: the files, with the file of the
/// profile after the first file, then `.env` files, the environment, and the values of `--set`.
struct StoreInput {
    /// The options that change the contents of the store.
    static let options: [Option] = [
        .format, .profile, .merge, .placeholders, .dotenv, .environment, .set, .schema,
    ]

    /// One source. Its loader may read a stream, so it is created only once, when the source is loaded.
    struct Source {
        /// The name for messages until the source is loaded.
        let name: String
        let loader: () throws -> any PropertyLoader
    }

    private let files: [Input]
    private let profile: String?
    private let rule: MergeRule?
    private let dotenvs: [Input]
    private let prefix: String?
    /// The environment variable that names the profile if `--profile` does not. It is never a property.
    private let profileVariable: String?
    private let settings: [String]
    private let replacesPlaceholders: Bool
    /// The names of the service, or nil if no schema is given.
    let schema: Schema?

    /// Creates the sources from files and arguments.
    ///
    /// - Parameters:
    ///   - files: the names of the files.
    ///   - arguments: the arguments of the command.
    /// - Throws: a `UsageError` if there is no source, a stream is named twice, or a value of `--set` is not
    ///   `KEY=VALUE`; or a `PropertyLoadError` if the schema cannot be loaded.
    init(_ files: some Sequence<String>, _ arguments: Arguments) throws {
        self.files = files.map { Input($0, arguments) }
        dotenvs = arguments.all(.dotenv).map { Input($0, as: .env) }
        prefix = arguments[.environment]
        settings = arguments.all(.set)
        replacesPlaceholders = arguments.has(.placeholders)
        if let place = settings.firstIndex(where: { !$0.utf8.contains(UInt8(ascii: "=")) }) {
            // The message does not show the text: although it has no "=", it may consist of a name and a secret.
            throw UsageError("\(Option.set.text): number \(place + 1) of them has no =; expected KEY=VALUE")
        }
        let named = arguments[.profile]
        if self.files.isEmpty, named != nil { throw UsageError("\(Option.profile.text): no file is given") }
        if self.files.isEmpty, dotenvs.isEmpty, prefix == nil, settings.isEmpty {
            throw UsageError("no file is given")
        }
        let schema = arguments[.schema].map { Input($0, as: .json) }
        try Input.refuseRepeatedStreams(self.files + dotenvs + [schema].compactMap { $0 })
        self.schema = try schema.map { try Schema($0) }
        profileVariable = prefix.map { EnvironmentPropertyLoader(prefix: $0).profileVariable }
        self.profile = named ?? Self.profile(in: profileVariable, of: self.files)
        let rule = arguments[.merge].map { $0.isSame(as: "deep") ? MergeRule.deep : .firstLevel }
        // With a profile, `standardSources` merges both files deep.
        self.rule = rule ?? (self.profile == nil ? nil : .deep)
    }

    /// Returns the profile that a variable names, or nil if there is none, or if the first input has no profiles.
    private static func profile(in variable: String?, of files: [Input]) -> String? {
        guard files.first?.file != nil, let variable, let name = ProcessInfo.processInfo.environment[variable]
        else { return nil }
        return name.isEmpty ? nil : name
    }

    /// Splits the arguments of a command into a key, which comes first, and the sources.
    static func keyed(_ arguments: Arguments) throws -> (key: String, input: StoreInput) {
        guard let key = arguments.words.first else { throw UsageError("no key is given") }
        return (key, try StoreInput(arguments.words.dropFirst(), arguments))
    }

    /// All sources, in the order of the merge.
    var sources: [Source] {
        var sources = files.map { file in Source(name: file.name) { ruled(try file.loader()) } }
        if let profile, let first = files.first {
            let source = Source(name: "the profile \(profile)") { ruled(try first.profileLoader(profile)) }
            sources.insert(source, at: 1)
        }
        sources += dotenvs.map { file in Source(name: file.name) { try file.loader(prefix: prefix ?? "") } }
        if let prefix {
            let excluded = Set([profileVariable].compactMap { $0 })
            let loader = EnvironmentPropertyLoader(prefix: prefix, excluding: excluded)
            sources.append(Source(name: "environment") { loader })
        }
        if !settings.isEmpty {
            let arguments = settings.flatMap { ["--set", $0] }
            sources.append(
                Source(name: "command line") { SetArguments(loader: CommandLinePropertyLoader(arguments: arguments)) })
        }
        return sources
    }

    /// An empty store with the rules for all sources. If a schema is given, its names are declared.
    func emptyStore() -> PropertyStore {
        let store = PropertyStore()
        if replacesPlaceholders {
            store.replacePlaceholders(.properties.environment().files(under: URL(filePath: "/")))
        }
        if let schema {
            // A placeholder without a value must not hide the other values.
            store.acceptUncheckedChanges()
            schema.declare(in: store)
        }
        return store
    }

    /// Loads all sources, and prints their warnings on standard error.
    ///
    /// - Parameter secrets: the values that are masked. By default only the secrets of sources and of the schema are
    ///   masked.
    /// - Returns: the store.
    /// - Throws: the errors of the loaders.
    func load(masking secrets: Secrets? = nil) throws -> PropertyStore {
        let store = emptyStore()
        try loading { try store.apply(sources.map { try $0.loader() }) }
        secrets?.declare(in: store)
        for warning in store.warnings { Output.error(warning.report(as: "warning")) }
        return store
    }

    /// Runs code that loads sources. An error in one of them shows no line that may have a value which the schema marks as
    /// secret.
    func loading<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard let names = schema?.secretNames else { return try body() }
        return try SecretName.$isMarked.withValue({ names.mayBeIn($0) }, operation: body)
    }

    private func ruled(_ loader: any PropertyLoader) -> any PropertyLoader { rule.map { loader.merge($0) } ?? loader }
}

/// The values of `--set`, as errors advise to write them. The tool takes no other properties as arguments.
private struct SetArguments: PropertyLoader {
    let loader: CommandLinePropertyLoader

    func load() throws -> PropertyLayer {
        var layer = try loader.load()
        layer.howToSet = { name, _ in "by --set \(PrintableText.escaped(name))=VALUE" }
        return layer
    }
}
