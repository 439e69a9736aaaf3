import Container
import ContainerReport
import PropertyLoaders
import Synchronization

/// The output of the quickstart.
struct Report {
    private let container: Container

    init(_ container: Container) { self.container = container }

    func print() async throws {
        section("Settings: the last source wins", settings)
        section("Services, made from them", try services())
        section("The services as a picture, in Mermaid", String(ContainerDiagram(of: container).mermaid.dropLast()))
        section("A start with a mistake in its file", await brokenStart())
        section("A reload", try await reload())
    }

    private var settings: String {
        var rows = [["setting", "value", "from", "overrides"]]
        for entry in container.properties.values {
            let overridden = container.properties.history(of: entry.name).dropFirst().map(\.valueText)
            rows.append([entry.name, entry.valueText, "\(entry.node.origin)", overridden.joined(separator: ", ")])
        }
        return table(rows)
    }

    private func services() throws -> String {
        let client = try container.require(APIClient.self)
        let pricing = try container.require(PricingService.self)
        return table([
            ["service", "has", "value"],
            ["APIClient", "a base URL", "\(client.settings.baseURL)"],
            ["", "a timeout", "\(client.settings.timeout) s"],
            ["PricingService", "a Database", pricing.database.address],
            ["", "features", pricing.settings.features.joined(separator: ", ")],
        ])
    }

    /// Formats rows as aligned columns, with a horizontal line below the first row.
    private func table(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let rule = widths.map { String(repeating: "─", count: $0) }
        return ([rows[0], rule] + rows.dropFirst()).map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    private func brokenStart() async -> String {
        let container = Container()
        container.declare(APISettings.self, at: "api")
        do {
            try await container.start([EditedFile("[api]\ntimeout = \"30\"")])
            return "no mistake"
        } catch {
            return error.description
        }
    }

    private func reload() async throws -> String {
        let container = Container(), file = EditedFile("[api]\ntimeout = 5")
        container.declare(APISettings.self, at: "api")
        try await container.start([file])
        var changes = container.properties.changes().makeAsyncIterator()
        file.edit("[api]\ntimeout = 10")
        try container.properties.reload()
        return await changes.next()?.map(\.description).joined(separator: "\n") ?? "no change"
    }

    private func section(_ title: String, _ text: String) {
        Swift.print("\(title)\n\n\(text)\n")
    }
}

/// A TOML file that somebody edits.
private final class EditedFile: PropertyLoader {
    private let text: Mutex<String>

    init(_ text: String) { self.text = Mutex(text) }

    func edit(_ text: String) { self.text.withLock { $0 = text } }

    func load() throws -> PropertyLayer {
        try TomlPropertyLoader(string: text.withLock { $0 }, name: "config.toml").load()
    }
}
