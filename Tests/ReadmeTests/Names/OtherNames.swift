/// Names that documents mention and this repository does not declare.
enum OtherNames {
    /// Words of the language.
    static let keywords: Set<String> = [
        "as", "is", "in", "if", "else", "for", "while", "do", "try", "catch", "throw", "throws", "let", "var", "func",
        "struct", "class", "enum", "actor", "extension", "protocol", "static", "final", "public", "private", "internal",
        "open", "init", "deinit", "self", "Self", "nil", "true", "false", "async", "await", "any", "some", "import",
        "return", "switch", "case", "default", "sending", "unowned", "weak", "lazy", "nonisolated", "inout", "repeat",
        "each", "where", "rethrows", "print", "package", "guard", "defer", "mutating", "operator", "subscript",
        "typealias", "super", "indirect", "override", "escaping", "unchecked", "unsafe",
    ]

    /// Keywords after which a span declares a name.
    static let declaring: Set<String> = [
        "var", "let", "func", "struct", "class", "enum", "extension", "case", "import", "typealias", "actor",
    ]

    /// The values of examples, whose members are ours. Other names with dots are names of properties.
    static let receivers: Set<String> = ["container", "r", "resolver", "store", "error", "loader", "entry", "watcher"]

    /// What the language or the standard library gives to types.
    static let membersOfEveryType: Set<String> = [
        "self", "Type", "init", "description", "debugDescription", "rawValue", "hashValue", "allCases", "some", "none",
        "localizedDescription",
    ]

    /// Names of Swift, Foundation, the system, and of the packages that articles are about.
    static let others: Set<String> = [
        "(@Sendable (ServiceEvent) -> Void)?", "@escaping @Sendable (Container) async throws -> Void", "Any",
        "Array(CommandLine.arguments.dropFirst())", "Authorization", "Bundle", "CancellationError", "CaseIterable",
        "Character", "CodingKeyRepresentable",
        "CustomReflectable",
        "Data", "Date", "Decodable", "ETag", "EX_CONFIG", "Environment.get",
        "Environment.secret(key:fileIO:on:)", "EX_UNAVAILABLE", "Equatable", "Hashable",
        "InferSendableFromCaptures",
        "Int",
        "Int64", "JSONSerialization", "LifecycleHandler", "MainActor", "Mutex", "NSDictionary", "NSString",
        "PropertyListSerialization",
        "RawRepresentable", "RestartPreventExitStatus", "Sendable", "ServiceGroup", "ServiceLifecycle", "String",
        "Substring", "Task", "Task.detached", "Task.immediate", "TimeoutStopSec", "URL", "UUID", "dataCorruptedError",
        "double(forKey:)", "exec", "fork", "getenv", "hasPrefix", "int(forKey:)", "int(forKey:default:)",
        "init(from:)", "init(rawValue:)", "requiredInt(forKey:)", "snan", "sops", "stop_grace_period", "subPath",
        "swift_release",
        "testTarget",
        "terminationGracePeriodSeconds",
    ]

    /// Values and names in examples of comments, and literals of other languages.
    static let examples: Set<String> = [
        "APP_HEADERS__Server=x", "COLOR", "GB", "GiB", "KiB", "Mb", "MiB", "None", "PB", "PiB", "REDIS", "SystemClock",
        "TiB", "True", "ca", "ff0000", "hello", "redis", "_ADDR", "_PROTO",
    ]

    static let all = others.union(examples)
}
