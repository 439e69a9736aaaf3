import Properties
import TestSupport
import Testing

/// The contents of a file in the model: what its lines say about the three keys, and whether it can be loaded.
private struct FileState {
    /// The value of the required key `port`, which must be from 1 to 9. Nil if the file does not have the key.
    var port: Value?
    /// The value of `name`, a string with a default.
    var name: Value?
    /// The values of `pair.low` and `pair.high`, integers of a bound type.
    var low: Value?
    var high: Value?
    /// Whether there is a key that nobody reads.
    var hasUnknownKey = false
    /// Whether a name is defined twice, so that the loader fails.
    var isBroken = false

    enum Value: Equatable {
        case number(Int)
        case text(String)

        var line: String {
            switch self {
            case .number(let number): "\(number)"
            case .text(let text): "\"\(text)\""
            }
        }

        var isNumber: Bool { if case .number = self { true } else { false } }
    }

    /// The lines of the file.
    var text: String {
        var lines: [String] = []
        for (name, value) in [("port", port), ("name", name), ("pair.low", low), ("pair.high", high)] {
            if let value { lines.append("\(name) = \(value.line)") }
        }
        if hasUnknownKey { lines.append("unknown = 1") }
        if isBroken { lines += ["broken = 1", "broken = 2"] }
        return lines.joined(separator: "\n")
    }

    init(using random: inout SplitMix) {
        // Most values are valid, so that many states are good.
        func value(_ valid: Value, _ random: inout SplitMix) -> Value? {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: nil
            case 1: .text("x")
            case 2: .number(0)
            default: valid
            }
        }
        port = value(.number(.random(in: 1...9, using: &random)), &random)
        name = value(.text("n\(Int.random(in: 0..<9, using: &random))"), &random)
        low = value(.number(.random(in: 1...9, using: &random)), &random)
        high = value(.number(.random(in: 1...9, using: &random)), &random)
        hasUnknownKey = Int.random(in: 0..<12, using: &random) == 0
        isBroken = Int.random(in: 0..<12, using: &random) == 0
    }
}

/// The state of a store in the model: the files merged by the simplest rule, the last one wins.
private struct MergedFiles {
    var files: [FileState]

    private func value(_ key: KeyPath<FileState, FileState.Value?>) -> FileState.Value? {
        files.last { $0[keyPath: key] != nil }?[keyPath: key]
    }

    /// The names of the keys with a problem, sorted. Nil if a loader fails.
    func problems(refusesUnknownKeys: Bool) -> [String]? {
        if files.contains(where: \.isBroken) { return nil }
        var names: [String] = []
        let port = value(\.port)
        if port == nil || port?.isNumber == false || port == .number(0) { names.append("port") }
        if let name = value(\.name), name.isNumber { names.append("name") }
        let low = value(\.low), high = value(\.high)
        if low == nil && high == nil {
            names.append("pair")
        } else if low?.isNumber != true {
            names.append("pair.low")
        } else if high?.isNumber != true {
            // Decoding a type stops at its first problem.
            names.append("pair.high")
        }
        if refusesUnknownKeys, files.contains(where: \.hasUnknownKey) { names.append("unknown") }
        return names.sorted()
    }

    /// The listing of a store in this state.
    var listing: [String] {
        var lines = [
            ("name", value(\.name)), ("pair.high", value(\.high)), ("pair.low", value(\.low)), ("port", value(\.port)),
        ].compactMap { name, value in value.map { "\(name)=\($0.line)" } }
        if files.contains(where: \.hasUnknownKey) { lines.append("unknown=1") }
        return lines
    }
}

@Suite("Checked reloads agree with a simple model")
struct CheckedReloadModelTests {
    private struct Pair: Decodable {
        var low: Int
        var high: Int
    }

    @Test("After any sequence of good and bad files, the state is the last good one, and each bad one was reported")
    func sequences() throws {
        var good = 0, bad = 0, broken = 0
        for seed in 0..<150 {
            var random = SplitMix(state: UInt64(seed))
            let refusesUnknownKeys = seed % 2 == 0
            var start = FileState(using: &random), second = FileState(using: &random)
            (start.port, start.name, start.low, start.high) = (.number(1), nil, .number(1), .number(1))
            (start.hasUnknownKey, start.isBroken) = (false, false)
            second = start
            let sources = [ChangingText("a", start.text), ChangingText("b", second.text)]
            let store = PropertyStore()
            store.declare(TypedKey<Int>("port") { (1...9).contains($0) }, TypedKey<String>("name", default: "d"))
            try store.apply(sources)
            _ = try store.bind(Pair.self, at: "pair")
            try store.verify(unknownKeys: refusesUnknownKeys ? .refused : .ignored)
            var files = [start, second], last = MergedFiles(files: files)
            for _ in 0..<20 {
                let place = Int.random(in: 0...1, using: &random)
                files[place] = FileState(using: &random)
                sources[place].set(files[place].text)
                let model = MergedFiles(files: files)
                let expected = model.problems(refusesUnknownKeys: refusesUnknownKeys)
                do {
                    try store.reload()
                    #expect(expected?.isEmpty == true, "published in seed \(seed): \(files.map(\.text))")
                    last = model
                    good += 1
                } catch let error as PropertyErrors {
                    #expect(error.problems.map(\.name).sorted() == expected, "seed \(seed): \(files.map(\.text))")
                    bad += 1
                } catch {
                    #expect(expected == nil, "seed \(seed): \(error)")
                    broken += 1
                }
                #expect(store.listing == last.listing, "seed \(seed): \(files.map(\.text))")
            }
        }
        #expect(good > 300 && bad > 300 && broken > 100, "\(good) good, \(bad) bad, \(broken) broken")
    }
}
