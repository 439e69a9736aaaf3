import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Variables for tables that other sources nest differently")
struct LooseNamePathTests {
    @Test("All variables of a table get the same path, however other sources nest the table")
    func onePath() throws {
        let store = try PropertyStore(
            sources: JsonPropertyLoader(string: #"{"a.b": {"d": 1}}"#, name: "flat", merge: .deep),
            JsonPropertyLoader(string: #"{"a": {"b": {"c": 1}}}"#, name: "nested", merge: .deep))
        try store.apply(
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_A__B__C": "2", "APP_A__B__D": "2"]))
        #expect(store.values == ["a.b.c=\"2\"", "a.b.d=\"2\""])
    }

    @Test("A declared key goes into the table that a source has")
    func declaredKey() throws {
        let store = try PropertyStore(sources: JsonPropertyLoader(string: #"{"a.b": {"d": 1}}"#, name: "flat"))
        store.declare(TypedKey<Int>("a.b.cD"))
        try store.apply(
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_A__B__C_D": "2", "APP_A__B__D": "2"]))
        #expect(store.values == ["a.b.cD=\"2\"", "a.b.d=\"2\""])
    }

    @Test("If a key is duplicated, variables take the spelling only from the later one")
    func duplicateKey() throws {
        let text = #"{"a": {"bC": 1}, "a": {"x": 1}}"#
        let store = try PropertyStore(sources: JsonPropertyLoader(string: text, name: "twice"))
        try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_A__B_C": "2"]))
        #expect(store.values == ["a.b_c=\"2\"", "a.x=1"])
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
