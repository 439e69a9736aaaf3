import Properties
import PropertyLoadersEssentials
import Testing

@Suite("A store reports a state that is known to be wrong")
struct WrongStateTests {
    private let file = Literal("file", ["api": ["baseURL": "file", "maxRetries": 3]])
    private let environment = EnvironmentPropertyLoader(
        prefix: "APP_", environment: ["APP_API__BASE_URL": "env", "APP_API__MAX_RETRIES": "9"])

    private func expectFailure(_ store: PropertyStore, _ reason: PropertyLoadError.Reason, _ text: String) {
        #expect(store.warnings.map(\.reason) == [reason])
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .ignored) }
        #expect(errors?.found.map(\.reason) == [.conflict])
        #expect(errors?.found.first?.cause?.reason == reason)
        #expect(errors?.lines == store.warnings.first?.description)
        #expect(errors?.lines.contains(text) == true, "\(String(describing: errors))")
    }

    @Test("A declaration that makes a name ambiguous is reported, and the other names still get their spelling")
    func declaration() throws {
        let store = PropertyStore()
        try store.apply([file, environment])
        #expect(store.property("api.baseURL") == "env")
        store.declare(TypedKey<String>("api.baseUrl", default: ""))
        #expect(store.property("api.maxRetries") == 9)
        #expect(store.property("api.base_url") == "env")
        expectFailure(store, .ambiguous, "the name 'api.base_url' may mean 'api.baseURL' and 'api.baseUrl'")
    }

    @Test("Errors about a wrong state show no secret")
    func secret() throws {
        let parent = try PropertyStore(Literal("above", ["host": "h"]))
        let child = PropertyStore(parent: parent)
        child.declareSecret("url")
        let text = "url = \"${host} hunter2\""
        try child.apply(TomlPropertyLoader(string: text, name: "c.toml").replacingPlaceholders())
        try parent.apply(Literal("above", [:]))
        let error = #expect(throws: PropertyError.self) { _ = try child.require("url", as: String.self) }
        #expect(error?.description.contains("hunter2") == false)
        #expect(error?.cause?.longDescription.contains("hunter2") == false)
        #expect(child.warnings.first?.longDescription.contains("hunter2") == false)
        let open = PropertyStore(parent: parent)
        try parent.apply(Literal("above", ["host": "h"]))
        try open.apply(TomlPropertyLoader(string: text, name: "c.toml").replacingPlaceholders())
        try parent.apply(Literal("above", [:]))
        let key = TypedKey<String>("url", isSecret: true)
        let typed = #expect(throws: PropertyError.self) { _ = try open.require(key) }
        #expect(typed?.isSecret == true)
        #expect(typed?.cause?.longDescription.contains("hunter2") == false)
    }
}
