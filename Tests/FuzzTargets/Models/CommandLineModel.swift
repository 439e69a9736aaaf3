/// The arguments as `CommandLinePropertyLoader` documents them, for the flag `debug` and the program's option `help`.
struct CommandLineModel {
    private(set) var remaining: [[UInt8]] = []
    private(set) var values: [(path: [[UInt8]], value: ModelValue)] = []
    /// Whether all arguments are valid.
    private(set) var isValid = true
    private var rest: ArraySlice<[UInt8]>

    init(_ arguments: [[UInt8]]) {
        rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == Array("--".utf8) {
                remaining += [argument] + rest
                return
            }
            if !take(argument) { isValid = false }
        }
    }

    private mutating func take(_ argument: [UInt8]) -> Bool {
        guard argument.starts(with: "--".utf8) else {
            remaining.append(argument)
            return true
        }
        let (name, value) = Self.parts(Array(argument.dropFirst(2)))
        if name == Array("help".utf8) {
            remaining.append(argument)
            return true
        }
        if name == Array("set".utf8) {
            guard let assignment = value ?? rest.popFirst(), case (let name, let value?) = Self.parts(assignment) else {
                return false
            }
            return add(name, .string(value))
        }
        guard isName(name) else { return false }
        if let value { return add(name, .string(value)) }
        let isFlag = name == Array("debug".utf8)
        guard !isFlag, let next = rest.first, Self.isValue(next) else { return add(name, .bool(true)) }
        rest.removeFirst()
        return add(name, .string(next))
    }

    /// Whether an argument after a name is its value.
    private static func isValue(_ argument: [UInt8]) -> Bool {
        argument.first != UInt8(ascii: "-") || argument.count == 1
            || Double(String(decoding: argument, as: UTF8.self)) != nil
    }

    private static func parts(_ text: [UInt8]) -> (name: [UInt8], value: [UInt8]?) {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return (text, nil) }
        return (Array(text[..<equals]), Array(text[(equals + 1)...]))
    }

    private func path(_ name: [UInt8]) -> [[UInt8]] {
        name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
    }

    private func isName(_ name: [UInt8]) -> Bool {
        // A name has at most 128 levels.
        name.first != UInt8(ascii: "-") && path(name).allSatisfy { !$0.isEmpty } && path(name).count <= 128
    }

    private mutating func add(_ name: [UInt8], _ value: ModelValue) -> Bool {
        guard isName(name) else { return false }
        values.append((path(name), value))
        return true
    }
}
