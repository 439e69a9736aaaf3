import Container
import InMemoryLogging
import Logging
import PropertyLoaders
import Testing

@Suite("swift-log")
struct LoggingTests {
    let container = Container()

    init() { container.declare(LogSettings.self, at: "log") }

    private func load(_ level: String) throws {
        let loader = TomlPropertyLoader(string: "[log]\nlevel = \"\(level)\"", name: "config.toml")
        try container.applyPropertyLoader(loader)
    }

    @Test("A new level in the settings is the level of every logger at once")
    func liveLevel() throws {
        let memory = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in SettingsLogHandler(memory, container.properties) }
        logger[metadataKey: "request"] = "1"
        logger.debug("not yet")
        logger.info("info")
        try load("debug")
        logger.debug("debug")
        try load("error")
        logger.warning("no more")
        logger.error("error")
        #expect(memory.entries.map { "\($0.message)" } == ["info", "debug", "error"])
        #expect(memory.entries.allSatisfy { $0.metadata == ["request": "1"] })
        #expect(logger.logLevel == .error)
    }

    @Test("A level that the program sets itself stays")
    func ownLevel() throws {
        let memory = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in SettingsLogHandler(memory, container.properties) }
        logger.logLevel = .trace
        try load("error")
        logger.trace("trace")
        #expect(memory.entries.map { "\($0.message)" } == ["trace"])
    }

    @Test("A level is one of the cases of Logger.Level, and anything else is an error that lists them")
    func levels() throws {
        let container = Container()
        func load(_ level: String) throws {
            try container.applyPropertyLoader(
                TomlPropertyLoader(string: "[log]\nlevel = \"\(level)\"", name: "config.toml"))
        }
        for level in Logger.Level.allCases {
            try load(level.rawValue)
            #expect(try container.require("log.level", as: Logger.Level.self) == level)
        }
        try load("loud")
        let error = #expect(throws: PropertyError.self) { try container.require("log.level", as: Logger.Level.self) }
        #expect(
            error?.description == "config.toml:2:9: 'log.level' is the string \"loud\"; "
                + #"expected one of "trace", "debug", "info", "notice", "warning", "error", "critical". "#
                + "Choose one of these.")
    }

    /// The logging system can be set up only once in a process, so no test calls this function.
    private func bootstrap() {
        LoggingSystem.bootstrap { label in
            SettingsLogHandler(StreamLogHandler.standardOutput(label: label), container.properties)
        }
    }
}
