public import Container

// Keys are declared in one module and read in others.
extension PropertyKey {
    /// Where the service that we call is.
    public static let apiBaseURL = PropertyKey("api.baseURL")
    /// How long to wait for it, in seconds.
    public static let apiTimeout = PropertyKey("api.timeout")
    /// What it knows us by.
    public static let apiKey = PropertyKey("api.key")
    /// Whether to say more.
    public static let debugMode: PropertyKey = "debugMode"
    /// What is worth a line in the log.
    public static let level = PropertyKey(rawValue: "level")
}

/// An enum that is read by its raw value.
public enum Level: String, Codable, Sendable {
    case debug, info
}
