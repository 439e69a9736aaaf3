/// The rules by which placeholders `${…}` in texts are replaced, for a source or a store.
///
///     host = "example.com"
///     url = "https://${host}:${port:-443}/"       # another property, with a default
///     home = "${env:HOME}"                        # the result of the lookup "env"
///     literal = "$${host}"                        # ${host}
///
/// Names are looked up after all sources are merged. Therefore a placeholder is replaced by the final value of a
/// property, whichever source sets it. The default of a declared name is in no source, so no placeholder leads to it.
///
/// A text that consists of a single placeholder becomes the value itself, such as a number or an array. If that value
/// is the result of a lookup or a default, it is untyped text, so `port = "${env:PORT}"` can be read as an integer. In
/// a longer text, a placeholder is replaced by the text of its value. A number with a fraction has the text that its
/// source has: `1.10` stays `1.10`. A number, a boolean or a date has its text also if it is read as a string.
///
/// As in shells, a default is used if the property or the result of the lookup is missing, null or empty text. A
/// missing value without a default is an error. Placeholders that refer to each other in a cycle are an error in each
/// property of the cycle, and in each property that refers to one of them, even if they have defaults. A property with
/// this error has no value, and neither has a table that contains it.
///
/// A text becomes secret if a secret is inserted into it, or if a default in it replaces an empty secret. The origin of
/// the text does not change.
///
/// If text of the environment, an argument, a `.env` file or a lookup is inserted into a text, no error shows the text,
/// like the inserted text itself. An error about a placeholder in it shows no part of it.
public struct PropertyPlaceholders: Sendable {
    /// The result of a lookup.
    public struct LookupResult: Sendable {
        /// The text that replaces the placeholder, or nil if there is none, so that the default is used.
        public var text: String?
        /// Whether the text is secret. If so, the text that it is inserted into becomes secret, too.
        public var isSecret: Bool
        /// The paths of the files that the text was read from, or would be read from if they existed. They are watched
        /// like the files of the source.
        public var files: [String]
        /// A likely mistake in the text, which is a warning of the layer that it is inserted into.
        package var warning: PropertyLoadError?

        /// Creates a result.
        ///
        /// - Parameters:
        ///   - text: the text that replaces the placeholder, or nil if there is none.
        ///   - isSecret: whether the text is secret. If so, the text that it is inserted into becomes secret, too.
        ///   - files: the paths of the files that the text was read from, or would be read from if they existed.
        public init(_ text: String?, isSecret: Bool = false, files: [String] = []) {
            (self.text, self.isSecret, self.files) = (text, isSecret, files)
        }
    }

    /// The lookups by their names before the colon. They run when a source is loaded.
    ///
    /// Each is a function that returns the replacement for the part of a placeholder after the colon.
    public var lookups: [String: @Sendable (String) throws -> LookupResult]
    /// The maximum length of a chain of placeholders, each of which refers to the next.
    public var depthLimit: Int
    /// The maximum number of bytes that all placeholders of a store produce together. Each use of a value is counted,
    /// and so are the results of all lookups.
    public var sizeLimit: Int

    /// The default for `depthLimit`.
    public static let defaultDepthLimit = 32
    /// The default for `sizeLimit`: 16 MB.
    public static let defaultSizeLimit = 16 << 20

    /// Creates a set of rules. Without lookups, placeholders refer to other properties only.
    ///
    /// - Parameters:
    ///   - lookups: the lookups by their names before the colon.
    ///   - depthLimit: the maximum length of a chain of placeholders, each of which refers to the next.
    ///   - sizeLimit: the maximum number of bytes that all placeholders of a store produce together.
    public init(
        lookups: [String: @Sendable (String) throws -> LookupResult] = [:], depthLimit: Int = defaultDepthLimit,
        sizeLimit: Int = defaultSizeLimit
    ) {
        (self.lookups, self.depthLimit, self.sizeLimit) = (lookups, depthLimit, sizeLimit)
    }

    /// The rules without lookups: placeholders refer to other properties only.
    public static var properties: PropertyPlaceholders { PropertyPlaceholders() }
}
