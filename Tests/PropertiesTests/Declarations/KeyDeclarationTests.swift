import Properties
import Testing

@Suite("Several declarations of the same name")
struct KeyDeclarationTests {
    private let port = TypedKey<Int>("port", expected: "a port up to 65535") { $0 <= 65535 }

    @Test("A secret name stays masked after a later declaration that is not secret")
    func masks() throws {
        let store = try PropertyStore(Literal(["port": 80]))
        store.declareSecret("port")
        store.declare(port)
        #expect(store.listing == ["port=********"])
        let child = PropertyStore(parent: store)
        child.declare(port)
        try child.apply(Literal("child", ["other": 1]))
        #expect(child.listing == ["other=1", "port=********"])
    }

    @Test("The checks of two keys with the same name both run, and a problem that both find is reported once")
    func both() throws {
        let store = try PropertyStore(Literal(["port": 99999]))
        store.declare(port, TypedKey<Int>("port", expected: "an even port") { $0.isMultiple(of: 2) })
        store.declare(port, TypedKey<Int>("port"))
        let errors = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        #expect(errors?.found.map(\.expected) == ["a port up to 65535", "an even port"])
        try store.apply(Literal(["port": 81]))
        #expect(throws: ConfigurationErrors.self) { try store.verify() }
        try store.apply(Literal(["port": 80]))
        try store.verify()
    }
}

@Suite("Declarations that are mistakes of the program end it, with a message that names the key")
struct InvalidDeclarationTests {
    @Test("A default that the key's own limits refuse")
    func ownLimits() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            PropertyStore().declare(TypedKey<Int>("server.port", default: 0, in: 1...65535, expected: "a port"))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "The default of 'server.port' is not a port from 1 to 65535. "
                    + "Correct the default, or the limits of the key."))
    }

    @Test("Two declarations of one name with different defaults")
    func differentDefaults() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = PropertyStore()
            store.declare(TypedKey<Int>("port", default: 80))
            store.declare(TypedKey<Int>("port", default: 80))
            store.declare(TypedKey<Int>("port"))
            store.declare(TypedKey<Int>("port", default: 81))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'port' is declared with two different defaults. Declare it with one."))
    }
}
