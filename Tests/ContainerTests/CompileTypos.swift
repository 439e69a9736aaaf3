import Testing

/// A typo in a factory, and what the compiler says about it.
struct Typo: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The line of the factory with the typo.
    let typed: String
    let says: String

    static let types = """
        final class Leaf {}
        final class Branch {
            var size = 0
            init(leaf: Leaf, size: Int = 0) {}
        }
        extension PropertyKey { static let branchSize: PropertyKey = "branch.size" }

        """

    /// The line of `typed` in the compiled file, whose first line is an import.
    var line: Int { Self.types.split(separator: "\n").count + 4 }

    /// A factory of several lines with the typo in its second line.
    var factory: String {
        """
        func f(_ c: Container) {
            c.register(Branch.self) { r in
                \(typed)
                branch.size = r.property(.branchSize) ?? 3
                return branch
            }
        }
        """
    }
}

let typos: [Typo] = [
    Typo(
        testDescription: "An unknown service", typed: "let branch = Branch(leaf: try r.require(Leef.self))",
        says: "cannot find 'Leef' in scope"),
    Typo(
        testDescription: "An unknown method", typed: "let branch = Branch(leaf: r.resolv(Leaf.self)!)",
        says: "value of type 'Resolver' has no member 'resolv'"),
    Typo(
        testDescription: "An optional that is not unwrapped", typed: "let branch = Branch(leaf: r.resolve(Leaf.self))",
        says: "value of optional type 'Leaf?' must be unwrapped to a value of type 'Leaf'"),
    Typo(
        testDescription: "A missing argument", typed: "let branch = Branch()",
        says: "missing argument for parameter 'leaf' in call"),
    Typo(
        testDescription: "An argument of a wrong type",
        typed: "let branch = Branch(leaf: try r.require(Leaf.self), size: \"3\")",
        says: "cannot convert value of type 'String' to expected argument type 'Int'"),
    Typo(
        testDescription: "A missing try", typed: "let branch = Branch(leaf: r.require(Leaf.self))",
        says: "call can throw, but it is not marked with 'try'"),
    Typo(
        testDescription: "An unknown property of the service",
        typed: "let branch = Branch(leaf: Leaf()); branch.sise = 3",
        says: "value of type 'Branch' has no member 'sise'"),
    Typo(
        testDescription: "An unknown key",
        typed: "let branch = Branch(leaf: Leaf(), size: r.property(.branchSise) ?? 3)",
        says: "has no member 'branchSise'"),
]
