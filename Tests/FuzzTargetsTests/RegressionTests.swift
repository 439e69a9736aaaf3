import Foundation
import FuzzTargets
import Testing

@Suite("FuzzTarget: the properties that fuzzing checks hold for the inputs that are kept")
struct RegressionTests {
    /// An input in `Fixtures/Regressions`.
    struct Input: CustomTestStringConvertible {
        let target: String
        let url: URL

        var testDescription: String { "\(target)/\(url.lastPathComponent)" }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/Regressions")

    private static func contents(of folder: URL) -> [URL] {
        let all = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (all ?? []).sorted { $0.path < $1.path }
    }

    static let inputs = FuzzTarget.all.flatMap { target in
        contents(of: folder.appendingPathComponent(target.name)).map { Input(target: target.name, url: $0) }
    }

    @Test("Each target has a folder with at least one input, and each folder has a target")
    func folders() {
        let names = FuzzTarget.all.map(\.name).sorted()
        #expect(Self.contents(of: Self.folder).map(\.lastPathComponent) == names)
        #expect(Set(Self.inputs.map(\.target)).sorted() == names)
    }

    @Test("An input that was wrong once is not wrong again", arguments: inputs)
    func replay(input: Input) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == input.target })
        try target.check([UInt8](Data(contentsOf: input.url)))
    }

    @Test("Random changes of the inputs violate no property", arguments: FuzzTarget.all)
    func mutations(target: FuzzTarget) throws {
        let inputs = try Self.inputs.filter { $0.target == target.name }.map { [UInt8](try Data(contentsOf: $0.url)) }
        var random = RandomInputs(seed: 4711)
        for round in 0..<50 {
            check(target, random.change(inputs[round % inputs.count]))
        }
    }

    private func check(_ target: FuzzTarget, _ input: [UInt8]) {
        do {
            try target.check(input)
        } catch {
            Issue.record("\(target.name): \(error); the input is \(Data(input).base64EncodedString())")
        }
    }
}

extension FuzzTarget: CustomTestStringConvertible {
    /// The name.
    public var testDescription: String { name }
}

/// Random inputs and random changes of inputs, which are the same for the same seed.
private struct RandomInputs {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next(below limit: Int) -> Int {
        // An LCG with the constants of Knuth's MMIX. The high bits are the better ones.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % max(1, limit)
    }

    /// Returns an input with one to four changes: a byte changed, removed, repeated, or a piece copied.
    mutating func change(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0...next(below: 4) where !bytes.isEmpty {
            let place = next(below: bytes.count)
            switch next(below: 4) {
            case 0: bytes[place] = UInt8(next(below: 256))
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[place], at: place)
            default:
                let piece = bytes[place...].prefix(next(below: 16))
                bytes.insert(contentsOf: piece, at: next(below: bytes.count))
            }
        }
        return bytes
    }
}
