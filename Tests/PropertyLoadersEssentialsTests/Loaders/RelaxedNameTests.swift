import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Names as operators type them")
struct RelaxedNameTests {
    static let spellings: [(spelling: String, key: String)] = [
        ("HTTP_TIMEOUT", "http.timeout"), ("HTTP__TIMEOUT", "http.timeout"),
        ("RATE_LIMIT_PER_SECOND", "rate_limit.per_second"), ("RATE_LIMIT_PER_SECOND", "rateLimit.perSecond"),
        ("RATELIMIT_PERSECOND", "rate-limit.per_second"), ("API__RATE_LIMIT", "api.rate.limit"),
        ("API_BASE_URL", "api.baseURL"), ("API__BASEURL", "api.base_url"),
    ]

    @Test("A variable, an argument and a secret file reach a declared key", arguments: spellings)
    func reached(_ row: (spelling: String, key: String)) throws {
        let key = TypedKey<Int>(row.key)
        let name = row.spelling.lowercased().replacing("__", with: ".").replacing("_", with: "-")
        let scratch = try Scratch()
        try scratch.write("5\n", to: name)
        let sources: [any PropertyLoader] = [
            EnvironmentPropertyLoader(prefix: "SHOP", environment: ["SHOP_\(row.spelling)": "5"]),
            CommandLinePropertyLoader(arguments: ["--\(name)", "5"]), DirectoryPropertyLoader(url: scratch.url),
        ]
        for source in sources {
            let store = PropertyStore()
            store.declare(key)
            try store.applyAndVerify([source])
            #expect(try store.require(key) == 5, "\(store.listing)")
        }
    }

    @Test("A name that exists in a file is reached in the same way, and overridden")
    func overriding() throws {
        let store = try PropertyStore(
            sources: Given("defaults", ["rate_limit": ["per_second": 10]]),
            EnvironmentPropertyLoader(prefix: "SHOP", environment: ["SHOP_RATE_LIMIT_PER_SECOND": "5"]))
        #expect(store.values == ["rate_limit.per_second=\"5\""])
    }

    static let unreached: [(variable: String, key: String, error: String)] = [
        (
            "SHOP_RATELIMIT", "rate.limit",
            "environment SHOP_RATELIMIT: 'ratelimit' is not a key that is read. Did you mean 'rate.limit'?"
        ),
        (
            "SHOP_API__RATE__LIMIT", "api.rate_limit",
            "environment SHOP_API__RATE__LIMIT: 'api.rate.limit' is not a key that is read. "
                + "Did you mean 'api.rate_limit'?"
        ),
        (
            "SHOP_RATE_LIMIT_PER_SECONDS", "rate_limit.per_second",
            "environment SHOP_RATE_LIMIT_PER_SECONDS: 'rate_limit_per_seconds' is not a key that is read. "
                + "Did you mean 'rate_limit.per_second'?"
        ),
    ]

    @Test("A variable that reaches nothing is a problem with the nearest name", arguments: unreached)
    func reachesNothing(_ row: (variable: String, key: String, error: String)) throws {
        let store = PropertyStore()
        store.declare(TypedKey<Int>(row.key, default: 1))
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.applyAndVerify([EnvironmentPropertyLoader(prefix: "SHOP", environment: [row.variable: "5"])])
        }
        #expect(errors?.lines == row.error)
    }

    @Test("Variables of an environment without a prefix may be those of others")
    func shared() throws {
        let store = PropertyStore()
        store.declare(TypedKey<Int>("http.timeout"))
        try store.applyAndVerify([
            EnvironmentPropertyLoader(prefix: "", environment: ["PATH": "/bin", "HTTP_TIMEOUT": "5"])
        ])
        #expect(store.property("http.timeout") == 5)
    }

    @Test("A spelling that reaches two keys is an error that names both, and each full spelling reaches one")
    func ambiguous() throws {
        func store(_ variable: String) throws -> PropertyStore {
            let store = PropertyStore()
            store.declare(TypedKey<Int>("pool.size", default: 1), TypedKey<Int>("poolSize", default: 2))
            try store.applyAndVerify([EnvironmentPropertyLoader(prefix: "SHOP", environment: [variable: "5"])])
            return store
        }
        #expect(
            loadError { try store("SHOP_POOL_SIZE") }?.description
                == "environment SHOP_POOL_SIZE: the name 'pool_size' may mean 'pool.size' and 'poolSize'. "
                + "Write the exact name; in a variable, write __ for each dot and no other _.")
        #expect(try store("SHOP_POOL__SIZE").property("pool.size") == 5)
        #expect(try store("SHOP_POOLSIZE").property("poolSize") == 5)
    }

    @Test("A section that is empty or null is known by its keys")
    func sections() throws {
        let store = PropertyStore()
        store.declare(TypedKey<Int>("server.port", default: 1), TypedKey<Int>("api.port", default: 1))
        try store.applyAndVerify([JsonPropertyLoader(string: #"{"server": null, "api": {}}"#, name: "c.json")])
        #expect(store.values == ["api={}", "server=null"])
    }
}
