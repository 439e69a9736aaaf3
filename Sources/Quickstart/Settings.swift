import Container
import Foundation

// Each setting is one line: its name, type, default and limits, and what it is for.

struct APISettings: Settings {
    @Setting("Where requests go") var baseURL = URL(string: "http://localhost:8080")!
    @Setting("How many seconds a request may take", in: 1...60) var timeout = 30
    @Setting("Signs the requests", isSecret: true) var key = "a key for development"
}

struct DatabaseSettings: Settings {
    @Setting("The host of the database") var host = "localhost"
    @Setting("The port of the database", in: 1...65535) var port = 5432
    @Setting("The name of the database") var name: String
    @Setting("The address for other tools") var url: URL?
    @Setting("How many connections are kept", in: 1...) var poolSize = 4
}

struct PackageSettings: Settings {
    @Setting("What the package costs", in: 0...) var cost = 9.99
    @Setting("What the package contains") var features: [String] = []
}

struct TeamSettings: Settings {
    @Setting("The captain of the team") var name: String
    @Setting("How many people are on the team", in: 1...) var count = 1
    @Setting("The name of the team") var team: String
    @Setting("When the team was founded") var founded: Date?
    @Setting("The badge of the team") var badge: Data?
    @Setting("Prints each request") var debugMode = false
}
