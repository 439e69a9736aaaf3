import PropertyLoaders

/// A check of one way in, for any input.
///
/// libFuzzer runs it with generated inputs (`Tests/Fuzz`). The tests run it with the inputs in `Fixtures/Regressions`,
/// which are samples and inputs that were once wrong, and with random changes of them.
package struct FuzzTarget: Sendable {
    /// The name, which is also the name of its folder in `Fixtures/Regressions`.
    package let name: String
    /// Checks the properties for one input. Throws a `Violation` if one does not hold.
    package let check: @Sendable (_ input: [UInt8]) throws -> Void

    init(_ name: String, _ check: @escaping @Sendable (_ input: [UInt8]) throws -> Void) {
        self.name = name
        self.check = check
    }

    /// All targets.
    package static let all: [FuzzTarget] = [
        json, toml, xmlPlist, binaryPlist, dotEnv, conversion, binding, chain, urlSecrets,
    ]
}

/// A property that does not hold.
package struct Violation: Error, CustomStringConvertible {
    package let description: String
}

/// Throws a `Violation` unless a condition holds.
func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws(Violation) {
    if !condition { throw Violation(description: problem()) }
}

/// A loader that returns the same layer each time.
struct FixedLoader: PropertyLoader {
    let layer: PropertyLayer

    func load() -> PropertyLayer { layer }
}
