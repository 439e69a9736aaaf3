import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Variables whose levels are separated by one underscore")
struct MisspelledVariableTests {
    static let rows: [(variable: String, key: String, meant: String)] = [
        ("SHOP_RATE_LIMIT_PER_SECOND", "rate_limit.per_second", "SHOP_RATE_LIMIT__PER_SECOND"),
        ("SHOP_RATE_LIMIT_PER_SECOND", "rateLimit.perSecond", "SHOP_RATE_LIMIT__PER_SECOND"),
        ("SHOP_RATE_LIMIT_PER_SECOND", "rate-limit.per.second", "SHOP_RATE_LIMIT__PER__SECOND"),
        ("SHOP_RATELIMIT_PERSECOND", "rate_limit.per_second", "SHOP_RATELIMIT__PERSECOND"),
        ("SHOP_API__RATE_LIMIT", "api.rate.limit", "SHOP_API__RATE__LIMIT"),
        ("SHOP_API__RATE__LIMIT", "api.rate_limit", "SHOP_API__RATE_LIMIT"),
    ]

    private func store(_ variable: String) throws -> PropertyStore {
        try PropertyStore(
            sources: EnvironmentPropertyLoader(prefix: "SHOP", environment: [variable: "5", "SHOP_OTHER": "1"]))
    }

    @Test("An unknown variable suggests the one that sets a declared key", arguments: rows)
    func unknown(_ row: (variable: String, key: String, meant: String)) throws {
        let store = try store(row.variable)
        store.declare(TypedKey<Int>(row.key, default: 1), TypedKey<Int>("other"))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
        let problem = try #require(errors?.found.first)
        #expect(problem.suggestion == row.key)
        #expect(
            problem.description == "environment \(row.variable): '\(problem.name)' is not a key that is read. "
                + "For '\(row.key)', write \(row.meant).")
    }

    @Test("So does the error about the missing key", arguments: rows)
    func missing(_ row: (variable: String, key: String, meant: String)) throws {
        let error = try #require(
            #expect(throws: PropertyError.self) { try store(row.variable).require(row.key, as: Int.self) })
        #expect(
            error.description == "'\(row.key)' is missing; expected an integer. "
                + "For '\(row.key)', write \(row.meant) in place of \(row.variable).")
    }

    @Test("The suggested variable sets the key", arguments: rows)
    func meant(_ row: (variable: String, key: String, meant: String)) throws {
        let store = try store(row.meant)
        let key = TypedKey<Int>(row.key)
        store.declare(key, TypedKey<Int>("other"))
        #expect(try store.require(key) == 5)
        try store.verify(unknownKeys: .refused)
    }

    @Test("A key of a file, and a variable that differs in more, are suggested as before")
    func others() throws {
        let file = try PropertyStore(sources: Given("config.toml", ["rate_limit_per_second": 5]))
        file.declare(TypedKey<Int>("rate_limit.per_second", default: 1))
        let error = #expect(throws: ConfigurationErrors.self) { try file.verify(unknownKeys: .refused) }
        #expect(error?.lines.hasSuffix("Did you mean 'rate_limit.per_second'?") == true)
        let variable = try store("SHOP_RATE_LIMIT_PER_SECONDS")
        variable.declare(TypedKey<Int>("rate_limit.per_second", default: 1), TypedKey<Int>("other"))
        let other = #expect(throws: ConfigurationErrors.self) { try variable.verify(unknownKeys: .refused) }
        #expect(other?.lines.hasSuffix("Did you mean 'rate_limit.per_second'?") == true)
    }
}
