import Container
import Logging

struct LogSettings: Settings {
    @Setting("The lowest level that is logged") var level = Logger.Level.info
}

struct SettingsLogHandler: LogHandler {
    var base: any LogHandler
    let properties: PropertyStore
    private var ownLevel: Logger.Level?

    init(_ base: any LogHandler, _ properties: PropertyStore) {
        self.base = base
        self.properties = properties
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? ((try? properties.settings(LogSettings.self)) ?? LogSettings()).level }
        set { ownLevel = newValue }
    }
    var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }
    var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue }
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) { base.log(event: event) }
}
