/// How `${…}` in texts is replaced, for sources or stores that ask for it.
///
///     host = "example.com"
///     url = "https://${host}:${port:-443}/"       # another property, with a default
///     home = "${env:HOME}"                        # what a lookup of that name gives
///     literal = "$${host}"                        # ${host}
///
/// Names are looked up after all sources are merged, so a placeholder sees what counts, whichever source says it. A text
/// that is one placeholder and nothing else becomes the value as it is (a number, an array); what a lookup or a default
/// gives is then text without a type, so that `port = "${env:PORT}"` can be read as an integer. Elsewhere the value's
/// text goes into the text around it.
///
/// A default stands in where the name is missing, null or an empty text, as in shells, and nowhere else: a circle is an
/// error for each property on it and for each that leads to one, with a default or without. A name that is missing and has
/// no default is an error too. A property that failed has no value, and neither has a table that holds it.
///
/// What is secret makes the text that it goes into secret. The origin stays that of the text with the placeholder.
public struct PropertyPlaceholders: Sendable {
    /// What a lookup gives.
    public struct Found: Sendable {
        /// The text that stands for the placeholder.
        public var text: String
        /// Whether the text that it goes into is masked.
        public var isSecret: Bool
        /// The files that it was read from, by path, which are watched like the source's own.
        public var files: [String]

        /// Makes a result.
        public init(_ text: String, isSecret: Bool = false, files: [String] = []) {
            self.text = text
            self.isSecret = isSecret
            self.files = files
        }
    }

    /// Gives what stands for the part of a placeholder after the colon; nil where there is nothing.
    public typealias Lookup = @Sendable (String) throws -> Found?

    /// The lookups by the name before the colon. They run when a source is loaded.
    public var lookups: [String: Lookup]
    /// The files that a lookup's argument leads to, by the lookup's name; they are watched while they are missing, too.
    package var watched: [String: @Sendable (String) -> [String]] = [:]
    /// How many placeholders may lead from one to the next.
    public var depthLimit: Int
    /// How many bytes all placeholders of a store may produce together: each use counts, and what lookups give.
    public var sizeLimit: Int

    /// How many placeholders may lead from one to the next where nothing else is said.
    public static let defaultDepthLimit = 32
    /// How many bytes all placeholders may produce where nothing else is said: 16 MB.
    public static let defaultSizeLimit = 16 << 20

    /// Makes a set of rules; without lookups, placeholders lead to other properties only.
    ///
    /// - Parameters:
    ///   - lookups: what the names before a colon stand for.
    ///   - depthLimit: how many placeholders may lead from one to the next.
    ///   - sizeLimit: how many bytes all placeholders of a store may produce together.
    public init(
        lookups: [String: Lookup] = [:], depthLimit: Int = defaultDepthLimit, sizeLimit: Int = defaultSizeLimit
    ) {
        self.lookups = lookups
        self.depthLimit = depthLimit
        self.sizeLimit = sizeLimit
    }
}

extension PropertyPlaceholders {
    /// Other properties, and nothing outside of the store.
    public static var properties: PropertyPlaceholders { PropertyPlaceholders() }
}
