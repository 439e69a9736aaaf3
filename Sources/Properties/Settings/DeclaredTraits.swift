/// The kinds of declarations in a table of settings and in all that is inside it, or at a name and below it.
struct DeclaredTraits: OptionSet, Sendable {
    let rawValue: UInt8

    /// A table of settings.
    static let settings = DeclaredTraits(rawValue: 1 << 0)
    /// A secret, also inside a value.
    static let secrets = DeclaredTraits(rawValue: 1 << 1)
    /// A secret that has a flat name.
    static let secretNames = DeclaredTraits(rawValue: 1 << 2)
    /// A setting that keeps its value until a restart.
    static let restarts = DeclaredTraits(rawValue: 1 << 3)
    /// A setting with a former name. Tables that were moved do not count.
    static let formerNames = DeclaredTraits(rawValue: 1 << 4)
    /// A rule of several settings.
    static let settingsRules = DeclaredTraits(rawValue: 1 << 5)
    /// A rule or a settings type, and not only the secrecy of a name.
    static let keys = DeclaredTraits(rawValue: 1 << 6)
}
