import Foundation
import Measuring

/// Two ways to do the same, measured in turns.
struct Comparison {
    let name: String
    /// How many times as fast ours must be.
    let target: Double
    private var ratios: [Double] = []

    init(_ name: String, target: Double) {
        self.name = name
        self.target = target
    }

    /// Measures ours and the peer's, in both orders, and notes how many times as fast ours is.
    mutating func measure(_ ours: () throws -> Void, _ peer: () throws -> Void) rethrows -> Double {
        let first = try (Stopwatch.median(samples: 5, ours), Stopwatch.median(samples: 5, peer))
        let second = try (Stopwatch.median(samples: 5, peer), Stopwatch.median(samples: 5, ours))
        let ratio = (first.1 + second.0) / (first.0 + second.1)
        ratios.append(ratio)
        return ratio
    }

    /// The geometric mean over all documents.
    var mean: Double {
        ratios.isEmpty ? .nan : exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
    }
}
