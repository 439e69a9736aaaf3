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
        ("API_BASE_URL", "api.baseURL"), ("API__BASEURL", "api.base_url"), ("RATELIMIT", "rate.limit"),
        ("GIT_HUB_URL", "gitHubURL"), ("GITHUB_URL", "gitHubURL"), ("IPV6_ADDRESS", "IPv6Address"),
        ("I_PV6_ADDRESS", "IPv6Address"), ("OAUTH2_TOKEN", "oauth2Token"), ("O_AUTH_2_TOKEN", "oAuth2Token"),
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
            try store.start([source])
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
            "SHOP_API__RATE__LIMIT", "api.rate_limit",
            "environment SHOP_API__RATE__LIMIT: 'api.rate.limit' is neither declared nor read by a service. "
                + "Did you mean SHOP_API_RATE_LIMIT?"
        ),
        (
            "SHOP_RATE_LIMIT_PER_SECONDS", "rate_limit.per_second",
            "environment SHOP_RATE_LIMIT_PER_SECONDS: 'rate_limit_per_seconds' is neither declared nor read by a service. "
                + "Did you mean SHOP_RATE_LIMIT_PER_SECOND?"
        ),
    ]

    @Test("A variable that reaches nothing is a problem with the nearest name", arguments: unreached)
    func reachesNothing(_ row: (variable: String, key: String, error: String)) throws {
        let store = PropertyStore()
        store.declare(TypedKey<Int>(row.key, default: 1))
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.start([EnvironmentPropertyLoader(prefix: "SHOP", environment: [row.variable: "5"])])
        }
        #expect(errors?.lines == row.error)
    }

    @Test("Variables of an environment without a prefix may be those of others")
    func shared() throws {
        let store = PropertyStore()
        store.declare(TypedKey<Int>("http.timeout"))
        try store.start([
            EnvironmentPropertyLoader(prefix: "", environment: ["PATH": "/bin", "HTTP_TIMEOUT": "5"])
        ])
        #expect(store.property("http.timeout") == 5)
    }

    @Test("A spelling that reaches two keys is an error that names both, and each full spelling reaches one")
    func ambiguous() throws {
        func store(_ variable: String) throws -> PropertyStore {
            let store = PropertyStore()
            store.declare(TypedKey<Int>("pool.size", default: 1), TypedKey<Int>("poolSize", default: 2))
            try store.start([EnvironmentPropertyLoader(prefix: "SHOP", environment: [variable: "5"])])
            return store
        }
        #expect(
            loadError { try store("SHOP_POOL_SIZE") }?.description
                == "environment SHOP_POOL_SIZE: the name 'pool_size' may mean 'pool.size' and 'poolSize'. "
                + "Write one of them exactly, in a variable with __ for each dot and in its own case.")
        #expect(try store("SHOP_POOL__SIZE").property("pool.size") == 5)
        #expect(try store("SHOP_pool__size").property("pool.size") == 5)
        #expect(try store("SHOP_poolSize").property("poolSize") == 5)
    }

    @Test("A section that is empty or null is known by its keys")
    func sections() throws {
        let store = PropertyStore()
        store.declare(TypedKey<Int>("server.port", default: 1), TypedKey<Int>("api.port", default: 1))
        try store.start([JsonPropertyLoader(string: #"{"server": null, "api": {}}"#, name: "c.json")])
        #expect(store.values == ["api={}", "server=null"])
    }

    @Test("A name that exists exactly as written is chosen, and otherwise all candidates are shown with their places")
    func exact() throws {
        func environment(_ variables: [String: String]) -> EnvironmentPropertyLoader {
            EnvironmentPropertyLoader(prefix: "APP", environment: variables)
        }
        let store = try PropertyStore(sources: Given("one", ["aB": 1]), Given("two", ["AB": 2]))
        let error = loadError { try store.apply(environment(["APP_A_B": "3"])) }
        #expect(
            error?.description == "environment APP_A_B: the name 'a_b' may mean 'aB' and 'AB' ('aB' is at one) "
                + "('AB' is at two). Write one of them exactly, in a variable with __ for each dot and in its own case."
        )
        #expect(store.values == ["AB=2", "aB=1"])
        try store.apply([Given("three", ["a_b": 0]), environment(["APP_A_B": "3"])])
        #expect(store.values == ["AB=2", "aB=1", "a_b=\"3\""])
        let twice = loadError {
            try PropertyStore().apply([Given(["baseURL": 1]), environment(["APP_BASE_URL": "1", "APP_BASEURL": "2"])])
        }
        #expect(twice?.reason == .duplicate)
    }

    @Test("A declared key that comes after the environment gives it its spelling")
    func declaredLater() throws {
        let key = TypedKey<Int>("api.maxConnections")
        let store = try PropertyStore(
            sources: EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_API__MAX_CONNECTIONS": "5"]))
        #expect(store.values == ["api.max_connections=\"5\""])
        store.declare(key)
        #expect(store.values == ["api.maxConnections=\"5\""])
        #expect(try store.require(key) == 5)
    }

    @Test("A value is masked if its ambiguous name may be that of a secret")
    func maskedWhereUnclear() throws {
        let store = try PropertyStore(
            sources: EnvironmentPropertyLoader(
                prefix: "APP", environment: ["APP_DB__PASSWORD": "hunter2", "APP_DB__PASS_WORD": "hunter3"]))
        store.declareSecret("db.password")
        #expect(store.warnings.first?.reason == .duplicate)
        #expect(!store.listing.joined().contains("hunter"))
        #expect(try store.json()?.contains("hunter") == false)
    }
}
