import FoundationEssentials
import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

/// `SETTINGS_SEED=… SETTINGS_TYPES=1 swift test --filter RandomSettingsTests` replays a single type.
@Suite("Random settings types mean what a model of them says")
struct RandomSettingsTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["SETTINGS_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max / 2)
    private static let count = environment["SETTINGS_TYPES"].flatMap { Int($0) } ?? LongRun.rounds(40)

    /// Runs a check for each random type, until three have failed. If too little has been seen then, further types follow.
    private func forEachType(
        until isEnough: () -> Bool = { true }, _ check: (SettingsSample) throws -> [String]
    ) throws {
        var (failures, number) = (0, 0)
        while failures < 3, number < Self.count || !isEnough() && number < 10 * Self.count {
            let seed = Self.seed &+ UInt64(number), sample = SettingsSample(seed: seed)
            for difference in try check(sample).prefix(1) {
                Issue.record("SETTINGS_SEED=\(seed) \(sample.type)\n\(difference)")
                failures += 1
            }
            number += 1
        }
    }

    @Test("Values, mistakes and secrets")
    func documents() throws {
        var seen: [ModelVerdict.Finding.Kind?: Int] = [:], open = 0, hidden = 0
        let kinds: [ModelVerdict.Finding.Kind?] = [nil, .unknown, .wrong, .missing]
        let isEnough = {
            kinds.allSatisfy { seen[$0, default: 0] > Self.count / 8 } && seen[.broken, default: 0] > Self.count / 20
        }
        try forEachType(until: isEnough) { sample in
            var sample = sample
            return try [nil, 8, 20, 60].flatMap { mistakes in
                let document = sample.document(mistakes: mistakes)
                let verdict = sample.verdict(document)
                for finding in verdict.findings { seen[finding.kind, default: 0] += 1 }
                if verdict.findings.isEmpty { seen[nil, default: 0] += 1 }
                (open, hidden) = (open + verdict.open.count, hidden + verdict.hidden.count)
                return try sample.differences(document, verdict)
            }
        }
        // Without many of each, the test would show little.
        for kind in kinds {
            #expect(seen[kind, default: 0] > Self.count / 8, "\(seen)")
        }
        #expect(open > Self.count && hidden > Self.count)
        #expect(seen[.broken, default: 0] > Self.count / 20, "\(seen)")
    }

    @Test("Names in variables and arguments")
    func spellings() throws {
        var compared = 0
        try forEachType { sample in
            var sample = sample
            let document = sample.document(mistakes: nil)
            guard let texts = sample.texts(of: document), !texts.isEmpty else { return [] }
            compared += 1
            return try sample.differences(spelled: texts, document)
        }
        #expect(compared > Self.count / 4)
    }

    @Test("Values that are kept until a restart")
    func restarts() throws {
        var kept = 0
        try forEachType { sample in
            var sample = sample
            let documents = (0..<4).map { _ in sample.document(mistakes: nil) }
            kept += sample.pending(documents[0], documents[1]).isEmpty ? 0 : 1
            let wrong = sample.document(mistakes: 20)
            return try zip(documents, documents.dropFirst()).flatMap { try sample.differences(reloading: $0, $1) }
                + sample.differences(refusing: wrong, after: documents[0])
        }
        #expect(kept > Self.count / 20)
    }

    @Test("Many reloads, against stores that are made anew")
    func reloads() throws {
        try forEachType { sample in
            var sample = sample
            return try sample.differences(steps: 6)
        }
    }

    @Test("Options of --help and values in force")
    func help() throws {
        try forEachType { try $0.differencesInHelp() }
    }
}
