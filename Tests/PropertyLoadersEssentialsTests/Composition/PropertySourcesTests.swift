import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("A list of sources")
struct PropertySourcesTests {
    private struct Remote: AsyncPropertyLoader {
        func load() async throws -> PropertyLayer { ["a": "remote", "b": "remote"] }
    }

    @Test("Synchronous and awaited sources are one list, whose last source wins")
    func mixed() async throws {
        let first: PropertySources = [Given(["a": "first", "b": "first", "c": "first"]), Remote()]
        let store = PropertyStore()
        try await store.apply(awaiting: [Given(["d": 1])] + first + [Given(["b": "last"])], timeout: patience)
        #expect(store.values == ["a=\"remote\"", "b=\"last\"", "c=\"first\"", "d=1"])
        let array: [any PropertyLoader] = [Given(["e": 1])]
        try store.apply(PropertySources(array) + [Given(["e": 2])])
        #expect(try store.require("e", as: Int.self) == 2)
    }

    @Test("A method that cannot await says so, and applies nothing")
    func unawaited() {
        let store = PropertyStore(), sources: PropertySources = [Given(["a": 1]), Remote()]
        let report =
            "Remote: this source must be awaited, and the program loads it without waiting. Let the program await its sources."
        #expect(#expect(throws: ConfigurationErrors.self) { try store.apply(sources) }?.description == report)
        let error = #expect(throws: ConfigurationErrors.self) { try store.start(sources) }
        #expect(error?.description.hasPrefix(report) == true)
        #expect(store.entries.isEmpty)
    }

    @Test(
        "The variable of the profile is no property of a list, in any position and however it is changed",
        arguments: ["", "test"])
    func profileVariable(profile: String) throws {
        let scratch = try Scratch()
        let file = try scratch.write("a = 1", to: "config.toml")
        try scratch.write("a = 2", to: "config.test.toml")
        let environment = EnvironmentPropertyLoader(
            prefix: "APP", environment: ["APP_STAGE": profile, "APP_B": "4"])
        let files = PropertySources.profileFiles(url: file, profile: profile, profileVariable: "APP_STAGE")
        let lists = [
            files + [environment], [environment] + files,
            files.replacing { $0.optional() } + [environment.secret().prefixed("x")],
        ]
        for list in lists {
            let store = PropertyStore()
            try store.apply(list)
            #expect(store.entries.map(\.name).filter { $0.hasSuffix("stage") } == [])
            #expect(try store.require("a", as: Int.self) == (profile.isEmpty ? 1 : 2))
        }
    }
}

extension PropertySources {
    fileprivate func replacing(_ change: (any PropertyLoader) -> any PropertyLoader) -> PropertySources {
        PropertySources(loaders.map { ($0 as? any PropertyLoader).map(change) ?? $0 })
    }
}
