import Container
import ContainerReport
import PropertyLoadersEssentials
import SharedState

/// Answers a command from the sources of a service.
struct ServiceAnswer: Sendable {
    let command: ServiceCommand
    let unknownKeys: UnknownKeys?
    /// The start and the end of the container, without a body.
    let service: ServiceRun

    private var container: Container { service.container }
    private var store: PropertyStore { container.properties }
    private var isJSON: Bool { command.options.contains(ServiceCommand.json) }

    /// Prints the answer on the standard output, and problems on the standard error stream.
    ///
    /// - Returns: the exit status of the process.
    /// - Throws: an `OutputError` if the answer cannot be written.
    func print(_ sources: PropertySources) async throws(OutputError) -> Int32 {
        if command.syntax.words == ["services"] { return try await printServices(sources) }
        switch command.syntax.words.last {
        case "template":
            try Platform.writeAnswer(store.template())
            return 0
        case "schema":
            let refuses = (unknownKeys ?? store.defaultForUnknownKeys) == .refused
            try Platform.writeAnswer(store.jsonSchema(refusesUnknownKeys: refuses))
            return 0
        case "check": return try await check(sources)
        default: break
        }
        // An operator needs the answers most when a setting is wrong.
        let problems = await store.startWithProblems(awaiting: sources, unknownKeys: unknownKeys)?.naming(sources)
        var status = problems?.exitStatus ?? 0
        var failure: OutputError?
        let answer: Result<String, PropertyError>
        do throws(PropertyError) { answer = .success(try text(sources)) } catch { answer = .failure(error) }
        switch answer {
        // A script would take the value for the one in force.
        case .success where command.syntax.words.last == "get" && problems?.concern(command.operand) == true: break
        case .success(let text):
            do throws(OutputError) { try Platform.writeAnswer("\(text)\n") } catch { failure = error }
        case .failure(let error):
            StandardError.writeLine("\(error)")
            if problems == nil { status = UsageError.status }
        }
        if let problems { report(problems) }
        if let failure { throw failure }
        return status
    }

    private func check(_ sources: PropertySources) async throws(OutputError) -> Int32 {
        var failure: ConfigurationErrors?
        do throws(ConfigurationErrors) {
            try await store.start(
                awaiting: sources, unknownKeys: unknownKeys,
                withoutSecrets: command.options.contains(ServiceCommand.withoutSecrets))
        } catch {
            failure = error.naming(sources)
        }
        let warnings = store.warnings.map { ServiceEvent($0) }
        if isJSON {
            try Platform.writeAnswer("\(json(of: failure, warnings))\n")
        } else {
            for warning in warnings { StandardError.writeLine(ServiceLog.text(of: warning)) }
            if let failure { report(failure) } else { try Platform.writeAnswer("\(success)\n") }
        }
        return failure?.exitStatus ?? 0
    }

    /// What `check` says of settings without a problem.
    private var success: String {
        if !store.snapshot.declaredKeys.isEmpty { return "The settings are valid." }
        return
            "The sources can be loaded. Nothing is declared, so no value was checked; --check also checks what services "
            + "read by name."
    }

    /// Returns the answer of a command that reads the settings.
    private func text(_ sources: PropertySources) throws(PropertyError) -> String {
        if command.syntax.words.last == "dump" {
            let values = store.allValues
            if isJSON { return values.json }
            return values.map { "\(PrintableText.escaped($0.name)) = \($0.fullText)" }.joined(separator: "\n")
        }
        let explanation = try store.explain(command.operand)
        if command.syntax.words.last == "explain" {
            return isJSON ? explanation.json : explanation.description + chosen(sources)
        }
        let node = explanation.value?.node ?? PropertyNode(nil)
        // A secret is not masked if the user has asked for this value alone, and masked in a table or an array around it.
        let isAskedFor = !explanation.isTable && explanation.rule != nil && node.origin.source.isSecret
        switch node.value {
        case .string(let text) where !isJSON, .text(let text) where !isJSON:
            return Platform.isTerminal ? PrintableText.controlsEscaped(text) : text
        case .null where !isJSON: return ""
        case .table, .array:
            return isAskedFor ? JsonText.text(node, isMasked: nil) : JsonText.text(node, name: explanation.name)
        default: return JsonText.text(node, isMasked: nil)
        }
    }

