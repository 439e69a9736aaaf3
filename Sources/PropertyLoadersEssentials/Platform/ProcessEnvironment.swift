import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The variables of the process, whose values need not be text.
enum ProcessEnvironment {
    /// All variables.
    static var variables: [String: PropertyValue] {
        let texts = ProcessInfo.processInfo.environment
        return Dictionary(uniqueKeysWithValues: texts.map { ($0, value(of: $0, repaired: $1)) })
    }

    /// What a variable is set to: text, or its bytes where it is none; nil where it is not set.
    static func value(of name: String) -> PropertyValue? {
        // Not from Foundation, whose dictionary makes one variable of names that are the same characters.
        System.variable(name).map { value(of: $0) }
    }

    // Foundation puts U+FFFD in the place of what is no UTF-8: a text that has one is looked at again, byte by byte.
    private static func value(of name: String, repaired text: String) -> PropertyValue {
        guard text.unicodeScalars.contains("\u{FFFD}"), let bytes = System.variable(name) else { return .text(text) }
        return value(of: bytes)
    }

    private static func value(of bytes: [UInt8]) -> PropertyValue {
        String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .data(bytes)
    }
}
