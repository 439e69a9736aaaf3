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
        let errors = #expect(throws: PropertyErrors.self) { try store.verify() }
        #expect(errors?.problems.map(\.reason) == [.conflict])
        #expect(errors?.problems.first?.cause?.reason == reason)
        #expect(errors?.description == store.warnings.first?.description)
        #expect(errors?.description.contains(text) == true, "\(String(describing: errors))")
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

    @Test("A child reports a name that a change of its parent makes ambiguous")
    func parentChange() throws {
        let parent = PropertyStore()
        let child = PropertyStore(parent: parent)
        try child.apply([file, environment])
        try parent.apply(Literal("above", ["api": ["baseUrl": "above"]]))
        #expect(child.property("api.maxRetries") == 9)
        expectFailure(child, .ambiguous, "may mean 'api.baseUrl' and 'api.baseURL'")
        #expect(parent.warnings.isEmpty)
    }

    @Test("If a parent loses a property, errors about the texts that refer to it have the placeholder as their cause")
    func lostName() throws {
        let parent = try PropertyStore(Literal("above", ["host": "h"]))
        let child = PropertyStore(parent: parent)
        let texts = Literal("child", ["url": "//${host}/", "b": ["url": "${host}"], "other": 1])
        try child.apply(texts.replacingPlaceholders())
        try parent.apply(Literal("above", [:]))
        #expect(child.property("url") as String? == nil)
        #expect(child.property("other") == 1)
        expectFailure(child, .unresolved, "child: '${host}' in 'url' leads to no property.")
        for name in ["url", "b.url"] {
            let text = "child: '${host}' in '\(name)' leads to no property."
            let error = #expect(throws: PropertyError.self) { _ = try child.require(name, as: String.self) }
            #expect(error?.reason == .conflict)
            #expect(error?.description.hasPrefix(text) == true)
            let typed = #expect(throws: PropertyError.self) { _ = try child.require(TypedKey(name, default: "d")) }
            #expect(typed?.description.hasPrefix(text) == true)
            #expect(throws: PropertyError.self) { _ = try child.property(name, default: "d") }
        }
        struct Inner: Decodable { var url: String }
        let bound = #expect(throws: PropertyErrors.self) { _ = try child.bind(Inner.self, at: "b") }
        #expect(bound?.description.hasPrefix("child: '${host}' in 'b.url' leads to no property.") == true)
        try parent.apply(Literal("above", ["host": "new"]))
        #expect(child.warnings.isEmpty)
        try child.verify()
        #expect(try child.require("url") == "//new/")
    }

    @Test("A child that refuses changes of kind reports one that a change of its parent caused")
    func kindChange() throws {
        let parent = PropertyStore()
        let child = PropertyStore(parent: parent)
        try child.apply(Literal("child", ["api": "text"]))
        try child.refuseKindChanges()
        try parent.apply(Literal("above", ["api": ["port": 1]]))
        expectFailure(child, .kindChange, "'api' is a string")
    }

    @Test("Child stores, with or without sources of their own, report a change of kind that their parent refuses")
    func kindChangeBelow() throws {
        let parent = PropertyStore()
        let child = PropertyStore(parent: parent)
        let grandchild = PropertyStore(parent: child)
        let other = PropertyStore(parent: child)
        try other.apply(Literal("other", ["x": 1]))
        try child.apply(Literal("child", ["api": "text"]))
        try child.refuseKindChanges()
        try parent.apply(Literal("above", ["api": ["port": 1]]))
        expectFailure(grandchild, .kindChange, "'api' is a string")
        expectFailure(other, .kindChange, "'api' is a string")
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
