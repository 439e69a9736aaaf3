import Properties
import PropertyLoadersEssentials
import Synchronization
import TestSupport
import Testing

@Suite("Placeholders that cannot be replaced")
struct PlaceholderPassTests {
    /// Creates a store with placeholders that were valid when they were applied, then removes the properties in `lost`
    /// from its parent.
    private func broken(
        _ values: [(String, PropertyValue)], without lost: KeyValuePairs<String, PropertyValue>,
        keeping kept: KeyValuePairs<String, PropertyValue> = [:], _ rules: PropertyPlaceholders = PropertyPlaceholders()
    ) throws -> PropertyStore {
        let parent = try PropertyStore(Literal("kept", kept), Literal("above", lost))
        let child = PropertyStore(parent: parent)
        var loader = Literal("child", [:])
        loader.table = PropertyTable(values)
        try child.apply(loader.replacingPlaceholders(rules))
        try parent.apply(Literal("above", [:]))
        return child
    }

    struct API: Decodable, Equatable, Sendable {
        var url: String?
        var port: Int
    }

    @Test("Every read of a table throws the error of a failed placeholder in it")
    func tables() throws {
        let store = try broken(
            [("api", ["inner": ["url": "//${host}", "port": 1]]), ("other", ["port": 2])], without: ["host": "h"])
        let text = "child: '${host}' in 'api.inner.url' leads to no property."
        for name in ["api.inner.url", "api.inner", "api"] {
            let error = #expect(throws: PropertyError.self) { _ = try store.require(name, as: [String: Any].self) }
            #expect(error?.reason == .conflict)
            #expect(error?.description.hasPrefix(text) == true)
            #expect(throws: PropertyError.self) { _ = try store.require(name, as: PropertyNode.self) }
            #expect(throws: PropertyError.self) { _ = try store.property(name, default: [String: PropertyValue]()) }
            #expect(throws: PropertyError.self) { _ = try store.require(TypedKey<API>(name)) }
            #expect(store.property(name) as [String: Any]? == nil)
            #expect(store.property(name) as API? == nil)
            #expect(store.changes(of: name, as: [String: Any].self).current == nil)
        }
        for name in ["api", nil] {
            let json = #expect(throws: PropertyError.self) { _ = try store.json(at: name) }
            #expect(json?.description.hasPrefix(text) == true)
        }
        #expect(try store.json(at: "other") == "{\n  \"port\": 2\n}")
        for name in ["api.inner", "api", nil] {
            let bound = #expect(throws: ConfigurationErrors.self) { _ = try store.bind(API.self, at: name) }
            #expect(bound?.found.first?.description.hasPrefix(text) == true)
        }
        #expect(try store.bind(API.self, at: "other") == API(port: 2))
        #expect(store.property("other") == ["port": 2])
    }

    @Test("A change to a value whose placeholder cannot be replaced has the error")
    func changes() async throws {
        let parent = try PropertyStore(Literal("above", ["host": "h"]))
        let child = PropertyStore(parent: parent)
        try child.apply(Literal("child", ["url": "//${host}"]).replacingPlaceholders())
        var sets = child.changes(under: "url").makeAsyncIterator()
        try parent.apply(Literal("above", [:]))
        let change = try #require(await sets.next()?.first)
        #expect(change.old?.valueText == "\"//h\"")
        #expect(change.new == nil)
        #expect(change.error?.reason == .conflict)
        #expect(
            change.error?.description == """
                child: '${host}' in 'url' leads to no property. Set the property, or write a default: ${host:-…}.
                """)
    }

    @Test("The depth limit of placeholders does not depend on the order of the properties")
    func depth() throws {
        let rules = PropertyPlaceholders(depthLimit: 4)
        let chain: [(String, PropertyValue)] = [
            ("p1", "${p2}"), ("p2", "${p3}"), ("p3", "${p4}"), ("p4", "${p5}"), ("p5", "end"),
        ]
        for entries in [chain, chain.reversed()] {
            var loader = Literal([:])
            loader.table = PropertyTable(entries)
            #expect(try PropertyStore(sources: loader.replacingPlaceholders(rules)).property("p1") == "end")
            loader.table = PropertyTable([("p0", "${p1}")] + entries)
            let error = loadError {
                try PropertyStore(sources: loader.replacingPlaceholders(rules))
            }
            #expect(error?.reason == .limit)
            loader.table = PropertyTable(entries + [("p0", "${p1}")])
            loadError { try PropertyStore(sources: loader.replacingPlaceholders(rules)) }
        }
    }
}

@Suite("The total size of the replaced values is limited")
struct PlaceholderBudgetTests {
    private func load(_ entries: [(String, PropertyValue)], _ rules: PropertyPlaceholders) -> PropertyLoadError? {
        var loader = Literal([:])
        loader.table = PropertyTable(entries)
        do {
            _ = try PropertyStore(sources: loader.replacingPlaceholders(rules))
            return nil
        } catch {
            return (error as? ConfigurationErrors)?.problems.first?.error as? PropertyLoadError
        }
    }

    @Test("Each use of an array adds the size of its elements")
    func arrays() {
        let array = PropertyValue.array((0..<1000).map { PropertyNode(.integer($0)) })
        func uses(_ count: Int) -> [(String, PropertyValue)] {
            [("array", array)] + (0..<count).map { ("use\($0)", "${array}") }
        }
        #expect(load(uses(3), PropertyPlaceholders(sizeLimit: 100_000)) == nil)
        let error = load(uses(4), PropertyPlaceholders(sizeLimit: 100_000))
        #expect(
            error?.description
                == "literal: what the placeholders produce has more than 100000 bytes. "
                + "Check that no placeholder repeats what is large.")
    }

    @Test("The results of lookups add their size when they are fetched, and no lookup runs after the limit is reached")
    func lookups() {
        let count = Mutex(0)
        let rules = PropertyPlaceholders(
            lookups: [
                "big": { _ in
                    count.withLock { $0 += 1 }
                    return .init(String(repeating: "x", count: 100))
                }
            ], sizeLimit: 1000)
        let entries = (0..<50).map { ("use\($0)", PropertyValue.string("${big:\($0):-}")) }
        let error = load(entries, rules)
        #expect(error?.reason == .limit)
        #expect(error?.problem == "what the placeholders produce has more than 1000 bytes")
        #expect(count.withLock { $0 } <= 11)
    }
}
