import TextBasics

/// A struct of settings: each has its name, type, default, limits and description in one place.
///
///     struct ServerSettings: Settings {
///         @Setting("Where clients connect", in: 1...65535) var port = 8080
///         @Setting("Signs the tokens", isSecret: true) var signingKey: String
///         @Setting var mode: Mode?
///         var tls = TLSSettings()
///         var upstreams: [Upstream] = []
///     }
///
/// A stored property is a ``Setting``, another settings type, which is a table of its own, or an optional, an array or
/// a dictionary of a settings type. The declarations of a settings type hold wherever it stands. Inside a `Decodable`
/// type that is not a settings type, a settings type is refused when it is decoded. The compiler must write the
/// conformance to `Decodable`. A type may contain itself in an array or a dictionary.
///
/// The key of a setting is the name of its property, or its `key:`. `CodingKeys` of its own are refused.
public protocol Settings: Decodable, Sendable, CustomDebugStringConvertible {
    /// Creates the settings with their defaults. The compiler writes this initializer, but not for a public type.
    init()

    /// How the names of the properties of this type become keys: `.exact` by default.
    static var naming: SettingNaming { get }

    /// The rules that several settings of this type obey together: none by default.
    static var rules: [SettingsRule<Self>] { get }
}

extension Settings {
    /// How the names of properties become keys.
    public static var naming: SettingNaming { .exact }

    /// No rules.
    public static var rules: [SettingsRule<Self>] { [] }

    /// Creates the settings with some values in place of their defaults, for example for a test.
    ///
    ///     let settings = ServerSettings { $0.port = 0 }
    ///
    /// - Parameter change: sets the values. They are not checked.
    public init(_ change: (inout Self) throws -> Void) rethrows {
        self.init()
        try change(&self)
    }
}

/// How the names of the properties of a settings type become keys.
public enum SettingNaming: Sendable {
    /// The name of the property: `signingKey`.
    case exact
    /// The words of the name in lowercase, joined with underscores: `signing_key`.
    case snakeCase
    /// The words of the name in lowercase, joined with hyphens: `signing-key`.
    case kebabCase
    /// The name with its first letter in upper case: "SigningKey" of `signingKey`.
    case pascalCase

    /// Returns the keys of the parts of a flat name.
    func keys(for name: String) -> [String] { name.parts(between: ".").map { key(for: String($0)) } }

    /// Returns the key of a property.
    func key(for name: String) -> String {
        switch self {
        case .exact: name
        case .pascalCase: (name.first?.uppercased() ?? "") + name.dropFirst()
        case .snakeCase: EnglishText.words(of: name, separator: "_")
        case .kebabCase: EnglishText.words(of: name, separator: "-")
        }
    }
}
