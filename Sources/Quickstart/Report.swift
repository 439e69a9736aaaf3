import Container
import PropertyLoaders
import Synchronization

/// The output of the quickstart.
struct Report {
    private let resolver: Resolver
    private let properties: PropertyStore

    init(_ assembler: Assembler) {
        resolver = assembler.resolver
        properties = assembler.resolver.properties
    }

    func print() async throws {
        section("Properties: the last applied wins", settings)
        section("Services, made from them", try services())
        section("A start with two mistakes in its file", brokenStart())
        section("A reload, and one that is refused", try await reloads())
    }

    private var settings: String {
        var rows = [["property", "value", "from", "overrides"]]
        for entry in properties.entries {
            let overridden = properties.explain(entry.name).dropFirst().map(\.valueText)
            rows.append([entry.name, entry.valueText, "\(entry.node.origin)", overridden.joined(separator: ", ")])
        }
        return table(rows)
    }

    private func services() throws -> String {
        let client = try resolver.require(APIClient.self)
        let pricing = try resolver.require(PricingService.self)
        let person = try resolver.require(Person.self)
        return table([
            ["service", "setting", "value"],
            ["APIClient", "baseURL", client.baseURL ?? "none"],
            ["", "timeout", "\(client.timeout) s"],
            ["", "isVerbose", "\(client.isVerbose)"],
            ["Database", "address", "\(pricing.database.host):\(pricing.database.port)/\(pricing.database.name)"],
            ["PricingService", "unlimitedCost", "\(pricing.unlimitedCost)"],
            ["", "features", pricing.features.joined(separator: ", ")],
            ["Person", "name", person.name ?? "nobody"],
            ["", "count", person.count.map(String.init) ?? "none"],
            ["", "team", person.team],
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

    private func brokenStart() -> String {
        let store = PropertyStore()
        store.declare(Self.timeout)
        do throws(ConfigurationErrors) {
            try store.applyAndVerify([EditedFile("[api]\ntimeout = \"30\"\nretires = 2")])
            return "no mistakes"
        } catch {
            return error.description
        }
    }

    private func reloads() async throws -> String {
        let store = PropertyStore(), file = EditedFile("[api]\ntimeout = 5")
        store.declare(Self.timeout)
        try store.applyAndVerify([file])
        var changes = store.changes().makeAsyncIterator()
        file.edit("[api]\ntimeout = 10")
        try store.reload()
        var lines = await changes.next()?.map(\.description) ?? []
        file.edit("[api]\ntimeout = 0")
        do throws(ConfigurationErrors) { try store.reload() } catch { lines.append("not reloaded: \(error)") }
        return lines.joined(separator: "\n")
    }

    private static let timeout = TypedKey<Int>("api.timeout", in: 1...60)

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
