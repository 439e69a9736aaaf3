import Container
import PropertyLoadersEssentials
import SharedState

/// Answers a command from the sources of a service.
struct ServiceAnswer: Sendable {
    let container: Container
    let command: ServiceCommand
    let unknownKeys: UnknownKeys?

    private var store: PropertyStore { container.properties }
    private var isJSON: Bool { command.options.contains(ServiceCommand.json) }

    /// Prints the answer on the standard output, and problems on the standard error stream.
    ///
    /// - Returns: the exit status of the process.
    func print(_ sources: [any AsyncPropertyLoader]) async -> Int32 {
        switch command.syntax.words.last {
        case "template":
            Swift.print(store.template(), terminator: "")
            return 0
        case "schema":
            let refuses = (unknownKeys ?? store.defaultForUnknownKeys) == .refused
            Swift.print(store.jsonSchema(refusesUnknownKeys: refuses), terminator: "")
            return 0
        default: break
        }
        let isCheck = command.syntax.words.last == "check"
        do {
            try await store.applyAndVerify(
                awaiting: sources, unknownKeys: unknownKeys,
                withoutSecrets: command.options.contains(ServiceCommand.withoutSecrets))
        } catch {
            if isCheck, isJSON { Swift.print(Self.json(of: error)) } else { report(error) }
            return error.exitStatus
        }
        do {
            if isCheck {
                Swift.print(isJSON ? Self.json(of: nil) : "The settings are valid.")
            } else {
                Swift.print(try text())
            }
            return 0
        } catch {
            StandardError.writeLine((error as? UsageError)?.text ?? "\(error)")
            return UsageError.status
        }
    }

    /// Returns the answer of a command that reads the settings.
    private func text() throws -> String {
        if command.syntax.words.last == "dump" {
            let values = store.allValues
            return isJSON ? values.json : values.map(\.description).joined(separator: "\n")
        }
        let explanation = try store.explanation(of: command.operand)
        if command.syntax.words.last == "explain" { return isJSON ? explanation.json : explanation.description }
        // A secret is not masked, because the caller asks for this value alone.
        let node = explanation.value?.node ?? PropertyNode(nil)
        switch node.value {
        case .string(let text) where !isJSON, .text(let text) where !isJSON:
            return Platform.isTerminal ? PrintableText.escaped(text) : text
        case .null where !isJSON: return ""
        default: return JsonText.text(node) { _, _ in false }
        }
    }

    private func report(_ error: ConfigurationErrors) {
        StandardError.writeLine("\(error)")
        if error.problems.contains(where: { ($0.error as? PropertyError)?.reason == .unknownKey }) {
            StandardError.writeLine(
                "A service may read some of the unknown keys. Commands build no services: declare the keys, or use "
                    + "--check.")
        }
    }

    /// Returns the problems as a JSON object with an array of events.
    private static func json(of report: ConfigurationErrors?) -> String {
        let events = report.map { report in report.problems.map { ServiceEvent(.invalid, "", $0).json } } ?? []
        return events.isEmpty ? "{\"problems\": []}" : "{\"problems\": [\n  \(events.joined(separator: ",\n  "))\n]}"
    }
}
