/// How placeholders `${…}` in texts are replaced, for a source or a store.
///
///     host = "example.com"
///     url = "https://${host}:${port:-443}/"       # another property, with a default
///     home = "${env:HOME}"                        # the result of the lookup "env"
///     literal = "$${host}"                        # ${host}
///
/// Names are looked up after all sources are merged, so a placeholder gets the final value, whichever source it is in.
/// A text that is one placeholder and nothing else becomes the value itself (a number, an array). The result of a
/// lookup or a default is then untyped text, so that `port = "${env:PORT}"` can be read as an integer. In a longer text
/// the placeholder is replaced by the text of the value.
///
/// A default is used if the name is missing, null or an empty text, as in shells. It does not help in a circle: each
/// property of the circle, and each that refers to one of them, is an error. A missing name without a default is an
/// error, too. A property that failed has no value, and neither has a table that contains it.
///
/// A secret makes the text that it is inserted into secret, and so does a secret that is empty and replaced by a
/// default. The origin stays that of the text with the placeholder.
public struct PropertyPlaceholders: Sendable {
    /// The result of a lookup.
    public struct LookupResult: Sendable {
        /// The text that replaces the placeholder.
        public var text: String
        /// Whether the text that it is inserted into becomes secret.
        public var isSecret: Bool
        /// The paths of the files that it was read from. They are watched like those of the source.
        public var files: [String]

        /// Makes a result.
        ///
        /// - Parameters:
        ///   - text: the text that replaces the placeholder.
        ///   - isSecret: whether the text that it is inserted into becomes secret.
        ///   - files: the paths of the files that it was read from.
        public init(_ text: String, isSecret: Bool = false, files: [String] = []) {
            self.text = text
            self.isSecret = isSecret
            self.files = files
        }
    }

    /// Returns the replacement for the part of a placeholder after the colon, or nil if there is none.
    public typealias Lookup = @Sendable (String) throws -> LookupResult?

    /// The lookups, by the name before the colon. They run when a source is loaded.
    public var lookups: [String: Lookup]
    /// For each lookup, the paths of the files that an argument refers to. They are watched even while they do not
    /// exist.
    package var watched: [String: @Sendable (String) -> [String]] = [:]
    /// How long a chain of placeholders that refer to each other may be.
    public var depthLimit: Int
    /// How many bytes all placeholders of a store may produce in sum, counting each use and the results of all lookups.
    public var sizeLimit: Int

    /// The default for `depthLimit`.
    public static let defaultDepthLimit = 32
    /// The default for `sizeLimit`: 16 MB.
    public static let defaultSizeLimit = 16 << 20

    /// Makes a set of rules. Without lookups, placeholders refer to other properties only.
    ///
    /// - Parameters:
    ///   - lookups: the lookups, by the name before the colon.
    ///   - depthLimit: how long a chain of placeholders that refer to each other may be.
    ///   - sizeLimit: how many bytes all placeholders of a store may produce in sum.
    public init(
        lookups: [String: Lookup] = [:], depthLimit: Int = defaultDepthLimit, sizeLimit: Int = defaultSizeLimit
    ) {
        self.lookups = lookups
        self.depthLimit = depthLimit
        self.sizeLimit = sizeLimit
    }
}

extension PropertyPlaceholders {
    /// Placeholders refer to other properties, and to nothing outside of the store.
    public static var properties: PropertyPlaceholders { PropertyPlaceholders() }
}
