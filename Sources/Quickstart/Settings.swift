import Container

/// The default settings, which the files can override.
struct Defaults: Sendable {
    struct API: Sendable {
        let baseURL = "http://localhost:8080"
        let timeout = 30
        let key = "a key for development"
    }

    struct Database: Sendable {
        let host = "localhost"
        let port = 5432
        let name = "development"
        let poolSize = 4
    }

    let api = API()
    let database = Database()
    let debugMode = false
    // A nil field sets no property, and overrides none.
    let team: String? = nil
}

extension PropertyKey {
    static let apiBaseURL = PropertyKey("api.baseURL")
    static let apiTimeout = PropertyKey("api.timeout")
    static let apiKey = PropertyKey("api.key")
    static let debugMode: PropertyKey = "debugMode"
}