    /// A line for each path that the user has chosen.
    private func chosen(_ sources: PropertySources) -> String {
        sources.pathOptions.compactMap { option in
            option.choice.map { "\n\(option.name.padded)\(PrintableText.escaped($0.path)) (chosen by \($0.chooser))" }
        }.joined()
    }

    // MARK: Services

    /// Prints the services. Unless only their registrations are asked for, they are built, and closed again.
    private func printServices(_ sources: PropertySources) async throws(OutputError) -> Int32 {
        if command.options.contains(ServiceCommand.registered) {
            try Platform.writeAnswer(services)
            return 0
        }
        let answer = Guarded<String?>(nil)
        // Factories and hooks may print, too, and scripts read the answer.
        let output = Platform.redirectOutput()
        let status = await service.answering(log: ServiceLog(write: nil), sources, unknownKeys) { _ in
            let text = services
            answer.withLock { $0 = text }
        }
        Platform.restoreOutput(output)
        guard let answer = answer.withLock({ $0 }) else { return status }
        try Platform.writeAnswer(answer)
        return status
    }

    /// The services in the form of the options.
    private var services: String {
        if command.options.contains(ServiceCommand.mermaid) { return ContainerDiagram(of: container).mermaid }
        if command.options.contains(ServiceCommand.dot) { return ContainerDiagram(of: container).dot }
        let all = container.visibleRegistrations.sorted { ($0.service, $0.scope) < ($1.service, $1.scope) }
        if isJSON { return all.json + "\n" }
        if all.isEmpty { StandardError.writeLine("Nothing is registered.") }
        var lines = all.map(\.description)
        let unknown = all.filter { !$0.isKnown }.map(\.service)
        if !unknown.isEmpty, all.contains(where: \.hasInstance) {
            lines += ["", "Not built, so it is not known what they depend on: \(unknown.joined(separator: ", "))"]
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private func report(_ error: ConfigurationErrors) {
        StandardError.writeLine("\(error)")
        if error.problems.contains(where: { ($0.error as? PropertyError)?.reason == .unknownKey }) {
            StandardError.writeLine(
                "A service may read some of the unknown keys. Commands build no services; --check does, and knows all "
                    + "keys.")
        }
    }

    /// Returns the problems, with what was not checked because of them, and the warnings as a JSON object with two arrays of
    /// events.
    private func json(of report: ConfigurationErrors?, _ warnings: [ServiceEvent]) -> String {
        func list(_ events: [ServiceEvent]) -> String { JsonText.lines(of: events.map(\.json)) }
        let problems = report.map { report in
            let (problems, notes) = report.shown
            return problems.map { ServiceEvent(.invalid, "", $0) } + notes.map { ServiceLine.invalid.event(text: $0) }
        }
        return "{\"problems\": \(list(problems ?? [])), \"warnings\": \(list(warnings))}"
    }
}

extension ConfigurationErrors {
    /// Returns whether a problem leaves the value of a name unknown. It is a problem of the name itself, of a part of
    /// its value, or of a table around it. A problem that is not about a name counts, too, such as a source that cannot
    /// be loaded.
    fileprivate func concern(_ name: String) -> Bool {
        problems.contains { problem in
            guard let error = problem.error as? PropertyError else { return true }
            return error.name == name || error.name.isPart(of: name) || name.isPart(of: error.name)
        }
    }
}

extension String {
    /// The title of a row of an explanation.
    fileprivate var padded: String { self + String(repeating: " ", count: max(1, 11 - count)) }

    /// Whether this is the name of an element or a key of a table or an array with the name.
    fileprivate func isPart(of name: String) -> Bool { hasPrefix("\(name).") || hasPrefix("\(name)[") }
}
