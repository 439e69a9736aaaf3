import Foundation
import Measuring

/// Compares our time with a peer's time for the same work, by measuring both in turns.
struct Comparison {
    let name: String
    /// How many times as fast as the peer our code must be.
    let target: Double
    private var ratios: [Double] = []

    init(_ name: String, target: Double) {
        self.name = name
        self.target = target
    }

    /// Measures both in both orders. Records and returns how many times as fast as the peer our code is.
    mutating func measure(_ ours: () throws -> Void, _ peer: () throws -> Void) rethrows -> Double {
        let first = try (Stopwatch.median(samples: 5, ours), Stopwatch.median(samples: 5, peer))
        let second = try (Stopwatch.median(samples: 5, peer), Stopwatch.median(samples: 5, ours))
        let ratio = (first.1 + second.0) / (first.0 + second.1)
        ratios.append(ratio)
        return ratio
    }

    /// The geometric mean of the ratios of all documents.
    var mean: Double {
        ratios.isEmpty ? .nan : exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
    }
}
