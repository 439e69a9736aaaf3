import Container
import Testing

@Suite("Runtime arguments")
struct ArgumentTests {
    let container = Container()

    @Test("A factory can take one to three runtime arguments")
    func arguments() throws {
        container.register(String.self) { (_, a: Int) in "\(a)" }
        container.register(String.self) { (_, a: Int, b: String) in "\(a)\(b)" }
        container.register(String.self) { (_, a: Int, b: String, c: Bool) in "\(a)\(b)\(c)" }
        #expect(container.resolve(String.self, arguments: 1) == "1")
        #expect(container.resolve(String.self, arguments: 1) == "1")
        #expect(container.resolve(String.self, arguments: 1, "x") == "1x")
        #expect(try container.require(String.self, arguments: 1, "x", true) == "1xtrue")
    }

    @Test("Registrations of one type can differ in their arguments or names")
    func sideBySide() {
        container.register(String.self) { _ in "none" }
        container.register(String.self) { (_, a: Int) in "Int \(a)" }
        container.register(String.self) { (_, a: Double) in "Double \(a)" }
        container.register(String.self, name: "n") { (_, a: Int) in "named \(a)" }
        #expect(container.resolve(String.self) == "none")
        #expect(container.resolve(String.self, arguments: 1) == "Int 1")
        #expect(container.resolve(String.self, arguments: 1.5) == "Double 1.5")
        #expect(container.resolve(String.self, name: "n", arguments: 2) == "named 2")
        #expect(container.resolve(String.self, name: "n", arguments: 2) == "named 2")
    }

    @Test("A resolver takes arguments, too")
    func resolver() {
        container.register(Person.self) { (_, name: String) in Person(pet: Cat(name: name)) }.inObjectScope(.transient)
        container.register([Person].self) { r in
            [try r.require(Person.self, arguments: "Tom"), r.resolve(Person.self, arguments: "Tim")!]
        }
        #expect(container.resolve([Person].self)?.compactMap { $0.pet?.name } == ["Tom", "Tim"])
    }

    @Test("If the arguments do not match, the error contains the passed types and the registered types")
    func mismatch() {
        container.register(String.self) { (_, a: Int, b: Bool) in "\(a)\(b)" }
        let failures = Failures()
        failures.listen(to: container)
        let error = failure { _ = try container.require(String.self, arguments: 1, "x") }
        #expect(error?.reason == .wrongArguments)
        #expect(
            error?.description
                == "String: String is not registered for the arguments (Int, String). Registered is String with (Int, Bool). "
                + "Give arguments of exactly the factory's static types")
        #expect(failure { _ = try container.require(String.self) }?.reason == .wrongArguments)
        #expect(container.resolve(String.self, arguments: 1 as Int?) == nil)
        #expect(failures.all.map(\.reason) == [.wrongArguments])
    }

    @Test("A factory may resolve its own service with other arguments, but not endlessly")
    func recursion() throws {
        container.register(Int.self) { (r, n: Int) in n < 2 ? 1 : try n * r.require(Int.self, arguments: n - 1) }
            .inObjectScope(.transient)
        #expect(try container.require(Int.self, arguments: 10) == 3_628_800)
        container.register(Bool.self) { (r, n: Int) in try r.require(Bool.self, arguments: n + 1) }
            .inObjectScope(.transient)
        #expect(failure { _ = try container.require(Bool.self, arguments: 0) }?.reason == .circular)
    }
}
