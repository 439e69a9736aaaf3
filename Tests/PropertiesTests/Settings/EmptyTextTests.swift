import Properties
import PropertyLoadersEssentials
import Testing

@Suite("Empty text of an untyped source")
struct EmptyTextTests {
    private struct Sample: Settings {
        @Setting var token: String
        @Setting var limit: Int?
        @Setting var name = "default"
        @Setting var port = 1
    }

    @Test("It does not satisfy a required setting, is nil for an optional, and otherwise a text")
    func meanings() throws {
        let store = try PropertyStore(
            Sample.self, Lines("c.toml", "token = \"old\"\nlimit = 5\nname = \"x\""),
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_TOKEN": "", "APP_LIMIT": "", "APP_NAME": ""]))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        #expect(
            errors?.lines == "environment APP_TOKEN: 'token' is missing, since its text is empty; expected a string "
                + "(it overrides \"old\" at c.toml:1:9). Write a value.")
        #expect(errors?.found.map(\.reason) == [.missing])
        #expect(throws: ConfigurationErrors.self) { try store.settings(Sample.self) }
        try store.set("token", to: "new")
        let settings = try store.settings(Sample.self)
        #expect((settings.limit, settings.name) == (nil, ""))
        let number = #expect(throws: ConfigurationErrors.self) {
            try store.apply(EnvironmentPropertyLoader(prefix: "B", environment: ["B_PORT": ""]))
        }
        #expect(number?.found.map(\.name) == ["port"])
        #expect(store.property("token") == "new")
    }

    @Test("An undeclared read gets it as it is")
    func undeclared() throws {
        let store = try PropertyStore(
            sources: EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_TOKEN": ""]))
        #expect(store.property("token") == "")
    }
}
