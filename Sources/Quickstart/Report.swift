import Container
import PropertyLoaders

/// The output of the quickstart.
struct Report {
    private let resolver: Resolver
    private let properties: PropertyStore

    init(_ assembler: Assembler) {
        resolver = assembler.resolver
        properties = assembler.resolver.properties
    }

    func print() throws {
        section("Properties: the last applied wins", settings)
        section("Services, made from them", try services())
        section("A typo in a key", message { try resolver.require("api.timeot", as: Int.self) })
        section("A wrong type", try wrongType())
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

    /// The error message for a value of the wrong type, from a source that overrides the other ones.
    private func wrongType() throws -> String {
        let store = PropertyStore(parent: properties)
        try store.apply(TomlPropertyLoader(string: "[api]\ntimeout = \"30\"\n", name: "override.toml"))
        return message { try store.require(.apiTimeout, as: Int.self) }
    }

    private func message(_ read: () throws -> Int) -> String {
        do {
            return "\(try read())"
        } catch {
            return "\(error)"
        }
    }

    private func section(_ title: String, _ text: String) {
        Swift.print("\(title)\n\n\(text)\n")
    }
}
