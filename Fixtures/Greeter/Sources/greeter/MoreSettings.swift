import ServiceHost

// What the README shows beside the service, which does not use it.

enum Language: String, Codable { case english, german }

struct MoreSettings: Settings {
    @Setting("An enum, which must be Codable") var language = Language.english
    @Setting("An array") var recipients: [String] = []
    @Setting("A dictionary") var nicknames: [String: String] = [:]
    @Setting("Required, and masked in all output", isSecret: true) var token: String
    @Setting("May be missing", in: 1...) var limit: Int?
}

let sources: [any AsyncPropertyLoader] = .standardSources(
    file: "config.toml", secrets: "/run/secrets", environment: "GREETER")  // secrets: before environment:
