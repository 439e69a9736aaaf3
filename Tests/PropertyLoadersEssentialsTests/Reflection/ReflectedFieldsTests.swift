import Foundation
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Tables and names of Swift values")
struct ReflectedFieldsTests {
    struct AppConfig: Sendable {
        struct API: Sendable {
            let baseURL = "https://api.example.com"
            let timeout = 30
        }
        let api = API()
        let appName = "MyApp"
        let debugMode = false
        let nothing: Int? = nil
        let something: Int? = 7
    }

    @Test("Nested structs become tables, and nil optionals are skipped")
    func nested() throws {
        let store = try loaded(AppConfig())
        #expect(store.property("api.baseURL") == "https://api.example.com")
        #expect(store.property("api.timeout") == 30)
        #expect(store.property("appName") == "MyApp")
        #expect(store.property("debugMode") == false)
        #expect(store.property("something") == 7)
        #expect(names(store) == ["api.baseURL", "api.timeout", "appName", "debugMode", "something"])
    }

    @Test("An origin shows the type and the path")
    func origins() throws {
        let layer = try StructPropertyLoader(AppConfig()).load()
        #expect(layer.source?.name == "AppConfig")
        #expect(layer.source?.identity == nil)
        #expect(try StructPropertyLoader(AppConfig(), name: "defaults").load().source?.identity == "defaults")
        #expect(layer.table["appName"]?.origin.description == "AppConfig appName")
        guard case .table(let api) = layer.table["api"]?.value else { throw Unexpected() }
        #expect(api["timeout"]?.origin.description == "AppConfig api.timeout")
        #expect(api[0].keyOrigin.description == "AppConfig api.baseURL")
    }

    class Base {
        let inherited = 1
        private let hidden = "base"
    }
    class Middle: Base { let middle = 2 }
    final class Leaf: Middle {
        private let hidden = "leaf"
        var own = AppConfig.API()
    }

    @Test("A class has the inherited properties, and its own properties hide inherited ones of the same name")
    func superclasses() throws {
        let store = try loaded(unchecked: Leaf())
        #expect(names(store) == ["hidden", "inherited", "middle", "own.baseURL", "own.timeout"])
        #expect(store.property("hidden") == "leaf")
        #expect(store.property("own.timeout") == 30)
    }

    @Test("The keys of a tuple's table are its labels, or the indices of elements without labels")
    func tuples() throws {
        struct Tuples: Sendable {
            let pair = (1, "b")
            let labelled = (low: 1, high: 2)
        }
        #expect(
            names(try loaded(Tuples())) == ["labelled.high", "labelled.low", "pair.0", "pair.1"])
        #expect(try loaded((a: 1, b: 2)).property("b") == 2)
    }

    @Test("A dictionary with string keys is a table with sorted keys, also at the top")
    func dictionaries() throws {
        struct Hosts: Sendable {
            let hosts = ["db.internal": AppConfig.API(), "a": AppConfig.API()]
            let none: [String: Int?] = ["x": nil]
        }
        let store = try loaded(Hosts())
        #expect(store.property("hosts.db.internal.timeout") == 30)
        #expect(store.property("none.x") as Int? == nil)
        let values: [String: any Sendable] = ["b": 1, "a": ["x", "y"], "c": ["d": 2.5]]
        let layer = try StructPropertyLoader(values, name: "top").load()
        #expect(layer.table.map(\.key) == ["a", "b", "c"])
        #expect(layer.table["b"]?.origin.description == "top b")
        #expect(try loaded(values).property("c.d") == 2.5)
    }

    @Test("An optional struct becomes the same table as the struct")
    func optionalStructs() throws {
        struct Outer: Sendable {
            let some: AppConfig.API? = AppConfig.API()
            let twice: AppConfig.API?? = AppConfig.API()
            let none: AppConfig.API? = nil
        }
        #expect(names(try loaded(Outer())) == ["some.baseURL", "some.timeout", "twice.baseURL", "twice.timeout"])
        let optional: AppConfig.API? = AppConfig.API()
        #expect(try loaded(optional).property("timeout") == 30)
    }

    @Test("A struct without stored properties is an empty table at the top, and a single value inside another type")
    func empty() throws {
        struct Nothing: Sendable, Equatable {}
        struct Outer: Sendable { let strategy = Nothing() }
        #expect(try StructPropertyLoader(Nothing()).load().table.isEmpty)
        #expect(try loaded(Outer()).property("strategy") == Nothing())
    }

    @Test("The mirror of a CustomReflectable type decides its properties")
    func customMirrors() throws {
        struct Shown: Sendable, CustomReflectable {
            let secret = "s", port = 1
            var customMirror: Mirror { Mirror(self, children: ["port": port, "double": port * 2]) }
        }
        struct Outer: Sendable { let shown = Shown() }
        #expect(names(try loaded(Outer())) == ["shown.double", "shown.port"])
        #expect(names(try loaded(Shown())) == ["double", "port"])
    }
}

@Suite("Wrapped and lazy properties of Swift values")
struct StructWrapperTests {
    @propertyWrapper
    struct Stored<Value: Sendable>: Sendable {
        var wrappedValue: Value
        let other = 1
    }

    @propertyWrapper
    final class Boxed<Value: Sendable>: @unchecked Sendable {
        var wrappedValue: Value
        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    }

    @propertyWrapper
    struct Computed: Sendable {
        private var number = 0
        init(wrappedValue: Int) { number = wrappedValue }
        var wrappedValue: Int {
            get { min(number, 12) }
            set { number = newValue }
        }
    }

    @propertyWrapper
    struct Shown: Sendable, CustomReflectable {
        private let number: Int
        init(wrappedValue: Int) { number = wrappedValue }
        var wrappedValue: Int { min(number, 12) }
        var customMirror: Mirror { Mirror(self, children: ["wrappedValue": wrappedValue]) }
    }

    struct Wrapped: Sendable {
        @Stored var timeout = 30
        @Stored var absent: Int? = nil
        @Stored var api = ReflectedFieldsTests.AppConfig.API()
        @Boxed var box = "b"
        @Shown var shown = 40
    }

    @Test("A wrapped property has its own name and the wrapped value")
    func wrapped() throws {
        let store = try loaded(Wrapped())
        #expect(store.property("timeout") == 30)
        #expect(store.property("box") == "b")
        #expect(names(store) == ["api.baseURL", "api.timeout", "box", "shown", "timeout"])
    }

    @Test("A wrapper with a computed value needs a custom mirror; without one, its stored properties are loaded")
    func computed() throws {
        struct Config: Sendable {
            @Computed var clamped = 40
            @Shown var shown = 40
        }
        let store = try loaded(Config())
        #expect(store.property("shown") == 12)
        #expect(names(store) == ["_clamped.number", "shown"])
    }

    @Test("A property keeps an underscore at the start of its name")
    func underscores() throws {
        struct Config: Sendable {
            let _plain = 1
            let _api = ReflectedFieldsTests.AppConfig.API()
            let _list = [1]
        }
        #expect(names(try loaded(Config())) == ["_api.baseURL", "_api.timeout", "_list", "_plain"])
    }

    final class Lazy {
        lazy var unread = 1
        lazy var read = 2
        lazy var optional: Int? = nil
    }

    @Test("A lazy property has its own name after it was read, and is skipped before")
    func lazyProperties() throws {
        let instance = Lazy()
        #expect(instance.read == 2)
        #expect(instance.optional == nil)
        #expect(names(try loaded(unchecked: instance)) == ["read"])
    }

}

func loaded(_ instance: some Sendable) throws -> PropertyStore {
    let store = PropertyStore()
    try store.apply(StructPropertyLoader(instance))
    return store
}

func loaded(unchecked instance: Any) throws -> PropertyStore {
    let store = PropertyStore()
    try store.apply(StructPropertyLoader(unchecked: instance))
    return store
}

/// The flat names of all leaves.
func names(_ store: PropertyStore) -> [String] {
    store.entries.map(\.name).sorted()
}
