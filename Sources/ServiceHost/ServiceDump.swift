import Container
import ContainerReport
import Properties

/// The state that a running process writes to its log when a signal asks for it.
enum ServiceDump {
    /// Returns the status, the values in force, and the outdated services, each as an event whose text is one line of
    /// JSON. Secrets are masked, and so are values under names that are usual for secrets, because more people read a log
    /// than an answer.
    static func events(of container: Container) -> [ServiceEvent] {
        let status = container.status
        return [
            ServiceEvent(part: "status", line(status.json)),
            ServiceEvent(part: "values", line(container.properties.allValues.carefulJson)),
            ServiceEvent(part: "outdatedServices", status.outdatedJson),
        ]
    }

    /// Returns JSON of several lines on one line. JSON escapes the line breaks in strings.
    private static func line(_ json: String) -> String {
        json.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    }
}
