import Container
import PropertyLoaders

/// What the quickstart prints.
struct Report {
    private let resolver: Resolver
    private let properties: PropertyStore

    init(_ assembler: Assembler) {
        resolver = assembler.resolver
        properties = assembler.resolver.properties
    }

    func print() throws {
        section("Properties: the last applied wins", settings)
        section("Services, made from them", try services().description)
        section("A typo in a key", message { try resolver.require("api.timeot", as: Int.self) })
        section("A wrong type", try wrongType())
    }

    private var settings: String {
        var table = TextTable("property", "value", "from", "overrides")
        for entry in properties.entries {
            let overridden = properties.explain(entry.name).dropFirst().map { "\($0.valueText) (\($0.node.origin))" }
            table.add(entry.name, entry.valueText, "\(entry.node.origin)", overridden.joined(separator: ", "))
        }
        return table.description
    }

    private func services() throws -> TextTable {
        let client = try resolver.require(APIClient.self)
        let pricing = try resolver.require(PricingService.self)
        let person = try resolver.require(Person.self)
        var table = TextTable("service", "setting", "value")
        table.add("APIClient", "baseURL", client.baseURL ?? "none")
        table.add("", "timeout", "\(client.timeout) s")
        table.add("", "isVerbose", "\(client.isVerbose)")
        table.add("Database", "address", "\(pricing.database.host):\(pricing.database.port)/\(pricing.database.name)")
        table.add("PricingService", "unlimitedCost", "\(pricing.unlimitedCost)")
        table.add("", "features", pricing.features.joined(separator: ", "))
        table.add("Person", "name", person.name ?? "nobody")
        table.add("", "count", person.count.map(String.init) ?? "none")
        table.add("", "team", person.team)
        return table
    }

    // A file that somebody wrote last, over the ones that are there.
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
