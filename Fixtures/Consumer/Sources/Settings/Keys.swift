public import Container

// This module declares the keys. The other module reads them.
extension PropertyKey {
    /// The URL of the API.
    public static let apiBaseURL = PropertyKey("api.baseURL")
    /// The timeout of an API call, in seconds.
    public static let apiTimeout = PropertyKey("api.timeout")
    /// The key that authenticates API calls.
    public static let apiKey = PropertyKey("api.key")
    /// Whether to log debug messages.
    public static let debugMode: PropertyKey = "debugMode"
    /// The minimum level of logged messages.
    public static let level = PropertyKey(rawValue: "level")
}

/// A log level. Its raw value is the value of the property.
public enum Level: String, Codable, Sendable {
    case debug, info
}
