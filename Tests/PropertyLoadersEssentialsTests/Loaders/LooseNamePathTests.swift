import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Variables for tables that other sources nest differently")
struct LooseNamePathTests {
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
