import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Checks that say what they expect")
struct SettingCheckTests {
    struct Workers: Settings {
        @Setting("Worker threads", in: 1...64, expecting: { $0.nonzeroBitCount == 1 ? nil : "a power of two" })
        var count = 8
        @Setting("Requests at once", in: 1..., check: { $0.isMultiple(of: 10) }, expecting: Self.notThirteen)
        var limit: Int?
        @Setting("How often", in: 0...1, check: { $0 != 0.5 }) var rate: Double
        @Setting(
            "Signs the tokens", isSecret: true,
            expecting: { key in
                if key.utf8.count < 12 { return "at least 12 characters" }
                return key.contains(where: \.isNumber) ? nil : "a digit in \(key)"
            }) var signingKey: String
        @Setting(
            "Where clients connect", check: { $0.hasPrefix("/") },
            expecting: { $0.contains("..") ? "a path without .." : nil })
        var path = "/"

        static let notThirteen: @Sendable (Int) -> String? = { $0 == 130 ? "a number without bad luck" : nil }
    }

    private static func report(_ text: String) throws -> [String] {
        let store = PropertyStore()
        store.declare(Workers.self, at: "workers")
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([JsonPropertyLoader(string: "{\"workers\": {\(text)}}", name: "c")])
        }
        return error?.problems.map { "\($0.message)" } ?? []
    }

    @Test("A range, a check and what is expected hold together, and the message is that of the first that fails")
    func messages() throws {
        let good = #""rate": 0.1, "signingKey": "0123456789ab""#
        let rows: [(text: String, message: String)] = [
            (
                #""count": 65, \#(good)"#,
                "'workers.count' is the integer 65; expected an integer from 1 to 64. Change the value."
            ),
            (
                #""count": 12, \#(good)"#,
                "'workers.count' is the integer 12; expected a power of two from 1 to 64. Change the value."
            ),
            (
                #""limit": 0, \#(good)"#,
                "'workers.limit' is the integer 0; expected an integer of at least 1. Change the value."
            ),
            (
                #""limit": 15, \#(good)"#,
                "'workers.limit' is the integer 15; expected an integer of at least 1. Change the value."
            ),
            (
                #""limit": 130, \#(good)"#,
                "'workers.limit' is the integer 130; expected a number without bad luck of at least 1. Change the value."
            ),
            (#""path": "x", \#(good)"#, "'workers.path' is the string \"x\"; expected a string. Change the value."),
            (
                #""path": "/../x", \#(good)"#,
                "'workers.path' is the string \"/../x\"; expected a path without ... Change the value."
            ),
            (
                #""rate": 0.5, "signingKey": "0123456789ab""#,
                "'workers.rate' is the number 0.5; expected a number from 0.0 to 1.0. Change the value."
            ),
            (
                #""rate": 1, "signingKey": "hunter2""#,
                "'workers.signingKey' is a string that is secret; expected at least 12 characters. Change the value."
            ),
            // A text that quotes a secret is not shown.
            (
                #""rate": 1, "signingKey": "hunterhunter""#,
                "'workers.signingKey' is a string that is secret; expected a string. Change the value."
            ),
        ]
        for (text, message) in rows { #expect(try Self.report(text) == [message], "\(text)") }
        #expect(rows.count == 10)
        let store = PropertyStore()
        store.declare(Workers.self, at: "workers")
        try store.start([
            JsonPropertyLoader(string: #"{"workers": {"count": 16, "limit": 20, \#(good)}}"#, name: "c")
        ])
        let workers = try store.settings(Workers.self)
        #expect(workers.count == 16 && workers.limit == 20 && workers.rate == 0.1)
    }

    @Test("The same holds in arrays and dictionaries of settings types, and for a key")
    func elsewhere() throws {
        struct Pools: Settings {
            var list: [Workers] = []
            var named: [String: Workers] = [:]
        }
        let inner = #"{"count": 3, "rate": 1, "signingKey": "0123456789ab"}"#
        let store = PropertyStore()
        store.declare(Pools.self)
        store.declare(
            TypedKey("size", default: 4, in: 1...8, expecting: { $0.isMultiple(of: 2) ? nil : "an even number" }),
            TypedKey("port", in: 1..., check: { $0 != 22 }))
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([
                JsonPropertyLoader(
                    string: #"{"list": [\#(inner)], "named": {"a": \#(inner)}, "size": 5, "port": 22}"#, name: "c")
            ])
        }
        #expect(
            error?.problems.map(\.message).sorted() == [
                "'list[0].count' is the integer 3; expected a power of two from 1 to 64. Change the value.",
                "'named.a.count' is the integer 3; expected a power of two from 1 to 64. Change the value.",
                "'port' is the integer 22; expected an integer of at least 1. Change the value.",
                "'size' is the integer 5; expected an even number from 1 to 8. Change the value.",
            ])
    }
}
