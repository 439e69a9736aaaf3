import Container
import ContainerMigration
import DeclarativeContainer
import Foundation
import PropertyLoaders
import Synchronization
import Testing

/// Collects names.
final class Names: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
}

@available(*, deprecated)
private struct OldLoader: PropertyLoader {
    let values: @Sendable () throws -> [String: Any]
    func load() throws -> [String: Any] { try values() }
}

private struct Firm: Sendable {}
private struct Refusal: Error {}
private final class Loop {
    lazy var loop = self
    init() { _ = loop }
}

@Suite("Names of SwinjectPropertyLoader and pwdi do the same as there")
struct PropertyNameTests {
    private let container = Container()

    private func load(_ text: String) throws {
        try container.applyPropertyLoader(JsonPropertyLoader(string: text, name: "a.json"))
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A loader can return a dictionary, whose values replace earlier ones whole")
    func dictionaries() throws {
        try load(#"{"api": {"timeout": 30, "retries": 3}, "name": "old", "api.base": "x"}"#)
        let loader = OldLoader {
            [
                "api": ["timeout": 5], "name": "new", "tags": ["a", "b"], "limit": 3 as Int? as Any,
                "none": Int?.none as Any, "build.number": 4711, "date": Date(timeIntervalSince1970: 0),
                "mixed": [1, "a"] as [Any],
            ]
        }
        try container.applyPropertyLoader(loader)
        #expect(container.property("api.timeout") == 5)
        #expect(container.property("api.retries") == Int?.none)
        #expect(container.property("name") == "new")
        #expect(container.property("tags") == ["a", "b"])
        #expect(container.property("limit") == 3)
        #expect(container.property("none") == Int?.none)
        #expect(container.property("build.number") == 4711)
        #expect(container.property("date") == Date(timeIntervalSince1970: 0))
        let mixed: [Any]? = container.property("mixed")
        #expect(mixed?.count == 2)
        #expect(try loader.load()["build.number"] as? Int == 4711)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("A loader that throws leaves the properties as they were")
    func errors() throws {
        try load(#"{"a": 1}"#)
        let missing = OldLoader { throw Refusal() }
        let error = #expect(throws: ConfigurationErrors.self) { try container.applyPropertyLoader(missing) }
        #expect(error?.problems.first?.error is Refusal)
        #expect(container.property("a") == 1)
    }

    /// Loaders of files that do not exist, or whose text breaks the rules of the format.
    private static let failing: [any PropertyLoader] = [
        JsonPropertyLoader(bundle: .main, name: "none"), JsonPropertyLoader(url: URL(filePath: "/none.json")),
        JsonPropertyLoader(string: "{", name: "a.json"), JsonPropertyLoader(string: "[]", name: "a.json"),
        PlistPropertyLoader(bundle: .main, name: "none"), PlistPropertyLoader(url: URL(filePath: "/none.plist")),
        PlistPropertyLoader(url: URL(filePath: "/")), PlistPropertyLoader(bytes: Array("a".utf8), name: "a.plist"),
        TomlPropertyLoader(bundle: .main, name: "none"), TomlPropertyLoader(url: URL(filePath: "/none.toml")),
        TomlPropertyLoader(string: "a = b", name: "a.toml"), StructPropertyLoader(unchecked: Loop()),
    ]

    @available(*, deprecated, message: "tests deprecated names")
    @Test("The errors of load(), applyPropertyLoader and the assembler are caught by the former name")
    func caughtErrors() throws {
        #expect(Self.failing.count == 12)
        for loader in Self.failing {
            let failures: [() throws -> Void] = [
                { _ = try loader.load() }, { try self.container.applyPropertyLoader(loader) },
                { try Assembler(container: self.container).applyPropertyLoader(loader) },
                { _ = try Assembler(assemblies: [], propertyLoaders: [loader]) },
                { _ = try Assembler(assemblies: [], parentAssembler: nil, propertyLoaders: [loader]) },
            ]
            for failure in failures {
                var isCaught = false
                do { try failure() } catch let error as any PropertyLoaderError { isCaught = !"\(error)".isEmpty }
                #expect(isCaught, "\(loader)")
            }
        }
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("The result of a loader has the values by their flat names")
    func layers() throws {
        let layer = try TomlPropertyLoader(string: "[api]\ntimeout = 30\nhosts = [\"a\"]", name: "a.toml").load()
        #expect(layer["api.timeout"] as? Int == 30)
        #expect(layer["api.hosts"] as? [String] == ["a"])
        #expect((layer["api"] as? [String: Any])?.count == 2)
        #expect(layer["api.none"] == nil)
        #expect(layer.keys == ["api.hosts", "api.timeout"])
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("Properties can be read and listed by the old names")
    func reading() throws {
        try load(#"{"a": 1, "b": {"c": "x"}}"#)
        #expect(container.property(forKey: "a") == 1)
        #expect(container.property(forKey: PropertyKey("b.c")) == "x")
        #expect(PropertyKey("b.c").debugDescription == "PropertyKey(\"b.c\")")
        #expect(container.propertiesDescription == "a = 1 (a.json:1:7)\nb.c = \"x\" (a.json:1:21)")
        let resolver = Assembler(container: container).resolver
        try resolver.applyPropertyLoader(OldLoader { ["a": 2] })
        #expect(container.property("a") == 2)
    }

    @Test("A property is not read as a class of Foundation")
    func foundationClasses() throws {
        container.properties.onWrongValue { _ in }
        try load(#"{"count": 1, "name": "old", "rows": [{"a": 1}]}"#)
        #expect(container.property("count") as NSNumber? == nil)
        #expect(container.property("name") as NSString? == nil)
        #expect(container.property("name") as Substring? == nil)
        #expect(container.property("rows") as [NSDictionary]? == nil)
        #expect((container.property("rows") as [[String: Any]]?)?.count == 1)
    }

    @available(*, deprecated, message: "tests deprecated names")
    @Test("The global container of pwdi is that of this package, and a block lists its services")
    func pwdi() throws {
        let own = Container()
        Container.withGlobal(own) { #expect(globalContainer === own) }
        let prototype = Prototype {
            Service { _ in Firm() }
            Service { _ in 1 }
        }
        #expect(prototype.factories.count == 2)
        #expect(Singleton { Service { _ in Firm() } }.factories.count == 1)
        #expect(Session { Service { _ in Firm() } }.factories.count == 1)
    }
}
